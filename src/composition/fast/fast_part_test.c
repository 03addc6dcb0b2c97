#define SC_WITH_ARB
#include "composition/fast/tilt.h"
#include "exact.h"

#include <math.h>

/* One point of mass 1 - 2^-tail, and 2^-tail at infinity. */
static void loss_begin(sc_loss *loss, const char *step, unsigned tail)
{
    sc_ratio width;
    exact_ratio(step, &width);
    sc_loss_init(loss);
    REQUIRE_OK(sc_loss_reset(loss, SC_LOSS_UPPER, &width, SC_LOSS_BITS, 1, 1, NULL));
    fmpz_ui_pow_ui(&loss->infinite, 2, SC_LOSS_BITS - tail);
    fmpz_ui_pow_ui(&loss->mass[0], 2, SC_LOSS_BITS);
    fmpz_sub(&loss->mass[0], &loss->mass[0], &loss->infinite);
    sc_ratio_clear(&width);
}

/* 1 - (1 - 2^-3)^2 (1 - 2^-50)^5. */
TEST(fast_parts_add_up_what_is_infinite)
{
    CLAIM("fast-part.infinite");
    sc_loss some, few, none;
    sc_ball got;
    loss_begin(&some, "1/10", 3);
    loss_begin(&few, "1/10", 50);
    loss_begin(&none, "1/10", 50);
    fmpz_zero(&none.infinite);
    sc_ball_init(&got);
    const sc_fast_part parts[] = {{&some, 2}, {&few, 5}, {&none, 9}};
    sc_fast_parts_infinite(parts, 2, &got);
    const double want = 1 - 0.875 * 0.875 * (1 - 5 * exp2(-50));
    CHECK_NEAR(sc_ball_lower(&got), want, 1e-15);
    CHECK_NEAR(sc_ball_upper(&got), want, 1e-15);
    sc_fast_parts_infinite(&parts[1], 1, &got);
    CHECK_NEAR(sc_ball_lower(&got), 5 * exp2(-50), 1e-14);
    sc_fast_parts_infinite(&parts[2], 1, &got);
    CHECK(sc_ball_upper(&got) == 0);
    sc_ball_clear(&got);
    sc_loss_clear(&none);
    sc_loss_clear(&few);
    sc_loss_clear(&some);
}

TEST(fast_parts_without_finite_mass_are_empty)
{
    sc_loss some, none;
    loss_begin(&some, "1/10", 3);
    loss_begin(&none, "1/10", 3);
    const sc_fast_part parts[] = {{&some, 2}, {&none, 1}};
    CHECK(!sc_fast_parts_are_empty(parts, 2));
    fmpz_zero(&none.mass[0]);
    CHECK(sc_fast_parts_are_empty(parts, 2));
    CHECK(!sc_fast_parts_are_empty(parts, 1));
    sc_loss_clear(&none);
    sc_loss_clear(&some);
}

TEST(fast_parts_are_of_one_step)
{
    sc_loss a, b;
    scrim_error error;
    loss_begin(&a, "1/10", 3);
    loss_begin(&b, "1/20", 3);
    const sc_fast_part same[] = {{&a, 2}, {&a, 1}}, other[] = {{&a, 2}, {&b, 1}},
                       never[] = {{&a, 0}};
    CHECK_STATUS(sc_fast_parts_check(same, 2, &error), SCRIM_OK);
    CHECK_STATUS(sc_fast_parts_check(same, 0, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_fast_parts_check(other, 2, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_fast_parts_check(never, 1, &error), SCRIM_E_PARAM);
    a.bits = 1601;
    CHECK_STATUS(sc_fast_parts_check(same, 2, &error), SCRIM_E_LIMIT);
    a.bits = SC_LOSS_BITS;
    sc_loss_clear(&b);
    sc_loss_clear(&a);
}
