/* The weights exp(-rate gap) of many whole numbers gap >= 0 at one rational rate: what a choice
 * by score is made of.
 *
 * A weight is first known by a ceiling that is a 4096th too high, from two tables; then as an
 * integer of 63 binary digits that is a little too low, from three tables and a short series:
 * integers alone, no allocation, no branch, the same work for every gap and every rate. Where
 * those digits leave a decision open, which they do with probability 2^-56, it is settled with
 * as many further digits as it takes. So coins and choices built on them have exactly the
 * probabilities of the formula, and nothing is rounded.
 *
 * Claim  gap-weights.digits  w = sc_gap_weight(gap) has w <= 2^63 exp(-rate gap) < w + SC_GAP_SLACK,
 *                            and c = sc_gap_ceiling(gap) has c - c/4096 - 512 < 2^63 exp(-rate gap)
 *                            <= c
 * Claim  gap-weights.exact   sc_gap_weights_settle decides "U < 2^63 exp(-rate gap) / whole" for
 *                            the uniform real U whose digits it is given and draws; so each coin
 *                            of sc_gap_weights_flip is 1 with probability exactly exp(-rate gap)
 *
 * Why the digits hold. Let x = rate gap 2^58. The rate is (mantissa + [0,1)) 2^-(down + 58)
 * with a mantissa of 64 bits, so that gap mantissa 2^-down is below x by less than 2 while it is
 * below 2^64, its floor by less than 3, and the floor and 3 lie above x by at most 3. Beyond 2^64 - 4
 * the weight is below 2^63 exp(-63) < 2^-27 and 0 will do. exp of the negative of x 2^-58 is the
 * product of three table entries, for nine bits each, and of exp(-r), r < 2^-21. Entries are
 * rounded down, products are rounded down, and 1 - r + r^2/2 is above exp(-r) by less than
 * r^3/6 < 2^-65, for which 1 is taken off. In units of 2^-63 that loses at most 3 * 2^5 by x,
 * 3 by the entries, 4 by the series and 3 by the products: less than SC_GAP_SLACK.
 *
 * Why the ceiling holds. It takes the floor of x without its low 46 places, which is at most x
 * and above x - 2^46 - 3; so the product of two entries is at least the weight, and exceeds it
 * by less than a share of 2^-12 + 2^-56. Both entries and the product were rounded down, for
 * which 4 is added.
 */
#ifndef SC_SAMPLING_GAP_WEIGHTS_H
#define SC_SAMPLING_GAP_WEIGHTS_H

#include "base/ratio.h"
#include "random/bits.h"

#define SC_GAP_ONE ((uint64_t)1 << 63) /* the weight of gap 0 */
#define SC_GAP_SLACK ((uint64_t)128)

#define SC_GAP_PLACES 58 /* binary places of the exponent */
#define SC_GAP_TABLES 3
#define SC_GAP_TABLE_BITS 9

typedef struct sc_gap_weights {
    sc_ratio rate;
    uint64_t mantissa;
    unsigned down;
    /* exp(-i), exp(-i 2^-9), exp(-i 2^-18) for i in units of 1/8, in 63 binary places. */
    uint64_t table[SC_GAP_TABLES][1 << SC_GAP_TABLE_BITS];
} sc_gap_weights;

/* rate > 0, of any size. */
SCRIM_MUST_USE scrim_status sc_gap_weights_init(sc_gap_weights *weights,
                                                const sc_ratio *rate, scrim_error *error);
void sc_gap_weights_clear(sc_gap_weights *weights);

/* floor(rate gap 2^58), up to 2 too low; 2^64 - 4 stands for all that is beyond. */
static inline uint64_t sc_gap_exponent(const sc_gap_weights *weights, uint64_t gap)
{
    const uint64_t far = UINT64_MAX - 3;
    const sc_uint128 product = (sc_uint128)gap * weights->mantissa >> weights->down;
    return product < far ? (uint64_t)product : far;
}

/* At least 2^63 exp(-rate gap), and at most 2^63 + 4. */
static inline uint64_t sc_gap_ceiling(const sc_gap_weights *weights, uint64_t gap)
{
    const uint64_t x = sc_gap_exponent(weights, gap);
    const sc_uint128 product =
        (sc_uint128)weights->table[0][x >> 55] * weights->table[1][x >> 46 & 511];
    return (uint64_t)(product >> 63) + 4;
}

/* The first digits of exp(-rate gap). */
static inline uint64_t sc_gap_weight(const sc_gap_weights *weights, uint64_t gap)
{
    const uint64_t x = sc_gap_exponent(weights, gap) + 3;
    const uint64_t rest = x & (((uint64_t)1 << 37) - 1);
    const uint64_t half = rest >> 10; /* of 48 binary places: its square has 96 */
    uint64_t value = SC_GAP_ONE - (rest << 5) + (half * half >> 34) - 1;
    value = (uint64_t)((sc_uint128)value * weights->table[2][x >> 37 & 511] >> 63);
    value = (uint64_t)((sc_uint128)value * weights->table[1][x >> 46 & 511] >> 63);
    return (uint64_t)((sc_uint128)value * weights->table[0][x >> 55] >> 63);
}

/* Is the uniform real U in [0, 1), of which word is the first 64 binary digits, below
 * 2^63 exp(-rate gap) / whole? whole >= 1. */
SCRIM_MUST_USE scrim_status sc_gap_weights_settle(sc_bits *bits,
                                                  const sc_gap_weights *weights,
                                                  uint64_t gap, uint64_t whole,
                                                  uint64_t word, bool *out,
                                                  scrim_error *error);

/* One coin for each of 1 to 64 gaps, as a rule four from a word: bit i of heads is 1 with
 * probability exp(-rate gap[i]). */
#define SC_GAP_FLIPS 64
SCRIM_MUST_USE scrim_status sc_gap_weights_flip(sc_bits *bits,
                                                const sc_gap_weights *weights,
                                                const uint64_t *gap, unsigned count,
                                                uint64_t *heads, scrim_error *error);

#endif
