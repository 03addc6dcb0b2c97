/* Errata of document 002, chapter 8 and section 9.2: Renyi privacy, sparse vectors in it. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 94,
             .document = "002",
             .place = "Definition 8.1",
             .kind = "ambiguous",
             .statement = "The divergence is between databases, with a maximum.",
             .counterexample = "",
             .correction = "Between output distributions, with an essential supremum.",
             .where = "src/audit/divergence.c",
         }},
    {.facts =
         {
             .number = 95,
             .document = "002",
             .place = "Definition 8.2",
             .kind = "false",
             .statement =
                 "e^epsilon Pr^(1 - 1/alpha) is an equivalent form of Renyi privacy.",
             .counterexample = "P = (9/10, 1/10), Q = (1/10, 9/10), alpha 2: it is met "
                               "at 1.045932; the divergence is 2.093235.",
             .correction = "(e^epsilon Pr)^(1 - 1/alpha), which is only implied.",
             .where = "src/model/renyi_conversion.c",
         }},
    {.facts =
         {
             .number = 96,
             .document = "002",
             .place = "Theorem 8.7",
             .kind = "ambiguous",
             .statement = "The bound for k mechanisms has n, and is called equivalent to "
                          "advanced composition.",
             .counterexample = "On randomised response the largest constant needed is "
                               "1.2692; 2 is printed.",
             .correction = "n = k, and the constant sqrt 2.",
             .where = "src/composition/accountant/renyi.c",
         }},
    {.facts =
         {
             .number = 97,
             .document = "002",
             .place = "Theorem 8.8",
             .kind = "loose",
             .statement = "Renyi privacy gives epsilon + ln(1/delta)/(alpha - 1).",
             .counterexample = "Gaussian noise with sigma 1, delta 1e-5: 5.298526 where "
                               "4.377178 is exact.",
             .correction = "Subtract ln(alpha)/(alpha - 1) - ln(1 - 1/alpha).",
             .where = "src/model/renyi_conversion.c",
         }},
    {.facts =
         {
             .number = 98,
             .document = "002",
             .place = "8.12; Lemma 9.7",
             .kind = "typo",
             .statement = "y' stands for y, and a pair is written in the wrong order.",
             .counterexample = "",
             .correction = "The statements hold.",
             .where = "src/composition/accountant/renyi.c",
         }},
    {.facts =
         {
             .number = 99,
             .document = "002",
             .place = "Algorithm 9",
             .kind = "typo",
             .statement =
                 "The algorithm resamples one variable and compares with another.",
             .counterexample = "",
             .correction = "One variable.",
             .where = "src/mechanism/sparse/generalised.c",
         }},
    {.facts =
         {
             .number = 100,
             .document = "002",
             .place = "Theorem 9.9",
             .kind = "false",
             .statement = "The third bound holds if the threshold noise has a finite "
                          "Renyi bound at infinity.",
             .counterexample = "b = 1/2, sigma 1, T = 8: the divergence of order 2 is at "
                               "least 13.10; 6 is stated.",
             .correction = "If the query noise has one.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 101,
             .document = "002",
             .place = "9.2.1",
             .kind = "false",
             .statement = "The term of the length is log((1 + k)/(alpha - 1)).",
             .counterexample = "k = 10, alpha 16: -0.310155 stands for 0.159860.",
             .correction = "log(1 + k)/(alpha - 1).",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 102,
             .document = "002",
             .place = "after 9.11",
             .kind = "false",
             .statement = "The expected lengths k_inf, k_max and k_1 are equal.",
             .counterexample =
                 "Length 10, T = 0, sigmas 1 and 2: the moment k_1 is 2.313284.",
             .correction = "k_1 <= k_inf <= k_max + 1.",
             .where = "src/mechanism/sparse/sparse_moment.c",
         }},
    {.facts =
         {
             .number = 103,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "ambiguous",
             .statement = "The theorem has exp(gamma T^2/sigma^2), leaves c_gamma "
                          "undefined and writes Q_+(x).",
             .counterexample = "gamma 2, T = sigma: e^2 stands for e.",
             .correction = "exp(T^2/sigma^2), and Q_+(Delta).",
             .where = "src/mechanism/sparse/sparse_moment.c",
         }},
    {.facts =
         {
             .number = 104,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "gap",
             .statement = "The first term alpha D^2/sigma^2 follows from Theorem 9.9.",
             .counterexample =
                 "At alpha 2 Theorem 9.9 gives 3 D^2/sigma^2; 2 is printed.",
             .correction = "It holds by the sharper form with alpha - 1/2.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 105,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "false",
             .statement =
                 "The bound on the second moment of the length holds for every T.",
             .counterexample = "T = 0, sigma2 = sqrt 3 sigma1: the moment is 12.964362; "
                               "the bound is 11.882796.",
             .correction = "The bound with 4 + 2 pi r/sqrt u.",
             .where = "src/mechanism/sparse/sparse_moment.c",
         }},
    {.facts =
         {
             .number = 106,
             .document = "002",
             .place = "after 9.11",
             .kind = "gap",
             .statement = "log(1 + x) <= x is used for \"small\" rho.",
             .counterexample = "It needs rho of at most 0.01199.",
             .correction = "1 + x <= 2 x.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 107,
             .document = "002",
             .place = "Theorem 9.12",
             .kind = "loose",
             .statement = "The bound is (1 + log sum)/(alpha - 1), and the query noise "
                          "lacks its shift.",
             .counterexample = "",
             .correction = "log sum/(alpha - 1), and a shift of 2 D.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 108,
             .document = "002",
             .place = "after 9.12",
             .kind = "false",
             .statement = "epsilon = R + sqrt(2 R L), with the logarithm of c C(k, c).",
             .counterexample =
                 "sigma 20 and 40, c = 5, k = 1000, delta 1e-6: 0.830600 stands for "
                 "1.150677; at k = 10, c = 1 there are 11 outcomes and not 10.",
             .correction = "R + 2 sqrt(R L), and the sum of the binomial coefficients.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         }},
    {.facts =
         {
             .number = 109,
             .document = "002",
             .place = "Theorems 9.13, 9.14",
             .kind = "false",
             .statement = "The delta of all stages is delta~ + (c/c') delta'.",
             .counterexample = "c = 101, c' = 2: 1.505e-6 stands for 1.510e-6.",
             .correction = "ceil(c/c') stages.",
             .where = "src/mechanism/sparse/stagewise.c",
         }},
    {.facts =
         {
             .number = 110,
             .document = "002",
             .place = "Theorem 9.14",
             .kind = "gap",
             .statement = "The moment bound holds for all gamma.",
             .counterexample =
                 "From gamma = (sigma2/sigma1)^2 = 4 on the moment is infinite.",
             .correction = "gamma below 4.",
             .where = "src/mechanism/sparse/sparse_moment.c",
         }},
};

const sc_errata_section sc_errata_renyi = SC_ERRATA_SECTION(rows);
