/* Errata of document 004: thresholding and suppression. */
#include "lab/errata/errata.h"

/* The probability that j of n keys are kept: binomial. */
#define KEPT(p) "C(n, j)*" #p "^j*(1 - " #p ")^(n - j)"

static const lab_erratum rows[] = {
    {LAB_FACTS(145, "004", "Theorem 2", "false"),
     .title = "sign in the exponent of ranges",
     .statement = "The range mechanism has delta of at most d e^(-w(L + Delta - 1)).",
     .counterexample =
         "epsilon 1, Delta 2, L = 5: 0.0497871 is claimed; 0.0532503 is true.",
     .correction = "L - Delta + 1 in the exponent.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("D = 2", "sensitivity"),
         LAB_INPUT("L = 5", "half-width of a range"),
         LAB_STEP("x = exp(-eps/D)", "the noise falls by this factor a step"),
         LAB_CLAIMED("x^(L + D - 1)", "delta"),
         LAB_STEP("(1 - exp(-eps))*x^(L - D + 1)/(1 + x)", "corrected formula"),
         LAB_STEP("exp(-2/4*(8 + 4 - 1))", "the same claim at eps = 2, D = 4, L = 8"),
         LAB_STEP("y = exp(-2/4)", "factor of the noise there"),
         LAB_STEP("sum(z, 8 - 4 + 1, 8, (1 - y)/(1 + y)*y^z)", "delta there"),
         LAB_TRUE("sum(z, L - D + 1, L, (1 - x)/(1 + x)*x^z)",
                  "delta: mass of the centres that only one side can reach"))},
    {LAB_FACTS(146, "004", "Lemma 2, Theorem 2", "loose"),
     .title = "a factor d that is not needed", .statement = "delta has a factor d.",
     .counterexample = "Delta 3, L = 6, epsilon 1: 0.0970709 in any dimension.",
     .correction = "No factor.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("D = 3", "sensitivity"),
         LAB_INPUT("L = 6", "half-width of a range"),
         LAB_STEP("x = exp(-eps/D)", "the noise falls by this factor a step"),
         LAB_STEP("b1 = sum(z, L - 0, L, (1 - x)/(1 + x)*x^z)", "mass of a shift by 1"),
         LAB_STEP("b2 = sum(z, L - 1, L, (1 - x)/(1 + x)*x^z)", "mass of a shift by 2"),
         LAB_STEP("1 - (1 - b2)*(1 - b1)", "delta of shifts 2 and 1 in two coordinates"),
         LAB_SAY(CLAIMED, "delta", "sum over coordinates"),
         LAB_TRUE(
             "sum(z, L - D + 1, L, (1 - x)/(1 + x)*x^z)",
             "delta of one coordinate that moves by 3: the worst, in any dimension"))},
    {LAB_FACTS(147, "004", "before Theorem 2", "false"), .title = "ranges overlap",
     .statement = "The ranges are disjoint.",
     .counterexample = "Centres 0 and 1 with L = 5 overlap in 10 integers.",
     .correction = "The events exclude each other.",

     LAB_STEPS(
         LAB_INPUT("L = 5", "half-width of a range"),
         LAB_SAY(INPUT, "centres", "0 and 1"),
         LAB_CLAIMED("0", "integers in both ranges"),
         LAB_TRUE("sum(i, -20, 20, max(0, min(1, L + 1 - abs(i)))*max(0, min(1, L + 1 "
                  "- abs(i - 1))))",
                  "integers in both ranges, counted"))},
    {LAB_FACTS(148, "004", "Theorem 4", "false"),
     .title = "smallest value that may be shown",
     .statement = "A key that is published with probability p has a value of at "
                  "least Delta (ln(p/delta + 1)/epsilon - 1).",
     .counterexample = "epsilon 1/10, delta and p 1/1000: the value 1 is "
                       "published; 5.93147 is demanded.",
     .correction = "A factor e^epsilon - 1 at p/delta.",

     LAB_STEPS(
         LAB_INPUT("eps = 1/10", "epsilon"), LAB_INPUT("delta = 1/1000", "delta"),
         LAB_INPUT("p = 1/1000", "chance that the key is published"),
         LAB_INPUT("D = 1", "sensitivity"),
         LAB_CLAIMED("D*(ln(p/delta + 1)/eps - 1)", "least value of the key"),
         LAB_STEP("v = 1",
                  "value of the key in a mechanism that publishes it with chance p"),
         LAB_STEP("p - (exp(eps)*0 + delta)",
                  "forth: p less what a key of chance 0 allows at v = 1; at most 0"),
         LAB_STEP("(1 - 0) - (exp(eps)*(1 - p) + delta)", "back: at most 0 too"),
         LAB_TRUE("v", "value that a private mechanism publishes with chance p"))},
    {LAB_FACTS(149, "004", "Lemma 3", "typo"), .title = "delta for omega",
     .statement = "The ratio is e^(delta Delta).",
     .counterexample = "w = 1, delta 1e-6: the excess is 0.462117.",
     .correction = "e^(w Delta).",

     LAB_STEPS(
         LAB_INPUT("rate = 1", "rate of the noise"), LAB_INPUT("delta = 1e-6", "delta"),
         LAB_INPUT("D = 1", "shift"),
         LAB_STEP("x = exp(-rate)", "the noise falls by this factor a step"),
         LAB_CLAIMED("0", "excess over e^(delta D) times the other side"),
         LAB_TRUE(
             "(1 - exp(delta*D)*x)/(1 + x)",
             "excess: Pr[noise <= 0] (1 - e^(delta D) x), summed where it is positive"))},
    {LAB_FACTS(150, "004", "A.8, A.11", "false"), .title = "an inequality turned around",
     .statement = "(1 - y)^(-1) is at most e^y.",
     .counterexample = "y = 1/10: 10/9 is above 1.105171.",
     .correction = "At least; the step is not needed.",

     LAB_STEPS(LAB_INPUT("y = 1/10", "y"),
               LAB_CLAIMED("exp(y)", "upper bound on 1/(1 - y)"),
               LAB_TRUE("1/(1 - y)", "1/(1 - y)"))},
    {LAB_FACTS(151, "004", "Theorem 5", "loose"),
     .title = "conditions on n that are not needed",
     .statement = "The threshold theorem asks for conditions on n, gamma and delta.",
     .counterexample =
         "epsilon 1/20, delta 1e-19: T from 963 to 1751 where 863 is enough.",
     .correction = "No conditions.",

     LAB_STEPS(LAB_INPUT("eps = 1/20", "epsilon"), LAB_INPUT("delta = 1e-19", "delta"),
               LAB_INPUT("D = 1", "sensitivity"),
               LAB_STEP("D + (1 + 1)*D/eps*ln(1/delta)",
                        "threshold of the theorem at gamma = 1"),
               LAB_CLAIMED("D + (1 + 1/10)*D/eps*ln(1/delta)",
                           "threshold of the theorem at gamma = 1/10"),
               LAB_STEP("x = exp(-eps)", "the noise falls by this factor a step"),
               LAB_TRUE("least(T, 1, 2000, x^(T - 1)/(1 + x) - delta)",
                        "smallest threshold whose exact delta is at most delta"))},
    {LAB_FACTS(152, "004", "4.2", "false"), .title = "keys of value 0 are new keys too",
     .statement = "There are at most Delta new keys, because the query is integral.",
     .counterexample = "1000 keys of value 0, epsilon 1, T = 10: delta is "
                       "0.0326458; 9.02198e-5 is claimed.",
     .correction = "Keys carry at least one unit.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("T = 10", "threshold"),
               LAB_INPUT("keys = 1000", "new keys of value 0: the query does not move"),
               LAB_STEP("x = exp(-eps)", "the noise falls by this factor a step"),
               LAB_CLAIMED("x^(T - 1)/(1 + x)", "delta: one new key of value 1"),
               LAB_STEP("tau = x^T/(1 + x)", "chance that a key of value 0 is published"),
               LAB_TRUE("1 - (1 - tau)^keys", "delta: some new key is published"))},
    {LAB_FACTS(153, "004", "Definition 3", "false"), .title = "suppressed keys are named",
     .statement = "Every key is published, with a mark if it is suppressed.",
     .counterexample = "A key in one database only: delta is 1.",
     .correction = "Publish nothing for it.",

     LAB_STEPS(
         LAB_SAY(INPUT, "a key", "present in one database only"),
         LAB_INPUT("eps = 1", "epsilon; any other gives the same"),
         LAB_SAY(CLAIMED, "delta", "delta of the threshold"),
         LAB_STEP("there = 1", "chance that the key is printed, with a mark or a count"),
         LAB_STEP("absent = 0", "the same in the other database"),
         LAB_TRUE("max(0, there - exp(eps)*absent)", "delta"))},
    {LAB_FACTS(154, "004", "Lemma 5", "loose"),
     .title = "a sum in place of the exact mass",
     .statement = "The mass of new keys is bounded by a sum.",
     .counterexample = "It is up to Delta times the exact value.",
     .correction = "max(tau(Delta), 1 - (1 - tau(1))^Delta)."},
    {LAB_FACTS(155, "004", "Definition 5, Lemmas 7, 8, Theorem 6", "false"),
     .title = "sensitivity over all keys together",
     .statement = "The sensitivity of the utility is a maximum over keys.",
     .counterexample = "60 keys with utilities 29 and 30, epsilon 1/2: delta at "
                       "2 epsilon is at least 0.722706; 1.64872e-6 is claimed.",
     .correction = "A sum over keys.",

     LAB_STEPS(
         LAB_INPUT("eps = 1/2", "epsilon"), LAB_INPUT("delta = 1e-6", "delta"),
         LAB_INPUT("n = 60", "keys whose utility is 29 or 30 on all of them"),
         LAB_STEP("K = 1 + ln(1/delta)/eps", "threshold of the utility"),
         LAB_CLAIMED("exp(eps)*delta", "delta at 2 eps"),
         LAB_STEP("p = 1 - exp(-(29 - K)*eps)/2", "chance to keep a key at utility 29"),
         LAB_STEP("q = 1 - exp(-(30 - K)*eps)/2", "the same at 30"),
         LAB_STEP("sum(j, 0, n, max(0, " KEPT(p) " - exp(2*eps)*" KEPT(q) "))",
                  "hockey stick at 2 eps of the number of kept keys, from 29 to 30"),
         LAB_TRUE("sum(j, 0, n, max(0, " KEPT(q) " - exp(2*eps)*" KEPT(p) "))",
                  "the same from 30 to 29: delta at 2 eps is at least this"))},
    {LAB_FACTS(156, "004", "Definition 6", "ambiguous"),
     .title = "a maximum over a range that changes",
     .statement = "The utility is a maximum over r in R.",
     .counterexample =
         "R taken from the data: the utility moves by 100 at sensitivity 0.",
     .correction = "A fixed R."},
    {LAB_FACTS(157, "004", "Lemma 7", "loose"),
     .title = "a new key is kept half as often",
     .statement = "A new key is kept with probability exp(-(K - D)/b).",
     .counterexample = "epsilon 1/2, delta 1e-6: K is 28.6310 in place of 27.2447.",
     .correction = "Half of it.",

     LAB_STEPS(LAB_INPUT("eps = 1/2", "epsilon"), LAB_INPUT("delta = 1e-6", "delta"),
               LAB_CLAIMED("1 + ln(1/delta)/eps", "threshold of the utility"),
               LAB_TRUE("1 + ln(1/(2*delta))/eps",
                        "threshold by the exact tail of Laplace noise"))},
    {LAB_FACTS(158, "004", "Lemma 8, Theorem 6", "loose"),
     .title = "a factor e^(Du/b) that is not needed",
     .statement = "The delta of the second mechanism is multiplied by e^(Du/b).",
     .counterexample = "epsilon 1/2: 1.64872 delta in place of delta.",
     .correction = "delta.",

     LAB_STEPS(LAB_INPUT("eps = 1/2", "epsilon"),
               LAB_INPUT("delta = 1e-6", "delta of the second mechanism"),
               LAB_CLAIMED("exp(eps)*delta", "its share of the delta of both"),
               LAB_STEP("kept = sum(j, 0, 1, C(1, j)*(1/2)^j*(1/2)^(1 - j))",
                        "chances of all sets of kept keys, for one key"),
               LAB_TRUE("delta*kept",
                        "its share: delta is averaged over the sets of kept keys"))},
    {LAB_FACTS(159, "004", "A.11 (1)", "typo"), .title = "-1 in place of the exponent",
     .statement = "(1 - exp(.)) - 1 is at most e^epsilon.", .counterexample = "",
     .correction = "The exponent is -1."},
    {LAB_FACTS(160, "004", "Lemma 9, Theorem 7, Cor. 2", "false"),
     .title = "maps that keep the norm still cost",
     .statement = "Maps that preserve the norm may be applied first without a cost.",
     .counterexample = "10 and 11 records, each mapped to n copies of n mod 2: "
                       "their distance becomes 21.",
     .correction = "Maps that never increase a distance.",

     LAB_STEPS(
         LAB_INPUT("n = 10", "records; the neighbour has one more"),
         LAB_STEP("a = n - 2*floor(n/2)", "n records become n copies of this key"),
         LAB_STEP("b = (n + 1) - 2*floor((n + 1)/2)",
                  "n + 1 records become copies of this one"),
         LAB_CLAIMED("(n + 1) - n", "distance of the images"),
         LAB_TRUE(
             "sum(key, 0, 1, abs(n*(1 - abs(key - a)) - (n + 1)*(1 - abs(key - b))))",
             "distance of the images: copies of each key, compared"))},
    {LAB_FACTS(161, "004", "6.1", "false"), .title = "fewer than half of the zeros",
     .statement = "Most zeros become non-zero.",
     .counterexample = "epsilon 1/10: a share of 0.475021 does; without setting "
                       "negatives to 0 it is 0.950042.",
     .correction = "Fewer than half.",

     LAB_STEPS(
         LAB_INPUT("eps = 1/10", "epsilon"),
         LAB_STEP("x = exp(-eps)", "the noise falls by this factor a step"),
         LAB_SAY(CLAIMED, "share of zeros that become non-zero", "most"),
         LAB_STEP("2*x/(1 + x)", "share with noise that is not 0"),
         LAB_TRUE("x/(1 + x)", "share with noise above 0: negatives are set to 0"))},
    {LAB_FACTS(162, "004", "6.3", "typo"), .title = "size of a range",
     .statement = "The range is 876, and L is called its size.",
     .counterexample = "20 ln 10^19 = 874.982; the range has 2 L + 1 integers.",
     .correction = "L is half the width.",

     LAB_STEPS(LAB_INPUT("eps = 1/20", "epsilon"), LAB_INPUT("delta = 1e-19", "delta"),
               LAB_CLAIMED("876", "L, as printed"),
               LAB_STEP("ln(10^9/delta)/eps", "the formula with d = 10^9"),
               LAB_TRUE("ln(1/delta)/eps", "the formula"))},
    {LAB_FACTS(163, "004", "6.2", "typo"), .title = "1751, not 1800",
     .statement = "The threshold is 1800.",
     .counterexample = "The formula gives 1750.965.",
     .correction = "The value of the formula.",

     LAB_STEPS(LAB_INPUT("eps = 1/20", "epsilon"), LAB_INPUT("delta = 1e-19", "delta"),
               LAB_INPUT("gamma = 1", "gamma"), LAB_CLAIMED("1800", "T, as printed"),
               LAB_TRUE("1 + (1 + gamma)/eps*ln(1/delta)", "the formula"))},
    {LAB_FACTS(164, "004", "Example 2", "gap"), .title = "an infinite utility",
     .statement = "A utility that is infinite forces a key to be kept.",
     .counterexample = "The sensitivity is infinite.",
     .correction = "Only by a rule that does not look at the data."},
};

const lab_errata_section lab_errata_threshold = LAB_ERRATA_SECTION(rows);
