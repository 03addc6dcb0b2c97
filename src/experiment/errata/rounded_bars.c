#include "experiment/errata/rounded_bars.h"

#define MOST 21          /* a bar of x shows x - MOST to x */
#define SHOWN (MOST + 2) /* of the bar that has one element more too */
#define BITS SC_QUANTITY_BITS

/* P(noise <= z): expm1(eps (z + q)) / (2 expm1(eps q / 2)) below -q/2, mirrored above. */
static void noise_below(const sc_ratio *z, const sc_ratio *q, sc_ball *out)
{
    SC_OWN(sc_ratio, half, minus, reach);
    SC_OWN(sc_ball, top, bottom);
    const bool is_outside_low = (sc_ratio_add(&reach, z, q), sc_ratio_sign(&reach) <= 0);
    if (is_outside_low || sc_ratio_sign(z) >= 0) {
        sc_ball_set_int64(out, is_outside_low ? 0 : 1);
        return;
    }
    sc_ratio_set_quotient(&half, 1, 2);
    sc_ratio_mul(&half, &half, q);
    sc_ball_set_ratio(&bottom, &half, BITS);
    sc_ball_expm1(&bottom, &bottom, BITS);
    sc_ball_mul_int64(&bottom, &bottom, 2, BITS);
    const bool is_low = sc_ratio_compare(&reach, &half) <= 0;
    sc_ratio_sub(&minus, &minus, z);
    sc_ball_set_ratio(&top, is_low ? &reach : &minus, BITS);
    sc_ball_expm1(&top, &top, BITS);
    sc_ball_div(out, &top, &bottom, BITS);
    if (is_low)
        return;
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, BITS);
}

/* P(bar shows x - MOST + i), of a bar of x + more, at epsilon 1. */
static void bar_law(const sc_ratio *q, int64_t more, sc_ball law[SHOWN])
{
    SC_OWN(sc_ratio, edge);
    SC_OWN(sc_ball, below, last);
    for (int64_t i = 0; i < SHOWN; i++) {
        sc_ratio_set_quotient(&edge, 2 * (i - MOST - more) + 1, 2);
        noise_below(&edge, q, &below);
        sc_ball_sub(&law[i], &below, &last, BITS);
        sc_ball_set(&last, &below);
    }
}

/* The hockey stick at epsilon 1 of one bar `a` and `same` bars `b` each, all independent. */
static void add_excess(const sc_ball *p, const sc_ball *q, const sc_ball *p_same,
                       const sc_ball *q_same, unsigned same, sc_ball *sum)
{
    SC_OWN(sc_ball, left, right, zero);
    if (same == 0) {
        sc_ball_sub(&left, p, q, BITS);
        if (sc_ball_is_less(&zero, &left))
            sc_ball_add(sum, sum, &left, BITS);
        else if (!sc_ball_is_less_equal(&left, &zero))
            sc_ball_widen(sum, &left);
        return;
    }
    for (size_t i = 0; i < SHOWN; i++) {
        sc_ball_mul(&left, p, &p_same[i], BITS);
        sc_ball_mul(&right, q, &q_same[i], BITS);
        add_excess(&left, &right, p_same, q_same, same - 1, sum);
    }
}

static void hockey_stick(const sc_ball *p, const sc_ball *q, const sc_ball *p_same,
                         const sc_ball *q_same, unsigned same, sc_quantity *out)
{
    SC_OWN(sc_ball, sum, scaled, e);
    sc_ball_set_int64(&e, 1);
    sc_ball_exp(&e, &e, BITS);
    for (size_t i = 0; i < SHOWN; i++) {
        sc_ball_mul(&scaled, &q[i], &e, BITS);
        add_excess(&p[i], &scaled, p_same, q_same, same, &sum);
    }
    sc_quantity_set_ball(out, &sum);
}

void sc_rounded_bars_delta(sc_working *w, sc_working_part part, const char *name,
                           unsigned bars, const char *what)
{
    SC_OWN(sc_ratio, q, q_more);
    SC_OWN(sc_quantity, forth, back);
    sc_ball *laws = sc_balls_new(4 * (size_t)SHOWN);
    int sign = 0;
    if (laws == NULL) {
        w->is_spoilt = true;
        return;
    }
    sc_ball *own = laws, *own_more = own + SHOWN, *other = own_more + SHOWN,
            *other_more = other + SHOWN;
    sc_ratio_set_int64(&q, 20);
    sc_ratio_set_quotient(&q_more, 201, 10);
    bar_law(&q, 0, own);
    bar_law(&q_more, 1, own_more);
    bar_law(&q, 0, other);
    bar_law(&q_more, 0, other_more);
    hockey_stick(own, own_more, other, other_more, bars - 1, &forth);
    hockey_stick(own_more, own, other_more, other, bars - 1, &back);
    (void)sc_quantity_compare(&forth, &back, &sign);
    sc_working_put(w, part, name, sign > 0 ? &forth : &back,
                   "enumeration of all outcomes, both directions", what);
    sc_balls_free(laws, 4 * (size_t)SHOWN);
}
