#include "balls.h"
#include "check.h"
#include "dropped.h"
#include "exact.h"
#include "mechanism/histogram/buckets.h"

/* The mean over the exact law of the noise, less x; and the chance that the bar is not shown. */
static void bias_of(const sc_law *law, int64_t x, int64_t q, sc_ball *bias,
                    sc_ball *hidden)
{
    sc_ball mass, value;
    sc_ball_init(&mass);
    sc_ball_init(&value);
    sc_ball_set_int64(bias, -x);
    sc_ball_set_int64(hidden, 0);
    for (int64_t k = -q; k <= 0; k++) {
        const uint64_t left = x + k > 0 ? (uint64_t)(x + k) : 0;
        const uint64_t before = (uint64_t)x;
        dropped_case c;
        sc_ratio view;
        dropped_set(&c, &before, &left, 1, (uint64_t)q, "0");
        sc_ratio_init(&view);
        sc_bars_debiased(&c.bars, 0, &view);
        sc_law_pmf(law, k, EXACT_BITS, &mass);
        sc_ball_set_ratio(&value, &view, EXACT_BITS);
        sc_ball_mul(&value, &value, &mass, EXACT_BITS);
        sc_ball_add(bias, bias, &value, EXACT_BITS);
        if (left == 0)
            sc_ball_add(hidden, hidden, &mass, EXACT_BITS);
        sc_ratio_clear(&view);
        dropped_clear(&c);
    }
    sc_ball_clear(&value);
    sc_ball_clear(&mass);
}

TEST(debiased_views_have_the_right_mean)
{
    CLAIM("debias.mean");
    sc_ball bias, hidden, nothing;
    sc_ball_init(&bias);
    sc_ball_init(&hidden);
    sc_ball_init(&nothing);
    for (int64_t q = 1; q <= 6; q++) {
        sc_law law;
        exact_law(&sc_shifted_laplace_law, "3/4", q, &law);
        for (int64_t x = 0; x <= 2 * q + 2; x++) {
            bias_of(&law, x, q, &bias, &hidden);
            if (x > q) { /* always shown */
                CHECK(ball_overlaps(&hidden, &nothing));
                CHECK(ball_overlaps(&bias, &nothing) && sc_ball_lower(&bias) > -1e-60 &&
                      sc_ball_upper(&bias) < 1e-60);
                continue;
            }
            sc_ball_abs(&bias, &bias);
            sc_ball_mul_int64(&hidden, &hidden, q, EXACT_BITS);
            sc_ball_mul_power2(&hidden, &hidden, -1);
            CHECK(sc_ball_lower(&bias) <= sc_ball_upper(&hidden));
        }
        sc_law_clear(&law);
    }
    sc_ball_clear(&nothing);
    sc_ball_clear(&hidden);
    sc_ball_clear(&bias);
}

/* It may show what is not there: the reason why it has a name of its own. */
TEST(debiased_views_are_not_one_sided)
{
    static const uint64_t x[] = {5, 9, 1}, y[] = {5, 6, 0};
    dropped_case c;
    sc_ratio view, want;
    dropped_set(&c, x, y, 3, 3, "0");
    sc_ratio_init(&view);
    exact_ratio("13/2", &want);
    sc_bars_debiased(&c.bars, 0, &view);
    CHECK_INT(sc_ratio_compare(&view, &want), 0);
    CHECK(sc_ratio_compare_int64(&view, 5) > 0);
    sc_bars_debiased(&c.bars, 2, &view);
    CHECK_INT(sc_ratio_sign(&view), 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&view);
    dropped_clear(&c);
}
