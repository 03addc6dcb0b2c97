/* Errata of document 002, chapter 6: sparse vectors and private databases. */
#include "experiment/errata/erratum.h"

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 67,
             .document = "002",
             .place = "Algorithm 5",
             .kind = "false",
             .statement = "AboveThreshold without its halt is epsilon-DP.",
             .counterexample =
                 "epsilon 1, six queries: the loss is 1.318637; with 256 it is 62.8.",
             .correction = "Halt at the first \"above\".",
             .where = "src/mechanism/sparse/above_threshold.c",
         }},
    {.facts =
         {
             .number = 68,
             .document = "002",
             .place = "Theorem 6.1, proof",
             .kind = "gap",
             .statement = "The proof writes v_k for q_k(x) + v_k, and does not treat the "
                          "output without any \"above\".",
             .counterexample = "",
             .correction = "The statement holds with the halt.",
             .where = "src/mechanism/sparse/above_threshold.c",
         }},
    {.facts =
         {
             .number = 69,
             .document = "002",
             .place = "Definitions 6.2, 6.7",
             .kind = "ambiguous",
             .statement = "The probability beta covers the halting condition only.",
             .counterexample = "",
             .correction = "All conditions.",
             .where = "src/mechanism/sparse/sparse_accuracy.c",
         }},
    {.facts =
         {
             .number = 70,
             .document = "002",
             .place = "Theorem 6.3, proof",
             .kind = "typo",
             .statement = "The proof has \"with probability beta\", alpha <= and "
                          "unbalanced parentheses.",
             .counterexample = "",
             .correction = "The statement holds.",
             .where = "src/mechanism/sparse/sparse_accuracy.c",
         }},
    {.facts =
         {
             .number = 71,
             .document = "002",
             .place = "Algorithms 6, 7",
             .kind = "typo",
             .statement = "The noisy threshold of index 0 is used before it is drawn.",
             .counterexample = "",
             .correction = "Draw it first.",
             .where = "src/mechanism/sparse/sparse_run.c",
         }},
    {.facts =
         {
             .number = 72,
             .document = "002",
             .place = "Theorem 6.4",
             .kind = "gap",
             .statement = "The composition step holds for every epsilon.",
             .counterexample = "epsilon 30, delta 1/10, c = 60: delta is 0.105876.",
             .correction = "It needs c e0 (e^e0 - 1) of at most epsilon/2.",
             .where = "src/mechanism/sparse/sparse_split.c",
         }},
    {.facts =
         {
             .number = 73,
             .document = "002",
             .place = "Theorems 6.5, 6.8",
             .kind = "false",
             .statement = "The algorithm does not halt early if at most c queries are "
                          "near or above the threshold.",
             .counterexample =
                 "c = 1 and queries T + 1000, T - 1000: it halts at the first query.",
             .correction = "Fewer than c.",
             .where = "src/mechanism/sparse/sparse_accuracy.c",
         }},
    {.facts =
         {
             .number = 74,
             .document = "002",
             .place = "Algorithm 7, line 2",
             .kind = "false",
             .statement = "The answers get 29 epsilon, which stands for 2 epsilon/9.",
             .counterexample =
                 "One answer costs 29/2 epsilon; with Sparse it is 277/18 epsilon.",
             .correction = "epsilon2 = 2 epsilon/9.",
             .where = "src/mechanism/sparse/sparse_split.c",
         }},
    {.facts =
         {
             .number = 75,
             .document = "002",
             .place = "Algorithm 7, lines 5, 6",
             .kind = "false",
             .statement = "The noise of the answers lacks epsilon in epsilon2.",
             .counterexample = "epsilon 1/1000, delta 1e-6, c = 1: the loss is "
                               "0.00402583, and delta at 1/1000 is 0.00151177.",
             .correction = "Scale by epsilon and ln(2/delta).",
             .where = "src/mechanism/sparse/sparse_split.c",
         }},
    {.facts =
         {
             .number = 76,
             .document = "002",
             .place = "Theorem 6.8, delta > 0",
             .kind = "false",
             .statement = "alpha leaves out the noise of the answers, and has (sqrt 512 "
                          "+ 1) under the root.",
             .counterexample = "k = 10, c = 1, beta 1/20, delta 1e-6: 123.765 fails with "
                               "probability 0.614953; 939.008 is needed.",
             .correction = "The maximum of two terms.",
             .where = "src/mechanism/sparse/sparse_accuracy.c",
         }},
    {.facts =
         {
             .number = 77,
             .document = "002",
             .place = "Theorem 6.8, delta = 0",
             .kind = "typo",
             .statement = "The proof says \"with probability beta/2\".",
             .counterexample = "",
             .correction = "1 - beta/2; the bound holds.",
             .where = "src/mechanism/sparse/sparse_accuracy.c",
         }},
    {.facts =
         {
             .number = 78,
             .document = "002",
             .place = "6.2.1",
             .kind = "gap",
             .statement = "A normalised query has sensitivity 1/n, which needs n of at "
                          "least 1; the chain of inequalities is garbled.",
             .counterexample = "",
             .correction = "Release sum and count.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 79,
             .document = "002",
             .place = "6.2.2",
             .kind = "false",
             .statement = "SmallDB refuses repeated queries.",
             .counterexample =
                 "Its output is a database: any query can be asked of it twice.",
             .correction = "The ledger answers repetitions.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 80,
             .document = "002",
             .place = "Algorithm 8, Theorem 6.10",
             .kind = "false",
             .statement = "A database of log|Q|/alpha^2 rows answers all queries of Q.",
             .counterexample = "One query: 0 rows.",
             .correction = "floor(ln(2|Q|)/(2 alpha^2)) + 1.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 81,
             .document = "002",
             .place = "Theorem 6.11",
             .kind = "gap",
             .statement =
                 "There are N^m databases of m rows, and the bound holds for some beta.",
             .counterexample = "N = 2, m = 2: 3 multisets, not 4.",
             .correction = "C(N + m - 1, m), and every beta in (0, 1].",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 82,
             .document = "002",
             .place = "Theorem 6.12",
             .kind = "false",
             .statement = "The error bound of SmallDB holds for every alpha.",
             .counterexample = "Two types half and half, n = 10^9, alpha = 1: the error "
                               "is at least 0.1 where 0.0029 is stated.",
             .correction = "alpha the root of the cubic, run at alpha/2.",
             .where = "not in scrim",
         }},
};

const sc_errata_section sc_errata_sparse = SC_ERRATA_SECTION(rows);
