#include "local/device/unary_encoder.h"

#include "local/device/bitmap.h"
#include "local/device/set_protocol.h"

static sl_loss unary_loss(const scrim_local_config *config)
{
    const sl_loss loss = {.over = (uint64_t)config->a * config->a,
                          .under = (uint64_t)config->b * config->b,
                          .times = 1};
    return loss;
}

static scrim_local_status unary_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    return config->values <= SL_BITMAP_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t unary_bytes(const scrim_local_config *config)
{
    return sl_bitmap_bytes(config->values);
}

static void unary_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->coin = sl_coin_of(config->b, (uint64_t)config->a + config->b);
}

/* The own bit is the noise's other bit, or else a fair one. */
static inline void unary_encode(const sl_plan *plan, uint64_t value, int flipped,
                                sl_bits *bits, uint8_t *report)
{
    const uint32_t values = plan->config->values, words = sl_bitmap_words(values);
    const uint64_t x = sl_inside(value, values), bit = sl_bitmap_bit(x);
    const uint64_t fair = flipped ? 0 : sl_word(bits);
    uint64_t noise[SL_BLOCK] = {0};
    for (uint32_t word = 0; word < words; word++) {
        if (word % SL_BLOCK == 0)
            sl_coins_block(bits, &plan->coin, values - 64 * word, noise);
        const uint64_t drawn = noise[word % SL_BLOCK],
                       own = bit & sl_mask_equal(x >> 6, word);
        sl_bitmap_put(report, values, word,
                      sl_select(own, flipped ? ~drawn : fair, drawn));
    }
}

static void symmetric_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    unary_encode(plan, value, 1, bits, report);
}

static void optimised_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    unary_encode(plan, value, 0, bits, report);
}

const sl_kind sl_symmetric_unary = {
    .name = "symmetric-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = unary_loss,
    .prepare = unary_prepare,
    .encode = symmetric_encode,
};

const sl_kind sl_optimised_unary = {
    .name = "optimised-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = sl_set_loss,
    .prepare = unary_prepare,
    .encode = optimised_encode,
};
