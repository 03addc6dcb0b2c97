#include "base/ball_double.h"

void sc_ball_set_double(sc_ball *out, double value)
{
    arb_set_d(out->x, value);
}

void sc_ball_split(const sc_ball *x, double *high, double *low)
{
    sc_ball rest;
    sc_ball_init(&rest);
    *high = sc_ball_lower(x);
    sc_ball_set_double(&rest, *high);
    sc_ball_sub(&rest, x, &rest, 128);
    *low = sc_ball_lower(&rest);
    sc_ball_clear(&rest);
}

void sc_ball_sin_cos_pi(sc_ball *sine, sc_ball *cosine, const sc_ball *a, long bits)
{
    arb_sin_cos_pi(sine->x, cosine->x, a->x, bits);
}
