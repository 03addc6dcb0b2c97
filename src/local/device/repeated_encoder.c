#include "local/device/repeated_encoder.h"

#include "local/device/bitmap.h"

#define REPEATED_FULL ((uint64_t)1 << 32)

static scrim_local_status repeated_limit(const scrim_local_config *config)
{
    if (config->values < 2 || config->epoch > 1)
        return SCRIM_LOCAL_E_PARAM;
    return config->values <= SL_BITMAP_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static void repeated_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->coin = sl_coin_of(config->b, (uint64_t)config->a + config->b);
    plan->bytes = sl_bytes_below(config->values);
}

/* ---- bit-flip ----------------------------------------------------------------------------- */

static scrim_local_status bit_flip_check(const scrim_local_config *config)
{
    if (config->chosen == 0 || config->chosen > config->values)
        return SCRIM_LOCAL_E_PARAM;
    return repeated_limit(config);
}

static size_t bit_flip_bytes(const scrim_local_config *config)
{
    return (size_t)config->chosen * sl_bytes_below(config->values) +
           sl_bitmap_bytes(config->chosen);
}

static sl_loss bit_flip_loss(const scrim_local_config *config)
{
    const sl_loss loss = {
        .over = config->a, .under = config->b, .times = config->chosen == 1 ? 1 : 2};
    return loss;
}

/* Each value is taken with the share of those that are still wanted. The choice is public. */
static void bit_flip_choose(const sl_plan *plan, sl_bits *device, uint8_t *out)
{
    const uint32_t values = plan->config->values;
    uint32_t wanted = plan->config->chosen;
    for (uint32_t i = 0; i < values; i++) {
        const sl_range left = sl_range_of(values - i);
        if (sl_uniform(device, &left) < wanted) {
            sl_put(out, i, plan->bytes);
            out += plan->bytes;
            wanted--;
        }
    }
}

static void bit_flip_permanent(const sl_plan *plan, sl_secret secret, sl_bits *device,
                               sl_bits *kept, uint8_t *out)
{
    const scrim_local_config *config = plan->config;
    const uint32_t chosen = config->chosen, words = sl_bitmap_words(chosen);
    const uint64_t x = sl_inside(secret.value, config->values);
    uint8_t *bitmap = out + (size_t)chosen * plan->bytes;
    bit_flip_choose(plan, device, out);
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t lanes = sl_bitmap_lanes(chosen, word);
        uint64_t bits = sl_coins(kept, &plan->coin, lanes);
        for (uint32_t i = 0; i < lanes; i++, out += plan->bytes)
            bits ^= (sl_mask_equal(sl_get(out, plan->bytes), x) & 1) << i;
        sl_bitmap_put(bitmap, chosen, word, bits);
    }
}

/* Reports are the permanent answer. */
static void bit_flip_perturb(const sl_plan *plan, sl_bits *fresh, uint8_t *report)
{
    (void)plan;
    (void)fresh;
    (void)report;
}

static void bit_flip_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    bit_flip_permanent(plan, (sl_secret){.value = value}, bits, bits, report);
}

const sl_kind sl_bit_flip = {
    .name = "bit-flip",
    .words = SL_VALUES | SL_AB | SL_CHOSEN | SL_EPOCH,
    .check = bit_flip_check,
    .report_bytes = bit_flip_bytes,
    .loss = bit_flip_loss,
    .prepare = repeated_prepare,
    .encode = bit_flip_encode,
    .permanent = bit_flip_permanent,
    .perturb = bit_flip_perturb,
};

/* ---- repeated-unary ----------------------------------------------------------------------- */

static scrim_local_status repeated_check(const scrim_local_config *config)
{
    return config->keep > REPEATED_FULL / 2 ? repeated_limit(config)
                                            : SCRIM_LOCAL_E_PARAM;
}

static size_t repeated_bytes(const scrim_local_config *config)
{
    return sl_bitmap_bytes(config->values);
}

static sl_loss repeated_loss(const scrim_local_config *config)
{
    const uint64_t a = config->a, b = config->b, keep = config->keep;
    const uint64_t flip = REPEATED_FULL - keep;
    if (config->epoch == 0)
        return (sl_loss){.over = a, .under = b, .times = 1};
    return (sl_loss){
        .over = a * keep + b * flip, .under = b * keep + a * flip, .times = 1};
}

static void repeated_permanent(const sl_plan *plan, sl_secret secret, sl_bits *device,
                               sl_bits *kept, uint8_t *out)
{
    const scrim_local_config *config = plan->config;
    const uint32_t values = config->values, words = sl_bitmap_words(values);
    const uint64_t x = sl_inside(secret.value, values);
    (void)device;
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t lanes = sl_bitmap_lanes(values, word);
        const uint64_t others = sl_coins(kept, &plan->coin, lanes);
        sl_bitmap_put(out, values, word,
                      sl_select(sl_bitmap_one(x, word), sl_word(kept), others));
    }
}

static void repeated_perturb(const sl_plan *plan, sl_bits *fresh, uint8_t *report)
{
    const uint32_t values = plan->config->values, words = sl_bitmap_words(values);
    for (uint32_t word = 0; word < words; word++) {
        const uint64_t flipped = ~sl_bernoulli_words(fresh, plan->config->keep);
        sl_bitmap_put(report, values, word,
                      sl_bitmap_get(report, values, word) ^ flipped);
    }
}

static void repeated_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    repeated_permanent(plan, (sl_secret){.value = value}, bits, bits, report);
    repeated_perturb(plan, bits, report);
}

const sl_kind sl_repeated_unary = {
    .name = "repeated-unary",
    .words = SL_VALUES | SL_AB | SL_KEEP | SL_EPOCH,
    .check = repeated_check,
    .report_bytes = repeated_bytes,
    .loss = repeated_loss,
    .prepare = repeated_prepare,
    .encode = repeated_encode,
    .permanent = repeated_permanent,
    .perturb = repeated_perturb,
};
