/* Errata of document 002, section 9.1: microdata. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 111,
             .document = "002",
             .place = "9.1.2",
             .kind = "typo",
             .statement = "The text says \"point queries ... d^2\" and \"any ... can "
                          "perform as well\".",
             .counterexample = "",
             .correction = "The sum query, and \"none can\".",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 112,
             .document = "002",
             .place = "Theorem 9.6 (1)",
             .kind = "false",
             .statement = "Microdata noise of DGeo(1/epsilon) is epsilon-DP.",
             .counterexample = "epsilon 1/10: it is 10-DP.",
             .correction = "DGeo(epsilon).",
             .where = "src/mechanism/noise/laplace.c",
         }},
    {.facts =
         {
             .number = 113,
             .document = "002",
             .place = "Theorem 9.6 (2)",
             .kind = "false",
             .statement = "The answer q + max(0, noise) is private.",
             .counterexample = "rho 1/2: delta is 0.699471 at every epsilon.",
             .correction = "max(0, q + noise).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 114,
             .document = "002",
             .place = "Theorem 9.6 (3)",
             .kind = "false",
             .statement = "The error of the sum query is at most 2/epsilon^2.",
             .counterexample = "epsilon 1: 8.",
             .correction = "8/epsilon^2.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 115,
             .document = "002",
             .place = "Theorem 9.6 (4)",
             .kind = "typo",
             .statement = "The clause names M_rho and cites Lemma 9.5.",
             .counterexample = "",
             .correction = "M'_rho and Lemma 9.4.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 116,
             .document = "002",
             .place = "Theorem 9.6 (5)",
             .kind = "loose",
             .statement =
                 "The truncated noise needs B of at least (2/epsilon) ln(4/delta) + 1.",
             .counterexample = "epsilon 1, delta 1e-6: 32; 29 is enough.",
             .correction = "An exact search over B.",
             .where = "src/mechanism/noise/truncated.c",
         }},
    {.facts =
         {
             .number = 117,
             .document = "002",
             .place = "Lemma 9.4",
             .kind = "false",
             .statement =
                 "The mean squared maximum is at most (ln d + 2 ln d + 2)/epsilon^2.",
             .counterexample =
                 "d = 6: 7.375278 is claimed; 13489/1800 = 7.493889 is true.",
             .correction = "H_d^2 + H2_d, with the harmonic sums of d.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 118,
             .document = "002",
             .place = "Theorem 9.3, proof",
             .kind = "false",
             .statement = "exp(6 epsilon C) is at least d - 128.",
             .counterexample = "d = 200: 72 stands for 199/28.",
             .correction = "(d - 1)/28.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 119,
             .document = "002",
             .place = "Theorem 9.3, proof",
             .kind = "false",
             .statement = "The 2 of e^(4 epsilon C + 2) may be left out.",
             .counterexample = "epsilon 1, D = 1, d = 100: C = 1/4 meets the premise; at "
                               "least 0.315729 is claimed.",
             .correction = "ln(...) - 2.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 120,
             .document = "002",
             .place = "Theorem 9.3 (3b)",
             .kind = "typo",
             .statement = "lambda stands for gamma.",
             .counterexample = "",
             .correction = "For every gamma in (0, 1).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 121,
             .document = "002",
             .place = "Theorem 9.3, proof",
             .kind = "ambiguous",
             .statement = "Databases differ \"by at least 2(alpha C + k) records\".",
             .counterexample = "Group privacy needs at most that many.",
             .correction = "Exactly that many, an integer.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 122,
             .document = "002",
             .place = "Theorem 9.3, end",
             .kind = "typo",
             .statement = "The bound has log(epsilon delta).",
             .counterexample = "",
             .correction = "log(epsilon/delta).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 123,
             .document = "002",
             .place = "Definition 9.1, Thm 9.6 (1)",
             .kind = "ambiguous",
             .statement = "Changing one record affects one query.",
             .counterexample =
                 "Counts (1, 0) to (0, 1): two cells change, so the cost is 2 epsilon.",
             .correction = "Neighbours by add-remove.",
             .where = "src/model/neighbours.c",
         }},
};

const sc_errata_section sc_errata_microdata = SC_ERRATA_SECTION(rows);
