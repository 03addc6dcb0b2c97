/* Errata of document 003: floating bodies. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 124,
             .document = "003",
             .place = "A.1",
             .kind = "typo",
             .statement =
                 "The body is the intersection of half-spaces of mass at least 1 - q.",
             .counterexample = "q = 9/10: 1/10 stands for 9/10.",
             .correction = "Mass at least q.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 125,
             .document = "003",
             .place = "Definition 16",
             .kind = "ambiguous",
             .statement = "One delta serves pairs of datasets at any distance.",
             .counterexample = "epsilon 1, delta 1e-6, distance 5: delta is 8.57910e-5.",
             .correction = "Distance 1.",
             .where = "src/model/cost.c",
         }},
    {.facts =
         {
             .number = 126,
             .document = "003",
             .place = "Lemma 18",
             .kind = "false",
             .statement = "The first condition asks for F(Q - a) - F(Q) above b.",
             .counterexample = "-10 five times, 0 three times, 1 twice, a = 1: the "
                               "difference is -3/10.",
             .correction = "F(Q + a) - F(Q).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 127,
             .document = "003",
             .place = "Lemma 18",
             .kind = "false",
             .statement = "With the sign repaired, the quantiles are within a.",
             .counterexample =
                 "X = -10 x5, 0 x3, 1 x2 and Y = -10 x6, 0 x2, 1 x2, k = 6: the "
                 "conditions have 1/5 and 3/10, and the quantiles are 10 apart.",
             .correction = "q - F(Q - a) above b.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 128,
             .document = "003",
             .place = "B.2, Lemma 21, 22",
             .kind = "false",
             .statement =
                 "On the typical set that counts points, the quantile is Lipschitz.",
             .counterexample = "0 x5, 10 x5 and 0 x4, 10 x6, k = 5: both are typical, "
                               "and the quantiles are 10 apart.",
             .correction = "Conditions on order statistics.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 129,
             .document = "003",
             .place = "Lemma 20, proof",
             .kind = "gap",
             .statement = "The step to a net keeps all points.",
             .counterexample = "Points at the end 0 of an interval are lost.",
             .correction = "Order statistics.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 130,
             .document = "003",
             .place = "Lemma 20",
             .kind = "false",
             .statement = "The exponent is -Theta(W + min(log A, d)).",
             .counterexample =
                 "W = 1, d = 100: more directions would make failure rarer.",
             .correction = "-Theta(W) + min(log A, d).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 131,
             .document = "003",
             .place = "Lemma 20, proof",
             .kind = "typo",
             .statement = "An event has probability below e^(-Theta(n)), and |Q - <c, "
                          "theta>| is at most Rmin/2.",
             .counterexample = "",
             .correction =
                 "At least 1 minus that, and Q - <c, theta> of at least Rmin/2.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 132,
             .document = "003",
             .place = "Lemma 20, proof",
             .kind = "false",
             .statement = "The typical set of fewer directions lies within that of all.",
             .counterexample = "More directions allow fewer datasets.",
             .correction = "The typical set of the sphere lies within that of A.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 133,
             .document = "003",
             .place = "before Lemma 21",
             .kind = "typo",
             .statement = "The range has Rmin.",
             .counterexample = "",
             .correction = "Rmax.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 134,
             .document = "003",
             .place = "(20), Lemma 22",
             .kind = "false",
             .statement = "The branches meet at r'/2.",
             .counterexample = "K = 1, h = 1, r' = 1/4: they meet at 1/16, not 1/8.",
             .correction = "K (r'/4)^h, and the cases apart.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 135,
             .document = "003",
             .place = "Lemma 24",
             .kind = "false",
             .statement = "The dataset of zeros is typical.",
             .counterexample = "All rows 0: the body is the point 0 and has no ball.",
             .correction = "Not used.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 136,
             .document = "003",
             .place = "Lemmas 8, 12, 14",
             .kind = "loose",
             .statement = "The constants are 6, 6 sqrt d and 5.",
             .counterexample = "d = 2: C_d = 1.273240 in place of 1.414214.",
             .correction = "4, 4 C_d and 4.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 137,
             .document = "003",
             .place = "(27)",
             .kind = "false",
             .statement = "P(out) E|g|^2 bounds the cost of the coupling.",
             .counterexample = "d = 1, radius 2: 0.0455003 is claimed; 0.261464 is true.",
             .correction = "E[|g|^2; out].",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 138,
             .document = "003",
             .place = "Lemma 32",
             .kind = "gap",
             .statement = "(20) gives the sure bound 4(Rmax + r).",
             .counterexample =
                 "K of at least 5: the radius is 2 K (Rmax + r/2), at least 10 Rmax.",
             .correction = "Project on the ball.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 139,
             .document = "003",
             .place = "Proposition 33",
             .kind = "false",
             .statement = "Rmax = ln(1/(2(1 - q))), with its arguments in another order.",
             .counterexample =
                 "Gaussian, q = 3/5: 0.223144 is below the quantile 0.253347.",
             .correction = "1 + ln(1/(2(1 - q))), or sqrt 3 ln(1/(2(1 - q))).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 140,
             .document = "003",
             .place = "Proposition 33",
             .kind = "loose",
             .statement = "L = (1 - q)/(2 e) and Rmin = q - 1/2.",
             .counterexample = "q = 9/10: 0.0183940 where 0.0494017 is proved.",
             .correction = "0.494 (1 - q) and sqrt 2 (q - 1/2).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 141,
             .document = "003",
             .place = "D.7",
             .kind = "false",
             .statement = "Sampling e^(-phi) at low temperature finds the maximum of "
                          "phi; the text cites \"Corollary 5\".",
             .counterexample = "phi = x^2 on [-1, 1]: it finds 0, not -1 or 1.",
             .correction = "The minimum; Corollary 15.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 142,
             .document = "003",
             .place = "(29), 37, 38",
             .kind = "typo",
             .statement = "exp is missing in Z_X, and the claims say \"X in H\".",
             .counterexample = "",
             .correction = "All inputs.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 143,
             .document = "003",
             .place = "Theorems 19, 26; Lemma 22",
             .kind = "unreadable",
             .statement = "The sample sizes cannot be read in the scan.",
             .counterexample = "",
             .correction = "Not used.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 144,
             .document = "003",
             .place = "A.1, existence",
             .kind = "ambiguous",
             .statement = "The body always exists from q = 1 - 1/(d + 1) on; the scan "
                          "does not show whether the inequality is strict.",
             .counterexample =
                 "d = 2, q = 2/3, three atoms: the body is empty, with radius -0.293.",
             .correction = "The strict inequality.",
             .where = "not in scrim",
         }},
};

const sc_errata_section sc_errata_floating = SC_ERRATA_SECTION(rows);
