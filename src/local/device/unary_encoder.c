#include "local/device/unary_encoder.h"

#include "local/device/set_protocol.h"

sl_loss sl_unary_loss(const scrim_local_config *config)
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
    return (config->values + 7) / 8;
}

void sl_unary_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t total = (uint64_t)config->a + config->b, whole = (uint64_t)1 << 32;
    plan->config = config;
    plan->total = sl_range_of(total);
    plan->threshold = (total & (total - 1)) == 0 && total <= whole
                          ? (uint32_t)(config->b * (whole / total))
                          : 0;
}

uint64_t sl_unary_noise(const sl_plan *plan, sl_bits *bits, uint32_t count)
{
    uint64_t noise = 0;
    if (plan->threshold != 0)
        return sl_bernoulli_words(bits, plan->threshold) & UINT64_MAX >> (64 - count);
    for (uint32_t i = 0; i < count; i++)
        noise |= (sl_mask_less(sl_uniform(bits, &plan->total), plan->config->b) & 1) << i;
    return noise;
}

static void unary_put(const sl_plan *plan, uint32_t i, uint64_t word, uint8_t *report)
{
    sl_put(report + 8 * i, word, (sl_bitmap_count(plan->config->values, i) + 7) / 8);
}

static void symmetric_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    const uint32_t values = plan->config->values;
    const uint64_t x = sl_inside(value, values);
    for (uint32_t i = 0; 64 * i < values; i++) {
        const uint64_t noise = sl_unary_noise(plan, bits, sl_bitmap_count(values, i));
        unary_put(plan, i, noise ^ sl_bitmap_own(x, i), report);
    }
}

static void optimised_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    const uint32_t values = plan->config->values;
    const uint64_t x = sl_inside(value, values), fair = sl_word(bits);
    for (uint32_t i = 0; 64 * i < values; i++) {
        const uint64_t noise = sl_unary_noise(plan, bits, sl_bitmap_count(values, i));
        unary_put(plan, i, sl_select(sl_bitmap_own(x, i), fair, noise), report);
    }
}

const sl_kind sl_symmetric_unary = {
    .name = "symmetric-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = sl_unary_loss,
    .prepare = sl_unary_prepare,
    .encode = symmetric_encode,
};

const sl_kind sl_optimised_unary = {
    .name = "optimised-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = sl_set_loss,
    .prepare = sl_unary_prepare,
    .encode = optimised_encode,
};
