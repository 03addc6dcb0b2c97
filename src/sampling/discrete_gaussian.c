#include "sampling/discrete_gaussian.h"

/* Chooses the narrowest integers in which the acceptance probability is exact. */
static void set_width(sc_gaussian *g)
{
    g->width = 0;
    g->slope64 = g->a64 = 0;
    g->denominator128 = 0;
    if (sc_integer_bits(&g->denominator) > SC_EXP_128_BITS ||
        sc_integer_bits(&g->slope) > 63 || sc_integer_bits(&g->variance.n) > 63)
        return;
    if (sc_integer_get_uint64(&g->slope, &g->slope64) &&
        sc_integer_get_uint64(&g->variance.n, &g->a64) &&
        sc_integer_get_uint128(&g->denominator, &g->denominator128))
        g->width = sc_integer_bits(&g->denominator) <= SC_EXP_64_BITS ? 64 : 128;
}

void sc_gaussian_init(sc_gaussian *g, const sc_ratio *variance)
{
    SC_OWN(sc_integer, t, one);
    sc_integer_init(&g->slope);
    sc_integer_init(&g->denominator);
    sc_integer_set_int128(&one, 1);
    sc_fraction_init(&g->variance, variance);
    const sc_integer *a = &g->variance.n, *b = &g->variance.d;

    sc_integer_divide(&t, NULL, a, b);
    sc_integer_sqrt(&t, &t);
    sc_integer_add(&t, &t, &one);
    sc_fraction_init_integers(&g->proposal, &t, &one);
    sc_integer_mul(&g->slope, b, &t);
    sc_integer_mul(&g->denominator, &g->slope, &t);
    sc_integer_mul(&g->denominator, &g->denominator, a);
    sc_integer_mul_uint64(&g->denominator, &g->denominator, 2);
    set_width(g);
    if (g->width != 0 && g->proposal.is_small)
        sc_gaussian_ahead_init(&g->ahead, g->proposal.n64, g->slope64, g->a64,
                               g->denominator128);
}

void sc_gaussian_clear(sc_gaussian *g)
{
    sc_fraction_clear(&g->variance);
    sc_fraction_clear(&g->proposal);
    sc_integer_clear(&g->slope);
    sc_integer_clear(&g->denominator);
}

static scrim_status accept_integer(sc_bits *bits, const sc_gaussian *g,
                                   sc_int128 magnitude, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, square);
    sc_integer_set_int128(&square, magnitude);
    sc_integer_mul(&square, &square, &g->slope);
    sc_integer_sub(&square, &square, &g->variance.n);
    sc_integer_mul(&square, &square, &square);
    return sc_bernoulli_exp_integer(bits, &square, &g->denominator, out, error);
}

/* m = ||y| b t - a|, whose square is the numerator; false unless it is below 2^63. */
static inline bool numerator_root(const sc_gaussian *g, uint64_t magnitude, uint64_t *m)
{
    uint64_t product;
    if (__builtin_mul_overflow(magnitude, g->slope64, &product))
        return false;
    *m = product > g->a64 ? product - g->a64 : g->a64 - product;
    return *m >> 63 == 0;
}

/* May the 64-bit coin be used: does m^2 fit 64 bits, and is the denominator small enough for it? */
static inline bool is_narrow(const sc_gaussian *g, uint64_t m)
{
    return g->width == 64 && m >> 32 == 0;
}

scrim_status sc_discrete_gaussian_accept(sc_bits *bits, const sc_gaussian *g, sc_int128 y,
                                         bool *out, scrim_error *error)
{
    sc_int128 magnitude = y < 0 ? -y : y;
    uint64_t m;
    if (g->width == 0 || magnitude > INT64_MAX ||
        !numerator_root(g, (uint64_t)magnitude, &m))
        return accept_integer(bits, g, magnitude, out, error);
    if (is_narrow(g, m))
        return sc_bernoulli_exp_64(bits, m * m, (uint64_t)g->denominator128, out, error);
    return sc_bernoulli_exp_128(bits, (sc_uint128)m * m, g->denominator128, out, error);
}

static scrim_status draw_plain(sc_bits *bits, const sc_gaussian *g, sc_int128 *out,
                               scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        sc_int128 y = 0;
        bool accepted = false;
        scrim_status status =
            sc_discrete_laplace_reference(bits, &g->proposal, &y, error);
        if (status == SCRIM_OK)
            status = sc_discrete_gaussian_accept(bits, g, y, &accepted, error);
        if (status != SCRIM_OK)
            return status;
        if (accepted) {
            *out = y;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

scrim_status sc_discrete_gaussian_reference_fill(sc_bits *bits, const sc_gaussian *g,
                                                 size_t count, sc_int128 *out,
                                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t done = 0; status == SCRIM_OK && done < count; done++) {
        if (g->width != 0 && g->proposal.is_small)
            done += sc_gaussian_ahead_fill(bits, &g->ahead, count - done, out + done);
        if (done < count)
            status = draw_plain(bits, g, &out[done], error);
    }
    return status;
}

scrim_status sc_discrete_gaussian_reference(sc_bits *bits, const sc_gaussian *g,
                                            sc_int128 *out, scrim_error *error)
{
    return sc_discrete_gaussian_reference_fill(bits, g, 1, out, error);
}
