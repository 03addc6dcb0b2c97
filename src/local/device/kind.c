#include "local/device/kind.h"

sl_loss sl_set_loss(const scrim_local_config *config)
{
    const sl_loss loss = {.over = config->a, .under = config->b, .times = 1};
    return loss;
}

void sl_set_prepare(const scrim_local_config *config, uint64_t size, uint64_t total,
                    sl_plan *plan)
{
    plan->config = config;
    plan->total = sl_range_of(total);
    plan->likely = size * config->a;
    plan->a = sl_divisor_of(config->a);
    plan->b = sl_divisor_of(config->b);
}

void sl_response_prepare(const scrim_local_config *config, uint64_t values, sl_plan *plan)
{
    sl_set_prepare(config, 1, config->a + (values - 1) * config->b, plan);
    plan->bytes = sl_bytes_below(values);
}

scrim_local_status sl_field_check(uint32_t q)
{
    if (q < 2 || q >> 16 != 0)
        return SCRIM_LOCAL_E_PARAM;
    for (uint32_t d = 2; d * d <= q; d++)
        if (q % d == 0)
            return SCRIM_LOCAL_E_PARAM;
    return SCRIM_LOCAL_OK;
}
