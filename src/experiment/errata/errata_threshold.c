/* Errata of document 004: thresholding and suppression. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 145,
             .document = "004",
             .place = "Theorem 2",
             .kind = "false",
             .statement =
                 "The range mechanism has delta of at most d e^(-w(L + Delta - 1)).",
             .counterexample =
                 "epsilon 1, Delta 2, L = 5: 0.0497871 is claimed; 0.0532503 is true.",
             .correction = "L - Delta + 1 in the exponent.",
             .where = "src/mechanism/threshold/hard_range.c",
         }},
    {.facts =
         {
             .number = 146,
             .document = "004",
             .place = "Lemma 2, Theorem 2",
             .kind = "loose",
             .statement = "delta has a factor d.",
             .counterexample = "Delta 3, L = 6, epsilon 1: 0.0970709 in any dimension.",
             .correction = "No factor.",
             .where = "src/mechanism/threshold/hard_range.c",
         }},
    {.facts =
         {
             .number = 147,
             .document = "004",
             .place = "before Theorem 2",
             .kind = "false",
             .statement = "The ranges are disjoint.",
             .counterexample = "Centres 0 and 1 with L = 5 overlap in 10 integers.",
             .correction = "The events exclude each other.",
             .where = "src/mechanism/threshold/hard_range.c",
         }},
    {.facts =
         {
             .number = 148,
             .document = "004",
             .place = "Theorem 4",
             .kind = "false",
             .statement = "A key that is published with probability p has a value of at "
                          "least Delta (ln(p/delta + 1)/epsilon - 1).",
             .counterexample = "epsilon 1/10, delta and p 1/1000: the value 1 is "
                               "published; 5.93147 is demanded.",
             .correction = "A factor e^epsilon - 1 at p/delta.",
             .where = "src/mechanism/threshold/least_size.c",
         }},
    {.facts =
         {
             .number = 149,
             .document = "004",
             .place = "Lemma 3",
             .kind = "typo",
             .statement = "The ratio is e^(delta Delta).",
             .counterexample = "w = 1, delta 1e-6: the excess is 0.462117.",
             .correction = "e^(w Delta).",
             .where = "src/mechanism/threshold/hard_range.c",
         }},
    {.facts =
         {
             .number = 150,
             .document = "004",
             .place = "A.8, A.11",
             .kind = "false",
             .statement = "(1 - y)^(-1) is at most e^y.",
             .counterexample = "y = 1/10: 10/9 is above 1.105171.",
             .correction = "At least; the step is not needed.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         }},
    {.facts =
         {
             .number = 151,
             .document = "004",
             .place = "Theorem 5",
             .kind = "loose",
             .statement =
                 "The threshold theorem asks for conditions on n, gamma and delta.",
             .counterexample =
                 "epsilon 1/20, delta 1e-19: T from 963 to 1751 where 863 is enough.",
             .correction = "No conditions.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         }},
    {.facts =
         {
             .number = 152,
             .document = "004",
             .place = "4.2",
             .kind = "false",
             .statement =
                 "There are at most Delta new keys, because the query is integral.",
             .counterexample = "1000 keys of value 0, epsilon 1, T = 10: delta is "
                               "0.0326458; 9.02198e-5 is claimed.",
             .correction = "Keys carry at least one unit.",
             .where = "src/mechanism/threshold/new_groups.c",
         }},
    {.facts =
         {
             .number = 153,
             .document = "004",
             .place = "Definition 3",
             .kind = "false",
             .statement = "Every key is published, with a mark if it is suppressed.",
             .counterexample = "A key in one database only: delta is 1.",
             .correction = "Publish nothing for it.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         }},
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
             .document = "004",
             .place = "Definition 5, Lemmas 7, 8, Theorem 6",
             .kind = "false",
             .statement = "The sensitivity of the utility is a maximum over keys.",
             .counterexample = "60 keys with utilities 29 and 30, epsilon 1/2: delta at "
                               "2 epsilon is 0.722706; 1.64872e-6 is claimed.",
             .correction = "A sum over keys.",
             .where = "src/mechanism/threshold/stabilise.c",
         }},
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
             .document = "004",
             .place = "Lemma 7",
             .kind = "loose",
             .statement = "A new key is kept with probability exp(-(K - D)/b).",
             .counterexample =
                 "epsilon 1/2, delta 1e-6: K is 28.6310 in place of 27.2447.",
             .correction = "Half of it.",
             .where = "src/mechanism/threshold/stabilise.c",
         }},
    {.facts =
         {
             .number = 158,
             .document = "004",
             .place = "Lemma 8, Theorem 6",
             .kind = "loose",
             .statement = "The delta of the second mechanism is multiplied by e^(Du/b).",
             .counterexample = "epsilon 1/2: 1.64872 delta in place of delta.",
             .correction = "delta.",
             .where = "src/mechanism/threshold/stabilise.c",
         }},
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
             .document = "004",
             .place = "Lemma 9, Theorem 7, Cor. 2",
             .kind = "false",
             .statement =
                 "Maps that preserve the norm may be applied first without a cost.",
             .counterexample = "10 and 11 records, each mapped to n copies of n mod 2: "
                               "their distance becomes 21.",
             .correction = "Maps that never increase a distance.",
             .where = "src/model/lipschitz.c",
         }},
    {.facts =
         {
             .number = 161,
             .document = "004",
             .place = "6.1",
             .kind = "false",
             .statement = "Most zeros become non-zero.",
             .counterexample = "epsilon 1/10: a share of 0.475021 does; without setting "
                               "negatives to 0 it is 0.950042.",
             .correction = "Fewer than half.",
             .where = "src/mechanism/threshold/sparsity.c",
         }},
    {.facts =
         {
             .number = 162,
             .document = "004",
             .place = "6.3",
             .kind = "typo",
             .statement = "The range is 876, and L is called its size.",
             .counterexample = "20 ln 10^19 = 874.982; the range has 2 L + 1 integers.",
             .correction = "L is half the width.",
             .where = "src/mechanism/threshold/hard_range.c",
         }},
    {.facts =
         {
             .number = 163,
             .document = "004",
             .place = "6.2",
             .kind = "typo",
             .statement = "The threshold is 1800.",
             .counterexample = "The formula gives 1750.965.",
             .correction = "The value of the formula.",
             .where = "src/mechanism/threshold/threshold_laplace.c",
         }},
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
