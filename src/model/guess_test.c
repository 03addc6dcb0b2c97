#include "check.h"
#include "model/guess.h"
#include "model/measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *guess_of(const sc_exact_cost *cost, char text[SC_RATIO_TEXT_BYTES])
{
    sc_ratio guess;
    sc_ratio_init(&guess);
    sc_guess_upper(cost, &guess);
    (void)sc_ratio_format(&guess, text, SC_RATIO_TEXT_BYTES);
    sc_ratio_clear(&guess);
    return text;
}

static const char *guess_at(const char *epsilon, const char *delta,
                            char text[SC_RATIO_TEXT_BYTES])
{
    sc_exact_cost cost;
    sc_cost_init(&cost);
    cost.has_epsilon = true;
    CHECK_STATUS(sc_ratio_parse(sc_text_of(epsilon), &cost.epsilon, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(delta), &cost.delta, NULL), SCRIM_OK);
    (void)guess_of(&cost, text);
    sc_cost_clear(&cost);
    return text;
}

TEST(guess_is_known)
{
    CLAIM("guess.upper");
    char text[SC_RATIO_TEXT_BYTES];
    CHECK_STR(guess_at("0", "0", text), "0.5");
    CHECK_STR(guess_at("1", "0", text), "0.732"); /* e/(1+e) = 0.73106 */
    CHECK_STR(guess_at("0.5", "0", text), "0.623");
    CHECK_STR(guess_at("0", "1/2", text), "0.75");
    CHECK_STR(guess_at("5", "1e-6", text), "0.994");
    CHECK_STR(guess_at("1000000", "0", text), "1");
}

/* The double is near; never below it, and less than a thousandth above. */
TEST(guess_is_the_formula)
{
    CLAIM("guess.upper");
    static const char *const deltas[] = {"0", "1e-6", "0.1"};
    char text[SC_RATIO_TEXT_BYTES], epsilon[16];
    for (int i = 1; i < 600; i += 7)
        for (size_t k = 0; k < COUNT(deltas); k++) {
            snprintf(epsilon, sizeof epsilon, "%d/100", i);
            const double odds = exp(i / 100.0);
            const double want = (odds + strtod(deltas[k], NULL)) / (1 + odds);
            const double got = strtod(guess_at(epsilon, deltas[k], text), NULL);
            CHECK(got >= want - 1e-12 && got < want + 0.001 + 1e-12);
        }
}

/* Where there is no epsilon the curve says it: a Gaussian shifted by D is told apart with
 * probability Phi(D / (2 sigma)), and the discrete one is near it. */
TEST(guess_of_a_curve)
{
    CLAIM("guess.upper");
    scrim_measurement *m = NULL;
    char text[SC_RATIO_TEXT_BYTES];
    if (CHECK_STATUS(
            scrim_measurement_parse(
                "gaussian sensitivity=1 sigma=10 neighbours=add-remove", &m, NULL),
            SCRIM_OK)) {
        const double want = 0.5 * erfc(-0.05 / sqrt(2));
        const double got = strtod(guess_of(&m->cost, text), NULL);
        CHECK(got >= want - 1e-9 && got < want + 0.0011);
    }
    scrim_measurement_free(m);
}

/* A rho alone says sqrt(rho / 2); of several bounds the smallest counts. */
TEST(guess_of_a_rho)
{
    CLAIM("guess.upper");
    char text[SC_RATIO_TEXT_BYTES];
    sc_exact_cost cost;
    sc_cost_init(&cost);
    cost.has_rho = true;
    REQUIRE_OK(sc_ratio_parse(sc_text_of("0.187642"), &cost.rho, NULL));
    CHECK_STR(guess_of(&cost, text), "0.654");
    cost.has_epsilon = true;
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1"), &cost.epsilon, NULL));
    CHECK_STR(guess_of(&cost, text), "0.654");
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/10"), &cost.epsilon, NULL));
    CHECK_STR(guess_of(&cost, text), "0.525");
    sc_cost_clear(&cost);
}
