/* Statements of document 003, on floating bodies. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"003", "Section A.1",
     "floating body: the half-spaces that hold a share q in every direction",
     .command = "printf 'x,y\\n1,2\\n3,1\\n2,3\\n' >three.csv; scrim body exact "
                "three.csv --public --columns x=0..4,y=0..4 --q 0.6 --out three.json; "
                "scrim body show three.json; scrim body show people-90.json",
     .prints = "largest ball inside: radius 0.153778; 0 of 16 half-spaces are redundant",
     .errata = "124 144",
     .note = "Of public points without noise by 'scrim body exact'; people-90.json is in "
             "docs/examples. 'scrim body fit' releases one of a dataset."},
    {"003", "Section A.1, quantile", "quantile of one column",
     .command = "seq 1 999 | scrim run quantile p=0.75 epsilon=1 lower=0 upper=1000 "
                "neighbours=add-remove",
     .prints = "accuracy    no rank is off by more than 15 rows with probability 0.95"},
    {"003", "Section A.1, existence", "the body exists for q above 1 - 1/(d + 1)",
     .command = "scrim errata 144", .prints = "-0.29289321881345248", .errata = "144"},
    {"003", "Section A.1, outliers", "points outside of the body",
     .command = "scrim body outliers people-90.json --at 80,70 --at 40,38",
     .prints = "80,70,true,0.417063696459078,6,3"},
    {"003", "Section A.1, depth", "Tukey depth of a point",
     .command =
         "scrim body depth people-60.json people-90.json --at 40,40 --at 50,45; seq "
         "0.001 0.001 4 | scrim run body-depth epsilon=1 centre=0.82 lower=0 upper=4 "
         "grid=1/1000 neighbours=add-remove",
     .prints = "50,45,0.1,0.4"},
    {"003", "Figure 1", "picture of a floating body among points",
     .command = "printf 'age,hours\\n40,38\\n52,45\\n31,60\\n' >points.csv; scrim body "
                "plot people-60.json people-90.json --csv points.csv --svg bodies.svg",
     .prints = "body of 2 columns, cut by 16 directions at q 0.6",
     .note = "bodies.svg has the bodies over public points; no row of a dataset is ever "
             "drawn."},
    {"003", "Definition 2", "admissible distributions (main text)",
     .command = "scrim body admissible --q 0.75 --directions 80 --epsilon 1",
     .prints = "0.75,0.0125,0.353553390593274,1.20056613385294,0.125,0.123504233964073",
     .note = "Its four numbers: inner and outer radius, reach and density."},
    {"003", "Definition 1", "differential privacy (main text)",
     .command = "scrim audit laplace epsilon=1",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .note = "The appendices cite it and do not state it."},
    {"003", "Definition 7", "cited in the proof of Lemma 20 (main text)",
     .note = "The appendices cite it once and do not state it."},
    {"003", "Definition 16", "(epsilon, delta)-privacy for datasets at any distance",
     .command = "scrim errata 125; printf 'a,3/4\\nb,1/4\\n' >p.csv; printf "
                "'a,1/4\\nb,3/4\\n' | scrim distance divergence p.csv - --group 2",
     .prints = "\"delta*sum(i, 0, m - 1, exp(i*eps))\",8.5791024883721602e-5",
     .theirs = "0.000001", .ours = "8.5791024883721602e-5", .errata = "125",
     .note = "'scrim compose' and every label state delta for one person, and households "
             "by the right sum."},
    {"003", "Equation (10)", "support function of a body",
     .command = "scrim body support people-90.json --at 1,0 --at -1,0",
     .prints = "1,0,55.7411499023438"},
    {"003", "Equation (11)", "Hausdorff distance of two bodies",
     .command = "scrim body compare people-60.json people-90.json",
     .prints = "distance_at_most,0.18587375706036"},
    {"003", "Theorem 10",
     "private answers about the body, for Holder functions (main text)",
     .command = "scrim experiment extension; scrim body admissible --q 0.75 "
                "--directions 80 --epsilon 1 --target-error 0.1",
     .prints = "495,322,0,1,0.5,0.5,",
     .note = "The exact algorithm from all tables of a tiny universe, for the Steiner "
             "point. For data: a released body and any function of it, with its own "
             "number of units."},
    {"003", "Theorem 17", "Theorem 10, restated",
     .command = "scrim experiment extension; scrim body admissible --q 0.75 "
                "--directions 80 --epsilon 1 --target-error 0.1",
     .prints = "301817,13654310", .note = "As Theorem 10."},
    {"003", "Lemma 18", "quantiles of close distributions are close",
     .command = "scrim errata 127",
     .prints = "true,distance of the quantiles,abs(x - y),10", .theirs = "1",
     .ours = "10", .errata = "126 127"},
    {"003", "Theorem 19", "quantiles of a sample are uniformly close",
     .command = "scrim body admissible --q 0.75 --directions 80 --epsilon 1; scrim body "
                "compare people-60.json people-90.json",
     .prints = "1.20056613385294,0.125,0.123504233964073,301817", .errata = "143",
     .note =
         "With scrim's own bound of the number of units, since the document's cannot be "
         "read. The second command has the distance of the quantiles of two bodies."},
    {"003", "Equation (18)", "all quantiles of a net of directions are close",
     .command = "scrim errata 130; scrim body admissible --q 0.75 --directions 80 "
                "--epsilon 1",
     .prints = "1.20056613385294,0.125,0.123504233964073,301817", .errata = "130",
     .note = "A step of the proof of Lemma 20, with constants that the document does "
             "not state. The command has the number of units by scrim's own bound for "
             "its public directions."},
    {"003", "Section B.2", "typical set", .command = "scrim errata 128",
     .prints = "true,steps between the quantiles,abs(x - y),10", .theirs = "1",
     .ours = "10", .errata = "128 133"},
    {"003", "Lemma 20", "a sample is typical", .errata = "130", .related = "129 131 132",
     .command = "scrim errata 130; scrim errata 132; scrim body admissible --q 0.75 "
                "--directions 80 --epsilon 1",
     .prints = "true,exponent of failure for many,\"-W + min(many, d)\",49",
     .theirs = "-51", .ours = "49",
     .note = "scrim uses no typical set; 'scrim body admissible' has bounds of its own."},
    {"003", "Lemma 21", "quantiles of typical samples move little",
     .command = "scrim errata 128",
     .prints = "true,steps between the quantiles,abs(x - y),10", .theirs = "1",
     .ours = "10", .errata = "128 133"},
    {"003", "Equation (20)", "density of the restricted algorithm",
     .command = "scrim errata 134",
     .prints = "true,where the branches meet,K*(r/4)^h,0.0625", .theirs = "0.125",
     .ours = "0.0625", .errata = "134",
     .note = "In one dimension: 'scrim run body-extension'."},
    {"003", "Lemma 22", "the restricted algorithm is private",
     .command = "scrim audit body-extension q=0.5 epsilon=1 lower=0 upper=4 spacing=1 "
                "reach=2 neighbours=replace",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.7806092; claimed is",
     .errata = "128 134 143",
     .note = "The algorithm in one dimension, with a typical set that is one."},
    {"003", "Equation (23)", "integral of a function of the norm",
     .note = "Polar coordinates in the proof of Lemma 24."},
    {"003", "Lemma 23", "integral of t^k e^-t",
     .note = "Calculus in the proof of Lemma 24."},
    {"003", "Lemma 24", "the restricted algorithm is accurate", .errata = "135",
     .command = "scrim errata 135; printf '3\\n4\\n5\\n4\\n6\\n5\\n4\\n5\\n' | scrim run "
                "body-extension q=1/2 epsilon=8 lower=0 upper=9 spacing=1 reach=2 "
                "neighbours=replace",
     .prints = "accuracy    each value is within 2 of the truth with probability 0.95",
     .note = "In one dimension, for tables that are typical. That all zeros are typical "
             "is wrong: the erratum."},
    {"003", "Proposition 6", "extension lemma (main text)",
     .command = "scrim experiment extension dimensions=1 side=5 rows=5 q=3/5 reach=2; "
                "scrim audit body-extension q=0.5 epsilon=1 lower=0 upper=4 spacing=1 "
                "reach=2 neighbours=replace",
     .prints = "126,65,0,1,0.774803,0.5,",
     .note = "In several dimensions by enumeration, in one for data. No typical table "
             "changes, and all neighbours are within epsilon, where the document has "
             "twice the cost of typical ones, here 0.5."},
    {"003", "Section C", "Steiner point", .command = "scrim body center people-90.json",
     .prints = "steiner,38.9011,40.1993,0,true"},
    {"003", "Lemma 8", "quantile distance and Hausdorff distance (main text)",
     .command = "scrim body compare people-60.json people-90.json",
     .prints = "quantile_distance,0.18511962890625", .errata = "136",
     .note = "The line above it is the Hausdorff distance, 0.1859: 1.004 times as much."},
    {"003", "Lemma 12", "the Steiner point is Lipschitz", .errata = "136",
     .command = "scrim body compare people-60.json people-90.json",
     .prints = "centre_distance_at_most,0.236661817817747",
     .note = "The bodies are 0.186 apart, 4/pi times as much is allowed, and their "
             "Steiner points are 0.00002 apart. The constant of the lemma, sqrt(2), is "
             "larger than it need be."},
    {"003", "Corollary 13", "private Steiner point (main text)",
     .command = "scrim body center people-90.json",
     .prints = "steiner,38.9011,40.1993,0,true"},
    {"003", "Corollary 15", "private points of the body (main text)",
     .command = "scrim body sample people-90.json -n 3",
     .prints = "3 points of the region, 4 steps apart"},
    {"003", "Corollary 25", "Corollary 15, restated",
     .command = "scrim body sample people-90.json -n 3",
     .prints = "3 points of the region, 4 steps apart",
     .note =
         "Hit-and-run in place of Langevin steps: its law is uniform without a bias."},
    {"003", "Theorem 26", "Langevin steps approach the uniform distribution",
     .command =
         "printf '0,0\\n4,3\\n' >p.csv; printf '1,0\\n4,5\\n' >q.csv; scrim body sample "
         "people-90.json -n 3 --method langevin; scrim distance w2 p.csv q.csv "
         "--dimensions 2",
     .prints = "w2,sqrt(2.5),1.58113883008419", .errata = "143",
     .note =
         "The steps run, and are biased, as the command's help says. The second "
         "command is W2, in which the theorem is stated: of two points from two others."},
    {"003", "Equation (27)", "truncated Gaussian steps", .command = "scrim errata 137",
     .prints = "0.26146412994911062", .theirs = "0.0455", .ours = "0.26146412994911062",
     .errata = "137"},
    {"003", "Definition 27", "noisy oracles of projection and Steiner point",
     .note = "scrim projects on the released body, exactly and as often as one likes: no "
             "oracle is needed."},
    {"003", "Lemma 28", "Langevin steps with noisy oracles",
     .note = "See Definition 27."},
    {"003", "Equation (28)", "error of a step with a noisy projection",
     .note = "A step of the proof of Lemma 28; see Definition 27."},
    {"003", "Lemma 29", "the same, with numbers of steps", .note = "See Definition 27."},
    {"003", "Proposition 30", "projection and Hausdorff distance",
     .command = "scrim body compare people-60.json people-90.json --at 80,70",
     .prints = "projection_distance,0.178274466014688",
     .note = "The next line is what the proposition allows, from the Hausdorff distance "
             "of the bodies: 0.826."},
    {"003", "Lemma 14", "projection is Holder of order 1/2", .errata = "136",
     .command =
         "scrim body compare people-60.json people-90.json --at 80,70; scrim errata 136",
     .prints = "projection_distance_at_most,0.825766748674026",
     .note = "The line above it is the distance of the projections, 0.178. The constant "
             "of the lemma is larger than it need be."},
    {"003", "Corollary 31", "private projection",
     .command = "scrim body project people-90.json --at 80,70",
     .prints = "54.4147,46.5454,0.424404770411272,3 2"},
    {"003", "Lemma 32", "parameters of the noisy oracle", .command = "scrim errata 138",
     .prints = "true,radius of the support of (20),2*K*(R + r/2),10", .theirs = "4",
     .ours = "10", .errata = "138"},
    {"003", "Corollary 5", "Corollary 15, by a wrong number",
     .command = "scrim body sample people-90.json -n 3",
     .prints = "3 points of the region, 4 steps apart", .errata = "141",
     .note = "The number of Corollary 15 is meant, and low temperatures find the "
             "minimum: see Section D.7."},
    {"003", "Section D.7", "sampling by a log-concave weight, and optimisation",
     .command = "scrim body minimise people-90.json '(age - 40)^2 + 3 * abs(hours - 38)'",
     .prints = "40.0022,38,5.02327572009479e-06", .errata = "141",
     .note = "Weights: 'scrim body sample FILE --weight PHI'. Low temperature finds the "
             "minimum of phi, not its maximum."},
    {"003", "Proposition 33", "symmetric log-concave distributions are admissible",
     .errata = "139 140",
     .command =
         "scrim errata 139; scrim body admissible --q 0.6 --directions 80 --epsilon 1",
     .prints = "true,quantile,\"root(x, 0, 1, Q(x) - (1 - q))\",0.25334710313579980",
     .theirs = "0.2231", .ours = "0.25334710313579980",
     .note = "The outer radius of the document is below the normal quantile. The second "
             "command has the corrected radius and the better density."},
    {"003", "Lemma 34", "density near the quantile",
     .command =
         "scrim errata 140; scrim body admissible --q 0.9 --directions 80 --epsilon 1",
     .prints = "true,L that is proved,f*(2 - f)*(1 - q),0.049401693585629243",
     .theirs = "0.0184", .ours = "0.049401693585629243", .errata = "140"},
    {"003", "Lemma 35", "bounds of the quantile",
     .command =
         "scrim errata 139; scrim body admissible --q 0.6 --directions 80 --epsilon 1",
     .prints = "0.25334710313579980", .theirs = "1.2231", .ours = "0.25334710313579980",
     .note =
         "The quantile of the normal distribution, and the lemma's upper bound of it at "
         "q 0.6."},
    {"003", "Section E", "alpha-stable distributions",
     .command =
         "scrim body admissible --q 0.75 --directions 80 --epsilon 1 --law stable=1",
     .prints = "0.75,0.0125,1,1,1.41421356237",
     .note = "Spherical ones, whose body is a ball: of Cauchy's law it has radius 1 at q "
             "0.75."},
    {"003", "Proposition 36", "extension lemma, restated",
     .command = "scrim experiment extension; scrim audit body-extension q=0.5 epsilon=1 "
                "lower=0 upper=4 spacing=1 reach=2 neighbours=replace",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.7806092; claimed is",
     .note = "As Proposition 6."},
    {"003", "Proposition 37", "density of the extension",
     .command = "scrim experiment extension; seq 1 16 | scrim run body-extension q=0.75 "
                "epsilon=1 lower=0 upper=16 spacing=1 reach=4 neighbours=replace",
     .prints = "cost        epsilon 1, delta 0", .errata = "142",
     .note = "As Proposition 6."},
    {"003", "Lemma 38", "the extension has a finite integral", .errata = "142",
     .note = "scrim's extension is a finite sum on a grid: there is nothing to show."},
    {"003", "Lemma 39", "privacy as an inequality of densities",
     .command = "scrim audit body-extension q=0.5 epsilon=1 lower=0 upper=4 spacing=1 "
                "reach=2 neighbours=replace",
     .prints = "loss,,0.780609239573444,0.7806092395734441,1,holds",
     .note = "The audit compares the densities at every point."},
};

const lab_papers_section lab_papers_floating = LAB_PAPERS_SECTION(rows);
