#include "composition/calibration/continuous_radius.h"

#include "base/number/ball.h"
#include "base/number/ratio.h"

#define BITS 256L
#define NEAR (-60)
#define FAR 20
#define STEPS 52

/* exp(-x), the probability that Laplace noise of scale 1 is farther away. */
static bool is_laplace_within(const void *context, const sc_ratio *x)
{
    SC_OWN(sc_ball, tail, beta);
    sc_ball_set_ratio(&beta, context, BITS);
    sc_ball_set_ratio(&tail, x, BITS);
    sc_ball_neg(&tail, &tail);
    sc_ball_exp(&tail, &tail, BITS);
    return sc_ball_is_less_equal(&tail, &beta);
}

/* erfc(x / sqrt 2) */
static bool is_gaussian_within(const void *context, const sc_ratio *x)
{
    SC_OWN(sc_ball, tail, beta, root);
    sc_ball_set_ratio(&beta, context, BITS);
    sc_ball_set_ratio(&tail, x, BITS);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_div(&tail, &tail, &root, BITS);
    sc_ball_erfc(&tail, &tail, BITS);
    return sc_ball_is_less_equal(&tail, &beta);
}

static bool find(sc_ratio_question *is_within, const sc_ratio *beta, sc_ratio *out)
{
    SC_OWN(sc_ratio, low);
    const bool found = sc_ratio_bracket(is_within, beta, NEAR, FAR, &low, out);
    if (found)
        sc_ratio_bisect(is_within, beta, STEPS, &low, out);
    return found;
}

bool sc_continuous_laplace_radius(const sc_ratio *beta, sc_ratio *out)
{
    return find(is_laplace_within, beta, out);
}

bool sc_continuous_gaussian_radius(const sc_ratio *beta, sc_ratio *out)
{
    return find(is_gaussian_within, beta, out);
}
