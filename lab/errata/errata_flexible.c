/* Errata of document 001: histograms of flexible accuracy. */
#include "lab/errata/errata.h"

#define BITS LAB_QUANTITY_BITS

/* Erratum 12: noise on [-q, 0], whose width q is a tenth of the number of elements, is added to each
 * bar, and the result is rounded to the nearest integer. At epsilon 1, for 200 elements and for 201 of
 * which the first bar has the additional one; lengths are in twentieths, so that q is an integer. */
#define UNIT 20
#define WIDTH (20L * UNIT)  /* q of 200 elements */
#define WIDER (WIDTH + 2)   /* q of 201 elements */
#define LOST 21             /* a bar of x elements shows x - LOST to x */
#define OUTCOMES (LOST + 2) /* with those of a bar that has one more */

/* P(noise <= z): expm1(z + q) / (2 expm1(q/2)) below -q/2, mirrored above. */
static void noise_at_most(slong z, slong q, arb_t out)
{
    if (z <= -q || z >= 0) {
        arb_set_si(out, z >= 0);
        return;
    }
    arb_t scale;
    arb_init(scale);
    const bool is_low = 2 * (z + q) <= q;
    arb_set_si(out, is_low ? z + q : -z);
    arb_div_si(out, out, UNIT, BITS);
    arb_expm1(out, out, BITS);
    arb_set_si(scale, q);
    arb_div_si(scale, scale, (slong)2 * UNIT, BITS);
    arb_expm1(scale, scale, BITS);
    arb_div(out, out, scale, BITS);
    arb_mul_2exp_si(out, out, -1);
    if (!is_low)
        arb_sub_si(out, out, 1, BITS), arb_neg(out, out);
    arb_clear(scale);
}

/* P(a bar of x + more elements shows x - LOST + i). */
static arb_ptr bar_probabilities(slong q, slong more)
{
    arb_ptr p = _arb_vec_init(OUTCOMES);
    arb_t before;
    arb_init(before);
    for (slong i = 0; i < OUTCOMES; i++) {
        noise_at_most(UNIT * (i - LOST - more) + UNIT / 2, q, p + i);
        arb_swap(before, p + i);
        arb_sub(p + i, before, p + i, BITS);
    }
    arb_clear(before);
    return p;
}

/* Adds max(0, p - q), summed over the outcomes of `same` more bars with probabilities p_same, q_same. */
static void add_excess(const arb_t p, const arb_t q, arb_srcptr p_same, arb_srcptr q_same,
                       unsigned same, arb_t sum)
{
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    if (same > 0) {
        for (slong i = 0; i < OUTCOMES; i++) {
            arb_mul(left, p, p_same + i, BITS);
            arb_mul(right, q, q_same + i, BITS);
            add_excess(left, right, p_same, q_same, same - 1, sum);
        }
    } else {
        arb_sub(left, p, q, BITS);
        if (arb_is_positive(left))
            arb_add(sum, sum, left, BITS);
        else if (!arb_is_nonpositive(left)) /* of either sign: the sum is less certain */
            arb_add_error(sum, left);
    }
    arb_clear(left);
    arb_clear(right);
}

/* The hockey-stick divergence at epsilon 1 of the first bar, p and q, and `same` further ones. */
static void hockey_stick(arb_srcptr p, arb_srcptr q, arb_srcptr p_same, arb_srcptr q_same,
                         unsigned same, lab_quantity *out)
{
    arb_t e, scaled;
    arb_init(e);
    arb_init(scaled);
    arb_const_e(e, BITS);
    out->is_exact = false;
    arb_zero(out->ball);
    for (slong i = 0; i < OUTCOMES; i++) {
        arb_mul(scaled, q + i, e, BITS);
        add_excess(p + i, scaled, p_same, q_same, same, out->ball);
    }
    arb_clear(e);
    arb_clear(scaled);
}

/* delta of this many bars, in the worse direction. The number of outcomes is OUTCOMES^bars. */
static void put_rounded_delta(lab_working *w, lab_working_part part, const char *name,
                              unsigned bars, const char *what)
{
    int sign = 0;
    LAB_QUANTITY(forth);
    LAB_QUANTITY(back);
    arb_ptr first = bar_probabilities(WIDTH, 0), first_more = bar_probabilities(WIDER, 1),
            other_more = bar_probabilities(WIDER, 0);
    hockey_stick(first, first_more, first, other_more, bars - 1, &forth);
    hockey_stick(first_more, first, other_more, first, bars - 1, &back);
    (void)lab_quantity_compare(&forth, &back, &sign);
    lab_working_put(w, part, name, sign > 0 ? &forth : &back,
                    "enumeration of all outcomes, both directions", what);
    _arb_vec_clear(first, OUTCOMES);
    _arb_vec_clear(first_more, OUTCOMES);
    _arb_vec_clear(other_more, OUTCOMES);
}

