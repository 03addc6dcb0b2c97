/* Errata of document 002, chapters 7 to 9: local privacy, Renyi privacy, microdata. */
#include "lab/errata/errata.h"

#include <acb.h>
#include <acb_calc.h>
#include <acb_hypgeom.h>

static void erratum_113(lab_working *w)
{
    LAB_QUANTITY(found);
    lab_working_input(w, "rho = 1/2", "rho");
    lab_working_step(w, "v = 1/(2*rho)", "variance of discrete Gaussian noise");
    lab_working_claimed(w, "0", "part of delta that is there at every epsilon");
    /* The noise is symmetric: (1 + P(0))/2. Beyond 40 the masses are below e^-800. */
    if (!lab_formula_evaluate(
            &w->scope, "(1 + 1/within(sum(k, -40, 40, exp(-k^2/(2*v))), exp(-800)))/2",
            &found))
        w->is_spoilt = true;
    lab_working_put(w, LAB_WORKING_TRUE, "", &found, "Pr[noise <= 0]",
                    "chance of the answer q, which q + 1 never gives");
}

/* Erratum 100: a threshold 8 with Laplace noise of scale 1/2, and queries with Gaussian noise of sigma 1, without end.
 * On one database all are 0. On its neighbour those at odd places are 1 and those at even places -1, so that the first
 * answer above is nearly always at an odd place. */

/* Q(threshold + noise - query). */
static void chance_above(acb_t out, const acb_t noise, slong query, slong bits)
{
    acb_t root;
    acb_init(root);
    acb_set_ui(root, 2);
    acb_sqrt(root, root, bits);
    acb_add_ui(out, noise, (ulong)(8 - query), bits);
    acb_div(out, out, root, bits);
    acb_hypgeom_erfc(out, out, bits);
    acb_mul_2exp_si(out, out, -1);
    acb_clear(root);
}

/* The chance that the first answer above is at an even place, if those at odd places are above with chance odd and
 * those at even places with chance even. */
static void chance_of_even(acb_t out, const acb_t odd, const acb_t even, slong bits)
{
    acb_t any, both;
    acb_init(any);
    acb_init(both);
    acb_add(any, odd, even, bits);
    acb_mul(both, odd, even, bits);
    acb_sub(any, any, both, bits);
    acb_sub(both, even, both, bits);
    acb_div(out, both, any, bits);
    acb_clear(any);
    acb_clear(both);
}

/* The same times the density of the noise, on both sides of 0; param is how far queries move. */
static int even_and_noise(acb_ptr out, const acb_t at, void *param, slong order,
                          slong bits)
{
    const slong move = *(const slong *)param;
    acb_t noise, odd, even, sum;
    (void)order;
    acb_init(noise);
    acb_init(odd);
    acb_init(even);
    acb_init(sum);
    for (int side = 0; side < 2; side++) {
        acb_set(noise, at);
        if (side == 1)
            acb_neg(noise, noise);
        chance_above(odd, noise, move, bits);
        if (move == 0)
            acb_set(even, odd);
        else
            chance_above(even, noise, -move, bits);
        chance_of_even(odd, odd, even, bits);
        acb_add(sum, sum, odd, bits);
    }
    acb_mul_si(noise, at, -2, bits);
    acb_exp(noise, noise, bits);
    acb_mul(out, sum, noise, bits);
    acb_clear(noise);
    acb_clear(odd);
    acb_clear(even);
    acb_clear(sum);
    return 0;
}

/* Beyond 24 the noise has a mass of e^-48 on both sides together. */
static bool even_place(slong move, lab_quantity *out)
{
    enum { BITS = 80 };
    bool is_found = false;
    acb_t from, to, sum;
    mag_t error;
    acb_init(from);
    acb_init(to);
    acb_init(sum);
    mag_init(error);
    acb_set_si(to, 24);
    mag_set_ui_2exp_si(error, 1, move == 0 ? -48 : -66);
    is_found =
        acb_calc_integrate(sum, even_and_noise, &move, from, to, move == 0 ? 48 : 60,
                           error, NULL, BITS) == ARB_CALC_SUCCESS;
    mag_set_ui_2exp_si(error, 1, -69); /* more than e^-48 */
    arb_add_error_mag(acb_realref(sum), error);
    out->is_exact = false;
    arb_set(out->ball, acb_realref(sum));
    acb_clear(from);
    acb_clear(to);
    acb_clear(sum);
    mag_clear(error);
    return is_found;
}

