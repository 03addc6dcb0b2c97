#include "exact.h"
#include "experiment/bar_noise.h"
#include "goodness.h"
#include "sampling/law.h"

/* e is epsilon, and scale 1 / epsilon. */
static void check_noise(long double e, const char *epsilon, const char *scale, int64_t q)
{
    sc_bar_noise noise;
    scrim_error error;
    sc_law one_sided, two_sided;
    sc_ball value;
    REQUIRE_OK(sc_bar_noise_init(&noise, e, q, &error));
    exact_law(&sc_shifted_laplace_law, epsilon, q, &one_sided);
    exact_law(&sc_discrete_laplace_law, scale, 0, &two_sided);
    sc_ball_init(&value);
    for (int64_t z = -q - 3; z <= 40; z++) {
        sc_law_at_most(&one_sided, z, 100, &value);
        CHECK_NEAR((double)sc_one_sided_at_most(&noise, z), goodness_middle(&value),
                   1e-15);
        sc_law_at_most(&two_sided, z, 100, &value);
        CHECK_NEAR((double)sc_two_sided_at_most(&noise, z), goodness_middle(&value),
                   1e-15);
    }
    for (int64_t z = -q; z <= 0; z++) {
        sc_law_pmf(&one_sided, z, 100, &value);
        CHECK_NEAR((double)sc_one_sided_is(&noise, z), goodness_middle(&value), 1e-13);
        sc_law_pmf(&two_sided, -z, 100, &value);
        CHECK_NEAR((double)sc_two_sided_is(&noise, -z), goodness_middle(&value), 1e-13);
    }
    sc_law_at_most(&two_sided, -SC_NOISE_REACH - 7, 100, &value);
    CHECK_NEAR((double)sc_two_sided_at_most(&noise, -SC_NOISE_REACH - 7),
               goodness_middle(&value), 1e-14);
    sc_ball_clear(&value);
    sc_law_clear(&one_sided);
    sc_law_clear(&two_sided);
    sc_bar_noise_clear(&noise);
}

TEST(bar_noise_is_that_of_the_samplers)
{
    CLAIM("bar-noise.exact");
    check_noise(1.0L / 20, "1/20", "20", 554);
    check_noise(1, "1", "1", 27);
    check_noise(1, "1", "1", 28);
    check_noise(2, "2", "1/2", 14);
}
