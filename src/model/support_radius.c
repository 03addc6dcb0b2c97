#include "model/support_radius.h"

#include "base/number/own.h"

#define BITS 256

void sc_support_init(sc_support *x)
{
    sc_ratio_init(&x->p);
    sc_ratio_init(&x->q);
}

void sc_support_clear(sc_support *x)
{
    sc_ratio_clear(&x->p);
    sc_ratio_clear(&x->q);
}

/* ln(1 - p + p e^l) - p l, of a report that is in support with probability p. */
static void log_moment(const sc_ball *p, const sc_ball *l, sc_ball *out)
{
    SC_OWN(sc_ball, linear);
    sc_ball_expm1(out, l, BITS);
    sc_ball_mul(out, out, p, BITS);
    sc_ball_log1p(out, out, BITS);
    sc_ball_mul(&linear, p, l, BITS);
    sc_ball_sub(out, out, &linear, BITS);
}

/* Upper bounds: where neither is certainly larger, both are held. */
static void take_larger(sc_ball *out, const sc_ball *other)
{
    if (sc_ball_is_less(out, other))
        sc_ball_set(out, other);
    else if (!sc_ball_is_less(other, out))
        sc_ball_set_union(out, out, other, BITS);
}

/* m(l): those who have the value and those who have not, above the mean and below it. */
static void largest_moment(const sc_support *x, const sc_ball *l, sc_ball *out)
{
    SC_OWN(sc_ball, p, q, down, other);
    sc_ball_set_ratio(&p, &x->p, BITS);
    sc_ball_set_ratio(&q, &x->q, BITS);
    sc_ball_neg(&down, l);
    log_moment(&p, l, out);
    log_moment(&q, l, &other);
    take_larger(out, &other);
    log_moment(&p, &down, &other);
    take_larger(out, &other);
    log_moment(&q, &down, &other);
    take_larger(out, &other);
}

/* (n m(l) + ln(2 k/b)) / (n l), a share of the reports, at one rate; size is the logarithm over n. */
static void share_at(const sc_support *x, const sc_ball *size, const sc_ball *l,
                     sc_ball *out)
{
    largest_moment(x, l, out);
    sc_ball_add(out, out, size, BITS);
    sc_ball_div(out, out, l, BITS);
}

/* The smallest share over rates from a quarter of Hoeffding's, sqrt(8 size), to 2^12 of it; over p - q it is the radius. Every rate
 * is valid; at Hoeffding's own the bound is no larger than his. */
void sc_support_radius(const sc_support *x, int64_t estimates, const sc_ratio *beta,
                       size_t count, sc_ball *out)
{
    SC_OWN(sc_ball, part, size, rate, share);
    SC_OWN(sc_ratio, slope);
    sc_ball_set_int64(&size, 2 * estimates);
    sc_ball_set_ratio(&part, beta, BITS);
    sc_ball_div(&size, &size, &part, BITS);
    sc_ball_log(&size, &size, BITS);
    sc_ball_set_int128(&part, (sc_int128)count);
    sc_ball_div(&size, &size, &part, BITS);
    sc_ball_mul_int64(&rate, &size, 8, BITS);
    sc_ball_sqrt(&rate, &rate, BITS);
    sc_ball_mul_power2(&rate, &rate, -2);
    sc_ball_set_infinite(out);
    for (int i = 0; i <= 14 * 4; i++) {
        share_at(x, &size, &rate, &share);
        sc_ball_take_smaller(out, &share);
        /* Four rates an octave, 5/4 apart; each fourth is exact again. */
        sc_ball_mul_int64(&rate, &rate, i % 4 == 3 ? 128 : 5, BITS);
        sc_ball_div_int64(&rate, &rate, i % 4 == 3 ? 125 : 4, BITS);
    }
    sc_ratio_sub(&slope, &x->p, &x->q);
    sc_ball_set_ratio(&part, &slope, BITS);
    sc_ball_div(out, out, &part, BITS);
}
