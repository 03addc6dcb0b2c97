#include "losses.h"

#include <math.h>
#include <string.h>

void losses_pair(const char *kind, const char *shape, uint64_t shift, sc_loss_pair *out)
{
    sc_ratio number;
    exact_ratio(shape, &number);
    sc_loss_pair_init(out);
    if (strcmp(kind, "pure") == 0)
        sc_loss_pair_set_pure(out, &number);
    else if (strcmp(kind, "laplace") == 0)
        sc_loss_pair_set_laplace(out, &number, shift);
    else if (strcmp(kind, "gaussian") == 0)
        sc_loss_pair_set_gaussian(out, &number, shift);
    else if (strcmp(kind, "continuous-laplace") == 0)
        sc_loss_pair_set_continuous_laplace(out, &number);
    else if (CHECK(strcmp(kind, "continuous-gaussian") == 0))
        sc_loss_pair_set_continuous_gaussian(out, &number);
    sc_ratio_clear(&number);
}

void losses_sampled(const char *kind, const char *shape, uint64_t shift, const char *rate,
                    sc_direction direction, sc_loss_pair *out)
{
    sc_ratio number;
    exact_ratio(rate, &number);
    losses_pair(kind, shape, shift, out);
    sc_loss_pair_sample(out, &number, direction);
    sc_ratio_clear(&number);
}

void losses_of(const sc_loss_pair *pair, sc_loss_side side, const char *step,
               uint64_t count, sc_loss *out)
{
    scrim_error error;
    sc_ratio width;
    exact_ratio(step, &width);
    sc_loss_init(out);
    CHECK_STATUS(sc_loss_from_pair(pair, side,
                                   &(sc_loss_grid){&width, SC_LOSS_BITS, LOSSES_TAIL},
                                   NULL, out, &error),
                 SCRIM_OK);
    if (count > 1)
        CHECK_STATUS(sc_loss_power(out, count, LOSSES_TAIL, out, &error), SCRIM_OK);
    sc_ratio_clear(&width);
}

double losses_delta(const sc_loss *loss, const char *epsilon)
{
    sc_ratio number;
    sc_ball e, delta;
    exact_ratio(epsilon, &number);
    sc_ball_init(&e);
    sc_ball_init(&delta);
    sc_ball_set_ratio(&e, &number, EXACT_BITS);
    sc_loss_delta(loss, &e, 128, &delta);
    const double bound =
        loss->side == SC_LOSS_UPPER ? sc_ball_upper(&delta) : sc_ball_lower(&delta);
    sc_ball_clear(&delta);
    sc_ball_clear(&e);
    sc_ratio_clear(&number);
    return bound;
}

double losses_epsilon(const sc_loss *loss, const char *delta)
{
    sc_ratio number;
    sc_ball epsilon;
    double bound = HUGE_VAL;
    exact_ratio(delta, &number);
    sc_ball_init(&epsilon);
    if (sc_loss_epsilon(loss, &number, 128, &epsilon))
        bound = loss->side == SC_LOSS_UPPER ? sc_ball_upper(&epsilon)
                                            : sc_ball_lower(&epsilon);
    sc_ball_clear(&epsilon);
    sc_ratio_clear(&number);
    return bound;
}

bool losses_check(const sc_loss *lower, const sc_loss *upper, const char *epsilon,
                  const sc_ball *truth, double ratio, const char *file, int line)
{
    const double below = losses_delta(lower, epsilon),
                 above = losses_delta(upper, epsilon);
    const double least = sc_ball_lower(truth), most = sc_ball_upper(truth);
    const bool held = below <= most && least <= above && above <= ratio * most;
    check_saw(held, "lower <= truth <= upper <= ratio truth", file, line);
    if (!held)
        check_fail(file, line, "at %s: %.17g <= %.17g <= %.17g", epsilon, below, most,
                   above);
    return held;
}
