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

/* A lane's binary fraction 0.u1 u2 ... is compared with the threshold's from the last digit on: what
 * the digits behind say holds unless this one differs. */
uint64_t sl_bernoulli_words(sl_bits *bits, uint32_t threshold)
{
    uint32_t digits = threshold == 0 ? 0 : 32;
    while (digits > 0 && (threshold & 1) == 0) {
        threshold >>= 1;
        digits--;
    }
    const uint64_t *words = sl_words(bits, digits);
    uint64_t less = 0;
    for (; digits > 0; digits--, threshold >>= 1, words++)
        less = (threshold & 1) != 0 ? less | *words : less & *words;
    return less;
}
