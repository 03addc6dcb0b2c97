/* Errata of document 002, section 9.1: microdata. */
#include "experiment/errata/erratum.h"
#include "sampling/law/law.h"

static void erratum_112(sc_working *w)
{
    sc_working_input(w, "eps = 1/10", "epsilon");
    sc_working_claimed(w, "eps", "largest loss");
    sc_working_step(w, "x = exp(-1/eps)", "DGeo(1/eps) falls by this factor a step");
    sc_working_step(w, "p = (1 - x)/(1 + x)", "its mass at 0");
    sc_working_true(w, "ln(p/(p*x))", "loss at 0 of a count that moves by 1");
}

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

static void erratum_114(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon: half for the cells, half for the sum");
    sc_working_claimed(w, "2/eps^2", "bound on the mean squared error of the sum");
    sc_working_step(w, "b = 1/(eps/2)", "scale of the Laplace noise on the sum");
    sc_working_true(w, "2*b^2", "its variance");
}

static void erratum_116(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon: half for the cells, half for the sum");
    sc_working_input(w, "delta = 1e-6", "delta: half for each");
    sc_working_claimed(w, "ceil(2/eps*ln(4/delta) + 1)", "bound of the noise");
    sc_working_step(w, "x = exp(-eps/2)", "the noise falls by this factor a step");
    sc_working_true(
        w, "least(B, 2, 100, (x^B + max(0, x^B - x^(B - 2)*(1 - x)))/(1 + x) - delta/2)",
        "smallest bound whose exact delta is at most delta/2");
}

static void erratum_117(sc_working *w)
{
    sc_working_input(w, "d = 6", "exponential variables of rate 1");
    sc_working_claimed(w, "ln(d) + 2*ln(d) + 2",
                       "bound on the mean square of their maximum");
    sc_working_step(w, "H = sum(i, 1, d, 1/i)", "mean of the maximum");
    sc_working_step(w, "V = sum(i, 1, d, 1/i^2)", "variance of the maximum");
    sc_working_true(w, "H^2 + V", "mean square of the maximum");
}

static void erratum_118(sc_working *w)
{
    sc_working_input(w, "d = 200", "cells");
    sc_working_claimed(w, "d - 128", "lower bound on exp(6 epsilon C)");
    sc_working_true(w, "(d - 1)/28", "lower bound that the proof gives");
}

static void erratum_119(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_input(w, "d = 100", "cells");
    sc_working_input(w, "c = 1/4", "an error C");
    sc_working_step(w, "exp(4*eps*c + 2) - (d - 1)/28",
                    "premise: at least 0, so c is possible");
    sc_working_claimed(w, "ln((d - 1)/28)/(4*eps)", "lower bound on C");
    sc_working_true(w, "(ln((d - 1)/28) - 2)/(4*eps)", "lower bound on C");
}

static void erratum_123(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "counts with one record changed",
                   "(1, 0) and (0, 1)");
    sc_working_claimed(w, "1", "cells that change; the cost in epsilon");
    sc_working_true(w, "min(1, abs(1 - 0)) + min(1, abs(0 - 1))",
                    "cells that change; the cost in epsilon");
}

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
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.6 (1)",
             .kind = "false",
             .statement = "Microdata noise of DGeo(1/epsilon) is epsilon-DP.",
             .counterexample = "epsilon 1/10: it is 10-DP.",
             .correction = "DGeo(epsilon).",
             .where = "src/mechanism/noise/laplace.c",
         },
     .run = erratum_112},
    {.facts =
         {
             .number = 113,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.6 (2)",
             .kind = "false",
             .statement = "The answer q + max(0, noise) is private.",
             .counterexample = "rho 1/2: delta is 0.699471 at every epsilon.",
             .correction = "max(0, q + noise).",
             .where = "not in scrim",
         },
     .run = erratum_113},
    {.facts =
         {
             .number = 114,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.6 (3)",
             .kind = "false",
             .statement = "The error of the sum query is at most 2/epsilon^2.",
             .counterexample = "epsilon 1: 8.",
             .correction = "8/epsilon^2.",
             .where = "not in scrim",
         },
     .run = erratum_114},
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
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.6 (5)",
             .kind = "loose",
             .statement =
                 "The truncated noise needs B of at least (2/epsilon) ln(4/delta) + 1.",
             .counterexample = "epsilon 1, delta 1e-6: 32; 29 is enough.",
             .correction = "An exact search over B.",
             .where = "src/mechanism/noise/truncated.c",
         },
     .run = erratum_116},
    {.facts =
         {
             .number = 117,
             .runs = 1,
             .document = "002",
             .place = "Lemma 9.4",
             .kind = "false",
             .statement =
                 "The mean squared maximum is at most (ln d + 2 ln d + 2)/epsilon^2.",
             .counterexample =
                 "d = 6: 7.375278 is claimed; 13489/1800 = 7.493889 is true.",
             .correction = "H_d^2 + H2_d, with the harmonic sums of d.",
             .where = "not in scrim",
         },
     .run = erratum_117},
    {.facts =
         {
             .number = 118,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.3, proof",
             .kind = "false",
             .statement = "exp(6 epsilon C) is at least d - 128.",
             .counterexample = "d = 200: 72 stands for 199/28.",
             .correction = "(d - 1)/28.",
             .where = "not in scrim",
         },
     .run = erratum_118},
    {.facts =
         {
             .number = 119,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.3, proof",
             .kind = "false",
             .statement = "The 2 of e^(4 epsilon C + 2) may be left out.",
             .counterexample = "epsilon 1, D = 1, d = 100: C = 1/4 meets the premise; at "
                               "least 0.315729 is claimed.",
             .correction = "ln(...) - 2.",
             .where = "not in scrim",
         },
     .run = erratum_119},
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
             .runs = 1,
             .document = "002",
             .place = "Definition 9.1, Thm 9.6 (1)",
             .kind = "ambiguous",
             .statement = "Changing one record affects one query.",
             .counterexample =
                 "Counts (1, 0) to (0, 1): two cells change, so the cost is 2 epsilon.",
             .correction = "Neighbours by add-remove.",
             .where = "src/model/neighbours.c",
         },
     .run = erratum_123},
};

const sc_errata_section sc_errata_microdata = SC_ERRATA_SECTION(rows);
