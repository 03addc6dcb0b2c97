#include "sampling/law.h"

static void over_n(const sc_law *law, sc_int128 numerator, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, n);
    sc_ball_set_int128(&n, law->bound);
    sc_ball_set_int128(out, numerator);
    sc_ball_div(out, out, &n, bits);
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    (void)k;
    over_n(law, 1, bits, out);
}

static void at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    over_n(law, k + 1, bits, out);
}

static void at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    over_n(law, law->bound - k, bits, out);
}

static void mean(const sc_law *law, long bits, sc_ball *out)
{
    (void)bits;
    sc_ball_set_int128(out, law->bound - 1);
    sc_ball_mul_power2(out, out, -1);
}

/* (n^2 - 1) / 12 */
static void variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, twelve);
    sc_ball_set_int64(&twelve, 12);
    sc_ball_set_int128(out, law->bound);
    sc_ball_mul(out, out, out, bits + 256);
    sc_ball_add_int64(out, out, -1, bits + 256);
    sc_ball_div(out, out, &twelve, bits);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = 0;
    *high = law->bound - 1;
}

const sc_law_functions sc_uniform_law = {.pmf = pmf,
                                         .at_most = at_most,
                                         .at_least = at_least,
                                         .mean = mean,
                                         .variance = variance,
                                         .support = support};
