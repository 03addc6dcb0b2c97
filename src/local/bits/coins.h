/* Coins of a public probability, 64 at once. */
#ifndef SL_COINS_H
#define SL_COINS_H

#include "local/bits/device_draws.h"

/* Bernoulli(heads / range->size) in so many lanes, from 1 to 64, heads <= size; what is in the others is
 * of no use. One comparison of digits for all lanes where the size is a power of two up to 2^32. */
uint64_t sl_coins(sl_bits *bits, uint64_t heads, const sl_range *range, uint32_t lanes);

/* How many of its low bits are ones, before the first zero: 0 to 64. */
uint32_t sl_run_of_ones(uint64_t word);

#endif
