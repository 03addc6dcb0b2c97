#include "local/device/hadamard_encoder.h"

#include "local/device/set_protocol.h"

static uint64_t hadamard_outputs(const scrim_local_config *config)
{
    return (uint64_t)config->blocks * config->order;
}

static scrim_local_status hadamard_check(const scrim_local_config *config)
{
    if (config->order < 4 || (config->order & (config->order - 1)) != 0 ||
        config->blocks < 1 || config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few outputs the total is below SL_TOTAL_LIMIT. */
    if (hadamard_outputs(config) >= SL_OUTPUTS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->values <= hadamard_outputs(config) - config->blocks
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_PARAM;
}

static size_t hadamard_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(hadamard_outputs(config));
}

static void hadamard_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t half = config->order / 2;
    const uint64_t others = hadamard_outputs(config) - half;
    sl_set_prepare(config, half, half * config->a + others * config->b, plan);
    plan->bytes = (uint32_t)hadamard_bytes(config);
    plan->field = sl_small_of(config->order - 1);
}

static uint32_t hadamard_parity(uint32_t n)
{
    n ^= n >> 16;
    n ^= n >> 8;
    n ^= n >> 4;
    n ^= n >> 2;
    return (n ^ n >> 1) & 1;
}

/* Output r of those of row i whose parity is as wanted. */
static uint32_t hadamard_own(uint32_t i, uint32_t r, uint32_t want)
{
    const uint32_t lowest = i & (0 - i), below = lowest - 1;
    const uint32_t y = (r & below) | (r & ~below) << 1;
    return y | (lowest & (uint32_t)sl_mask(hadamard_parity(i & y) ^ want));
}

static void hadamard_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    const uint32_t order = plan->config->order, half = order / 2;
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    const uint32_t r = (uint32_t)draw.place, want = 1 - ((uint32_t)draw.inside & 1);
    uint32_t i;
    const uint32_t own = sl_small_divide(plan->field, x, &i) * order;
    /* Which of the outputs outside of the own block, those behind it moved past it. */
    const uint32_t outside = r - half;
    const uint32_t other = outside + (order & ~(uint32_t)sl_mask_less(outside, own));
    const uint32_t same = (uint32_t)(draw.inside | sl_mask_less(r, half));
    const uint32_t output = own + hadamard_own(i + 1, r & (half - 1), want);
    sl_put(report, other ^ ((other ^ output) & same), plan->bytes);
}

const sl_kind sl_hadamard = {
    .name = "hadamard",
    .words = SL_VALUES | SL_AB | SL_BLOCKS | SL_ORDER,
    .check = hadamard_check,
    .report_bytes = hadamard_bytes,
    .loss = sl_set_loss,
    .prepare = hadamard_prepare,
    .encode = hadamard_encode,
};
