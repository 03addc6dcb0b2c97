#include "balls.h"
#include "base/hash.h"
#include "base/number/ball.h"
#include "check.h"

#include <flint/flint.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define SHORT 53
#define LONG 2000

static uint64_t draw(uint64_t *counter)
{
    static const sc_hash_key stream = {5, 6};
    const uint64_t at[2] = {check_seed(), (*counter)++};
    return sc_hash(&stream, at, sizeof at);
}

/* n/d with n in (-2^30, 2^30) and d in [1, 2^20], of all sizes. */
static void draw_ratio(sc_ratio *out, uint64_t *counter)
{
    sc_ratio d;
    sc_ratio_init(&d);
    const int64_t n = (int64_t)((draw(counter) >> 34) >> draw(counter) % 28);
    sc_ratio_set_int64(out, draw(counter) % 2 == 0 ? n : -n);
    sc_ratio_set_int64(&d, (int64_t)(draw(counter) % (1 << 20)) + 1);
    sc_ratio_div(out, out, &d);
    sc_ratio_clear(&d);
}

/* Exact operations against exact rationals. */

typedef void ball_operation(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);
typedef void ratio_operation(sc_ratio *out, const sc_ratio *a, const sc_ratio *b);

TEST(ball_arithmetic_holds_the_exact_result)
{
    static const struct {
        ball_operation *ball;
        ratio_operation *ratio;
    } operations[] = {{sc_ball_add, sc_ratio_add},
                      {sc_ball_sub, sc_ratio_sub},
                      {sc_ball_mul, sc_ratio_mul},
                      {sc_ball_div, sc_ratio_div}};
    uint64_t counter = 0;
    sc_ratio p, q, exact;
    sc_ball a, b, out;
    sc_ratio_init(&p);
    sc_ratio_init(&q);
    sc_ratio_init(&exact);
    sc_ball_init(&a);
    sc_ball_init(&b);
    sc_ball_init(&out);
    for (uint64_t i = 0; i < check_count(2000, 200000); i++) {
        draw_ratio(&p, &counter);
        draw_ratio(&q, &counter);
        const long bits = 10 + (long)(i % 60);
        sc_ball_set_ratio(&a, &p, bits);
        sc_ball_set_ratio(&b, &q, bits);
        CHECK(ball_contains_ratio(&a, &p));
        for (size_t k = 0; k < COUNT(operations); k++) {
            if (k == 3 && sc_ratio_sign(&q) == 0)
                continue;
            operations[k].ratio(&exact, &p, &q);
            operations[k].ball(&out, &a, &b, bits);
            CHECK(ball_contains_ratio(&out, &exact));
            if (k >= 2) /* products and quotients lose no digits */
                CHECK(sc_ball_is_accurate(&out, bits - 5));
        }
    }
    sc_ball_clear(&out);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
    sc_ratio_clear(&exact);
    sc_ratio_clear(&q);
    sc_ratio_clear(&p);
}

TEST(ball_small_operations_are_what_they_say)
{
    sc_ball x, y;
    sc_ratio want;
    sc_ball_init(&x);
    sc_ball_init(&y);
    sc_ratio_init(&want);
    const struct {
        const char *want;
        int step;
    } steps[] = {{"7", 0},   {"4", 1},   {"-20", 2},   {"-5/2", 3},
                 {"5/2", 4}, {"5/2", 5}, {"625/16", 6}};
    sc_ball_set_int64(&x, 7);
    for (size_t i = 0; i < COUNT(steps); i++) {
        switch (steps[i].step) {
        case 1:
            sc_ball_add_int64(&x, &x, -3, LONG);
            break;
        case 2:
            sc_ball_mul_int64(&x, &x, -5, LONG);
            break;
        case 3:
            sc_ball_mul_power2(&x, &x, -3);
            break;
        case 4:
            sc_ball_neg(&x, &x);
            break;
        case 5:
            sc_ball_neg(&y, &x);
            sc_ball_abs(&x, &y);
            break;
        case 6:
            sc_ball_power(&y, &x, 4, LONG);
            sc_ball_set(&x, &y);
            break;
        default:
            break;
        }
        CHECK_STATUS(sc_ratio_parse(sc_text_of(steps[i].want), &want, NULL), SCRIM_OK);
        CHECK(ball_contains_ratio(&x, &want));
        CHECK(sc_ball_is_accurate(&x, 1000)); /* all of them exact */
    }
    sc_ratio_clear(&want);
    sc_ball_clear(&y);
    sc_ball_clear(&x);
}

