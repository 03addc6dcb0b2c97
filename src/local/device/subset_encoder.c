#include "local/device/subset_encoder.h"

#include "local/device/set_protocol.h"

static scrim_local_status subset_check(const scrim_local_config *config)
{
    if (config->chosen < 1 || config->chosen >= config->values)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few values the total is below SL_TOTAL_LIMIT. */
    return config->values <= SL_BITMAP_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t subset_bytes(const scrim_local_config *config)
{
    return (config->values + 7) / 8;
}

static void subset_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t likely = (uint64_t)config->chosen * config->a;
    const uint64_t others = (uint64_t)(config->values - config->chosen) * config->b;
    plan->config = config;
    plan->total = sl_range_of(likely + others);
    plan->likely = likely;
}

/* 1 with probability needed / left, which is public; 0 where none is left. */
static uint64_t subset_takes(uint64_t needed, uint32_t left, sl_bits *bits)
{
    if (left == 0)
        return 0;
    const sl_range range = sl_range_of(left);
    return sl_mask_less(sl_uniform(bits, &range), needed) & 1;
}

/* Bits before the value's are those of the other values, bits behind it those of one place before. */
static void subset_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                          uint8_t *report)
{
    const uint32_t values = plan->config->values;
    const uint64_t x = sl_inside(value, values);
    const uint64_t own = sl_mask_less(sl_uniform(bits, &plan->total), plan->likely) & 1;
    uint64_t needed = plan->config->chosen - own, held = own;
    uint32_t byte = 0;
    for (uint32_t i = 0; i < values; i++) {
        const uint64_t taken = subset_takes(needed, values - 1 - i, bits);
        const uint64_t before = sl_mask_less(i, x);
        needed -= taken;
        byte |= (uint32_t)sl_select(before, taken, held) << (i % 8);
        held = sl_select(before, held, taken);
        if (i % 8 == 7 || i == values - 1) {
            report[i / 8] = (uint8_t)byte;
            byte = 0;
        }
    }
}

const sl_kind sl_subset = {
    .name = "subset-selection",
    .words = SL_VALUES | SL_AB | SL_CHOSEN,
    .check = subset_check,
    .report_bytes = subset_bytes,
    .loss = sl_set_loss,
    .prepare = subset_prepare,
    .encode = subset_encode,
};
