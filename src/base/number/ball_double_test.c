#define SC_WITH_ARB
#include "balls.h"
#include "base/number/ball_double.h"
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

/* 3^120 takes 191 bits: as a double, and in a sum that is exact. */
TEST(ball_double_reads_integers)
{
    fmpz values[3] = {0, 5, 0};
    double near[3];
    sc_ball sum, wanted;
    sc_ratio third;
    scrim_error error;
    sc_ratio_init(&third);
    sc_ball_init(&sum);
    sc_ball_init(&wanted);
    fmpz_ui_pow_ui(&values[2], 3, 120);
    sc_ball_doubles(values, 3, 4, near);
    CHECK(near[0] <= 0 && near[1] >= 0.3125 && near[1] <= 0.3125);
    fmpz_ui_pow_ui(&values[0], 2, 2000);
    sc_ball_doubles(values, 1, 1990, near);
    CHECK_NEAR(near[0], 1024, 0x1p-52);
    fmpz_zero(&values[0]);
    CHECK_NEAR(near[2], 1797010299914431210413179829509605039731475627537851106401.0 / 16,
               0x1p-52);
    sc_ball_sum(values, 3, 4, &sum);
    sc_ball_set_int64(&wanted, 3);
    sc_ball_power(&wanted, &wanted, 120, BITS);
    sc_ball_add_int64(&wanted, &wanted, 5, BITS);
    sc_ball_mul_power2(&wanted, &wanted, -4);
    CHECK(sc_ball_contains(&wanted, &sum) && sc_ball_contains(&sum, &wanted));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/3"), &third, &error));
    CHECK_NEAR(sc_ball_near(&third), 1.0 / 3, 0x1p-52);
    fmpz_clear(&values[2]);
    sc_ball_clear(&wanted);
    sc_ball_clear(&sum);
    sc_ratio_clear(&third);
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
    CHECK(ball_overlaps(&a, &sine));
    sc_ball_clear(&five);
    sc_ball_clear(&cosine);
    sc_ball_clear(&sine);
    sc_ball_clear(&a);
    sc_ratio_clear(&sixth);
}
