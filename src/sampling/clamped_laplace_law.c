#include "sampling/decay.h"
#include "sampling/law.h"

/* Inside the bound the law is the discrete Laplace's; an end carries its whole tail. */

static void at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    sc_discrete_laplace_law.at_least(law, m, bits, out);
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    if (k == law->bound || k == -law->bound)
        at_least(law, law->bound, bits, out);
    else
        sc_discrete_laplace_law.pmf(law, k, bits, out);
}

/* 2 P(0) sum over k < B of k^2 p^k, and B^2 for both ends. */
static void variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part, square);
    sc_decay_sum(&law->shape, law->bound - 1, 2, bits, out);
    sc_discrete_laplace_law.pmf(law, 0, bits, &part);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_set_int128(&square, law->bound);
    sc_ball_mul(&square, &square, &square, bits);
    at_least(law, law->bound, bits, &part);
    sc_ball_mul(&square, &square, &part, bits);
    sc_ball_add(out, out, &square, bits);
    sc_ball_mul_power2(out, out, 1);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = law->bound;
}

const sc_law_functions sc_clamped_laplace_law = {.is_symmetric = true,
                                                 .pmf = pmf,
                                                 .at_least = at_least,
                                                 .variance = variance,
                                                 .support = support};
