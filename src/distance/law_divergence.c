#include "distance/law_divergence.h"

#include "base/memory.h"

#include <stdlib.h>

/* An exact sum has at most this many bits. */
#define EXACT_BITS 16384

void sc_divergence_value_init(sc_divergence_value *out)
{
    out->form = SC_DIVERGENCE_BALL;
    out->factor = out->divisor = 1;
    sc_ratio_init(&out->number);
    sc_ball_init(&out->ball);
}

void sc_divergence_value_clear(sc_divergence_value *value)
{
    sc_ball_clear(&value->ball);
    sc_ratio_clear(&value->number);
}

void sc_divergence_value_ball(const sc_divergence_value *value, long bits, sc_ball *out)
{
    if (value->form == SC_DIVERGENCE_BALL) {
        sc_ball_set(out, &value->ball);
        return;
    }
    sc_ball_set_ratio(out, &value->number, bits);
    if (value->form == SC_DIVERGENCE_LOG) {
        sc_ball_log(out, out, bits);
        sc_ball_mul_int64(out, out, (int64_t)value->factor, bits);
        sc_ball_div_int64(out, out, (int64_t)value->divisor, bits);
    }
}

static const sc_integer *mass_p(const sc_law_side *side, size_t i)
{
    return &side->laws->outcomes[i].side[side->from];
}

static const sc_integer *mass_q(const sc_law_side *side, size_t i)
{
    return &side->laws->outcomes[i].side[1 - side->from];
}

static bool is_zero(const sc_integer *x)
{
    return sc_integer_sign(x) == 0;
}

/* Some mass of P lies where Q is 0. */
static bool escapes(const sc_law_side *side)
{
    for (size_t i = 0; i < side->laws->count; i++)
        if (is_zero(mass_q(side, i)))
            return true;
    return false;
}

/* p/q against p'/q', for masses above 0 below the line. */
static int compare_ratios(const sc_integer *p, const sc_integer *q, const sc_integer *p2,
                          const sc_integer *q2)
{
    SC_OWN(sc_integer, left, right);
    sc_integer_mul(&left, p, q2);
    sc_integer_mul(&right, p2, q);
    return sc_integer_compare(&left, &right);
}

/* The outcome with the largest p/q, if nothing escapes. */
static size_t largest(const sc_law_side *side)
{
    size_t best = 0;
    for (size_t i = 1; i < side->laws->count; i++)
        if (compare_ratios(mass_p(side, i), mass_q(side, i), mass_p(side, best),
                           mass_q(side, best)) > 0)
            best = i;
    return best;
}

/* Every outcome of P has the same p/q, that of the outcome first. */
static bool is_constant(const sc_law_side *side, size_t *first)
{
    bool has_first = false;
    for (size_t i = 0; i < side->laws->count; i++) {
        if (is_zero(mass_p(side, i)))
            continue;
        if (is_zero(mass_q(side, i)))
            return false;
        if (!has_first)
            *first = i;
        else if (compare_ratios(mass_p(side, i), mass_q(side, i), mass_p(side, *first),
                                mass_q(side, *first)) != 0)
            return false;
        has_first = true;
    }
    return has_first;
}

static void set_log_ratio(const sc_law_side *side, size_t i, sc_divergence_value *out)
{
    out->form = SC_DIVERGENCE_LOG;
    sc_ratio_set_fraction(&out->number, mass_p(side, i), mass_q(side, i));
}

/* ln(p/q). */
static void log_ratio(const sc_law_side *side, size_t i, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, ratio);
    sc_ratio_set_fraction(&ratio, mass_p(side, i), mass_q(side, i));
    sc_ball_set_ratio(out, &ratio, bits);
    sc_ball_log(out, out, bits);
}

void sc_law_max(const sc_law_side *side, const sc_divergence_numbers *numbers, long bits,
                sc_divergence_value *out)
{
    (void)numbers;
    (void)bits;
    if (escapes(side))
        out->form = SC_DIVERGENCE_INFINITE;
    else
        set_log_ratio(side, largest(side), out);
}

void sc_law_kl(const sc_law_side *side, const sc_divergence_numbers *numbers, long bits,
               sc_divergence_value *out)
{
    size_t first;
    (void)numbers;
    if (escapes(side)) {
        out->form = SC_DIVERGENCE_INFINITE;
        return;
    }
    if (is_constant(side, &first)) {
        set_log_ratio(side, first, out);
        return;
    }
    SC_OWN(sc_ball, term, mass);
    sc_ball_set_int64(&out->ball, 0);
    for (size_t i = 0; i < side->laws->count; i++) {
        if (is_zero(mass_p(side, i)))
            continue;
        log_ratio(side, i, bits, &term);
        sc_ball_set_integer(&mass, mass_p(side, i));
        sc_ball_mul(&term, &term, &mass, bits);
        sc_ball_add(&out->ball, &out->ball, &term, bits);
    }
    sc_ball_set_integer(&mass, &side->laws->total);
    sc_ball_div(&out->ball, &out->ball, &mass, bits);
}

