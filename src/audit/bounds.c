#include "audit/bounds.h"

#include <math.h>

void sc_bounds_init(sc_enclosure *bounds)
{
    sc_ball_init(&bounds->lower);
    sc_ball_init(&bounds->upper);
    bounds->is_infinite = false;
    bounds->is_bounded = true;
}

void sc_bounds_clear(sc_enclosure *bounds)
{
    sc_ball_clear(&bounds->lower);
    sc_ball_clear(&bounds->upper);
}

void sc_bounds_set_zero(sc_enclosure *out)
{
    sc_ball_set_int64(&out->lower, 0);
    sc_ball_set_int64(&out->upper, 0);
    out->is_infinite = false;
    out->is_bounded = true;
}

void sc_bounds_set(sc_enclosure *out, const sc_enclosure *bounds)
{
    sc_ball_set(&out->lower, &bounds->lower);
    sc_ball_set(&out->upper, &bounds->upper);
    out->is_infinite = bounds->is_infinite;
    out->is_bounded = bounds->is_bounded;
}

/* Also what is not a number: nothing is known of it from below. */
void sc_bounds_cut_below(sc_enclosure *out)
{
    if (!sc_ball_is_positive(&out->lower))
        sc_ball_set_int64(&out->lower, 0);
}

double sc_bounds_lower(const sc_enclosure *bounds)
{
    return bounds->is_infinite ? HUGE_VAL : sc_ball_lower(&bounds->lower);
}

double sc_bounds_upper(const sc_enclosure *bounds)
{
    return bounds->is_infinite || !bounds->is_bounded ? HUGE_VAL
                                                      : sc_ball_upper(&bounds->upper);
}

bool sc_bounds_is_above(const sc_enclosure *bounds, const sc_ball *limit)
{
    return sc_ball_is_finite(limit) &&
           (bounds->is_infinite || sc_ball_is_less(limit, &bounds->lower));
}

/* Nothing is claimed by a limit that is not finite, so everything keeps it. */
bool sc_bounds_is_at_most(const sc_enclosure *bounds, const sc_ball *limit)
{
    if (!sc_ball_is_finite(limit))
        return true;
    return !bounds->is_infinite && bounds->is_bounded &&
           sc_ball_is_less_equal(&bounds->upper, limit);
}
