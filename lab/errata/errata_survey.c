/* Errata of document 002, chapters 1 to 6: definitions, noise, selection, sparse vectors. */
#include "lab/errata/errata.h"

/* Chance that the query of value 0 with noise of scale 1 exceeds eight queries of value m with noise of
 * scale 10: the integral of its density times F^8, by pieces. */
#define WINS(m)                                                                          \
    "exp(-8*" #m "/10)/2^9*(1/(1 + 8/10) + (1 - exp(-" #m "/5))*5) + "                   \
    "exp(-" #m ")/2*sum(j, 0, 8, C(8, j)*(-1/2)^j/(1 + j/10))"

static void erratum_63(lab_working *w)
{
    LAB_QUANTITY(divergence);
    lab_working_say(w, LAB_WORKING_INPUT, "Y and Z",
                    "uniform on 1..100, uniform on 101..200");
    lab_working_input(w, "delta = 1/50", "delta");
    lab_working_claimed(w, "sum(y, 1, 100, max(0, min(1, ceil(1/100 - delta))))",
                        "points with more mass than delta: none, so the divergence is 0");
    lab_working_step(w, "p = sum(y, 1, 100, 1/100)", "mass of the event 1..100 under Y");
    lab_working_step(w, "q = sum(y, 1, 100, 0)", "the same under Z");
    lab_working_step(w, "p - delta", "what remains of p");
    if (lab_working_integer(w, "q") == 0) {
        arb_pos_inf(divergence.ball);
        divergence.is_exact = false;
    }
    lab_working_put(w, LAB_WORKING_TRUE, "", &divergence, "ln((p - delta)/q)",
                    "divergence over events: q is 0");
}

/* m answers "below" and m "above", without a halt. On one database every query is 0; on the other the
 * first m are 1 and the last m are -1. With y = e^(-t/4) of the threshold t both chances are integrals of
 * polynomials: shared = 2^-m times the integral of u^(m + 1) (1 - u/2)^m over [0, 1]. */
static void put_unhalted(lab_working *w, const char *const formulas[3], const char *what)
{
    lab_working_step(w, formulas[0], "integral of u^(m + 1) (1 - u/2)^m/2^m over [0, 1]");
    lab_working_step(w, formulas[1], "chance of the answers on the first database");
    lab_working_step(w, formulas[2], what);
}

static void erratum_67(lab_working *w)
{
    static const char *const few[] = {
        "s = sum(j, 0, m, C(m, j)*(-1/2)^j/(m + 2 + j))/2^m", "p = 2*s",
        "q = exp(-m/2)/4^m*(1 - exp(-1/2)) + 2*exp(-(m + 1)/2)*s"};
    static const char *const many[] = {
        "s2 = sum(j, 0, 128, C(128, j)*(-1/2)^j/(130 + j))/2^128", "p2 = 2*s2",
        "q2 = exp(-64)/4^128*(1 - exp(-1/2)) + 2*exp(-129/2)*s2"};
    lab_working_input(w, "eps = 1", "epsilon; noise of scales 2 and 4");
    lab_working_input(w, "m = 3", "answers below, then as many above: six queries");
    lab_working_claimed(w, "eps", "largest loss");
    put_unhalted(w, many, "on the second one; 128 answers of each kind");
    lab_working_step(w, "ln(p2/q2)", "loss of 256 queries");
    put_unhalted(w, few, "on the second one");
    lab_working_true(w, "ln(p/q)", "loss of six queries");
}

/* The number of the query at which a run halts: the c-th that is above the threshold, as the offsets are
 * far beyond the noise; 0 if it does not halt. */
static int64_t halting_query(const int64_t *offsets, size_t count, int64_t c)
{
    for (size_t i = 0; i < count; i++)
        if (offsets[i] > 0 && --c == 0)
            return (int64_t)i + 1;
    return 0;
}

static void erratum_73(lab_working *w)
{
    const int64_t offsets[] = {1000, -1000};
    const int64_t last = halting_query(offsets, 2, 1);
    lab_working_input(w, "c = 1", "answers above that a run gives");
    lab_working_input(w, "eps = 1", "epsilon; noise of scales 2 and 4");
    lab_working_say(w, LAB_WORKING_INPUT, "queries", "T + 1000, T - 1000");
    lab_working_step(w, "near = sum(i, 0, 1, min(1, max(0, 1000 - 2000*i)))",
                     "queries near or above the threshold: not more than c");
    lab_working_say(w, LAB_WORKING_CLAIMED, "the run", "does not halt early");
    lab_working_step(w, "(16*exp(-1000/4) - 4*exp(-1000/2))/(2*(16 - 4))",
                     "chance that noise hides an offset of 1000");
    lab_working_put_int64(w, LAB_WORKING_STEP, "last", last, "simulation without noise",
                          "query at which the run halts");
    lab_working_say(w, LAB_WORKING_TRUE, "the run", "halts at query %d", (int)last);
}

