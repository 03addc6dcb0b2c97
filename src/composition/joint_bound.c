#include "composition/joint_bound.h"

#include "model/renyi_conversion.h"

#define BITS 256L
/* The sum of optimal composition has half as many terms. */
#define OPTIMAL_COUNT 20000

void sc_joint_bound_init(sc_joint_bound *bound)
{
    sc_ball_init(&bound->upper);
    sc_ball_set_infinite(&bound->upper);
    bound->source = "";
}

void sc_joint_bound_clear(sc_joint_bound *bound)
{
    sc_ball_clear(&bound->upper);
}

static void take(sc_joint_bound *bound, const sc_ball *upper, const char *source)
{
    if (!sc_ball_is_finite(upper) ||
        (sc_ball_is_finite(&bound->upper) && !sc_ball_is_less(upper, &bound->upper)))
        return;
    sc_ball_set(&bound->upper, upper);
    bound->source = source;
}

/* A curve for all releases of the one part, by a theorem; false where it has none. */

static bool set_optimal(const sc_part *part, sc_curve *out)
{
    const sc_cost *cost = &part->cost;
    if (!cost->has_epsilon || sc_ratio_sign(&cost->delta) != 0 ||
        part->count > OPTIMAL_COUNT)
        return false;
    sc_curve_set_composed(out, &cost->epsilon, part->count);
    return true;
}

static bool set_concentrated(const sc_part *part, sc_curve *out)
{
    sc_ratio rho;
    if (!part->cost.has_rho)
        return false;
    sc_ratio_init(&rho);
    sc_ratio_set_int128(&rho, part->count);
    sc_ratio_mul(&rho, &rho, &part->cost.rho);
    sc_curve_set_concentrated(out, &rho);
    sc_ratio_clear(&rho);
    return true;
}

static const struct {
    const char *name;
    bool (*set)(const sc_part *part, sc_curve *out);
} theorems[] = {{"optimal", set_optimal}, {"concentrated", set_concentrated}};

#define THEOREMS (sizeof theorems / sizeof *theorems)

/* Each release has its delta at an even part of epsilon, and these add up. */
static void basic_delta(const sc_part *part, const sc_ratio *epsilon, sc_ball *out)
{
    sc_ratio each;
    sc_ratio_init(&each);
    sc_ratio_set_int128(&each, part->count);
    sc_ratio_div(&each, epsilon, &each);
    sc_curve_delta_upper(&part->cost.curve, &each, BITS, out);
    sc_ball_mul_int64(out, out, (int64_t)part->count, BITS);
    sc_ratio_clear(&each);
}

scrim_status sc_joint_delta_upper(const sc_bag *bag, const sc_ratio *epsilon,
                                  sc_joint_effort effort, sc_joint_bound *out,
                                  scrim_error *error)
{
    const sc_part *part = &bag->parts[0];
    sc_ball upper;
    (void)effort, (void)error;
    sc_ball_init(&upper);
    basic_delta(part, epsilon, &upper);
    sc_ball_set_infinite(&out->upper);
    out->source = "";
    take(out, &upper, "basic");
    for (size_t i = 0; part->count > 1 && i < THEOREMS; i++) {
        sc_curve curve;
        sc_curve_init(&curve);
        if (theorems[i].set(part, &curve)) {
            sc_curve_delta_upper(&curve, epsilon, BITS, &upper);
            take(out, &upper, theorems[i].name);
        }
        sc_curve_clear(&curve);
    }
    sc_ball_clear(&upper);
    return SCRIM_OK;
}

static bool basic_epsilon(const sc_part *part, const sc_ratio *delta, sc_ratio *out)
{
    sc_ratio count, each;
    sc_ratio_init(&count);
    sc_ratio_init(&each);
    sc_ratio_set_int128(&count, part->count);
    sc_ratio_div(&each, delta, &count);
    bool known = true;
    if (sc_ratio_sign(delta) == 0 && part->cost.has_epsilon)
        sc_ratio_set(out, &part->cost.epsilon);
    else
        known = sc_curve_epsilon_upper(&part->cost.curve, &each, out);
    known = known && (sc_ratio_sign(delta) > 0 || sc_ratio_sign(&part->cost.delta) == 0);
    sc_ratio_mul(out, out, &count);
    sc_ratio_clear(&each);
    sc_ratio_clear(&count);
    return known;
}

scrim_status sc_joint_epsilon_upper(const sc_bag *bag, const sc_ratio *delta,
                                    sc_joint_effort effort, sc_joint_bound *out,
                                    scrim_error *error)
{
    const sc_part *part = &bag->parts[0];
    sc_ratio epsilon;
    sc_ball upper;
    (void)effort, (void)error;
    sc_ratio_init(&epsilon);
    sc_ball_init(&upper);
    sc_ball_set_infinite(&out->upper);
    out->source = "";
    if (basic_epsilon(part, delta, &epsilon)) {
        sc_ball_set_ratio(&upper, &epsilon, BITS);
        take(out, &upper, "basic");
    }
    for (size_t i = 0; part->count > 1 && i < THEOREMS; i++) {
        sc_curve curve;
        sc_curve_init(&curve);
        if (sc_ratio_sign(delta) > 0 && theorems[i].set(part, &curve) &&
            sc_curve_epsilon_upper(&curve, delta, &epsilon)) {
            sc_ball_set_ratio(&upper, &epsilon, BITS);
            take(out, &upper, theorems[i].name);
        }
        sc_curve_clear(&curve);
    }
    sc_ball_clear(&upper);
    sc_ratio_clear(&epsilon);
    return SCRIM_OK;
}
