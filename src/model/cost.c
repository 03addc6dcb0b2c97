#include "model/cost.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void sc_cost_init(sc_exact_cost *cost)
{
    *cost = (sc_exact_cost){0};
    sc_ratio_init(&cost->epsilon);
    sc_ratio_init(&cost->delta);
    sc_ratio_init(&cost->rho);
    sc_ratio_init(&cost->xi);
    sc_ratio_init(&cost->aside);
    sc_ratio_init(&cost->aside_rho);
    sc_curve_init(&cost->curve);
}

void sc_cost_clear(sc_exact_cost *cost)
{
    sc_ratio_clear(&cost->epsilon);
    sc_ratio_clear(&cost->delta);
    sc_ratio_clear(&cost->rho);
    sc_ratio_clear(&cost->xi);
    sc_ratio_clear(&cost->aside);
    sc_ratio_clear(&cost->aside_rho);
    sc_curve_clear(&cost->curve);
}

void sc_cost_set(sc_exact_cost *out, const sc_exact_cost *cost)
{
    out->neighbours = cost->neighbours;
    out->has_epsilon = cost->has_epsilon;
    sc_ratio_set(&out->epsilon, &cost->epsilon);
    sc_ratio_set(&out->delta, &cost->delta);
    out->has_rho = cost->has_rho;
    sc_ratio_set(&out->rho, &cost->rho);
    sc_ratio_set(&out->xi, &cost->xi);
    out->has_aside = cost->has_aside;
    sc_ratio_set(&out->aside, &cost->aside);
    sc_ratio_set(&out->aside_rho, &cost->aside_rho);
    sc_curve_set(&out->curve, &cost->curve);
}

/* A rounded number has 64 significant bits, and no binary place beyond this one. */
#define SIGNIFICANT 64
#define FINEST 170

static unsigned places(long exponent)
{
    long wanted = SIGNIFICANT - exponent;
    return wanted < 0 ? 0 : wanted > FINEST ? FINEST : (unsigned)wanted;
}

bool sc_cost_fits(const sc_ratio *x)
{
    return sc_ratio_bits(x) <= SC_COST_BITS;
}

void sc_cost_round_up(const sc_ratio *x, sc_ratio *out)
{
    if (sc_cost_fits(x))
        sc_ratio_set(out, x);
    else
        sc_ratio_round_up(x, places(sc_ratio_exponent(x)), out);
}

void sc_cost_round_down(const sc_ratio *x, sc_ratio *out)
{
    SC_OWN(sc_ratio, zero);
    sc_ratio_sub(out, &zero, x);
    sc_cost_round_up(out, out);
    sc_ratio_sub(out, &zero, out);
}

static void put(const sc_ratio *x, bool up, char text[SCRIM_NUMBER_BYTES])
{
    if (sc_ratio_format(x, text, SCRIM_NUMBER_BYTES) < SCRIM_NUMBER_BYTES)
        return;
    SC_OWN(sc_ratio, rounded);
    if (up)
        sc_cost_round_up(x, &rounded);
    else
        sc_cost_round_down(x, &rounded);
    if (sc_ratio_format(&rounded, text, SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES) {
        SC_OWN(sc_integer, whole);
        sc_ratio_floor(x, &whole);
        size_t bits = sc_integer_bits(&whole); /* 2^(bits-1) <= x < 2^bits */
        snprintf(text, SCRIM_NUMBER_BYTES, "2^%zu", up ? bits : bits - 1);
    }
}

void sc_cost_put_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, true, text);
}

void sc_cost_put_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, false, text);
}

/* x > 0, to six decimal digits. */
static void round_decimal(sc_ratio *x, bool up)
{
    SC_OWN(sc_ratio, least, ten, scale);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&least, 100000);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(&scale, 1);
    while (sc_ratio_compare(x, &least) < 0) {
        sc_ratio_mul(x, x, &ten);
        sc_ratio_mul(&scale, &scale, &ten);
    }
    if (up)
        sc_ratio_ceil(x, &whole);
    else
        sc_ratio_floor(x, &whole);
    sc_ratio_set_integer(x, &whole);
    sc_ratio_div(x, x, &scale);
}

void sc_cost_say(char text[SCRIM_NUMBER_BYTES], bool up)
{
    SC_OWN(sc_ratio, x);
    if (strchr(text, '/') != NULL &&
        sc_ratio_parse(sc_text_of(text), &x, NULL) == SCRIM_OK && sc_ratio_sign(&x) > 0) {
        round_decimal(&x, up);
        if (up)
            sc_cost_put_upper(&x, text);
        else
            sc_cost_put_lower(&x, text);
    }
    sc_text_shorten_numbers(text);
}

