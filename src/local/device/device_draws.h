/* Random draws on a device: words of the caller's source, exact draws, and coins. */
#ifndef SL_DEVICE_DRAWS_H
#define SL_DEVICE_DRAWS_H

#include "local/device/integers.h"
#include "scrim_local.h"

/* Random words of the caller's source, and exact draws made of them.
 *
 * How many words a draw takes, and when it takes another, depends on public numbers and on words that
 * are thrown away: neither the words taken nor the time says anything about the result.
 *
 * A failure of the source is remembered: all words after it are zeros, every draw ends, and the
 * encoder's caller throws the report away.
 */

#define SL_WORDS 128
/* Words of lanes that are drawn at once. */
#define SL_BLOCK 4
/* All of SL_PATIENCE words in a row are rejected with a probability below 2^-256: if it happens,
 * the source is stuck and counts as failed. */
#define SL_PATIENCE 128

typedef struct sl_bits {
    const scrim_local_source *source;
    uint32_t ahead; /* 1: fill the buffer at once; 0: fetch what is needed, and no more */
    uint32_t failed; /* 1: the source has failed */
    uint32_t left;   /* words not yet taken: the last ones of the buffer */
    uint64_t words[SL_WORDS];
} sl_bits;

/* Nothing is fetched yet. */
void sl_bits_init(sl_bits *bits, const scrim_local_source *source, uint32_t ahead);
/* Wipes the words; SCRIM_LOCAL_E_ENTROPY if the source has failed. */
scrim_local_status sl_bits_clear(sl_bits *bits);
/* Makes `count` words ready, at most SL_WORDS. */
void sl_bits_refill(sl_bits *bits, uint32_t count);

static inline uint64_t sl_word(sl_bits *bits)
{
    if (bits->left == 0)
        sl_bits_refill(bits, 1);
    return bits->words[SL_WORDS - bits->left--];
}

/* The next count words, at most SL_WORDS; they stay until the next draw. */
static inline const uint64_t *sl_words(sl_bits *bits, uint32_t count)
{
    if (bits->left < count)
        sl_bits_refill(bits, count);
    const uint64_t *first = bits->words + (SL_WORDS - bits->left);
    bits->left -= count;
    return first;
}

/* The numbers below size, which is public, from 1 to 2^62. */
typedef struct sl_range {
    uint64_t size;
    uint64_t rejected; /* 2^64 mod size */
} sl_range;

static inline sl_range sl_range_of(uint64_t size)
{
    const sl_range range = {size, (0 - size) % size};
    return range;
}

/* Uniform below size: the high half of word * size, where the low half is not rejected. Exactly
 * 2^64 div size words lead to each number. */
static inline uint64_t sl_uniform(sl_bits *bits, const sl_range *range)
{
    sl_wide product = sl_multiply(sl_word(bits), range->size);
    for (uint32_t turn = 1; product.low < range->rejected && !bits->failed; turn++) {
        bits->failed |= turn == SL_PATIENCE;
        product = sl_multiply(sl_word(bits), range->size);
    }
    return product.high;
}

/* Bernoulli(threshold / 2^32) in 64 lanes at once, threshold below 2^32 and public: 32 words, less one
 * for each zero at its low end; none for 0.
 *
 * The number of words is fixed on purpose. A comparison from the first digit on could stop after some 8
 * words, when all lanes are decided, but the digit at which a lane is decided tells its coin. Take
 * optimised-unary of two values: if one word decides both lanes, both coins are 0, and a report 1, 0 can
 * then be that of value 0 only. Whoever sees the time would see the value. */
uint64_t sl_bernoulli_words(sl_bits *bits, uint32_t threshold);

/* Coins of a public probability, 64 at once. */

/* Bernoulli(heads / range.size). */
typedef struct sl_coin {
    sl_range range;
    uint64_t heads;
    uint32_t threshold; /* heads/size = threshold/2^32; 0: it is no such fraction */
} sl_coin;

/* 0 < heads < size. */
sl_coin sl_coin_of(uint64_t heads, uint64_t size);

/* A coin in each of the first `lanes` lanes, from 1 to 64; the other lanes are undefined. One
 * comparison of digits for all lanes where the size is a power of two up to 2^32. */
uint64_t sl_coins(sl_bits *bits, const sl_coin *coin, uint32_t lanes);
/* A coin in each of the first `lanes` lanes, from 1 on, of at most SL_BLOCK words. Where the
 * size is such a power, all words are drawn at once, whatever the number of lanes. */
void sl_coins_block(sl_bits *bits, const sl_coin *coin, uint32_t lanes,
                    uint64_t out[SL_BLOCK]);

/* How many of its low bits are ones, before the first zero: 0 to 64. */
uint32_t sl_run_of_ones(uint64_t word);

#endif
