#include "local/device/set_protocol.h"

sl_loss sl_set_loss(const scrim_local_config *config)
{
    const sl_loss loss = {config->a, config->b, 1};
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
