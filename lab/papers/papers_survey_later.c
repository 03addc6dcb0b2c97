/* Statements of document 002, the survey: chapters 7 to 9. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"002", "Definition 7.1", "local privacy",
     .command = "scrim audit randomised-response epsilon=1 neighbours=local",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;"},
    {"002", "Definition 7.2", "condensed local privacy, with a metric",
     .command = "scrim audit condensed-geometric alpha=1 values=5 neighbours=local; "
                "printf '0\\n2\\n1\\n' | scrim run condensed-exponential alpha=1/2 "
                "values=3 distances=3,5,4 neighbours=local",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 4.000000;",
     .errata = "92",
     .note = "By alpha, or by the epsilon of the two farthest values; "
             "condensed-exponential takes any metric by distances=. Counts are decoded "
             "from distances of numbers alone; 'scrim local decode --post em' makes "
             "their errors small."},
    {"002", "Section 7.2", "central and local error",
     .command = "scrim experiment central-local epsilon=1 --svg .; scrim errata 84",
     .prints = "10000,0.0003,0.026347", .errata = "83 84",
     .note =
         "At epsilon 1 and confidence 0.95; --svg draws both, and docs/trust-models.md "
         "has a table."},
    {"002", "Section 7.3", "three ways to use local privacy",
     .note = "Words: docs/local.md and docs/trust-models.md."},
    {"002", "Definition 7.3", "memoisation",
     .command = "scrim local plan emoji --users 1e5 --domain 20 --epsilon 4 --periods 30 "
                "--constant --out emoji.config >all.csv; scrim local simulate --config "
                "emoji.config --users 1000 --periods 3",
     .prints = "3,1000,0,4.0000,", .note = "What a device has spent stays 4.0000."},
    {"002", "Section 7.4", "averaging attack", .command = "scrim attack average",
     .prints = "from the mean of 2000 answers; one answer gives it in"},
    {"002", "Section 7.4.1", "RAPPOR: Bloom filter, permanent and instantaneous answers",
     .prints = "cost        epsilon 4, delta 0", .errata = "85",
     .command = "scrim errata 85; printf '0\\n1\\n2\\n' | scrim run rappor epsilon=4 "
                "values=4 neighbours=local",
     .note = "A permanent 1 is reported as 1 with chance q and a permanent 0 with chance "
             "p, as in RAPPOR itself: the first command. Texts: text=N; several reports: "
             "p= and q=."},
    {"002", "Theorem 7.4", "privacy of the permanent answer",
     .command = "scrim audit rappor epsilon=4.39444915467244 text=2 bits=8 hashes=2 "
                "cohorts=1 neighbours=local",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 4.394449;",
     .theirs = "4.394449", .ours = "4.394449",
     .note = "2 h ln((1 - f/2)/(f/2)) at h = 2, f = 1/2. The proof is wrong, the "
             "statement is right.",
     .related = "86 87"},
    {"002", "Section 7.4.2", "mean of local answers, with Laplace noise",
     .command = "scrim audit laplace-mean epsilon=1 values=5 neighbours=local",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;"},
    {"002", "Lemma 7.5", "one-bit mean is private",
     .command = "scrim audit one-bit-mean epsilon=1 values=5 neighbours=local",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .related = "88"},
    {"002", "Lemma 7.6", "tail of the one-bit mean",
     .command = "scrim calibrate one-bit-mean values=101 neighbours=local --target-error "
                "0.93 --values 100000",
     .prints = "in words    with epsilon=0.999182 one release costs epsilon 0.999182, "
               "delta 0,",
     .theirs = "1", .ours = "0.999182",
     .note = "For an error of 0.93 with probability 0.95 the lemma asks for epsilon 1."},
    {"002", "Theorem 7.7", "error of the one-bit mean",
     .command = "scrim calibrate one-bit-mean values=101 neighbours=local --target-error "
                "0.93 --values 100000",
     .prints = "one-bit-mean epsilon=0.999182 values=101 neighbours=local",
     .theirs = "epsilon 1", .ours = "epsilon=0.999182", .errata = "93",
     .note = "For an error of 0.93; the theorem gives 0.9294 at epsilon 1."},
    {"002", "Section 7.4.3", "memoised rounding",
     .command =
         "scrim errata 91; printf '0\\n3\\n' | scrim run rounded-bit-mean epsilon=1 "
         "values=5 neighbours=local; echo 'scrim-local/1 question=age "
         "protocol=rounded-bit-mean values=11 a=3 b=1 flip=429496729 epoch=1' "
         ">age.config; scrim local simulate --config age.config --users 1000 --periods 2",
     .prints = "zero*one,0.53444664538852303", .errata = "89 91",
     .note = "scrim charges each round, also in 'scrim local simulate'."},
    {"002", "Lemma 7.8", "rounding keeps the mean", .errata = "89 90", .related = "91",
     .command = "scrim errata 90; scrim audit rounded-bit-mean epsilon=1 values=5 "
                "neighbours=local",
     .prints = "true,mean of the sent bits,(1 + x*(exp(eps) - 1))/(exp(eps) + "
               "1),0.26894142136999512",
     .theirs = "0", .ours = "0.26894142136999512",
     .note = "scrim corrects the bias when it decodes."},
    {"002", "Theorem 7.9", "memoised rounding is as accurate as the one-bit mean",
     .command = "scrim local plan q --users 1e5 --domain 101 --epsilon 1",
     .prints = "rounded-bit-mean,mean,1,0.00303426046", .related = "90"},
    {"002", "Definition 8.1", "Renyi divergence",
     .command = "printf 'a,3/4\\nb,1/4\\n' >p.csv; printf 'a,1/4\\nb,3/4\\n' | scrim "
                "distance divergence p.csv - --order 2",
     .prints = "renyi,order 2,ln(7/3),0.847297860387204", .theirs = "ln(7/3)",
     .ours = "0.847297860387204", .errata = "94",
     .note = "Between the distributions of the answers, and with the essential supremum "
             "at order infinity; the document writes databases and a maximum."},
    {"002", "Definition 8.2", "Renyi privacy",
     .prints = "renyi,1.5,0.749999978597696,inf,0.75,watched", .theirs = "0.75",
     .ours = "0.749999978597696", .errata = "95",
     .note = "At any order; of infinite distributions a bound from below.",
     .command = "scrim errata 95; scrim audit gaussian rho=1/2 --order 3/2"},
    {"002", "Theorem 8.3", "order infinity is pure privacy",
     .command = "scrim audit randomised-response epsilon=1 neighbours=local",
     .prints = "loss,,0.9999999999999999,1,1,holds", .theirs = "1",
     .ours = "0.9999999999999999,1"},
    {"002", "Theorem 8.4", "from Renyi privacy to (epsilon, delta)",
     .command = "scrim compose 'renyi order=5 epsilon=1' --delta 1e-6",
     .prints = "renyi,,3.8283746100683336767", .theirs = "4.4539",
     .ours = "3.8283746100683336767", .errata = "97",
     .note = "'scrim distance divergence --order' does it for two distributions."},
    {"002", "Theorem 8.5", "Renyi divergence grows with its order",
     .command = "printf 'a,3/4\\nb,1/4\\n' >p.csv; printf 'a,1/4\\nb,3/4\\n' | scrim "
                "distance divergence p.csv - --order 2,5",
     .prints = "renyi,order 5,ln(4921/81)/4,1.02670447154839"},
    {"002", "Theorem 8.6", "composition of Renyi privacy",
     .prints = "renyi,,5.2215344445301691209",
     .command = "scrim compose 'gaussian rho=1/8 x4' --delta 1e-6",
     .note = "Where parameters follow from answers: row renyi-filter, at orders that are "
             "fixed beforehand."},
    {"002", "Theorem 8.7", "advanced composition by Renyi privacy",
     .command = "scrim errata 96; scrim compose 'gaussian rho=1/8 x4' --delta 1e-6",
     .prints = ",1.2692169276018144", .theirs = "2", .ours = "1.2692169276018144",
     .errata = "96"},
    {"002", "Theorem 8.8", "from Renyi privacy to (epsilon, delta), again",
     .command = "scrim compose 'renyi order=5 epsilon=1/2 x2' --delta 1e-6",
     .prints = "renyi,,3.8283746100683336767", .theirs = "4.4539",
     .ours = "3.8283746100683336767", .errata = "97"},
    {"002", "Definition 8.9", "concentrated privacy (zCDP)",
     .command = "scrim compose 'rho=1/2 xi=1/10' --delta 1e-6",
     .prints = "concentrated,,5.3215344445301691209",
     .note = "xi is the document's eta; rho alone is the cost of gaussian noise."},
    {"002", "Theorem 8.10", "composition of concentrated privacy",
     .command = "scrim compose 'gaussian rho=1/8 x4' --delta 1e-6",
     .prints = "concentrated,,5.2215344445301691209",
     .note = "The same as one release of rho 1/2."},
    {"002", "Theorem 8.11", "concentrated privacy survives computing",
     .note = "Holds for every answer; nothing is computed."},
    {"002", "Theorem 8.12", "concentrated privacy of groups",
     .command = "scrim compose 'rho=1/8' --delta 1e-6 --group 2",
     .prints = "concentrated,,5.2215344445301691209", .errata = "98",
     .note = "Groups of 2 have four times the rho: the same as 'rho=1/2' of one person."},
    {"002", "Theorem 8.13", "from rho to (epsilon, delta)",
     .command = "scrim compose 'rho=1/2' --delta 1e-6",
     .prints = "concentrated,,5.2215344445301691209", .theirs = "5.7565",
     .ours = "5.2215344445301691209",
     .note = "Of gaussian noise with this rho it is 4.499591, row loss of 'gaussian "
             "rho=1/2'."},
    {"002", "Theorem 8.14", "from epsilon to rho",
     .command =
         "echo 12 | scrim run laplace sensitivity=1 epsilon=1 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 0, rho 0.5", .theirs = "0.5", .ours = "0.5"},
    {"002", "Definition 8.15", "Gaussian mechanism by rho",
     .command = "scrim audit gaussian rho=1/2",
     .prints = "verdict     the claim holds and is tight: delta at epsilon 0 reaches "
               "0.3989423;"},
    {"002", "Section 9.1", "counts that add up: microdata",
     .prints = "point-first,1.35696248600158,1278.32692707841", .errata = "111",
     .command =
         "scrim microdata plan --cells 3000 --epsilon 1; printf '5\\n0\\n7\\n' | scrim "
         "run point-first epsilon=1 weight=3 neighbours=add-remove; rm -f w.vault*; "
         "printf 'kind,weight\\na,2\\nb,1\\na,3\\n' >w.csv; scrim init --vault w.vault "
         "--no-witness; scrim dataset add w --vault w.vault --csv w.csv --unit row "
         "--column kind=text --column 'weight=int[0,3]' --missing kind=a --missing "
         "weight=0 --keys kind=a,b --budget epsilon=1; scrim query w 'SELECT kind, "
         "SUM(weight) AS noisy GROUP BY ROLLUP(kind)' --epsilon 1 --vault w.vault "
         "--format csv | awk -F, 'NR == 1 {print \"level,kind,noisy\"} NR > 1 {print 1 - "
         "$5 \",\" $1 \",\" $2}' | scrim microdata fit - --method sum",
     .note = "Records with weights: point-first takes sums of weights up to 3; of a "
             "dataset, SUM(weight) and its total are measured, and then fitted, free of "
             "charge, so that no weight is below 0 and the parts add up. Of records "
             "without weights: 'scrim microdata release'."},
    {"002", "Definition 9.1", "disjoint queries",
     .command = "scrim errata 123; scrim audit point-first epsilon=1 neighbours=replace",
     .prints = "\"min(1, abs(1 - 0)) + min(1, abs(0 - 1))\",2", .theirs = "1",
     .ours = "2", .errata = "123",
     .note = "point-first and sum-first take neighbours=replace for that."},
    {"002", "Definition 9.2", "point queries and their sum",
     .command = "scrim microdata plan --cells 3000 --epsilon 1",
     .prints = "sum-first,37.7387838272253,2.79917776821437"},
    {"002", "Theorem 9.3", "lower bounds of the errors of cells and sum",
     .command = "scrim microdata plan --cells 3000 --epsilon 1",
     .prints = "0.674237793903173,sum-first epsilon=1 neighbours=add-remove",
     .errata = "118 119 120 121 122",
     .note = "For epsilon and for (epsilon, delta). For rho the document states an order "
             "of growth without a constant, so that there is no number."},
    {"002", "Lemma 9.4", "squares of the largest of several noises",
     .command = "scrim errata 117; scrim microdata plan --cells 3000 --epsilon 1",
     .prints = "true,mean square of the maximum,H^2 + V,13489/1800", .theirs = "7.3753",
     .ours = "13489/1800", .errata = "117",
     .note = "The plan of point-first and sum-first uses the right value."},
    {"002", "Lemma 9.5", "least squares with a total and no count below 0",
     .command = "printf 'level,area,noisy\\n0,,3\\n1,a,2.500\\n1,b,1.25\\n1,c,-3\\n' "
                ">noisy.csv; scrim microdata fit noisy.csv --method sum",
     .prints = "1,a,2.125,2.5",
     .note = "In units of the last decimal of the file; whole numbers give whole "
             "numbers."},
    {"002", "Theorem 9.6", "five algorithms for cells and sum",
     .command = "scrim audit point-first epsilon=1; scrim audit sum-first epsilon=1; "
                "scrim audit sum-first epsilon=1 delta=1e-6; scrim audit point-first "
                "rho=1/2; scrim audit sum-first rho=1/2",
     .prints =
         "verdict     the claim holds: delta at epsilon 1.000000 reaches 6.278717e-7;",
     .errata = "112 113 114 115 116 123",
     .note = "With DGeo(epsilon), max{0, q + noise} and a sum error of 8/epsilon^2: "
             "errata 112 to 116."},
    {"002", "Lemma 9.7", "from epsilon to Renyi privacy",
     .command = "scrim audit randomised-response epsilon=1 neighbours=local",
     .prints = "renyi,2,0.7353256640555191,0.7353256640555192,0.7353256640555192,holds",
     .theirs = "0.735326", .ours = "0.7353256640555191", .errata = "98"},
    {"002", "Definition 9.8", "queries of low sensitivity",
     .command = "scrim audit generalised-sparse-vector sensitivity=1 threshold=0 "
                "threshold-scale=2 query-scale=4 queries=3",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .note = "sensitivity=R bounds them."},
    {"002", "Algorithm 9", "generalised sparse vector",
     .command =
         "printf '1\\n2\\n300\\n' | scrim run generalised-sparse-vector sensitivity=1 "
         "threshold=200 threshold-scale=2 query-scale=4 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 0", .errata = "99"},
    {"002", "Section 9.2.1", "one answer above: hybrid noise, bounded length",
     .command = "scrim errata 101; scrim compose 'generalised-sparse-vector "
                "sensitivity=1 threshold=100 threshold-variance=400 query-variance=1600 "
                "nonnegative=yes' --delta 1e-6",
     .prints = "true,term of the length,ln(1 + k)/(a - 1),0.15985968485322470",
     .theirs = "-0.3102", .ours = "0.15985968485322470", .errata = "101"},
    {"002", "Theorem 9.9", "Renyi privacy of the generalised sparse vector",
     .errata = "100", .related = "104",
     .command = "scrim errata 100; scrim compose 'generalised-sparse-vector "
                "sensitivity=1 threshold=0 threshold-variance=400 query-variance=1600 "
                "count=1 length=100' --delta 1e-6",
     .prints = "ln((1 - p)^2/(1 - q) + p^2/q)/(a - 1),13.104884184", .theirs = "6",
     .ours = "13.104884184",
     .note = "The third bound, for a threshold with Laplace noise. The first two hold: "
             "'scrim compose' uses them."},
    {"002", "Definition 9.10", "queries that are not negative",
     .command =
         "scrim compose 'generalised-sparse-vector sensitivity=1 threshold=100 "
         "threshold-variance=400 query-variance=1600 nonnegative=yes' --delta 1e-6",
     .prints = "renyi,,0.51487086"},
    {"002", "Theorem 9.11", "Gaussian sparse vector with queries that are not negative",
     .command = "scrim errata 105; scrim compose 'generalised-sparse-vector "
                "sensitivity=1 threshold=100 threshold-variance=400 query-variance=1600 "
                "nonnegative=yes' --delta 1e-6",
     .prints = "12.964361602524076", .theirs = "11.8828", .ours = "12.964361602524076",
     .errata = "102 103 104 105 106",
     .note = "The corrected bound is that of generalised-sparse-vector with "
             "nonnegative=yes."},
    {"002", "Section 9.2.2", "more than one answer above",
     .command = "scrim errata 108; scrim compose 'generalised-sparse-vector "
                "sensitivity=1 threshold=0 threshold-variance=400 query-variance=1600 "
                "count=5 length=1000' --delta 1e-6",
     .prints = "true,epsilon,R + 2*sqrt(R*M),1.1506772539554151", .theirs = "0.8306",
     .ours = "1.1506772539554151", .errata = "108"},
    {"002", "Theorem 9.12", "several answers above, with a bounded length",
     .command =
         "scrim compose 'generalised-sparse-vector sensitivity=1 threshold=0 "
         "threshold-variance=400 query-variance=1600 count=5 length=1000' --delta 1e-6",
     .prints = "renyi,,1.07912863164584", .theirs = "0.8306", .ours = "1.07912863164584",
     .errata = "107 108"},
    {"002", "Algorithm 10", "sparse vector in stages",
     .command = "printf '1\\n2\\n300\\n' | scrim run stagewise-sparse-vector "
                "sensitivity=1 threshold=200 threshold-scale=20 query-scale=40 count=4 "
                "stage=2 neighbours=add-remove",
     .prints = "cost        epsilon 0.3, delta 0, rho 0.045"},
    {"002", "Theorem 9.13", "stages of bounded length", .errata = "109",
     .command = "scrim errata 109; scrim compose 'stagewise-sparse-vector sensitivity=1 "
                "threshold=0 threshold-variance=400 query-variance=1600 count=4 stage=2 "
                "stage-length=100' --delta 1e-6",
     .prints = "true,delta,more + stages*d,0.00000151", .theirs = "1.505e-6",
     .ours = "0.00000151"},
    {"002", "Theorem 9.14", "stages for queries that are not negative",
     .errata = "109 110",
     .command =
         "scrim errata 109; scrim errata 110; scrim compose 'stagewise-sparse-vector "
         "sensitivity=1 threshold=100 threshold-variance=400 query-variance=1600 count=4 "
         "stage=2 resample=yes nonnegative=yes' --delta 1e-6",
     .prints = "true,delta,more + stages*d,0.00000151", .theirs = "1.505e-6",
     .ours = "0.00000151",
     .note = "And for gamma below (sigma2/sigma1)^2 alone: erratum 110."},
    {"002", "Section 9.2, uses",
     "guess and check, private multiplicative weights, private labels",
     .command =
         "printf '1\\n5\\n9\\n' | scrim run guess-and-check epsilon=1 sensitivity=1 "
         "threshold=3 count=2 guesses=1,5,0 neighbours=add-remove; scrim "
         "experiment private-labels --runs 1",
     .prints =
         "accuracy    answers are right except for queries within 41 of the threshold,",
     .note = "Guesses and weights ('scrim run online-weights') also one by one, with "
             "--interactive. Labels: models of disjoint people vote, half of the margin "
             "passes the sparse vector."},
};

const lab_papers_section lab_papers_survey_later = LAB_PAPERS_SECTION(rows);
