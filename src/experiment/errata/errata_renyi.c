/* Errata of document 002, chapter 8 and section 9.2: Renyi privacy, sparse vectors in it. */
#include "experiment/errata/erratum.h"

static void erratum_95(sc_working *w)
{
    sc_working_say(w, SC_WORKING_INPUT, "P and Q", "(9/10, 1/10) and (1/10, 9/10)");
    sc_working_input(w, "a = 2", "alpha");
    sc_working_claimed(w, "max(ln(9/10/(1/10)^(1 - 1/a)), ln(1/10/(9/10)^(1 - 1/a)))",
                       "epsilon from which the printed form holds for every event");
    sc_working_step(w, "ln((9/10)^(a/(a - 1))/(1/10))",
                    "epsilon from which the right form holds");
    sc_working_true(w, "ln((9/10)^a*(1/10)^(1 - a) + (1/10)^a*(9/10)^(1 - a))/(a - 1)",
                    "Renyi divergence of order alpha");
}

static void erratum_97(sc_working *w)
{
    sc_working_input(w, "s = 1", "sigma of Gaussian noise, sensitivity 1");
    sc_working_input(w, "delta = 1e-5", "delta");
    sc_working_step(w, "a = 1 + s*sqrt(2*ln(1/delta))", "alpha with the smallest bound");
    sc_working_claimed(w, "a/(2*s^2) + ln(1/delta)/(a - 1)", "epsilon by the conversion");
    sc_working_step(w, "a/(2*s^2) + (ln(1/delta) - ln(a))/(a - 1) + ln(1 - 1/a)",
                    "corrected conversion at the same alpha");
    sc_working_true(w,
                    "root(e, 1, 10, Q(e*s - 1/(2*s)) - exp(e)*Q(e*s + 1/(2*s)) - delta)",
                    "epsilon by the exact curve");
}

static void erratum_101(sc_working *w)
{
    sc_working_input(w, "k = 10", "longest run");
    sc_working_input(w, "a = 16", "alpha");
    sc_working_claimed(w, "ln((1 + k)/(a - 1))", "term of the length: negative");
    sc_working_true(w, "ln(1 + k)/(a - 1)", "term of the length");
}

/* The integral over z, of the normal density times Phi(z/2)^j, is taken at multiples of h = 1/4. The
 * integrand is analytic. At z + iy with |y| <= 3 the density grows by e^(y^2/2) at most, and |Phi| is at
 * most 1 + 0.4 |y/2| e^(y^2/8) < 2.9. So the sum over all multiples errs by less than
 * 2 e^4.5 2.9^10/(e^(6 pi/h) - 1) < 1e-23, and what lies beyond 12 is below 1e-31. */
static void erratum_102(sc_working *w)
{
    sc_working_input(w, "k = 10", "longest run");
    sc_working_input(w, "s = 2",
                     "sigma of the queries, 0 each; threshold 0 with sigma 1");
    sc_working_claimed(w, "k", "expected length");
    sc_working_step(w, "h = 1/4", "step of the sum over thresholds h i");
    sc_working_true(
        w,
        "within(h*sum(i, -48, 48, exp(-(h*i)^2/2)/sqrt(2*pi)*sum(j, 0, k, (1 - "
        "Q(h*i/s))^j)), 1e-20)",
        "expected length: mean over thresholds of the sum of Pr[j answers below]");
}

static void erratum_104(sc_working *w)
{
    sc_working_input(w, "a = 2", "alpha");
    sc_working_input(w, "d = 1", "D/sigma of the threshold");
    sc_working_step(w, "g = 2", "gamma of the second bound of Theorem 9.9");
    sc_working_claimed(w, "a*d^2", "first term, as printed");
    sc_working_step(w, "(2*a - 1)*d^2/2", "first term by the sharper form");
    sc_working_true(w, "(a - (g - 1)/g)/(a - 1)*(g*a/(g - 1))*d^2/2",
                    "first term by the second bound of Theorem 9.9");
}

