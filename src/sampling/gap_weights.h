/* The weights exp(-rate gap) of many whole numbers gap >= 0 at one rational rate: what a choice
 * by score is made of.
 *
 * A weight is first known by a ceiling that is a 4096th too high, from two tables; then as an
 * integer of 63 binary digits that is a little too low, from three tables and a short series:
 * integers alone, no allocation, no branch, the same work for every gap and every rate. Where
 * those digits leave a decision open, which they do with probability 2^-55, it is settled with
 * as many further digits as it takes. So coins and choices built on them have exactly the
 * probabilities of the formula, and nothing is rounded.
 *
 * Claim  gap-weights.digits  w = sc_gap_weight(gap) has w <= 2^63 exp(-rate gap) < w + SC_GAP_SLACK,
 *                            and c = sc_gap_ceiling(gap) has c - c/4096 - 1024 < 2^63 exp(-rate gap)
 *                            <= c
 * Claim  gap-weights.exact   sc_gap_weights_settle decides "U < 2^63 exp(-rate gap) / whole" for
 *                            the uniform real U whose digits it is given and draws; so each coin
 *                            of sc_gap_weights_flip is 1 with probability exactly exp(-rate gap)
 *
 * Why the digits hold. Let x = rate gap 2^57. The rate is (high 2^64 + low + [0,1)) 2^-121, or 64
 * and more; so the floor of gap (high + low 2^-64) is below x by less than 2, and the floor and 2
 * lie above x by at most 2. From 2^63 on, and for any gap at a rate of 64 and more, the weight is
 * below 2^63 exp(-63) < 2^-27 and 0 will do. exp of the negative of x 2^-57 is the product of
 * three table entries, for nine bits each, and of exp(-r), r < 2^-21. Entries are rounded down,
 * products are rounded down, and 1 - r + r^2/2 is above exp(-r) by less than r^3/6 < 2^-65, for
 * which 1 is taken off. In units of 2^-63 that loses at most 2 * 2^6 by x, 3 by the entries, 4
 * by the series and 3 by the products: less than SC_GAP_SLACK.
 *
 * Why the ceiling holds. It takes the floor of x without its low 45 places, which is at most x
 * and above x - 2^45 - 2; so the product of two entries is at least the weight, and exceeds it
 * by less than a share of 2^-12 + 2^-55. Both entries and the product were rounded down, for
 * which 4 is added.
 */
#ifndef SC_SAMPLING_GAP_WEIGHTS_H
#define SC_SAMPLING_GAP_WEIGHTS_H

#include "base/number/ratio.h"
#include "random/bits.h"

#define SC_GAP_ONE ((uint64_t)1 << 63) /* the weight of gap 0 */
#define SC_GAP_SLACK ((uint64_t)256)

#define SC_GAP_PLACES 57 /* binary places of the exponent */
#define SC_GAP_TABLES 3
#define SC_GAP_TABLE_BITS 9

typedef struct sc_gap_weights {
    sc_ratio rate;
    uint64_t high, low; /* floor(rate 2^121), at most 2^127 - 1 */
    /* exp(-i), exp(-i 2^-9), exp(-i 2^-18) for i in units of 1/8, in 63 binary places. */
    uint64_t table[SC_GAP_TABLES][1 << SC_GAP_TABLE_BITS];
} sc_gap_weights;

/* rate > 0, of any size. */
SCRIM_MUST_USE scrim_status sc_gap_weights_init(sc_gap_weights *weights,
                                                const sc_ratio *rate, scrim_error *error);
void sc_gap_weights_clear(sc_gap_weights *weights);

/* floor(rate gap 2^57) and plus, up to 1 too low; all bits 1 stand for 2^63 and more. */
static inline uint64_t sc_gap_exponent(const sc_gap_weights *weights, uint64_t gap,
                                       uint64_t plus)
{
    const uint64_t carry = (uint64_t)((sc_uint128)gap * weights->low >> 64);
    const sc_uint128 x = (sc_uint128)gap * weights->high + carry + plus;
    /* Below 2^63, as high is: so the highest bit of its negative tells whether it is 0. */
    const uint64_t beyond = (uint64_t)(x >> 64) | (uint64_t)x >> 63;
    return (uint64_t)x | (0 - ((0 - beyond) >> 63));
}

/* At least 2^63 exp(-rate gap), and at most 2^63 + 4. */
static inline uint64_t sc_gap_ceiling(const sc_gap_weights *weights, uint64_t gap)
{
    const uint64_t x = sc_gap_exponent(weights, gap, 0);
    const sc_uint128 product =
        (sc_uint128)weights->table[0][x >> 54 & 511] * weights->table[1][x >> 45 & 511];
    return (uint64_t)(product >> 63) + 4;
}

/* The first digits of exp(-rate gap). */
static inline uint64_t sc_gap_weight(const sc_gap_weights *weights, uint64_t gap)
{
    const uint64_t x = sc_gap_exponent(weights, gap, 2);
    const uint64_t rest = x & (((uint64_t)1 << 36) - 1);
    const uint64_t half = rest >> 9; /* of 48 binary places: its square has 96 */
    uint64_t value = SC_GAP_ONE - (rest << 6) + (half * half >> 34) - 1;
    value = (uint64_t)((sc_uint128)value * weights->table[2][x >> 36 & 511] >> 63);
    value = (uint64_t)((sc_uint128)value * weights->table[1][x >> 45 & 511] >> 63);
    return (uint64_t)((sc_uint128)value * weights->table[0][x >> 54 & 511] >> 63);
}

/* Is the uniform real U in [0, 1), of which word is the first 64 binary digits, below
 * 2^63 exp(-rate gap) / whole? whole >= 1. */
SCRIM_MUST_USE scrim_status sc_gap_weights_settle(sc_bits *bits,
                                                  const sc_gap_weights *weights,
                                                  uint64_t gap, uint64_t whole,
                                                  uint64_t word, bool *out,
                                                  scrim_error *error);

/* One coin for each of 1 to 64 values of at most top, as a rule four from a word: bit i of heads
 * is 1 with probability exp(-rate (top - value[i])). */
#define SC_GAP_FLIPS 64
SCRIM_MUST_USE scrim_status sc_gap_weights_flip(sc_bits *bits,
                                                const sc_gap_weights *weights,
                                                int64_t top, const int64_t *value,
                                                unsigned count, uint64_t *heads,
                                                scrim_error *error);

#endif
