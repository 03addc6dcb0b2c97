#include "local/bits/coins.h"

uint64_t sl_coins(sl_bits *bits, uint64_t heads, const sl_range *range, uint32_t lanes)
{
    const uint64_t size = range->size, full = (uint64_t)1 << 32;
    if ((size & (size - 1)) == 0 && size <= full)
        return heads == size
                   ? UINT64_MAX
                   : sl_bernoulli_words(bits, (uint32_t)(heads * (full / size)));
    uint64_t coins = 0;
    for (uint32_t i = 0; i < lanes; i++)
        coins |= (sl_mask_less(sl_uniform(bits, range), heads) & 1) << i;
    return coins;
}

uint32_t sl_run_of_ones(uint64_t word)
{
    uint64_t run = word & ~(word + 1);
    const uint64_t pairs = UINT64_MAX / 3, fours = UINT64_MAX / 5,
                   eights = UINT64_MAX / 17;
    run -= run >> 1 & pairs;
    run = (run & fours) + (run >> 2 & fours);
    run = (run + (run >> 4)) & eights;
    return (uint32_t)((run * (UINT64_MAX / 255)) >> 56);
}
