/* Errata of document 004: thresholding and suppression. */
#include "experiment/errata/erratum.h"

static void erratum_145(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "D = 2", "sensitivity");
    sc_working_input(w, "L = 5", "half-width of a range");
    sc_working_step(w, "x = exp(-eps/D)", "the noise falls by this factor a step");
    sc_working_claimed(w, "x^(L + D - 1)", "delta");
    sc_working_step(w, "(1 - exp(-eps))*x^(L - D + 1)/(1 + x)", "corrected formula");
    sc_working_step(w, "exp(-2/4*(8 + 4 - 1))",
                    "the same claim at eps = 2, D = 4, L = 8");
    sc_working_step(w, "y = exp(-2/4)", "factor of the noise there");
    sc_working_step(w, "sum(z, 8 - 4 + 1, 8, (1 - y)/(1 + y)*y^z)", "delta there");
    sc_working_true(w, "sum(z, L - D + 1, L, (1 - x)/(1 + x)*x^z)",
                    "delta: mass of the centres that only one side can reach");
}

static void erratum_146(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "D = 3", "sensitivity");
    sc_working_input(w, "L = 6", "half-width of a range");
    sc_working_step(w, "x = exp(-eps/D)", "the noise falls by this factor a step");
    sc_working_step(w, "b1 = sum(z, L - 0, L, (1 - x)/(1 + x)*x^z)",
                    "mass of a shift by 1");
    sc_working_step(w, "b2 = sum(z, L - 1, L, (1 - x)/(1 + x)*x^z)",
                    "mass of a shift by 2");
    sc_working_step(w, "1 - (1 - b2)*(1 - b1)",
                    "delta of shifts 2 and 1 in two coordinates");
    sc_working_say(w, SC_WORKING_CLAIMED, "delta", "sum over coordinates");
    sc_working_true(
        w, "sum(z, L - D + 1, L, (1 - x)/(1 + x)*x^z)",
        "delta of one coordinate that moves by 3: the worst, in any dimension");
}

static void erratum_148(sc_working *w)
{
    sc_working_input(w, "eps = 1/10", "epsilon");
    sc_working_input(w, "delta = 1/1000", "delta");
    sc_working_input(w, "p = 1/1000", "chance that the key is published");
    sc_working_input(w, "D = 1", "sensitivity");
    sc_working_claimed(w, "D*(ln(p/delta + 1)/eps - 1)", "least value of the key");
    sc_working_step(w, "v = 1",
                    "value of the key in a mechanism that publishes it with chance p");
    sc_working_step(w, "p - (exp(eps)*0 + delta)",
                    "forth: p less what a key of chance 0 allows at v = 1; at most 0");
    sc_working_step(w, "(1 - 0) - (exp(eps)*(1 - p) + delta)", "back: at most 0 too");
    sc_working_true(w, "v", "value that a private mechanism publishes with chance p");
}

static void erratum_149(sc_working *w)
{
    sc_working_input(w, "rate = 1", "rate of the noise");
    sc_working_input(w, "delta = 1e-6", "delta");
    sc_working_input(w, "D = 1", "shift");
    sc_working_step(w, "x = exp(-rate)", "the noise falls by this factor a step");
    sc_working_claimed(w, "0", "excess over e^(delta D) times the other side");
    sc_working_true(
        w, "(1 - exp(delta*D)*x)/(1 + x)",
        "excess: Pr[noise <= 0] (1 - e^(delta D) x), summed where it is positive");
}

static void erratum_150(sc_working *w)
{
    sc_working_input(w, "y = 1/10", "y");
    sc_working_claimed(w, "exp(y)", "upper bound on 1/(1 - y)");
    sc_working_true(w, "1/(1 - y)", "1/(1 - y)");
}

static void erratum_151(sc_working *w)
{
    sc_working_input(w, "eps = 1/20", "epsilon");
    sc_working_input(w, "delta = 1e-19", "delta");
    sc_working_input(w, "D = 1", "sensitivity");
    sc_working_step(w, "D + (1 + 1)*D/eps*ln(1/delta)",
                    "threshold of the theorem at gamma = 1");
    sc_working_claimed(w, "D + (1 + 1/10)*D/eps*ln(1/delta)",
                       "threshold of the theorem at gamma = 1/10");
    sc_working_step(w, "x = exp(-eps)", "the noise falls by this factor a step");
    sc_working_true(w, "least(T, 1, 2000, x^(T - 1)/(1 + x) - delta)",
                    "smallest threshold whose exact delta is at most delta");
}