static void erratum_100(lab_working *w)
{
    static const char how[] =
        "integral over the threshold's noise of Pr[the first above is at an even place]";
    LAB_QUANTITY(here);
    LAB_QUANTITY(there);
    lab_working_input(w, "b = 1/2", "scale of the threshold's noise");
    lab_working_input(w, "sigma = 1",
                      "that of the queries, which have no Renyi bound at "
                      "infinity");
    lab_working_input(w, "T = 8", "threshold; queries move by at most 1, without end");
    lab_working_input(w, "a = 2", "order");
    lab_working_claimed(w, "1/b + a*2^2/(2*sigma^2)", "divergence of order 2");
    w->is_spoilt = w->is_spoilt || !even_place(0, &here) || !even_place(1, &there);
    lab_working_put(w, LAB_WORKING_STEP, "p", &here, how, "all queries are 0");
    lab_working_put(w, LAB_WORKING_STEP, "q", &there, how,
                    "they are 1 and -1 by turns, on a neighbour");
    lab_working_true(w, "ln((1 - p)^2/(1 - q) + p^2/q)/(a - 1)",
                     "divergence of order 2, of these two events alone");
}

static const lab_erratum rows[] = {
    {LAB_FACTS(83, "002", "7.2", "false"), .title = "the mean error of Laplace noise",
     .statement = "The error of the Laplace mean is at most 1/(epsilon n).",
     .counterexample = "It is exceeded with probability 0.367879.",
     .correction = "With probability 1 - 1/e only.",

     LAB_STEPS(
         LAB_INPUT("b = 1", "1/(epsilon n): scale of the Laplace noise on the mean"),
         LAB_CLAIMED("0", "chance that the error exceeds b"),
         LAB_TRUE("exp(-b/b)", "chance that the error exceeds b"))},
    {LAB_FACTS(84, "002", "7.2", "gap"), .title = "Chebyshev gives another n",
     .statement = "Chebyshev's inequality at 1/(epsilon sqrt n) gives n of at "
                  "least 1/(alpha epsilon)^2.",
     .counterexample = "The bound is 0.920674 at epsilon 1, whatever n is.",
     .correction = "Hoeffding's inequality.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon of randomised response"),
         LAB_STEP("p = exp(eps)/(1 + exp(eps))", "chance of the true answer"),
         LAB_STEP("v = p*(1 - p)/(2*p - 1)^2", "n times the variance of the estimate"),
         LAB_SAY(CLAIMED, "Chebyshev's bound at 1/(epsilon sqrt n)", "falls with n"),
         LAB_STEP("v/100/(1/(eps*sqrt(100)))^2", "that bound for n = 100"),
         LAB_TRUE("v/10000/(1/(eps*sqrt(10000)))^2", "that bound for n = 10000"))},
    {LAB_FACTS(85, "002", "7.4.1", "ambiguous"), .title = "p and q of the permanent bit",
     .statement = "The permanent bit is reported with chance p if it is 1 and q "
                  "if it is 0.",
     .counterexample = "f = 1/2, p = 1/2, q = 3/4: the slope is -1/8 instead of 1/8.",
     .correction = "q for 1 and p for 0.",

     LAB_STEPS(LAB_INPUT("f = 1/2", "chance that a permanent bit is drawn anew"),
               LAB_INPUT("p = 1/2", "first chance of a report"),
               LAB_INPUT("q = 3/4", "second chance of a report"),
               LAB_STEP("one = 1 - f/2", "chance of a permanent 1, if the true bit is 1"),
               LAB_STEP("zero = f/2", "chance of a permanent 1, if the true bit is 0"),
               LAB_CLAIMED("(one*q + (1 - one)*p) - (zero*q + (1 - zero)*p)",
                           "slope of the report in the true bit, as deployed: q for 1"),
               LAB_TRUE("(one*p + (1 - one)*q) - (zero*p + (1 - zero)*q)",
                        "the same as printed: p for 1"))},
    {LAB_FACTS(86, "002", "Theorem 7.4, proof", "typo"),
     .title = "a denominator of RAPPOR's proof", .statement = "The denominator is 1/2.",
     .counterexample = "f = 1/2, h = 2: 1.62186 stands for 4.39445.",
     .correction = "f/2.",

     LAB_STEPS(
         LAB_INPUT("f = 1/2", "chance that a permanent bit is drawn anew"),
         LAB_INPUT("h = 2", "hash functions"),
         LAB_CLAIMED("2*h*ln((1 - f/2)/(1/2))", "epsilon, with the printed denominator"),
         LAB_TRUE("2*h*ln((1 - f/2)/(f/2))", "epsilon"))},
    {LAB_FACTS(87, "002", "Theorem 7.4, proof", "false"),
     .title = "exponents exchanged in RAPPOR's proof",
     .statement = "The proof exchanges exponents, and its product formula and "
                  "index range are wrong.",
     .counterexample = "f = 1/2, h = 2: 1/81 stands for 81.",
     .correction = "Enumerate the reports.",

     LAB_STEPS(
         LAB_INPUT("f = 1/2", "chance that a permanent bit is drawn anew"),
         LAB_INPUT("h = 2", "hash functions"),
         LAB_STEP("r = (1 - f/2)/(f/2)", "ratio of a bit that is set to one that is not"),
         LAB_CLAIMED("r^(-2*h)", "largest ratio, with the exponents exchanged"),
         LAB_TRUE(
             "most(i, 0, h, most(j, 0, h, r^(2*i - h)*r^(h - 2*j)))",
             "largest ratio over reports with i bits of one value and j of the other"))},
    {LAB_FACTS(88, "002", "Lemma 7.5, proof", "false"),
     .title = "one input compared with itself",
     .statement = "The proof compares two outputs for one input, and ln r with ln 1/r.",
     .counterexample = "x = m, epsilon 1: it says 1 = -1.",
     .correction = "Compare two inputs; the claim holds.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"),
               LAB_STEP("p = exp(eps)/(1 + exp(eps))", "chance of the bit 1 at x = m"),
               LAB_STEP("q = 1/(1 + exp(eps))", "chance of the bit 1 at x = 0"),
               LAB_STEP("ln(p/(1 - p))", "ln r: bits 1 and 0 for the one input m"),
               LAB_CLAIMED("ln((1 - p)/p)", "ln 1/r, said to be the same"),
               LAB_TRUE("ln(p/q)", "loss: inputs m and 0 for the bit 1"))},
    {LAB_FACTS(89, "002", "7.4.3", "false"), .title = "the offset of rounding is biased",
     .statement = "The offset is drawn from 1 to m - 1 and compared with >.",
     .counterexample = "m = 10, x = 1: it rounds up with probability 0, not 1/10.",
     .correction = "0 to m - 1 with >=.",

     LAB_STEPS(LAB_INPUT("m = 10", "step"),
               LAB_INPUT("x = 1", "value, to be rounded to 0 or m"),
               LAB_CLAIMED("x/m", "chance to round up"),
               LAB_STEP("sum(a, 0, m - 1, max(0, min(1, x - a)))/m",
                        "chance with offsets from 0 to m - 1"),
               LAB_TRUE("sum(a, 1, m - 1, max(0, min(1, x - a)))/(m - 1)",
                        "chance that x exceeds an offset from 1 to m - 1"))},
    {LAB_FACTS(90, "002", "Lemma 7.8", "false"), .title = "mean of the sent bits",
     .statement = "The mean of the sent bits is mu.",
     .counterexample = "x = 0, epsilon 1: the mean is 0.268941.",
     .correction = "Correct the bias.",

     LAB_STEPS(
         LAB_INPUT("x = 0", "value of everybody, as a share of m"),
         LAB_INPUT("eps = 1", "epsilon"), LAB_CLAIMED("x", "mean of the sent bits"),
         LAB_TRUE("(1 + x*(exp(eps) - 1))/(exp(eps) + 1)", "mean of the sent bits"))},
    {LAB_FACTS(91, "002", "after 7.8", "false"), .title = "a crossing that shows",
     .statement = "Only the crossing shows, and it is private.",
     .counterexample = "Values (0, m) send bits 0, 1 with probability 0.534447; "
                       "values (0, 0) never do.",
     .correction = "There is no finite epsilon: charge each round.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"),
               LAB_SAY(INPUT, "values of two rounds", "(0, m) against (0, 0)"),
               LAB_SAY(CLAIMED, "chances of any bits", "ratio at most e^eps"),
               LAB_STEP("zero = exp(eps)/(1 + exp(eps))", "chance of the bit 0 at 0"),
               LAB_STEP("one = exp(eps)/(1 + exp(eps))", "chance of the bit 1 at m"),
               LAB_STEP("zero*0",
                        "chance of bits 0, 1 for (0, 0): the first bit is sent again"),
               LAB_TRUE("zero*one", "chance of bits 0, 1 for (0, m)"))},
    {LAB_FACTS(92, "002", "Definition 7.2", "ambiguous"),
     .title = "epsilon and alpha of condensed privacy",
     .statement = "Condensed local privacy is stated \"for epsilon > 0\" and "
                  "written with alpha.",
     .counterexample = "Diameter 10, alpha 1: it is 10-LDP, not 1-LDP.",
     .correction = "alpha; over diameter R it is (alpha R)-LDP.",

     LAB_STEPS(LAB_INPUT("alpha = 1", "parameter of condensed local privacy"),
               LAB_INPUT("R = 10", "diameter of the values"),
               LAB_CLAIMED("alpha", "epsilon of local privacy"),
               LAB_TRUE("most(d, 0, R, alpha*d)",
                        "epsilon: the largest alpha d of two values"))},
    {LAB_FACTS(93, "002", "Theorem 7.7", "gap"),
     .title = "an error bound for every delta",
     .statement = "The error bound holds for every delta.",
     .counterexample = "At delta = 0 it is infinite.", .correction = "delta above 0."},
    {LAB_FACTS(94, "002", "Definition 8.1", "ambiguous"),
     .title = "divergence of databases",
     .statement = "The divergence is between databases, with a maximum.",
     .counterexample = "",
     .correction = "Between output distributions, with an essential supremum."},
    {LAB_FACTS(95, "002", "Definition 8.2", "false"),
     .title = "a form that is not equivalent",
     .statement = "e^epsilon Pr^(1 - 1/alpha) is an equivalent form of Renyi privacy.",
     .counterexample = "P = (9/10, 1/10), Q = (1/10, 9/10), alpha 2: it is met "
                       "at 1.045932; the divergence is 2.093235.",
     .correction = "(e^epsilon Pr)^(1 - 1/alpha), which is only implied.",

     LAB_STEPS(LAB_SAY(INPUT, "P and Q", "(9/10, 1/10) and (1/10, 9/10)"),
               LAB_INPUT("a = 2", "alpha"),
               LAB_CLAIMED("max(ln(9/10/(1/10)^(1 - 1/a)), ln(1/10/(9/10)^(1 - 1/a)))",
                           "epsilon from which the printed form holds for every event"),
               LAB_STEP("ln((9/10)^(a/(a - 1))/(1/10))",
                        "epsilon from which the right form holds"),
               LAB_TRUE("ln((9/10)^a*(1/10)^(1 - a) + (1/10)^a*(9/10)^(1 - a))/(a - 1)",
                        "Renyi divergence of order alpha"))},
    {LAB_FACTS(96, "002", "Theorem 8.7", "ambiguous"),
     .title = "n for k, and equivalence to advanced",
     .statement = "The bound for k mechanisms has n, and is called equivalent to "
                  "advanced composition.",
     .counterexample = "On randomised response the largest constant needed is "
                       "1.2692; 2 is printed.",
     .correction = "n = k, and the constant sqrt 2.",

     LAB_STEPS(LAB_INPUT("k = 100", "releases of randomised response"),
               LAB_INPUT("eps = 1/20", "epsilon of each"),
               LAB_STEP("p = exp(eps)/(1 + exp(eps))", "chance of the true answer"),
               LAB_CLAIMED("2", "c in P(S) <= exp(c eps sqrt(k ln(1/Q(S)))) Q(S)"),
               LAB_TRUE("most(t, 1, k, ln(sum(i, t, k, C(k, i)*p^i*(1 - p)^(k - i))"
                        "/sum(i, t, k, C(k, i)*(1 - p)^i*p^(k - i)))"
                        "/(eps*sqrt(-k*ln(sum(i, t, k, C(k, i)*(1 - p)^i*p^(k - i))))))",
                        "c that is needed, S: at least t answers are true"))},
    {LAB_FACTS(97, "002", "Theorem 8.8", "loose"),
     .title = "a better conversion from Renyi",
     .statement = "Renyi privacy gives epsilon + ln(1/delta)/(alpha - 1).",
     .counterexample = "Gaussian noise with sigma 1, delta 1e-5: 5.298526 where "
                       "4.377178 is exact.",
     .correction = "Subtract ln(alpha)/(alpha - 1) - ln(1 - 1/alpha).",

     LAB_STEPS(
         LAB_INPUT("s = 1", "sigma of Gaussian noise, sensitivity 1"),
         LAB_INPUT("delta = 1e-5", "delta"),
         LAB_STEP("a = 1 + s*sqrt(2*ln(1/delta))", "alpha with the smallest bound"),
         LAB_CLAIMED("a/(2*s^2) + ln(1/delta)/(a - 1)", "epsilon by the conversion"),
         LAB_STEP("a/(2*s^2) + (ln(1/delta) - ln(a))/(a - 1) + ln(1 - 1/a)",
                  "corrected conversion at the same alpha"),
         LAB_TRUE("root(e, 1, 10, Q(e*s - 1/(2*s)) - exp(e)*Q(e*s + 1/(2*s)) - delta)",
                  "epsilon by the exact curve"))},
    {LAB_FACTS(98, "002", "8.12; Lemma 9.7", "typo"),
     .title = "y' for y, and a swapped pair",
     .statement = "y' stands for y, and a pair is written in the wrong order.",
     .counterexample = "", .correction = "The statements hold."},
    {LAB_FACTS(99, "002", "Algorithm 9", "typo"),
     .title = "resamples one variable, compares another",
     .statement = "The algorithm resamples one variable and compares with another.",
     .counterexample = "", .correction = "One variable."},
    {LAB_FACTS(100, "002", "Theorem 9.9", "false"), .title = "the third bound needs more",
     .statement = "The third bound holds if the threshold noise has a finite "
                  "Renyi bound at infinity.",
     .counterexample = "b = 1/2, sigma 1, T = 8: the divergence of order 2 is at "
                       "least 13.10; 6 is stated.",
     .correction = "If the query noise has one.", LAB_RUNS(erratum_100)},
    {LAB_FACTS(101, "002", "9.2.1", "false"), .title = "logarithm of the length",
     .statement = "The term of the length is log((1 + k)/(alpha - 1)).",
     .counterexample = "k = 10, alpha 16: -0.310155 stands for 0.159860.",
     .correction = "log(1 + k)/(alpha - 1).",

     LAB_STEPS(LAB_INPUT("k = 10", "longest run"), LAB_INPUT("a = 16", "alpha"),
               LAB_CLAIMED("ln((1 + k)/(a - 1))", "term of the length: negative"),
               LAB_TRUE("ln(1 + k)/(a - 1)", "term of the length"))},
    /* The integral over z, of the normal density times Phi(z/2)^j, is taken at multiples of h = 1/4. The
 * integrand is analytic. At z + iy with |y| <= 3 the density grows by e^(y^2/2) at most, and |Phi| is at
 * most 1 + 0.4 |y/2| e^(y^2/8) < 2.9. So the sum over all multiples errs by less than
 * 2 e^4.5 2.9^10/(e^(6 pi/h) - 1) < 1e-23, and what lies beyond 12 is below 1e-31. */
    {LAB_FACTS(102, "002", "after 9.11", "false"), .title = "expected lengths differ",
     .statement = "The expected lengths k_inf, k_max and k_1 are equal.",
     .counterexample = "Length 10, T = 0, sigmas 1 and 2: the moment k_1 is 2.313284.",
     .correction = "k_1 <= k_inf <= k_max + 1.",

     LAB_STEPS(
         LAB_INPUT("k = 10", "longest run"),
         LAB_INPUT("s = 2", "sigma of the queries, 0 each; threshold 0 with sigma 1"),
         LAB_CLAIMED("k", "expected length"),
         LAB_STEP("h = 1/4", "step of the sum over thresholds h i"),
         LAB_TRUE(
             "within(h*sum(i, -48, 48, exp(-(h*i)^2/2)/sqrt(2*pi)*sum(j, 0, k, (1 - "
             "Q(h*i/s))^j)), 1e-20)",
             "expected length: mean over thresholds of the sum of Pr[j answers below]"))},
    {LAB_FACTS(103, "002", "Theorem 9.11", "ambiguous"),
     .title = "undefined terms of a theorem",
     .statement = "The theorem has exp(gamma T^2/sigma^2), leaves c_gamma "
                  "undefined and writes Q_+(x).",
     .counterexample = "gamma 2, T = sigma: e^2 stands for e.",
     .correction = "exp(T^2/sigma^2), and Q_+(Delta).",

     LAB_STEPS(LAB_INPUT("gamma = 2", "gamma"),
               LAB_INPUT("T = 1", "threshold, in sigmas of its noise"),
               LAB_CLAIMED("exp(gamma*T^2)", "factor of the moment, as printed"),
               LAB_TRUE("exp(T^2)", "factor of the moment"))},
    {LAB_FACTS(104, "002", "Theorem 9.11", "gap"),
     .title = "a first term that does not follow",
     .statement = "The first term alpha D^2/sigma^2 follows from Theorem 9.9.",
     .counterexample = "At alpha 2 Theorem 9.9 gives 3 D^2/sigma^2; 2 is printed.",
     .correction = "It holds by the sharper form with alpha - 1/2.",

     LAB_STEPS(LAB_INPUT("a = 2", "alpha"),
               LAB_INPUT("d = 1", "D/sigma of the threshold"),
               LAB_STEP("g = 2", "gamma of the second bound of Theorem 9.9"),
               LAB_CLAIMED("a*d^2", "first term, as printed"),
               LAB_STEP("(2*a - 1)*d^2/2", "first term by the sharper form"),
               LAB_TRUE("(a - (g - 1)/g)/(a - 1)*(g*a/(g - 1))*d^2/2",
                        "first term by the second bound of Theorem 9.9"))},
    /* The integral over z, of the normal density by Q(z/r)^2, is taken at multiples of h = 1/8. Let w = z/r
 * have an imaginary part y of at most 0.7. Left of 0, |Q(w)| >= 1/2 - 0.4 * 0.7 e^0.245 > 0.14. Right of 0,
 * |Q(w)| >= Q(Re w) (1 - y^2/2), since Q is the density times a Laplace transform whose second derivative
 * is at most itself. So the integral over a line in that strip is below 100, and the sum over all
 * multiples errs by less than 200/(e^(2 pi 1.2/h) - 1) < 1e-23. As Q(x) is at least the density times
 * x/(1 + x^2), what lies beyond 20 is below 1e-24. */
    {LAB_FACTS(105, "002", "Theorem 9.11", "false"),
     .title = "the second moment for every T",
     .statement = "The bound on the second moment of the length holds for every T.",
     .counterexample = "T = 0, sigma2 = sqrt 3 sigma1: the moment is 12.964362; "
                       "the bound is 11.882796.",
     .correction = "The bound with 4 + 2 pi r/sqrt u.",

     LAB_STEPS(LAB_INPUT("T = 0", "threshold, in sigmas of its noise"),
               LAB_INPUT("r = sqrt(3)", "sigma of the queries by that of the threshold"),
               LAB_CLAIMED("1 + 2*sqrt(3)*pi*(1 + 9*T^2)*exp(T^2)",
                           "bound on the second moment"),
               LAB_STEP("u = r^2 - 2", "above 0, so the moment is finite"),
               LAB_STEP("4 + 2*pi*sqrt(r^2/u)*exp(T^2/u)*((1 + r*T/u)^2 + 1/u)",
                        "corrected bound"),
               LAB_STEP("h = 1/8", "step of the sum over thresholds h i"),
               LAB_TRUE("within(h*sum(i, -160, 160, exp(-(h*i)^2/2)/sqrt(2*pi)/Q((T + "
                        "h*i)/r)^2), 1e-20)",
                        "second moment of 1/Pr[a query is above]"))},
    {LAB_FACTS(106, "002", "after 9.11", "gap"), .title = "log(1 + x) <= x for small rho",
     .statement = "log(1 + x) <= x is used for \"small\" rho.",
     .counterexample = "It needs rho of at most 0.01199.", .correction = "1 + x <= 2 x.",

     LAB_STEPS(LAB_SAY(INPUT, "bound on the moment of the length", "1 + x"),
               LAB_SAY(INPUT, "x", "2 sqrt 3 pi (1 + 9 t) e^t, t = 8 ln(1/rho)"),
               LAB_SAY(CLAIMED, "rho for which ln(1 + x) <= 10 ln(1/rho)", "small"),
               LAB_STEP("L = root(L, 1, 100, ln(4*sqrt(3)*pi) + ln(1 + 72*L) - 2*L)",
                        "ln(1/rho) from which ln(2 x) is at most 10 ln(1/rho)"),
               LAB_TRUE("exp(-L)", "largest rho for which it is"))},
    {LAB_FACTS(107, "002", "Theorem 9.12", "loose"),
     .title = "a looser bound without its shift",
     .statement = "The bound is (1 + log sum)/(alpha - 1), and the query noise "
                  "lacks its shift.",
     .counterexample = "", .correction = "log sum/(alpha - 1), and a shift of 2 D."},
    {LAB_FACTS(108, "002", "after 9.12", "false"), .title = "logarithm of c C(k, c)",
     .statement = "epsilon = R + sqrt(2 R L), with the logarithm of c C(k, c).",
     .counterexample =
         "sigma 20 and 40, c = 5, k = 1000, delta 1e-6: 0.830600 stands for "
         "1.150677; at k = 10, c = 1 there are 11 outcomes and not 10.",
     .correction = "R + 2 sqrt(R L), and the sum of the binomial coefficients.",

     LAB_STEPS(
         LAB_INPUT("s1 = 20", "sigma of the threshold"),
         LAB_INPUT("s2 = 40", "sigma of the queries"),
         LAB_INPUT("c = 5", "answers above"), LAB_INPUT("k = 1000", "longest run"),
         LAB_INPUT("delta = 1e-6", "delta"),
         LAB_STEP("R = 1/(2*s1^2) + 2*c/s2^2", "slope of the Renyi curve"),
         LAB_STEP("L = ln(1/delta) + ln(c*C(k, c))", "logarithm, as printed"),
         LAB_CLAIMED("R + sqrt(2*R*L)", "epsilon"),
         LAB_STEP("M = ln(1/delta) + ln(sum(j, 0, c, C(k, j)))",
                  "logarithm of all outcomes"),
         LAB_STEP("R + sqrt(2*R*M)", "epsilon with the printed root and this logarithm"),
         LAB_STEP("1*C(10, 1)", "printed number of outcomes for k = 10, c = 1"),
         LAB_STEP("sum(j, 0, 1, C(10, j))", "outcomes for k = 10, c = 1"),
         LAB_TRUE("R + 2*sqrt(R*M)", "epsilon"))},
    {LAB_FACTS(109, "002", "Theorems 9.13, 9.14", "false"),
     .title = "delta of all stages",
     .statement = "The delta of all stages is delta~ + (c/c') delta'.",
     .counterexample = "c = 101, c' = 2: 1.505e-6 stands for 1.510e-6.",
     .correction = "ceil(c/c') stages.",

     LAB_STEPS(LAB_INPUT("c = 101", "answers above in all"),
               LAB_INPUT("stage = 2", "answers above in a stage, c'"),
               LAB_INPUT("d = 1e-8", "delta of a stage, delta'"),
               LAB_INPUT("more = 1e-6", "delta of the composition, delta~"),
               LAB_CLAIMED("more + c/stage*d", "delta"),
               LAB_STEP("stages = ceil(c/stage)", "stages"),
               LAB_TRUE("more + stages*d", "delta"))},
    {LAB_FACTS(110, "002", "Theorem 9.14", "gap"), .title = "moments for all gamma",
     .statement = "The moment bound holds for all gamma.",
     .counterexample = "From gamma = (sigma2/sigma1)^2 = 4 on the moment is infinite.",
     .correction = "gamma below 4."},
    {LAB_FACTS(111, "002", "9.1.2", "typo"), .title = "d^2, and any for every",
     .statement = "The text says \"point queries ... d^2\" and \"any ... can "
                  "perform as well\".",
     .counterexample = "", .correction = "The sum query, and \"none can\"."},
    {LAB_FACTS(112, "002", "Theorem 9.6 (1)", "false"),
     .title = "microdata noise needs 2/epsilon",
     .statement = "Microdata noise of DGeo(1/epsilon) is epsilon-DP.",
     .counterexample = "epsilon 1/10: it is 10-DP.", .correction = "DGeo(epsilon).",

     LAB_STEPS(LAB_INPUT("eps = 1/10", "epsilon"), LAB_CLAIMED("eps", "largest loss"),
               LAB_STEP("x = exp(-1/eps)", "DGeo(1/eps) falls by this factor a step"),
               LAB_STEP("p = (1 - x)/(1 + x)", "its mass at 0"),
               LAB_TRUE("ln(p/(p*x))", "loss at 0 of a count that moves by 1"))},
    {LAB_FACTS(113, "002", "Theorem 9.6 (2)", "false"),
     .title = "cutting noise at 0 is not private",
     .statement = "The answer q + max(0, noise) is private.",
     .counterexample = "rho 1/2: delta is 0.699471 at every epsilon.",
     .correction = "max(0, q + noise).", LAB_RUNS(erratum_113)},
    {LAB_FACTS(114, "002", "Theorem 9.6 (3)", "false"), .title = "error of the sum query",
     .statement = "The error of the sum query is at most 2/epsilon^2.",
     .counterexample = "epsilon 1: 8.", .correction = "8/epsilon^2.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon: half for the cells, half for the sum"),
               LAB_CLAIMED("2/eps^2", "bound on the mean squared error of the sum"),
               LAB_STEP("b = 1/(eps/2)", "scale of the Laplace noise on the sum"),
               LAB_TRUE("2*b^2", "its variance"))},
    {LAB_FACTS(115, "002", "Theorem 9.6 (4)", "typo"),
     .title = "a clause that names M_rho",
     .statement = "The clause names M_rho and cites Lemma 9.5.", .counterexample = "",
     .correction = "M'_rho and Lemma 9.4."},
    {LAB_FACTS(116, "002", "Theorem 9.6 (5)", "loose"),
     .title = "the bound of truncated noise",
     .statement = "The truncated noise needs B of at least (2/epsilon) ln(4/delta) + 1.",
     .counterexample = "epsilon 1, delta 1e-6: 32; 29 is enough.",
     .correction = "An exact search over B.",

     LAB_STEPS(
         LAB_INPUT("eps = 1", "epsilon: half for the cells, half for the sum"),
         LAB_INPUT("delta = 1e-6", "delta: half for each"),
         LAB_CLAIMED("ceil(2/eps*ln(4/delta) + 1)", "bound of the noise"),
         LAB_STEP("x = exp(-eps/2)", "the noise falls by this factor a step"),
         LAB_TRUE("least(B, 2, 100, (x^B + max(0, x^B - x^(B - 2)*(1 - x)))/(1 + x) "
                  "- delta/2)",
                  "smallest bound whose exact delta is at most delta/2"))},
    {LAB_FACTS(117, "002", "Lemma 9.4", "false"), .title = "mean squared maximum",
     .statement = "The mean squared maximum is at most (ln d + 2 ln d + 2)/epsilon^2.",
     .counterexample = "d = 6: 7.375278 is claimed; 13489/1800 = 7.493889 is true.",
     .correction = "H_d^2 + H2_d, with the harmonic sums of d.",

     LAB_STEPS(
         LAB_INPUT("d = 6", "exponential variables of rate 1"),
         LAB_CLAIMED("ln(d) + 2*ln(d) + 2", "bound on the mean square of their maximum"),
         LAB_STEP("H = sum(i, 1, d, 1/i)", "mean of the maximum"),
         LAB_STEP("V = sum(i, 1, d, 1/i^2)", "variance of the maximum"),
         LAB_TRUE("H^2 + V", "mean square of the maximum"))},
    {LAB_FACTS(118, "002", "Theorem 9.3, proof", "false"),
     .title = "d - 128 in the lower bound",
     .statement = "exp(6 epsilon C) is at least d - 128.",
     .counterexample = "d = 200: 72 stands for 199/28.", .correction = "(d - 1)/28.",

     LAB_STEPS(LAB_INPUT("d = 200", "cells"),
               LAB_CLAIMED("d - 128", "lower bound on exp(6 epsilon C)"),
               LAB_TRUE("(d - 1)/28", "lower bound that the proof gives"))},
    {LAB_FACTS(119, "002", "Theorem 9.3, proof", "false"),
     .title = "a 2 that may not be left out",
     .statement = "The 2 of e^(4 epsilon C + 2) may be left out.",
     .counterexample = "epsilon 1, D = 1, d = 100: C = 1/4 meets the premise; at "
                       "least 0.315729 is claimed.",
     .correction = "ln(...) - 2.",

     LAB_STEPS(LAB_INPUT("eps = 1", "epsilon"), LAB_INPUT("d = 100", "cells"),
               LAB_INPUT("c = 1/4", "an error C"),
               LAB_STEP("exp(4*eps*c + 2) - (d - 1)/28",
                        "premise: at least 0, so c is possible"),
               LAB_CLAIMED("ln((d - 1)/28)/(4*eps)", "lower bound on C"),
               LAB_TRUE("(ln((d - 1)/28) - 2)/(4*eps)", "lower bound on C"))},
    {LAB_FACTS(120, "002", "Theorem 9.3 (3b)", "typo"), .title = "lambda for gamma",
     .statement = "lambda stands for gamma.", .counterexample = "",
     .correction = "For every gamma in (0, 1)."},
    {LAB_FACTS(121, "002", "Theorem 9.3, proof", "ambiguous"),
     .title = "how far databases differ",
     .statement = "Databases differ \"by at least 2(alpha C + k) records\".",
     .counterexample = "Group privacy needs at most that many.",
     .correction = "Exactly that many, an integer."},
    {LAB_FACTS(122, "002", "Theorem 9.3, end", "typo"), .title = "log(epsilon delta)",
     .statement = "The bound has log(epsilon delta).", .counterexample = "",
     .correction = "log(epsilon/delta)."},
    {LAB_FACTS(123, "002", "Definition 9.1, Thm 9.6 (1)", "ambiguous"),
     .title = "one record and one query",
     .statement = "Changing one record affects one query.",
     .counterexample =
         "Counts (1, 0) to (0, 1): two cells change, so the cost is 2 epsilon.",
     .correction = "Neighbours by add-remove.",

     LAB_STEPS(LAB_SAY(INPUT, "counts with one record changed", "(1, 0) and (0, 1)"),
               LAB_CLAIMED("1", "cells that change; the cost in epsilon"),
               LAB_TRUE("min(1, abs(1 - 0)) + min(1, abs(0 - 1))",
                        "cells that change; the cost in epsilon"))},
};

const lab_errata_section lab_errata_survey_later = LAB_ERRATA_SECTION(rows);
