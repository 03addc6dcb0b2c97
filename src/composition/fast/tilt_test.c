#define SC_WITH_ARB
#include "base/number/ball_double.h"
#include "check.h"
#include "composition/fast/tilt.h"

#include <math.h>

#define BITS 300

/* Masses from 2^-192 to almost 1, with holes. */
static void open_loss(sc_loss *loss, sc_loss_side side, size_t count)
{
    scrim_error error;
    *loss = (sc_loss){.side = side, .bits = 192, .low = -7, .count = count};
    loss->mass = _fmpz_vec_init((slong)count);
    fmpz_init(&loss->infinite);
    sc_ratio_init(&loss->step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("0.03"), &loss->step, &error), SCRIM_OK);
    for (size_t j = 0; j < count; j += 1 + j % 3) {
        fmpz_ui_pow_ui(&loss->mass[j], 3, (7 * j) % 120);
        fmpz_add_ui(&loss->mass[j], &loss->mass[j], 1);
    }
}

static void close_loss(sc_loss *loss)
{
    sc_ratio_clear(&loss->step);
    fmpz_clear(&loss->infinite);
    _fmpz_vec_clear(loss->mass, (slong)loss->count);
}

/* mass exp(theta z). */
static void term_of(const sc_loss *loss, size_t j, double theta, sc_ball *out)
{
    sc_ball mass;
    sc_ball_init(&mass);
    sc_ball_sum(&loss->mass[j], 1, loss->bits, &mass);
    sc_ball_set_ratio(out, &loss->step, BITS);
    sc_ball_mul_int64(out, out, loss->low + (int64_t)j, BITS);
    arb_t exact;
    arb_init(exact);
    arb_set_d(exact, theta);
    arb_mul(out->x, out->x, exact, BITS);
    arb_clear(exact);
    sc_ball_exp(out, out, BITS);
    sc_ball_mul(out, out, &mass, BITS);
    sc_ball_clear(&mass);
}

static void check_tilt(sc_loss_side side, double theta)
{
    sc_loss loss;
    sc_tilt tilt = {.x = NULL};
    sc_ball term, scale, got, sum;
    sc_ball *const balls[] = {&term, &scale, &got, &sum};
    scrim_error error;
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_init(balls[i]);
    open_loss(&loss, side, 3000);
    REQUIRE_OK(sc_tilt_set(&tilt, &loss, theta, fmax(0, 89 * theta), &error));
    CHECK_NEAR(tilt.sum, 1, 1e-9);
    sc_ball_set_double(&scale, -tilt.log_scale);
    sc_ball_exp(&scale, &scale, BITS);
    for (size_t j = 0; j < loss.count; j++) {
        term_of(&loss, j, theta, &term);
        sc_ball_mul(&term, &term, &scale, BITS);
        sc_ball_set_double(&got, tilt.x[j]);
        sc_ball_add(&sum, &sum, &got, BITS);
        if (!(sc_ball_upper(&term) > 0x1p-899))
            continue;
        sc_ball_sub(&got, &got, &term, BITS);
        sc_ball_div(&got, &got, &term, BITS);
        if (side == SC_LOSS_LOWER)
            sc_ball_neg(&got, &got);
        wrong += sc_ball_lower(&got) < 0 || sc_ball_upper(&got) > 22 * 0x1p-53;
    }
    CHECK_INT(wrong, 0);
    CHECK(sc_ball_upper(&sum) <= tilt.sum);
    /* Another tilt of the same masses. */
    sc_ball_set_int64(&sum, 0);
    for (size_t j = 0; j < loss.count; j++) {
        term_of(&loss, j, theta + 1, &term);
        sc_ball_add(&sum, &sum, &term, BITS);
    }
    sc_ball_log(&sum, &sum, BITS);
    REQUIRE_OK(
        sc_tilt_log_moment(&loss, &tilt, theta + 1, sc_ball_lower(&sum), &got, &error));
    sc_ball_sub(&got, &got, &sum, BITS);
    CHECK(sc_ball_lower(&got) >= 22 * 0x1p-53 && sc_ball_upper(&got) < 1e-9);
    sc_tilt_clear(&tilt);
    close_loss(&loss);
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_clear(balls[i]);
}

TEST(tilt_lies_on_its_side)
{
    CLAIM("tilt.side");
    static const double tilts[] = {0, 0.5, 3.75, 40};
    for (size_t i = 0; i < COUNT(tilts); i++) {
        check_tilt(SC_LOSS_UPPER, tilts[i]);
        check_tilt(SC_LOSS_LOWER, tilts[i]);
    }
}

/* Mass that runs over the end is taken off at the beginning. */
TEST(tilt_folds)
{
    sc_loss loss;
    sc_tilt tilt = {.x = NULL};
    scrim_error error;
    double x[8];
    open_loss(&loss, SC_LOSS_UPPER, 19);
    REQUIRE_OK(sc_tilt_set(&tilt, &loss, 0.25, 0, &error));
    sc_tilt_put(&loss, &tilt, 8, x);
    for (size_t j = 0; j < 8; j++)
        CHECK_NEAR(x[j], tilt.x[j] - tilt.x[8 + j] + (j < 3 ? tilt.x[16 + j] : 0), 1e-15);
    sc_tilt_clear(&tilt);
    close_loss(&loss);
}
