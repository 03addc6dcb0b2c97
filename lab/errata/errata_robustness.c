/* Errata of document 000: robustness and flexibility. */
#include "lab/errata/errata.h"

#define NOISE ((size_t)10) /* values of the uniform noise of erratum 1 */

/* Values 0 and 10 plus uniform noise on 0 to 9: the values 0 to 19. */
static lab_places with_noise(const char *low, const char *high,
                             scrim_place places[2 * NOISE])
{
    static const char *const digits[2 * NOISE] = {
        "0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
        "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"};
    for (size_t i = 0; i < 2 * NOISE; i++)
        places[i] = (scrim_place){digits[i], i < NOISE ? low : high};
    return (lab_places){places, 2 * NOISE};
}

static void erratum_1(lab_working *w)
{
    scrim_place x[2 * NOISE], y[2 * NOISE];
    lab_working_say(w, LAB_WORKING_INPUT, "X", "0 and 10 with chances 1/2 and 1/2");
    lab_working_say(w, LAB_WORKING_INPUT, "Y", "0 and 10 with chances 3/5 and 2/5");
    lab_working_say(w, LAB_WORKING_INPUT, "noise, independent of both",
                    "uniform on 0..9");
    lab_working_distance(
        w, LAB_WORKING_CLAIMED, "before",
        &(lab_distance){"wasserstein", LAB_PLACES({"0", "1/2"}, {"10", "1/2"}),
                        LAB_PLACES({"0", "3/5"}, {"10", "2/5"}), NULL},
        "largest distance that mass moves from X to Y, unchanged by noise");
    lab_working_distance(w, LAB_WORKING_TRUE, "after",
                         &(lab_distance){"wasserstein", with_noise("1/20", "1/20", x),
                                         with_noise("3/50", "2/50", y), NULL},
                         "the same from X + noise to Y + noise");
}

static void erratum_6(lab_working *w)
{
    const lab_places point = LAB_PLACES({"0", "1"});
    const lab_places spread = LAB_PLACES({"0", "4/5"}, {"1", "1/5"});
    scrim_distance_options options = {.size = sizeof options, .loss = "1/10"};
    lab_working_say(w, LAB_WORKING_INPUT, "P", "the point 0");
    lab_working_say(w, LAB_WORKING_INPUT, "Q", "0 and 1 with chances 4/5 and 1/5");
    lab_working_input(w, "theta = 1/10", "mass that may be ignored");
    lab_working_distance(w, LAB_WORKING_CLAIMED, "W",
                         &(lab_distance){"wasserstein", point, spread, &options},
                         "distance ignoring theta on both sides together");
    options.loss = "1/5";
    lab_working_distance(w, LAB_WORKING_TRUE, "W2",
                         &(lab_distance){"wasserstein", point, spread, &options},
                         "distance ignoring theta on each side, 2 theta together");
}

