/* Errata of document 001: histograms of flexible accuracy. */
#include "experiment/errata/erratum.h"
#include "experiment/errata/rounded_bars.h"
#include "experiment/errata/working_distance.h"
#include "mechanism/histogram/stlap_noise.h"

#define BITS SC_QUANTITY_BITS

static void erratum_12(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "tau = 1/10", "share of the size that a bar may lose");
    sc_working_input(w, "n = 200",
                     "elements; the neighbour has one more in the first bar");
    sc_working_input(w, "bars = 3", "large bars");
    sc_working_step(w, "q = tau*n", "width of the noise for n elements");
    sc_working_step(w, "tau*(n + 1)",
                    "width of the noise for n + 1 elements, in every bar");
    sc_working_claimed(w, "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta");
    sc_rounded_bars_delta(w, SC_WORKING_STEP, "one", 1, "delta of one bar");
    sc_rounded_bars_delta(w, SC_WORKING_TRUE, "delta", 3, "delta of three bars");
}

static void erratum_16(sc_working *w)
{
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_ball, delta);
    SC_OWN(sc_quantity, found);
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "q = 3", "Q: size from which a set is always called not empty");
    sc_working_claimed(w, "(exp(eps) - 1)/(2*(exp(q*eps/2) - 1))", "least delta");
    sc_ratio_set_int64(&epsilon, 1);
    sc_stlap_delta(&epsilon, 2, 1, 1, BITS, &delta);
    sc_quantity_set_ball(&found, &delta);
    sc_working_put(w, SC_WORKING_STEP, "stlap", &found, "delta of stlap with q = 2",
                   "by the library");
    sc_working_true(
        w,
        "1/(exp(eps*floor((q - 1)/2)) + 2*sum(i, 0, floor((q - 1)/2) - 1, exp(eps*i)))",
        "delta of the discrete distribution");
}

static void erratum_25(sc_working *w)
{
    const sc_places z = SC_PLACES({"0", "1"}, {"10", "2"});
    sc_working_say(w, SC_WORKING_INPUT, "histograms",
                   "x = {0:2, 10:2}, x' = {0:1, 10:1}");
    sc_working_say(w, SC_WORKING_INPUT, "a part of x", "z = {0:1, 10:2}");
    sc_working_distance(w, SC_WORKING_CLAIMED, "d", "wasserstein",
                        SC_PLACES({"0", "2"}, {"10", "2"}),
                        SC_PLACES({"0", "1"}, {"10", "1"}), NULL,
                        "distance from x to x': some part of x' is as near to z");
    sc_working_distance(w, SC_WORKING_STEP, "d1", "wasserstein", z, SC_PLACES({"0", "1"}),
                        NULL, "from z to the part {0:1}");
    sc_working_distance(w, SC_WORKING_STEP, "d2", "wasserstein", z,
                        SC_PLACES({"10", "1"}), NULL, "from z to the part {10:1}");
    sc_working_distance(w, SC_WORKING_STEP, "d3", "wasserstein", z,
                        SC_PLACES({"0", "1"}, {"10", "1"}), NULL, "from z to all of x'");
    sc_working_true(w, "min(d1, min(d2, d3))", "distance to the nearest part of x'");
}

/* The largest value that at least so many elements have. */
static int64_t largest_frequent(const int64_t (*bars)[2], size_t count, int64_t least)
{
    int64_t found = INT64_MIN;
    for (size_t i = 0; i < count; i++)
        if (bars[i][1] >= least && bars[i][0] > found)
            found = bars[i][0];
    return found;
}

static void erratum_26(sc_working *w)
{
    const int64_t x[][2] = {{0, 2}, {10, 1}}, twice[][2] = {{0, 4}, {10, 2}};
    sc_working_say(w, SC_WORKING_INPUT, "histograms",
                   "x = {0:2, 10:1}, x' = {0:4, 10:2}");
    sc_working_input(w, "k = 2",
                     "the statistic: the largest value of at least k elements");
    sc_working_distance(w, SC_WORKING_CLAIMED, "d", "wasserstein",
                        SC_PLACES({"0", "2"}, {"10", "1"}),
                        SC_PLACES({"0", "4"}, {"10", "2"}), NULL,
                        "distance from x to x': so far the statistic moves");
    sc_working_put_int64(w, SC_WORKING_STEP, "a", largest_frequent(x, 2, 2), "search",
                         "statistic of x");
    sc_working_put_int64(w, SC_WORKING_STEP, "b", largest_frequent(twice, 2, 2), "search",
                         "statistic of x'");
    sc_working_true(w, "abs(a - b)", "how far it moves");
}