static void erratum_152(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "T = 10", "threshold");
    sc_working_input(w, "keys = 1000", "new keys of value 0: the query does not move");
    sc_working_step(w, "x = exp(-eps)", "the noise falls by this factor a step");
    sc_working_claimed(w, "x^(T - 1)/(1 + x)", "delta: one new key of value 1");
    sc_working_step(w, "tau = x^T/(1 + x)", "chance that a key of value 0 is published");
    sc_working_true(w, "1 - (1 - tau)^keys", "delta: some new key is published");
}

static void erratum_153(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "a key", "present in one database only");
    sc_working_input(w, "eps = 1", "epsilon; any other gives the same");
    sc_working_say(w, SC_WORKING_CLAIMED, "delta", "delta of the threshold");
    sc_working_step(w, "there = 1",
                    "chance that the key is printed, with a mark or a count");
    sc_working_step(w, "absent = 0", "the same in the other database");
    sc_working_true(w, "max(0, there - exp(eps)*absent)", "delta");
}

/* Of so many keys j are kept: a binomial chance. */
#define KEPT(p) "C(n, j)*" #p "^j*(1 - " #p ")^(n - j)"

static void erratum_155(sc_working *w)
{
    sc_working_input(w, "eps = 1/2", "epsilon");
    sc_working_input(w, "delta = 1e-6", "delta");
    sc_working_input(w, "n = 60", "keys whose utility is 29 or 30 on all of them");
    sc_working_step(w, "K = 1 + ln(1/delta)/eps", "threshold of the utility");
    sc_working_claimed(w, "exp(eps)*delta", "delta at 2 eps");
    sc_working_step(w, "p = 1 - exp(-(29 - K)*eps)/2",
                    "chance to keep a key at utility 29");
    sc_working_step(w, "q = 1 - exp(-(30 - K)*eps)/2", "the same at 30");
    sc_working_step(w, "sum(j, 0, n, max(0, " KEPT(p) " - exp(2*eps)*" KEPT(q) "))",
                    "hockey stick at 2 eps of the number of kept keys, from 29 to 30");
    sc_working_true(w, "sum(j, 0, n, max(0, " KEPT(q) " - exp(2*eps)*" KEPT(p) "))",
                    "the same from 30 to 29: delta at 2 eps is at least this");
}

static void erratum_157(sc_working *w)
{
    sc_working_input(w, "eps = 1/2", "epsilon");
    sc_working_input(w, "delta = 1e-6", "delta");
    sc_working_claimed(w, "1 + ln(1/delta)/eps", "threshold of the utility");
    sc_working_true(w, "1 + ln(1/(2*delta))/eps",
                    "threshold by the exact tail of Laplace noise");
}

static void erratum_160(sc_working *w)
{
    sc_working_input(w, "n = 10", "records; the neighbour has one more");
    sc_working_step(w, "a = n - 2*floor(n/2)", "n records become n copies of this key");
    sc_working_step(w, "b = (n + 1) - 2*floor((n + 1)/2)",
                    "n + 1 records become copies of this one");
    sc_working_claimed(w, "(n + 1) - n", "distance of the images");
    sc_working_true(
        w, "sum(key, 0, 1, abs(n*(1 - abs(key - a)) - (n + 1)*(1 - abs(key - b))))",
        "distance of the images: copies of each key, compared");
}

static void erratum_161(sc_working *w)
{
    sc_working_input(w, "eps = 1/10", "epsilon");
    sc_working_step(w, "x = exp(-eps)", "the noise falls by this factor a step");
    sc_working_say(w, SC_WORKING_CLAIMED, "share of zeros that become non-zero", "most");
    sc_working_step(w, "2*x/(1 + x)", "share with noise that is not 0");
    sc_working_true(w, "x/(1 + x)", "share with noise above 0: negatives are set to 0");
}

static void erratum_162(sc_working *w)
{
    sc_working_input(w, "eps = 1/20", "epsilon");
    sc_working_input(w, "delta = 1e-19", "delta");
    sc_working_claimed(w, "876", "L, as printed");
    sc_working_step(w, "ln(10^9/delta)/eps", "the formula with d = 10^9");
    sc_working_true(w, "ln(1/delta)/eps", "the formula");
}

static void erratum_163(sc_working *w)
{
    sc_working_input(w, "eps = 1/20", "epsilon");
    sc_working_input(w, "delta = 1e-19", "delta");
    sc_working_input(w, "gamma = 1", "gamma");
    sc_working_claimed(w, "1800", "T, as printed");
    sc_working_true(w, "1 + (1 + gamma)/eps*ln(1/delta)", "the formula");
}

static void erratum_147(sc_working *w)
{
    sc_working_input(w, "L = 5", "half-width of a range");
    sc_working_say(w, SC_WORKING_INPUT, "centres", "0 and 1");
    sc_working_claimed(w, "0", "integers in both ranges");
    sc_working_true(w,
                    "sum(i, -20, 20, max(0, min(1, L + 1 - abs(i)))*max(0, min(1, L + 1 "
                    "- abs(i - 1))))",
                    "integers in both ranges, counted");
}

