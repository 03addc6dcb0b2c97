#include "model/curve.h"

#include "base/number/ratio.h"
#include "model/renyi_conversion.h"

void sc_curve_init(sc_curve *curve)
{
    *curve = (sc_curve){0};
    sc_ratio_init(&curve->epsilon);
    sc_ratio_init(&curve->delta);
    sc_ratio_init(&curve->shape);
}

void sc_curve_clear(sc_curve *curve)
{
    sc_ratio_clear(&curve->epsilon);
    sc_ratio_clear(&curve->delta);
    sc_ratio_clear(&curve->shape);
}

void sc_curve_set(sc_curve *out, const sc_curve *curve)
{
    out->functions = curve->functions;
    sc_ratio_set(&out->epsilon, &curve->epsilon);
    sc_ratio_set(&out->delta, &curve->delta);
    sc_ratio_set(&out->shape, &curve->shape);
    out->count = curve->count;
    out->context = curve->context;
    out->is_attained = curve->is_attained;
}

void sc_curve_delta_upper(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                          sc_ball *out)
{
    const bool has_functions = curve->functions != NULL;
    if (has_functions && curve->functions->delta != NULL)
        curve->functions->delta(curve, epsilon, bits, out);
    else if (has_functions && sc_renyi_log_delta(curve, epsilon, bits, out))
        sc_ball_exp(out, out, bits);
    else
        sc_ball_set_int64(out, 1);
    /* 1 is an upper bound of every probability. */
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    if (!sc_ball_is_finite(out) || sc_ball_is_less(&one, out))
        sc_ball_set(out, &one);
    sc_ball_cut_unit(out);
}

void sc_curve_renyi_upper(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    if (curve->functions == NULL || curve->functions->renyi == NULL)
        sc_ball_set_infinite(out);
    else
        curve->functions->renyi(curve, order, bits, out);
}

typedef struct curve_target {
    const sc_curve *curve;
    const sc_ball *delta;
} curve_target;

/* Is delta_upper(epsilon) certainly at most the wanted delta? */
static bool meets(const void *context, const sc_ratio *epsilon)
{
    const curve_target *target = context;
    SC_OWN(sc_ball, value);
    sc_curve_delta_upper(target->curve, epsilon, 256, &value);
    return sc_ball_is_less_equal(&value, target->delta);
}

#define EPSILON_FAR 20 /* 2^20 is the largest epsilon that is looked for */
#define EPSILON_STEPS 46

static bool search_epsilon(const curve_target *target, sc_ratio *out)
{
    int doublings = 0;
    SC_OWN(sc_ratio, low, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_set_int64(out, 0);
    bool found = meets(target, out);
    if (!found) {
        sc_ratio_set_int64(out, 1);
        for (; !(found = meets(target, out)) && doublings < EPSILON_FAR; doublings++) {
            sc_ratio_set(&low, out);
            sc_ratio_mul(out, out, &two);
        }
        if (found)
            sc_ratio_bisect(meets, target, EPSILON_STEPS, &low, out);
    }
    return found;
}

/* epsilon straight from the orders: a ball, of which a rational above the upper end is wanted. */
static bool renyi_epsilon(const sc_curve *curve, const sc_ball *target, sc_ratio *out)
{
    SC_OWN(sc_ball, log_delta, value);
    sc_ball_log(&log_delta, target, 256);
    bool found = sc_renyi_epsilon(curve, &log_delta, 256, &value) &&
                 sc_ball_round_up(&value, EPSILON_STEPS, out);
    if (found && sc_ratio_sign(out) < 0)
        sc_ratio_set_int64(out, 0);
    return found;
}

bool sc_curve_epsilon_upper(const sc_curve *curve, const sc_ratio *delta, sc_ratio *out)
{
    SC_OWN(sc_ball, target);
    sc_ball_set_ratio(&target, delta, 256);
    bool found = false;
    if (curve->functions != NULL)
        found = curve->functions->delta == NULL
                    ? sc_ratio_sign(delta) > 0 && renyi_epsilon(curve, &target, out)
                    : search_epsilon(&(curve_target){curve, &target}, out);
    return found;
}
