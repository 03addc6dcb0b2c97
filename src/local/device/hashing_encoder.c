#include "local/device/hashing_encoder.h"

#include "local/device/set_protocol.h"

/* g^m, or SL_OUTPUTS_LIMIT where it is that or more. */
static uint64_t hashing_functions(const scrim_local_config *config)
{
    uint64_t functions = 1;
    for (uint32_t i = 0; i < config->digits && functions < SL_OUTPUTS_LIMIT; i++)
        functions *= config->field;
    return functions < SL_OUTPUTS_LIMIT ? functions : SL_OUTPUTS_LIMIT;
}

static scrim_local_status hashing_check(const scrim_local_config *config)
{
    if (sl_field_check(config->field) != SCRIM_LOCAL_OK || config->digits < 1 ||
        config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    if (hashing_functions(config) * config->field >= SL_OUTPUTS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->values <= hashing_functions(config) ? SCRIM_LOCAL_OK
                                                       : SCRIM_LOCAL_E_PARAM;
}

static size_t hashing_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(hashing_functions(config)) + sl_bytes_below(config->field);
}

static void hashing_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_response_prepare(config, config->field, plan);
    plan->seeds = sl_range_of(hashing_functions(config));
    plan->field = sl_small_of(config->field);
}

static void hashing_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                           uint8_t *report)
{
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    const uint32_t s = (uint32_t)sl_uniform(bits, &plan->seeds);
    const uint32_t bytes = sl_bytes_below(plan->seeds.size);
    const uint64_t cell = sl_hashing_cell(plan->field, plan->config->digits, s, x);
    sl_put(report, s, bytes);
    sl_put(report + bytes, sl_response_draw(plan, cell, bits), plan->bytes);
}

const sl_kind sl_hashing = {
    .name = "local-hashing",
    .words = SL_VALUES | SL_AB | SL_FIELD | SL_DIGITS,
    .check = hashing_check,
    .report_bytes = hashing_bytes,
    .loss = sl_set_loss,
    .prepare = hashing_prepare,
    .encode = hashing_encode,
};