/* The integral over z, of the normal density by Q(z/r)^2, is taken at multiples of h = 1/8. Let w = z/r
 * have an imaginary part y of at most 0.7. Left of 0, |Q(w)| >= 1/2 - 0.4 * 0.7 e^0.245 > 0.14. Right of 0,
 * |Q(w)| >= Q(Re w) (1 - y^2/2), since Q is the density times a Laplace transform whose second derivative
 * is at most itself. So the integral over a line in that strip is below 100, and the sum over all
 * multiples errs by less than 200/(e^(2 pi 1.2/h) - 1) < 1e-23. As Q(x) is at least the density times
 * x/(1 + x^2), what lies beyond 20 is below 1e-24. */
static void erratum_105(sc_working *w)
{
    sc_working_input(w, "T = 0", "threshold, in sigmas of its noise");
    sc_working_input(w, "r = sqrt(3)", "sigma of the queries by that of the threshold");
    sc_working_claimed(w, "1 + 2*sqrt(3)*pi*(1 + 9*T^2)*exp(T^2)",
                       "bound on the second moment");
    sc_working_step(w, "u = r^2 - 2", "above 0, so the moment is finite");
    sc_working_step(w, "4 + 2*pi*sqrt(r^2/u)*exp(T^2/u)*((1 + r*T/u)^2 + 1/u)",
                    "corrected bound");
    sc_working_step(w, "h = 1/8", "step of the sum over thresholds h i");
    sc_working_true(
        w,
        "within(h*sum(i, -160, 160, exp(-(h*i)^2/2)/sqrt(2*pi)/Q((T + h*i)/r)^2), 1e-20)",
        "second moment of 1/Pr[a query is above]");
}

static void erratum_108(sc_working *w)
{
    sc_working_input(w, "s1 = 20", "sigma of the threshold");
    sc_working_input(w, "s2 = 40", "sigma of the queries");
    sc_working_input(w, "c = 5", "answers above");
    sc_working_input(w, "k = 1000", "longest run");
    sc_working_input(w, "delta = 1e-6", "delta");
    sc_working_step(w, "R = 1/(2*s1^2) + 2*c/s2^2", "slope of the Renyi curve");
    sc_working_step(w, "L = ln(1/delta) + ln(c*C(k, c))", "logarithm, as printed");
    sc_working_claimed(w, "R + sqrt(2*R*L)", "epsilon");
    sc_working_step(w, "M = ln(1/delta) + ln(sum(j, 0, c, C(k, j)))",
                    "logarithm of all outcomes");
    sc_working_step(w, "R + sqrt(2*R*M)",
                    "epsilon with the printed root and this logarithm");
    sc_working_step(w, "1*C(10, 1)", "printed number of outcomes for k = 10, c = 1");
    sc_working_step(w, "sum(j, 0, 1, C(10, j))", "outcomes for k = 10, c = 1");
    sc_working_true(w, "R + 2*sqrt(R*M)", "epsilon");
}

static void erratum_109(sc_working *w)
{
    sc_working_input(w, "c = 101", "answers above in all");
    sc_working_input(w, "stage = 2", "answers above in a stage, c'");
    sc_working_input(w, "d = 1e-8", "delta of a stage, delta'");
    sc_working_input(w, "more = 1e-6", "delta of the composition, delta~");
    sc_working_claimed(w, "more + c/stage*d", "delta");
    sc_working_step(w, "stages = ceil(c/stage)", "stages");
    sc_working_true(w, "more + stages*d", "delta");
}

