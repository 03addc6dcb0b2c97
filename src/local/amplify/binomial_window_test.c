#include "check.h"
#include "local/amplify/blanket_sums.h"

#include <math.h>

static void set_quotient(sc_ball *out, int64_t above, int64_t below)
{
    sc_ball_set_int64(out, above);
    sc_ball_div_int64(out, out, below, 256);
}

TEST(binomial_window_is_exact)
{
    SC_OWN(sc_ball, w, want);
    SC_OWN(sc_binomial_window, window);
    scrim_error error;
    set_quotient(&w, 1, 3);
    REQUIRE_OK(sc_binomial_window_set(&window, 4, &w, 50, &error));
    CHECK_INT(window.first, 0);
    REQUIRE(window.count == 5);
    static const int64_t choose[] = {16, 32, 24, 8, 1}; /* of 81 */
    for (size_t i = 0; i < 5; i++) {
        set_quotient(&want, choose[i], 81);
        CHECK(sc_ball_contains(&window.mass[i], &want) ||
              fabs(sc_ball_lower(&window.mass[i]) / sc_ball_lower(&want) - 1) < 1e-15);
    }
    CHECK(sc_ball_upper(&window.above) == 0 && sc_ball_upper(&window.below) == 0);
}

TEST(binomial_window_leaves_out_what_it_says)
{
    SC_OWN(sc_ball, w, sum, one);
    SC_OWN(sc_binomial_window, window);
    scrim_error error;
    static const struct {
        uint64_t trials;
        int64_t above, below;
    } cases[] = {{100, 1, 50}, {100000, 1, 3}, {1000000000, 1, 1000}, {7, 9, 10}};
    sc_ball_set_int64(&one, 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        set_quotient(&w, cases[i].above, cases[i].below);
        REQUIRE_OK(sc_binomial_window_set(&window, cases[i].trials, &w, 30, &error));
        sc_ball_set_int64(&sum, 0);
        for (size_t k = 0; k < window.count; k++)
            sc_ball_add(&sum, &sum, &window.mass[k], SC_AMPLIFY_BITS);
        CHECK(!sc_ball_is_less(&one, &sum)); /* not more than all */
        sc_ball_add(&sum, &sum, &window.below, SC_AMPLIFY_BITS);
        sc_ball_add(&sum, &sum, &window.above, SC_AMPLIFY_BITS);
        CHECK(!sc_ball_is_less(&sum, &one)); /* with the rest, at least all */
        CHECK(sc_ball_upper(&window.above) <= exp(-30) &&
              sc_ball_upper(&window.below) <= exp(-30));
    }
}

TEST(binomial_window_of_no_chance_is_one_point)
{
    SC_OWN(sc_ball, w);
    SC_OWN(sc_binomial_window, window);
    scrim_error error;
    REQUIRE_OK(sc_binomial_window_set(&window, 1000, &w, 30, &error));
    CHECK_INT(window.count, 1);
    CHECK_INT(window.first, 0);
    CHECK(sc_ball_lower(&window.mass[0]) == 1);
}
