/* Bitmaps of reports, 64 bits at once: bit i stands in byte i div 8 at weight 2^(i mod 8). */
#ifndef SL_BITMAP_H
#define SL_BITMAP_H

#include "local/device/integers.h"

static inline uint32_t sl_bitmap_bytes(uint32_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static inline uint32_t sl_bitmap_words(uint32_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

/* How many bits the word has: 64, or fewer in the last one. */
static inline uint32_t sl_bitmap_lanes(uint32_t bits, uint32_t word)
{
    return bits - 64 * word < 64 ? bits - 64 * word : 64;
}

static inline uint64_t sl_bitmap_get(const uint8_t *bitmap, uint32_t bits, uint32_t word)
{
    const uint32_t lanes = sl_bitmap_lanes(bits, word);
    const uint8_t *at = bitmap + 8 * (size_t)word;
    return lanes == 64 ? sl_get8(at) : sl_get(at, sl_bitmap_bytes(lanes));
}

/* Spare bits of the last word become 0. */
static inline void sl_bitmap_put(uint8_t *bitmap, uint32_t bits, uint32_t word,
                                 uint64_t content)
{
    const uint32_t lanes = sl_bitmap_lanes(bits, word);
    uint8_t *at = bitmap + 8 * (size_t)word;
    if (lanes == 64)
        sl_put8(at, content);
    else
        sl_put(at, content & (UINT64_MAX >> (64 - lanes)), sl_bitmap_bytes(lanes));
}

/* A bit at a secret place within its word. Small processors shift numbers of 32 bits in the same time
 * whatever the distance, but not those of 64. */
static inline uint64_t sl_bitmap_bit(uint64_t place)
{
    const uint32_t bit = sl_hidden_small((uint32_t)1 << (place & 31));
    const uint32_t high = (uint32_t)sl_mask((uint32_t)(place >> 5) & 1);
    return (uint64_t)(bit & high) << 32 | (bit & ~high);
}

/* The word of a bitmap whose one bit is at a secret place. */
static inline uint64_t sl_bitmap_one(uint64_t place, uint32_t word)
{
    return sl_bitmap_bit(place) & sl_mask_equal(place >> 6, word);
}

#endif