TEST(ball_takes_wide_integers_exactly)
{
    const sc_int128 values[] = {
        0, -1, INT64_MAX, INT64_MIN, SC_INT128_MAX, SC_INT128_MIN};
    sc_ball x;
    sc_integer n, back;
    sc_ball_init(&x);
    sc_integer_init(&n);
    sc_integer_init(&back);
    for (size_t i = 0; i < COUNT(values); i++) {
        sc_int128 got = 0;
        sc_ball_set_int128(&x, values[i]);
        CHECK(sc_ball_floor(&x, &back) && sc_integer_get_int128(&back, &got));
        CHECK_INT(got, values[i]);
        sc_integer_set_int128(&n, values[i]);
        sc_integer_mul(&n, &n, &n);
        sc_ball_set_integer(&x, &n);
        CHECK(sc_ball_floor(&x, &back));
        CHECK_INT(sc_integer_compare(&back, &n), 0);
        CHECK(sc_ball_is_accurate(&x, 1000000));
    }
    sc_integer_clear(&back);
    sc_integer_clear(&n);
    sc_ball_clear(&x);
}

TEST(ball_reads_decimals_only)
{
    static const char *const good[] = {"0.4621", "1e-9", "-12.5e+3", "+.5",
                                       "0",      "7",    "1e-5000"};
    static const char *const bad[] = {
        "",      "nan", "inf", "-inf", "1/3", "[1 +/- 2]", "1 +/- 2",
        " 1",    "1 ",  "1e",  ".",    "5.",  "0x1",       "1,5",
        "+/- 1", "2^3", "1E5", "--1",  "e",   "1e2.5",     "1_000"};
    sc_ball x;
    sc_ratio exact;
    sc_ball_init(&x);
    sc_ratio_init(&exact);
    for (size_t i = 0; i < COUNT(good); i++) {
        if (!CHECK(ball_set_text(&x, good[i], SHORT)))
            CHECK_FAIL("'%s' was not read", good[i]);
        CHECK(sc_ball_is_finite(&x));
        if (sc_ratio_parse(sc_text_of(good[i]), &exact, NULL) == SCRIM_OK)
            CHECK(ball_contains_ratio(&x, &exact));
    }
    sc_ball_set_int64(&x, 42);
    sc_ratio_set_int64(&exact, 42);
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (ball_set_text(&x, bad[i], SHORT))
            CHECK_FAIL("'%s' was read", bad[i]);
        CHECK(sc_ball_is_accurate(&x, 1000) && ball_contains_ratio(&x, &exact));
    }
    CHECK(!ball_set_text(&x, NULL, SHORT));
    sc_ratio_clear(&exact);
    sc_ball_clear(&x);
}

/* Sets and comparisons. */

/* The ball [low, high] / 8. */
static void set_eighths(sc_ball *out, int low, int high)
{
    sc_ball end;
    sc_ball_init(&end);
    sc_ball_set_int64(out, low);
    sc_ball_set_int64(&end, high);
    sc_ball_set_union(out, out, &end, LONG);
    sc_ball_mul_power2(out, out, -3);
    sc_ball_clear(&end);
}

/* A ball's radius has 30 bits, and [0, 1/8] need not come out to the last one; so the
 * intervals of these tests have lengths that it can hold, and touching ends are left out.
 */