static const lab_erratum rows[] = {
    {LAB_FACTS(35, "002", "1.1.1", "typo"),
     .title = "k rows of any or of every combination",
     .statement = "k-anonymity asks for k rows of any combination of quasi-identifiers.",
     .counterexample = "A combination that no row has would need k rows.",
     .correction = "Any combination that occurs."},
    {LAB_FACTS(36, "002", "1.3.1", "false"), .title = "31 triples of male ages, not 30",
     .statement = "There are 30 triples of male ages with the published median and mean.",
     .counterexample = "Ages 0 to 125, median 30, sum 132: there are 31.",
     .correction = "31.",

     LAB_STEPS(
         LAB_INPUT("oldest = 125", "ages are 0 to 125"),
         LAB_INPUT("median = 30", "of three males"),
         LAB_INPUT("total = 132", "sum of their ages: three times the mean 44"),
         LAB_CLAIMED("30", "triples, as printed"),
         LAB_TRUE("sum(a, 0, median, sum(b, median, oldest, max(0, 1 - abs(a + median "
                  "+ b - total))))",
                  "pairs a <= median <= b with the right sum, counted"))},
    {LAB_FACTS(37, "002", "1.3.1", "false"), .title = "ways to choose three ages",
     .statement = "Three ages can be chosen in C(125, 3) = 317,750 ways.",
     .counterexample = "Multisets of three of 126 ages: 341,376.",
     .correction = "C(128, 3).",

     LAB_STEPS(LAB_INPUT("values = 126", "ages 0 to 125"),
               LAB_CLAIMED("C(values - 1, 3)", "ways to choose three ages"),
               LAB_STEP("sum(a, 1, values, sum(b, a, values, values - b + 1))",
                        "triples a <= b <= c, counted"),
               LAB_TRUE("C(values + 2, 3)", "multisets of three ages"))},
    {LAB_FACTS(38, "002", "Theorem 2.1", "typo"), .title = "m for n in Chernoff's bound",
     .statement = "The bound has m for n.", .counterexample = "", .correction = "n."},
    {LAB_FACTS(39, "002", "Theorem 2.2", "false"),
     .title = "tail bounds without the mean",
     .statement = "The multiplicative tail bounds hold without the mean mu, with "
                  "an additional 2.",
     .counterexample = "n = 100, mu = 1/100, epsilon 1: 1.11438e-29 is claimed; "
                       "0.0793732 is true.",
     .correction = "exp(-n mu epsilon^2/3) above and exp(-n mu epsilon^2/2) below.",

     LAB_STEPS(LAB_INPUT("n = 100", "independent bits"),
               LAB_INPUT("mu = 1/100", "chance of each"),
               LAB_INPUT("eps = 1", "relative deviation"),
               LAB_CLAIMED("exp(-2*n*eps^2/3)", "bound on the upper tail"),
               LAB_STEP("top = n*mu*(1 + eps)", "the sum exceeds this"),
               LAB_TRUE("1 - sum(k, 0, top, C(n, k)*mu^k*(1 - mu)^(n - k))",
                        "chance that it does"),
               LAB_STEP("exp(-n*mu*eps^2/3)", "corrected bound"))},
    {LAB_FACTS(40, "002", "Theorem 2.2", "false"),
     .title = "the upper tail beyond epsilon 1",
     .statement = "The upper tail is at most exp(-n mu epsilon^2/3) for every epsilon.",
     .counterexample = "n = 1000, mu = 1/100, epsilon 4: 6.88062e-24 is claimed; "
                       "1.55570e-20 is true.",
     .correction = "epsilon of at most 1.",

     LAB_STEPS(LAB_INPUT("n = 1000", "independent bits"),
               LAB_INPUT("mu = 1/100", "chance of each"),
               LAB_INPUT("eps = 4", "relative deviation"),
               LAB_CLAIMED("exp(-n*mu*eps^2/3)", "bound on the upper tail"),
               LAB_STEP("top = n*mu*(1 + eps)", "the sum exceeds this"),
               LAB_TRUE("1 - sum(k, 0, top, C(n, k)*mu^k*(1 - mu)^(n - k))",
                        "chance that it does"))},
    {LAB_FACTS(41, "002", "Theorem 2.3", "false"),
     .title = "a sum bound without independence",
     .statement = "The bound on a sum needs no independence.",
     .counterexample = "100 copies of one fair bit with values 0 and 1/100: "
                       "2.79389e-21 is claimed; the deviation is certain.",
     .correction = "Independent terms; alpha needs no range.",

     LAB_STEPS(
         LAB_INPUT("n = 100", "copies of one fair bit, each worth 0 or 1/n"),
         LAB_INPUT("alpha = 49/100", "deviation of the sum from 1/2"),
         LAB_CLAIMED("2*exp(-2*alpha^2*n)", "bound on the chance of that deviation"),
         LAB_TRUE("sum(b, 0, 1, 1/2*min(1, ceil(max(0, abs(n*b/n - 1/2) - alpha))))",
                  "chance that the sum deviates by more than alpha"))},
    {LAB_FACTS(42, "002", "Theorem 2.5", "unproved"),
     .title = "Azuma's theorem without proof",
     .statement = "A general concentration theorem is stated without proof.",
     .counterexample = "",
     .correction = "Used and checked for sums of independent bits only."},
    {LAB_FACTS(43, "002", "3.4.1", "ambiguous"),
     .title = "Warner's design, and one name for two",
     .statement = "The two-coin form is called Warner's, and n(X) is both the "
                  "true and the reported number.",
     .counterexample = "", .correction = "n(X) is the true number."},
    {LAB_FACTS(44, "002", "Definition 3.4", "false"),
     .title = "a replaced record is at distance 2",
     .statement = "Databases with one replaced record are at l1 distance 1.",
     .counterexample = "Counts (1, 0) and (0, 1): distance 2.", .correction = "2.",

     LAB_STEPS(LAB_SAY(INPUT, "counts with one record replaced", "(1, 0), (0, 1)"),
               LAB_CLAIMED("1", "l1 distance, as printed"),
               LAB_TRUE("abs(1 - 0) + abs(0 - 1)", "l1 distance"))},
    {LAB_FACTS(45, "002", "Definition 3.5", "typo"), .title = "delta many subjects",
     .statement = "The definition says \"delta many subjects\".", .counterexample = "",
     .correction = "delta n subjects."},
    {LAB_FACTS(46, "002", "Definition 3.6", "false"),
     .title = "delta is no chance of a large loss",
     .statement = "(epsilon, delta)-privacy means that the loss exceeds epsilon "
                  "with probability at most delta.",
     .counterexample =
         "Randomised response at epsilon 1 is (0.99, 0.00727415)-private, and "
         "its loss exceeds 0.99 with probability 0.731059.",
     .correction = "At e' above epsilon the probability is at most delta/(1 - "
                   "e^(epsilon - e')).",

     LAB_STEPS(
         LAB_INPUT("e0 = 1", "epsilon of randomised response"),
         LAB_INPUT("eps = 99/100", "epsilon of the statement"),
         LAB_STEP("p = exp(e0)/(1 + exp(e0))", "chance of the true answer"),
         LAB_CLAIMED("max(0, p - exp(eps)*(1 - p))",
                     "delta at epsilon: a bound on the chance of a larger loss"),
         LAB_STEP("loss = ln(p/(1 - p))", "loss of a true answer, larger than epsilon"),
         LAB_TRUE("p", "chance that the loss exceeds epsilon"))},
    {LAB_FACTS(47, "002", "Theorem 3.8", "typo"), .title = "group privacy, pure alone",
     .statement =
         "Group privacy has a wrong subset sign, and only pure privacy is shown.",
     .counterexample = "", .correction = "delta (e^(k epsilon) - 1)/(e^epsilon - 1)."},
    {LAB_FACTS(48, "002", "3.4.3, relation", "false"),
     .title = "a ratio compared with epsilon",
     .statement = "The ratio of two probabilities is compared with epsilon.",
     .counterexample = "Equal probabilities have ratio 1, which is above epsilon = 1/2.",
     .correction = "Compare with e^epsilon.",

     LAB_STEPS(LAB_INPUT("alpha = 1/2", "one probability"),
               LAB_INPUT("beta = 1/2", "the other probability"),
               LAB_INPUT("eps = 1/2", "epsilon"),
               LAB_STEP("alpha/beta", "their ratio: no privacy loss"),
               LAB_CLAIMED("eps", "the ratio must be at most"),
               LAB_TRUE("exp(eps)", "the ratio must be at most"))},
    {LAB_FACTS(49, "002", "3.4.3, triangle", "false"),
     .title = "triangle inequality with two deltas",
     .statement = "Two steps of (epsilon1, delta1) and (epsilon2, delta2) are "
                  "(epsilon1 + epsilon2, delta1 + delta2).",
     .counterexample = "Chances 11/20, 1/4 and 1/10 with (ln 2, 1/20) twice: "
                       "delta is 3/20, not 1/10.",
     .correction = "delta1 + e^epsilon1 delta2.",

     LAB_STEPS(
         LAB_SAY(INPUT, "chances of one event under three databases", "11/20, 1/4, 1/10"),
         LAB_INPUT("r = 2", "e^epsilon of each step: epsilon = ln 2"),
         LAB_STEP("d1 = 11/20 - r*1/4", "delta of the first step"),
         LAB_STEP("d2 = 1/4 - r*1/10", "delta of the second step"),
         LAB_CLAIMED("d1 + d2", "delta of both"),
         LAB_TRUE("11/20 - r^2*1/10", "delta of both"),
         LAB_STEP("d1 + r*d2", "corrected rule"))},
    {LAB_FACTS(50, "002", "4.1.1", "typo"), .title = "missing norms and neighbours",
     .statement = "The l1 norm is missing for vectors, and the l2 sensitivity "
                  "does not say \"neighbours\".",
     .counterexample = "For the identity the supremum over all pairs is infinite.",
     .correction = "The supremum over neighbours."},
    {LAB_FACTS(51, "002", "Algorithms 1, 3, 4", "gap"),
     .title = "sensitivity as a maximum over all data",
     .statement = "The algorithms compute the sensitivity as a maximum over all "
                  "databases; Algorithm 3 lacks delta.",
     .counterexample = "", .correction = "Sensitivity and delta are inputs."},
    {LAB_FACTS(52, "002", "Theorem 4.2, proof", "typo"),
     .title = "k e^(-k/delta) in a proof", .statement = "The proof has k e^(-k/delta).",
     .counterexample = "k = 10, delta 1/20: e^(-200) stands for e^(-ln 200) = 1/200.",
     .correction = "k e^(-ln(k/delta)); the statement holds.",

     LAB_STEPS(LAB_INPUT("k = 10", "queries"),
               LAB_INPUT("delta = 1/20", "chance of failure"),
               LAB_CLAIMED("k*exp(-k/delta)", "chance of failure, as printed"),
               LAB_TRUE("k/(k/delta)", "chance of failure: k e^(-ln(k/delta))"))},
    {LAB_FACTS(53, "002", "Algorithm 2", "false"),
     .title = "noise by each query's own sensitivity",
     .statement = "In the noisy maximum each query gets noise by its own sensitivity.",
     .counterexample = "Queries (0, 20 eight times) and (0, 30 eight times) with "
                       "scales 1 and 10: the loss is 7.99267 at epsilon 1.",
     .correction = "One common scale.",

     LAB_STEPS(LAB_SAY(INPUT, "queries on two neighbours",
                       "(0, 20 eight times) and (0, 30 eight times)"),
               LAB_SAY(INPUT, "Laplace noise by their own sensitivity",
                       "scale 1 for the first, 10 for the others"),
               LAB_INPUT("eps = 1", "epsilon"), LAB_CLAIMED("eps", "largest loss"),
               LAB_STEP("p = " WINS(20), "chance that the first query wins, at 20"),
               LAB_STEP("q = " WINS(30), "the same at 30"),
               LAB_TRUE("ln(p/q)", "loss of that outcome"))},
    {LAB_FACTS(54, "002", "Theorem 4.3", "false"),
     .title = "noisy maximum needs twice the noise",
     .statement = "The noisy maximum with Laplace noise of scale D/epsilon is "
                  "epsilon-DP for all queries.",
     .counterexample = "Two queries whose gap goes from 0 to 2: the loss is "
                       "1.306853 at epsilon 1, and it tends to 2.",
     .correction = "Only for monotone queries under add-remove; else scale 2 D/epsilon.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon; two queries with Laplace noise of scale 1/eps"),
         LAB_SAY(INPUT, "how far the first is behind the second",
                 "0, then 2: each moves by 1"),
         LAB_CLAIMED("eps", "largest loss"),
         LAB_STEP("p0 = exp(-eps*0)*(2 + eps*0)/4",
                  "chance that the first wins, 0 behind"),
         LAB_STEP("p2 = exp(-eps*2)*(2 + eps*2)/4", "2 behind"),
         LAB_STEP("p4 = exp(-eps*4)*(2 + eps*4)/4", "4 behind"),
         LAB_STEP("ln(p2/p4)", "loss from 2 to 4"),
         LAB_TRUE("ln(p0/p2)", "loss from 0 to 2"))},
    {LAB_FACTS(55, "002", "4.1.1, Gaussian", "false"),
     .title = "the Gaussian formula beyond epsilon 1",
     .statement = "sigma = sqrt(2 ln(1.25/delta))/epsilon is private for every epsilon.",
     .counterexample = "epsilon 10, delta 1e-5: delta is 2.26537e-5. The formula "
                       "fails from epsilon 8.41977 on.",
     .correction = "Exact calibration.",

     LAB_STEPS(
         LAB_INPUT("eps = 10", "epsilon"), LAB_INPUT("delta = 1e-5", "delta"),
         LAB_STEP("s = sqrt(2*ln(1.25/delta))/eps", "sigma by the formula"),
         LAB_CLAIMED("delta", "delta at epsilon"),
         LAB_STEP(
             "root(e, 5, 10, Q(sqrt(2*ln(1.25/delta)) - e/(2*sqrt(2*ln(1.25/delta)))) "
             "- exp(e)*Q(sqrt(2*ln(1.25/delta)) + e/(2*sqrt(2*ln(1.25/delta)))) - delta)",
             "epsilon from which the formula fails"),
         LAB_TRUE("Q(eps*s - 1/(2*s)) - exp(eps)*Q(eps*s + 1/(2*s))",
                  "delta at epsilon: exact curve of Gaussian noise"))},
    {LAB_FACTS(56, "002", "4.1.1, remark", "false"),
     .title = "Gaussian noise is not always smaller",
     .statement = "Gaussian noise is smaller than Laplace noise.",
     .counterexample = "One number at (1, 1e-5): deviation 4.84481, at best "
                       "3.73063, against 1.41421.",
     .correction = "From 7 queries on.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon, of one number with sensitivity 1"),
         LAB_INPUT("delta = 1e-5", "delta of the Gaussian noise"),
         LAB_SAY(CLAIMED, "standard deviations", "Gaussian below Laplace"),
         LAB_STEP("sqrt(2)/eps", "deviation of Laplace noise"),
         LAB_STEP(
             "root(s, 1, 5, Q(eps*s - 1/(2*s)) - exp(eps)*Q(eps*s + 1/(2*s)) - delta)",
             "least deviation of Gaussian noise"),
         LAB_TRUE("sqrt(2*ln(1.25/delta))/eps",
                  "deviation of Gaussian noise by the formula"))},
    {LAB_FACTS(57, "002", "4.1.2", "typo"), .title = "names, and neighbours left out",
     .statement = "Authors' names are misspelt, the revenue score has sensitivity 1, and "
                  "the sensitivity of the score does not say \"neighbours\".",
     .counterexample = "Prices up to 10: the sensitivity of revenue is 10.",
     .correction = "The largest price.",

     LAB_STEPS(LAB_INPUT("top = 10", "largest price"),
               LAB_CLAIMED("1", "sensitivity of revenue"),
               LAB_TRUE("most(price, 0, top, price*(1 - 0))",
                        "sensitivity: one buyer more at the worst price"))},
    {LAB_FACTS(58, "002", "4.1.2", "false"),
     .title = "exponential is not precisely Laplace",
     .statement = "The exponential mechanism with score -|f - h| is precisely "
                  "the Laplace mechanism.",
     .counterexample = "At epsilon 1 its standard deviation is 2.828427, not 1.414214.",
     .correction = "It is the Laplace mechanism at epsilon/2.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("D = 1", "sensitivity"),
               LAB_CLAIMED("sqrt(2)*D/eps",
                           "standard deviation: that of the Laplace mechanism"),
               LAB_STEP("b = 2*D/eps", "the density falls as exp(-|z|/b)"),
               LAB_TRUE("sqrt(2*b^3/b)",
                        "its standard deviation: integral of z^2 exp(-|z|/b)/(2 b)"))},
    {LAB_FACTS(59, "002", "Theorem 4.5, proof", "typo"),
     .title = "a sign in the proof of utility", .statement = "t has the wrong sign.",
     .counterexample = "", .correction = "The statement holds."},
    {LAB_FACTS(60, "002", "4.1.2, comparison", "misleading"),
     .title = "exponential or noisy maximum on two counts",
     .statement = "The exponential mechanism is preferred to the noisy maximum "
                  "on two counts.",
     .counterexample =
         "Counts 10 apart at epsilon 1: as printed it errs with probability 0.00669285, "
         "the noisy maximum with 0.000136200. Used for counts, it errs with "
         "0.0000453979.",
     .correction = "Counts are monotone, which gives both mechanisms twice the epsilon: "
                   "the preference holds, and not for the printed form.",

     LAB_STEPS(
         LAB_INPUT("c = 10", "difference of two counts"), LAB_INPUT("eps = 1", "epsilon"),
         LAB_CLAIMED(
             "1/(1 + exp(c*eps/2))",
             "chance that the exponential mechanism errs, for scores of any kind"),
         LAB_STEP("m = exp(-c*eps)*(2 + c*eps)/4",
                  "chance that the noisy maximum errs, for counts, which are monotone"),
         LAB_TRUE("1/(1 + exp(c*eps))",
                  "chance that the exponential mechanism errs, for counts as well"))},
    {LAB_FACTS(61, "002", "Theorem 4.7", "gap"),
     .title = "one-sided noise, monotone alone",
     .statement = "The proof covers monotone counts with a shift of 1, and calls "
                  "a rate a parameter.",
     .counterexample = "",
     .correction = "The statement is true; the general case needs a shift of 2 D."},
    {LAB_FACTS(62, "002", "Definition 5.1", "typo"),
     .title = "a sum too many on log sums",
     .statement = "The line on log sums has a sum before the logarithm of the sums.",
     .counterexample = "", .correction = "(sum of y) ln((sum of y)/(sum of z)), once."},
    {LAB_FACTS(63, "002", "Definition 5.2", "false"),
     .title = "max divergence over points",
     .statement = "The approximate max divergence is a maximum over points.",
     .counterexample =
         "Uniform on 1 to 100 against 101 to 200, delta 1/50: no point has more "
         "than delta, so it says 0; the true value is infinite.",
     .correction = "A supremum over events: the root of the hockey-stick divergence.",
     LAB_RUNS(erratum_63)},
    {LAB_FACTS(64, "002", "Lemma 5.4(2)", "false"),
     .title = "both directions of max divergence",
     .statement = "One direction of the max divergence of Y' and Z' suffices.",
     .counterexample = "Y = (1/2, 1/2, 0), Z = (1/4, 1/4, 1/2) at ln 2: the "
                       "other direction has delta 1/2.",
     .correction = "Both directions.",

     LAB_STEPS(
         LAB_SAY(INPUT, "Y and Z", "(1/2, 1/2, 0) and (1/4, 1/4, 1/2)"),
         LAB_INPUT("r = 2", "e^epsilon: epsilon = ln 2"),
         LAB_CLAIMED("max(0, 1/2 - r*1/4) + max(0, 1/2 - r*1/4) + max(0, 0 - r*1/2)",
                     "delta of Y against Z, said to suffice"),
         LAB_TRUE("max(0, 1/4 - r*1/2) + max(0, 1/4 - r*1/2) + max(0, 1/2 - r*0)",
                  "delta of Z against Y"))},
    {LAB_FACTS(65, "002", "Lemma 5.5", "loose"),
     .title = "KL of a pair is epsilon tanh(epsilon/2)",
     .statement = "The KL divergence of an epsilon-DP pair is at most epsilon "
                  "(e^epsilon - 1).",
     .counterexample = "At epsilon 1 the claim is 1.718282; the exact value is 0.462117.",
     .correction = "epsilon tanh(epsilon/2).",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon"),
         LAB_CLAIMED("eps*(exp(eps) - 1)", "bound on the KL divergence"),
         LAB_STEP("p = exp(eps)/(1 + exp(eps))", "randomised response, the worst case"),
         LAB_TRUE("p*ln(p/(1 - p)) + (1 - p)*ln((1 - p)/p)", "its KL divergence"))},
    {LAB_FACTS(66, "002", "Theorems 5.8, 5.9, proofs", "typo"),
     .title = "constants of two proofs",
     .statement = "The proofs have epsilon^epsilon' and wrong constants of "
                  "Azuma's inequality.",
     .counterexample = "", .correction = "The statements hold."},
    {LAB_FACTS(67, "002", "Algorithm 5", "false"),
     .title = "AboveThreshold without its halt",
     .statement = "AboveThreshold without its halt is epsilon-DP.",
     .counterexample =
         "epsilon 1, six queries: the loss is 1.318637; with 256 it is 62.8.",
     .correction = "Halt at the first \"above\".",

     LAB_RUNS(erratum_67)},
    {LAB_FACTS(68, "002", "Theorem 6.1, proof", "gap"),
     .title = "the output without any above",
     .statement = "The proof writes v_k for q_k(x) + v_k, and does not treat the "
                  "output without any \"above\".",
     .counterexample = "", .correction = "The statement holds with the halt."},
    {LAB_FACTS(69, "002", "Definitions 6.2, 6.7", "ambiguous"),
     .title = "beta covers halting alone",
     .statement = "The probability beta covers the halting condition only.",
     .counterexample = "", .correction = "All conditions."},
    {LAB_FACTS(70, "002", "Theorem 6.3, proof", "typo"),
     .title = "slips in a proof of accuracy",
     .statement = "The proof has \"with probability beta\", alpha <= and "
                  "unbalanced parentheses.",
     .counterexample = "", .correction = "The statement holds."},
    {LAB_FACTS(71, "002", "Algorithms 6, 7", "typo"),
     .title = "threshold 0 is used before it is drawn",
     .statement = "The noisy threshold of index 0 is used before it is drawn.",
     .counterexample = "", .correction = "Draw it first."},
    {LAB_FACTS(72, "002", "Theorem 6.4", "gap"), .title = "composition for every epsilon",
     .statement = "The composition step holds for every epsilon.",
     .counterexample = "epsilon 30, delta 1/10, c = 60: delta is 0.105876.",
     .correction = "It needs c e0 (e^e0 - 1) of at most epsilon/2.",

     LAB_STEPS(LAB_INPUT("eps = 30", "epsilon"), LAB_INPUT("delta = 1/10", "delta"),
               LAB_INPUT("c = 60", "runs that are composed"),
               LAB_STEP("e0 = eps/sqrt(8*c*ln(1/delta))", "epsilon of each run"),
               LAB_STEP("c*e0*(exp(e0) - 1) - eps/2", "condition: at most 0"),
               LAB_CLAIMED("delta", "delta of all runs at epsilon"),
               LAB_TRUE("sum(j, 0, c, max(0, C(c, j)*(exp(j*e0) - exp(eps + (c - "
                        "j)*e0))))/(1 + exp(e0))^c",
                        "delta by optimal composition"))},
    {LAB_FACTS(73, "002", "Theorems 6.5, 6.8", "false"), .title = "runs that halt early",
     .statement = "The algorithm does not halt early if at most c queries are "
                  "near or above the threshold.",
     .counterexample =
         "c = 1 and queries T + 1000, T - 1000: it halts at the first query.",
     .correction = "Fewer than c.",

     LAB_RUNS(erratum_73)},
    {LAB_FACTS(74, "002", "Algorithm 7, line 2", "false"),
     .title = "29 epsilon for 2 epsilon/9",
     .statement = "The answers get 29 epsilon, which stands for 2 epsilon/9.",
     .counterexample = "One answer costs 29/2 epsilon; with Sparse it is 277/18 epsilon.",
     .correction = "epsilon2 = 2 epsilon/9.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("c = 1", "answers"),
         LAB_CLAIMED("eps", "cost"), LAB_STEP("e1 = 8*eps/9", "share of the comparisons"),
         LAB_STEP("e2 = 29*eps", "printed parameter of the answers"),
         LAB_STEP("answer = 1/(2*c/e2)", "cost of one answer: noise of scale 2 c/e2"),
         LAB_TRUE("e1 + answer", "cost"))},
    {LAB_FACTS(75, "002", "Algorithm 7, lines 5, 6", "false"),
     .title = "answers whose noise lacks epsilon",
     .statement = "The noise of the answers lacks epsilon in epsilon2.",
     .counterexample = "epsilon 1/1000, delta 1e-6, c = 1: the loss is "
                       "0.00402583, and delta at 1/1000 is 0.00151177.",
     .correction = "Scale by epsilon and ln(2/delta).",

     LAB_STEPS(LAB_INPUT("eps = 1/1000", "epsilon"), LAB_INPUT("delta = 1e-6", "delta"),
               LAB_INPUT("c = 1", "answers"),
               LAB_STEP("e2 = 2/(sqrt(512) + 1)",
                        "printed parameter of the answers, without eps"),
               LAB_STEP("scale = sqrt(32*c*ln(1/delta))/e2", "scale of their noise"),
               LAB_CLAIMED("eps", "largest loss"),
               LAB_STEP("1 - exp((eps - 1/scale)/2)", "delta at eps of one answer"),
               LAB_TRUE("1/scale", "loss of one answer"))},
    {LAB_FACTS(76, "002", "Theorem 6.8, delta > 0", "false"),
     .title = "alpha leaves the answers' noise out",
     .statement = "alpha leaves out the noise of the answers, and has (sqrt 512 "
                  "+ 1) under the root.",
     .counterexample = "k = 10, c = 1, beta 1/20, delta 1e-6: 123.765 fails with "
                       "probability 0.614953; 939.008 is needed.",
     .correction = "The maximum of two terms.",

     LAB_STEPS(
         LAB_INPUT("k = 10", "queries"), LAB_INPUT("c = 1", "answers"),
         LAB_INPUT("beta = 1/20", "chance of failure"),
         LAB_INPUT("delta = 1e-6", "delta"), LAB_INPUT("eps = 1", "epsilon"),
         LAB_STEP("r = sqrt(512)", "square root of 512"),
         LAB_STEP("scale = sqrt(32*c*ln(2/delta))*(r + 1)/(2*eps)",
                  "scale of an answer's noise"),
         LAB_STEP("printed = (ln(k) + ln(4*c/beta))*sqrt(c*ln(2/delta)*(r + 1))/eps",
                  "printed alpha"),
         LAB_STEP("moved = (ln(k) + ln(4*c/beta))*sqrt(c*ln(2/delta))*(r + 1)/eps",
                  "alpha with the factor outside the root"),
         LAB_STEP("exp(-moved/scale)", "chance that an answer errs by more than that"),
         LAB_STEP("max(moved, sqrt(8)*(r + 1)*sqrt(c*ln(2/delta))*ln(2*c/beta)/eps)",
                  "corrected alpha"),
         LAB_CLAIMED("beta", "chance that an answer errs by more than the printed alpha"),
         LAB_TRUE("exp(-printed/scale)",
                  "chance that an answer errs by more than the printed alpha"))},
    {LAB_FACTS(77, "002", "Theorem 6.8, delta = 0", "typo"),
     .title = "with probability beta/2",
     .statement = "The proof says \"with probability beta/2\".", .counterexample = "",
     .correction = "1 - beta/2; the bound holds."},
    {LAB_FACTS(78, "002", "6.2.1", "gap"), .title = "normalised queries of no rows",
     .statement = "A normalised query has sensitivity 1/n, which needs n of at "
                  "least 1; the chain of inequalities is garbled.",
     .counterexample = "", .correction = "Release sum and count."},
    {LAB_FACTS(79, "002", "6.2.2", "false"), .title = "SmallDB refuses no repetition",
     .statement = "SmallDB refuses repeated queries.",
     .counterexample = "Its output is a database: any query can be asked of it twice.",
     .correction = "The ledger answers repetitions.",

     LAB_STEPS(LAB_INPUT("x = 30", "rows of one type in the database that it gives"),
               LAB_INPUT("y = 40", "rows of another type"),
               LAB_STEP("first = x + y", "the query for both, asked of it"),
               LAB_SAY(CLAIMED, "the same query, asked again", "refused"),
               LAB_TRUE("x + y", "the same query, asked again"))},
    {LAB_FACTS(80, "002", "Algorithm 8, Theorem 6.10", "false"),
     .title = "rows that one query needs",
     .statement = "A database of log|Q|/alpha^2 rows answers all queries of Q.",
     .counterexample = "One query: 0 rows.",
     .correction = "floor(ln(2|Q|)/(2 alpha^2)) + 1.",

     LAB_STEPS(LAB_INPUT("q = 1", "queries"),
               LAB_INPUT("alpha = 1", "error that is allowed"),
               LAB_CLAIMED("ln(q)/alpha^2", "rows that suffice"),
               LAB_TRUE("floor(ln(2*q)/(2*alpha^2)) + 1", "rows that suffice"))},
    {LAB_FACTS(81, "002", "Theorem 6.11", "gap"),
     .title = "counts of databases, and some beta",
     .statement = "There are N^m databases of m rows, and the bound holds for some beta.",
     .counterexample = "N = 2, m = 2: 3 multisets, not 4.",
     .correction = "C(N + m - 1, m), and every beta in (0, 1].",

     LAB_STEPS(LAB_INPUT("N = 2", "types of rows"), LAB_INPUT("m = 2", "rows"),
               LAB_CLAIMED("N^m", "databases"),
               LAB_STEP("sum(a, 1, N, sum(b, a, N, 1))", "pairs a <= b, counted"),
               LAB_TRUE("C(N + m - 1, m)", "multisets"))},
    {LAB_FACTS(82, "002", "Theorem 6.12", "false"),
     .title = "the error bound beyond alpha 1",
     .statement = "The error bound of SmallDB holds for every alpha.",
     .counterexample = "Two types half and half, n = 10^9, alpha = 1: the error "
                       "is at least 0.1 where 0.0029 is stated.",
     .correction = "alpha the root of the cubic, run at alpha/2.",

     LAB_STEPS(LAB_INPUT("N = 2", "types of rows, half of the rows each"),
               LAB_INPUT("q = 4", "queries; one is the share of a type"),
               LAB_INPUT("n = 10^9", "rows"), LAB_INPUT("eps = 1", "epsilon"),
               LAB_INPUT("beta = 1/10", "chance of a larger error"),
               LAB_INPUT("alpha = 1", "alpha; SmallDB is run at alpha/2"),
               LAB_STEP("m = floor(ln(q)/(alpha/2)^2)", "rows of the small database"),
               LAB_CLAIMED("exp(ln((16*ln(N)*ln(q) + 4*ln(1/beta))/(eps*n))/3)",
                           "error, but with chance beta"),
               LAB_TRUE("-most(k, 0, m, -abs(k/m - 1/2))",
                        "least error of the share, with any k of the m rows"))},
};

const lab_errata_section lab_errata_survey = LAB_ERRATA_SECTION(rows);
