#define SC_WITH_ARB
/* The functions of balls: at a short precision they hold what they give at a long one,
 * and that agrees with a second road to the same number and with printed tables. */
#include "balls.h"
#include "base/number/ball.h"
#include "check.h"

#define SHORT 53
#define LONG 2000

typedef void ball_function(sc_ball *out, const sc_ball *a, long bits);

/* Each function by a second road, from functions above it in this table. */
static void exp_again(sc_ball *out, const sc_ball *a, long bits) /* e^a = 1 / e^-a */
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_ball_neg(out, a);
    sc_ball_exp(out, out, bits);
    sc_ball_div(out, &one, out, bits);
    sc_ball_clear(&one);
}

static void expm1_again(sc_ball *out, const sc_ball *a, long bits)
{
    sc_ball_exp(out, a, bits);
    sc_ball_add_int64(out, out, -1, bits);
}

static void sinh_again(sc_ball *out, const sc_ball *a, long bits)
{
    sc_ball other;
    sc_ball_init(&other);
    sc_ball_neg(&other, a);
    sc_ball_exp(&other, &other, bits);
    sc_ball_exp(out, a, bits);
    sc_ball_sub(out, out, &other, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&other);
}

/* log by Newton's step on exp: with y near log a, log a = y + log(a e^-y), small. */
static void log_again(sc_ball *out, const sc_ball *a, long bits)
{
    sc_ball near_one;
    sc_ball_init(&near_one);
    sc_ball_log(out, a, SHORT);
    mag_zero(arb_radref(out->x)); /* any number near the logarithm will do */
    sc_ball_neg(&near_one, out);
    sc_ball_exp(&near_one, &near_one, bits);
    sc_ball_mul(&near_one, &near_one, a, bits);
    sc_ball_log(&near_one, &near_one, bits);
    sc_ball_add(out, out, &near_one, bits);
    sc_ball_clear(&near_one);
}

static void log1p_again(sc_ball *out, const sc_ball *a, long bits)
{
    sc_ball_add_int64(out, a, 1, bits);
    sc_ball_log(out, out, bits);
}

static void sqrt_again(sc_ball *out, const sc_ball *a, long bits) /* e^(log(a) / 2) */
{
    sc_ball_log(out, a, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_exp(out, out, bits);
}

static void erfc_again(sc_ball *out, const sc_ball *a, long bits) /* Q(1/2, a^2), a > 0 */
{
    sc_ball half;
    sc_ball_init(&half);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -1);
    sc_ball_mul(out, a, a, bits);
    ball_gamma_upper(out, &half, out, bits);
    sc_ball_clear(&half);
}

/* The argument is n / 2^shift, n from low to high. A short computation holds a long one
 * of the same function and meets a long one by another road; a wide argument's value
 * holds those of its ends. */
static void check_function(ball_function *function, ball_function *again, int low,
                           int high, long shift)
{
    sc_ball a, coarse, fine, other, wide;
    sc_ball_init(&a);
    sc_ball_init(&coarse);
    sc_ball_init(&fine);
    sc_ball_init(&other);
    sc_ball_init(&wide);
    for (int n = low; n <= high; n++) {
        sc_ball_set_int64(&a, n);
        sc_ball_mul_power2(&a, &a, -shift);
        function(&coarse, &a, SHORT);
        function(&fine, &a, LONG);
        again(&other, &a, LONG);
        CHECK(sc_ball_is_accurate(&fine, LONG - 100) || n == 0);
        CHECK(sc_ball_contains(&coarse, &fine));
        CHECK(ball_overlaps(&fine, &other));
        CHECK(sc_ball_is_accurate(&other, LONG - 1000) || n == 0);
        if (n == high)
            break;
        sc_ball_set_int64(&wide, n + 1);
        sc_ball_mul_power2(&wide, &wide, -shift);
        function(&other, &wide, LONG);
        sc_ball_set_union(&wide, &wide, &a, LONG);
        function(&wide, &wide, SHORT);
        CHECK(sc_ball_contains(&wide, &fine));
        CHECK(sc_ball_contains(&wide, &other));
    }
    sc_ball_clear(&wide);
    sc_ball_clear(&other);
    sc_ball_clear(&fine);
    sc_ball_clear(&coarse);
    sc_ball_clear(&a);
}

