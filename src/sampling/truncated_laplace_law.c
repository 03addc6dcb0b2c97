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
    SC_OWN(sc_ball, z);
    normaliser(law, bits, &z);
    sc_decay(&law->shape, k < 0 ? -k : k, bits, out);
    sc_ball_div(out, out, &z, bits);
}

/* (p^m + .. + p^B) / Z */
static void at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_decay_sum(&law->shape, law->bound - m, 0, bits, out);
    sc_decay(&law->shape, m, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    normaliser(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

static void variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, z);
    normaliser(law, bits, &z);
    sc_decay_sum(&law->shape, law->bound, 2, bits, out);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_div(out, out, &z, bits);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = law->bound;
}

const sc_law_functions sc_truncated_laplace_law = {.is_symmetric = true,
                                                   .pmf = pmf,
                                                   .at_least = at_least,
                                                   .variance = variance,
                                                   .support = support};
