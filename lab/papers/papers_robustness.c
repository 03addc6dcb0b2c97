/* Statements of document 000, on robustness and flexibility. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"000", "Definition 1", "total variation distance of two distributions",
     .command = "printf '0,6/10\\n1,4/10\\n' >p.csv; printf '0,1/2\\n1,1/2\\n' | scrim "
                "distance tv p.csv -",
     .prints = "tv,0.1,0.1"},
    {"000", "Definition 2", "average Wasserstein distance",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 | scrim distance "
                "wasserstein p.csv - --average",
     .prints = "wasserstein,1,1"},
    {"000", "Definition 3", "average Wasserstein distance that ignores a mass theta",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 | scrim distance "
                "wasserstein p.csv - --average --loss 0.05",
     .prints = "wasserstein,0.5,0.5"},
    {"000", "Definition 4", "largest distance that mass must move",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 | scrim distance "
                "wasserstein p.csv -",
     .prints = "wasserstein,10,10"},
    {"000", "Definition 5", "largest distance that mass must move, ignoring a mass theta",
     .command = "printf '0,9/10\\n10,1/10\\n' >p.csv; echo 0 | scrim distance "
                "wasserstein p.csv - --loss 0.1",
     .prints = "wasserstein,0,0"},
    {"000", "Claim 1", "the same noise on two values leaves their distance unchanged",
     .command = "printf '0,1/2\\n10,1/2\\n' >p.csv; printf '0,3/5\\n10,2/5\\n' | scrim "
                "distance wasserstein p.csv -; scrim errata 1",
     .prints =
         "true,the same from X + noise to Y + noise,after = distance(wasserstein),2",
     .theirs = "10", .ours = "2", .errata = "1",
     .note = "Noise never increases the distance, and may lower it."},
    {"000", "Claim 2", "triangle inequality of lossy distances",
     .command =
         "printf '0,9/10\\n10,1/10\\n' >p.csv; printf '4\\n' >q.csv; printf '5\\n' "
         ">r.csv; scrim distance wasserstein p.csv r.csv --loss 0.1; scrim distance "
         "wasserstein p.csv q.csv --loss 0.1; scrim distance wasserstein q.csv r.csv",
     .prints = "wasserstein,5,5", .note = "5 is at most 4 + 1."},
    {"000", "Definition 6",
     "sensitivity of a randomised query that may ignore a mass theta",
     .command = "echo '{\"laws\": {\"a\": [[0, 1]], \"b\": [[1, 0.9], [8, 0.1]]}}' | "
                "scrim distance theta-sensitivity -",
     .prints = "0.1,1,a,b"},
    {"000", "Definition 7", "Laplace distribution",
     .command = "scrim audit laplace scale=2 sensitivity=1",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 0.5000000;",
     .note = "scrim draws the discrete one, exactly: 'scrim sample discrete-laplace "
             "scale=2 -n 3'."},
    {"000", "Definition 8", "(alpha, beta, gamma)-accuracy",
     .command = "scrim experiment evaluate input=10 gamma=0.05 laplace epsilon=1; scrim "
                "experiment evaluate input=10 gamma=0.05 case=average laplace epsilon=1",
     .prints = "laplace sensitivity=1 epsilon=1 neighbours=add-remove,0.05,0.65855341",
     .note = "Of one number: the largest error, and the average one of the document."},
    {"000", "Definition 9", "robustness: close outputs cannot be told apart",
     .command = "echo 5 | scrim run robust-laplace rho=1 epsilon=1 theta=0.1 grid=1/1000 "
                "neighbours=replace",
     .prints = "robustness  two inputs of the noise whose distributions are within 1, "
               "ignoring a",
     .note = "The run states what holds for close inputs, and the larger epsilon that "
             "holds for close outputs.",
     .related = "2"},
    {"000", "Definition 10", "distortion sensitivity of a function",
     .command = "echo '{\"function\": {\"a\": 0, \"b\": 10, \"c\": 10}, \"distortion\": "
                "[[\"a\", \"b\", 2], [\"b\", \"c\", 1], [\"a\", \"c\", 3]], "
                "\"output_distortion\": [[0, 10, 1]]}' | scrim experiment sensitivity -",
     .prints = "distortion,1,3,c,0",
     .note = "Of a function that is a table. A theorem about a function is given to "
             "'scrim experiment composition' as growth=."},
    {"000", "Definition 11", "error sensitivity of a mechanism",
     .command = "echo '{\"inputs\": {\"a\": [[0, 1], [4, 1]], \"b\": [[1, 1], [3, 1]]}, "
                "\"function\": {\"a\": 4, \"b\": 2}}' | scrim experiment sensitivity -",
     .prints = "error,1,2,a,b",
     .note = "Of a function or mechanism that is a table: two elements that move by 1 "
             "change the range by 2."},
    {"000", "Mechanism 1", "add Laplace noise of scale rho/epsilon to a number",
     .command = "scrim audit robust-laplace rho=1 epsilon=1 theta=0.1",
     .prints = "0.1000000, on x: 0 | y: 1"},
    {"000", "Lemma 1", "Mechanism 1 is robust, with delta = 2 e^epsilon theta",
     .command = "scrim errata 3", .prints = "near + far,0.1", .theirs = "0.543656",
     .ours = "0.1", .errata = "2 3"},
    {"000", "Lemma 2", "average error of Mechanism 1, but for a mass gamma",
     .prints = "true,average error: mean of the noise up to the cut,b - (cut + "
               "b)*exp(-cut/b),0.15342640972002735",
     .theirs = "0.306853", .ours = "0.15342640972002735", .errata = "4",
     .command = "scrim errata 4; scrim experiment evaluate input=10 case=average "
                "robust-laplace rho=1 epsilon=1 theta=0",
     .note = "The second command is the mean error at gamma 0, of noise on integers: "
             "0.851, where the continuous noise of the lemma has 1."},
    {"000", "Theorem 1", "robustness and accuracy of Mechanism 1 together",
     .command = "echo 5 | scrim run robust-laplace rho=1 epsilon=1 theta=0.1 grid=1/1000 "
                "neighbours=replace; scrim experiment evaluate input=0 gamma=0.05 "
                "case=average robust-laplace rho=1 epsilon=1 theta=0.1",
     .prints = "cost        epsilon 1, delta 0.1", .theirs = "0.543656", .ours = "0.1",
     .errata = "2 3 4",
     .note = "The run states the largest error; the second command is the average one, "
             "of noise on integers."},
    {"000", "Mechanism 2", "run a mechanism, then Mechanism 1 on its answer",
     .command = "echo 5 | scrim run robust rho=1 epsilon=1 of laplace sensitivity=1 "
                "epsilon=1 neighbours=replace",
     .prints = "cost        epsilon 1, delta 0, rho 0.5"},
    {"000", "Theorem 2", "Mechanism 2 keeps privacy, adds robustness and error",
     .command = "echo 5 | scrim run robust rho=1 epsilon=1 of laplace sensitivity=1 "
                "epsilon=1 neighbours=replace",
     .prints = "accuracy    each value is within 4 of the truth with probability 0.95",
     .errata = "2",
     .note =
         "By the distribution of the sum of both noises; radii that add up would say 8."},
    {"000", "Mechanism 3",
     "answer a randomised query with noise for its theta-sensitivity",
     .command = "scrim audit randomised-query places=0,1,8 masses=1,9/10,1/10 sizes=1,2 "
                "epsilon=1 theta=0.1 neighbours=replace",
     .prints = "charged,1,0.0973220390134603"},
    {"000", "Theorem 3", "Mechanism 3 is private, robust and accurate",
     .command = "echo 1 | scrim run randomised-query places=0,1,8 masses=1,9/10,1/10 "
                "sizes=1,2 epsilon=1 theta=0.1 neighbours=replace",
     .prints = "cost        epsilon 1, delta 0.1", .theirs = "0.543656", .ours = "0.1",
     .errata = "2 3 5",
     .note = "The document asks how to repair its proof: erratum 2 answers that."},
    {"000", "Mechanism 4",
     "histogram that only loses elements: shifted and truncated noise, rounded",
     .command =
         "printf '30\\n40\\n0\\n' | scrim run rounded-stlap q=16 neighbours=add-remove",
     .prints = "accuracy    no value is above the truth, and none more than 16 below it"},
    {"000", "Lemma 3", "Mechanism 4 before rounding is private",
     .command = "scrim errata 11", .prints = "0.022227494350478423", .theirs = "0.135335",
     .ours = "0.022227494350478423", .errata = "11"},
    {"000", "Theorem 4", "Mechanism 4 loses at most q elements of a bar",
     .command = "scrim errata 10; scrim audit rounded-stlap q=3 epsilon=1",
     .prints = "0.038741649744090787", .theirs = "0", .ours = "0.038741649744090787",
     .errata = "10"},
    {"000", "Theorem 5", "flexible accuracy of two stages",
     .command = "scrim experiment composition alpha=0.1 beta=0.1 metric=move apply "
                "growth=2 metric=absolute then alpha=0.2 beta=3 gamma=0.05",
     .prints = "then,0.28,,3.2,0.05,drop,,absolute,worst", .errata = "8",
     .note = "Shares of dropped elements multiply: 0.28, where adding gives 0.3."},
    {"000", "Theorem 6", "privacy after a stage that preserves neighbours",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=20 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 2.09806e-5",
     .note = "Bucketing comes first and costs nothing. The planner of SQL does the same "
             "for each step of a query."},
    {"000", "Lemma 4", "bucketing, then Mechanism 4",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=10 upper=1 beta=1/8 neighbours=add-remove",
     .prints = "accuracy    at most 40 elements are left out", .errata = "7 9 11",
     .note = "Half-open buckets make 4 bars, so 40 elements; the document's rounding "
             "makes 5."},
    {"000", "Section 6", "rounding to multiples of B/t makes t bars",
     .command = "scrim errata 7", .prints = "true,elements that may be lost,q*bars,50",
     .theirs = "40", .ours = "50", .errata = "7"},
    {"000", "Section 6.1.1", "maximum from the histogram",
     .command = "yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 q=27 upper=1 "
                "beta=0.1 neighbours=add-remove --statistic max",
     .prints = "max,0.5,135,0.1"},
    {"000", "Section 6.1.2", "support from the histogram",
     .command = "yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 q=27 upper=1 "
                "beta=0.1 neighbours=add-remove --statistic support",
     .prints = "support,0.5,135,0.1"},
    {"000", "Claim 3",
     "lossy distance as a distance of two distributions that lost theta each",
     .command = "printf '0\\n' >p.csv; printf '0,4/5\\n1,1/5\\n' | scrim distance "
                "wasserstein p.csv - --loss 0.1",
     .prints = "wasserstein,1,1", .theirs = "0", .ours = "1", .errata = "6"},
    {"000", "Theorem 7", "Theorem 1 again, with proof", .errata = "2 3 4",
     .command = "scrim errata 2; echo 5 | scrim run robust-laplace rho=1 epsilon=1 "
                "theta=0.1 grid=1/1000 neighbours=replace",
     .prints = "true,delta: integral of that excess,1 - exp(-t) - c/exp(1)*(exp(t) - "
               "exp(-t))/2,0.098285670571814191",
     .theirs = "0", .ours = "0.098285670571814191",
     .note = "What Mechanism 1 has instead, the run states: it holds for close inputs."},
    {"000", "Lemma 5", "Mechanism 4 before rounding is private (Lemma 3 again)",
     .command = "scrim experiment rounded-stlap 16",
     .prints = "16,0.25,0.135335283236613,0.0222274943504785", .theirs = "0.135335",
     .ours = "0.0222274943504785", .errata = "11"},
    {"000", "Theorem 8", "Mechanism 4 is private",
     .command = "scrim audit rounded-stlap q=16",
     .prints = "0.02222749; claimed is 0.02222749", .theirs = "0.135335",
     .ours = "0.02222749", .errata = "11"},
};

const lab_papers_section lab_papers_robustness = LAB_PAPERS_SECTION(rows);
