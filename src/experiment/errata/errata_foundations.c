/* Errata of document 002, chapters 1 to 3: counting, tails, definitions of privacy. */
#include "experiment/errata/erratum.h"

static void erratum_36(sc_working *w)
{
    sc_working_input(w, "oldest = 125", "ages are 0 to 125");
    sc_working_input(w, "median = 30", "of three males");
    sc_working_input(w, "total = 132", "sum of their ages: three times the mean 44");
    sc_working_claimed(w, "30", "triples, as printed");
    sc_working_true(w,
                    "sum(a, 0, median, sum(b, median, oldest, max(0, 1 - abs(a + median "
                    "+ b - total))))",
                    "pairs a <= median <= b with the right sum, counted");
}

static void erratum_37(sc_working *w)
{
    sc_working_input(w, "values = 126", "ages 0 to 125");
    sc_working_claimed(w, "C(values - 1, 3)", "ways to choose three ages");
    sc_working_step(w, "sum(a, 1, values, sum(b, a, values, values - b + 1))",
                    "triples a <= b <= c, counted");
    sc_working_true(w, "C(values + 2, 3)", "multisets of three ages");
}

static void erratum_39(sc_working *w)
{
    sc_working_input(w, "n = 100", "independent bits");
    sc_working_input(w, "mu = 1/100", "chance of each");
    sc_working_input(w, "eps = 1", "relative deviation");
    sc_working_claimed(w, "exp(-2*n*eps^2/3)", "bound on the upper tail");
    sc_working_step(w, "top = n*mu*(1 + eps)", "the sum exceeds this");
    sc_working_true(w, "1 - sum(k, 0, top, C(n, k)*mu^k*(1 - mu)^(n - k))",
                    "chance that it does");
    sc_working_step(w, "exp(-n*mu*eps^2/3)", "corrected bound");
}

static void erratum_40(sc_working *w)
{
    sc_working_input(w, "n = 1000", "independent bits");
    sc_working_input(w, "mu = 1/100", "chance of each");
    sc_working_input(w, "eps = 4", "relative deviation");
    sc_working_claimed(w, "exp(-n*mu*eps^2/3)", "bound on the upper tail");
    sc_working_step(w, "top = n*mu*(1 + eps)", "the sum exceeds this");
    sc_working_true(w, "1 - sum(k, 0, top, C(n, k)*mu^k*(1 - mu)^(n - k))",
                    "chance that it does");
}

static void erratum_41(sc_working *w)
{
    sc_working_input(w, "n = 100", "copies of one fair bit, each worth 0 or 1/n");
    sc_working_input(w, "alpha = 49/100", "deviation of the sum from 1/2");
    sc_working_claimed(w, "2*exp(-2*alpha^2*n)", "bound on the chance of that deviation");
    sc_working_true(w, "sum(b, 0, 1, 1/2*min(1, ceil(max(0, abs(n*b/n - 1/2) - alpha))))",
                    "chance that the sum deviates by more than alpha");
}

static void erratum_44(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "counts with one record replaced",
                   "(1, 0), (0, 1)");
    sc_working_claimed(w, "1", "l1 distance, as printed");
    sc_working_true(w, "abs(1 - 0) + abs(0 - 1)", "l1 distance");
}

static void erratum_46(sc_working *w)
{
    sc_working_input(w, "e0 = 1", "epsilon of randomised response");
    sc_working_input(w, "eps = 99/100", "epsilon of the statement");
    sc_working_step(w, "p = exp(e0)/(1 + exp(e0))", "chance of the true answer");
    sc_working_claimed(w, "max(0, p - exp(eps)*(1 - p))",
                       "delta at epsilon: a bound on the chance of a larger loss");
    sc_working_step(w, "loss = ln(p/(1 - p))",
                    "loss of a true answer, larger than epsilon");
    sc_working_true(w, "p", "chance that the loss exceeds epsilon");
}

static void erratum_48(sc_working *w)
{
    sc_working_input(w, "alpha = 1/2", "one probability");
    sc_working_input(w, "beta = 1/2", "the other probability");
    sc_working_input(w, "eps = 1/2", "epsilon");
    sc_working_step(w, "alpha/beta", "their ratio: no privacy loss");
    sc_working_claimed(w, "eps", "the ratio must be at most");
    sc_working_true(w, "exp(eps)", "the ratio must be at most");
}

static void erratum_49(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "chances of one event under three databases",
                   "11/20, 1/4, 1/10");
    sc_working_input(w, "r = 2", "e^epsilon of each step: epsilon = ln 2");
    sc_working_step(w, "d1 = 11/20 - r*1/4", "delta of the first step");
    sc_working_step(w, "d2 = 1/4 - r*1/10", "delta of the second step");
    sc_working_claimed(w, "d1 + d2", "delta of both");
    sc_working_true(w, "11/20 - r^2*1/10", "delta of both");
    sc_working_step(w, "d1 + r*d2", "corrected rule");
}

