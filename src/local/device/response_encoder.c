#include "local/device/response_encoder.h"

#include "local/device/set_protocol.h"

static scrim_local_status response_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* Below 2^64: it does not wrap. */
    const uint64_t total = config->a + (uint64_t)(config->values - 1) * config->b;
    return total < SL_TOTAL_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t response_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->values);
}

static void response_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_response_prepare(config, config->values, plan);
}

/* The plan is copied: reports are bytes, which might be anybody's. */
static void response_encode_many(const sl_plan *plan, const uint32_t *values,
                                 size_t count, sl_bits *bits, uint8_t *reports)
{
    const uint64_t limit = plan->config->values;
    const uint32_t bytes = plan->bytes;
    const sl_plan own = {.total = plan->total, .likely = plan->likely, .b = plan->b};
    for (size_t i = 0; i < count; i++, reports += bytes)
        sl_put(reports, sl_response_draw(&own, sl_inside(values[i], limit), bits), bytes);
}

static void response_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    response_encode_many(plan, &x, 1, bits, report);
}

const sl_kind sl_response = {
    .name = "randomised-response",
    .words = SL_VALUES | SL_AB,
    .check = response_check,
    .report_bytes = response_bytes,
    .loss = sl_set_loss,
    .prepare = response_prepare,
    .encode = response_encode,
    .encode_many = response_encode_many,
};