TEST(ball_comparisons_are_certain)
{
    sc_ball a, b;
    sc_ball_init(&a);
    sc_ball_init(&b);
    for (int low = -4; low <= 4; low++)
        for (int high = low; high <= 4; high++)
            for (int from = -4; from <= 4; from++)
                for (int to = from; to <= 4; to++) {
                    if (high == from || low == to || low == from || high == to)
                        continue;
                    set_eighths(&a, low, high);
                    set_eighths(&b, from, to);
                    CHECK(sc_ball_is_less(&a, &b) == (high < from));
                    CHECK(sc_ball_is_less_equal(&a, &b) == (high < from));
                    CHECK(ball_overlaps(&a, &b) == (low < to && from < high));
                    CHECK(sc_ball_contains(&a, &b) == (low < from && to < high));
                    CHECK(low == 0 || sc_ball_is_positive(&a) == (low > 0));
                }
    sc_ball_set_int64(&a, 3);
    CHECK(sc_ball_is_less_equal(&a, &a) && !sc_ball_is_less(&a, &a));
    sc_ball_set_int64(&b, 0);
    CHECK(!sc_ball_is_positive(&b));
    sc_ball_div(&b, &a, &b, SHORT);
    CHECK(!sc_ball_is_finite(&b) && sc_ball_is_finite(&a));
    CHECK(!sc_ball_is_less(&a, &b) && !sc_ball_is_less(&b, &a) &&
          !sc_ball_is_positive(&b));
    CHECK(!sc_ball_is_accurate(&b, 1));
    sc_ball_clear(&b);
    sc_ball_clear(&a);
}

TEST(ball_accuracy_is_relative)
{
    sc_ball x, radius;
    sc_ball_init(&x);
    sc_ball_init(&radius);
    for (long scale = -5000; scale <= 5000; scale += 1000) {
        sc_ball_set_int64(&radius, 1);
        sc_ball_mul_power2(&radius, &radius, -60);
        sc_ball_set_int64(&x, -1);
        sc_ball_widen(&x, &radius);
        sc_ball_mul_power2(&x, &x, scale);
        CHECK(sc_ball_is_accurate(&x, 59));
        CHECK(!sc_ball_is_accurate(&x, 61));
    }
    sc_ball_set_int64(&x, 0);
    CHECK(sc_ball_is_accurate(&x, 1000)); /* exact */
    sc_ball_widen(&x, &radius);
    CHECK(!sc_ball_is_accurate(&x, 1));
    sc_ball_clear(&radius);
    sc_ball_clear(&x);
}

TEST(ball_widens_by_the_absolute_value)
{
    sc_ball x, radius, end;
    sc_ball_init(&x);
    sc_ball_init(&radius);
    sc_ball_init(&end);
    sc_ball_set_int64(&x, 10);
    set_eighths(&radius, -24, 8); /* [-3, 1]: 3 counts */
    sc_ball_widen(&x, &radius);
    for (int64_t n = 7; n <= 13; n++) {
        sc_ball_set_int64(&end, n);
        CHECK(sc_ball_contains(&x, &end));
    }
    CHECK(sc_ball_lower(&x) > 6.99 && sc_ball_upper(&x) < 13.01);
    sc_ball_clear(&end);
    sc_ball_clear(&radius);
    sc_ball_clear(&x);
}

