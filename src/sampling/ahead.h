/* The reference samplers once more, on bits read ahead: the same loops over the same bits,
 * but in registers. They are half as fast again as the plain ones, which stay beside them as
 * the text to hold against the paper, and to draw where reading ahead comes to an end.
 *
 * Each function returns false where the bits that may be read end before the value is
 * known. The caller then draws again, from the same first bit, with the sampler that the
 * comment names. So it is the reference, too, that reports a broken source: the bits end
 * before any loop outlasts SC_BITS_PATIENCE.
 *
 * Claim  ahead.same  a draw read ahead has the value of the reference sampler's draw, and
 *                    takes as many bits
 */
#ifndef SC_SAMPLING_AHEAD_H
#define SC_SAMPLING_AHEAD_H

#include "base/checked.h"
#include "random/bits_ahead.h"

/* sc_uniform_64, n < 2^63. */
SC_AHEAD bool sc_ahead_uniform_64(sc_bits_ahead *ahead, uint64_t n, uint64_t *out)
{
    unsigned width = 63 - (unsigned)__builtin_clzll(2 * n - 1); /* bit_length(n - 1) */
    do {
        if (!sc_bits_ahead_take(ahead, width, out))
            return false;
    } while (*out >= n);
    return true;
}

/* sc_uniform_128, n < 2^126. */
SC_AHEAD bool sc_ahead_uniform_128(sc_bits_ahead *ahead, sc_uint128 n, sc_uint128 *out)
{
    unsigned width = sc_bit_length128(n - 1), lower = width < 63 ? width : 63;
    do {
        uint64_t low, high;
        if (!sc_bits_ahead_take(ahead, lower, &low) ||
            !sc_bits_ahead_take(ahead, width - lower, &high))
            return false;
        *out = (sc_uint128)high << lower | low;
    } while (*out >= n);
    return true;
}

/* sc_bernoulli_exp01_64. Each turn takes the bits of d, so that the bits end before d k
 * leaves 63 of them. */
SC_AHEAD bool sc_ahead_exp01_64(sc_bits_ahead *ahead, uint64_t n, uint64_t d, bool *out)
{
    uint64_t k = 0, value;
    do {
        k++;
        if (!sc_ahead_uniform_64(ahead, d * k, &value))
            return false;
    } while (value < n);
    *out = k & 1;
    return true;
}

/* sc_bernoulli_exp01_64 with n = d = 1. Its first turn passes without a bit. Its second
 * ends, false, on the bit 1; after 0 the third ends, true, on 01 and 10. That is three
 * coins of four, decided without a loop. The others (00 goes on, 11 is drawn again) are
 * left to it, from the first bit. */
SC_AHEAD bool sc_ahead_exp1(sc_bits_ahead *ahead, bool *out)
{
    uint64_t first = ahead->reservoir & 1;
    uint64_t third_ends = (ahead->reservoir >> 1 ^ ahead->reservoir >> 2) & 1;
    if (ahead->held >= 3 && (first | third_ends) != 0) {
        unsigned count = 3 - 2 * (unsigned)first;
        ahead->reservoir >>= count;
        ahead->held -= count;
        *out = !first;
        return true;
    }
    return sc_ahead_exp01_64(ahead, 1, 1, out);
}

/* sc_discrete_laplace_turn, repeated until it is accepted; t < 2^50. */
SC_AHEAD bool sc_ahead_laplace(sc_bits_ahead *ahead, uint64_t t, uint64_t s, int64_t *out)
{
    for (;;) {
        uint64_t u, v = 0, negative;
        bool pass;
        if (!sc_ahead_uniform_64(ahead, t, &u) || !sc_ahead_exp01_64(ahead, u, t, &pass))
            return false;
        if (!pass)
            continue;
        for (; pass; v += pass)
            if (!sc_ahead_exp1(ahead, &pass))
                return false;
        uint64_t magnitude = u + t * v; /* below 2^50 (1 + 2^13) */
        if (s != 1)
            magnitude /= s;
        if (!sc_bits_ahead_take(ahead, 1, &negative))
            return false;
        if (negative && magnitude == 0)
            continue;
        /* Times 1 or -1: a branch on the sign would be mispredicted every other time. */
        *out = (int64_t)magnitude * (1 - 2 * (int64_t)negative);
        return true;
    }
}

/* sc_bernoulli_exp_64. */
SC_AHEAD bool sc_ahead_exp_64(sc_bits_ahead *ahead, uint64_t n, uint64_t d, bool *out)
{
    for (; n >= d; n -= d) {
        if (!sc_ahead_exp1(ahead, out))
            return false;
        if (!*out)
            return true;
    }
    return sc_ahead_exp01_64(ahead, n, d, out);
}

/* sc_bernoulli_exp_128; d k stays below 2^126 likewise. */
SC_AHEAD bool sc_ahead_exp_128(sc_bits_ahead *ahead, sc_uint128 n, sc_uint128 d,
                               bool *out)
{
    for (; n >= d; n -= d) {
        if (!sc_ahead_exp1(ahead, out))
            return false;
        if (!*out)
            return true;
    }
    sc_uint128 k = 0, value;
    do {
        k++;
        if (!sc_ahead_uniform_128(ahead, d * k, &value))
            return false;
    } while (value < n);
    *out = k & 1;
    return true;
}

#endif
