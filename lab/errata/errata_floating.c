/* Errata of document 003: floating bodies. */
#include "lab/errata/errata.h"

/* A sample of whole numbers, with how often each occurs, in increasing order. */
typedef struct sample {
    int64_t values[3], counts[3];
    size_t count;
} sample;

static int64_t sample_size(const sample *s)
{
    int64_t size = 0;
    for (size_t i = 0; i < s->count; i++)
        size += s->counts[i];
    return size;
}

/* How many are at most value. */
static int64_t at_most(const sample *s, int64_t value)
{
    int64_t found = 0;
    for (size_t i = 0; i < s->count && s->values[i] <= value; i++)
        found += s->counts[i];
    return found;
}

/* The k-th smallest. */
static int64_t k_smallest(const sample *s, int64_t k)
{
    size_t i = 0;
    while (i + 1 < s->count && (k -= s->counts[i]) > 0)
        i++;
    return s->values[i];
}

static const sample first = {{-10, 0, 1}, {5, 3, 2}, 3},
                    second = {{-10, 0, 1}, {6, 2, 2}, 3};

/* A difference of ranks in the first sample, as a share of it. */
static void put_share(lab_working *w, lab_working_part part, int64_t more, int64_t less,
                      const char *how, const char *what)
{
    LAB_QUANTITY(share);
    fmpq_set_si(share.exact, more - less, (ulong)sample_size(&first));
    lab_working_put(w, part, "", &share, how, what);
}

static void erratum_126(lab_working *w)
{
    const int64_t k = 6, a = 1, quantile = k_smallest(&first, k);
    lab_working_say(w, LAB_WORKING_INPUT, "X", "-10 five times, 0 three times, 1 twice");
    lab_working_put_int64(w, LAB_WORKING_INPUT, "k", k, "6", "rank of the quantile");
    lab_working_put_int64(w, LAB_WORKING_INPUT, "a", a, "1", "distance");
    lab_working_put_int64(w, LAB_WORKING_STEP, "Q", quantile, "k-th smallest of X",
                          "quantile");
    lab_working_say(w, LAB_WORKING_CLAIMED, "F(Q - a) - F(Q)", "positive");
    put_share(w, LAB_WORKING_TRUE, at_most(&first, quantile - a),
              at_most(&first, quantile), "F(Q - a) - F(Q)", "by counting");
}

static void erratum_127(lab_working *w)
{
    const int64_t k = 6, a = 1, quantile = k_smallest(&first, k);
    lab_working_say(w, LAB_WORKING_INPUT, "X", "-10 five times, 0 three times, 1 twice");
    lab_working_say(w, LAB_WORKING_INPUT, "Y", "-10 six times, 0 twice, 1 twice");
    lab_working_put_int64(w, LAB_WORKING_INPUT, "k", k, "6", "rank of the quantile");
    lab_working_put_int64(w, LAB_WORKING_INPUT, "a", a, "1", "distance");
    lab_working_input(w, "b = 1/10", "both conditions must exceed this");
    put_share(w, LAB_WORKING_STEP, at_most(&first, quantile + a),
              at_most(&first, quantile), "F(Q + a) - F(Q)", "first condition");
    put_share(w, LAB_WORKING_STEP, at_most(&first, quantile),
              at_most(&first, quantile - a), "F(Q) - F(Q - a)", "second condition");
    lab_working_claimed(w, "a", "distance of the quantiles, at most");
    lab_working_put_int64(w, LAB_WORKING_STEP, "x", quantile, "k-th smallest of X",
                          "quantile of X");
    lab_working_put_int64(w, LAB_WORKING_STEP, "y", k_smallest(&second, k),
                          "k-th smallest of Y", "quantile of Y");
    lab_working_true(w, "abs(x - y)", "distance of the quantiles");
}

static void erratum_128(lab_working *w)
{
    static const sample x = {{0, 10}, {5, 5}, 2}, y = {{0, 10}, {4, 6}, 2};
    lab_working_say(w, LAB_WORKING_INPUT, "X and Y", "0 x5, 10 x5 and 0 x4, 10 x6");
    lab_working_put_int64(w, LAB_WORKING_INPUT, "k", 5, "5", "rank of the quantile");
    lab_working_claimed(w, "abs(5 - 4)", "steps between the quantiles: rows that differ");
    lab_working_put_int64(w, LAB_WORKING_STEP, "x", k_smallest(&x, 5),
                          "k-th smallest of X", "quantile of X");
    lab_working_put_int64(w, LAB_WORKING_STEP, "y", k_smallest(&y, 5),
                          "k-th smallest of Y", "quantile of Y");
    lab_working_true(w, "abs(x - y)", "steps between the quantiles");
}

