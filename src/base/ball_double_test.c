#include "base/ball_double.h"
#include "check.h"

#define BITS 200

/* pi in two doubles, and what is left. */
TEST(ball_double_splits)
{
    sc_ball pi, sum, part;
    double high, low;
    sc_ball_init(&pi);
    sc_ball_init(&sum);
    sc_ball_init(&part);
    sc_ball_set_pi(&pi, BITS);
    sc_ball_split(&pi, &high, &low);
    sc_ball_set_double(&sum, high);
    CHECK(sc_ball_is_less(&sum, &pi));
    sc_ball_set_double(&part, low);
    sc_ball_add(&sum, &sum, &part, BITS);
    sc_ball_sub(&sum, &sum, &pi, BITS);
    sc_ball_abs(&sum, &sum);
    CHECK(sc_ball_upper(&sum) <= 4 * 0x1p-105);
    CHECK(low > 0 && low < 0x1p-51);
    sc_ball_clear(&part);
    sc_ball_clear(&sum);
    sc_ball_clear(&pi);
}

/* At a twelfth of a turn the sine is a half; sin^2 + cos^2 = 1 elsewhere, with 4 sin^2(pi/5)
 * = (5 - sqrt 5) / 2. */
TEST(ball_double_knows_the_circle)
{
    sc_ball a, sine, cosine, five;
    sc_ratio sixth;
    scrim_error error;
    sc_ratio_init(&sixth);
    sc_ball_init(&a);
    sc_ball_init(&sine);
    sc_ball_init(&cosine);
    sc_ball_init(&five);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/6"), &sixth, &error));
    sc_ball_set_ratio(&a, &sixth, BITS);
    sc_ball_sin_cos_pi(&sine, &cosine, &a, BITS);
    sc_ball_mul_int64(&sine, &sine, 2, BITS);
    sc_ball_set_int64(&five, 1);
    CHECK(sc_ball_contains(&sine, &five) && sc_ball_is_accurate(&sine, BITS - 10));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/5"), &sixth, &error));
    sc_ball_set_ratio(&a, &sixth, BITS);
    sc_ball_sin_cos_pi(&sine, &cosine, &a, BITS);
    sc_ball_mul(&sine, &sine, &sine, BITS);
    sc_ball_mul(&cosine, &cosine, &cosine, BITS);
    sc_ball_add(&cosine, &cosine, &sine, BITS);
    CHECK(sc_ball_contains(&cosine, &five));
    sc_ball_set_int64(&five, 5);
    sc_ball_sqrt(&a, &five, BITS);
    sc_ball_sub(&a, &five, &a, BITS);
    sc_ball_mul_int64(&sine, &sine, 8, BITS);
    CHECK(sc_ball_overlaps(&a, &sine));
    sc_ball_clear(&five);
    sc_ball_clear(&cosine);
    sc_ball_clear(&sine);
    sc_ball_clear(&a);
    sc_ratio_clear(&sixth);
}
