#include "bags.h"

static void set_ends(sc_enclosure *e, int64_t lower, int64_t upper)
{
    e->has_lower = e->has_upper = true;
    sc_ball_set_int64(&e->lower, lower);
    sc_ball_set_int64(&e->upper, upper);
}

/* The smaller upper bound and the larger lower one, each with its own name. */
TEST(accountants_best_is_taken_at_both_ends)
{
    CLAIM("accountant.sound");
    static const sc_accountant a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
    sc_best best;
    sc_enclosure e;
    sc_ball wide;
    sc_best_init(&best);
    sc_enclosure_init(&e);
    sc_ball_init(&wide);
    sc_best_take(&best, &a, &e);
    CHECK(best.upper_by == NULL && best.lower_by == NULL);
    set_ends(&e, 1, 8);
    sc_best_take(&best, &a, &e);
    CHECK(best.upper_by == &a && best.lower_by == &a);
    set_ends(&e, 0, 7);
    sc_best_take(&best, &b, &e);
    CHECK(best.upper_by == &b && best.lower_by == &a);
    set_ends(&e, 2, 9);
    sc_best_take(&best, &c, &e);
    CHECK(best.upper_by == &b && best.lower_by == &c);
    /* A ball counts by its outer end. */
    set_ends(&e, 5, 4);
    sc_ball_set_int64(&wide, 4);
    sc_ball_widen(&e.lower, &wide);
    sc_ball_widen(&e.upper, &wide);
    sc_best_take(&best, &a, &e);
    CHECK(best.upper_by == &b && best.lower_by == &c);
    sc_ball_set_infinite(&e.upper);
    sc_ball_set_infinite(&e.lower);
    sc_best_take(&best, &a, &e);
    CHECK(best.upper_by == &b && best.lower_by == &c);
    sc_ball_clear(&wide);
    sc_enclosure_clear(&e);
    sc_best_clear(&best);
}