static const sc_erratum rows[] = {
    {.facts =
         {
             .number = 35,
             .document = "002",
             .place = "1.1.1",
             .kind = "typo",
             .statement =
                 "k-anonymity asks for k rows of any combination of quasi-identifiers.",
             .counterexample = "A combination that no row has would need k rows.",
             .correction = "Any combination that occurs.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 36,
             .runs = 1,
             .document = "002",
             .place = "1.3.1",
             .kind = "false",
             .statement =
                 "There are 30 triples of male ages with the published median and mean.",
             .counterexample = "Ages 0 to 125, median 30, sum 132: there are 31.",
             .correction = "31.",
             .where = "not in scrim",
         },
     .run = erratum_36},
    {.facts =
         {
             .number = 37,
             .runs = 1,
             .document = "002",
             .place = "1.3.1",
             .kind = "false",
             .statement = "Three ages can be chosen in C(125, 3) = 317,750 ways.",
             .counterexample = "Multisets of three of 126 ages: 341,376.",
             .correction = "C(128, 3).",
             .where = "not in scrim",
         },
     .run = erratum_37},
    {.facts =
         {
             .number = 38,
             .document = "002",
             .place = "Theorem 2.1",
             .kind = "typo",
             .statement = "The bound has m for n.",
             .counterexample = "",
             .correction = "n.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 39,
             .runs = 1,
             .document = "002",
             .place = "Theorem 2.2",
             .kind = "false",
             .statement = "The multiplicative tail bounds hold without the mean mu, with "
                          "an additional 2.",
             .counterexample = "n = 100, mu = 1/100, epsilon 1: 1.11438e-29 is claimed; "
                               "0.0793732 is true.",
             .correction =
                 "exp(-n mu epsilon^2/3) above and exp(-n mu epsilon^2/2) below.",
             .where = "not in scrim",
         },
     .run = erratum_39},
    {.facts =
         {
             .number = 40,
             .runs = 1,
             .document = "002",
             .place = "Theorem 2.2",
             .kind = "false",
             .statement =
                 "The upper tail is at most exp(-n mu epsilon^2/3) for every epsilon.",
             .counterexample = "n = 1000, mu = 1/100, epsilon 4: 6.88062e-24 is claimed; "
                               "1.55570e-20 is true.",
             .correction = "epsilon of at most 1.",
             .where = "not in scrim",
         },
     .run = erratum_40},
    {.facts =
         {
             .number = 41,
             .runs = 1,
             .document = "002",
             .place = "Theorem 2.3",
             .kind = "false",
             .statement = "The bound on a sum needs no independence.",
             .counterexample = "100 copies of one fair bit with values 0 and 1/100: "
                               "2.79389e-21 is claimed; the deviation is certain.",
             .correction = "Independent terms; alpha needs no range.",
             .where = "not in scrim",
         },
     .run = erratum_41},
    {.facts =
         {
             .number = 42,
             .document = "002",
             .place = "Theorem 2.5",
             .kind = "unproved",
             .statement = "A general concentration theorem is stated without proof.",
             .counterexample = "",
             .correction = "Used and checked for sums of independent bits only.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 43,
             .document = "002",
             .place = "3.4.1",
             .kind = "ambiguous",
             .statement = "The two-coin form is called Warner's, and n(X) is both the "
                          "true and the reported number.",
             .counterexample = "",
             .correction = "n(X) is the true number.",
             .where = "src/mechanism/selection/randomised_response.c",
         }},
    {.facts =
         {
             .number = 44,
             .runs = 1,
             .document = "002",
             .place = "Definition 3.4",
             .kind = "false",
             .statement = "Databases with one replaced record are at l1 distance 1.",
             .counterexample = "Counts (1, 0) and (0, 1): distance 2.",
             .correction = "2.",
             .where = "src/model/neighbours.c",
         },
     .run = erratum_44},
    {.facts =
         {
             .number = 45,
             .document = "002",
             .place = "Definition 3.5",
             .kind = "typo",
             .statement = "The definition says \"delta many subjects\".",
             .counterexample = "",
             .correction = "delta n subjects.",
             .where = "not in scrim",
         }},
    {.facts =
         {
             .number = 46,
             .runs = 1,
             .document = "002",
             .place = "Definition 3.6",
             .kind = "false",
             .statement = "(epsilon, delta)-privacy means that the loss exceeds epsilon "
                          "with probability at most delta.",
             .counterexample =
                 "Randomised response at epsilon 1 is (0.99, 0.00727415)-private, and "
                 "its loss exceeds 0.99 with probability 0.731059.",
             .correction = "At e' above epsilon the probability is at most delta/(1 - "
                           "e^(epsilon - e')).",
             .where = "src/composition/loss/loss.c",
         },
     .run = erratum_46},
    {.facts =
         {
             .number = 47,
             .document = "002",
             .place = "Theorem 3.8",
             .kind = "typo",
             .statement =
                 "Group privacy has a wrong subset sign, and only pure privacy is shown.",
             .counterexample = "",
             .correction = "delta (e^(k epsilon) - 1)/(e^epsilon - 1).",
             .where = "src/model/cost.c",
         }},
    {.facts =
         {
             .number = 48,
             .runs = 1,
             .document = "002",
             .place = "3.4.3, relation",
             .kind = "false",
             .statement = "The ratio of two probabilities is compared with epsilon.",
             .counterexample =
                 "Equal probabilities have ratio 1, which is above epsilon = 1/2.",
             .correction = "Compare with e^epsilon.",
             .where = "src/audit/divergence.c",
         },
     .run = erratum_48},
    {.facts =
         {
             .number = 49,
             .runs = 1,
             .document = "002",
             .place = "3.4.3, triangle",
             .kind = "false",
             .statement = "Two steps of (epsilon1, delta1) and (epsilon2, delta2) are "
                          "(epsilon1 + epsilon2, delta1 + delta2).",
             .counterexample = "Chances 11/20, 1/4 and 1/10 with (ln 2, 1/20) twice: "
                               "delta is 3/20, not 1/10.",
             .correction = "delta1 + e^epsilon1 delta2.",
             .where = "src/model/cost.c",
         },
     .run = erratum_49},
};

const sc_errata_section sc_errata_foundations = SC_ERRATA_SECTION(rows);
