/* Errata of document 002, section 9.1: microdata. */
#include "experiment/errata/erratum.h"
#include "sampling/law.h"

static void erratum_113(sc_working *w)
{
    sc_law law;
    SC_OWN(sc_ratio, variance);
    SC_OWN(sc_ball, mass);
    SC_OWN(sc_quantity, found);
    sc_working_input(w, "rho = 1/2", "rho");
    sc_working_step(w, "v = 1/(2*rho)", "variance of discrete Gaussian noise");
    sc_working_claimed(w, "0", "part of delta that is there at every epsilon");
    sc_ratio_set_int64(&variance, sc_working_integer(w, "v"));
    if (w->is_spoilt)
        return;
    sc_law_init(&law, &sc_discrete_gaussian_law, &variance, 0);
    sc_law_at_most(&law, 0, SC_QUANTITY_BITS, &mass);
    sc_law_clear(&law);
    sc_quantity_set_ball(&found, &mass);
    sc_working_put(w, SC_WORKING_TRUE, "", &found, "Pr[noise <= 0]",
                   "chance of the answer q, which q + 1 never gives");
}

static const sc_erratum rows[] = {
    {SC_FACTS(111, "002", "9.1.2", "typo"),
     .statement = "The text says \"point queries ... d^2\" and \"any ... can "
                  "perform as well\".",
     .counterexample = "", .correction = "The sum query, and \"none can\".",
     .where = "not in scrim"},
    {SC_FACTS(112, "002", "Theorem 9.6 (1)", "false"),
     .statement = "Microdata noise of DGeo(1/epsilon) is epsilon-DP.",
     .counterexample = "epsilon 1/10: it is 10-DP.", .correction = "DGeo(epsilon).",
     .where = "src/mechanism/microdata/point_first.c",
     SC_STEPS(SC_INPUT("eps = 1/10", "epsilon"), SC_CLAIMED("eps", "largest loss"),
              SC_STEP("x = exp(-1/eps)", "DGeo(1/eps) falls by this factor a step"),
              SC_STEP("p = (1 - x)/(1 + x)", "its mass at 0"),
              SC_TRUE("ln(p/(p*x))", "loss at 0 of a count that moves by 1"))},
    {SC_FACTS(113, "002", "Theorem 9.6 (2)", "false"),
     .statement = "The answer q + max(0, noise) is private.",
     .counterexample = "rho 1/2: delta is 0.699471 at every epsilon.",
     .correction = "max(0, q + noise).", .where = "src/mechanism/microdata/point_first.c",
     SC_RUNS(erratum_113)},
    {SC_FACTS(114, "002", "Theorem 9.6 (3)", "false"),
     .statement = "The error of the sum query is at most 2/epsilon^2.",
     .counterexample = "epsilon 1: 8.", .correction = "8/epsilon^2.",
     .where = "src/mechanism/microdata/sum_first.c",
     SC_STEPS(SC_INPUT("eps = 1", "epsilon: half for the cells, half for the sum"),
              SC_CLAIMED("2/eps^2", "bound on the mean squared error of the sum"),
              SC_STEP("b = 1/(eps/2)", "scale of the Laplace noise on the sum"),
              SC_TRUE("2*b^2", "its variance"))},
    {SC_FACTS(115, "002", "Theorem 9.6 (4)", "typo"),
     .statement = "The clause names M_rho and cites Lemma 9.5.", .counterexample = "",
     .correction = "M'_rho and Lemma 9.4.", .where = "not in scrim"},
    {SC_FACTS(116, "002", "Theorem 9.6 (5)", "loose"),
     .statement = "The truncated noise needs B of at least (2/epsilon) ln(4/delta) + 1.",
     .counterexample = "epsilon 1, delta 1e-6: 32; 29 is enough.",
     .correction = "An exact search over B.",
     .where = "src/mechanism/microdata/truncation_bound.c",
     SC_STEPS(SC_INPUT("eps = 1", "epsilon: half for the cells, half for the sum"),
              SC_INPUT("delta = 1e-6", "delta: half for each"),
              SC_CLAIMED("ceil(2/eps*ln(4/delta) + 1)", "bound of the noise"),
              SC_STEP("x = exp(-eps/2)", "the noise falls by this factor a step"),
              SC_TRUE("least(B, 2, 100, (x^B + max(0, x^B - x^(B - 2)*(1 - x)))/(1 + x) "
                      "- delta/2)",
                      "smallest bound whose exact delta is at most delta/2"))},
    {SC_FACTS(117, "002", "Lemma 9.4", "false"),
     .statement = "The mean squared maximum is at most (ln d + 2 ln d + 2)/epsilon^2.",
     .counterexample = "d = 6: 7.375278 is claimed; 13489/1800 = 7.493889 is true.",
     .correction = "H_d^2 + H2_d, with the harmonic sums of d.",
     .where = "src/mechanism/microdata/table_error.c",
     SC_STEPS(
         SC_INPUT("d = 6", "exponential variables of rate 1"),
         SC_CLAIMED("ln(d) + 2*ln(d) + 2", "bound on the mean square of their maximum"),
         SC_STEP("H = sum(i, 1, d, 1/i)", "mean of the maximum"),
         SC_STEP("V = sum(i, 1, d, 1/i^2)", "variance of the maximum"),
         SC_TRUE("H^2 + V", "mean square of the maximum"))},
    {SC_FACTS(118, "002", "Theorem 9.3, proof", "false"),
     .statement = "exp(6 epsilon C) is at least d - 128.",
     .counterexample = "d = 200: 72 stands for 199/28.", .correction = "(d - 1)/28.",
     .where = "src/mechanism/microdata/lower_bound.c",
     SC_STEPS(SC_INPUT("d = 200", "cells"),
              SC_CLAIMED("d - 128", "lower bound on exp(6 epsilon C)"),
              SC_TRUE("(d - 1)/28", "lower bound that the proof gives"))},
    {SC_FACTS(119, "002", "Theorem 9.3, proof", "false"),
     .statement = "The 2 of e^(4 epsilon C + 2) may be left out.",
     .counterexample = "epsilon 1, D = 1, d = 100: C = 1/4 meets the premise; at "
                       "least 0.315729 is claimed.",
     .correction = "ln(...) - 2.", .where = "src/mechanism/microdata/lower_bound.c",
     SC_STEPS(SC_INPUT("eps = 1", "epsilon"), SC_INPUT("d = 100", "cells"),
              SC_INPUT("c = 1/4", "an error C"),
              SC_STEP("exp(4*eps*c + 2) - (d - 1)/28",
                      "premise: at least 0, so c is possible"),
              SC_CLAIMED("ln((d - 1)/28)/(4*eps)", "lower bound on C"),
              SC_TRUE("(ln((d - 1)/28) - 2)/(4*eps)", "lower bound on C"))},
    {SC_FACTS(120, "002", "Theorem 9.3 (3b)", "typo"),
     .statement = "lambda stands for gamma.", .counterexample = "",
     .correction = "For every gamma in (0, 1).", .where = "not in scrim"},
    {SC_FACTS(121, "002", "Theorem 9.3, proof", "ambiguous"),
     .statement = "Databases differ \"by at least 2(alpha C + k) records\".",
     .counterexample = "Group privacy needs at most that many.",
     .correction = "Exactly that many, an integer.",
     .where = "src/mechanism/microdata/lower_bound.c"},
    {SC_FACTS(122, "002", "Theorem 9.3, end", "typo"),
     .statement = "The bound has log(epsilon delta).", .counterexample = "",
     .correction = "log(epsilon/delta).", .where = "not in scrim"},
    {SC_FACTS(123, "002", "Definition 9.1, Thm 9.6 (1)", "ambiguous"),
     .statement = "Changing one record affects one query.",
     .counterexample =
         "Counts (1, 0) to (0, 1): two cells change, so the cost is 2 epsilon.",
     .correction = "Neighbours by add-remove.",
     .where = "src/mechanism/microdata/cell_counts.c",
     SC_STEPS(SC_SAY(INPUT, "counts with one record changed", "(1, 0) and (0, 1)"),
              SC_CLAIMED("1", "cells that change; the cost in epsilon"),
              SC_TRUE("min(1, abs(1 - 0)) + min(1, abs(0 - 1))",
                      "cells that change; the cost in epsilon"))},
};

const sc_errata_section sc_errata_microdata = SC_ERRATA_SECTION(rows);
