#include "local/device/response_encoder.h"

#include "local/device/set_protocol.h"

static uint64_t response_total(const scrim_local_config *config)
{
    return config->a + (uint64_t)(config->values - 1) * config->b;
}

static scrim_local_status response_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* Below 2^64 it cannot wrap. */
    return response_total(config) < SL_TOTAL_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t response_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->values);
}

static void response_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_set_prepare(config, 1, response_total(config), plan);
    plan->bytes = sl_bytes_below(config->values);
}

static void response_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    const uint64_t x = sl_inside(value, plan->config->values);
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    const uint64_t other = draw.place + 1 - (sl_mask_less(draw.place, x) & 1);
    sl_put(report, sl_select(draw.inside, x, other), plan->bytes);
}

const sl_kind sl_response = {
    .name = "randomised-response",
    .words = SL_VALUES | SL_AB,
    .check = response_check,
    .report_bytes = response_bytes,
    .loss = sl_set_loss,
    .prepare = response_prepare,
    .encode = response_encode,
};
