/* Errata of document 002, chapters 4 and 5: noise, selection, divergences. */
#include "experiment/errata/erratum.h"

/* Chance that the query of value 0 with noise of scale 1 exceeds eight queries of value m with noise of
 * scale 10: the integral of its density times F^8, by pieces. */
#define WINS(m)                                                                          \
    "exp(-8*" #m "/10)/2^9*(1/(1 + 8/10) + (1 - exp(-" #m "/5))*5) + "                   \
    "exp(-" #m ")/2*sum(j, 0, 8, C(8, j)*(-1/2)^j/(1 + j/10))"

static void erratum_63(sc_working *w)
{
    SC_OWN(sc_ball, infinite);
    SC_OWN(sc_quantity, divergence);
    sc_working_say(w, SC_WORKING_INPUT, "Y and Z",
                   "uniform on 1..100, uniform on 101..200");
    sc_working_input(w, "delta = 1/50", "delta");
    sc_working_claimed(w, "sum(y, 1, 100, max(0, min(1, ceil(1/100 - delta))))",
                       "points with more mass than delta: none, so the divergence is 0");
    sc_working_step(w, "p = sum(y, 1, 100, 1/100)", "mass of the event 1..100 under Y");
    sc_working_step(w, "q = sum(y, 1, 100, 0)", "the same under Z");
    sc_working_step(w, "p - delta", "what remains of p");
    if (sc_working_integer(w, "q") == 0)
        sc_ball_set_infinite(&infinite);
    sc_quantity_set_ball(&divergence, &infinite);
    sc_working_put(w, SC_WORKING_TRUE, "", &divergence, "ln((p - delta)/q)",
                   "divergence over events: q is 0");
}