/* Renyi. */

/* -ln Q(p > 0). */
static void renyi_zero(const sc_law_side *side, sc_divergence_value *out)
{
    SC_OWN(sc_integer, mass);
    for (size_t i = 0; i < side->laws->count; i++)
        if (!is_zero(mass_p(side, i)))
            sc_integer_add(&mass, &mass, mass_q(side, i));
    if (is_zero(&mass)) {
        out->form = SC_DIVERGENCE_INFINITE;
        return;
    }
    out->form = SC_DIVERGENCE_LOG;
    sc_ratio_set_fraction(&out->number, &side->laws->total, &mass);
}

/* order - 1 where it is whole and the sum is short; else 0. */
static uint64_t exact_power(const sc_law_side *side, const sc_ratio *order)
{
    uint64_t power = 0;
    SC_OWN(sc_integer, whole);
    if (!sc_ratio_is_integer(order) || sc_ratio_compare_int64(order, 64) > 0)
        return 0;
    sc_ratio_numerator(order, &whole);
    if (!sc_integer_get_uint64(&whole, &power) || power < 2)
        return 0;
    const size_t bits = sc_integer_bits(&side->laws->total);
    return side->laws->count <= EXACT_BITS / bits / power ? power - 1 : 0;
}

/* The sum of p (p/q)^power. */
static void renyi_exact(const sc_law_side *side, uint64_t power, sc_divergence_value *out)
{
    SC_OWN(sc_ratio, term, ratio, total);
    out->form = SC_DIVERGENCE_LOG;
    out->divisor = power;
    sc_ratio_set_int64(&out->number, 0);
    for (size_t i = 0; i < side->laws->count; i++) {
        if (is_zero(mass_p(side, i)))
            continue;
        sc_ratio_set_integer(&term, mass_p(side, i));
        sc_ratio_set_fraction(&ratio, mass_p(side, i), mass_q(side, i));
        for (uint64_t k = 0; k < power; k++)
            sc_ratio_mul(&term, &term, &ratio);
        sc_ratio_add(&out->number, &out->number, &term);
    }
    sc_ratio_set_integer(&total, &side->laws->total);
    sc_ratio_div(&out->number, &out->number, &total);
}

/* The same at any order; terms without p or q are 0. */
static void renyi_ball(const sc_law_side *side, const sc_ratio *order, long bits,
                       sc_divergence_value *out)
{
    SC_OWN(sc_ratio, one, less_one);
    SC_OWN(sc_ball, power, term, mass);
    bool is_empty = true;
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&less_one, order, &one);
    sc_ball_set_ratio(&power, &less_one, bits);
    sc_ball_set_int64(&out->ball, 0);
    for (size_t i = 0; i < side->laws->count; i++) {
        if (is_zero(mass_p(side, i)) || is_zero(mass_q(side, i)))
            continue;
        is_empty = false;
        log_ratio(side, i, bits, &term);
        sc_ball_mul(&term, &term, &power, bits);
        sc_ball_exp(&term, &term, bits);
        sc_ball_set_integer(&mass, mass_p(side, i));
        sc_ball_mul(&term, &term, &mass, bits);
        sc_ball_add(&out->ball, &out->ball, &term, bits);
    }
    if (is_empty) {
        out->form = SC_DIVERGENCE_INFINITE;
        return;
    }
    sc_ball_set_integer(&mass, &side->laws->total);
    sc_ball_div(&out->ball, &out->ball, &mass, bits);
    sc_ball_log(&out->ball, &out->ball, bits);
    sc_ball_div(&out->ball, &out->ball, &power, bits);
}

void sc_law_renyi(const sc_law_side *side, const sc_divergence_numbers *numbers,
                  long bits, sc_divergence_value *out)
{
    const int above_one = sc_ratio_compare_int64(&numbers->order, 1);
    size_t first;
    if (sc_ratio_sign(&numbers->order) == 0) {
        renyi_zero(side, out);
    } else if (above_one == 0) {
        sc_law_kl(side, numbers, bits, out);
    } else if (above_one > 0 && escapes(side)) {
        out->form = SC_DIVERGENCE_INFINITE;
    } else if (is_constant(side, &first)) {
        set_log_ratio(side, first, out);
    } else {
        const uint64_t power = exact_power(side, &numbers->order);
        if (power > 0)
            renyi_exact(side, power, out);
        else
            renyi_ball(side, &numbers->order, bits, out);
    }
}

