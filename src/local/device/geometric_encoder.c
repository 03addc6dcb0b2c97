#include "local/device/geometric_encoder.h"

#define GEOMETRIC_COINS ((uint64_t)1 << 20)

/* From here on, the noise leads to an end of the range whatever x is. */
static uint64_t geometric_reach(const scrim_local_config *config)
{
    return (uint64_t)config->values - 1 + config->width;
}

static uint64_t geometric_outputs(const scrim_local_config *config)
{
    return (uint64_t)config->values + 2 * (uint64_t)config->width;
}

static scrim_local_status geometric_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    return geometric_reach(config) <= GEOMETRIC_COINS ? SCRIM_LOCAL_OK
                                                      : SCRIM_LOCAL_E_LIMIT;
}

static size_t geometric_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(geometric_outputs(config));
}

static sl_loss geometric_loss(const scrim_local_config *config)
{
    const sl_loss loss = {
        .over = config->a, .under = config->b, .times = config->values - 1};
    return loss;
}

static void geometric_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->total = sl_range_of((uint64_t)config->a + config->b);
    plan->likely = 2 * (uint64_t)config->b;
    plan->coin = sl_coin_of(config->b, config->a);
    plan->bytes = sl_bytes_below(geometric_outputs(config));
}

/* How often heads, of probability b/a, come before the first tails; all coins are thrown. Heads
 * throughout stand for all that is larger. */
static uint64_t geometric_run(const sl_plan *plan, sl_bits *bits)
{
    uint64_t run = 0, goes_on = UINT64_MAX;
    for (uint64_t i = 1; i < geometric_reach(plan->config); i += 64) {
        const uint64_t heads = sl_coins(bits, &plan->coin, 64);
        run += sl_run_of_ones(heads) & goes_on;
        goes_on &= sl_mask_equal(heads, UINT64_MAX);
    }
    return run;
}

/* Of a + b, b numbers make the noise positive, b negative, a - b make it 0. */
static void geometric_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    const scrim_local_config *config = plan->config;
    const uint64_t x = sl_inside(value, config->values) + config->width;
    const uint64_t top = geometric_outputs(config) - 1, b = config->b;
    const uint64_t u = sl_uniform(bits, &plan->total),
                   size = geometric_run(plan, bits) + 1;
    const uint64_t is_up = sl_mask_less(u, b), is_still = ~sl_mask_less(u, plan->likely);
    const uint64_t up = sl_select(sl_mask_less(x + size, top), x + size, top);
    const uint64_t down = (x - size) & ~sl_mask_less(x, size);
    const uint64_t moved = sl_select(is_up, up, down);
    sl_put(report, sl_select(is_still, x, moved), plan->bytes);
}

const sl_kind sl_geometric = {
    .name = "condensed-geometric",
    .words = SL_VALUES | SL_AB,
    .is_number = 1,
    .check = geometric_check,
    .report_bytes = geometric_bytes,
    .loss = geometric_loss,
    .prepare = geometric_prepare,
    .encode = geometric_encode,
};

const sl_kind sl_laplace = {
    .name = "laplace-mean",
    .words = SL_VALUES | SL_AB | SL_WIDTH,
    .is_number = 1,
    .check = geometric_check,
    .report_bytes = geometric_bytes,
    .loss = geometric_loss,
    .prepare = geometric_prepare,
    .encode = geometric_encode,
};
