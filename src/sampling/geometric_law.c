#include "sampling/decay.h"
#include "sampling/law.h"

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    sc_decay_rest(&law->shape, 1, bits, &rest);
    sc_decay(&law->shape, k, bits, out);
    sc_ball_mul(out, out, &rest, bits);
}

static void at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_decay_rest(&law->shape, k + 1, bits, out);
}

static void at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_decay(&law->shape, k, bits, out);
}

/* p / (1-p) */
static void mean(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    sc_decay_rest(&law->shape, 1, bits, &rest);
    sc_decay(&law->shape, 1, bits, out);
    sc_ball_div(out, out, &rest, bits);
}

static void variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = 0;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_geometric_law = {.pmf = pmf,
                                           .at_most = at_most,
                                           .at_least = at_least,
                                           .mean = mean,
                                           .variance = variance,
                                           .support = support};
