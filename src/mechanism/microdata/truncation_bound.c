#include "mechanism/microdata/truncation_bound.h"

#define BITS 256L

/* exp(-k w). */
static void decay(const sc_ratio *rate, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, times);
    sc_ball_set_ratio(out, rate, bits);
    sc_ball_set_int128(&times, -k);
    sc_ball_mul(out, out, &times, bits);
    sc_ball_exp(out, out, bits);
}

/* x y + max(0, 1 - (1-x) y^2). */
static void share_of(const sc_ball *x, const sc_ball *y, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, near, zero, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_sub(&near, &one, x, bits);
    sc_ball_mul(&near, &near, y, bits);
    sc_ball_mul(&near, &near, y, bits);
    sc_ball_sub(&near, &one, &near, bits);
    sc_ball_mul(out, x, y, bits);
    if (sc_ball_is_less(&near, &zero))
        return;
    if (!sc_ball_is_positive(&near))
        sc_ball_set_union(&near, &near, &zero, bits);
    sc_ball_add(out, out, &near, bits);
}

/* x^B/(1+x), times a sum of shares. */
static void scale(const sc_ratio *rate, int64_t bound, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, x);
    decay(rate, bound, bits, &x);
    sc_ball_mul(out, out, &x, bits);
    decay(rate, 1, bits, &x);
    sc_ball_add_int64(&x, &x, 1, bits);
    sc_ball_div(out, out, &x, bits);
}

void sc_truncation_delta(const sc_ratio *rate, int64_t bound, uint64_t shift, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ball, x, y);
    decay(rate, 1, bits, &x);
    decay(rate, -(sc_int128)shift, bits, &y);
    share_of(&x, &y, bits, out);
    scale(rate, bound, bits, out);
}

static void take_larger(sc_ball *most, const sc_ball *other)
{
    if (!sc_ball_is_less_equal(other, most))
        sc_ball_set(most, other);
}

/* The rule's sum of shares, which no bound is in. */
static void rule_shares(const sc_truncation_rule *rule, const sc_ratio *rate, long bits,
                        sc_ball *out)
{
    const uint64_t reach = rule->rows * rule->weight;
    const bool adds_sum = rule->has_sum && !(rule->is_replace && rule->weight == 1);
    SC_OWN(sc_ball, x, step, y, share, most, most_each);
    decay(rate, 1, bits, &x);
    decay(rate, -1, bits, &step);
    sc_ball_set_int64(&y, 1);
    for (uint64_t s = 1; s <= reach; s++) {
        const uint64_t rows = (s - 1) / rule->weight + 1;
        sc_ball_mul(&y, &y, &step, bits);
        share_of(&x, &y, bits, &share);
        take_larger(&most, &share);
        sc_ball_div_int64(&share, &share, (int64_t)rows, bits);
        take_larger(&most_each, &share);
    }
    sc_ball_mul_int64(out, &most_each, (int64_t)(rule->rows * (rule->is_replace ? 2 : 1)),
                      bits);
    if (adds_sum)
        sc_ball_add(out, out, &most, bits);
}

void sc_truncation_rule_delta(const sc_truncation_rule *rule, const sc_ratio *rate,
                              int64_t bound, long bits, sc_ball *out)
{
    rule_shares(rule, rate, bits, out);
    scale(rate, bound, bits, out);
}

/* B >= ln(shares/(delta (1+x)))/w: the shares do not depend on B. */
static bool first_guess(const sc_ball *shares, const sc_ratio *rate,
                        const sc_ratio *delta, int64_t *out)
{
    sc_int128 whole = 0;
    SC_OWN(sc_ball, quotient, part);
    SC_OWN(sc_integer, below);
    decay(rate, 1, BITS, &part);
    sc_ball_add_int64(&part, &part, 1, BITS);
    sc_ball_div(&quotient, shares, &part, BITS);
    sc_ball_set_ratio(&part, delta, BITS);
    sc_ball_div(&quotient, &quotient, &part, BITS);
    sc_ball_log(&quotient, &quotient, BITS);
    sc_ball_set_ratio(&part, rate, BITS);
    sc_ball_div(&quotient, &quotient, &part, BITS);
    if (!sc_ball_floor(&quotient, &below) || !sc_integer_get_int128(&below, &whole) ||
        whole >= SC_TRUNCATION_BOUND)
        return false;
    *out = whole < 0 ? 0 : (int64_t)whole;
    return true;
}

bool sc_truncation_bound(const sc_truncation_rule *rule, const sc_ratio *rate,
                         const sc_ratio *delta, int64_t *out)
{
    int64_t bound = 0;
    SC_OWN(sc_ball, shares, mass, target);
    if (rule->rows > SC_TRUNCATION_REACH || rule->weight > SC_TRUNCATION_REACH ||
        rule->rows * rule->weight > SC_TRUNCATION_REACH)
        return false;
    rule_shares(rule, rate, BITS, &shares);
    if (!first_guess(&shares, rate, delta, &bound))
        return false;
    const int64_t reach = (int64_t)(rule->rows * rule->weight);
    bound = bound < reach ? reach : bound;
    sc_ball_set_ratio(&target, delta, BITS);
    for (;; bound++) {
        sc_truncation_rule_delta(rule, rate, bound, BITS, &mass);
        if (sc_ball_is_less_equal(&mass, &target))
            break;
    }
    *out = bound;
    return bound <= SC_TRUNCATION_BOUND;
}