/* The binary exponent of a ball of at most 1 in size, from its upper bound. */
static long exponent_of(const sc_ball *x)
{
    long exponent = 0;
    SC_OWN(sc_ball, scaled, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_set(&scaled, x);
    while (exponent > -FINEST && sc_ball_is_less(&scaled, &one)) {
        sc_ball_mul_power2(&scaled, &scaled, 1);
        exponent--;
    }
    return exponent;
}

bool sc_cost_round_up_ball(const sc_ball *x, sc_ratio *out)
{
    return sc_ball_is_finite(x) && sc_ball_round_up(x, places(exponent_of(x)), out);
}

/* rho = epsilon^2 / divisor. */
static void set_square(sc_exact_cost *cost, int64_t divisor)
{
    SC_OWN(sc_ratio, d);
    sc_ratio_set_int64(&d, divisor);
    sc_ratio_mul(&cost->rho, &cost->epsilon, &cost->epsilon);
    sc_ratio_div(&cost->rho, &cost->rho, &d);
    sc_cost_round_up(&cost->rho, &cost->rho);
    cost->has_rho = true;
}

void sc_cost_set_pure(sc_exact_cost *cost, const sc_ratio *epsilon)
{
    cost->has_epsilon = true;
    sc_cost_round_up(epsilon, &cost->epsilon);
    sc_ratio_set_int64(&cost->delta, 0);
    set_square(cost, 2);
    sc_curve_set_pure(&cost->curve, &cost->epsilon);
}

void sc_cost_set_bounded_range(sc_exact_cost *cost, const sc_ratio *epsilon)
{
    sc_cost_set_pure(cost, epsilon);
    set_square(cost, 8);
    sc_curve_set_bounded_range(&cost->curve, &cost->epsilon);
}

void sc_cost_set_approximate(sc_exact_cost *cost, const sc_ratio *epsilon,
                             const sc_ratio *delta)
{
    cost->has_epsilon = true;
    cost->has_rho = false;
    sc_cost_round_up(epsilon, &cost->epsilon);
    sc_cost_round_up(delta, &cost->delta);
    sc_curve_set_approximate(&cost->curve, &cost->epsilon, &cost->delta);
}

static void put_number(bool is_there, const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    text[0] = '\0';
    if (is_there)
        sc_cost_put_upper(x, text);
}

void sc_cost_format(const sc_exact_cost *cost, scrim_cost *out)
{
    memset(out, 0, sizeof *out);
    out->neighbours = cost->neighbours;
    put_number(cost->has_epsilon, &cost->epsilon, out->epsilon);
    put_number(cost->has_epsilon, &cost->delta, out->delta);
    put_number(sc_cost_is_line(cost), &cost->rho, out->rho);
}

bool sc_cost_is_line(const sc_exact_cost *cost)
{
    return cost->has_rho && sc_ratio_sign(&cost->xi) == 0;
}

/* delta expm1(k epsilon) / expm1(epsilon), rounded up; false when it is not below 1. */
static bool group_delta(const sc_exact_cost *cost, const sc_ratio *far, uint64_t units,
                        sc_ratio *out)
{
    SC_OWN(sc_ball, factor, part);
    if (sc_ratio_sign(far) == 0) {
        sc_ball_set_int64(&factor, (int64_t)units); /* the limit */
    } else {
        sc_ball_set_ratio(&factor, far, 256);
        sc_ball_expm1(&factor, &factor, 256);
        sc_ball_set_ratio(&part, &cost->epsilon, 256);
        sc_ball_expm1(&part, &part, 256);
        sc_ball_div(&factor, &factor, &part, 256);
    }
    sc_ball_set_ratio(&part, &cost->delta, 256);
    sc_ball_mul(&factor, &factor, &part, 256);
    sc_ball_set_int64(&part, 1);
    return sc_ball_is_less(&factor, &part) && sc_cost_round_up_ball(&factor, out);
}

void sc_cost_group_line(const sc_ratio *xi, const sc_ratio *rho, uint64_t units,
                        sc_ratio *group_xi, sc_ratio *group_rho)
{
    SC_OWN(sc_ratio, k);
    sc_ratio_set_int128(&k, (sc_int128)units);
    sc_ratio_mul(group_rho, rho, &k);
    sc_ratio_mul(group_rho, group_rho, &k);
    sc_cost_round_up(group_rho, group_rho);
    sc_ratio_set_int64(group_xi, 0);
    if (sc_ratio_sign(xi) > 0) {
        /* xi k (1 + 1/2 + ... + 1/k) */
        SC_OWN(sc_ball, sum, part);
        sc_ball_set_ratio(&part, xi, 128);
        sc_ball_mul_int64(&part, &part, (int64_t)units, 128);
        for (uint64_t i = 1; i <= units; i++) {
            SC_OWN(sc_ball, one);
            sc_ball_div_int64(&one, &part, (int64_t)i, 128);
            sc_ball_add(&sum, &sum, &one, 128);
        }
        if (!sc_cost_round_up_ball(&sum,
                                   group_xi)) { /* beyond all numbers that are kept */
            sc_ratio_mul(&k, &k, &k);
            sc_ratio_mul(group_xi, xi, &k);
        }
    }
}

scrim_status sc_cost_group(const sc_exact_cost *cost, uint64_t units, scrim_cost *out,
                           scrim_error *error)
{
    if (units < 1 || units > 1 << 20)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "units",
                           "a group must have from 1 to 1048576 units");
    if (!cost->has_epsilon)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "units",
            "there is no (epsilon, delta) to extend to groups; ask the curve");
    sc_exact_cost group;
    scrim_status status = SCRIM_OK;
    sc_cost_init(&group);
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int64(&factor, (int64_t)units);
    group.neighbours = cost->neighbours;
    group.has_epsilon = true;
    sc_ratio_mul(&group.epsilon, &cost->epsilon, &factor);
    sc_ratio_set(&group.delta, &cost->delta);
    if (sc_ratio_sign(&cost->delta) > 0 && units > 1 &&
        !group_delta(cost, &group.epsilon, units, &group.delta))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "units",
                             "no guarantee for groups of %llu: their delta reaches 1",
                             (unsigned long long)units);
    sc_cost_round_up(&group.epsilon, &group.epsilon);
    if (status == SCRIM_OK) {
        group.has_rho = sc_cost_is_line(cost);
        sc_cost_group_line(&cost->xi, &cost->rho, units, &group.xi, &group.rho);
        sc_cost_format(&group, out);
    }
    sc_cost_clear(&group);
    return status;
}