static void erratum_103(sc_working *w)
{
    sc_working_input(w, "gamma = 2", "gamma");
    sc_working_input(w, "T = 1", "threshold, in sigmas of its noise");
    sc_working_claimed(w, "exp(gamma*T^2)", "factor of the moment, as printed");
    sc_working_true(w, "exp(T^2)", "factor of the moment");
}

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
             .runs = 1,
             .document = "002",
             .place = "Definition 8.2",
             .kind = "false",
             .statement =
                 "e^epsilon Pr^(1 - 1/alpha) is an equivalent form of Renyi privacy.",
             .counterexample = "P = (9/10, 1/10), Q = (1/10, 9/10), alpha 2: it is met "
                               "at 1.045932; the divergence is 2.093235.",
             .correction = "(e^epsilon Pr)^(1 - 1/alpha), which is only implied.",
             .where = "src/model/renyi_conversion.c",
         },
     .run = erratum_95},
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
             .runs = 1,
             .document = "002",
             .place = "Theorem 8.8",
             .kind = "loose",
             .statement = "Renyi privacy gives epsilon + ln(1/delta)/(alpha - 1).",
             .counterexample = "Gaussian noise with sigma 1, delta 1e-5: 5.298526 where "
                               "4.377178 is exact.",
             .correction = "Subtract ln(alpha)/(alpha - 1) - ln(1 - 1/alpha).",
             .where = "src/model/renyi_conversion.c",
         },
     .run = erratum_97},
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
             .runs = 1,
             .document = "002",
             .place = "9.2.1",
             .kind = "false",
             .statement = "The term of the length is log((1 + k)/(alpha - 1)).",
             .counterexample = "k = 10, alpha 16: -0.310155 stands for 0.159860.",
             .correction = "log(1 + k)/(alpha - 1).",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         },
     .run = erratum_101},
    {.facts =
         {
             .number = 102,
             .runs = 1,
             .document = "002",
             .place = "after 9.11",
             .kind = "false",
             .statement = "The expected lengths k_inf, k_max and k_1 are equal.",
             .counterexample =
                 "Length 10, T = 0, sigmas 1 and 2: the moment k_1 is 2.313284.",
             .correction = "k_1 <= k_inf <= k_max + 1.",
             .where = "src/mechanism/sparse/sparse_moment.c",
         },
     .run = erratum_102},
    {.facts =
         {
             .number = 103,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "ambiguous",
             .statement = "The theorem has exp(gamma T^2/sigma^2), leaves c_gamma "
                          "undefined and writes Q_+(x).",
             .counterexample = "gamma 2, T = sigma: e^2 stands for e.",
             .correction = "exp(T^2/sigma^2), and Q_+(Delta).",
             .where = "src/mechanism/sparse/sparse_moment.c",
         },
     .run = erratum_103},
    {.facts =
         {
             .number = 104,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "gap",
             .statement = "The first term alpha D^2/sigma^2 follows from Theorem 9.9.",
             .counterexample =
                 "At alpha 2 Theorem 9.9 gives 3 D^2/sigma^2; 2 is printed.",
             .correction = "It holds by the sharper form with alpha - 1/2.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         },
     .run = erratum_104},
    {.facts =
         {
             .number = 105,
             .runs = 1,
             .document = "002",
             .place = "Theorem 9.11",
             .kind = "false",
             .statement =
                 "The bound on the second moment of the length holds for every T.",
             .counterexample = "T = 0, sigma2 = sqrt 3 sigma1: the moment is 12.964362; "
                               "the bound is 11.882796.",
             .correction = "The bound with 4 + 2 pi r/sqrt u.",
             .where = "src/mechanism/sparse/sparse_moment.c",
         },
     .run = erratum_105},
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
             .runs = 1,
             .document = "002",
             .place = "after 9.12",
             .kind = "false",
             .statement = "epsilon = R + sqrt(2 R L), with the logarithm of c C(k, c).",
             .counterexample =
                 "sigma 20 and 40, c = 5, k = 1000, delta 1e-6: 0.830600 stands for "
                 "1.150677; at k = 10, c = 1 there are 11 outcomes and not 10.",
             .correction = "R + 2 sqrt(R L), and the sum of the binomial coefficients.",
             .where = "src/mechanism/sparse/sparse_renyi.c",
         },
     .run = erratum_108},
    {.facts =
         {
             .number = 109,
             .runs = 1,
             .document = "002",
             .place = "Theorems 9.13, 9.14",
             .kind = "false",
             .statement = "The delta of all stages is delta~ + (c/c') delta'.",
             .counterexample = "c = 101, c' = 2: 1.505e-6 stands for 1.510e-6.",
             .correction = "ceil(c/c') stages.",
             .where = "src/mechanism/sparse/stagewise.c",
         },
     .run = erratum_109},
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
