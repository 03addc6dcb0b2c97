/* Reading bits ahead: numbers below n in strings of bits, and the reference samplers on such
 * strings. */
#ifndef SC_SAMPLING_AHEAD_H
#define SC_SAMPLING_AHEAD_H

#include "base/checked.h"
#include "random/bits_ahead.h"
#include "sampling/coin_runs.h"

/* The numbers below n, prepared to be read from strings of bits.
 *
 * The reference (spec/mechanisms.md 1.2) cuts its bits into chunks as wide as n - 1 and
 * takes the first that is below n. Where many are not, that is a coin flip to the
 * processor too; so there all chunks of a string are compared at once: n - 1 and a bit
 * above it, the guard, less the chunk leaves the guard if the chunk is below n. The bit
 * above a chunk is the first of the next, and so every other chunk is done in one
 * subtraction, and the rest in a second.
 *
 * Claim  range.same  the ends of the chunks that are below n, and no other bits, are set
 */

typedef struct sc_range {
    uint64_t n;           /* 1 to 2^55 */
    uint64_t mask;        /* of a chunk */
    unsigned width, span; /* bits of a chunk, and of the whole chunks of a string */
    bool is_sparse;       /* many chunks are refused, and a string has several */
    uint64_t chunks[2], tops[2],
        guards[2]; /* of chunks 0, 2, .. and of chunks 1, 3, .. */
} sc_range;

void sc_range_init(sc_range *range, uint64_t n);

/* Bit e is set where a whole chunk that is below n ends before it. Not for n = 1. */
static inline uint64_t sc_range_ends(const sc_range *range, uint64_t string)
{
    return ((range->tops[0] - (string & range->chunks[0])) & range->guards[0]) |
           ((range->tops[1] - (string & range->chunks[1])) & range->guards[1]);
}

/* The chunk that ends before bit end. */
static inline uint64_t sc_range_chunk(const sc_range *range, uint64_t string,
                                      unsigned end)
{
    return string >> (end - range->width) & range->mask;
}

/* The reference samplers once more, on bits read ahead: the same loops over the same bits,
 * but in registers, and with few branches that depend on them, for those are what a draw
 * costs. The plain ones stay beside them as the text to hold against the paper, and to draw
 * where reading ahead comes to an end.
 *
 * Each function returns false where the bits that may be read end before the value is
 * known. The caller then draws again, from the same first bit, with the sampler that the
 * comment names. So it is the reference, too, that reports a broken source: the bits end
 * before any loop outlasts SC_BITS_PATIENCE.
 *
 * Claim  ahead.same  a draw read ahead has the value of the reference sampler's draw, and
 *                    takes as many bits
 */

/* sc_uniform_64, n < 2^63; in vain above 2^SC_AHEAD_BITS. */
SC_AHEAD bool sc_ahead_uniform_64(sc_bits_ahead *ahead, uint64_t n, uint64_t *out)
{
    unsigned width = 63 - (unsigned)__builtin_clzll(2 * n - 1); /* bit_length(n - 1) */
    do {
        if (!sc_bits_ahead_take(ahead, width, out))
            return false;
    } while (*out >= n);
    return true;
}

/* sc_uniform_128, n < 2^126; in vain above twice as many bits. */
SC_AHEAD bool sc_ahead_uniform_128(sc_bits_ahead *ahead, sc_uint128 n, sc_uint128 *out)
{
    unsigned width = sc_bit_length128(n - 1),
             lower = width < SC_AHEAD_BITS ? width : SC_AHEAD_BITS;
    do {
        uint64_t low, high;
        if (!sc_bits_ahead_take(ahead, lower, &low) ||
            !sc_bits_ahead_take(ahead, width - lower, &high))
            return false;
        *out = (sc_uint128)high << lower | low;
    } while (*out >= n);
    return true;
}