/* Noise against a shift that is `units` times as far; false for any other curve, and for a shift
 * beyond 64 bits. */
static bool shift_noise(const sc_curve *curve, uint64_t units, sc_curve *out)
{
    SC_OWN(sc_ratio, factor);
    sc_curve_set(out, curve);
    switch (curve->functions == NULL ? SC_CURVE_PAIR_NONE : curve->functions->pair) {
    case SC_CURVE_PAIR_LAPLACE:
    case SC_CURVE_PAIR_GAUSSIAN:
        return !__builtin_mul_overflow(curve->count, units, &out->count);
    case SC_CURVE_PAIR_CONTINUOUS_LAPLACE:
    case SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN:
        sc_ratio_set_int64(&factor, (int64_t)units);
        sc_ratio_div(&out->shape, &curve->shape, &factor);
        out->is_attained = curve->is_attained && sc_cost_fits(&out->shape);
        sc_cost_round_down(&out->shape, &out->shape);
        return true;
    case SC_CURVE_PAIR_NONE:
    case SC_CURVE_PAIR_PURE:
    case SC_CURVE_PAIR_APPROXIMATE:
    case SC_CURVE_PAIR_SHIFTED:
    case SC_CURVE_PAIR_SHIFTED_TWICE:
        break;
    }
    return false;
}

static void set_group_pair(const sc_exact_cost *cost, uint64_t units, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int64(&factor, (int64_t)units);
    sc_ratio_mul(&out->epsilon, &cost->epsilon, &factor);
    sc_ratio_set(&out->delta, &cost->delta);
    out->has_epsilon =
        cost->has_epsilon && (sc_ratio_sign(&cost->delta) == 0 || units == 1 ||
                              group_delta(cost, &out->epsilon, units, &out->delta));
    sc_cost_round_up(&out->epsilon, &out->epsilon);
}

bool sc_cost_of_group(const sc_exact_cost *cost, uint64_t units, sc_exact_cost *out)
{
    out->neighbours = cost->neighbours;
    set_group_pair(cost, units, out);
    out->has_rho = cost->has_rho;
    sc_cost_group_line(&cost->xi, &cost->rho, units, &out->xi, &out->rho);
    if (shift_noise(&cost->curve, units, &out->curve))
        return true;
    if (units > 1 && cost->curve.functions != NULL &&
        cost->curve.functions->group != NULL)
        return cost->curve.functions->group(&cost->curve, units, &out->curve);
    sc_curve_clear(&out->curve);
    sc_curve_init(&out->curve);
    /* A line holds at every order, and says more than a delta that grows with the group. */
    if (out->has_epsilon && (sc_ratio_sign(&out->delta) == 0 || !out->has_rho))
        sc_curve_set_approximate(&out->curve, &out->epsilon, &out->delta);
    else if (out->has_rho)
        sc_curve_set_line(&out->curve, &out->xi, &out->rho);
    return out->has_epsilon || out->has_rho;
}