static const sc_erratum rows[] = {
    {SC_FACTS(50, "002", "4.1.1", "typo"),
     .statement = "The l1 norm is missing for vectors, and the l2 sensitivity "
                  "does not say \"neighbours\".",
     .counterexample = "For the identity the supremum over all pairs is infinite.",
     .correction = "The supremum over neighbours.",
     .where = "src/mechanism/noise/additive.c"},
    {SC_FACTS(51, "002", "Algorithms 1, 3, 4", "gap"),
     .statement = "The algorithms compute the sensitivity as a maximum over all "
                  "databases; Algorithm 3 lacks delta.",
     .counterexample = "", .correction = "Sensitivity and delta are inputs.",
     .where = "src/mechanism/noise/laplace.c"},
    {SC_FACTS(52, "002", "Theorem 4.2, proof", "typo"),
     .statement = "The proof has k e^(-k/delta).",
     .counterexample = "k = 10, delta 1/20: e^(-200) stands for e^(-ln 200) = 1/200.",
     .correction = "k e^(-ln(k/delta)); the statement holds.",
     .where = "src/mechanism/noise/laplace.c",
     SC_STEPS(SC_INPUT("k = 10", "queries"),
              SC_INPUT("delta = 1/20", "chance of failure"),
              SC_CLAIMED("k*exp(-k/delta)", "chance of failure, as printed"),
              SC_TRUE("k/(k/delta)", "chance of failure: k e^(-ln(k/delta))"))},
    {SC_FACTS(53, "002", "Algorithm 2", "false"),
     .statement = "In the noisy maximum each query gets noise by its own sensitivity.",
     .counterexample = "Queries (0, 20 eight times) and (0, 30 eight times) with "
                       "scales 1 and 10: the loss is 7.99267 at epsilon 1.",
     .correction = "One common scale.", .where = "src/mechanism/selection/noisy_max.c",
     SC_STEPS(SC_SAY(INPUT, "queries on two neighbours",
                     "(0, 20 eight times) and (0, 30 eight times)"),
              SC_SAY(INPUT, "Laplace noise by their own sensitivity",
                     "scale 1 for the first, 10 for the others"),
              SC_INPUT("eps = 1", "epsilon"), SC_CLAIMED("eps", "largest loss"),
              SC_STEP("p = " WINS(20), "chance that the first query wins, at 20"),
              SC_STEP("q = " WINS(30), "the same at 30"),
              SC_TRUE("ln(p/q)", "loss of that outcome"))},
    {SC_FACTS(54, "002", "Theorem 4.3", "false"),
     .statement = "The noisy maximum with Laplace noise of scale D/epsilon is "
                  "epsilon-DP for all queries.",
     .counterexample = "Two queries whose gap goes from 0 to 2: the loss is "
                       "1.306853 at epsilon 1, and it tends to 2.",
     .correction = "Only for monotone queries under add-remove; else scale 2 D/epsilon.",
     .where = "src/mechanism/selection/noisy_max.c",
     SC_STEPS(
         SC_INPUT("eps = 1", "epsilon; two queries with Laplace noise of scale 1/eps"),
         SC_SAY(INPUT, "how far the first is behind the second",
                "0, then 2: each moves by 1"),
         SC_CLAIMED("eps", "largest loss"),
         SC_STEP("p0 = exp(-eps*0)*(2 + eps*0)/4",
                 "chance that the first wins, 0 behind"),
         SC_STEP("p2 = exp(-eps*2)*(2 + eps*2)/4", "2 behind"),
         SC_STEP("p4 = exp(-eps*4)*(2 + eps*4)/4", "4 behind"),
         SC_STEP("ln(p2/p4)", "loss from 2 to 4"),
         SC_TRUE("ln(p0/p2)", "loss from 0 to 2"))},
    {SC_FACTS(55, "002", "4.1.1, Gaussian", "false"),
     .statement = "sigma = sqrt(2 ln(1.25/delta))/epsilon is private for every epsilon.",
     .counterexample = "epsilon 10, delta 1e-5: delta is 2.26537e-5. The formula "
                       "fails from epsilon 8.41977 on.",
     .correction = "Exact calibration.",
     .where = "src/mechanism/noise/analytic_gaussian.c",
     SC_STEPS(
         SC_INPUT("eps = 10", "epsilon"), SC_INPUT("delta = 1e-5", "delta"),
         SC_STEP("s = sqrt(2*ln(1.25/delta))/eps", "sigma by the formula"),
         SC_CLAIMED("delta", "delta at epsilon"),
         SC_STEP(
             "root(e, 5, 10, Q(sqrt(2*ln(1.25/delta)) - e/(2*sqrt(2*ln(1.25/delta)))) "
             "- exp(e)*Q(sqrt(2*ln(1.25/delta)) + e/(2*sqrt(2*ln(1.25/delta)))) - delta)",
             "epsilon from which the formula fails"),
         SC_TRUE("Q(eps*s - 1/(2*s)) - exp(eps)*Q(eps*s + 1/(2*s))",
                 "delta at epsilon: exact curve of Gaussian noise"))},
    {SC_FACTS(56, "002", "4.1.1, remark", "false"),
     .statement = "Gaussian noise is smaller than Laplace noise.",
     .counterexample = "One number at (1, 1e-5): deviation 4.84481, at best "
                       "3.73063, against 1.41421.",
     .correction = "From 7 queries on.",
     .where = "src/mechanism/noise/gaussian_calibration.c",
     SC_STEPS(
         SC_INPUT("eps = 1", "epsilon, of one number with sensitivity 1"),
         SC_INPUT("delta = 1e-5", "delta of the Gaussian noise"),
         SC_SAY(CLAIMED, "standard deviations", "Gaussian below Laplace"),
         SC_STEP("sqrt(2)/eps", "deviation of Laplace noise"),
         SC_STEP(
             "root(s, 1, 5, Q(eps*s - 1/(2*s)) - exp(eps)*Q(eps*s + 1/(2*s)) - delta)",
             "least deviation of Gaussian noise"),
         SC_TRUE("sqrt(2*ln(1.25/delta))/eps",
                 "deviation of Gaussian noise by the formula"))},
    {SC_FACTS(57, "002", "4.1.2", "typo"),
     .statement = "Authors' names are misspelt, the revenue score has sensitivity 1, and "
                  "the sensitivity of the score does not say \"neighbours\".",
     .counterexample = "Prices up to 10: the sensitivity of revenue is 10.",
     .correction = "The largest price.", .where = "src/mechanism/selection/exponential.c",
     SC_STEPS(SC_INPUT("top = 10", "largest price"),
              SC_CLAIMED("1", "sensitivity of revenue"),
              SC_TRUE("most(price, 0, top, price*(1 - 0))",
                      "sensitivity: one buyer more at the worst price"))},
    {SC_FACTS(58, "002", "4.1.2", "false"),
     .statement = "The exponential mechanism with score -|f - h| is precisely "
                  "the Laplace mechanism.",
     .counterexample = "At epsilon 1 its standard deviation is 2.828427, not 1.414214.",
     .correction = "It is the Laplace mechanism at epsilon/2.",
     .where = "src/mechanism/selection/exponential.c",
     SC_STEPS(
         SC_INPUT("eps = 1", "epsilon"), SC_INPUT("D = 1", "sensitivity"),
         SC_CLAIMED("sqrt(2)*D/eps", "standard deviation: that of the Laplace mechanism"),
         SC_STEP("b = 2*D/eps", "the density falls as exp(-|z|/b)"),
         SC_TRUE("sqrt(2*b^3/b)",
                 "its standard deviation: integral of z^2 exp(-|z|/b)/(2 b)"))},
    {SC_FACTS(59, "002", "Theorem 4.5, proof", "typo"),
     .statement = "t has the wrong sign.", .counterexample = "",
     .correction = "The statement holds.",
     .where = "src/mechanism/selection/exponential.c"},
    {SC_FACTS(60, "002", "4.1.2, comparison", "misleading"),
     .statement = "The exponential mechanism is preferred to the noisy maximum "
                  "on two counts.",
     .counterexample =
         "Counts 10 apart at epsilon 1: as printed it errs with probability 0.00669285, "
         "the noisy maximum with 0.000136200. Used for counts, it errs with "
         "0.0000453979.",
     .correction = "Counts are monotone, which gives both mechanisms twice the epsilon: "
                   "the preference holds, and not for the printed form.",
     .where = "src/mechanism/selection/exponential.c",
     SC_STEPS(
         SC_INPUT("c = 10", "difference of two counts"), SC_INPUT("eps = 1", "epsilon"),
         SC_CLAIMED("1/(1 + exp(c*eps/2))",
                    "chance that the exponential mechanism errs, for scores of any kind"),
         SC_STEP("m = exp(-c*eps)*(2 + c*eps)/4",
                 "chance that the noisy maximum errs, for counts, which are monotone"),
         SC_TRUE("1/(1 + exp(c*eps))",
                 "chance that the exponential mechanism errs, for counts as well"))},
    {SC_FACTS(61, "002", "Theorem 4.7", "gap"),
     .statement = "The proof covers monotone counts with a shift of 1, and calls "
                  "a rate a parameter.",
     .counterexample = "",
     .correction = "The statement is true; the general case needs a shift of 2 D.",
     .where = "src/mechanism/selection/one_sided_noisy_max.c"},
    {SC_FACTS(62, "002", "Definition 5.1", "typo"),
     .statement = "The line on log sums is garbled.", .counterexample = "",
     .correction = "The sum of y ln(y/z).", .where = "not in scrim"},
    {SC_FACTS(63, "002", "Definition 5.2", "false"),
     .statement = "The approximate max divergence is a maximum over points.",
     .counterexample =
         "Uniform on 1 to 100 against 101 to 200, delta 1/50: no point has more "
         "than delta, so it says 0; the true value is infinite.",
     .correction = "A supremum over events: the root of the hockey-stick divergence.",
     .where = "src/audit/divergence.c", SC_RUNS(erratum_63)},
    {SC_FACTS(64, "002", "Lemma 5.4(2)", "false"),
     .statement = "One direction of the max divergence of Y' and Z' suffices.",
     .counterexample = "Y = (1/2, 1/2, 0), Z = (1/4, 1/4, 1/2) at ln 2: the "
                       "other direction has delta 1/2.",
     .correction = "Both directions.", .where = "src/audit/worst_pair.c",
     SC_STEPS(SC_SAY(INPUT, "Y and Z", "(1/2, 1/2, 0) and (1/4, 1/4, 1/2)"),
              SC_INPUT("r = 2", "e^epsilon: epsilon = ln 2"),
              SC_CLAIMED("max(0, 1/2 - r*1/4) + max(0, 1/2 - r*1/4) + max(0, 0 - r*1/2)",
                         "delta of Y against Z, said to suffice"),
              SC_TRUE("max(0, 1/4 - r*1/2) + max(0, 1/4 - r*1/2) + max(0, 1/2 - r*0)",
                      "delta of Z against Y"))},
    {SC_FACTS(65, "002", "Lemma 5.5", "loose"),
     .statement = "The KL divergence of an epsilon-DP pair is at most epsilon "
                  "(e^epsilon - 1).",
     .counterexample = "At epsilon 1 the claim is 1.718282; the exact value is 0.462117.",
     .correction = "epsilon tanh(epsilon/2).",
     .where = "src/composition/accountant/advanced.c",
     SC_STEPS(
         SC_INPUT("eps = 1", "epsilon"),
         SC_CLAIMED("eps*(exp(eps) - 1)", "bound on the KL divergence"),
         SC_STEP("p = exp(eps)/(1 + exp(eps))", "randomised response, the worst case"),
         SC_TRUE("p*ln(p/(1 - p)) + (1 - p)*ln((1 - p)/p)", "its KL divergence"))},
    {SC_FACTS(66, "002", "Theorems 5.8, 5.9, proofs", "typo"),
     .statement = "The proofs have epsilon^epsilon' and wrong constants of "
                  "Azuma's inequality.",
     .counterexample = "", .correction = "The statements hold.",
     .where = "src/composition/accountant/advanced.c"},
};

const sc_errata_section sc_errata_mechanisms = SC_ERRATA_SECTION(rows);
