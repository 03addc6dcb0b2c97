/* Choosing between two numbers without a branch.
 *
 * A compiler may turn a conditional expression, and any arithmetic that it sees through, into a
 * jump. These are for conditions that depend on private values: behind the assembly, which is
 * empty, the mask is a number like any other.
 */
#ifndef SC_BASE_MASK_H
#define SC_BASE_MASK_H

#include "base/checked.h"

/* All bits 1 where the condition holds, else all 0. */
static inline uint64_t sc_mask(bool condition)
{
    uint64_t mask = 0 - (uint64_t)condition;
    __asm__("" : "+r"(mask));
    return mask;
}

/* a where the mask is all ones, b where it is 0. */
static inline uint64_t sc_mask_select(uint64_t mask, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & mask);
}

static inline sc_uint128 sc_mask_select_128(uint64_t mask, sc_uint128 a, sc_uint128 b)
{
    return b ^ ((a ^ b) & ((sc_uint128)mask << 64 | mask));
}

#endif
