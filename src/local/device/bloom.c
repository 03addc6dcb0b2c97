#include "local/device/bloom.h"

#include "local/device/siphash.h"

uint32_t sl_bloom_place(sl_divisor bits, uint32_t cohort, uint32_t number,
                        const uint8_t *text, size_t bytes)
{
    const uint64_t key[2] = {cohort, number};
    const uint64_t hash = sl_siphash(key, text, bytes), low = hash & UINT32_MAX;
    const uint64_t whole = sl_times(sl_divide(bits, (uint64_t)1 << 32), bits.divisor);
    const uint64_t word = sl_select(sl_mask_less(low, whole), low, hash >> 32);
    return (uint32_t)(word - sl_times(sl_divide(bits, word), bits.divisor));
}
