/* The reference sampler of the discrete Gaussian (discrete_gaussian.h) on bits read ahead.
 *
 * It tosses the coins of the reference in the same order, on the same bits. What makes it
 * quicker is that few of its branches are coin flips to the processor: runs of whole coins
 * are looked up (coin_runs.h), refused chunks are skipped all at once (ahead.h), a number
 * wider than a word is compared by its first digits, and what happens rarely is left to
 * functions of their own.
 *
 * Claim  gaussian-ahead.same  a draw has the value of the reference sampler's draw, and takes
 *                             as many bits
 */
#ifndef SC_SAMPLING_GAUSSIAN_AHEAD_H
#define SC_SAMPLING_GAUSSIAN_AHEAD_H

#include "base/checked.h"
#include "sampling/ahead.h"
#include "sampling/coin_runs.h"

#define SC_GAUSSIAN_AHEAD_TURNS                                                          \
    2 /* of the coin that accepts, the most that are prepared */

/* The first digits of d k. */
typedef struct sc_gaussian_digits {
    unsigned width,
        unread; /* of the numbers below d k, and their low bits not looked at */
    uint64_t mask, first;
} sc_gaussian_digits;

typedef struct sc_gaussian_ahead {
    sc_range proposal[3];                   /* below t, 2t and 3t */
    sc_range coin[SC_GAUSSIAN_AHEAD_TURNS]; /* below d and 2d, unless is_wide */
    sc_gaussian_digits digits[SC_GAUSSIAN_AHEAD_TURNS]; /* if is_wide */
    uint64_t slope, a; /* b t and a, for a variance of a/b */
    sc_uint128 d;      /* 2 a b t^2 */
    bool is_wide;      /* 2 d is wider than a string */
    sc_coin_runs runs;
} sc_gaussian_ahead;

/* t < 2^50, slope and a < 2^63, d < 2^115. */
void sc_gaussian_ahead_init(sc_gaussian_ahead *g, uint64_t t, uint64_t slope, uint64_t a,
                            sc_uint128 d);
/* As many of count draws as the bits that are ready suffice for, unless one before is too
 * close or too far out for the integers here: then that is the first that is not drawn. */
size_t sc_gaussian_ahead_fill(sc_bits *bits, const sc_gaussian_ahead *g, size_t count,
                              sc_int128 *out);

#endif
