#include "audit/bounds.h"
#include "balls.h"
#include "check.h"
#include "exact.h"

#include <math.h>

TEST(bounds_show_the_safe_side)
{
    sc_enclosure bounds, copy;
    sc_bounds_init(&bounds);
    sc_bounds_init(&copy);
    REQUIRE(ball_set_text(&bounds.lower, "0.1", 100) &&
            ball_set_text(&bounds.upper, "0.3", 100));
    CHECK(sc_bounds_lower(&bounds) <= 0.1 && sc_bounds_lower(&bounds) > 0.09999);
    CHECK(sc_bounds_upper(&bounds) >= 0.3 && sc_bounds_upper(&bounds) < 0.30001);
    sc_bounds_set(&copy, &bounds);
    copy.is_bounded = false;
    CHECK_NEAR(sc_bounds_lower(&copy), 0.1, 1e-15);
    CHECK(sc_bounds_upper(&copy) == HUGE_VAL);
    copy.is_infinite = true;
    CHECK(sc_bounds_lower(&copy) == HUGE_VAL);
    sc_ball_neg(&bounds.lower, &bounds.lower);
    sc_bounds_cut_below(&bounds);
    CHECK(sc_bounds_lower(&bounds) == 0);
    sc_ball_log(&bounds.lower, &bounds.lower, 100); /* not a number */
    sc_bounds_cut_below(&bounds);
    CHECK(sc_bounds_lower(&bounds) == 0);
    sc_bounds_set_zero(&bounds);
    CHECK(sc_bounds_upper(&bounds) == 0 && bounds.is_bounded);
    sc_bounds_clear(&copy);
    sc_bounds_clear(&bounds);
}

/* A limit lies below, between, or above the bounds; or the limit is missing. */
TEST(bounds_compare_only_when_certain)
{
    const struct {
        const char *limit;
        bool above, at_most;
    } cases[] = {{"0.05", true, false},
                 {"0.1", false, false},
                 {"0.2", false, false},
                 {"0.3001", false, true}};
    sc_enclosure bounds;
    sc_ball limit;
    sc_bounds_init(&bounds);
    sc_ball_init(&limit);
    REQUIRE(ball_set_text(&bounds.lower, "0.1", 100) &&
            ball_set_text(&bounds.upper, "0.3", 100));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        REQUIRE(ball_set_text(&limit, cases[i].limit, 100));
        CHECK_INT(sc_bounds_is_above(&bounds, &limit), cases[i].above);
        CHECK_INT(sc_bounds_is_at_most(&bounds, &limit), cases[i].at_most);
    }
    bounds.is_bounded = false;
    CHECK(!sc_bounds_is_at_most(&bounds, &limit));
    bounds.is_infinite = true;
    CHECK(sc_bounds_is_above(&bounds, &limit) && !sc_bounds_is_at_most(&bounds, &limit));
    sc_ball_set_int64(&limit, 0);
    sc_ball_log(&limit, &limit, 100); /* nothing is claimed */
    CHECK(!sc_bounds_is_above(&bounds, &limit) && sc_bounds_is_at_most(&bounds, &limit));
    sc_ball_clear(&limit);
    sc_bounds_clear(&bounds);
}
