#include "local/device/coins.h"

sl_coin sl_coin_of(uint64_t heads, uint64_t size)
{
    const uint64_t full = (uint64_t)1 << 32;
    sl_coin coin = {.range = sl_range_of(size), .heads = heads};
    if ((size & (size - 1)) == 0 && size <= full)
        coin.threshold = (uint32_t)(heads * (full / size));
    return coin;
}

uint64_t sl_coins(sl_bits *bits, const sl_coin *coin, uint32_t lanes)
{
    if (coin->threshold != 0)
        return sl_bernoulli_words(bits, coin->threshold);
    uint64_t coins = 0;
    for (uint32_t i = 0; i < lanes; i++)
        coins |= (sl_mask_less(sl_uniform(bits, &coin->range), coin->heads) & 1) << i;
    return coins;
}

void sl_coins_block(sl_bits *bits, const sl_coin *coin, uint32_t lanes,
                    uint64_t out[SL_BLOCK])
{
    if (coin->threshold != 0) {
        sl_bernoulli_block(bits, coin->threshold, out);
        return;
    }
    for (uint32_t i = 0; i < SL_BLOCK && 64 * i < lanes; i++)
        out[i] = sl_coins(bits, coin, lanes - 64 * i < 64 ? lanes - 64 * i : 64);
}

uint32_t sl_run_of_ones(uint64_t word)
{
    uint64_t run = word & ~(word + 1);
    const uint64_t pairs = UINT64_MAX / 3, fours = UINT64_MAX / 5,
                   eights = UINT64_MAX / 17;
    run -= run >> 1 & pairs;
    run = (run & fours) + (run >> 2 & fours);
    run = (run + (run >> 4)) & eights;
    run += run >> 32;
    run += run >> 16;
    return (uint32_t)((run + (run >> 8)) & 127);
}