TEST(ball_cut_to_a_probability)
{
    sc_ball x, whole, zero, one, point;
    sc_ball_init(&x);
    sc_ball_init(&whole);
    sc_ball_init(&point);
    sc_ball_init(&zero);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    for (int low = -12; low <= 20; low++)
        for (int high = low; high <= 20; high++)
            for (int scale = 0; scale < 3; scale++) {
                /* at 0: an end far finer than a double; at 1: the same beside 1 */
                set_eighths(&x, low, high);
                if (scale > 0)
                    sc_ball_mul_power2(&x, &x, -20000);
                if (scale > 1)
                    sc_ball_add(&x, &x, &one, 20100);
                sc_ball_set(&whole, &x);
                sc_ball_cut_unit(&x);
                CHECK(sc_ball_is_less_equal(&zero, &x) &&
                      sc_ball_is_less_equal(&x, &one));
                /* Nothing of [0, 1] is lost: what the ball held of it, the cut still
                 * holds. */
                for (int n = 0; n <= 8; n++) {
                    set_eighths(&point, n, n);
                    if (sc_ball_contains(&whole, &point))
                        CHECK(sc_ball_contains(&x, &point));
                }
            }
    set_eighths(&x, 3, 5);
    sc_ball_cut_unit(&x);
    CHECK(sc_ball_lower(&x) > 0.374 && sc_ball_upper(&x) < 0.626); /* left alone */
    set_eighths(&x, -80, 4);
    sc_ball_cut_unit(&x);
    CHECK(sc_ball_lower(&x) == 0 && sc_ball_upper(&x) >= 0.5 &&
          sc_ball_upper(&x) < 0.501);
    set_eighths(&x, 4, 80);
    sc_ball_cut_unit(&x);
    CHECK(sc_ball_upper(&x) == 1 && sc_ball_lower(&x) <= 0.5 &&
          sc_ball_lower(&x) > 0.499);
    sc_ball_div(&x, &one, &zero, SHORT); /* not finite: nothing is known */
    sc_ball_cut_unit(&x);
    CHECK(sc_ball_lower(&x) == 0 && sc_ball_upper(&x) == 1);
    set_eighths(&x, 16, 24); /* [2, 3] is no probability */
    sc_ball_cut_unit(&x);
    CHECK(sc_ball_lower(&x) == 0 && sc_ball_upper(&x) == 1);
    sc_ball_clear(&one);
    sc_ball_clear(&zero);
    sc_ball_clear(&point);
    sc_ball_clear(&whole);
    sc_ball_clear(&x);
}

/* Leaving the world of balls. */

TEST(ball_floor_is_certain_or_silent)
{
    sc_ball x, tiny;
    sc_integer out;
    sc_ball_init(&x);
    sc_ball_init(&tiny);
    sc_integer_init(&out);
    sc_ball_set_int64(&tiny, 1);
    sc_ball_mul_power2(&tiny, &tiny, -500);
    for (int n = -40; n <= 40; n++) {
        sc_int128 got = 99;
        const int want = n >= 0 ? n / 8 : -((7 - n) / 8);
        set_eighths(&x, n, n);
        CHECK(sc_ball_floor(&x, &out) && sc_integer_get_int128(&out, &got));
        CHECK_INT(got, want);
        /* With a radius: certain unless it reaches over an integer. */
        sc_ball_widen(&x, &tiny);
        CHECK(sc_ball_floor(&x, &out) == (n % 8 != 0));
        if (n % 8 == 0) { /* just below an integer, and away from it */
            sc_ball_mul_power2(&x, &tiny, 1);
            sc_ball_neg(&x, &x);
            sc_ball_add_int64(&x, &x, n / 8, LONG);
            sc_ball_widen(&x, &tiny);
            CHECK(sc_ball_floor(&x, &out) && sc_integer_get_int128(&out, &got));
            CHECK_INT(got, n / 8 - 1);
        }
    }
    sc_integer_set_int128(&out, 77);
    set_eighths(&x, 7, 9);
    CHECK(!sc_ball_floor(&x, &out));
    sc_ball_set_int64(&x, 1);
    sc_ball_mul_power2(&x, &x, 1L << 40); /* exact, but nobody wants its digits */
    CHECK(!sc_ball_floor(&x, &out));
    sc_ball_set_int64(&tiny, 0);
    sc_ball_div(&x, &x, &tiny, SHORT);
    CHECK(!sc_ball_floor(&x, &out));
    sc_int128 kept = 0;
    CHECK(sc_integer_get_int128(&out, &kept));
    CHECK_INT(kept, 77);
    sc_integer_clear(&out);
    sc_ball_clear(&tiny);
    sc_ball_clear(&x);
}