static void erratum_12(lab_working *w)
{
    lab_working_input(w, "eps = 1", "epsilon");
    lab_working_input(w, "tau = 1/10", "share of the size that a bar may lose");
    lab_working_input(w, "n = 200",
                      "elements; the neighbour has one more in the first bar");
    lab_working_input(w, "bars = 3", "large bars");
    lab_working_step(w, "q = tau*n", "width of the noise for n elements");
    lab_working_step(w, "tau*(n + 1)",
                     "width of the noise for n + 1 elements, in every bar");
    lab_working_claimed(w, "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta");
    put_rounded_delta(w, LAB_WORKING_STEP, "one", 1, "delta of one bar");
    put_rounded_delta(w, LAB_WORKING_TRUE, "delta", 3, "delta of three bars");
}

static void erratum_16(lab_working *w)
{
    lab_working_input(w, "eps = 1", "epsilon");
    lab_working_input(w, "q = 3", "Q: size from which a set is always called not empty");
    lab_working_claimed(w, "(exp(eps) - 1)/(2*(exp(q*eps/2) - 1))", "least delta");
    lab_working_step(w, "stlap = exp(-eps)/(1 + 2*exp(-eps))",
                     "delta of stlap with noise from -2 to 0: the mass of an end");
    lab_working_true(
        w,
        "1/(exp(eps*floor((q - 1)/2)) + 2*sum(i, 0, floor((q - 1)/2) - 1, exp(eps*i)))",
        "delta of the discrete distribution");
}

static void erratum_25(lab_working *w)
{
    const lab_places z = LAB_PLACES({"0", "1"}, {"10", "2"});
    lab_working_say(w, LAB_WORKING_INPUT, "histograms",
                    "x = {0:2, 10:2}, x' = {0:1, 10:1}");
    lab_working_say(w, LAB_WORKING_INPUT, "a part of x", "z = {0:1, 10:2}");
    lab_working_distance(w, LAB_WORKING_CLAIMED, "d",
                         &(lab_distance){"wasserstein",
                                         LAB_PLACES({"0", "2"}, {"10", "2"}),
                                         LAB_PLACES({"0", "1"}, {"10", "1"}), NULL},
                         "distance from x to x': some part of x' is as near to z");
    lab_working_distance(w, LAB_WORKING_STEP, "d1",
                         &(lab_distance){"wasserstein", z, LAB_PLACES({"0", "1"}), NULL},
                         "from z to the part {0:1}");
    lab_working_distance(w, LAB_WORKING_STEP, "d2",
                         &(lab_distance){"wasserstein", z, LAB_PLACES({"10", "1"}), NULL},
                         "from z to the part {10:1}");
    lab_working_distance(
        w, LAB_WORKING_STEP, "d3",
        &(lab_distance){"wasserstein", z, LAB_PLACES({"0", "1"}, {"10", "1"}), NULL},
        "from z to all of x'");
    lab_working_true(w, "min(d1, min(d2, d3))", "distance to the nearest part of x'");
}

/* The largest value that at least `least` elements have. */
static int64_t largest_frequent(const int64_t (*bars)[2], size_t count, int64_t least)
{
    int64_t found = INT64_MIN;
    for (size_t i = 0; i < count; i++)
        if (bars[i][1] >= least && bars[i][0] > found)
            found = bars[i][0];
    return found;
}

static void erratum_26(lab_working *w)
{
    const int64_t x[][2] = {{0, 2}, {10, 1}}, twice[][2] = {{0, 4}, {10, 2}};
    lab_working_say(w, LAB_WORKING_INPUT, "histograms",
                    "x = {0:2, 10:1}, x' = {0:4, 10:2}");
    lab_working_input(w, "k = 2",
                      "the statistic: the largest value of at least k elements");
    lab_working_distance(w, LAB_WORKING_CLAIMED, "d",
                         &(lab_distance){"wasserstein",
                                         LAB_PLACES({"0", "2"}, {"10", "1"}),
                                         LAB_PLACES({"0", "4"}, {"10", "2"}), NULL},
                         "distance from x to x': so far the statistic moves");
    lab_working_put_int64(w, LAB_WORKING_STEP, "a", largest_frequent(x, 2, 2), "search",
                          "statistic of x");
    lab_working_put_int64(w, LAB_WORKING_STEP, "b", largest_frequent(twice, 2, 2),
                          "search", "statistic of x'");
    lab_working_true(w, "abs(a - b)", "how far it moves");
}

