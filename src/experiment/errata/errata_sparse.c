/* Errata of document 002, chapter 6: sparse vectors and private databases. */
#include "experiment/errata/erratum.h"

/* m answers "below" and m "above", without a halt. On one database every query is 0; on the other the
 * first m are 1 and the last m are -1. With y = e^(-t/4) of the threshold t both chances are integrals of
 * polynomials: shared = 2^-m times the integral of u^(m + 1) (1 - u/2)^m over [0, 1]. */
static void put_unhalted(sc_working *w, const char *const formulas[3], const char *what)
{
    sc_working_step(w, formulas[0], "integral of u^(m + 1) (1 - u/2)^m/2^m over [0, 1]");
    sc_working_step(w, formulas[1], "chance of the answers on the first database");
    sc_working_step(w, formulas[2], what);
}

static void erratum_67(sc_working *w)
{
    static const char *const few[] = {
        "s = sum(j, 0, m, C(m, j)*(-1/2)^j/(m + 2 + j))/2^m", "p = 2*s",
        "q = exp(-m/2)/4^m*(1 - exp(-1/2)) + 2*exp(-(m + 1)/2)*s"};
    static const char *const many[] = {
        "s2 = sum(j, 0, 128, C(128, j)*(-1/2)^j/(130 + j))/2^128", "p2 = 2*s2",
        "q2 = exp(-64)/4^128*(1 - exp(-1/2)) + 2*exp(-129/2)*s2"};
    sc_working_input(w, "eps = 1", "epsilon; noise of scales 2 and 4");
    sc_working_input(w, "m = 3", "answers below, then as many above: six queries");
    sc_working_claimed(w, "eps", "largest loss");
    put_unhalted(w, many, "on the second one; 128 answers of each kind");
    sc_working_step(w, "ln(p2/q2)", "loss of 256 queries");
    put_unhalted(w, few, "on the second one");
    sc_working_true(w, "ln(p/q)", "loss of six queries");
}

/* The number of the query at which a run halts: the c-th that is above the threshold, as the offsets are
 * far beyond the noise; 0 if it does not halt. */
static int64_t halting_query(const int64_t *offsets, size_t count, int64_t c)
{
    for (size_t i = 0; i < count; i++)
        if (offsets[i] > 0 && --c == 0)
            return (int64_t)i + 1;
    return 0;
}

static void erratum_73(sc_working *w)
{
    const int64_t offsets[] = {1000, -1000};
    const int64_t last = halting_query(offsets, 2, 1);
    sc_working_input(w, "c = 1", "answers above that a run gives");
    sc_working_input(w, "eps = 1", "epsilon; noise of scales 2 and 4");
    sc_working_say(w, SC_WORKING_INPUT, "queries", "T + 1000, T - 1000");
    sc_working_step(w, "near = sum(i, 0, 1, min(1, max(0, 1000 - 2000*i)))",
                    "queries near or above the threshold: not more than c");
    sc_working_say(w, SC_WORKING_CLAIMED, "the run", "does not halt early");
    sc_working_step(w, "(16*exp(-1000/4) - 4*exp(-1000/2))/(2*(16 - 4))",
                    "chance that noise hides an offset of 1000");
    sc_working_put_int64(w, SC_WORKING_STEP, "last", last, "simulation without noise",
                         "query at which the run halts");
    sc_working_say(w, SC_WORKING_TRUE, "the run", "halts at query %d", (int)last);
}

