#include "local/device/device_draws.h"

void sl_bits_init(sl_bits *bits, const scrim_local_source *source, uint32_t ahead)
{
    bits->source = source;
    bits->ahead = ahead;
    bits->failed = 0;
    bits->left = 0;
}

scrim_local_status sl_bits_clear(sl_bits *bits)
{
    const scrim_local_status status =
        bits->failed ? SCRIM_LOCAL_E_ENTROPY : SCRIM_LOCAL_OK;
    sl_wipe(bits, sizeof *bits);
    return status;
}

void sl_bits_refill(sl_bits *bits, uint32_t count)
{
    const uint32_t left = bits->left, ready = bits->ahead ? SL_WORDS : count;
    uint64_t *to = bits->words + (SL_WORDS - ready);
    for (uint32_t i = 0; i < left; i++)
        to[i] = bits->words[SL_WORDS - left + i];
    uint64_t *fresh = to + left;
    const size_t bytes = (ready - left) * sizeof *fresh;
    if (bits->failed || bits->source->fill(bits->source->context, fresh, bytes) != 0) {
        bits->failed = 1;
        sl_wipe(fresh, bytes);
    }
    bits->left = ready;
}

/* How many digits the threshold has behind its point, without the zeros at the end. */
static uint32_t bernoulli_digits(uint32_t threshold)
{
#if defined(__GNUC__)
    return threshold == 0 ? 0 : 32 - (uint32_t)__builtin_ctz(threshold);
#else
    uint32_t digits = threshold == 0 ? 0 : 32;
    for (; digits > 0 && (threshold & 1) == 0; threshold >>= 1)
        digits--;
    return digits;
#endif
}

/* A lane's binary fraction 0.u1 u2 ... is compared with the threshold's from the last digit on: what
 * the digits behind say holds unless this one differs. */
uint64_t sl_bernoulli_words(sl_bits *bits, uint32_t threshold)
{
    const uint32_t digits = bernoulli_digits(threshold);
    const uint64_t *words = sl_words(bits, digits);
    uint64_t less = 0;
    for (uint32_t i = 32 - digits; i < 32; i++, words++)
        less = (threshold >> i & 1) != 0 ? less | *words : less & *words;
    return less;
}

/* The same in SL_BLOCK words of lanes; of the random words each digit takes as many, one after the other. */
static void bernoulli_block(sl_bits *bits, uint32_t threshold, uint64_t out[SL_BLOCK])
{
    const uint32_t digits = bernoulli_digits(threshold);
    const uint64_t *words = sl_words(bits, SL_BLOCK * digits);
    uint64_t less[SL_BLOCK] = {0};
    for (uint32_t i = 32 - digits; i < 32; i++, words += SL_BLOCK)
        if ((threshold >> i & 1) != 0)
            for (uint32_t j = 0; j < SL_BLOCK; j++)
                less[j] |= words[j];
        else
            for (uint32_t j = 0; j < SL_BLOCK; j++)
                less[j] &= words[j];
    for (uint32_t j = 0; j < SL_BLOCK; j++)
        out[j] = less[j];
}

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
        bernoulli_block(bits, coin->threshold, out);
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
