#include "balls.h"
#include "exact.h"
#include "model/outcomes.h"

#include <math.h>

/* Against the sum over all outcomes, term by term. */
static void check_sums(const sc_outcomes *in, const sc_law *noise, const sc_outcomes *out)
{
    sc_ball sum, part;
    sc_ball_init(&sum);
    sc_ball_init(&part);
    for (size_t i = 0; i < out->count; i++) {
        sc_ball_set_int64(&sum, 0);
        for (size_t j = 0; j < in->count; j++) {
            sc_law_pmf(noise, (sc_int128)out->keys[i] - in->keys[j], EXACT_BITS, &part);
            sc_ball_mul(&part, &part, &in->mass[j], EXACT_BITS);
            sc_ball_add(&sum, &sum, &part, EXACT_BITS);
        }
        CHECK_SAME(&sum, &out->mass[i], 100);
    }
    sc_ball_clear(&part);
    sc_ball_clear(&sum);
}

static void add(sc_outcomes *law, int64_t key, const char *mass)
{
    sc_ratio x;
    sc_ball ball;
    exact_ratio(mass, &x);
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, &x, EXACT_BITS);
    CHECK_STATUS(sc_outcomes_add(law, &key, &ball, NULL), SCRIM_OK);
    sc_ball_clear(&ball);
    sc_ratio_clear(&x);
}

TEST(outcomes_noise_is_the_convolution)
{
    CLAIM("outcomes-noise.exact");
    static const char *const scales[] = {"1", "1/3", "17/4"};
    for (size_t i = 0; i < COUNT(scales); i++) {
        sc_outcomes in, out;
        sc_law noise;
        sc_ball total;
        sc_outcomes_init(&in, 1);
        sc_outcomes_init(&out, 1);
        sc_ball_init(&total);
        add(&in, -3, "1/8");
        add(&in, 0, "1/2");
        add(&in, 1, "1/4");
        add(&in, 40, "1/8");
        exact_law(&sc_discrete_laplace_law, scales[i], 0, &noise);
        REQUIRE_OK(sc_outcomes_add_laplace(&in, &noise, 128, &out, NULL));
        check_sums(&in, &noise, &out);
        sc_outcomes_total(&out, 128, &total);
        CHECK(sc_ball_lower(&total) > 1 - 1e-15 && sc_ball_upper(&total) < 1 + 1e-15);
        CHECK(sc_ball_upper(&out.rest) < 1e-18);
        sc_law_clear(&noise);
        sc_ball_clear(&total);
        sc_outcomes_clear(&out);
        sc_outcomes_clear(&in);
    }
}

/* The part of the number that is not listed may be anywhere: each ball holds it. */
TEST(outcomes_noise_keeps_what_is_not_listed)
{
    CLAIM("outcomes-noise.exact");
    sc_outcomes in, out;
    sc_law noise;
    sc_outcomes_init(&in, 1);
    sc_outcomes_init(&out, 1);
    add(&in, 0, "3/4");
    sc_ball_set(&in.rest, &in.mass[0]);
    sc_ball_div_int64(&in.rest, &in.rest, 3, EXACT_BITS);
    exact_law(&sc_discrete_laplace_law, "1", 0, &noise);
    REQUIRE_OK(sc_outcomes_add_laplace(&in, &noise, 128, &out, NULL));
    for (size_t i = 0; i < out.count; i++)
        CHECK(sc_ball_upper(&out.mass[i]) - sc_ball_lower(&out.mass[i]) >= 0.25);
    CHECK(sc_ball_upper(&out.rest) >= 0.25);
    sc_law_clear(&noise);
    exact_law(&sc_discrete_laplace_law, "2^40", 0, &noise);
    CHECK_STATUS(sc_outcomes_add_laplace(&in, &noise, 128, &out, NULL), SCRIM_E_LIMIT);
    sc_law_clear(&noise);
    sc_outcomes_clear(&out);
    sc_outcomes_clear(&in);
}

/* Two numbers, of which one may not be shown: each has noise of its own. */
TEST(outcomes_noise_on_each_number)
{
    CLAIM("outcomes-noise.exact");
    static const int64_t keys[][2] = {{0, 5}, {0, SC_OUTCOMES_NO_NUMBER}, {3, 5}, {3, 7}};
    sc_outcomes in, out;
    sc_law noise;
    sc_ball half, p;
    sc_outcomes_init(&in, 2);
    sc_outcomes_init(&out, 2);
    sc_ball_init(&half);
    sc_ball_init(&p);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -2);
    for (size_t i = 0; i < COUNT(keys); i++)
        REQUIRE_OK(sc_outcomes_add(&in, keys[i], &half, NULL));
    exact_law(&sc_discrete_laplace_law, "1/2", 0, &noise);
    REQUIRE_OK(sc_outcomes_add_laplace_each(&in, &noise, 128, &out, NULL));
    REQUIRE_OK(sc_outcomes_sort(&out, 128, NULL));
    double total = 0;
    for (size_t i = 0; i < out.count; i++) {
        const int64_t *key = out.keys + 2 * i;
        double want = 0;
        for (size_t j = 0; j < COUNT(keys); j++) {
            double part = 0.25;
            for (int k = 0; k < 2; k++) {
                const bool is_hidden = key[k] == SC_OUTCOMES_NO_NUMBER,
                           was = keys[j][k] == SC_OUTCOMES_NO_NUMBER;
                if (!is_hidden && !was)
                    sc_law_pmf(&noise, (sc_int128)key[k] - keys[j][k], 128, &p);
                part *= is_hidden != was ? 0 : was ? 1 : sc_ball_upper(&p);
            }
            want += part;
        }
        CHECK(fabs(sc_ball_upper(&out.mass[i]) - want) <= 1e-14 * want + 1e-36);
        total += want;
    }
    CHECK_NEAR(total, 1, 1e-14);
    CHECK(sc_ball_upper(&out.rest) < 1e-16);
    sc_law_clear(&noise);
    sc_ball_clear(&p);
    sc_ball_clear(&half);
    sc_outcomes_clear(&out);
    sc_outcomes_clear(&in);
}
