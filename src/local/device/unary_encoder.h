/* Symmetric and optimised unary encoding: a bitmap with a bit for each of k values.
 *
 *     symmetric  the own bit is 1 with probability a/(a+b), each other one with b/(a+b); loss 2 ln(a/b)
 *     optimised  the own bit is 1 with probability 1/2, each other one with b/(a+b);     loss ln(a/b)
 *
 * 64 bits are drawn at once where a+b is a power of two, up to 2^32; else one after the other.
 */
#ifndef SL_UNARY_ENCODER_H
#define SL_UNARY_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_symmetric_unary, sl_optimised_unary;

/* 2 ln(a/b) */
sl_loss sl_unary_loss(const scrim_local_config *config);
/* Prepares bits of probability b/(a+b). */
void sl_unary_prepare(const scrim_local_config *config, sl_plan *plan);
/* So many of them, 1 to 64, in the low end of a word. */
uint64_t sl_unary_noise(const sl_plan *plan, sl_bits *bits, uint32_t count);

/* How many bits of the bitmap lie in 64-bit word i of it. */
static inline uint32_t sl_bitmap_count(uint32_t values, uint32_t i)
{
    return values - 64 * i < 64 ? values - 64 * i : 64;
}

/* The bit of x in word i of a bitmap that is all zeros but for it. Shifts of 32-bit numbers take the
 * same time on small processors too. */
static inline uint64_t sl_bitmap_own(uint64_t x, uint32_t i)
{
    const uint32_t bit = (uint32_t)1 << (x & 31);
    const uint64_t high = sl_mask((uint32_t)(x >> 5) & 1);
    const uint64_t here = sl_mask_equal(x >> 6, i);
    return sl_select(high, (uint64_t)bit << 32, bit) & here;
}

#endif
