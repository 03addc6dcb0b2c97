/* Statements of document 001, on flexible accuracy. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"001", "Section 1",
     "a mode, a frequent value or a separator moves little with the data",
     .command =
         "scrim errata 31; yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 "
         "q=27 upper=1 beta=0.1 neighbours=add-remove --statistic mode,range",
     .prints = "true,how far it moves,abs(a - b)/10,10", .theirs = "0.1", .ours = "10",
     .errata = "31 32",
     .note = "The range moves by twice as much as its elements: erratum 32."},
    {"001", "Section 1.2", "dropping ln^2 n elements makes delta negligible",
     .command = "scrim errata 23; scrim calibrate stlap epsilon=1/10 delta=1e-6",
     .prints = "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1)),0.25004963428909510",
     .theirs = "negligible", .ours = "0.25004963428909510", .errata = "23"},
    {"001", "Definition 1", "lossy distance of two distributions in a metric space",
     .command = "echo 0,0 >p.csv; echo 3,4 | scrim distance wasserstein p.csv - "
                "--dimensions 2 --norm 2",
     .prints = "wasserstein,5,5"},
    {"001", "Lemma 1", "triangle inequality of lossy distances",
     .command =
         "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 4 >q.csv; echo 5 >r.csv; scrim "
         "distance wasserstein p.csv r.csv --loss 0.1; scrim distance wasserstein p.csv "
         "q.csv --loss 0.1; scrim distance wasserstein q.csv r.csv",
     .prints = "wasserstein,5,5", .note = "5 is at most 4 + 1."},
    {"001", "Definition 2",
     "measure of distortion: a distance that need not be symmetric",
     .command = "printf 'a,b,2\\nb,a,7\\n' >m.csv; echo a >p.csv; echo b >q.csv; scrim "
                "distance wasserstein p.csv q.csv --metric m.csv; scrim distance "
                "wasserstein q.csv p.csv --metric m.csv",
     .prints = "wasserstein,7,7"},
    {"001", "Section 3.1", "distortion by dropping, by moving, and by both",
     .command = "printf '0,3\\n10,2\\n' >p.csv; printf '2,2\\n10,2\\n' | scrim distance "
                "drop-move p.csv - --eta 1/10",
     .prints = "drop-move,0.4,0.4",
     .note = "Also 'scrim distance drop' and 'scrim distance move'."},
    {"001", "Definition 3", "(alpha, beta, gamma)-accuracy",
     .command = "echo '{\"inputs\": {\"a\": [[0, 9], [10, 1]], \"b\": [[0, 9]]}, "
                "\"function\": {\"a\": 10, \"b\": 0}, \"mechanism\": {\"a\": [[0, "
                "\"1/5\"], [9, \"7/10\"], [3, \"1/10\"]], \"b\": [[0, 1]]}}' | scrim "
                "experiment sensitivity - alpha=0.1 gamma=0.1",
     .prints = "error,0,1,a,a",
     .note = "A mechanism that is a table, on histograms: the maximum may lose a tenth "
             "of the elements, and fails with probability 0.1. 'scrim experiment "
             "evaluate' is for scrim's own mechanisms, on one number."},
    {"001", "Section 3.2", "Laplace noise is (0, ln(1/gamma)/epsilon, gamma)-accurate",
     .command = "scrim experiment evaluate input=10 gamma=0.05 laplace epsilon=1",
     .prints = "neighbours=add-remove,0.05,3", .theirs = "2.9957", .ours = "3",
     .note = "The noise is discrete, so the error is an integer."},
    {"001", "Definition 4", "distortion sensitivity of a function",
     .command = "echo '{\"function\": {\"a\": 0, \"b\": 10, \"c\": 10}, \"distortion\": "
                "[[\"a\", \"b\", 2], [\"b\", \"c\", 1], [\"a\", \"c\", 3]], "
                "\"output_distortion\": [[0, 10, 1]]}' | scrim experiment sensitivity -",
     .prints = "distortion,1,3,c,0"},
    {"001", "Figure 1",
     "picture of accuracy, distortion sensitivity and error sensitivity",
     .note = "An illustration without numbers."},
    {"001", "Remark 1", "a looser distortion sensitivity with two more parameters",
     .command = "echo '{\"function\": {\"a\": 0, \"b\": 10, \"c\": 10}, \"distortion\": "
                "[[\"a\", \"b\", 2], [\"b\", \"c\", 1], [\"a\", \"c\", 3]], "
                "\"output_distortion\": [[0, 10, 1]]}' | scrim experiment sensitivity - "
                "omega=10",
     .prints = "distortion,0,0,a,0",
     .note = "omega is the second parameter. The first, a mass below 1, changes nothing: "
             "the largest distortion is that of one value."},
    {"001", "Figure 2", "picture of the composition theorem",
     .note = "An illustration without numbers."},
    {"001", "Definition 5", "error sensitivity of a mechanism",
     .command = "echo '{\"inputs\": {\"a\": [[0, 9], [10, 1]], \"b\": [[0, 9]]}, "
                "\"function\": {\"a\": 10, \"b\": 0}, \"mechanism\": {\"a\": [[0, "
                "\"1/5\"], [9, \"7/10\"], [3, \"1/10\"]], \"b\": [[0, 1]]}}' | scrim "
                "experiment sensitivity - alpha=0.1 gamma=0.1",
     .prints = "error,0,1,a,a"},
    {"001", "Remark 2", "flexible accuracy is error sensitivity at (0, 0)",
     .command = "echo '{\"inputs\": {\"a\": [[0, 9], [10, 1]], \"b\": [[0, 9]]}, "
                "\"function\": {\"a\": 10, \"b\": 0}, \"mechanism\": {\"a\": [[0, "
                "\"1/5\"], [9, \"7/10\"], [3, \"1/10\"]], \"b\": [[0, 1]]}}' | scrim "
                "experiment sensitivity - alpha=0.1 gamma=0.1",
     .prints = "error,0,1,a,a", .errata = "33", .note = "The step at 0."},
    {"001", "Theorem 1", "flexible accuracy of two mechanisms, one after the other",
     .command = "scrim experiment composition alpha=0.05 beta=0.1 metric=move apply "
                "growth=2 metric=absolute then beta=3 gamma=0.05",
     .prints = "then,0.05,,3.2,0.05,drop,,absolute,worst", .related = "30"},
    {"001", "Lemma 2", "error sensitivity of deterministic functions",
     .command = "echo '{\"inputs\": {\"a\": [[0, 1], [4, 1]], \"b\": [[1, 1], [3, 1]]}, "
                "\"function\": {\"a\": 4, \"b\": 2}}' | scrim experiment sensitivity -",
     .prints = "error,1,2,a,b", .errata = "33"},
    {"001", "Definition 6", "differential privacy",
     .command = "scrim audit stlap epsilon=1 q=20",
     .prints =
         "verdict     the claim holds and is tight: delta at epsilon 1.000000 reaches"},
    {"001", "Definition 7", "mechanisms that preserve neighbours",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=20 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 2.09806e-5",
     .note = "Bucketing maps neighbours to neighbours and costs nothing; each step of a "
             "SQL query is checked likewise."},
    {"001", "Theorem 2", "privacy of a mechanism after one that preserves neighbours",
     .command =
         "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 q=20 "
         "upper=1 beta=0.1 neighbours=add-remove; scrim audit stlap epsilon=1 q=20",
     .prints = "2.098060e-5; claimed is 2.098060e-5",
     .note = "The bucketed histogram costs what the histogram costs."},
    {"001", "Section 5.1", "is the set empty? a pair of delta and Q",
     .command = "scrim audit emptiness epsilon=1 certain=3",
     .prints = "0.2119416; claimed is 0.2119416", .theirs = "0.246760",
     .ours = "0.2119416", .errata = "16"},
    {"001", "Figure 3",
     "the probabilities of the mechanism on the empty set and of its noise",
     .command = "scrim experiment emptiness certain=16 --epsilon 1/4 --plot --format "
                "table; scrim sample shifted-laplace epsilon=1 q=4 -n 1000 --plot",
     .prints = "value  █ drawn  ┃ exact law",
     .note = "The left half, then the right one; both can be written with --svg."},
    {"001", "Algorithm 1", "histogram that only loses elements: STLap",
     .command =
         "printf '30\\n40\\n0\\n' | scrim run stlap epsilon=1 q=20 neighbours=add-remove",
     .prints = "accuracy    no value is above the truth, and none more than 20 below it",
     .note = "q is public. With q = tau times the private size the guarantee is false: "
             "'scrim run private-size-stlap' pays for the size.",
     .errata = "13", .related = "14 15 17"},
    {"001", "Theorem 3", "privacy and accuracy of Algorithm 1",
     .command = "scrim errata 12", .prints = "0.0015306826984991481",
     .theirs = "0.0000390067", .ours = "0.0015306826984991481", .errata = "12 13 17"},
    {"001", "Remark 3", "choices of epsilon and tau",
     .command = "scrim errata 24; scrim calibrate stlap epsilon=1/10 delta=1e-6",
     .prints = "true,share that is dropped,t/sqrt(n),0.05", .theirs = "0.5",
     .ours = "0.05", .errata = "24"},
    {"001", "Algorithm 2", "bucketing of [0, B)",
     .command = "scrim errata 19; printf '0.12\\n0.5\\n0.9\\n' | scrim run "
                "bucket-histogram epsilon=1 q=20 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "true,centre of the last bucket,(last - 1/2)*width,1.05", .errata = "19",
     .note = "scrim takes widths that divide the range."},
    {"001", "Algorithm 3", "histogram of buckets: BucketHist",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "alpha=0.135 elements=1000 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "accuracy    at most 135 elements are left out, and every other element "
               "is within",
     .errata = "18",
     .note = "q follows from alpha and the public number of elements, with buckets "
             "counted, or is given."},
    {"001", "Theorem 4", "privacy and accuracy of Algorithm 3", .errata = "12 18",
     .command = "scrim errata 18; printf '0.12\\n0.5\\n0.9\\n' | scrim run "
                "bucket-histogram epsilon=1 q=25 upper=1 beta=0.3 neighbours=add-remove",
     .prints = "true,delta,(exp(eps) - 1)/(2*(exp(eps*run/2) - 1)),3.2017321450212743e-6",
     .theirs = "2.6281e-7", .ours = "3.2017321450212743e-6",
     .note = "scrim takes q, or alpha with the buckets counted."},
    {"001", "Section 5.2", "statistics of the histogram",
     .command = "yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 q=27 upper=1 "
                "beta=0.1 neighbours=add-remove --statistic "
                "max,min,range,support,median,mode,max-k=20",
     .prints = "median,0.5,135,0.1"},
    {"001", "Definition 8", "metric sensitivity of a statistic",
     .command =
         "echo '{\"inputs\": {\"a\": [[0, 3], [10, 2], [10.1, 2]], \"b\": [[0, 3], [10, "
         "4]]}, \"function\": {\"a\": 0, \"b\": 10}}' | scrim experiment sensitivity -",
     .prints = "error,0.1,10,a,b", .errata = "26",
     .note = "Between histograms of one size. With \"metric\": \"wasserstein\" it is the "
             "document's, which is no metric."},
    {"001", "Theorem 5", "accuracy of a statistic of the histogram",
     .prints = "range,0,135,0.2", .errata = "12 18 33",
     .command = "scrim errata 18; yes 0.5 | head -200 | scrim run bucket-histogram "
                "epsilon=1 q=27 upper=1 beta=0.1 neighbours=add-remove --statistic range",
     .note = "The range is within twice what elements move; alpha counts the buckets."},
    {"001", "Corollary 1", "maximum and minimum", .prints = "max,0.5,135,0.1",
     .errata = "12 18",
     .command =
         "scrim errata 18; yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 "
         "q=27 upper=1 beta=0.1 neighbours=add-remove --statistic max,min",
     .note = "As Theorem 5."},
    {"001", "Corollary 2", "support",
     .command = "printf '0\\n5\\n10\\n' >p.csv; printf '0\\n10\\n' | scrim distance "
                "hausdorff p.csv -",
     .prints = "hausdorff,5,5", .theirs = "0", .ours = "5", .errata = "12 18 29"},
    {"001", "Section 5.2.3", "choosing parameters: how many elements are dropped",
     .command = "scrim errata 22; scrim calibrate bucket-histogram epsilon=0.1 "
                "delta=1e-6 upper=1 beta=0.01 elements=100000",
     .prints = "true,elements that are dropped,1/eps^2/(2*r),5000", .theirs = "2",
     .ours = "5000", .errata = "22",
     .note = "'calibrate bucket-histogram' finds the fourth of epsilon, delta, alpha and "
             "beta."},
    {"001", "Theorem 6", "accuracy when elements may be dropped and moved",
     .command = "scrim experiment composition alpha=0.135 beta=0.1 metric=move distort "
                "eta=2 metric=any",
     .prints = "distort,0.335,,0,0,drop-move,2,any,worst", .errata = "12 18 26",
     .note = "The accuracy; the privacy is that of Theorem 4."},
    {"001", "Remark 4", "statistics without a metric: separators",
     .command = "{ yes 0.2,0 | head -100; yes 0.8,1 | head -100; } | scrim run "
                "bucket-histogram epsilon=1 q=20 upper=1 beta=1/16 labelled=yes "
                "neighbours=add-remove --statistic separator",
     .prints = "separator,0.625>=0.3125,320"},
    {"001", "Remark 5", "several dimensions: number of cells",
     .command = "scrim errata 21", .prints = "true,buckets,T^d,9", .theirs = "5.5556",
     .ours = "9", .errata = "21"},
    {"001", "Lemma 3", "the loss may be split between the two distributions in any way",
     .note = "A step of the proof of Lemma 1."},
    {"001", "Claim 1", "lossy distance as the least distance of nearby distributions",
     .command = "printf '0\\n' >p.csv; printf '0,4/5\\n1,1/5\\n' | scrim distance "
                "wasserstein p.csv - --loss 1/5",
     .prints = "wasserstein,0,0"},
    {"001", "Lemma 4", "distortion sensitivity for random inputs",
     .note = "A step of the proof of Theorem 1; scrim experiment composition uses the "
             "theorem.",
     .related = "30"},
    {"001", "Lemma 5", "privacy of Algorithm 1, with nu",
     .command = "scrim audit stlap epsilon=1 q=20",
     .prints = "2.098060e-5; claimed is 2.098060e-5", .theirs = "3.90e-5",
     .ours = "2.098060e-5", .errata = "12", .related = "15"},
    {"001", "Claim 2", "ratio of probabilities outside of the bad set",
     .command = "scrim errata 12", .prints = "0.0015306826984991481",
     .theirs = "0.0000390067", .ours = "0.0015306826984991481", .errata = "12"},
    {"001", "Claim 3", "mass of the bad set",
     .command = "scrim audit stlap epsilon=1 q=20",
     .prints = "charged,1,2.0980598824578844e-05", .theirs = "3.90e-5",
     .ours = "2.0980598824578844e-05", .errata = "14",
     .note = "A fixed q, and discrete noise."},
    {"001", "Corollary 3", "Algorithm 1 without nu", .command = "scrim errata 12",
     .prints = "0.0015306826984991481", .theirs = "0.0000390067",
     .ours = "0.0015306826984991481", .errata = "12"},
    {"001", "Remark 6", "a weaker condition for a larger epsilon",
     .command = "scrim errata 12", .prints = "0.0015306826984991481", .errata = "12"},
    {"001", "Claim 4", "bucketing moves an element by at most w/2",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=27 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "accuracy    at most 135 elements are left out, and every other element "
               "is within"},
    {"001", "Lemma 6", "error sensitivity of the histogram",
     .command = "printf '0,2\\n10,2\\n' >p.csv; printf '0,1\\n10,2\\n' | scrim distance "
                "drop p.csv -; scrim errata 25",
     .prints = "\"min(d1, min(d2, d3))\",10", .theirs = "0", .ours = "10",
     .errata = "25"},
    {"001", "Claim 5", "a distorted histogram stays distorted under a coupling",
     .command = "scrim errata 25", .prints = "\"min(d1, min(d2, d3))\",10", .theirs = "0",
     .ours = "10", .errata = "25"},
    {"001", "Claim 6", "the image of Algorithm 1 is a distortion",
     .command = "scrim errata 25", .prints = "\"min(d1, min(d2, d3))\",10", .theirs = "0",
     .ours = "10", .errata = "25"},
    {"001", "Claim 7", "the image of Algorithm 1 is close", .command = "scrim errata 25",
     .prints = "\"min(d1, min(d2, d3))\",10", .theirs = "0", .ours = "10",
     .errata = "25"},
    {"001", "Section 7", "six experiments against six mechanisms",
     .command = "scrim experiment flexible-accuracy --only 1 --sets 2 --runs 2",
     .prints = "1,max,0.05,stlap,4,", .errata = "34",
     .note = "All six as in the document: 'scrim experiment flexible-accuracy', some ten "
             "seconds."},
    {"001", "Figure 4", "errors of the experiments against epsilon",
     .command = "scrim experiment flexible-accuracy --only 3 --sets 2 --runs 2 --epsilon "
                "0.5,1 --svg . --linear",
     .prints = "3,max_500,0.5,stlap,4,", .errata = "34",
     .note = "flexible-accuracy-3.svg, on the document's linear axes. Its caption says "
             "that in experiment 3 two mechanisms match and flexible accuracy makes no "
             "difference. At epsilon 1 scrim's raw error is 0.24 %, its flexible one 0, "
             "and that of the stability histogram 0.015 %: all look like 0 on that "
             "scale. (Means of 20,000 simulated datasets; two of them run here.)"},
    {"001", "Lemma 7", "triangle inequality without loss",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 4 >q.csv; echo 5 >r.csv; "
                "scrim distance wasserstein p.csv r.csv; scrim distance wasserstein "
                "p.csv q.csv; scrim distance wasserstein q.csv r.csv",
     .prints = "wasserstein,6,6", .note = "5 is at most 6 + 1."},
    {"001", "Claim 8", "the second distribution of Lemma 3 loses the rest",
     .note = "A step of the proof of Lemma 3."},
    {"001", "Definition 9", "lossy average distance",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 | scrim distance "
                "wasserstein p.csv - --average --loss 0.05",
     .prints = "wasserstein,0.5,0.5"},
    {"001", "Lemma 8",
     "lossy average distance and lossy largest distance bound one another",
     .command =
         "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 >q.csv; scrim distance wasserstein "
         "p.csv q.csv --average --loss 0.08; scrim distance wasserstein p.csv q.csv "
         "--loss 0.08; scrim distance wasserstein p.csv q.csv --average",
     .prints = "wasserstein,10,10", .note = "0.2 is at most 10, and 10 at most 1/0.08."},
    {"001", "Lemma 9", "lossy distance from a point is a tail probability",
     .command = "echo 0 >p.csv; printf '0,0.92\\n1,0.03\\n4,0.05\\n' >q.csv; scrim "
                "distance wasserstein p.csv q.csv --loss 0.05; scrim distance "
                "wasserstein p.csv q.csv --loss 0.04",
     .prints = "wasserstein,4,4"},
    {"001", "Lemma 10", "lossy distance 0 means total variation at most the loss",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 >q.csv; scrim distance "
                "wasserstein p.csv q.csv --loss 0.1; scrim distance tv p.csv q.csv",
     .prints = "tv,0.1,0.1", .related = "28"},
    {"001", "Claim 9", "the condition of Lemma 5 in another form",
     .note = "Algebra in a proof whose statement is false: erratum 12."},
    {"001", "Lemma 11", "the weaker condition of Remark 6", .command = "scrim errata 12",
     .prints = "0.0015306826984991481", .errata = "12"},
    {"001", "Claim 10", "distance of a distorted histogram and its image",
     .command = "scrim errata 25", .prints = "\"min(d1, min(d2, d3))\",10", .theirs = "0",
     .ours = "10", .errata = "25"},
    {"001", "Algorithm 4", "bucketing of [0, B)^d",
     .command = "printf '0.1,0.2,0.3\\n' | scrim run bucket-histogram epsilon=1 q=27 "
                "upper=1 beta=0.3 dimensions=3 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 7.14401e-7", .errata = "33",
     .related = "20"},
    {"001", "Algorithm 5", "histogram of cells of [0, B)^d",
     .command = "printf '0.1,0.2,0.3\\n' | scrim run bucket-histogram epsilon=1 q=27 "
                "upper=1 beta=0.3 dimensions=3 neighbours=add-remove",
     .prints = "accuracy    at most 729 elements are left out", .errata = "20 21",
     .note = "Cells of width 2 beta/sqrt(3) at most: 3 on a side, 27 in all, each with q "
             "elements to lose."},
    {"001", "Claim 11", "bucketing in d dimensions moves by at most w sqrt(d)/2",
     .command = "scrim errata 20",
     .prints = "true,half diagonal of a bucket,width/2*sqrt(d),0.2", .related = "20",
     .theirs = "0.2", .ours = "0.2",
     .note = "The claim holds; Algorithm 5 uses it with too wide a bucket."},
    {"001", "Lemma 12", "distortion of distributions is a quasi-metric",
     .command = "printf 'a,b,2\\nb,a,7\\n' >m.csv; printf 'a,1\\nb,1\\n' >p.csv; echo b "
                ">q.csv; scrim distance wasserstein p.csv q.csv --metric m.csv; scrim "
                "distance wasserstein q.csv p.csv --metric m.csv",
     .prints = "wasserstein,7,7"},
    {"001", "Claim 12", "distortion by moving is a metric",
     .command = "printf '0,2\\n10,2\\n' >p.csv; printf '2,2\\n10,2\\n' >q.csv; scrim "
                "distance move p.csv q.csv; scrim distance move q.csv p.csv",
     .prints = "move,2,2"},
    {"001", "Lemma 13", "dropping and moving may be exchanged",
     .note = "A step of the proof of Claim 13."},
    {"001", "Claim 13", "dropping and moving is a quasi-metric",
     .command =
         "echo 0 >p.csv; echo 1 >q.csv; scrim distance drop-move p.csv q.csv --eta 0",
     .prints = "drop-move,0,0", .errata = "27",
     .note = "False at eta = 0, where different histograms have distance 0."},
    {"001", "Appendix B", "usefulness: counts of intervals and half-spaces",
     .command = "yes 0.3 | head -1000 | scrim run interval-counts epsilon=1 cells=8 "
                "upper=1 neighbours=add-remove; yes 0.3,0.6,0.1 | head -1000 | scrim run "
                "interval-counts epsilon=1 cells=4 upper=1 dimensions=3 "
                "neighbours=add-remove",
     .prints = "are within 24 of the truth for points that move by at most 0.0625",
     .note = "Intervals of a line or a circle, or half-spaces of up to 6 dimensions."},
};

const lab_papers_section lab_papers_flexible = LAB_PAPERS_SECTION(rows);
