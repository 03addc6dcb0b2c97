#include "experiment/errata/quantity.h"

#include <string.h>

/* Exact texts that are longer are shown as decimals. */
#define EXACT_SHOWN 24

void sc_quantity_init(sc_quantity *out)
{
    out->is_exact = true;
    sc_ratio_init(&out->exact);
    sc_ball_init(&out->ball);
}

void sc_quantity_clear(sc_quantity *x)
{
    sc_ratio_clear(&x->exact);
    sc_ball_clear(&x->ball);
}

void sc_quantity_set(sc_quantity *out, const sc_quantity *x)
{
    out->is_exact = x->is_exact;
    sc_ratio_set(&out->exact, &x->exact);
    sc_ball_set(&out->ball, &x->ball);
}

void sc_quantity_set_int64(sc_quantity *out, int64_t value)
{
    out->is_exact = true;
    sc_ratio_set_int64(&out->exact, value);
}

void sc_quantity_set_ratio(sc_quantity *out, const sc_ratio *value)
{
    out->is_exact = true;
    sc_ratio_set(&out->exact, value);
}

void sc_quantity_set_ball(sc_quantity *out, const sc_ball *value)
{
    out->is_exact = false;
    sc_ball_set(&out->ball, value);
}

void sc_quantity_ball(const sc_quantity *x, sc_ball *out)
{
    if (x->is_exact)
        sc_ball_set_ratio(out, &x->exact, SC_QUANTITY_BITS);
    else
        sc_ball_set(out, &x->ball);
}

bool sc_quantity_int64(const sc_quantity *x, int64_t *out)
{
    SC_OWN(sc_integer, whole);
    sc_int128 wide;
    if (!x->is_exact || !sc_ratio_is_integer(&x->exact))
        return false;
    sc_ratio_floor(&x->exact, &whole);
    if (!sc_integer_get_int128(&whole, &wide) || wide > INT64_MAX || wide < INT64_MIN)
        return false;
    *out = (int64_t)wide;
    return true;
}

bool sc_quantity_compare(const sc_quantity *a, const sc_quantity *b, int *out)
{
    if (a->is_exact && b->is_exact) {
        *out = sc_ratio_compare(&a->exact, &b->exact);
        return true;
    }
    SC_OWN(sc_ball, left, right);
    sc_quantity_ball(a, &left);
    sc_quantity_ball(b, &right);
    if (sc_ball_is_less(&left, &right)) {
        *out = -1;
        return true;
    }
    *out = 1;
    return sc_ball_is_less(&right, &left);
}

/* How many significant digits of a ball are certain, at most SC_QUANTITY_DIGITS. */
static int certain_digits(const sc_ball *ball)
{
    int digits = SC_QUANTITY_DIGITS;
    /* A digit has 3.33 bits; two more for rounding the last one. */
    while (digits > 1 && !sc_ball_is_accurate(ball, 2 + (long)digits * 10 / 3))
        digits--;
    return digits;
}

void sc_quantity_format(const sc_quantity *x, char text[SC_QUANTITY_TEXT_BYTES])
{
    char whole[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ball, ball);
    if (x->is_exact && sc_ratio_bits(&x->exact) < 128 &&
        sc_ratio_format(&x->exact, whole, sizeof whole) <= EXACT_SHOWN) {
        memcpy(text, whole, strlen(whole) + 1);
        return;
    }
    sc_quantity_ball(x, &ball);
    if (!sc_ball_is_finite(&ball)) {
        memcpy(text, "inf", 4);
        return;
    }
    sc_ball_format(&ball, certain_digits(&ball), text, SC_QUANTITY_TEXT_BYTES);
}
