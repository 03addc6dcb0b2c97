/* Statements of document 004, on suppression. */
#include "lab/papers/papers.h"

static const lab_statement rows[] = {
    {"004", "Fact 1", "pure privacy: what is possible on one database is possible on all",
     .command = "printf 'a,1/2\\nb,1/2\\n' >p.csv; echo a | scrim distance divergence "
                "p.csv -; scrim audit laplace epsilon=1",
     .prints = "max,,inf,inf,ln(2),0.693147180559946",
     .note = "What one database may give and the other never does, here b, has an "
             "infinite loss: no epsilon holds. That of laplace is finite."},
    {"004", "Fact 2", "computing with a private answer costs nothing",
     .command = "yes 0.5 | head -200 | scrim run bucket-histogram epsilon=1 q=27 upper=1 "
                "beta=0.1 neighbours=add-remove --statistic max,median",
     .prints = "cost        epsilon 1, delta 7.14401e-7"},
    {"004", "Definition 1", "l1 sensitivity",
     .command = "echo '{\"function\": {\"D\": 3, \"E\": 5}, \"metric\": [[\"D\", \"E\", "
                "1]]}' | scrim experiment sensitivity -; echo 12 | scrim run "
                "linear-queries bins=1 coefficients=1 epsilon=1 neighbours=add-remove",
     .prints = "error,1,2,D,E", .theirs = "2", .ours = "2",
     .note = "Of a query that is a table: 3 on a database, 5 on its neighbour. "
             "Mechanisms take sensitivity=, or compute it of coefficients."},
    {"004", "Theorem 1", "geometric mechanism",
     .command = "scrim audit laplace epsilon=1 sensitivity=2",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;"},
    {"004", "Definition 2", "Laplace distribution",
     .command = "scrim compose 'continuous-laplace scale=2' --delta 0",
     .prints = "basic,,0.5,yes",
     .note = "As a curve to compare with: scrim draws the discrete one, 'scrim sample "
             "discrete-laplace'."},
    {"004", "Fact 3", "tail of Laplace noise",
     .command =
         "echo 12 | scrim run laplace sensitivity=1 epsilon=0.1 neighbours=add-remove",
     .prints = "accuracy    each value is within 30 of the truth with probability 0.95",
     .theirs = "29.957", .ours = "30"},
    {"004", "Fact 4", "no pure privacy with a hard range",
     .prints = "loss,,inf,inf,,watched",
     .note = "Neighbours have ranges that the other cannot have: the loss is infinite, "
             "and delta=0 is refused.",
     .command = "echo 12 | scrim run range epsilon=1 sensitivity=1 delta=0 "
                "neighbours=replace; scrim audit range epsilon=1 sensitivity=1 width=5"},
    {"004", "Lemma 1", "delta of the range mechanism, sensitivity 1",
     .command = "scrim audit range epsilon=1 sensitivity=1 width=5",
     .prints = "0.003113721; claimed is 0.003113721", .theirs = "0.0031137",
     .ours = "0.003113721"},
    {"004", "Lemma 2", "delta of the range mechanism in d dimensions",
     .command = "scrim audit range epsilon=1 sensitivity=1 width=5 size=2 whole=yes",
     .prints = "0.003113721; claimed is 0.003113721", .theirs = "0.0062274",
     .ours = "0.003113721", .errata = "146"},
    {"004", "Theorem 2", "range mechanism of any sensitivity",
     .command = "scrim audit range epsilon=1 sensitivity=2 width=5",
     .prints = "0.05325028; claimed is 0.05325028", .theirs = "0.0497871",
     .ours = "0.05325028", .errata = "145 146 147"},
    {"004", "Section 3, numeric", "ranges of numbers that are no integers",
     .command = "echo 12.5 | scrim run range epsilon=1 sensitivity=1 delta=1e-6 grid=1/4 "
                "neighbours=replace",
     .prints = "accuracy    each value is within 13.75 of the truth, always"},
    {"004", "Example 1", "a recommendation that gives a person away",
     .command = "printf 'v1 v2,1\\nv1 v3,200\\n' | scrim run threshold-laplace epsilon=1 "
                "delta=1e-6 neighbours=add-remove --labels",
     .prints =
         "accuracy    a group of 17 units or more is kept with probability 0.95; each",
     .note = "The pair that one person watched is not named. "
             "docs/keys-that-are-secrets.md does the same with SQL."},
    {"004", "Section 4.1", "several releases of data whose keys change",
     .note = "It needs a dataset: 'scrim series' releases a table that grows, see "
             "docs/releases-over-time.md."},
    {"004", "Theorem 3", "publishing every key is not private",
     .command = "scrim errata 153",
     .prints = "true,delta,\"max(0, there - exp(eps)*absent)\",1", .related = "153"},
    {"004", "Theorem 4", "a key that is published often has a large count",
     .command = "scrim calibrate threshold-laplace epsilon=1 delta=1e-6 --size",
     .prints = "\"any, at least\",14,16,28", .errata = "148",
     .note = "The document's formula, 12.1 and 12.8 here, is no bound."},
    {"004", "Definition 3", "thresholding mechanism",
     .command = "printf 'cat,100\\ndog,3\\n' | scrim run threshold-laplace epsilon=1 "
                "threshold=15 neighbours=add-remove --labels",
     .prints = "cost        epsilon 1, delta 6.07897e-7", .errata = "153",
     .note = "A threshold has its delta; with delta=1e-6 scrim finds the smallest one."},
    {"004", "Lemma 3", "keys that both databases have", .errata = "149",
     .command = "scrim errata 149; scrim audit laplace epsilon=1",
     .prints =
         "verdict     the claim holds and is tight: the privacy loss reaches 1.000000;",
     .note = "For keys that both databases have the threshold is computing with the "
             "noisy counts. The exponent omega Delta is meant, here 1; with the printed "
             "delta Delta the excess would be 0.462: the first command."},
    {"004", "Lemma 4", "new keys, from above",
     .command = "scrim audit threshold-laplace epsilon=1 threshold=15",
     .prints = "charged,1,6.078962034778619e-07", .theirs = "6.07896e-7",
     .ours = "6.078962034778619e-07",
     .note = "The chance t that a new key is shown, e^-14/(1 + 1/e) here; the factor of "
             "the lemma is 1/(1 - t)."},
    {"004", "Lemma 5", "mass of new keys",
     .command = "scrim audit threshold-laplace epsilon=1 delta=1e-6 max-groups=2",
     .prints = "6.278717e-7; claimed is 6.278717e-7", .errata = "154", .related = "152"},
    {"004", "Theorem 5", "threshold that suffices",
     .command = "scrim experiment suppression --epsilon 0.05 --delta 1e-19",
     .prints =
         "0.05,1e-19,1750.9646706754747,963.4805688715112,884.7321586911148,863,802",
     .theirs = "1800, 963, 885", .ours = "863", .errata = "151", .related = "150"},
    {"004", "Section 4.2, non-integral", "weighted keys", .errata = "152",
     .command =
         "scrim errata 152; printf 'cat,100.5\\ndog,3\\n' | scrim run threshold-weighted "
         "epsilon=1 delta=1e-6 grid=1/4 whole=yes neighbours=add-remove --labels",
     .prints =
         "true,delta: some new key is published,1 - (1 - tau)^keys,0.032645795950575015",
     .theirs = "0.0000902", .ours = "0.032645795950575015",
     .note = "scrim counts a key by its units, and bounds how many keys one unit has "
             "(max-groups=)."},
    {"004", "Definition 4", "local utility function",
     .command = "printf 'cat,100\\ndog,3\\n' | scrim run stabilise sensitivity=1 "
                "epsilon=1 delta=1e-6 whole=yes neighbours=add-remove --labels then "
                "exponential epsilon=1 sensitivity=1",
     .prints = "cost        epsilon 2, delta 1e-6"},
    {"004", "Example 2", "a utility that is infinite forces a key to be kept",
     .errata = "164",
     .note = "That element would be published with certainty: no delta below 1 holds."},
    {"004", "Definition 5", "sensitivity of a utility", .command = "scrim errata 155",
     .prints = "0.72270615780648283", .theirs = "1.6487e-6",
     .ours = "0.72270615780648283", .errata = "155"},
    {"004", "Definition 6", "largest utility of a key",
     .command = "scrim audit stabilise sensitivity=1 epsilon=1 delta=1e-6",
     .prints = "verdict     the claim holds and is tight: delta at epsilon 0 reaches "
               "0.4621172;",
     .errata = "156",
     .note = "Utilities do not depend on the result: the range of results may change."},
    {"004", "Lemma 6", "utility of a new key",
     .command = "echo '{\"inputs\": {\"without\": [[0, 1]], \"with\": [[1, 1]]}, "
                "\"function\": {\"without\": 0, \"with\": 1}}' | scrim experiment "
                "sensitivity -; scrim audit stabilise sensitivity=1 epsilon=1 delta=1e-6",
     .prints = "error,1,1,without,with", .theirs = "1", .ours = "1",
     .note = "A key that one unit brings: its utility is 0 without it, and at most the "
             "sensitivity with it."},
    {"004", "Definition 7", "local transformation: keep keys of large noisy utility",
     .command = "printf 'cat,100\\ndog,3\\n' | scrim run stabilise sensitivity=1 "
                "epsilon=1 delta=1e-6 whole=yes neighbours=add-remove --labels then "
                "exponential epsilon=1 sensitivity=1",
     .prints = "released    stabilise sensitivity=1 epsilon=1 delta=0.000001 whole=yes"},
    {"004", "Lemma 7", "a new key",
     .command =
         "scrim errata 157; scrim audit stabilise sensitivity=1 epsilon=1 delta=1e-6",
     .prints = "true,threshold by the exact tail of Laplace noise,1 + "
               "ln(1/(2*delta))/eps,27.244726754808658",
     .theirs = "28.631", .ours = "27.244726754808658", .errata = "155 157"},
    {"004", "Corollary 1", "threshold of the utility", .command = "scrim errata 157",
     .prints = "27.244726754808658", .theirs = "28.631", .ours = "27.244726754808658",
     .errata = "157", .related = "150 159"},
    {"004", "Lemma 8", "no new key", .command = "scrim errata 158",
     .prints = "true,its share: delta is averaged over the sets of kept "
               "keys,delta*kept,0.000001",
     .theirs = "1.6487e-6", .ours = "0.000001", .errata = "155 158"},
    {"004", "Theorem 6", "stabilise the universe, then run another mechanism",
     .command = "printf 'cat,100\\ndog,3\\n' | scrim run stabilise sensitivity=1 "
                "epsilon=1 delta=1e-6 whole=yes neighbours=add-remove --labels then "
                "exponential epsilon=1 sensitivity=1",
     .prints = "cost        epsilon 2, delta 1e-6", .theirs = "(2, 2.7183e-6)",
     .ours = "epsilon 2, delta 1e-6", .errata = "155 158"},
    {"004", "Definition 8", "data transformation",
     .note =
         "Any function of the data; 'scrim explain' lists those that a query applies."},
    {"004", "Definition 9", "transformation that costs nothing",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=20 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 2.09806e-5",
     .note = "Bucketing is one: neighbours stay neighbours."},
    {"004", "Definition 10", "approximate projection",
     .command = "scrim experiment truncation size=2 keep=5 lengths=3:900,7:60,12:40 "
                "gamma=0.05,0.1",
     .prints = "0.1,1.17825442",
     .note =
         "Of transactions cut to 5 items at random, as item-sets and the paper's [22] "
         "do; the definition asks it for all data, which holds if none is longer."},
    {"004", "Section 5.2", "frequent item sets by truncation",
     .command = "scrim audit item-sets epsilon=1 delta=1e-6 length=3 items=2 size=1",
     .prints = "6.278717e-7; claimed is 6.278717e-7", .related = "160"},
    {"004", "Lemma 9", "maps that keep the norm cost nothing",
     .command = "scrim errata 160",
     .prints =
         "\"sum(key, 0, 1, abs(n*(1 - abs(key - a)) - (n + 1)*(1 - abs(key - b))))\",21",
     .theirs = "1", .ours = "21", .errata = "160",
     .note = "Maps of one row to one row do: 'scrim experiment composition' and the "
             "planner of SQL multiply by how far a row spreads."},
    {"004", "Theorem 7", "random maps that keep the norm", .command = "scrim errata 160",
     .prints =
         "\"sum(key, 0, 1, abs(n*(1 - abs(key - a)) - (n + 1)*(1 - abs(key - b))))\",21",
     .theirs = "1", .ours = "21", .errata = "160"},
    {"004", "Corollary 2", "mapping each element",
     .command = "printf '0.12\\n0.5\\n0.9\\n' | scrim run bucket-histogram epsilon=1 "
                "q=20 upper=1 beta=0.1 neighbours=add-remove",
     .prints = "cost        epsilon 1, delta 2.09806e-5",
     .note = "Each element by itself: this case is true.", .related = "160"},
    {"004", "Section 6.1", "thresholds for sparse data: 320",
     .command = "scrim experiment suppression --epsilon 0.1 --delta 1e-9 --values 1e12",
     .prints = "0.47502081252106004,322.3619130191664,316", .theirs = "320",
     .ours = "322.3619130191664,316", .errata = "161", .note = "316 is enough."},
    {"004", "Section 6.2", "thresholds of Theorem 5: 1800, 963, 885",
     .command = "scrim experiment suppression --epsilon 0.05 --delta 1e-19",
     .prints =
         "0.05,1e-19,1750.9646706754747,963.4805688715112,884.7321586911148,863,802",
     .theirs = "1800, 963, 885",
     .ours = "1750.9646706754747,963.4805688715112,884.7321586911148", .errata = "163"},
    {"004", "Figure 1", "thresholds against delta",
     .command = "scrim experiment suppression --svg .",
     .prints =
         "0.05,1e-19,1750.9646706754747,963.4805688715112,884.7321586911148,863,802",
     .note = "suppression.svg.", .related = "163"},
    {"004", "Section 6.3", "ranges: 876, 1290",
     .command = "scrim experiment suppression --epsilon 0.05 --delta 1e-19",
     .prints = "1289.4476520766657,802", .theirs = "1290",
     .ours = "1289.4476520766657,802", .errata = "162", .note = "802 is enough."},
};

const lab_papers_section lab_papers_threshold = LAB_PAPERS_SECTION(rows);