TEST(ball_functions_hold_their_values)
{
    const long shifts[] = {0, 3, 40, -4};
    for (size_t i = 0; i < COUNT(shifts); i++) {
        check_function(sc_ball_exp, exp_again, -20, 20, shifts[i]);
        check_function(sc_ball_expm1, expm1_again, -20, 20, shifts[i]);
        check_function(sc_ball_sinh, sinh_again, -20, 20, shifts[i]);
        check_function(sc_ball_log, log_again, 2, 20, shifts[i]);
        check_function(sc_ball_log1p, log1p_again, 1, 20, shifts[i]);
        check_function(sc_ball_sqrt, sqrt_again, 1, 20, shifts[i]);
        if (shifts[i] >= 0) /* erfc(20) is already e^-400 */
            check_function(sc_ball_erfc, erfc_again, 1, 20, shifts[i]);
    }
}

/* Leading digits from the tables. */
TEST(ball_functions_agree_with_published_digits)
{
    sc_ball x, s;
    char text[64];
    sc_ball_init(&x);
    sc_ball_init(&s);
    sc_ball_set_pi(&x, 200);
    sc_ball_format(&x, 40, text, sizeof text);
    CHECK_STR(text, "3.141592653589793238462643383279502884197");
    sc_ball_format(&x, 40, text, 8);
    CHECK_STR(text, "3.14159");
    sc_ball_set_int64(&x, 1);
    sc_ball_exp(&s, &x, 200);
    sc_ball_format(&s, 30, text, sizeof text);
    CHECK_STR(text, "2.71828182845904523536028747135");
    sc_ball_erfc(&s, &x, 200);
    sc_ball_format(&s, 30, text, sizeof text);
    CHECK_STR(text, "0.157299207050285130658779364917");
    sc_ball_set_int64(&s, 2); /* Q(2, 1) = 2/e */
    ball_gamma_upper(&s, &s, &x, 200);
    sc_ball_format(&s, 30, text, sizeof text);
    CHECK_STR(text, "0.735758882342884643191047540323");
    sc_ball_clear(&s);
    sc_ball_clear(&x);
}

TEST(ball_factorials_and_bernoulli_numbers)
{
    static const struct {
        uint64_t n;
        const char *value;
    } numbers[] = {{0, "1"},     {1, "-1/2"},  {2, "1/6"},        {3, "0"},
                   {4, "-1/30"}, {10, "5/66"}, {12, "-691/2730"}, {20, "-174611/330"}};
    sc_ball x;
    sc_ratio exact, factor;
    sc_ball_init(&x);
    sc_ratio_init(&exact);
    sc_ratio_init(&factor);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        CHECK_STATUS(sc_ratio_parse(sc_text_of(numbers[i].value), &exact, NULL),
                     SCRIM_OK);
        sc_ball_bernoulli(&x, numbers[i].n, SHORT);
        CHECK(ball_contains_ratio(&x, &exact));
        CHECK(sc_ball_is_accurate(&x, SHORT - 5));
    }
    sc_ratio_set_int64(&exact, 1);
    for (int64_t n = 0; n <= 200; n++) {
        sc_ratio_set_int64(&factor, n > 0 ? n : 1);
        sc_ratio_mul(&exact, &exact, &factor);
        sc_ball_factorial(&x, (uint64_t)n, SHORT);
        CHECK(ball_contains_ratio(&x, &exact));
        CHECK(sc_ball_is_accurate(&x, SHORT - 5));
        sc_ball_log_factorial(&x, (uint64_t)n, 2L * SHORT);
        sc_ball_exp(&x, &x, 2L * SHORT);
        CHECK(ball_contains_ratio(&x, &exact));
        sc_ball_div_int64(&x, &x, -3, 2L * SHORT);
        sc_ball_mul_int64(&x, &x, -3, 2L * SHORT);
        CHECK(ball_contains_ratio(&x, &exact));
        CHECK(sc_ball_is_accurate(&x, SHORT));
    }
    sc_ratio_clear(&factor);
    sc_ratio_clear(&exact);
    sc_ball_clear(&x);
}
