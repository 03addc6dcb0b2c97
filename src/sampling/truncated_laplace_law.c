#include "sampling/decay.h"
#include "sampling/law.h"

/* Z = 1 + 2 (p + .. + p^B) */
static void normaliser(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_sum(&law->shape, law->bound, 0, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_add_int64(out, out, -1, bits);
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_ball z;
    sc_ball_init(&z);
    normaliser(law, bits, &z);
    sc_decay(&law->shape, k < 0 ? -k : k, bits, out);
    sc_ball_div(out, out, &z, bits);
    sc_ball_clear(&z);
}

/* (p^m + .. + p^B) / Z from m = 1 on; below, the rest of the other side. */
static void at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    sc_int128 first = m >= 1 ? m : 1 - m;
    sc_ball part;
    sc_ball_init(&part);
    sc_decay_sum(&law->shape, law->bound - first, 0, bits, out);
    sc_decay(&law->shape, first, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    normaliser(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
    if (m < 1) {
        sc_ball_set_int64(&part, 1);
        sc_ball_sub(out, &part, out, bits);
    }
    sc_ball_clear(&part);
}

static void at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    at_least(law, -k, bits, out);
}

static void mean(const sc_law *law, long bits, sc_ball *out)
{
    (void)law;
    (void)bits;
    sc_ball_set_int64(out, 0);
}

static void variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_ball z;
    sc_ball_init(&z);
    normaliser(law, bits, &z);
    sc_decay_sum(&law->shape, law->bound, 2, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_div(out, out, &z, bits);
    sc_ball_clear(&z);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = law->bound;
}

const sc_law_functions sc_truncated_laplace_law = {pmf,  at_most,  at_least,
                                                   mean, variance, support};