static void erratum_158(sc_working *w)
{
    sc_working_input(w, "eps = 1/2", "epsilon");
    sc_working_input(w, "delta = 1e-6", "delta of the second mechanism");
    sc_working_claimed(w, "exp(eps)*delta", "its share of the delta of both");
    sc_working_step(w, "kept = sum(j, 0, 1, C(1, j)*(1/2)^j*(1/2)^(1 - j))",
                    "chances of all sets of kept keys, for one key");
    sc_working_true(w, "delta*kept",
                    "its share: delta is averaged over the sets of kept keys");
}

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 145,
             .runs = 1,
             .document = "004",
             .place = "Theorem 2",
             .kind = "false",
             .statement =
                 "The range mechanism has delta of at most d e^(-w(L + Delta - 1)).",
             .counterexample =
                 "epsilon 1, Delta 2, L = 5: 0.0497871 is claimed; 0.0532503 is true.",
             .correction = "L - Delta + 1 in the exponent.",
             .where = "src/mechanism/threshold/hard_range.c",
         },
     .run = erratum_145},
    {.facts =
         {
             .number = 146,
             .runs = 1,
             .document = "004",
             .place = "Lemma 2, Theorem 2",
             .kind = "loose",
             .statement = "delta has a factor d.",
             .counterexample = "Delta 3, L = 6, epsilon 1: 0.0970709 in any dimension.",
             .correction = "No factor.",
             .where = "src/mechanism/threshold/hard_range.c",
         },
     .run = erratum_146},
    {.facts =
         {
             .number = 147,
             .runs = 1,
             .document = "004",
             .place = "before Theorem 2",
             .kind = "false",
             .statement = "The ranges are disjoint.",
             .counterexample = "Centres 0 and 1 with L = 5 overlap in 10 integers.",
             .correction = "The events exclude each other.",
             .where = "src/mechanism/threshold/hard_range.c",
         },
     .run = erratum_147},
    {.facts =
         {
             .number = 148,
             .runs = 1,
             .document = "004",
             .place = "Theorem 4",
             .kind = "false",
             .statement = "A key that is published with probability p has a value of at "
                          "least Delta (ln(p/delta + 1)/epsilon - 1).",
             .counterexample = "epsilon 1/10, delta and p 1/1000: the value 1 is "
                               "published; 5.93147 is demanded.",
             .correction = "A factor e^epsilon - 1 at p/delta.",
             .where = "src/mechanism/threshold/least_size.c",
         },
     .run = erratum_148},
    {.facts =
         {
             .number = 149,
             .runs = 1,
             .document = "004",
             .place = "Lemma 3",
             .kind = "typo",
             .statement = "The ratio is e^(delta Delta).",
             .counterexample = "w = 1, delta 1e-6: the excess is 0.462117.",
             .correction = "e^(w Delta).",
             .where = "src/mechanism/threshold/hard_range.c",
         },
     .run = erratum_149},
    {.facts =
         {
             .number = 150,
             .runs = 1,
             .document = "004",
             .place = "A.8, A.11",
             .kind = "false",
             .statement = "(1 - y)^(-1) is at most e^y.",
             .counterexample = "y = 1/10: 10/9 is above 1.105171.",
             .correction = "At least; the step is not needed.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         },
     .run = erratum_150},
    {.facts =
         {
             .number = 151,
             .runs = 1,
             .document = "004",
             .place = "Theorem 5",
             .kind = "loose",
             .statement =
                 "The threshold theorem asks for conditions on n, gamma and delta.",
             .counterexample =
                 "epsilon 1/20, delta 1e-19: T from 963 to 1751 where 863 is enough.",
             .correction = "No conditions.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         },
     .run = erratum_151},
    {.facts =
         {
             .number = 152,
             .runs = 1,
             .document = "004",
             .place = "4.2",
             .kind = "false",
             .statement =
                 "There are at most Delta new keys, because the query is integral.",
             .counterexample = "1000 keys of value 0, epsilon 1, T = 10: delta is "
                               "0.0326458; 9.02198e-5 is claimed.",
             .correction = "Keys carry at least one unit.",
             .where = "src/mechanism/threshold/new_groups.c",
         },
     .run = erratum_152},
    {.facts =
         {
             .number = 153,
             .runs = 1,
             .document = "004",
             .place = "Definition 3",
             .kind = "false",
             .statement = "Every key is published, with a mark if it is suppressed.",
             .counterexample = "A key in one database only: delta is 1.",
             .correction = "Publish nothing for it.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         },
     .run = erratum_153},
    {.facts =
         {
             .number = 154,
             .document = "004",
             .place = "Lemma 5",
             .kind = "loose",
             .statement = "The mass of new keys is bounded by a sum.",
             .counterexample = "It is up to Delta times the exact value.",
             .correction = "max(tau(Delta), 1 - (1 - tau(1))^Delta).",
             .where = "src/mechanism/threshold/new_groups.c",
         }},
    {.facts =
         {
             .number = 155,
             .runs = 1,
             .document = "004",
             .place = "Definition 5, Lemmas 7, 8, Theorem 6",
             .kind = "false",
             .statement = "The sensitivity of the utility is a maximum over keys.",
             .counterexample = "60 keys with utilities 29 and 30, epsilon 1/2: delta at "
                               "2 epsilon is 0.722706; 1.64872e-6 is claimed.",
             .correction = "A sum over keys.",
             .where = "src/mechanism/threshold/stabilise.c",
         },
     .run = erratum_155},
    {.facts =
         {
             .number = 156,
             .document = "004",
             .place = "Definition 6",
             .kind = "ambiguous",
             .statement = "The utility is a maximum over r in R.",
             .counterexample =
                 "R taken from the data: the utility moves by 100 at sensitivity 0.",
             .correction = "A fixed R.",
             .where = "src/mechanism/threshold/stabilise.c",
         }},
    {.facts =
         {
             .number = 157,
             .runs = 1,
             .document = "004",
             .place = "Lemma 7",
             .kind = "loose",
             .statement = "A new key is kept with probability exp(-(K - D)/b).",
             .counterexample =
                 "epsilon 1/2, delta 1e-6: K is 28.6310 in place of 27.2447.",
             .correction = "Half of it.",
             .where = "src/mechanism/threshold/stabilise.c",
         },
     .run = erratum_157},
    {.facts =
         {
             .number = 158,
             .runs = 1,
             .document = "004",
             .place = "Lemma 8, Theorem 6",
             .kind = "loose",
             .statement = "The delta of the second mechanism is multiplied by e^(Du/b).",
             .counterexample = "epsilon 1/2: 1.64872 delta in place of delta.",
             .correction = "delta.",
             .where = "src/mechanism/threshold/stabilise.c",
         },
     .run = erratum_158},
    {.facts =
         {
             .number = 159,
             .document = "004",
             .place = "A.11 (1)",
             .kind = "typo",
             .statement = "(1 - exp(.)) - 1 is at most e^epsilon.",
             .counterexample = "",
             .correction = "The exponent is -1.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         }},
    {.facts =
         {
             .number = 160,
             .runs = 1,
             .document = "004",
             .place = "Lemma 9, Theorem 7, Cor. 2",
             .kind = "false",
             .statement =
                 "Maps that preserve the norm may be applied first without a cost.",
             .counterexample = "10 and 11 records, each mapped to n copies of n mod 2: "
                               "their distance becomes 21.",
             .correction = "Maps that never increase a distance.",
             .where = "src/model/lipschitz.c",
         },
     .run = erratum_160},
    {.facts =
         {
             .number = 161,
             .runs = 1,
             .document = "004",
             .place = "6.1",
             .kind = "false",
             .statement = "Most zeros become non-zero.",
             .counterexample = "epsilon 1/10: a share of 0.475021 does; without setting "
                               "negatives to 0 it is 0.950042.",
             .correction = "Fewer than half.",
             .where = "src/mechanism/threshold/sparsity.c",
         },
     .run = erratum_161},
    {.facts =
         {
             .number = 162,
             .runs = 1,
             .document = "004",
             .place = "6.3",
             .kind = "typo",
             .statement = "The range is 876, and L is called its size.",
             .counterexample = "20 ln 10^19 = 874.982; the range has 2 L + 1 integers.",
             .correction = "L is half the width.",
             .where = "src/mechanism/threshold/hard_range.c",
         },
     .run = erratum_162},
    {.facts =
         {
             .number = 163,
             .runs = 1,
             .document = "004",
             .place = "6.2",
             .kind = "typo",
             .statement = "The threshold is 1800.",
             .counterexample = "The formula gives 1750.965.",
             .correction = "The value of the formula.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         },
     .run = erratum_163},
    {.facts =
         {
             .number = 164,
             .document = "004",
             .place = "Example 2",
             .kind = "gap",
             .statement = "A utility that is infinite forces a key to be kept.",
             .counterexample = "The sensitivity is infinite.",
             .correction = "Only by a rule that does not look at the data.",
             .where = "src/mechanism/threshold/stabilise.c",
         }},
};

const sc_errata_section sc_errata_threshold = SC_ERRATA_SECTION(rows);
