/* Errata of document 002, chapter 7: local privacy. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 83,
             .document = "002",
             .place = "7.2",
             .kind = "false",
             .statement = "The error of the Laplace mean is at most 1/(epsilon n).",
             .counterexample = "It is exceeded with probability 0.367879.",
             .correction = "With probability 1 - 1/e only.",
             .where = "src/mechanism/noise/laplace.c",
         }},
    {.facts =
         {
             .number = 84,
             .document = "002",
             .place = "7.2",
             .kind = "gap",
             .statement = "Chebyshev's inequality at 1/(epsilon sqrt n) gives n of at "
                          "least 1/(alpha epsilon)^2.",
             .counterexample = "The bound is 0.920674 at epsilon 1, whatever n is.",
             .correction = "Hoeffding's inequality.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 85,
             .document = "002",
             .place = "7.4.1",
             .kind = "ambiguous",
             .statement = "The permanent bit is reported with chance p if it is 1 and q "
                          "if it is 0.",
             .counterexample =
                 "f = 1/2, p = 1/2, q = 3/4: the slope is -1/8 instead of 1/8.",
             .correction = "q for 1 and p for 0.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 86,
             .document = "002",
             .place = "Theorem 7.4, proof",
             .kind = "typo",
             .statement = "The denominator is 1/2.",
             .counterexample = "f = 1/2, h = 2: 1.62186 stands for 4.39445.",
             .correction = "f/2.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 87,
             .document = "002",
             .place = "Theorem 7.4, proof",
             .kind = "false",
             .statement = "The proof exchanges exponents, and its product formula and "
                          "index range are wrong.",
             .counterexample = "f = 1/2, h = 2: 1/81 stands for 81.",
             .correction = "Enumerate the reports.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 88,
             .document = "002",
             .place = "Lemma 7.5, proof",
             .kind = "false",
             .statement =
                 "The proof compares two outputs for one input, and ln r with ln 1/r.",
             .counterexample = "x = m, epsilon 1: it says 1 = -1.",
             .correction = "Compare two inputs; the claim holds.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 89,
             .document = "002",
             .place = "7.4.3",
             .kind = "false",
             .statement = "The offset is drawn from 1 to m - 1 and compared with >.",
             .counterexample =
                 "m = 10, x = 1: it rounds up with probability 0, not 1/10.",
             .correction = "0 to m - 1 with >=.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 90,
             .document = "002",
             .place = "Lemma 7.8",
             .kind = "false",
             .statement = "The mean of the sent bits is mu.",
             .counterexample = "x = 0, epsilon 1: the mean is 0.268941.",
             .correction = "Correct the bias.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 91,
             .document = "002",
             .place = "after 7.8",
             .kind = "false",
             .statement = "Only the crossing shows, and it is private.",
             .counterexample = "Values (0, m) send bits 0, 1 with probability 0.534447; "
                               "values (0, 0) never do.",
             .correction = "There is no finite epsilon: charge each round.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 92,
             .document = "002",
             .place = "Definition 7.2",
             .kind = "ambiguous",
             .statement = "Condensed local privacy is stated \"for epsilon > 0\" and "
                          "written with alpha.",
             .counterexample = "Diameter 10, alpha 1: it is 10-LDP, not 1-LDP.",
             .correction = "alpha; over diameter R it is (alpha R)-LDP.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 93,
             .document = "002",
             .place = "Theorem 7.7",
             .kind = "gap",
             .statement = "The error bound holds for every delta.",
             .counterexample = "At delta = 0 it is infinite.",
             .correction = "delta above 0.",
             .where = "not in scrim",
         }},
};

const sc_errata_section sc_errata_local = SC_ERRATA_SECTION(rows);