static void erratum_27(lab_working *w)
{
    const scrim_distance_options options = {.size = sizeof options, .eta = "0"};
    lab_working_say(w, LAB_WORKING_INPUT, "histograms", "x = {0:1}, y = {1:1}");
    lab_working_input(w, "eta = 0", "price of moving by 1");
    lab_working_say(w, LAB_WORKING_CLAIMED, "distance of different histograms",
                    "positive");
    lab_working_distance(w, LAB_WORKING_TRUE, "d",
                         &(lab_distance){"drop-move", LAB_PLACES({"0", "1"}),
                                         LAB_PLACES({"1", "1"}), &options},
                         "distance from x to y");
}

static void erratum_29(lab_working *w)
{
    lab_working_say(w, LAB_WORKING_INPUT, "supports", "{0, 5, 10} and {0, 10}");
    lab_working_claimed(w, "max(abs(0 - 0), abs(10 - 10))",
                        "larger difference of their ends");
    lab_working_distance(
        w, LAB_WORKING_TRUE, "d",
        &(lab_distance){"hausdorff", LAB_PLACES({"0", NULL}, {"5", NULL}, {"10", NULL}),
                        LAB_PLACES({"0", NULL}, {"10", NULL}), NULL},
        "Hausdorff distance");
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

static void erratum_31(lab_working *w)
{
    const int64_t x[][2] = {{0, 3}, {100, 2}, {101, 2}}, moved[][2] = {{0, 3}, {100, 4}};
    lab_working_say(w, LAB_WORKING_INPUT, "histograms",
                    "x = {0:3, 10:2, 10.1:2}, x' = {0:3, 10:4}");
    lab_working_distance(
        w, LAB_WORKING_CLAIMED, "d",
        &(lab_distance){"move", LAB_PLACES({"0", "3"}, {"10", "2"}, {"10.1", "2"}),
                        LAB_PLACES({"0", "3"}, {"10", "4"}), NULL},
        "largest move of an element: so far the mode moves");
    lab_working_put_int64(w, LAB_WORKING_STEP, "a", mode_of(x, 3), "search",
                          "mode of x, in tenths");
    lab_working_put_int64(w, LAB_WORKING_STEP, "b", mode_of(moved, 2), "search",
                          "mode of x', in tenths");
    lab_working_true(w, "abs(a - b)/10", "how far it moves");
}

static void erratum_32(lab_working *w)
{
    lab_working_say(w, LAB_WORKING_INPUT, "histograms", "x = {0, 4}, x' = {1, 3}");
    lab_working_distance(w, LAB_WORKING_CLAIMED, "d",
                         &(lab_distance){"move", LAB_PLACES({"0", "1"}, {"4", "1"}),
                                         LAB_PLACES({"1", "1"}, {"3", "1"}), NULL},
                         "largest move of an element: so far the range moves");
    lab_working_true(w, "abs((4 - 0) - (3 - 1))", "how far it moves");
}

static const lab_erratum rows[] = {
    {LAB_FACTS(12, "001", "Lemma 5, Cor. 3, Remark 6, Thms 3-6, Cors 1-2, App. F Claim 2",
               "false"),
     .title = "q that follows the private size",
     .statement = "Noise of width q = tau times the private size costs what "
                  "noise of a fixed q costs.",
     .counterexample = "epsilon 1, tau 1/10, 200 and 201 elements in 3 bars: "
                       "delta is 0.00153068 where 0.0000390067 is claimed.",
     .correction = "q must be public and fixed.", LAB_RUNS(erratum_12)},
    {LAB_FACTS(13, "001", "Algorithm 1, Theorem 3", "unusable"),
     .title = "a condition on the private size",
     .statement = "The guarantee holds if the private size is at least "
                  "2/(epsilon tau), and its delta depends on the private q.",
     .counterexample = "One element and tau 1/4: the element is always reported, "
                       "so delta is 1.",
     .correction = "q public and fixed, or a private estimate of the size that "
                   "is paid for.",

     LAB_STEPS(
         LAB_INPUT("n = 1", "elements; the neighbour has none"),
         LAB_INPUT("tau = 1/4", "share of the size that a bar may lose"),
         LAB_INPUT("eps = 1", "epsilon"), LAB_STEP("q = tau*n", "width of the noise"),
         LAB_STEP("lowest = floor(n - q + 1/2)", "smallest count shown, after rounding"),
         LAB_STEP("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta of Theorem 3, above 1"),
         LAB_SAY(CLAIMED, "delta", "delta of Theorem 3"),
         LAB_STEP("seen = min(1, lowest)", "chance that the element is shown"),
         LAB_TRUE("max(0, seen - exp(eps)*0)",
                  "delta: the empty set never shows an element"))},
    {LAB_FACTS(14, "001", "Claim 3", "typo"), .title = "signs of an integral",
     .statement = "The limits of an integral have the wrong sign, and the middle "
                  "line has q for q'.",
     .counterexample = "",
     .correction = "The final inequality holds for q of at least 1."},
    {LAB_FACTS(15, "001", "(26)-(27)", "gap"), .title = "densities of different supports",
     .statement = "The proof compares densities over the supports of two "
                  "neighbouring histograms.",
     .counterexample = "A bar that appears: the densities have 1 and 2 "
                       "coordinates and cannot be compared.",
     .correction = "Take all of the ground set as coordinates."},
    {LAB_FACTS(16, "001", "Section 5.1", "false"),
     .title = "a pair that is not Pareto optimal",
     .statement = "The printed pair of delta and Q for telling whether a set is "
                  "empty is Pareto optimal.",
     .counterexample = "Q = 3, epsilon 1: 0.246760 is printed and 0.211942 is possible.",
     .correction = "The discrete distribution with q = Q - 1.",

     LAB_RUNS(erratum_16)},
    {LAB_FACTS(17, "001", "Theorem 3", "false"),
     .title = "rounding drops more than a share tau",
     .statement = "Rounding to nearest drops at most a share tau of the elements.",
     .counterexample = "27 elements, tau 1/10, epsilon 1: 3 of 27 are dropped "
                       "with probability 0.0387416.",
     .correction = "Integer noise needs no rounding.",

     LAB_STEPS(
         LAB_INPUT("n = 27", "elements"),
         LAB_INPUT("tau = 1/10", "share that may be dropped"),
         LAB_INPUT("eps = 1", "epsilon"), LAB_STEP("q = tau*n", "width of the noise"),
         LAB_STEP("dropped = floor(q + 1/2)", "elements dropped if the noise is near -q"),
         LAB_STEP("dropped/n", "their share"),
         LAB_CLAIMED("0", "chance to drop more than a share tau"),
         LAB_TRUE("(exp(eps*(q - dropped + 1/2)) - 1)/(2*(exp(eps*q/2) - 1))",
                  "chance that the noise is below 1/2 - dropped"))},
    {LAB_FACTS(18, "001", "Theorems 4-6, Cors 1-2", "false"),
     .title = "number of buckets is not rounded up",
     .statement = "The share per bar is tau = 2 alpha beta/B, as if the number "
                  "of buckets were not rounded up.",
     .counterexample =
         "B = 1, beta 3/10, alpha 1/2, n = 100, epsilon 1: the run has q = 25 "
         "and not 30, so delta is 12.18 times the claim.",
     .correction = "q = floor(alpha n/t) with the number t of buckets counted.",

     LAB_STEPS(LAB_INPUT("B = 1", "range of the values"),
               LAB_INPUT("beta = 3/10", "error of a value"),
               LAB_INPUT("alpha = 1/2", "share that may be dropped"),
               LAB_INPUT("n = 100", "elements"), LAB_INPUT("eps = 1", "epsilon"),
               LAB_STEP("q = 2*alpha*beta/B*n", "width of the noise, as claimed"),
               LAB_CLAIMED("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta"),
               LAB_STEP("t = ceil(B/(2*beta))", "buckets of width 2 beta"),
               LAB_STEP("run = floor(alpha*n/t)", "width of the noise, as run"),
               LAB_TRUE("(exp(eps) - 1)/(2*(exp(eps*run/2) - 1))", "delta"))},
    {LAB_FACTS(19, "001", "Algorithm 2", "false"),
     .title = "a bucket centre outside of the range",
     .statement = "Bucket centres lie in [0, B).",
     .counterexample = "B = 1 and width 0.7: the centre of the second bucket is 21/20.",
     .correction = "A width that divides B.",

     LAB_STEPS(LAB_INPUT("B = 1", "values lie in [0, B)"),
               LAB_INPUT("width = 7/10", "of a bucket"),
               LAB_STEP("last = ceil(B/width)", "number of the last bucket"),
               LAB_SAY(CLAIMED, "centre of the last bucket", "centre below 1"),
               LAB_TRUE("(last - 1/2)*width", "centre of the last bucket"))},
    {LAB_FACTS(20, "001", "Algorithm 5 vs Claim 11", "false"),
     .title = "width of buckets in several dimensions",
     .statement = "Buckets of width 2 beta give an l2 error of at most beta.",
     .counterexample = "4 dimensions, beta 1/10: the half diagonal is 1/5.",
     .correction = "A width of at most 2 beta/sqrt d.",

     LAB_STEPS(LAB_INPUT("d = 4", "dimensions"),
               LAB_INPUT("beta = 1/10", "error that is allowed"),
               LAB_STEP("width = 2*beta", "of a bucket"),
               LAB_CLAIMED("beta", "largest l2 error"),
               LAB_TRUE("width/2*sqrt(d)", "half diagonal of a bucket"))},
    {LAB_FACTS(21, "001", "Remark 5", "false"),
     .title = "number of cells in several dimensions",
     .statement = "There are (B sqrt d/(2 beta))^d buckets.",
     .counterexample =
         "B = 1, beta 3/10, 2 dimensions: 50/9 is claimed; there are 9 cells.",
     .correction = "T^d, with T buckets an axis, rounded up.",

     LAB_STEPS(
         LAB_INPUT("B = 1", "range of each coordinate"),
         LAB_INPUT("beta = 3/10", "l2 error that is allowed"),
         LAB_INPUT("d = 2", "dimensions"),
         LAB_CLAIMED("((B/(2*beta))^2*d)^(d/2)", "buckets"),
         LAB_STEP("T = least(k, 1, 100, (B/k)^2*d - 4*beta^2)",
                  "buckets an axis: the fewest whose half diagonal is at most beta"),
         LAB_TRUE("T^d", "buckets"))},
    {LAB_FACTS(22, "001", "Section 5.2.3", "false"),
     .title = "elements to drop, upside down",
     .statement = "alpha n = (1/epsilon^2)(2 beta/B) elements may be dropped.",
     .counterexample = "epsilon 1/10, beta/B 1/100: 2 is printed; 5000 are needed.",
     .correction = "(1/epsilon^2)(B/(2 beta)).",

     LAB_STEPS(LAB_INPUT("eps = 1/10", "epsilon"), LAB_INPUT("r = 1/100", "beta/B"),
               LAB_CLAIMED("1/eps^2*2*r", "elements that are dropped"),
               LAB_TRUE("1/eps^2/(2*r)", "elements that are dropped"))},
    {LAB_FACTS(23, "001", "Section 1.2", "misleading"),
     .title = "ln^2 n elements hide the number of bars",
     .statement = "Dropping ln^2 n elements makes delta negligible; the factor t "
                  "is hidden.",
     .counterexample = "n = 10^6, 50 bars, epsilon 1/10: delta is 0.250050.",
     .correction = "Each bar has only q = ln^2 n/t.",

     LAB_STEPS(LAB_INPUT("n = 10^6", "elements"), LAB_INPUT("t = 50", "bars"),
               LAB_INPUT("eps = 1/10", "epsilon"),
               LAB_STEP("dropped = ln(n)^2", "elements dropped in all"),
               LAB_STEP("q = dropped/t", "elements dropped in a bar"),
               LAB_SAY(CLAIMED, "delta", "negligible"),
               LAB_TRUE("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta"))},
    {LAB_FACTS(24, "001", "Remark 3", "loose"),
     .title = "accuracy t/n^(1/4), not t/n^(1/2)",
     .statement = "The accuracy is t/n^(1/4).",
     .counterexample = "n = 10^4, t = 5: 1/2 is printed; 1/20 is true.",
     .correction = "t/n^(1/2).",

     LAB_STEPS(LAB_INPUT("n = 10^4", "elements"), LAB_INPUT("t = 5", "bars"),
               LAB_CLAIMED("t/sqrt(sqrt(n))", "share that is dropped"),
               LAB_TRUE("t/sqrt(n)", "share that is dropped"))},
    {LAB_FACTS(25, "001", "Lemma 6, Claims 5-7, 10", "false"),
     .title = "couplings of histograms of two sizes",
     .statement = "A part of one histogram transfers to another through a "
                  "coupling, also if their sizes differ.",
     .counterexample = "x = {0:2, 10:2}, x' = {0:1, 10:1}, z = {0:1, 10:2}: "
                       "distance 0 is claimed; the best is 10.",
     .correction = "Equal sizes and a matching of whole elements.", LAB_RUNS(erratum_25)},
    {LAB_FACTS(26, "001", "d_hist; Theorem 6 proof", "false"),
     .title = "distance 0 of a histogram and its double",
     .statement = "The distance of normalised histograms is a metric, so a "
                  "statistic does not change at distance 0.",
     .counterexample =
         "{0:2, 10:1} and its double are at distance 0; the largest value held "
         "by at least two elements is 0 in one and 10 in the other.",
     .correction = "It is a pseudo-metric: compare histograms of equal size.",
     LAB_RUNS(erratum_26)},
    {LAB_FACTS(27, "001", "Claim 13", "false"), .title = "drop-and-move at eta 0",
     .statement = "Drop-and-move is a quasi-metric also at eta = 0.",
     .counterexample = "{0} and {1} are at distance 0.",
     .correction = "eta must be above 0.", LAB_RUNS(erratum_27)},
    {LAB_FACTS(28, "001", "Lemma 10, proof", "gap"),
     .title = "a product coupling for the diagonal one",
     .statement = "The product coupling of P with itself has distance zero.",
     .counterexample = "P uniform on {0, 1}: half of the mass lies off the diagonal.",
     .correction = "The diagonal coupling; the statement holds.",

     LAB_STEPS(LAB_INPUT("p = 1/2", "P is uniform on {0, 1}"),
               LAB_CLAIMED("0", "mass that the product coupling moves"),
               LAB_TRUE("sum(i, 0, 1, sum(j, 0, 1, p*p*abs(i - j)))",
                        "mass of P x P off the diagonal"))},
    {LAB_FACTS(29, "001", "Corollary 2", "false"),
     .title = "distance of supports is Hausdorff's",
     .statement = "The distance of two supports is the larger difference of their ends.",
     .counterexample =
         "{0, 5, 10} and {0, 10}: 0 by the formula, 5 by the Hausdorff distance.",
     .correction = "The Hausdorff distance.",

     LAB_RUNS(erratum_29)},
    {LAB_FACTS(30, "001", "Lemma 4, proof", "gap"),
     .title = "a proof for deterministic functions",
     .statement = "The proof conditions on X0 as if f were deterministic.",
     .counterexample = "", .correction = "Glue the pair (X0, f(X0)) to the coupling."},
    {LAB_FACTS(31, "001", "Introduction", "false"),
     .title = "mode and separators may move far",
     .statement = "Mode, largest frequent value and separators move little if "
                  "the elements move little.",
     .counterexample = "{0:3, 10:2, 10.1:2} and {0:3, 10:4} are at distance "
                       "1/10; their modes are 0 and 10.",
     .correction = "There is no such bound; state the rank of what was found.",
     LAB_RUNS(erratum_31)},
    {LAB_FACTS(32, "001", "Introduction", "false"), .title = "the range moves by 2 beta",
     .statement = "The range moves by at most beta.",
     .counterexample =
         "{0, 4} and {1, 3}: every element moves by 1; the ranges differ by 2.",
     .correction = "2 beta.",

     LAB_RUNS(erratum_32)},
    {LAB_FACTS(33, "001", "6.5.1, 6.4, App. I, Lemma 2, Alg. 4, Remark 2", "typo"),
     .title = "slips of the pen in seven places",
     .statement = "Several places swap arguments, cite the wrong theorem, write "
                  "A for B, leave out d, or write = for <=.",
     .counterexample = "", .correction = "As the specification lists them."},
    {LAB_FACTS(34, "001", "Section 7", "ambiguous"),
     .title = "what the experiments leave open",
     .statement = "The experiments leave open the grid of epsilons, the noise of "
                  "experiment 6, \"about 10000\" and what no answer counts as.",
     .counterexample = "The figures cannot be reproduced digit for digit.",
     .correction = "Conventions of our own, stated on the page of the experiments."},
};

const lab_errata_section lab_errata_flexible = LAB_ERRATA_SECTION(rows);
