#include "balls.h"
#include "check.h"
#include "composition/loss/normal_tails.h"

#include <stdio.h>

/* P(N > x) or, mirrored, P(N < x), from the error function at many bits. */
static void truth(const sc_ball *x, bool is_above, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, 1200);
    sc_ball_div(out, x, &root, 1200);
    if (!is_above)
        sc_ball_neg(out, out);
    sc_ball_erfc(out, out, 1200);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&root);
}

static void check_one(const sc_ball *got, const sc_ball *x, bool is_above, long bits,
                      size_t i)
{
    sc_ball wanted;
    sc_ball_init(&wanted);
    truth(x, is_above, &wanted);
    if (!sc_ball_contains(got, &wanted) || !sc_ball_is_accurate(got, bits))
        CHECK_FAIL("point %zu, %s, %ld bits: [%.17g, %.17g]", i,
                   is_above ? "above" : "below", bits, sc_ball_lower(got),
                   sc_ball_upper(got));
    sc_ball_clear(&wanted);
}

static void check_tails(const char *first, const char *step, size_t count, long bits)
{
    sc_ball *above = sc_balls_new(count), *below = sc_balls_new(count);
    sc_ball from, by, x;
    sc_ball_scope scope;
    REQUIRE(above != NULL && below != NULL);
    sc_ball_enter(&scope);
    sc_ball_init(&from);
    sc_ball_init(&by);
    sc_ball_init(&x);
    CHECK(ball_set_text(&from, first, 1200) && ball_set_text(&by, step, 1200));
    CHECK(sc_normal_tails(&from, &by, count, bits, above, below));
    for (size_t i = 0; i < count; i++) {
        sc_ball_mul_int64(&x, &by, (int64_t)i, 1200);
        sc_ball_add(&x, &x, &from, 1200);
        check_one(&above[i], &x, true, bits - 16, i);
        check_one(&below[i], &x, false, bits - 16, i);
    }
    sc_ball_clear(&x);
    sc_ball_clear(&by);
    sc_ball_clear(&from);
    sc_ball_leave(&scope);
    sc_balls_free(below, count);
    sc_balls_free(above, count);
}

TEST(normal_tails_are_those_of_the_error_function)
{
    CLAIM("normal-tails.hold");
    check_tails("-1", "0.125", 17, 128); /* through 0, on a centre and beside one */
    check_tails("-9.3", "0.07", 266, 128);
    check_tails("-2.01", "0.013", 310, 220);
    check_tails("0", "0.001", 130, 90);
    check_tails("-3", "0.4", 16, 128); /* too far apart for a series */
    check_tails("21.5", "0.11", 40, 700);
    check_tails("-30", "0.2", 12, 128);
    check_tails("1", "1e-30", 3, 128);
    check_tails("0.5", "0.1", 1, 128);
}
