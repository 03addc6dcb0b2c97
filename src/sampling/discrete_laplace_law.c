#include "sampling/decay.h"
#include "sampling/law.h"

/* 1 + p */
static void one_plus(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay(&law->shape, 1, bits, out);
    sc_ball_add_int64(out, out, 1, bits);
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_decay(&law->shape, k < 0 ? -k : k, bits, out);
    sc_decay_rest(&law->shape, 1, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    one_plus(law, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

/* p^m / (1+p) */
static void at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    one_plus(law, bits, &part);
    sc_decay(&law->shape, m, bits, out);
    sc_ball_div(out, out, &part, bits);
}

static void variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
    sc_ball_mul_power2(out, out, 1);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = SC_INT128_MIN;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_discrete_laplace_law = {.is_symmetric = true,
                                                  .pmf = pmf,
                                                  .at_least = at_least,
                                                  .variance = variance,
                                                  .support = support};