static void erratum_27(sc_working *w)
{
    const scrim_distance_options options = {.size = sizeof options, .eta = "0"};
    sc_working_say(w, SC_WORKING_INPUT, "histograms", "x = {0:1}, y = {1:1}");
    sc_working_input(w, "eta = 0", "price of moving by 1");
    sc_working_say(w, SC_WORKING_CLAIMED, "distance of different histograms", "positive");
    sc_working_distance(w, SC_WORKING_TRUE, "d", "drop-move", SC_PLACES({"0", "1"}),
                        SC_PLACES({"1", "1"}), &options, "distance from x to y");
}

static void erratum_29(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "supports", "{0, 5, 10} and {0, 10}");
    sc_working_claimed(w, "max(abs(0 - 0), abs(10 - 10))",
                       "larger difference of their ends");
    sc_working_distance(w, SC_WORKING_TRUE, "d", "hausdorff",
                        SC_PLACES({"0", NULL}, {"5", NULL}, {"10", NULL}),
                        SC_PLACES({"0", NULL}, {"10", NULL}), NULL, "Hausdorff distance");
}

/* The most frequent value, in tenths. */
static int64_t mode_of(const int64_t (*bars)[2], size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (bars[i][1] > bars[best][1])
            best = i;
    return bars[best][0];
}

static void erratum_31(sc_working *w)
{
    const int64_t x[][2] = {{0, 3}, {100, 2}, {101, 2}}, moved[][2] = {{0, 3}, {100, 4}};
    sc_working_say(w, SC_WORKING_INPUT, "histograms",
                   "x = {0:3, 10:2, 10.1:2}, x' = {0:3, 10:4}");
    sc_working_distance(w, SC_WORKING_CLAIMED, "d", "move",
                        SC_PLACES({"0", "3"}, {"10", "2"}, {"10.1", "2"}),
                        SC_PLACES({"0", "3"}, {"10", "4"}), NULL,
                        "largest move of an element: so far the mode moves");
    sc_working_put_int64(w, SC_WORKING_STEP, "a", mode_of(x, 3), "search",
                         "mode of x, in tenths");
    sc_working_put_int64(w, SC_WORKING_STEP, "b", mode_of(moved, 2), "search",
                         "mode of x', in tenths");
    sc_working_true(w, "abs(a - b)/10", "how far it moves");
}

static void erratum_32(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "histograms", "x = {0, 4}, x' = {1, 3}");
    sc_working_distance(w, SC_WORKING_CLAIMED, "d", "move",
                        SC_PLACES({"0", "1"}, {"4", "1"}),
                        SC_PLACES({"1", "1"}, {"3", "1"}), NULL,
                        "largest move of an element: so far the range moves");
    sc_working_true(w, "abs((4 - 0) - (3 - 1))", "how far it moves");
}

