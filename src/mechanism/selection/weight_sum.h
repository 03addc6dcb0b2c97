/* Sums of integer weights, each times a number of cells, exact in 256 bits; and a uniform
 * draw below such a sum.
 *
 * Claim  weight-sum.exact    a sum of fewer than 2^64 products, each below 2^192, is exact
 * Claim  weight-sum.uniform  each integer below a total has the same probability
 */
#ifndef SC_MECHANISM_SELECTION_WEIGHT_SUM_H
#define SC_MECHANISM_SELECTION_WEIGHT_SUM_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "random/bits.h"

#define SC_WEIGHT_SUM_WORDS 4
#define SC_WEIGHT_SUM_BITS (64L * SC_WEIGHT_SUM_WORDS)

typedef struct sc_weight_sum {
    uint64_t words[SC_WEIGHT_SUM_WORDS]; /* least significant first */
} sc_weight_sum;

/* weight * cells. */
static inline sc_weight_sum sc_weight_product(sc_uint128 weight, uint64_t cells)
{
    sc_uint128 low = (sc_uint128)(uint64_t)weight * cells;
    sc_uint128 high = (weight >> 64) * cells + (low >> 64);
    return (sc_weight_sum){{(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64), 0}};
}

static inline void sc_weight_sum_add(sc_weight_sum *sum, const sc_weight_sum *more)
{
    sc_uint128 carry = 0;
    for (int i = 0; i < SC_WEIGHT_SUM_WORDS; i++) {
        carry += (sc_uint128)sum->words[i] + more->words[i];
        sum->words[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* a - b modulo 2^256; returns all ones when a < b, else 0: a mask, without a branch. */
static inline uint64_t sc_weight_sum_sub(const sc_weight_sum *a, const sc_weight_sum *b,
                                         sc_weight_sum *out)
{
    uint64_t borrow = 0;
    for (int i = 0; i < SC_WEIGHT_SUM_WORDS; i++) {
        sc_uint128 difference = (sc_uint128)a->words[i] - b->words[i] - borrow;
        out->words[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return 0 - borrow;
}

/* The remainder of sum by divisor >= 1. */
uint64_t sc_weight_sum_remainder(const sc_weight_sum *sum, uint64_t divisor);

/* Uniform on 0 .. total-1, total >= 1, by rejection. */
SCRIM_MUST_USE scrim_status sc_weight_sum_draw(sc_bits *bits, const sc_weight_sum *total,
                                               sc_weight_sum *out, scrim_error *error);

#endif
