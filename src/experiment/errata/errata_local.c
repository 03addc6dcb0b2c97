/* Errata of document 002, chapter 7: local privacy. */
#include "experiment/errata/erratum.h"

static void erratum_83(sc_working *w)
{
    sc_working_input(w, "b = 1", "1/(epsilon n): scale of the Laplace noise on the mean");
    sc_working_claimed(w, "0", "chance that the error exceeds b");
    sc_working_true(w, "exp(-b/b)", "chance that the error exceeds b");
}

static void erratum_84(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon of randomised response");
    sc_working_step(w, "p = exp(eps)/(1 + exp(eps))", "chance of the true answer");
    sc_working_step(w, "v = p*(1 - p)/(2*p - 1)^2",
                    "n times the variance of the estimate");
    sc_working_say(w, SC_WORKING_CLAIMED, "Chebyshev's bound at 1/(epsilon sqrt n)",
                   "falls with n");
    sc_working_step(w, "v/100/(1/(eps*sqrt(100)))^2", "that bound for n = 100");
    sc_working_true(w, "v/10000/(1/(eps*sqrt(10000)))^2", "that bound for n = 10000");
}

static void erratum_85(sc_working *w)
{
    sc_working_input(w, "f = 1/2", "chance that a permanent bit is drawn anew");
    sc_working_input(w, "p = 1/2", "first chance of a report");
    sc_working_input(w, "q = 3/4", "second chance of a report");
    sc_working_step(w, "one = 1 - f/2", "chance of a permanent 1, if the true bit is 1");
    sc_working_step(w, "zero = f/2", "chance of a permanent 1, if the true bit is 0");
    sc_working_claimed(w, "(one*q + (1 - one)*p) - (zero*q + (1 - zero)*p)",
                       "slope of the report in the true bit, as deployed: q for 1");
    sc_working_true(w, "(one*p + (1 - one)*q) - (zero*p + (1 - zero)*q)",
                    "the same as printed: p for 1");
}

static void erratum_86(sc_working *w)
{
    sc_working_input(w, "f = 1/2", "chance that a permanent bit is drawn anew");
    sc_working_input(w, "h = 2", "hash functions");
    sc_working_claimed(w, "2*h*ln((1 - f/2)/(1/2))",
                       "epsilon, with the printed denominator");
    sc_working_true(w, "2*h*ln((1 - f/2)/(f/2))", "epsilon");
}

static void erratum_87(sc_working *w)
{
    sc_working_input(w, "f = 1/2", "chance that a permanent bit is drawn anew");
    sc_working_input(w, "h = 2", "hash functions");
    sc_working_step(w, "r = (1 - f/2)/(f/2)",
                    "ratio of a bit that is set to one that is not");
    sc_working_claimed(w, "r^(-2*h)", "largest ratio, with the exponents exchanged");
    sc_working_true(
        w, "most(i, 0, h, most(j, 0, h, r^(2*i - h)*r^(h - 2*j)))",
        "largest ratio over reports with i bits of one value and j of the other");
}

static void erratum_88(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_step(w, "p = exp(eps)/(1 + exp(eps))", "chance of the bit 1 at x = m");
    sc_working_step(w, "q = 1/(1 + exp(eps))", "chance of the bit 1 at x = 0");
    sc_working_step(w, "ln(p/(1 - p))", "ln r: bits 1 and 0 for the one input m");
    sc_working_claimed(w, "ln((1 - p)/p)", "ln 1/r, said to be the same");
    sc_working_true(w, "ln(p/q)", "loss: inputs m and 0 for the bit 1");
}

static void erratum_89(sc_working *w)
{
    sc_working_input(w, "m = 10", "step");
    sc_working_input(w, "x = 1", "value, to be rounded to 0 or m");
    sc_working_claimed(w, "x/m", "chance to round up");
    sc_working_step(w, "sum(a, 0, m - 1, max(0, min(1, x - a)))/m",
                    "chance with offsets from 0 to m - 1");
    sc_working_true(w, "sum(a, 1, m - 1, max(0, min(1, x - a)))/(m - 1)",
                    "chance that x exceeds an offset from 1 to m - 1");
}

static void erratum_90(sc_working *w)
{
    sc_working_input(w, "x = 0", "value of everybody, as a share of m");
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_claimed(w, "x", "mean of the sent bits");
    sc_working_true(w, "(1 + x*(exp(eps) - 1))/(exp(eps) + 1)", "mean of the sent bits");
}

static void erratum_91(sc_working *w)
{
    sc_working_input(w, "eps = 1", "epsilon");
    sc_working_say(w, SC_WORKING_INPUT, "values of two rounds", "(0, m) against (0, 0)");
    sc_working_say(w, SC_WORKING_CLAIMED, "chances of any bits", "ratio at most e^eps");
    sc_working_step(w, "zero = exp(eps)/(1 + exp(eps))", "chance of the bit 0 at 0");
    sc_working_step(w, "one = exp(eps)/(1 + exp(eps))", "chance of the bit 1 at m");
    sc_working_step(w, "zero*0",
                    "chance of bits 0, 1 for (0, 0): the first bit is sent again");
    sc_working_true(w, "zero*one", "chance of bits 0, 1 for (0, m)");
}

