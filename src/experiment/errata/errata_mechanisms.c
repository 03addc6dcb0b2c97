/* Errata of document 002, chapters 4 and 5: noise, selection, divergences. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 50,
             .document = "002",
             .place = "4.1.1",
             .kind = "typo",
             .statement = "The l1 norm is missing for vectors, and the l2 sensitivity "
                          "does not say \"neighbours\".",
             .counterexample =
                 "For the identity the supremum over all pairs is infinite.",
             .correction = "The supremum over neighbours.",
             .where = "src/mechanism/noise/additive.c",
         }},
    {.facts =
         {
             .number = 51,
             .document = "002",
             .place = "Algorithms 1, 3, 4",
             .kind = "gap",
             .statement = "The algorithms compute the sensitivity as a maximum over all "
                          "databases; Algorithm 3 lacks delta.",
             .counterexample = "",
             .correction = "Sensitivity and delta are inputs.",
             .where = "src/mechanism/noise/laplace.c",
         }},
    {.facts =
         {
             .number = 52,
             .document = "002",
             .place = "Theorem 4.2, proof",
             .kind = "typo",
             .statement = "The proof has k e^(-k/delta).",
             .counterexample =
                 "k = 10, delta 1/20: e^(-200) stands for e^(-ln 200) = 1/200.",
             .correction = "k e^(-ln(k/delta)); the statement holds.",
             .where = "src/mechanism/noise/laplace.c",
         }},
    {.facts =
         {
             .number = 53,
             .document = "002",
             .place = "Algorithm 2",
             .kind = "false",
             .statement =
                 "In the noisy maximum each query gets noise by its own sensitivity.",
             .counterexample = "Queries (0, 20 eight times) and (0, 30 eight times) with "
                               "scales 1 and 10: the loss is 7.99267 at epsilon 1.",
             .correction = "One common scale.",
             .where = "src/mechanism/selection/noisy_max.c",
         }},
    {.facts =
         {
             .number = 54,
             .document = "002",
             .place = "Theorem 4.3",
             .kind = "false",
             .statement = "The noisy maximum with Laplace noise of scale D/epsilon is "
                          "epsilon-DP for all queries.",
             .counterexample = "Two queries whose gap goes from 0 to 2: the loss is "
                               "1.306853 at epsilon 1, and it tends to 2.",
             .correction =
                 "Only for monotone queries under add-remove; else scale 2 D/epsilon.",
             .where = "src/mechanism/selection/noisy_max.c",
         }},
    {.facts =
         {
             .number = 55,
             .document = "002",
             .place = "4.1.1, Gaussian",
             .kind = "false",
             .statement =
                 "sigma = sqrt(2 ln(1.25/delta))/epsilon is private for every epsilon.",
             .counterexample = "epsilon 10, delta 1e-5: delta is 2.26537e-5. The formula "
                               "fails from epsilon 8.41977 on.",
             .correction = "Exact calibration.",
             .where = "src/mechanism/noise/analytic_gaussian.c",
         }},
    {.facts =
         {
             .number = 56,
             .document = "002",
             .place = "4.1.1, remark",
             .kind = "false",
             .statement = "Gaussian noise is smaller than Laplace noise.",
             .counterexample = "One number at (1, 1e-5): deviation 4.84481, at best "
                               "3.73063, against 1.41421.",
             .correction = "From 7 queries on.",
             .where = "src/mechanism/noise/gaussian_calibration.c",
         }},
    {.facts =
         {
             .number = 57,
             .document = "002",
             .place = "4.1.2",
             .kind = "typo",
             .statement =
                 "Authors' names are misspelt, the revenue score has sensitivity 1, and "
                 "the sensitivity of the score does not say \"neighbours\".",
             .counterexample = "Prices up to 10: the sensitivity of revenue is 10.",
             .correction = "The largest price.",
             .where = "src/mechanism/selection/exponential.c",
         }},
    {.facts =
         {
             .number = 58,
             .document = "002",
             .place = "4.1.2",
             .kind = "false",
             .statement = "The exponential mechanism with score -|f - h| is precisely "
                          "the Laplace mechanism.",
             .counterexample =
                 "At epsilon 1 its standard deviation is 2.828427, not 1.414214.",
             .correction = "It is the Laplace mechanism at epsilon/2.",
             .where = "src/mechanism/selection/exponential.c",
         }},
    {.facts =
         {
             .number = 59,
             .document = "002",
             .place = "Theorem 4.5, proof",
             .kind = "typo",
             .statement = "t has the wrong sign.",
             .counterexample = "",
             .correction = "The statement holds.",
             .where = "src/mechanism/selection/exponential.c",
         }},
    {.facts =
         {
             .number = 60,
             .document = "002",
             .place = "4.1.2, comparison",
             .kind = "misleading",
             .statement = "The exponential mechanism is preferred to the noisy maximum "
                          "on two counts.",
             .counterexample = "Counts 10 apart at epsilon 1: it errs with probability "
                               "0.00669285, the noisy maximum with 0.000136200.",
             .correction =
                 "Counts are monotone, so the noisy maximum needs half the noise.",
             .where = "src/mechanism/selection/noisy_max.c",
         }},
    {.facts =
         {
             .number = 61,
             .document = "002",
             .place = "Theorem 4.7",
             .kind = "gap",
             .statement = "The proof covers monotone counts with a shift of 1, and calls "
                          "a rate a parameter.",
             .counterexample = "",
             .correction =
                 "The statement is true; the general case needs a shift of 2 D.",
             .where = "src/mechanism/selection/one_sided_noisy_max.c",
         }},
    {.facts =
         {
             .number = 62,
             .document = "002",
             .place = "Definition 5.1",
             .kind = "typo",
             .statement = "The line on log sums is garbled.",
             .counterexample = "",
             .correction = "The sum of y ln(y/z).",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 63,
             .document = "002",
             .place = "Definition 5.2",
             .kind = "false",
             .statement = "The approximate max divergence is a maximum over points.",
             .counterexample =
                 "Uniform on 1 to 100 against 101 to 200, delta 1/50: no point has more "
                 "than delta, so it says 0; the true value is infinite.",
             .correction =
                 "A supremum over events: the root of the hockey-stick divergence.",
             .where = "src/audit/divergence.c",
         }},
    {.facts =
         {
             .number = 64,
             .document = "002",
             .place = "Lemma 5.4(2)",
             .kind = "false",
             .statement = "One direction of the max divergence of Y' and Z' suffices.",
             .counterexample = "Y = (1/2, 1/2, 0), Z = (1/4, 1/4, 1/2) at ln 2: the "
                               "other direction has delta 1/2.",
             .correction = "Both directions.",
             .where = "src/audit/worst_pair.c",
         }},
    {.facts =
         {
             .number = 65,
             .document = "002",
             .place = "Lemma 5.5",
             .kind = "loose",
             .statement = "The KL divergence of an epsilon-DP pair is at most epsilon "
                          "(e^epsilon - 1).",
             .counterexample =
                 "At epsilon 1 the claim is 1.718282; the exact value is 0.462117.",
             .correction = "epsilon tanh(epsilon/2).",
             .where = "src/composition/accountant/advanced.c",
         }},
    {.facts =
         {
             .number = 66,
             .document = "002",
             .place = "Theorems 5.8, 5.9, proofs",
             .kind = "typo",
             .statement = "The proofs have epsilon^epsilon' and wrong constants of "
                          "Azuma's inequality.",
             .counterexample = "",
             .correction = "The statements hold.",
             .where = "src/composition/accountant/advanced.c",
         }},
};

const sc_errata_section sc_errata_mechanisms = SC_ERRATA_SECTION(rows);
