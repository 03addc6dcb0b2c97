/* Coins of a public probability, 64 at once. */
#ifndef SL_COINS_H
#define SL_COINS_H

#include "local/device/device_draws.h"

/* Bernoulli(heads / range.size). */
typedef struct sl_coin {
    sl_range range;
    uint64_t heads;
    uint32_t threshold; /* heads/size = threshold/2^32; 0: it is no such fraction */
} sl_coin;

/* 0 < heads < size. */
sl_coin sl_coin_of(uint64_t heads, uint64_t size);

/* A coin in each of so many lanes, from 1 to 64; what is in the others is of no use. One comparison of
 * digits for all lanes where the size is a power of two up to 2^32. */
uint64_t sl_coins(sl_bits *bits, const sl_coin *coin, uint32_t lanes);
/* A coin in each of so many lanes, from 1 on, of SL_BLOCK words or of fewer. Where the size is such a
 * power, all words are drawn at once, whatever the number of lanes. */
void sl_coins_block(sl_bits *bits, const sl_coin *coin, uint32_t lanes,
                    uint64_t out[SL_BLOCK]);

/* How many of its low bits are ones, before the first zero: 0 to 64. */
uint32_t sl_run_of_ones(uint64_t word);

#endif
