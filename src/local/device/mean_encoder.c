#include "local/device/mean_encoder.h"

#include "local/device/set_protocol.h"

#define MEAN_FULL ((uint64_t)1 << 32)

static uint64_t mean_coin(const scrim_local_config *config)
{
    return (uint64_t)config->a + config->b;
}

static scrim_local_status mean_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* a + b < 2^33, m < 2^29: the product is below 2^62. */
    return config->values <= (uint32_t)1 << 29 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t mean_bytes(const scrim_local_config *config)
{
    (void)config;
    return 1;
}

static void one_bit_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->total = sl_range_of(mean_coin(config) * (config->values - 1));
    plan->likely = (uint64_t)config->b * (config->values - 1);
}

static void one_bit_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                           uint8_t *report)
{
    const scrim_local_config *config = plan->config;
    const uint64_t x = sl_inside(value, config->values);
    const uint64_t ones = plan->likely + sl_times(x, config->a - config->b);
    report[0] = (uint8_t)(sl_mask_less(sl_uniform(bits, &plan->total), ones) & 1);
}

static scrim_local_status rounded_check(const scrim_local_config *config)
{
    if (config->flip >= MEAN_FULL / 2 || config->epoch > 1)
        return SCRIM_LOCAL_E_PARAM;
    return mean_check(config);
}

static sl_loss rounded_loss(const scrim_local_config *config)
{
    const uint64_t a = config->a, b = config->b, flip = config->flip;
    const uint64_t stay = MEAN_FULL - flip;
    if (flip > 0 && config->epoch == 0)
        return (sl_loss){.over = stay, .under = flip, .times = 1};
    if (flip == 0)
        return (sl_loss){.over = a, .under = b, .times = 1};
    return (sl_loss){
        .over = a * stay + b * flip, .under = b * stay + a * flip, .times = 1};
}

static void rounded_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->total = sl_range_of(config->values - 1);
    plan->coin = sl_coin_of(config->b, mean_coin(config));
}

static void rounded_permanent(const sl_plan *plan, sl_secret secret, sl_bits *device,
                              sl_bits *kept, uint8_t *out)
{
    const scrim_local_config *config = plan->config;
    sl_bits *bits = config->epoch == 0 ? device : kept;
    const uint64_t x = sl_inside(secret.value, config->values);
    const uint64_t alpha = sl_uniform(bits, &plan->total);
    const uint64_t low = sl_mask_less(sl_uniform(bits, &plan->coin.range), config->b);
    const uint64_t high = sl_mask_less(sl_uniform(bits, &plan->coin.range), config->a);
    const uint64_t is_low = sl_mask_less(x + alpha, config->values - 1);
    out[0] = (uint8_t)(sl_select(is_low, low, high) & 1);
}

static void rounded_perturb(const sl_plan *plan, sl_bits *fresh, uint8_t *report)
{
    report[0] ^= (uint8_t)(sl_bernoulli_words(fresh, plan->config->flip) & 1);
}

static void rounded_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                           uint8_t *report)
{
    rounded_permanent(plan, (sl_secret){.value = value}, bits, bits, report);
    rounded_perturb(plan, bits, report);
}

const sl_kind sl_one_bit = {
    .name = "one-bit-mean",
    .words = SL_VALUES | SL_AB,
    .is_number = 1,
    .check = mean_check,
    .report_bytes = mean_bytes,
    .loss = sl_set_loss,
    .prepare = one_bit_prepare,
    .encode = one_bit_encode,
};

const sl_kind sl_rounded_bit = {
    .name = "rounded-bit-mean",
    .words = SL_VALUES | SL_AB | SL_FLIP | SL_EPOCH,
    .is_number = 1,
    .check = rounded_check,
    .report_bytes = mean_bytes,
    .loss = rounded_loss,
    .prepare = rounded_prepare,
    .encode = rounded_encode,
    .permanent = rounded_permanent,
    .perturb = rounded_perturb,
};
