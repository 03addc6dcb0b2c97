#include "sampling/decay.h"

/* -k/scale. */
static void exponent(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, denominator);
    sc_ball_set_ratio(&denominator, scale, bits);
    sc_ball_set_int128(out, -k);
    sc_ball_div(out, out, &denominator, bits);
}

void sc_decay(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    /* An exponent of up to 2^180 needs so many bits more for a result with bits of
     * them. */
    exponent(scale, k, bits + 192, out);
    sc_ball_exp(out, out, bits);
}

void sc_decay_rest(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out)
{
    exponent(scale, k, bits + 192, out);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_decay_spread(const sc_ratio *scale, long bits, sc_ball *out)
{
    exponent(scale, 1, bits + 192, out);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_sinh(out, out, bits);
    sc_ball_mul(out, out, out, bits);
    sc_ball_mul_power2(out, out, 2);
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(out, &one, out, bits);
}

/* With n = last and p = exp(-1/scale):
 *   order 0   (1 - p^(n+1)) / (1-p)
 *   order 1   p (1 - (n+1) p^n + n p^(n+1)) / (1-p)^2
 *   order 2   p (1 + p - (n+1)^2 p^n + (2n^2+2n-1) p^(n+1) - n^2 p^(n+2)) / (1-p)^3
 * The brackets cancel where n is short against the scale: 3 log2 of the scale, and of the
 * quotient, at most 360 bits. */
static void bracket(const sc_ratio *scale, sc_int128 n, int order, long bits,
                    sc_ball *out)
{
    SC_OWN(sc_ball, power, factor);
    sc_ball_set_int64(out, 1);
    if (order == 2) {
        sc_decay(scale, 1, bits, &power);
        sc_ball_add(out, out, &power, bits);
    }
    SC_OWN(sc_ball, big);
    sc_ball_set_int128(&big, n);
    for (int j = 0; j <= order; j++) {
        /* The factor of p^(n+j): order 1: -(n+1), n; order 2: -(n+1)^2, 2n^2+2n-1,
         * -n^2. */
        sc_ball_add_int64(&factor, &big, j == 0 ? 1 : 0, bits);
        if (order == 2 && j != 1)
            sc_ball_mul(&factor, &factor, &factor, bits);
        if (order == 2 && j == 1) {
            sc_ball_add_int64(&factor, &big, 1, bits);
            sc_ball_mul(&factor, &factor, &big, bits);
            sc_ball_mul_power2(&factor, &factor, 1);
            sc_ball_add_int64(&factor, &factor, -1, bits);
        }
        if (j != 1)
            sc_ball_neg(&factor, &factor);
        sc_decay(scale, n + j, bits, &power);
        sc_ball_mul(&factor, &factor, &power, bits);
        sc_ball_add(out, out, &factor, bits);
    }
}

void sc_decay_sum(const sc_ratio *scale, sc_int128 last, int order, long bits,
                  sc_ball *out)
{
    SC_OWN(sc_ball, rest, divisor);
    long wide = bits + 512;
    sc_decay_rest(scale, 1, wide, &rest);
    sc_ball_power(&divisor, &rest, (uint64_t)order + 1, wide);
    if (order == 0) {
        sc_decay_rest(scale, last + 1, wide, out);
    } else {
        bracket(scale, last, order, wide, out);
        sc_decay(scale, 1, wide, &rest);
        sc_ball_mul(out, out, &rest, wide);
    }
    sc_ball_div(out, out, &divisor, bits);
}