static const sc_erratum rows[] = {
    {SC_FACTS(67, "002", "Algorithm 5", "false"),
     .statement = "AboveThreshold without its halt is epsilon-DP.",
     .counterexample =
         "epsilon 1, six queries: the loss is 1.318637; with 256 it is 62.8.",
     .correction = "Halt at the first \"above\".",
     .where = "src/mechanism/sparse/above_threshold.c", SC_RUNS(erratum_67)},
    {SC_FACTS(68, "002", "Theorem 6.1, proof", "gap"),
     .statement = "The proof writes v_k for q_k(x) + v_k, and does not treat the "
                  "output without any \"above\".",
     .counterexample = "", .correction = "The statement holds with the halt.",
     .where = "src/mechanism/sparse/above_threshold.c"},
    {SC_FACTS(69, "002", "Definitions 6.2, 6.7", "ambiguous"),
     .statement = "The probability beta covers the halting condition only.",
     .counterexample = "", .correction = "All conditions.",
     .where = "src/mechanism/sparse/sparse_accuracy.c"},
    {SC_FACTS(70, "002", "Theorem 6.3, proof", "typo"),
     .statement = "The proof has \"with probability beta\", alpha <= and "
                  "unbalanced parentheses.",
     .counterexample = "", .correction = "The statement holds.",
     .where = "src/mechanism/sparse/sparse_accuracy.c"},
    {SC_FACTS(71, "002", "Algorithms 6, 7", "typo"),
     .statement = "The noisy threshold of index 0 is used before it is drawn.",
     .counterexample = "", .correction = "Draw it first.",
     .where = "src/mechanism/sparse/sparse_run.c"},
    {SC_FACTS(72, "002", "Theorem 6.4", "gap"),
     .statement = "The composition step holds for every epsilon.",
     .counterexample = "epsilon 30, delta 1/10, c = 60: delta is 0.105876.",
     .correction = "It needs c e0 (e^e0 - 1) of at most epsilon/2.",
     .where = "src/mechanism/sparse/sparse_split.c",
     SC_STEPS(SC_INPUT("eps = 30", "epsilon"), SC_INPUT("delta = 1/10", "delta"),
              SC_INPUT("c = 60", "runs that are composed"),
              SC_STEP("e0 = eps/sqrt(8*c*ln(1/delta))", "epsilon of each run"),
              SC_STEP("c*e0*(exp(e0) - 1) - eps/2", "condition: at most 0"),
              SC_CLAIMED("delta", "delta of all runs at epsilon"),
              SC_TRUE("sum(j, 0, c, max(0, C(c, j)*(exp(j*e0) - exp(eps + (c - "
                      "j)*e0))))/(1 + exp(e0))^c",
                      "delta by optimal composition"))},
    {SC_FACTS(73, "002", "Theorems 6.5, 6.8", "false"),
     .statement = "The algorithm does not halt early if at most c queries are "
                  "near or above the threshold.",
     .counterexample =
         "c = 1 and queries T + 1000, T - 1000: it halts at the first query.",
     .correction = "Fewer than c.", .where = "src/mechanism/sparse/sparse_accuracy.c",
     SC_RUNS(erratum_73)},
    {SC_FACTS(74, "002", "Algorithm 7, line 2", "false"),
     .statement = "The answers get 29 epsilon, which stands for 2 epsilon/9.",
     .counterexample = "One answer costs 29/2 epsilon; with Sparse it is 277/18 epsilon.",
     .correction = "epsilon2 = 2 epsilon/9.",
     .where = "src/mechanism/sparse/sparse_split.c",
     SC_STEPS(SC_INPUT("eps = 1", "epsilon"), SC_INPUT("c = 1", "answers"),
              SC_CLAIMED("eps", "cost"),
              SC_STEP("e1 = 8*eps/9", "share of the comparisons"),
              SC_STEP("e2 = 29*eps", "printed parameter of the answers"),
              SC_STEP("answer = 1/(2*c/e2)", "cost of one answer: noise of scale 2 c/e2"),
              SC_TRUE("e1 + answer", "cost"))},
    {SC_FACTS(75, "002", "Algorithm 7, lines 5, 6", "false"),
     .statement = "The noise of the answers lacks epsilon in epsilon2.",
     .counterexample = "epsilon 1/1000, delta 1e-6, c = 1: the loss is "
                       "0.00402583, and delta at 1/1000 is 0.00151177.",
     .correction = "Scale by epsilon and ln(2/delta).",
     .where = "src/mechanism/sparse/sparse_split.c",
     SC_STEPS(SC_INPUT("eps = 1/1000", "epsilon"), SC_INPUT("delta = 1e-6", "delta"),
              SC_INPUT("c = 1", "answers"),
              SC_STEP("e2 = 2/(sqrt(512) + 1)",
                      "printed parameter of the answers, without eps"),
              SC_STEP("scale = sqrt(32*c*ln(1/delta))/e2", "scale of their noise"),
              SC_CLAIMED("eps", "largest loss"),
              SC_STEP("1 - exp((eps - 1/scale)/2)", "delta at eps of one answer"),
              SC_TRUE("1/scale", "loss of one answer"))},
    {SC_FACTS(76, "002", "Theorem 6.8, delta > 0", "false"),
     .statement = "alpha leaves out the noise of the answers, and has (sqrt 512 "
                  "+ 1) under the root.",
     .counterexample = "k = 10, c = 1, beta 1/20, delta 1e-6: 123.765 fails with "
                       "probability 0.614953; 939.008 is needed.",
     .correction = "The maximum of two terms.",
     .where = "src/mechanism/sparse/sparse_accuracy.c",
     SC_STEPS(
         SC_INPUT("k = 10", "queries"), SC_INPUT("c = 1", "answers"),
         SC_INPUT("beta = 1/20", "chance of failure"), SC_INPUT("delta = 1e-6", "delta"),
         SC_INPUT("eps = 1", "epsilon"), SC_STEP("r = sqrt(512)", "square root of 512"),
         SC_STEP("scale = sqrt(32*c*ln(2/delta))*(r + 1)/(2*eps)",
                 "scale of an answer's noise"),
         SC_STEP("printed = (ln(k) + ln(4*c/beta))*sqrt(c*ln(2/delta)*(r + 1))/eps",
                 "printed alpha"),
         SC_STEP("moved = (ln(k) + ln(4*c/beta))*sqrt(c*ln(2/delta))*(r + 1)/eps",
                 "alpha with the factor outside the root"),
         SC_STEP("exp(-moved/scale)", "chance that an answer errs by more than that"),
         SC_STEP("max(moved, sqrt(8)*(r + 1)*sqrt(c*ln(2/delta))*ln(2*c/beta)/eps)",
                 "corrected alpha"),
         SC_CLAIMED("beta", "chance that an answer errs by more than the printed alpha"),
         SC_TRUE("exp(-printed/scale)",
                 "chance that an answer errs by more than the printed alpha"))},
    {SC_FACTS(77, "002", "Theorem 6.8, delta = 0", "typo"),
     .statement = "The proof says \"with probability beta/2\".", .counterexample = "",
     .correction = "1 - beta/2; the bound holds.",
     .where = "src/mechanism/sparse/sparse_accuracy.c"},
    {SC_FACTS(78, "002", "6.2.1", "gap"),
     .statement = "A normalised query has sensitivity 1/n, which needs n of at "
                  "least 1; the chain of inequalities is garbled.",
     .counterexample = "", .correction = "Release sum and count.",
     .where = "not in scrim"},
    {SC_FACTS(79, "002", "6.2.2", "false"),
     .statement = "SmallDB refuses repeated queries.",
     .counterexample = "Its output is a database: any query can be asked of it twice.",
     .correction = "The ledger answers repetitions.", .where = "not in scrim"},
    {SC_FACTS(80, "002", "Algorithm 8, Theorem 6.10", "false"),
     .statement = "A database of log|Q|/alpha^2 rows answers all queries of Q.",
     .counterexample = "One query: 0 rows.",
     .correction = "floor(ln(2|Q|)/(2 alpha^2)) + 1.", .where = "not in scrim",
     SC_STEPS(SC_INPUT("q = 1", "queries"),
              SC_INPUT("alpha = 1", "error that is allowed"),
              SC_CLAIMED("ln(q)/alpha^2", "rows that suffice"),
              SC_TRUE("floor(ln(2*q)/(2*alpha^2)) + 1", "rows that suffice"))},
    {SC_FACTS(81, "002", "Theorem 6.11", "gap"),
     .statement = "There are N^m databases of m rows, and the bound holds for some beta.",
     .counterexample = "N = 2, m = 2: 3 multisets, not 4.",
     .correction = "C(N + m - 1, m), and every beta in (0, 1].", .where = "not in scrim",
     SC_STEPS(SC_INPUT("N = 2", "types of rows"), SC_INPUT("m = 2", "rows"),
              SC_CLAIMED("N^m", "databases"),
              SC_STEP("sum(a, 1, N, sum(b, a, N, 1))", "pairs a <= b, counted"),
              SC_TRUE("C(N + m - 1, m)", "multisets"))},
    {SC_FACTS(82, "002", "Theorem 6.12", "false"),
     .statement = "The error bound of SmallDB holds for every alpha.",
     .counterexample = "Two types half and half, n = 10^9, alpha = 1: the error "
                       "is at least 0.1 where 0.0029 is stated.",
     .correction = "alpha the root of the cubic, run at alpha/2.",
     .where = "not in scrim"},
};

const sc_errata_section sc_errata_sparse = SC_ERRATA_SECTION(rows);