static void erratum_135(lab_working *w)
{
    static const sample zeros = {{0}, {10}, 1};
    lab_working_say(w, LAB_WORKING_INPUT, "rows", "ten, all 0");
    lab_working_say(w, LAB_WORKING_CLAIMED, "the dataset", "typical");
    lab_working_put_int64(w, LAB_WORKING_STEP, "b", k_smallest(&zeros, 9),
                          "9-th smallest of 10",
                          "quantile in every direction: the body is {0}");
    lab_working_true(w, "(b + b)/2",
                     "radius of the largest ball: half the width of the body");
}

static void erratum_141(lab_working *w)
{
    int64_t best = 0;
    lab_working_say(w, LAB_WORKING_INPUT, "phi and its domain", "x^2 on [-1, 1]");
    lab_working_input(w, "beta = 100", "inverse temperature: density e^(-beta phi)");
    lab_working_claimed(w, "abs(-1)", "|x| that is found: the maximum of phi");
    lab_working_step(w, "exp(-beta*1^2)", "density at -1 and 1, against 1 at 0");
    /* phi in units of 1/100, at tenths: the density is largest where it is least. */
    for (int64_t x = -10, least = INT64_MAX; x <= 10; x++)
        if (x * x < least) {
            least = x * x;
            best = x;
        }
    lab_working_put_int64(w, LAB_WORKING_TRUE, "", best, "search over 21 places",
                          "|x| that is found: the largest density");
}