/* Points n/8 to two binary places; with a radius of half a step nothing of it is left outside. */
TEST(ball_rounds_to_rationals_outwards)
{
    sc_ball x, tiny;
    sc_ratio up, down, want, step;
    sc_ball_init(&x);
    sc_ball_init(&tiny);
    sc_ratio_init(&up);
    sc_ratio_init(&down);
    sc_ratio_init(&want);
    sc_ratio_init(&step);
    sc_ratio_set_int64(&step, 4);
    sc_ball_set_int64(&tiny, 1);
    sc_ball_mul_power2(&tiny, &tiny, -4);
    for (int n = -40; n <= 40; n++) {
        const int below = n >= 0 ? n / 2 : -((1 - n) / 2),
                  above = n >= 0 ? (n + 1) / 2 : -(-n / 2);
        for (int wide = 0; wide < 2; wide++) {
            set_eighths(&x, n, n);
            if (wide)
                sc_ball_widen(&x, &tiny);
            CHECK(sc_ball_round_down(&x, 2, &down) && sc_ball_round_up(&x, 2, &up));
            sc_ratio_set_int64(&want, wide && n % 2 == 0 ? below - 1 : below);
            sc_ratio_div(&want, &want, &step);
            CHECK(sc_ratio_compare(&down, &want) == 0);
            sc_ratio_set_int64(&want, wide && n % 2 == 0 ? above + 1 : above);
            sc_ratio_div(&want, &want, &step);
            CHECK(sc_ratio_compare(&up, &want) == 0);
        }
    }
    /* However small, and however fine: the next multiple of the step. */
    sc_ball_set_int64(&tiny, 1);
    sc_ball_mul_power2(&tiny, &tiny, -(1L << 40));
    CHECK(sc_ball_round_up(&tiny, 0, &up) && sc_ball_round_down(&tiny, 0, &down));
    CHECK(sc_ratio_compare_int64(&up, 1) == 0 && sc_ratio_sign(&down) == 0);
    sc_ball_set_int64(&x, 1);
    CHECK(sc_ball_round_up(&x, SC_RATIO_BITS, &up));
    CHECK(sc_ratio_compare_int64(&up, 1) == 0);
    /* Nothing to round to. */
    CHECK(!sc_ball_round_up(&x, SC_RATIO_BITS + 1, &down));
    sc_ball_mul_power2(&x, &x, SC_RATIO_BITS);
    CHECK(!sc_ball_round_up(&x, 0, &down) && !sc_ball_round_down(&x, 0, &down));
    sc_ball_set_int64(&x, 0);
    sc_ball_mul_power2(&tiny, &tiny, (1L << 40) + SC_RATIO_BITS);
    sc_ball_widen(&x, &tiny);
    CHECK(!sc_ball_round_up(&x, 0, &down));
    sc_ball_set_int64(&tiny, 0);
    sc_ball_div(&x, &x, &tiny, SHORT);
    CHECK(!sc_ball_round_up(&x, 0, &down));
    CHECK(sc_ratio_sign(&down) == 0);
    sc_ratio_clear(&step);
    sc_ratio_clear(&want);
    sc_ratio_clear(&down);
    sc_ratio_clear(&up);
    sc_ball_clear(&tiny);
    sc_ball_clear(&x);
}

/* lower <= exact <= upper in exact arithmetic, and no double lies between. */
static void check_ends(const sc_ball *x, const sc_ratio *exact)
{
    const double lower = sc_ball_lower(x), upper = sc_ball_upper(x);
    mpq_t end;
    mpq_init(end);
    if (isfinite(lower)) {
        mpq_set_d(end, lower);
        CHECK(mpq_cmp(end, exact->q) <= 0);
    }
    if (isfinite(upper)) {
        mpq_set_d(end, upper);
        CHECK(mpq_cmp(end, exact->q) >= 0);
    }
    CHECK(lower == upper || nextafter(lower, (double)INFINITY) == upper);
    mpq_clear(end);
}