/* sc_uniform_64 of a range; is_sparse is the range's, or false. */
SC_AHEAD bool sc_ahead_below(sc_bits_ahead *ahead, const sc_range *range, bool is_sparse,
                             uint64_t *out)
{
    do {
        if (!is_sparse) {
            if (!sc_bits_ahead_need(ahead, range->width))
                return false;
            *out = ahead->string & range->mask;
            sc_bits_ahead_skip(ahead, range->width);
            continue;
        }
        if (!sc_bits_ahead_load(ahead))
            return false;
        const uint64_t ends = sc_range_ends(range, ahead->string);
        const unsigned end = ends == 0 ? range->span : (unsigned)__builtin_ctzll(ends);
        *out = sc_range_chunk(range, ahead->string, end);
        sc_bits_ahead_skip(ahead, end);
    } while (__builtin_expect(*out >= range->n, 0));
    return true;
}

/* sc_bernoulli_exp01_64 from its turn `passed` on. Each turn takes the bits of d, so that
 * the bits end before d k leaves 63 of them. */
SC_AHEAD bool sc_ahead_exp01_64(sc_bits_ahead *ahead, uint64_t passed, uint64_t n,
                                uint64_t d, bool *out)
{
    uint64_t k = passed, value;
    do {
        k++;
        if (!sc_ahead_uniform_64(ahead, d * k, &value))
            return false;
    } while (value < n);
    *out = k & 1;
    return true;
}

/* The same in wider integers: d k stays below 2^126 likewise. */
SC_AHEAD bool sc_ahead_exp01_128(sc_bits_ahead *ahead, uint64_t passed, sc_uint128 n,
                                 sc_uint128 d, bool *out)
{
    sc_uint128 k = passed, value;
    do {
        k++;
        if (!sc_ahead_uniform_128(ahead, d * k, &value))
            return false;
    } while (value < n);
    *out = k & 1;
    return true;
}

/* sc_bernoulli_exp01_64 with n = d = 1: turn k passes on the 0 of the numbers below k.
 * Turn 1 takes no bit, and five coins of six end at turns 2 and 3, which are written out
 * so that their widths are constants. */
SC_AHEAD bool sc_ahead_exp1(sc_bits_ahead *ahead, bool *out)
{
    uint64_t k = 2, value;
    if (!sc_ahead_uniform_64(ahead, 2, &value))
        return false;
    if (value == 0) {
        k = 3;
        if (!sc_ahead_uniform_64(ahead, 3, &value))
            return false;
    }
    while (value == 0) {
        k++;
        if (!sc_ahead_uniform_64(ahead, k, &value))
            return false;
    }
    *out = k & 1;
    return true;
}

/* sc_coin_run, coin by coin. */
SC_AHEAD bool sc_ahead_coin_run(sc_bits_ahead *ahead, uint64_t *out)
{
    bool pass = true;
    for (*out = 0; pass; *out += pass)
        if (!sc_ahead_exp1(ahead, &pass))
            return false;
    return true;
}

/* sc_discrete_laplace_turn, repeated until it is accepted; t < 2^50. */
SC_AHEAD bool sc_ahead_laplace(sc_bits_ahead *ahead, uint64_t t, uint64_t s, int64_t *out)
{
    for (;;) {
        uint64_t u, v, negative;
        bool pass;
        if (!sc_bits_ahead_load(ahead) || !sc_ahead_uniform_64(ahead, t, &u) ||
            !sc_ahead_exp01_64(ahead, 0, u, t, &pass))
            return false;
        if (!pass)
            continue;
        if (!sc_ahead_coin_run(ahead, &v))
            return false;
        uint64_t magnitude = u + t * v; /* below 2^50 (1 + 2^13) */
        if (s != 1)
            magnitude /= s;
        if (!sc_bits_ahead_take(ahead, 1, &negative))
            return false;
        /* Without a branch on the sign, which would be mispredicted every other time. */
        if (negative & (magnitude == 0))
            continue;
        *out = (int64_t)magnitude * (1 - 2 * (int64_t)negative);
        return true;
    }
}

#endif
