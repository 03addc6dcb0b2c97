#include "local/device/fixed_log.h"
#include "local/device/kind_table.h"

static uint64_t loss_times(uint64_t loss, uint32_t times)
{
    const sl_wide product = sl_multiply(loss, times);
    return product.high == 0 ? product.low : UINT64_MAX;
}

uint64_t scrim_local_loss(const scrim_local_config *config)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    if (kind == NULL)
        return UINT64_MAX;
    const sl_loss loss = kind->loss(config);
    if (loss.under == 0)
        return UINT64_MAX;
    uint64_t one = sl_log_upper(loss.over, loss.under);
    if (loss.also_under != 0)
        one += sl_log_upper(loss.also_over, loss.also_under);
    return loss_times(one, loss.times);
}

/* over / under <= a / b, exactly. */
static int loss_is_below(sl_loss loss, uint32_t a, uint32_t b)
{
    const sl_wide left = sl_multiply(loss.over, b), right = sl_multiply(loss.under, a);
    return left.high < right.high || (left.high == right.high && left.low <= right.low);
}

int scrim_local_config_is_within(const scrim_local_config *config, uint32_t a, uint32_t b)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    if (kind == NULL || b == 0 || a < b)
        return 0;
    const sl_loss loss = kind->loss(config);
    if (loss.under == 0)
        return 0;
    if (loss.times == 1 && loss.also_under == 0)
        return loss_is_below(loss, a, b);
    return scrim_local_loss(config) <= sl_log_lower(a, b);
}