static const sc_erratum rows[] = {
    {SC_FACTS(12, "001", "Lemma 5, Cor. 3, Remark 6, Thms 3-6, Cors 1-2, App. F Claim 2",
              "false"),
     .statement = "Noise of width q = tau times the private size costs what "
                  "noise of a fixed q costs.",
     .counterexample = "epsilon 1, tau 1/10, 200 and 201 elements in 3 bars: "
                       "delta is 0.00153068 where 0.0000390067 is claimed.",
     .correction = "q must be public and fixed.",
     .where = "src/mechanism/histogram/stlap.c", SC_RUNS(erratum_12)},
    {SC_FACTS(13, "001", "Algorithm 1, Theorem 3", "unusable"),
     .statement = "The guarantee holds if the private size is at least "
                  "2/(epsilon tau), and its delta depends on the private q.",
     .counterexample = "One element and tau 1/4: the element is always reported, "
                       "so delta is 1.",
     .correction = "q public and fixed, or a private estimate of the size that "
                   "is paid for.",
     .where = "src/mechanism/histogram/private_size_stlap.c",
     SC_STEPS(
         SC_INPUT("n = 1", "elements; the neighbour has none"),
         SC_INPUT("tau = 1/4", "share of the size that a bar may lose"),
         SC_INPUT("eps = 1", "epsilon"), SC_STEP("q = tau*n", "width of the noise"),
         SC_STEP("lowest = floor(n - q + 1/2)", "smallest count shown, after rounding"),
         SC_STEP("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta of Theorem 3, above 1"),
         SC_SAY(CLAIMED, "delta", "delta of Theorem 3"),
         SC_STEP("seen = min(1, lowest)", "chance that the element is shown"),
         SC_TRUE("max(0, seen - exp(eps)*0)",
                 "delta: the empty set never shows an element"))},
    {SC_FACTS(14, "001", "Claim 3", "typo"),
     .statement = "The limits of an integral have the wrong sign, and the middle "
                  "line has q for q'.",
     .counterexample = "",
     .correction = "The final inequality holds for q of at least 1.",
     .where = "src/mechanism/histogram/stlap_noise.c"},
    {SC_FACTS(15, "001", "(26)-(27)", "gap"),
     .statement = "The proof compares densities over the supports of two "
                  "neighbouring histograms.",
     .counterexample = "A bar that appears: the densities have 1 and 2 "
                       "coordinates and cannot be compared.",
     .correction = "Take all of the ground set as coordinates.",
     .where = "src/mechanism/histogram/stlap_pairs.c"},
    {SC_FACTS(16, "001", "Section 5.1", "false"),
     .statement = "The printed pair of delta and Q for telling whether a set is "
                  "empty is Pareto optimal.",
     .counterexample = "Q = 3, epsilon 1: 0.246760 is printed and 0.211942 is possible.",
     .correction = "The discrete distribution with q = Q - 1.",
     .where = "src/mechanism/histogram/emptiness.c", SC_RUNS(erratum_16)},
    {SC_FACTS(17, "001", "Theorem 3", "false"),
     .statement = "Rounding to nearest drops at most a share tau of the elements.",
     .counterexample = "27 elements, tau 1/10, epsilon 1: 3 of 27 are dropped "
                       "with probability 0.0387416.",
     .correction = "Integer noise needs no rounding.",
     .where = "src/mechanism/histogram/stlap_noise.c",
     SC_STEPS(
         SC_INPUT("n = 27", "elements"),
         SC_INPUT("tau = 1/10", "share that may be dropped"),
         SC_INPUT("eps = 1", "epsilon"), SC_STEP("q = tau*n", "width of the noise"),
         SC_STEP("dropped = floor(q + 1/2)", "elements dropped if the noise is near -q"),
         SC_STEP("dropped/n", "their share"),
         SC_CLAIMED("0", "chance to drop more than a share tau"),
         SC_TRUE("(exp(eps*(q - dropped + 1/2)) - 1)/(2*(exp(eps*q/2) - 1))",
                 "chance that the noise is below 1/2 - dropped"))},
    {SC_FACTS(18, "001", "Theorems 4-6, Cors 1-2", "false"),
     .statement = "The share per bar is tau = 2 alpha beta/B, as if the number "
                  "of buckets were not rounded up.",
     .counterexample =
         "B = 1, beta 3/10, alpha 1/2, n = 100, epsilon 1: the run has q = 25 "
         "and not 30, so delta is 12.18 times the claim.",
     .correction = "q = floor(alpha n/t) with the number t of buckets counted.",
     .where = "src/mechanism/histogram/buckets.c",
     SC_STEPS(SC_INPUT("B = 1", "range of the values"),
              SC_INPUT("beta = 3/10", "error of a value"),
              SC_INPUT("alpha = 1/2", "share that may be dropped"),
              SC_INPUT("n = 100", "elements"), SC_INPUT("eps = 1", "epsilon"),
              SC_STEP("q = 2*alpha*beta/B*n", "width of the noise, as claimed"),
              SC_CLAIMED("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta"),
              SC_STEP("t = ceil(B/(2*beta))", "buckets of width 2 beta"),
              SC_STEP("run = floor(alpha*n/t)", "width of the noise, as run"),
              SC_TRUE("(exp(eps) - 1)/(2*(exp(eps*run/2) - 1))", "delta"))},
    {SC_FACTS(19, "001", "Algorithm 2", "false"),
     .statement = "Bucket centres lie in [0, B).",
     .counterexample = "B = 1 and width 0.7: the centre of the second bucket is 21/20.",
     .correction = "A width that divides B.",
     .where = "src/mechanism/histogram/buckets.c",
     SC_STEPS(SC_INPUT("B = 1", "values lie in [0, B)"),
              SC_INPUT("width = 7/10", "of a bucket"),
              SC_STEP("last = ceil(B/width)", "number of the last bucket"),
              SC_SAY(CLAIMED, "centre of the last bucket", "centre below 1"),
              SC_TRUE("(last - 1/2)*width", "centre of the last bucket"))},
    {SC_FACTS(20, "001", "Algorithm 5 vs Claim 11", "false"),
     .statement = "Buckets of width 2 beta give an l2 error of at most beta.",
     .counterexample = "4 dimensions, beta 1/10: the half diagonal is 1/5.",
     .correction = "A width of at most 2 beta/sqrt d.",
     .where = "src/mechanism/histogram/buckets.c",
     SC_STEPS(SC_INPUT("d = 4", "dimensions"),
              SC_INPUT("beta = 1/10", "error that is allowed"),
              SC_STEP("width = 2*beta", "of a bucket"),
              SC_CLAIMED("beta", "largest l2 error"),
              SC_TRUE("width/2*sqrt(d)", "half diagonal of a bucket"))},
    {SC_FACTS(21, "001", "Remark 5", "false"),
     .statement = "There are (B sqrt d/(2 beta))^d buckets.",
     .counterexample =
         "B = 1, beta 3/10, 2 dimensions: 50/9 is claimed; there are 9 cells.",
     .correction = "T^d, with T buckets an axis, rounded up.",
     .where = "src/mechanism/histogram/buckets.c",
     SC_STEPS(SC_INPUT("B = 1", "range of each coordinate"),
              SC_INPUT("beta = 3/10", "l2 error that is allowed"),
              SC_INPUT("d = 2", "dimensions"),
              SC_CLAIMED("((B/(2*beta))^2*d)^(d/2)", "buckets"),
              SC_STEP("T = least(k, 1, 100, (B/k)^2*d - 4*beta^2)",
                      "buckets an axis: the fewest whose half diagonal is at most beta"),
              SC_TRUE("T^d", "buckets"))},
    {SC_FACTS(22, "001", "Section 5.2.3", "false"),
     .statement = "alpha n = (1/epsilon^2)(2 beta/B) elements may be dropped.",
     .counterexample = "epsilon 1/10, beta/B 1/100: 2 is printed; 5000 are needed.",
     .correction = "(1/epsilon^2)(B/(2 beta)).",
     .where = "src/mechanism/histogram/stlap_plan.c",
     SC_STEPS(SC_INPUT("eps = 1/10", "epsilon"), SC_INPUT("r = 1/100", "beta/B"),
              SC_CLAIMED("1/eps^2*2*r", "elements that are dropped"),
              SC_TRUE("1/eps^2/(2*r)", "elements that are dropped"))},
    {SC_FACTS(23, "001", "Section 1.2", "misleading"),
     .statement = "Dropping ln^2 n elements makes delta negligible; the factor t "
                  "is hidden.",
     .counterexample = "n = 10^6, 50 bars, epsilon 1/10: delta is 0.250050.",
     .correction = "Each bar has only q = ln^2 n/t.",
     .where = "src/mechanism/histogram/stlap_plan.c",
     SC_STEPS(SC_INPUT("n = 10^6", "elements"), SC_INPUT("t = 50", "bars"),
              SC_INPUT("eps = 1/10", "epsilon"),
              SC_STEP("dropped = ln(n)^2", "elements dropped in all"),
              SC_STEP("q = dropped/t", "elements dropped in a bar"),
              SC_SAY(CLAIMED, "delta", "negligible"),
              SC_TRUE("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta"))},
    {SC_FACTS(24, "001", "Remark 3", "loose"), .statement = "The accuracy is t/n^(1/4).",
     .counterexample = "n = 10^4, t = 5: 1/2 is printed; 1/20 is true.",
     .correction = "t/n^(1/2).", .where = "src/mechanism/histogram/stlap_plan.c",
     SC_STEPS(SC_INPUT("n = 10^4", "elements"), SC_INPUT("t = 5", "bars"),
              SC_CLAIMED("t/sqrt(sqrt(n))", "share that is dropped"),
              SC_TRUE("t/sqrt(n)", "share that is dropped"))},
    {SC_FACTS(25, "001", "Lemma 6, Claims 5-7, 10", "false"),
     .statement = "A part of one histogram transfers to another through a "
                  "coupling, also if their sizes differ.",
     .counterexample = "x = {0:2, 10:2}, x' = {0:1, 10:1}, z = {0:1, 10:2}: "
                       "distance 0 is claimed; the best is 10.",
     .correction = "Equal sizes and a matching of whole elements.",
     .where = "src/distance/distortion.c", SC_RUNS(erratum_25)},
    {SC_FACTS(26, "001", "d_hist; Theorem 6 proof", "false"),
     .statement = "The distance of normalised histograms is a metric, so a "
                  "statistic does not change at distance 0.",
     .counterexample =
         "{0:2, 10:1} and its double are at distance 0; the largest value held "
         "by at least two elements is 0 in one and 10 in the other.",
     .correction = "It is a pseudo-metric: compare histograms of equal size.",
     .where = "src/distance/distortion.c", SC_RUNS(erratum_26)},
    {SC_FACTS(27, "001", "Claim 13", "false"),
     .statement = "Drop-and-move is a quasi-metric also at eta = 0.",
     .counterexample = "{0} and {1} are at distance 0.",
     .correction = "eta must be above 0.", .where = "src/distance/distortion.c",
     SC_RUNS(erratum_27)},
    {SC_FACTS(28, "001", "Lemma 10, proof", "gap"),
     .statement = "The product coupling of P with itself has distance zero.",
     .counterexample = "P uniform on {0, 1}: half of the mass lies off the diagonal.",
     .correction = "The diagonal coupling; the statement holds.",
     .where = "src/distance/wasserstein.c",
     SC_STEPS(SC_INPUT("p = 1/2", "P is uniform on {0, 1}"),
              SC_CLAIMED("0", "mass that the product coupling moves"),
              SC_TRUE("sum(i, 0, 1, sum(j, 0, 1, p*p*abs(i - j)))",
                      "mass of P x P off the diagonal"))},
    {SC_FACTS(29, "001", "Corollary 2", "false"),
     .statement = "The distance of two supports is the larger difference of their ends.",
     .counterexample =
         "{0, 5, 10} and {0, 10}: 0 by the formula, 5 by the Hausdorff distance.",
     .correction = "The Hausdorff distance.", .where = "src/distance/hausdorff.c",
     SC_RUNS(erratum_29)},
    {SC_FACTS(30, "001", "Lemma 4, proof", "gap"),
     .statement = "The proof conditions on X0 as if f were deterministic.",
     .counterexample = "", .correction = "Glue the pair (X0, f(X0)) to the coupling.",
     .where = "src/distance/flexible_composition.c"},
    {SC_FACTS(31, "001", "Introduction", "false"),
     .statement = "Mode, largest frequent value and separators move little if "
                  "the elements move little.",
     .counterexample = "{0:3, 10:2, 10.1:2} and {0:3, 10:4} are at distance "
                       "1/10; their modes are 0 and 10.",
     .correction = "There is no such bound; state the rank of what was found.",
     .where = "src/mechanism/histogram/mode.c", SC_RUNS(erratum_31)},
    {SC_FACTS(32, "001", "Introduction", "false"),
     .statement = "The range moves by at most beta.",
     .counterexample =
         "{0, 4} and {1, 3}: every element moves by 1; the ranges differ by 2.",
     .correction = "2 beta.", .where = "src/mechanism/histogram/extremes.c",
     SC_RUNS(erratum_32)},
    {SC_FACTS(33, "001", "6.5.1, 6.4, App. I, Lemma 2, Alg. 4, Remark 2", "typo"),
     .statement = "Several places swap arguments, cite the wrong theorem, write "
                  "A for B, leave out d, or write = for <=.",
     .counterexample = "", .correction = "As the specification lists them.",
     .where = "not in scrim"},
    {SC_FACTS(34, "001", "Section 7", "ambiguous"),
     .statement = "The experiments leave open the grid of epsilons, the noise of "
                  "experiment 6, \"about 10000\" and what no answer counts as.",
     .counterexample = "The figures cannot be reproduced digit for digit.",
     .correction = "Conventions of our own, stated on the page of the experiments.",
     .where = "src/experiment/flexible_accuracy.c"},
};

const sc_errata_section sc_errata_histogram = SC_ERRATA_SECTION(rows);
