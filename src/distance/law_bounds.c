/* Consequences of divergences: bounds, and groups of people. */
#include "distance/law_divergence.h"

/* out becomes the value; false where that is infinite. */
static bool finite_ball(const sc_divergence_value *value, long bits, sc_ball *out)
{
    if (value->form == SC_DIVERGENCE_INFINITE)
        return false;
    sc_divergence_value_ball(value, bits, out);
    return true;
}

static sc_law_side other_side(const sc_law_side *side)
{
    return (sc_law_side){side->laws, 1 - side->from};
}

/* The larger of both directions; false if one is infinite. */
static bool larger(sc_divergence_function *of, const sc_law_side *side,
                   const sc_divergence_numbers *numbers, long bits, sc_ball *out)
{
    const sc_law_side back = other_side(side);
    SC_OWN(sc_divergence_value, here, there);
    SC_OWN(sc_ball, second);
    of(side, numbers, bits, &here);
    of(&back, numbers, bits, &there);
    if (!finite_ball(&here, bits, out) || !finite_ball(&there, bits, &second))
        return false;
    if (sc_ball_is_less(out, &second))
        sc_ball_set(out, &second);
    else if (!sc_ball_is_less_equal(&second, out))
        sc_ball_set_union(out, out, &second, bits);
    return true;
}

/* epsilon tanh(epsilon/2). */
void sc_law_kl_bound(const sc_law_side *side, const sc_divergence_numbers *numbers,
                     long bits, sc_divergence_value *out)
{
    SC_OWN(sc_ball, epsilon, growth, part);
    if (!larger(sc_law_max, side, numbers, bits, &epsilon)) {
        out->form = SC_DIVERGENCE_INFINITE;
        return;
    }
    sc_ball_expm1(&part, &epsilon, bits);
    sc_ball_add_int64(&growth, &part, 2, bits);
    sc_ball_div(&part, &part, &growth, bits);
    sc_ball_mul(&out->ball, &epsilon, &part, bits);
}

/* r + ln(1 - 1/a) - (ln delta + ln a)/(a - 1), at least 0. */
void sc_law_renyi_bound(const sc_law_side *side, const sc_divergence_numbers *numbers,
                        long bits, sc_divergence_value *out)
{
    SC_OWN(sc_ball, order, less_one, part, log_delta, zero);
    if (!larger(sc_law_renyi, side, numbers, bits, &out->ball)) {
        out->form = SC_DIVERGENCE_INFINITE;
        return;
    }
    sc_ball_set_ratio(&order, &numbers->order, bits);
    sc_ball_add_int64(&less_one, &order, -1, bits);
    sc_ball_div(&part, &less_one, &order, bits);
    sc_ball_log(&part, &part, bits);
    sc_ball_add(&out->ball, &out->ball, &part, bits);
    sc_ball_set_ratio(&log_delta, &numbers->delta, bits);
    sc_ball_mul(&log_delta, &log_delta, &order, bits);
    sc_ball_log(&log_delta, &log_delta, bits);
    sc_ball_div(&log_delta, &log_delta, &less_one, bits);
    sc_ball_sub(&out->ball, &out->ball, &log_delta, bits);
    if (sc_ball_is_less_equal(&out->ball, &zero))
        sc_ball_set_int64(&out->ball, 0);
}

void sc_law_group_max(const sc_law_side *side, const sc_divergence_numbers *numbers,
                      long bits, sc_divergence_value *out)
{
    sc_law_max(side, numbers, bits, out);
    out->factor = numbers->group;
}

/* A sum of group powers of growth is exact up to this many bits. */
#define POWER_BITS 4096

/* 1 + growth + ... + growth^(group - 1). */
static void sum_of_powers(const sc_ratio *growth, uint64_t group, sc_ratio *out)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(out, 0);
    for (uint64_t k = 0; k < group; k++) {
        sc_ratio_mul(out, out, growth);
        sc_ratio_add(out, out, &one);
    }
}

/* The same by (e^(group epsilon) - 1) / (e^epsilon - 1), epsilon above 0. */
static void quotient_of_powers(const sc_divergence_numbers *numbers, long bits,
                               sc_ball *out)
{
    SC_OWN(sc_ball, epsilon, below);
    sc_ball_set_ratio(&epsilon,
                      numbers->has_growth ? &numbers->growth : &numbers->epsilon, bits);
    if (numbers->has_growth)
        sc_ball_log(&epsilon, &epsilon, bits);
    sc_ball_expm1(&below, &epsilon, bits);
    sc_ball_mul_int64(&epsilon, &epsilon, (int64_t)numbers->group, bits);
    sc_ball_expm1(out, &epsilon, bits);
    sc_ball_div(out, out, &below, bits);
}

/* delta times the sum, at most 1. */
void sc_law_group_delta(const sc_law_side *side, const sc_divergence_numbers *numbers,
                        long bits, sc_divergence_value *out)
{
    SC_OWN(sc_ball, delta, factor, one);
    SC_OWN(sc_ratio, sum);
    sc_law_hockey_stick(side, numbers, bits, out);
    const bool is_exact = out->form == SC_DIVERGENCE_FRACTION &&
                          sc_ratio_bits(&numbers->growth) <= POWER_BITS / numbers->group;
    if (is_exact) {
        sum_of_powers(&numbers->growth, numbers->group, &sum);
        sc_ratio_mul(&out->number, &out->number, &sum);
        if (sc_ratio_compare_int64(&out->number, 1) > 0)
            sc_ratio_set_int64(&out->number, 1);
        return;
    }
    sc_divergence_value_ball(out, bits, &delta);
    out->form = SC_DIVERGENCE_BALL;
    quotient_of_powers(numbers, bits, &factor);
    sc_ball_mul(&out->ball, &delta, &factor, bits);
    sc_ball_set_int64(&one, 1);
    if (!sc_ball_is_less_equal(&out->ball, &one))
        sc_ball_set(&out->ball, &one);
}