static void erratum_92(sc_working *w)
{
    sc_working_input(w, "alpha = 1", "parameter of condensed local privacy");
    sc_working_input(w, "R = 10", "diameter of the values");
    sc_working_claimed(w, "alpha", "epsilon of local privacy");
    sc_working_true(w, "most(d, 0, R, alpha*d)",
                    "epsilon: the largest alpha d of two values");
}

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 83,
             .runs = 1,
             .document = "002",
             .place = "7.2",
             .kind = "false",
             .statement = "The error of the Laplace mean is at most 1/(epsilon n).",
             .counterexample = "It is exceeded with probability 0.367879.",
             .correction = "With probability 1 - 1/e only.",
             .where = "src/mechanism/noise/laplace.c",
         },
     .run = erratum_83},
    {.facts =
         {
             .number = 84,
             .runs = 1,
             .document = "002",
             .place = "7.2",
             .kind = "gap",
             .statement = "Chebyshev's inequality at 1/(epsilon sqrt n) gives n of at "
                          "least 1/(alpha epsilon)^2.",
             .counterexample = "The bound is 0.920674 at epsilon 1, whatever n is.",
             .correction = "Hoeffding's inequality.",
             .where = "not in scrim",
         },
     .run = erratum_84},
    {.facts =
         {
             .number = 85,
             .runs = 1,
             .document = "002",
             .place = "7.4.1",
             .kind = "ambiguous",
             .statement = "The permanent bit is reported with chance p if it is 1 and q "
                          "if it is 0.",
             .counterexample =
                 "f = 1/2, p = 1/2, q = 3/4: the slope is -1/8 instead of 1/8.",
             .correction = "q for 1 and p for 0.",
             .where = "not in scrim",
         },
     .run = erratum_85},
    {.facts =
         {
             .number = 86,
             .runs = 1,
             .document = "002",
             .place = "Theorem 7.4, proof",
             .kind = "typo",
             .statement = "The denominator is 1/2.",
             .counterexample = "f = 1/2, h = 2: 1.62186 stands for 4.39445.",
             .correction = "f/2.",
             .where = "not in scrim",
         },
     .run = erratum_86},
    {.facts =
         {
             .number = 87,
             .runs = 1,
             .document = "002",
             .place = "Theorem 7.4, proof",
             .kind = "false",
             .statement = "The proof exchanges exponents, and its product formula and "
                          "index range are wrong.",
             .counterexample = "f = 1/2, h = 2: 1/81 stands for 81.",
             .correction = "Enumerate the reports.",
             .where = "not in scrim",
         },
     .run = erratum_87},
    {.facts =
         {
             .number = 88,
             .runs = 1,
             .document = "002",
             .place = "Lemma 7.5, proof",
             .kind = "false",
             .statement =
                 "The proof compares two outputs for one input, and ln r with ln 1/r.",
             .counterexample = "x = m, epsilon 1: it says 1 = -1.",
             .correction = "Compare two inputs; the claim holds.",
             .where = "not in scrim",
         },
     .run = erratum_88},
    {.facts =
         {
             .number = 89,
             .runs = 1,
             .document = "002",
             .place = "7.4.3",
             .kind = "false",
             .statement = "The offset is drawn from 1 to m - 1 and compared with >.",
             .counterexample =
                 "m = 10, x = 1: it rounds up with probability 0, not 1/10.",
             .correction = "0 to m - 1 with >=.",
             .where = "not in scrim",
         },
     .run = erratum_89},
    {.facts =
         {
             .number = 90,
             .runs = 1,
             .document = "002",
             .place = "Lemma 7.8",
             .kind = "false",
             .statement = "The mean of the sent bits is mu.",
             .counterexample = "x = 0, epsilon 1: the mean is 0.268941.",
             .correction = "Correct the bias.",
             .where = "not in scrim",
         },
     .run = erratum_90},
    {.facts =
         {
             .number = 91,
             .runs = 1,
             .document = "002",
             .place = "after 7.8",
             .kind = "false",
             .statement = "Only the crossing shows, and it is private.",
             .counterexample = "Values (0, m) send bits 0, 1 with probability 0.534447; "
                               "values (0, 0) never do.",
             .correction = "There is no finite epsilon: charge each round.",
             .where = "not in scrim",
         },
     .run = erratum_91},
    {.facts =
         {
             .number = 92,
             .runs = 1,
             .document = "002",
             .place = "Definition 7.2",
             .kind = "ambiguous",
             .statement = "Condensed local privacy is stated \"for epsilon > 0\" and "
                          "written with alpha.",
             .counterexample = "Diameter 10, alpha 1: it is 10-LDP, not 1-LDP.",
             .correction = "alpha; over diameter R it is (alpha R)-LDP.",
             .where = "not in scrim",
         },
     .run = erratum_92},
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
