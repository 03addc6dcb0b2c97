/* Statements of document 002, the survey: chapters 1 to 6. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"002", "Section 1.1", "linkage of a table without names to a register",
     .command = "scrim attack link",
     .prints = "17.2 % of the rows are unique in 6 columns"},
    {"002", "Section 1.1.1", "k-anonymity, and attacks on it",
     .command =
         "printf 'age,town,job\\n30,A,cook\\n31,A,cook\\n30,B,nurse\\n40,B,nurse\\n' "
         ">jobs.csv; scrim attack k-anonymity jobs.csv --public --columns age,town "
         "--sensitive job",
     .prints = "As it is, k is 1, l is 1 and t is 0.500 in these columns.",
     .errata = "35",
     .note = "Without a file: on built-in data. Of a declared dataset, for its owner: "
             "'scrim dataset check NAME --risk'."},
    {"002", "Section 1.2", "linkage by film ratings", .command = "scrim attack link",
     .prints = "Eight ratings with errors name"},
    {"002", "Section 1.3", "top-coding, noise injection, swapping, query auditing",
     .command = "scrim attack swap; scrim attack audit",
     .prints = "All bits: a pair is refused where both bits are equal",
     .note = "Swapping protects those who are swapped, and nobody else. Declared ranges "
             "clamp (top-coding)."},
    {"002", "Section 1.3.1", "counting ages that fit a published median and mean",
     .command = "scrim errata 36",
     .prints = "max(0, 1 - abs(a + median + b - total))))\",31", .theirs = "30",
     .ours = "31", .errata = "36 37"},
    {"002", "Table 1", "reconstruction of a fictional census block",
     .command = "scrim attack reconstruct",
     .prints = "1 block agrees with the published table: age, sex, race and marital "
               "status of all seven people",
     .note = "A published table of one's own: 'scrim attack reconstruct FILE --public'.",
     .related = "36 37"},
    {"002", "Theorem 2.1", "additive Chernoff bound",
     .command = "scrim experiment tail-bounds terms=100 mean=1/2 deviation=1/10",
     .prints = "chernoff-additive,above,0.1,0.135335283236", .theirs = "exp(-2 m/100)",
     .ours = "0.135335283236", .errata = "38",
     .note = "With n for the printed m. The row exact has the truth of fair coins, "
             "0.0176."},
    {"002", "Theorem 2.2", "multiplicative Chernoff bound",
     .command =
         "scrim experiment tail-bounds terms=100 mean=1/100 deviation=1/100; scrim "
         "errata 39",
     .prints = "0.079373202252180336", .theirs = "1.114e-29",
     .ours = "0.079373202252180336", .errata = "39 40",
     .note = "The corrected bound is 0.717 there."},
    {"002", "Theorem 2.3", "Hoeffding bound",
     .command = "scrim errata 41; scrim experiment tail-bounds terms=100 mean=1/2 "
                "deviation=1/10",
     .prints = "1/2*min(1, ceil(max(0, abs(n*b/n - 1/2) - alpha))))\",1",
     .theirs = "2.794e-21", .ours = "1", .errata = "41",
     .note = "Independent terms have the bound that tail-bounds shows."},
    {"002", "Theorem 2.4", "Stirling's approximation",
     .note = "scrim computes factorials exactly and uses no approximation."},
    {"002", "Theorem 2.5", "Azuma's inequality",
     .command = "scrim experiment tail-bounds terms=100 mean=1/2 probability=1e-6",
     .prints = "azuma,above,0.26282608848", .errata = "42",
     .note = "probability= finds the deviation, deviation= the probability. scrim's "
             "bounds do not depend on it."},
    {"002", "Section 3.1", "attacks on exact answers: differencing, membership, refusals",
     .command = "scrim attack difference",
     .prints = "The bit of each person, with certainty: the count of all less the count "
               "of all others",
     .note = "Also 'scrim attack membership', 'scrim attack audit' and 'scrim attack "
             "average'."},
    {"002", "Definition 3.1", "privacy mechanism", .command = "scrim list mechanisms",
     .prints = "name,parameters,input,claim,reference"},
    {"002", "Section 3.2", "offline and online models, and curators without trust",
     .command = "scrim audit laplace-share epsilon=1 shares=3",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .note = "Noise shares for a protocol between several parties. Offline: 'scrim "
             "synth'; online: 'scrim query'."},
    {"002", "Definition 3.2", "probability simplex", .note = "Notation."},
    {"002", "Definition 3.3", "randomised algorithm",
     .note = "Notation; every mechanism has its exact distribution, which 'scrim audit' "
             "lists."},
    {"002", "Section 3.4.1", "randomised response with two coins",
     .command = "echo 'scrim-local/1 question=bit protocol=randomised-response values=2 "
                "a=3 b=1' >bit.config; { yes 1 | head -3000; yes 0 | head -7000; } | "
                "scrim local encode --config bit.config >bit.reports; scrim local decode "
                "--config bit.config bit.reports",
     .prints = "bit: 10000 reports by randomised-response, epsilon 1.09861 a report",
     .theirs = "ln 3", .ours = "1.09861", .errata = "43"},
    {"002", "Definition 3.4", "l_p norm, and distance of databases",
     .command = "printf '1,3\\n2,2\\n' >x.csv; printf '1,2\\n2,4\\n' >y.csv; scrim "
                "distance l1 x.csv y.csv; scrim distance l2 x.csv y.csv; scrim errata 44",
     .prints = "true,l1 distance,abs(1 - 0) + abs(0 - 1),2", .theirs = "1", .ours = "2",
     .errata = "44",
     .note = "Places are numbers. Every mechanism has neighbours=add-remove and "
             "neighbours=replace."},
    {"002", "Definition 3.5", "differential privacy",
     .command = "scrim audit laplace epsilon=1",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .errata = "45",
     .note = "For every mechanism of scrim, with the exact delta at every epsilon."},
    {"002", "Definition 3.6", "privacy loss",
     .command = "scrim audit laplace epsilon=1 --at 2; scrim audit laplace epsilon=1 "
                "--losses --svg loss.svg",
     .prints = "2,0.0625407563662817,0.17000340156854793,-1,1", .errata = "46",
     .note = "Of every outcome on the worst pair, and its distribution as a drawing."},
    {"002", "Proposition 3.7", "computing with an answer costs nothing",
     .command = "yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 q=27 upper=1 "
                "beta=0.1 neighbours=add-remove --statistic max,median",
     .prints = "cost        epsilon 1, delta 7.14401e-7"},
    {"002", "Theorem 3.8", "group privacy",
     .command = "scrim compose 'epsilon=1' --delta 0 --group 3",
     .prints = "basic,,3,yes,adaptive,", .theirs = "3", .ours = "3", .errata = "47",
     .note = "Of any mechanism and any stated guarantee; 'scrim distance divergence "
             "--group' for two distributions, and 'scrim explain' for households."},
    {"002", "Section 3.4.3",
     "relation, triangle inequality and quasi-convexity of privacy",
     .command = "scrim errata 49; printf 'a,3/4\\nb,1/4\\n' >p.csv; printf "
                "'a,1/4\\nb,3/4\\n' | scrim distance divergence p.csv - --group 2",
     .prints = "true,delta of both,11/20 - r^2*1/10,0.15", .theirs = "0.1",
     .ours = "0.15", .errata = "48 49"},
    {"002", "Theorem 3.9", "composition of two pure mechanisms",
     .command = "scrim compose 'laplace epsilon=1; laplace epsilon=2' --delta 0",
     .prints = "basic,,3,yes,adaptive,", .theirs = "3", .ours = "3"},
    {"002", "Theorem 3.10", "composition of two mechanisms with delta",
     .command = "scrim compose 'epsilon=1 delta=1e-6; epsilon=2 delta=1e-6' --delta 2e-6",
     .prints = "basic,,3,no,adaptive,", .theirs = "3", .ours = "3"},
    {"002", "Corollary 3.11", "composition of k pure mechanisms",
     .command = "scrim compose 'laplace epsilon=1 x3' --delta 0",
     .prints = "basic,,3,yes,adaptive,", .theirs = "3", .ours = "3"},
    {"002", "Lemma 3.12", "composition of two mechanisms with delta, by sets",
     .note = "A step of the proof of Theorem 3.13."},
    {"002", "Theorem 3.13", "composition of k mechanisms with delta",
     .command = "scrim compose 'epsilon=1 delta=1e-6 x3' --delta 3e-6",
     .prints = "basic,,3,no,adaptive,", .theirs = "3", .ours = "3"},
    {"002", "Section 4.1.1", "sensitivity, Laplace and Gaussian noise",
     .command = "scrim errata 55; scrim audit gaussian epsilon=1 delta=1e-5",
     .prints = "2.2653743647934231e-5", .theirs = "0.00001",
     .ours = "2.2653743647934231e-5", .errata = "50 55 56"},
    {"002", "Figure 1", "Laplace distribution",
     .command = "scrim sample discrete-laplace scale=2 -n 1000 --plot",
     .prints = "discrete-laplace scale=2, 1000 draws"},
    {"002", "Algorithm 1", "Laplace mechanism",
     .command =
         "echo 12 | scrim run laplace sensitivity=1 epsilon=1 neighbours=add-remove",
     .prints = "accuracy    each value is within 3 of the truth with probability 0.95",
     .related = "51 83"},
    {"002", "Proposition 4.1", "Laplace mechanism is private",
     .command = "scrim audit laplace epsilon=1",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;"},
    {"002", "Theorem 4.2", "error of k answers at once",
     .command = "echo 0 | scrim run laplace sensitivity=1 epsilon=1 size=10 grid=1/1000 "
                "neighbours=add-remove",
     .prints = "values at once are within 5.328 with the same probability",
     .theirs = "5.298", .ours = "5.328",
     .note = "With the rounding to the grid of 1/1000.", .related = "52"},
    {"002", "Algorithm 2", "report noisy maximum", .errata = "53",
     .command = "scrim errata 53; printf '3\\n1\\n0\\n' | scrim run noisy-max epsilon=1 "
                "sensitivity=1 neighbours=add-remove",
     .prints = "true,loss of that outcome,ln(p/q),7.9926667036176929", .theirs = "1",
     .ours = "7.9926667036176929",
     .note = "scrim gives all candidates noise of one scale."},
    {"002", "Theorem 4.3", "noisy maximum is private",
     .command = "scrim audit noisy-max epsilon=1 candidates=2",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.7692402; claimed is",
     .theirs = "1.306853", .ours = "0.7692402",
     .note = "With the printed scale the loss is 1.306853, not 1; scrim doubles the "
             "scale, but for monotone=yes.",
     .errata = "54", .related = "53"},
    {"002", "Figure 2", "Gaussian distribution",
     .command = "scrim sample discrete-gaussian variance=4 -n 1000 --plot",
     .prints = "discrete-gaussian variance=4, 1000 draws"},
    {"002", "Algorithm 3", "Gaussian mechanism",
     .command = "scrim calibrate gaussian --epsilon 1 --delta 1e-5",
     .prints = "gaussian sensitivity=1 sigma=3.74049 neighbours=add-remove,sigma,3.74049",
     .theirs = "4.8448", .ours = "3.74049", .errata = "51 55", .related = "56"},
    {"002", "Algorithm 4", "exponential mechanism",
     .command = "printf '3\\n1\\n0\\n' | scrim run exponential epsilon=1 sensitivity=1 "
                "neighbours=add-remove",
     .prints = "accuracy    the chosen candidate is at most 7 worse than the best "
               "remaining one,",
     .related = "51"},
    {"002", "Theorem 4.4", "exponential mechanism is private",
     .command = "scrim audit exponential epsilon=1 candidates=3",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.9749654; claimed is"},
    {"002", "Section 4.1.2",
     "the sale, Laplace as an exponential mechanism, and two counts",
     .prints = "3,0.5,1.5,0.0834273,3.01,1.99368,21.5745,3.01,0.172016",
     .errata = "57 58 60",
     .note = "Buyers of one's own: prices=2,5,7 valuations=2.5,5. Mechanisms: "
             "exponential, noisy-max.",
     .command = "scrim experiment pricing --epsilon 1; scrim errata 58; scrim errata 60"},
    {"002", "Theorem 4.5", "utility of the exponential mechanism",
     .command = "printf '3\\n1\\n0\\n' | scrim run exponential epsilon=1 sensitivity=1 "
                "neighbours=add-remove",
     .prints = "accuracy    the chosen candidate is at most 7 worse than the best "
               "remaining one,",
     .theirs = "8.19", .ours = "7", .related = "59"},
    {"002", "Corollary 4.6", "the same, without the number of best candidates",
     .command = "printf '3\\n1\\n0\\n' | scrim run exponential epsilon=1 sensitivity=1 "
                "neighbours=add-remove",
     .prints = "accuracy    the chosen candidate is at most 7 worse than the best "
               "remaining one,",
     .theirs = "8.19", .ours = "7"},
    {"002", "Theorem 4.7", "noisy maximum with one-sided noise",
     .command = "scrim audit one-sided-noisy-max epsilon=1 candidates=3",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .related = "61"},
    {"002", "Section 4.1.3", "randomised response at epsilon, and its mean",
     .command = "echo 'scrim-local/1 question=bit protocol=randomised-response values=2 "
                "a=3 b=1' >bit.config; { yes 1 | head -3000; yes 0 | head -7000; } | "
                "scrim local encode --config bit.config >bit.reports; scrim local decode "
                "--config bit.config bit.reports",
     .prints = "intervals have confidence 0.95, joint ones for all values together",
     .note = "Its accuracy: 'scrim calibrate randomised-response --values 100 "
             "--target-error 0.1' finds epsilon 2.42."},
    {"002", "Definition 5.1", "Kullback-Leibler divergence",
     .command = "printf 'a,3/4\\nb,1/4\\n' >p.csv; printf 'a,1/4\\nb,3/4\\n' | scrim "
                "distance divergence p.csv -",
     .prints = "kl,,,0.549306144334055", .theirs = "(ln 3)/2",
     .ours = "0.549306144334055", .errata = "62"},
    {"002", "Definition 5.2", "max divergence, and approximate max divergence",
     .command = "printf 'a,3/4\\nb,1/4\\n' >p.csv; printf 'a,1/4\\nb,3/4\\n' | scrim "
                "distance divergence p.csv -",
     .prints = "max,,ln(3),1.09861228866811", .theirs = "ln 3",
     .ours = "1.09861228866811", .errata = "63"},
    {"002", "Definition 5.3", "statistical distance",
     .command = "printf 'a,3/4\\nb,1/4\\n' >p.csv; printf 'a,1/4\\nb,3/4\\n' | scrim "
                "distance divergence p.csv -",
     .prints = "tv,,0.5,0.5", .theirs = "1/2", .ours = "0.5"},
    {"002", "Lemma 5.4", "approximate max divergence and nearby distributions",
     .command = "scrim errata 64; printf 'a,3/4\\nb,1/4\\n' >p.csv; printf "
                "'a,1/4\\nb,3/4\\n' | scrim distance divergence p.csv -",
     .errata = "64", .note = "The distances of the second command have both directions.",
     .prints = "true,delta of Z against Y,\"max(0, 1/4 - r*1/2) + max(0, 1/4 - r*1/2) + "
               "max(0, 1/2 - r*0)\",0.5",
     .theirs = "0", .ours = "0.5"},
    {"002", "Lemma 5.5", "KL divergence of a pure pair",
     .command = "scrim errata 65; scrim compose 'randomised-response epsilon=1 x10' "
                "--delta 1e-6",
     .prints = "true,its KL divergence,p*ln(p/(1 - p)) + (1 - p)*ln((1 - "
               "p)/p),0.46211715726000976",
     .theirs = "1.718282", .ours = "0.46211715726000976", .errata = "65",
     .note = "scrim compose uses the better value."},
    {"002", "Definition 5.6", "k-fold adaptive composition",
     .command = "scrim compose 'laplace epsilon=0.1 x100' --delta 1e-6",
     .prints = "accountant,lower,upper,best,use,remark",
     .note = "Adaptive queries of mechanisms that are fixed in advance are \"declared\" "
             "in the column use; \"adaptive\" there means that parameters may follow "
             "from answers."},
    {"002", "Definition 5.7", "privacy under k-fold adaptive composition",
     .command = "scrim compose 'laplace epsilon=0.1 x100' --delta 1e-6",
     .prints = "advanced,,5.7561055193357317007"},
    {"002", "Theorem 5.8", "advanced composition of pure mechanisms",
     .command = "scrim compose 'randomised-response epsilon=0.1 x100' --delta 1e-6",
     .prints = "advanced,,5.7561055193357316499", .theirs = "6.3082",
     .ours = "5.7561055193357316499",
     .note = "The least possible is 4.774567: row optimal.", .related = "65 66"},
    {"002", "Theorem 5.9", "advanced composition with delta",
     .command = "scrim compose 'gaussian epsilon=0.1 delta=1e-8 x100' --delta 1e-5",
     .prints = "advanced,,5.3200162873554812723", .theirs = "5.32",
     .ours = "5.3200162873554812723",
     .note = "Of what the mechanism really does: 0.795984, row fast-loss.",
     .related = "66"},
    {"002", "Algorithm 5", "AboveThreshold",
     .command = "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run above-threshold epsilon=1 "
                "sensitivity=1 threshold=3 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 0", .errata = "67",
     .note = "It halts after the first \"above\", which the printed algorithm does not."},
    {"002", "Theorem 6.1", "AboveThreshold is private", .errata = "67", .related = "68",
     .command = "scrim errata 67; scrim audit above-threshold epsilon=1 queries=3",
     .prints = "true,loss of six queries,ln(p/q),1.3186371553700839", .theirs = "1",
     .ours = "1.3186371553700839",
     .note = "Of the algorithm as printed, without a halt. With the halt the theorem "
             "holds: the audit."},
    {"002", "Definition 6.2", "(alpha, beta)-accuracy of threshold answers",
     .command = "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run above-threshold epsilon=1 "
                "sensitivity=1 threshold=3 neighbours=add-remove",
     .prints =
         "accuracy    answers are right except for queries within 21 of the threshold,",
     .errata = "69",
     .note = "beta covers all conditions, the halt and each answer; the document leaves "
             "that open."},
    {"002", "Theorem 6.3", "accuracy of AboveThreshold",
     .command = "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run above-threshold epsilon=1 "
                "sensitivity=1 threshold=3 neighbours=add-remove",
     .prints =
         "accuracy    answers are right except for queries within 21 of the threshold,",
     .theirs = "42.4", .ours = "21", .related = "70"},
    {"002", "Theorem 6.4", "Sparse is private", .errata = "72",
     .command = "scrim errata 72; scrim audit sparse-vector epsilon=1 threshold=0 "
                "count=2 form=b queries=2",
     .prints = "0.10587581539788506", .theirs = "0.1", .ours = "0.10587581539788506",
     .note = "At epsilon 30 with 60 answers, where the composition step fails. scrim "
             "splits epsilon by the exact composition: the audit."},
    {"002", "Algorithm 6", "Sparse",
     .command = "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run sparse-vector epsilon=1 "
                "sensitivity=1 threshold=3 count=2 form=b neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 0", .errata = "71",
     .note = "form=b is the survey's; the default form=a needs less noise."},
    {"002", "Theorem 6.5", "accuracy of Sparse",
     .command = "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run sparse-vector epsilon=1 "
                "sensitivity=1 threshold=3 count=2 form=b neighbours=add-remove",
     .prints =
         "accuracy    answers are right except for queries within 44 of the threshold,",
     .theirs = "95.9", .ours = "44", .errata = "73"},
    {"002", "Algorithm 7", "NumericSparse",
     .command =
         "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run sparse-vector epsilon=1 "
         "sensitivity=1 threshold=3 count=2 form=b numeric=yes neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 0", .errata = "71 74 75",
     .note =
         "Line 16 draws a new threshold, as form=b does. scrim splits epsilon another "
         "way; the default form=a needs less noise."},
    {"002", "Theorem 6.6", "NumericSparse is private",
     .command = "scrim audit sparse-vector epsilon=1 threshold=0 count=2 form=b "
                "numeric=yes queries=3",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.6893182; claimed is",
     .theirs = "277/18", .ours = "0.6893182", .errata = "74 75"},
    {"002", "Definition 6.7", "accuracy of numeric answers",
     .command =
         "printf '1\\n2\\n30\\n4\\n5\\n' | scrim run sparse-vector epsilon=1 "
         "sensitivity=1 threshold=3 count=2 form=b numeric=yes neighbours=add-remove",
     .prints = "with probability 0.95; each value is within 22 of the truth",
     .errata = "69", .note = "beta covers all conditions, as in Definition 6.2."},
    {"002", "Theorem 6.8", "accuracy of NumericSparse", .errata = "73 76",
     .related = "77",
     .command = "scrim errata 76; printf '1\\n2\\n30\\n4\\n5\\n' | scrim run "
                "sparse-vector epsilon=1 sensitivity=1 threshold=3 count=2 form=b "
                "numeric=yes neighbours=add-remove",
     .prints = "true,chance that an answer errs by more than the printed "
               "alpha,exp(-printed/scale),0.61495321608464810",
     .theirs = "0.05", .ours = "0.61495321608464810"},
    {"002", "Section 6.2.1", "linear queries",
     .command = "printf '3\\n4\\n5\\n' | scrim run linear-queries bins=3 "
                "coefficients=1,1,0 epsilon=1 neighbours=add-remove",
     .prints = "accuracy    each value is within 3 of the truth with probability 0.95",
     .errata = "78",
     .note =
         "Counts. Normalised queries divide them by the number of rows, which must be "
         "public (neighbours=replace), or is released too."},
    {"002", "Section 6.2.2", "answering the same query once",
     .prints = "repeated    release 1 was charged earlier; nothing was charged now",
     .errata = "79",
     .command =
         "scrim errata 79; rm -f t.vault*; printf 'x\\n1\\n2\\n' >t.csv; scrim init "
         "--vault t.vault --no-witness; scrim dataset add t --vault t.vault --csv t.csv "
         "--unit row --column 'x=int[0,9]' --budget epsilon=1; for i in 1 2; do scrim "
         "query t 'SELECT COUNT(*) AS n' --epsilon 0.5 --vault t.vault; done",
     .note = "SmallDB's database answers a query as often as it is asked; it is the "
             "ledger that does not charge again."},
    {"002", "Theorem 6.9", "SmallDB is private",
     .command = "scrim audit smalldb epsilon=1 bins=2 workload=prefix rows=2",
     .prints =
         "verdict     the claim holds: the privacy loss reaches 0.4899958; claimed is"},
    {"002", "Algorithm 8", "SmallDB",
     .prints = "accuracy    the chosen candidate is at most 20.07 worse than the best "
               "remaining",
     .errata = "80",
     .command = "scrim errata 80; printf '30\\n40\\n50\\n10\\n' | scrim run smalldb "
                "epsilon=1 bins=4 workload=prefix alpha=1/4 neighbours=replace",
     .note = "scrim takes the size that suffices."},
    {"002", "Theorem 6.10", "rows that a small database needs",
     .command = "scrim errata 80; printf '30\\n40\\n50\\n10\\n' | scrim run smalldb "
                "epsilon=1 bins=4 workload=prefix alpha=1/4 neighbours=replace",
     .prints = "true,rows that suffice,floor(ln(2*q)/(2*alpha^2)) + 1,1", .theirs = "0",
     .ours = "1", .errata = "80"},
    {"002", "Theorem 6.11", "error of SmallDB",
     .command =
         "scrim experiment linear-queries queries=100 bins=64 people=10000 epsilon=1",
     .prints = "smalldb,enough,907.6388035855595", .related = "81"},
    {"002", "Theorem 6.12", "error of SmallDB, solved for alpha", .errata = "82",
     .command = "scrim errata 82; scrim experiment linear-queries queries=100 bins=64 "
                "people=10000 epsilon=1",
     .prints = "\"-most(k, 0, m, -abs(k/m - 1/2))\",0.1", .theirs = "0.0029",
     .ours = "0.1",
     .note = "Its root at the right alpha is the row cube-root of the second command."},
};

const lab_papers_section lab_papers_survey = LAB_PAPERS_SECTION(rows);