/* Hockey sticks. */

static void hockey_exact(const sc_law_side *side, const sc_ratio *growth,
                         sc_divergence_value *out)
{
    SC_OWN(sc_integer, over, under, left, right, sum);
    sc_ratio_numerator(growth, &over);
    sc_ratio_denominator(growth, &under);
    for (size_t i = 0; i < side->laws->count; i++) {
        sc_integer_mul(&left, mass_p(side, i), &under);
        sc_integer_mul(&right, mass_q(side, i), &over);
        sc_integer_sub(&left, &left, &right);
        if (sc_integer_sign(&left) > 0)
            sc_integer_add(&sum, &sum, &left);
    }
    sc_integer_mul(&under, &under, &side->laws->total);
    out->form = SC_DIVERGENCE_FRACTION;
    sc_ratio_set_fraction(&out->number, &sum, &under);
}

static void hockey_ball(const sc_law_side *side, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    SC_OWN(sc_ball, growth, term, mass, zero);
    sc_ball_set_ratio(&growth, epsilon, bits);
    sc_ball_exp(&growth, &growth, bits);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < side->laws->count; i++) {
        sc_ball_set_integer(&mass, mass_q(side, i));
        sc_ball_mul(&term, &mass, &growth, bits);
        sc_ball_set_integer(&mass, mass_p(side, i));
        sc_ball_sub(&term, &mass, &term, bits);
        if (sc_ball_is_less_equal(&term, &zero))
            continue;
        if (!sc_ball_is_positive(&term))
            sc_ball_set_union(&term, &term, &zero, bits);
        sc_ball_add(out, out, &term, bits);
    }
    sc_ball_set_integer(&mass, &side->laws->total);
    sc_ball_div(out, out, &mass, bits);
}

void sc_law_hockey_stick(const sc_law_side *side, const sc_divergence_numbers *numbers,
                         long bits, sc_divergence_value *out)
{
    if (numbers->has_growth)
        hockey_exact(side, &numbers->growth, out);
    else
        hockey_ball(side, &numbers->epsilon, bits, &out->ball);
}

void sc_law_tv(const sc_law_side *side, const sc_divergence_numbers *numbers, long bits,
               sc_divergence_value *out)
{
    SC_OWN(sc_ratio, one);
    (void)numbers;
    (void)bits;
    sc_ratio_set_int64(&one, 1);
    hockey_exact(side, &one, out);
}

static int by_ratio(const void *a, const void *b)
{
    const sc_law_term *x = a, *y = b;
    return compare_ratios(y->p, y->q, x->p, x->q);
}

sc_law_term *sc_law_sorted(const sc_law_side *side)
{
    sc_law_term *terms = sc_allocate(side->laws->count + 1, sizeof *terms);
    if (terms == NULL)
        return NULL;
    for (size_t i = 0; i < side->laws->count; i++)
        terms[i] = (sc_law_term){mass_p(side, i), mass_q(side, i)};
    qsort(terms, side->laws->count, sizeof *terms, by_ratio);
    return terms;
}

/* The hockey stick at t is A - t B over the outcomes whose p/q is above t. It equals delta at
 * t = (A - delta)/B, for the first outcomes of which the next one's p/q is not above t. */
void sc_law_approximate_max(const sc_law_side *side, const sc_law_term *sorted,
                            const sc_ratio *delta, sc_divergence_value *out)
{
    SC_OWN(sc_integer, a, b);
    SC_OWN(sc_ratio, allowed, growth, below, next);
    sc_ratio_set_integer(&allowed, &side->laws->total);
    sc_ratio_mul(&allowed, &allowed, delta);
    for (size_t i = 0; i < side->laws->count; i++) {
        sc_integer_add(&a, &a, sorted[i].p);
        sc_integer_add(&b, &b, sorted[i].q);
        sc_ratio_set_integer(&growth, &a);
        sc_ratio_sub(&growth, &growth, &allowed);
        if (is_zero(&b)) {
            if (sc_ratio_sign(&growth) > 0) {
                out->form = SC_DIVERGENCE_INFINITE;
                return;
            }
            continue;
        }
        sc_ratio_set_integer(&below, &b);
        sc_ratio_div(&growth, &growth, &below);
        if (i + 1 == side->laws->count)
            break;
        sc_ratio_set_fraction(&next, sorted[i + 1].p, sorted[i + 1].q);
        if (sc_ratio_compare(&growth, &next) >= 0)
            break;
    }
    if (sc_ratio_sign(&growth) <= 0) {
        out->form = SC_DIVERGENCE_MINUS_INFINITE;
        return;
    }
    out->form = SC_DIVERGENCE_LOG;
    sc_ratio_set(&out->number, &growth);
}
