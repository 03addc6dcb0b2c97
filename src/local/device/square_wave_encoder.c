#include "local/device/square_wave_encoder.h"

#include "local/device/set_protocol.h"

static uint64_t square_outputs(const scrim_local_config *config)
{
    return config->values + 2 * (uint64_t)config->width;
}

static scrim_local_status square_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few outputs the total is below SL_TOTAL_LIMIT. */
    return config->values < (uint32_t)1 << 24 && square_outputs(config) < SL_OUTPUTS_LIMIT
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_LIMIT;
}

static size_t square_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(square_outputs(config));
}

static void square_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t near = 2 * (uint64_t)config->width + 1;
    sl_set_prepare(config, near,
                   near * config->a + (uint64_t)(config->values - 1) * config->b, plan);
    plan->bytes = (uint32_t)square_bytes(config);
}

static void square_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                          uint8_t *report)
{
    const uint64_t x = sl_inside(value, plan->config->values);
    const uint64_t near = 2 * (uint64_t)plan->config->width + 1;
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    const uint64_t other = draw.place + (near & ~sl_mask_less(draw.place, x));
    sl_put(report, sl_select(draw.inside, x + draw.place, other), plan->bytes);
}

const sl_kind sl_square_wave = {
    .name = "square-wave",
    .words = SL_VALUES | SL_AB | SL_WIDTH,
    .check = square_check,
    .report_bytes = square_bytes,
    .loss = sl_set_loss,
    .prepare = square_prepare,
    .encode = square_encode,
};