static const lab_erratum rows[] = {
    {LAB_FACTS(1, "000", "Claim 1", "false"),
     .title = "noise does not keep lossy distances",
     .statement = "Adding the same independent noise to two random values leaves "
                  "their lossy distance unchanged.",
     .counterexample = "Values 0 and 10, with chances 1/2, 1/2 and 3/5, 2/5, are "
                       "at distance 10. Uniform noise on 0 to 9 brings it to 2.",
     .correction = "Independent noise never increases the distance; it may lower it.",
     LAB_RUNS(erratum_1)},
    {LAB_FACTS(2, "000", "Lemma 1; Theorems 1, 2(i), 3", "false"),
     .title = "close outputs need a larger epsilon",
     .statement = "If the outputs of the Laplace step are close in distance, "
                  "they are close in (epsilon, delta): the step is robust in the "
                  "sense of Definition 9.",
     .counterexample = "Inputs 0 and uniform on {-1, 1}, scale 1: the outputs are within "
                       "0.433781, and at that epsilon delta is 0.0982857, not 0.",
     .correction = "The guarantee holds for inputs that are close: (epsilon, theta). For "
                   "close outputs it holds at 2 acosh(e^(epsilon/2)).",

     LAB_STEPS(LAB_INPUT("b = 1",
                         "scale of the Laplace noise; inputs 0 and uniform on {-1, 1}"),
               LAB_INPUT("theta = 0", "mass that may be ignored"),
               LAB_STEP("c = (exp(1/b) + exp(-1/b))/2", "cosh 1"),
               LAB_STEP("eps = ln(c)", "distance of the two outputs, and epsilon = rho"),
               LAB_STEP("largest = ln(1/exp(-1/b))", "log ratio of the densities at 0"),
               LAB_CLAIMED("theta", "delta at epsilon"),
               LAB_STEP("t = ln(2*exp(1)/c - 1)/2",
                        "end of the interval where e^-|t| exceeds c cosh(t)/e"),
               LAB_TRUE("1 - exp(-t) - c/exp(1)*(exp(t) - exp(-t))/2",
                        "delta: integral of that excess"))},
    {LAB_FACTS(3, "000", "Lemma 1, Theorem 3", "loose"),
     .title = "delta is theta, without a factor",
     .statement = "The robust release has delta = 2 e^epsilon theta, and "
                  "(e^epsilon + 1) 2 theta in Theorem 3.",
     .counterexample = "At theta 1/10 and epsilon 1 the claim is 0.543656; 1/10 "
                       "is enough, and is attained.",
     .correction = "delta = theta.",

     LAB_STEPS(
         LAB_INPUT("theta = 1/10", "mass of one distribution that is far away"),
         LAB_INPUT("eps = 1", "epsilon"), LAB_CLAIMED("2*exp(eps)*theta", "delta"),
         LAB_STEP("near = max(0, (1 - theta) - exp(eps)*1)",
                  "excess where both distributions have mass"),
         LAB_STEP("far = max(0, theta - exp(eps)*0)", "excess far away"),
         LAB_TRUE("near + far", "delta: attained, and by the sub-coupling it suffices"))},
    {LAB_FACTS(4, "000", "Lemma 2", "loose"),
     .title = "average error has a factor too many",
     .statement = "The average error of the Laplace step has a factor 1/(1 - "
                  "gamma), for every gamma of at least 0.",
     .counterexample = "At gamma 1/2 and scale 1 the claim is 0.306853, twice "
                       "the true value; at gamma 1 it divides by 0.",
     .correction = "b (1 - gamma (1 + ln(1/gamma))), for gamma from 0 to 1.",

     LAB_STEPS(
         LAB_INPUT("g = 1/2", "gamma, the mass that may be ignored"),
         LAB_INPUT("b = 1", "scale of the Laplace noise"),
         LAB_CLAIMED("b*(1 - g*(1 + ln(1/g)))/(1 - g)", "average error"),
         LAB_STEP("cut = b*ln(1/g)", "noise of size beyond the cut is ignored: mass g"),
         LAB_TRUE("b - (cut + b)*exp(-cut/b)",
                  "average error: mean of the noise up to the cut"))},
    {LAB_FACTS(5, "000", "Theorem 3", "ambiguous"),
     .title = "epsilon' below epsilon cannot hold",
     .statement = "The robustness clause holds for a free parameter epsilon'.",
     .counterexample = "The noise scale is fixed by epsilon, so an epsilon' "
                       "below epsilon cannot hold.",
     .correction = "Only epsilon' of at least epsilon is meaningful."},
    {LAB_FACTS(6, "000", "Claim 3", "false"), .title = "a loss on each side counts twice",
     .statement = "A loss of theta on each side gives the lossy distance W^theta.",
     .counterexample =
         "The point 0 against 4/5, 1/5 on {0, 1} at theta 1/10: W^theta is 1; "
         "cutting theta off both sides leaves distance 0.",
     .correction = "A loss of theta on each side is W^(2 theta).", LAB_RUNS(erratum_6)},
    {LAB_FACTS(7, "000", "Section 6", "false"),
     .title = "multiples of B/t make t + 1 bars",
     .statement = "Rounding to multiples of B/t gives t bars, so at most q t "
                  "elements are dropped.",
     .counterexample = "B = 1, t = 4: the multiples in [0, 1] are 5 bars, so 50 "
                       "elements and not 40 at q = 10.",
     .correction = "q (t + 1), or half-open buckets.",

     LAB_STEPS(LAB_INPUT("B = 1", "values lie in [0, B]"),
               LAB_INPUT("t = 4", "parts of the range"),
               LAB_INPUT("q = 10", "elements that a bar may lose"),
               LAB_CLAIMED("q*t", "elements that may be lost"),
               LAB_STEP("bars = sum(i, 0, 2*t, max(0, min(1, floor((B - i*B/t)/B) + 1)))",
                        "multiples of B/t in [0, B], counted"),
               LAB_TRUE("q*bars", "elements that may be lost"))},
    {LAB_FACTS(8, "000", "Theorem 5", "typo"), .title = "composition has beta1 for beta2",
     .statement = "The last line of the composition theorem has beta1 + tau, and "
                  "the text cites \"(14) and (14)\".",
     .counterexample = "", .correction = "beta2 + tau."},
    {LAB_FACTS(9, "000", "Lemma 4", "unproved"),
     .title = "histograms rest on a false claim",
     .statement = "The error sensitivity of the histogram follows from Claim 1.",
     .counterexample = "Claim 1 is about noise on values, and is false (erratum 1).",
     .correction = "Match each element with its copy, and drop partners together."},
    {LAB_FACTS(10, "000", "Theorem 4", "false"),
     .title = "rounding drops one more at a real q",
     .statement = "Rounding the noisy bar to the nearest integer drops at most q "
                  "elements, for every real q.",
     .counterexample = "At q = 2.7 and epsilon 1 a bar loses 3 elements with "
                       "probability 0.0387416.",
     .correction = "Use an integer q, or round up.",

     LAB_STEPS(
         LAB_INPUT("q = 27/10", "width of the noise"), LAB_INPUT("eps = 1", "epsilon"),
         LAB_STEP("dropped = floor(q + 1/2)", "elements lost if the noise is near -q"),
         LAB_CLAIMED("0", "chance to lose more than q elements"),
         LAB_TRUE("(exp(eps*(q - dropped + 1/2)) - 1)/(2*(exp(eps*q/2) - 1))",
                  "chance that the noise is below 1/2 - dropped"))},
    {LAB_FACTS(11, "000", "Lemma 3/5, Mechanism 4", "loose"),
     .title = "delta of Mechanism 4 is six times smaller",
     .statement = "Mechanism 4 has delta = (4/sqrt q) e^(-sqrt(q)/2).",
     .counterexample = "At q = 16 the claim is 0.135335; the true value is 0.0222275.",
     .correction = "(e^epsilon - 1)/(2 (e^(epsilon q/2) - 1)) with epsilon = 1/sqrt q.",

     LAB_STEPS(LAB_INPUT("q = 16", "width of the noise"),
               LAB_STEP("eps = 1/sqrt(q)", "epsilon"),
               LAB_CLAIMED("4/sqrt(q)*exp(-sqrt(q)/2)", "delta"),
               LAB_TRUE("(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta"))},
};

const lab_errata_section lab_errata_robustness = LAB_ERRATA_SECTION(rows);