TEST(ball_ends_are_the_nearest_doubles_outwards)
{
    uint64_t counter = 0;
    sc_ratio exact;
    sc_ball x;
    sc_ratio_init(&exact);
    sc_ball_init(&x);
    /* From below the smallest subnormal to above the largest double. */
    for (uint64_t i = 0; i < check_count(20000, 1000000); i++) {
        const long exponent = (long)(draw(&counter) % 2300) - 1150;
        draw_ratio(&exact, &counter);
        if (exponent >= 0)
            mpq_mul_2exp(exact.q, exact.q, (mp_bitcnt_t)exponent);
        else
            mpq_div_2exp(exact.q, exact.q, (mp_bitcnt_t)-exponent);
        sc_ball_set_ratio(&x, &exact, LONG);
        check_ends(&x, &exact);
    }
    sc_ball_clear(&x);
    sc_ratio_clear(&exact);
}

TEST(ball_upper_end_is_a_ball)
{
    sc_ball x, end, radius;
    sc_ball_init(&x);
    sc_ball_init(&end);
    sc_ball_init(&radius);
    sc_ball_set_int64(&x, 3);
    sc_ball_set_int64(&radius, 1);
    sc_ball_mul_power2(&radius, &radius, -200);
    sc_ball_widen(&x, &radius);
    sc_ball_set_upper(&end, &x, 300); /* 3 + 2^-200, exactly */
    sc_ball_add_int64(&end, &end, -3, 300);
    CHECK(sc_ball_is_less_equal(&radius, &end) && sc_ball_is_accurate(&end, 1000));
    sc_ball_mul_power2(&radius, &radius, 1);
    CHECK(sc_ball_is_less(&end, &radius));
    sc_ball_set_upper(&end, &x, 64); /* rounded up */
    CHECK(!sc_ball_is_less(&end, &x) && sc_ball_is_accurate(&end, 1000));
    sc_ball_set_int64(&x, 0);
    sc_ball_log(&x, &x, 64);
    sc_ball_set_upper(&end, &x, 64);
    CHECK(!sc_ball_is_finite(&end));
    sc_ball_clear(&radius);
    sc_ball_clear(&end);
    sc_ball_clear(&x);
}

TEST(ball_ends_beyond_the_doubles)
{
    sc_ball x;
    sc_ball_init(&x);
    for (int sign = -1; sign <= 1; sign += 2) {
        const long exponents[] = {1024, 5000, 1L << 40};
        for (size_t i = 0; i < COUNT(exponents); i++) {
            sc_ball_set_int64(&x, sign);
            sc_ball_mul_power2(&x, &x, exponents[i]);
            CHECK(sc_ball_lower(&x) == (sign > 0 ? DBL_MAX : -(double)INFINITY));
            CHECK(sc_ball_upper(&x) == (sign > 0 ? (double)INFINITY : -DBL_MAX));
            sc_ball_set_int64(&x, sign);
            sc_ball_mul_power2(&x, &x, -1100 - exponents[i]);
            CHECK(sc_ball_lower(&x) == (sign > 0 ? 0 : -0x1p-1074));
            CHECK(sc_ball_upper(&x) == (sign > 0 ? 0x1p-1074 : 0));
        }
    }
    sc_ball zero;
    sc_ball_init(&zero);
    sc_ball_div(&x, &x, &zero, SHORT);
    CHECK(sc_ball_lower(&x) == -(double)INFINITY &&
          sc_ball_upper(&x) == (double)INFINITY);
    sc_ball_clear(&zero);
    sc_ball_clear(&x);
    flint_cleanup();
}