static const lab_erratum rows[] = {
    {LAB_FACTS(124, "003", "A.1", "typo"), .title = "half-spaces of mass q, not 1 - q",
     .statement = "The body is the intersection of half-spaces of mass at least 1 - q.",
     .counterexample = "q = 9/10: 1/10 stands for 9/10.",
     .correction = "Mass at least q.",

     LAB_STEPS(
         LAB_INPUT("q = 9/10", "q"), LAB_CLAIMED("1 - q", "least mass of a half-space"),
         LAB_TRUE("q", "least mass of a half-space, by the definition of the quantile"))},
    {LAB_FACTS(125, "003", "Definition 16", "ambiguous"),
     .title = "one delta for any distance",
     .statement = "One delta serves pairs of datasets at any distance.",
     .counterexample = "epsilon 1, delta 1e-6, distance 5: delta is 8.57910e-5.",
     .correction = "Distance 1.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("delta = 1e-6", "delta"),
               LAB_INPUT("m = 5", "distance of the datasets"),
               LAB_CLAIMED("delta", "delta at m eps"),
               LAB_TRUE("delta*sum(i, 0, m - 1, exp(i*eps))", "delta at m eps"))},
    {LAB_FACTS(126, "003", "Lemma 18", "false"), .title = "a condition that never holds",
     .statement = "The first condition asks for F(Q - a) - F(Q) above b.",
     .counterexample = "-10 five times, 0 three times, 1 twice, a = 1: the "
                       "difference is -3/10.",
     .correction = "F(Q + a) - F(Q).", LAB_RUNS(erratum_126)},
    {LAB_FACTS(127, "003", "Lemma 18", "false"), .title = "quantiles are not within a",
     .statement = "With the sign repaired, the quantiles are within a.",
     .counterexample = "X = -10 x5, 0 x3, 1 x2 and Y = -10 x6, 0 x2, 1 x2, k = 6: the "
                       "conditions have 1/5 and 3/10, and the quantiles are 10 apart.",
     .correction = "q - F(Q - a) above b.",

     LAB_RUNS(erratum_127)},
    {LAB_FACTS(128, "003", "B.2, Lemma 21, 22", "false"),
     .title = "quantiles on the typical set jump",
     .statement = "On the typical set that counts points, the quantile is Lipschitz.",
     .counterexample = "0 x5, 10 x5 and 0 x4, 10 x6, k = 5: both are typical, "
                       "and the quantiles are 10 apart.",
     .correction = "Conditions on order statistics.",

     LAB_RUNS(erratum_128)},
    {LAB_FACTS(129, "003", "Lemma 20, proof", "gap"), .title = "a net that loses points",
     .statement = "The step to a net keeps all points.",
     .counterexample = "Points at the end 0 of an interval are lost.",
     .correction = "Order statistics."},
    {LAB_FACTS(130, "003", "Lemma 20", "false"), .title = "sign of the covering term",
     .statement = "The exponent is -Theta(W + min(log A, d)).",
     .counterexample = "W = 1, d = 100: more directions would make failure rarer.",
     .correction = "-Theta(W) + min(log A, d).",

     LAB_STEPS(LAB_INPUT("W = 1", "parameter of the typical set, with a constant of 1"),
               LAB_INPUT("d = 100", "dimensions"),
               LAB_INPUT("few = 1", "logarithm of a number of directions"),
               LAB_INPUT("many = 50", "that of more directions, all of which must hold"),
               LAB_STEP("-(W + min(few, d))", "printed exponent for few directions"),
               LAB_CLAIMED("-(W + min(many, d))", "exponent of failure for many"),
               LAB_TRUE("-W + min(many, d)", "exponent of failure for many"))},
    {LAB_FACTS(131, "003", "Lemma 20, proof", "typo"), .title = "an event turned around",
     .statement = "An event has probability below e^(-Theta(n)), and |Q - <c, "
                  "theta>| is at most Rmin/2.",
     .counterexample = "",
     .correction = "At least 1 minus that, and Q - <c, theta> of at least Rmin/2."},
    {LAB_FACTS(132, "003", "Lemma 20, proof", "false"),
     .title = "an inclusion turned around",
     .statement = "The typical set of fewer directions lies within that of all.",
     .counterexample = "More directions allow fewer datasets.",
     .correction = "The typical set of the sphere lies within that of A.",

     LAB_STEPS(
         LAB_INPUT("n = 3", "rows on the corners of a square, 0 or 1 in each column"),
         LAB_INPUT("k = 2", "ones in a column that make its direction typical"),
         LAB_STEP("one = sum(i, k, n, C(n, i))", "columns that are typical"),
         LAB_STEP("one*2^n", "datasets that are typical in the first column"),
         LAB_CLAIMED("one*2^n", "datasets that are typical in both, at least"),
         LAB_TRUE("one^2", "datasets that are typical in both"))},
    {LAB_FACTS(133, "003", "before Lemma 21", "typo"), .title = "Rmin for Rmax",
     .statement = "The range has Rmin.", .counterexample = "", .correction = "Rmax."},
    {LAB_FACTS(134, "003", "(20), Lemma 22", "false"),
     .title = "the branches do not meet", .statement = "The branches meet at r'/2.",
     .counterexample = "K = 1, h = 1, r' = 1/4: they meet at 1/16, not 1/8.",
     .correction = "K (r'/4)^h, and the cases apart.",

     LAB_STEPS(LAB_INPUT("K = 1", "factor"), LAB_INPUT("h = 1", "exponent"),
               LAB_INPUT("r = 1/4", "r'"), LAB_CLAIMED("r/2", "where the branches meet"),
               LAB_TRUE("K*(r/4)^h", "where the branches meet"))},
    {LAB_FACTS(135, "003", "Lemma 24", "false"), .title = "the zeros are not typical",
     .statement = "The dataset of zeros is typical.",
     .counterexample = "All rows 0: the body is the point 0 and has no ball.",
     .correction = "Not used.", LAB_RUNS(erratum_135)},
    {LAB_FACTS(136, "003", "Lemmas 8, 12, 14", "loose"),
     .title = "constants 6, 6 sqrt d and 5",
     .statement = "The constants are 6, 6 sqrt d and 5.",
     .counterexample = "d = 2: C_d = 1.273240 in place of 1.414214.",
     .correction = "4, 4 C_d and 4.",

     LAB_STEPS(LAB_INPUT("d = 2", "dimensions"), LAB_CLAIMED("sqrt(d)", "constant"),
               LAB_STEP("mean = 2/pi", "mean of |cos| over the circle"),
               LAB_TRUE("d*mean", "constant C_d"))},
    {LAB_FACTS(137, "003", "(27)", "false"), .title = "the cost of a coupling",
     .statement = "P(out) E|g|^2 bounds the cost of the coupling.",
     .counterexample = "d = 1, radius 2: 0.0455003 is claimed; 0.261464 is true.",
     .correction = "E[|g|^2; out].",

     LAB_STEPS(LAB_INPUT("r = 2", "radius, in one dimension"),
               LAB_STEP("out = 2*Q(r)", "chance that a normal variable g is outside"),
               LAB_CLAIMED("out*1", "Pr[out] E[g^2], said to bound the cost"),
               LAB_TRUE("out + 2*r*exp(-r^2/2)/sqrt(2*pi)", "E[g^2; out]"))},
    {LAB_FACTS(138, "003", "Lemma 32", "gap"), .title = "a bound that the density lacks",
     .statement = "(20) gives the sure bound 4(Rmax + r).",
     .counterexample =
         "K of at least 5: the radius is 2 K (Rmax + r/2), at least 10 Rmax.",
     .correction = "Project on the ball.",

     LAB_STEPS(LAB_INPUT("K = 5", "factor of (20), at least 5"),
               LAB_INPUT("R = 1", "Rmax"), LAB_INPUT("r = 0", "r"),
               LAB_CLAIMED("4*(R + r)", "bound on the output"),
               LAB_TRUE("2*K*(R + r/2)", "radius of the support of (20)"))},
    {LAB_FACTS(139, "003", "Proposition 33", "false"),
     .title = "Rmax of log-concave laws",
     .statement = "Rmax = ln(1/(2(1 - q))), with its arguments in another order.",
     .counterexample = "Gaussian, q = 3/5: 0.223144 is below the quantile 0.253347.",
     .correction = "1 + ln(1/(2(1 - q))), or sqrt 3 ln(1/(2(1 - q))).",

     LAB_STEPS(LAB_INPUT("q = 3/5", "q, of a standard normal variable"),
               LAB_CLAIMED("ln(1/(2*(1 - q)))", "Rmax, a bound on the quantile"),
               LAB_STEP("1 + ln(1/(2*(1 - q)))", "corrected bound"),
               LAB_STEP("sqrt(3)*ln(1/(2*(1 - q)))", "second corrected bound"),
               LAB_TRUE("root(x, 0, 1, Q(x) - (1 - q))", "quantile"))},
    {LAB_FACTS(140, "003", "Proposition 33", "loose"), .title = "better L and Rmin",
     .statement = "L = (1 - q)/(2 e) and Rmin = q - 1/2.",
     .counterexample = "q = 9/10: 0.0183940 where 0.0494017 is proved.",
     .correction = "0.494 (1 - q) and sqrt 2 (q - 1/2).",

     LAB_STEPS(LAB_INPUT("q = 9/10", "q"),
               LAB_CLAIMED("(1 - q)/(2*exp(1))", "L, a lower bound on the density"),
               LAB_STEP("f = 1/(2*sqrt(3))", "least density at 0"),
               LAB_STEP("sqrt(2)*(q - 1/2)", "Rmin that is proved; q - 1/2 is printed"),
               LAB_TRUE("f*(2 - f)*(1 - q)", "L that is proved"))},
    {LAB_FACTS(141, "003", "D.7", "false"), .title = "low temperature finds the minimum",
     .statement = "Sampling e^(-phi) at low temperature finds the maximum of "
                  "phi; the text cites \"Corollary 5\".",
     .counterexample = "phi = x^2 on [-1, 1]: it finds 0, not -1 or 1.",
     .correction = "The minimum; Corollary 15.",

     LAB_RUNS(erratum_141)},
    {LAB_FACTS(142, "003", "(29), 37, 38", "typo"), .title = "exp is missing",
     .statement = "exp is missing in Z_X, and the claims say \"X in H\".",
     .counterexample = "", .correction = "All inputs."},
    {LAB_FACTS(143, "003", "Theorems 19, 26; Lemma 22", "unreadable"),
     .title = "sample sizes that cannot be read",
     .statement = "The sample sizes cannot be read in the scan.", .counterexample = "",
     .correction = "Not used."},
    {LAB_FACTS(144, "003", "A.1, existence", "ambiguous"),
     .title = "existence at the boundary",
     .statement = "The body always exists from q = 1 - 1/(d + 1) on; the scan "
                  "does not show whether the inequality is strict.",
     .counterexample =
         "d = 2, q = 2/3, three atoms: the body is empty, with radius -0.293.",
     .correction = "The strict inequality.",

     LAB_STEPS(LAB_SAY(INPUT, "atoms, each of mass 1/3", "(0,0), (1,0), (0,1)"),
               LAB_INPUT("q = 2/3", "q: the second largest of three projections"),
               LAB_SAY(CLAIMED, "the body", "body not empty"),
               LAB_STEP("c = sqrt(1^2 + 1^2)",
                        "longest side of the triangle; the others are 1"),
               LAB_STEP("r = 1*1/(1 + 1 + c)",
                        "radius of its inner circle: twice the area by the sides"),
               LAB_TRUE("-r",
                        "largest radius of a ball: the body lies outside of every side; "
                        "below 0, so empty"))},
};

const lab_errata_section lab_errata_floating = LAB_ERRATA_SECTION(rows);
