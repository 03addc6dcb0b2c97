#include "local/device/repeated_encoders.h"

#include "local/device/device_hash.h"
#include "local/device/integers.h"

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

#define RAPPOR_HASHES 16
#define RAPPOR_COHORTS ((uint32_t)1 << 16)

static uint32_t rappor_is_yes_or_no(const scrim_local_config *config)
{
    return config->hashes == 0 && config->bits == 1;
}

static uint32_t rappor_is_one_time(const scrim_local_config *config)
{
    return config->p == 0 && config->q == 0;
}

static uint32_t rappor_is_signal_right(const scrim_local_config *config)
{
    if (config->bits == 0 || config->cohorts == 0)
        return 0;
    if (config->hashes > 0)
        return config->values == 0 && config->text > 0 && config->hashes <= config->bits;
    return config->text == 0 && config->cohorts == 1 && config->values >= 2 &&
           (config->bits == config->values || (config->values == 2 && config->bits == 1));
}

static sl_loss rappor_permanent_loss(const scrim_local_config *config)
{
    const uint32_t hashes = config->hashes > 0 ? config->hashes : 1;
    const sl_loss loss = {.over = ((uint64_t)1 << 33) - config->f,
                          .under = config->f,
                          .times = rappor_is_yes_or_no(config) ? 1 : 2 * hashes};
    return loss;
}

/* All in parts of 2^64; half of an odd product is rounded so that the loss grows. Neither 1 - p* nor
 * 1 - q* is 0, and 1 - p* is 2^64 only where p* is 0. */
static sl_loss rappor_report_loss(const scrim_local_config *config)
{
    const uint64_t half = (uint64_t)config->f * (config->q - config->p) / 2;
    const uint64_t q_star = ((uint64_t)config->q << 32) - half;
    const uint64_t p_star = ((uint64_t)config->p << 32) + half;
    sl_loss ones = {.over = q_star, .under = p_star, .times = 1};
    const sl_loss zeros = {.over = 0 - p_star, .under = 0 - q_star, .times = 1};
    if (rappor_is_yes_or_no(config)) {
        const sl_wide one = sl_multiply(ones.over, zeros.under);
        const sl_wide zero = sl_multiply(zeros.over, ones.under);
        const uint32_t more =
            one.high > zero.high || (one.high == zero.high && one.low >= zero.low);
        return more || p_star == 0 ? ones : zeros;
    }
    ones.also_over = zeros.over;
    ones.also_under = zeros.under;
    ones.times = config->hashes > 0 ? config->hashes : 1;
    return ones;
}

static sl_loss rappor_loss(const scrim_local_config *config)
{
    return rappor_is_one_time(config) || config->epoch == 0
               ? rappor_permanent_loss(config)
               : rappor_report_loss(config);
}

static scrim_local_status rappor_check(const scrim_local_config *config)
{
    if (!rappor_is_signal_right(config) ||
        (!rappor_is_one_time(config) && config->p >= config->q) || config->epoch > 1 ||
        rappor_loss(config).under == 0)
        return SCRIM_LOCAL_E_PARAM;
    return config->bits <= SL_BITMAP_LIMIT && config->hashes <= RAPPOR_HASHES &&
                   config->cohorts <= RAPPOR_COHORTS
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_LIMIT;
}

static uint32_t rappor_cohort_bytes(const scrim_local_config *config)
{
    return config->cohorts == 1 ? 0 : sl_bytes_below(config->cohorts);
}

static size_t rappor_bytes(const scrim_local_config *config)
{
    return rappor_cohort_bytes(config) + (size_t)sl_bitmap_bytes(config->bits);
}

static void rappor_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->total = sl_range_of(config->cohorts);
    plan->a = sl_divisor_of(config->bits);
    plan->bytes = rappor_cohort_bytes(config);
}

/* Where the signal's bits are 1; those of a value that sets none are behind the end. */
typedef struct rappor_signal {
    uint32_t count;
    uint32_t place[RAPPOR_HASHES];
} rappor_signal;

static void rappor_of_value(const scrim_local_config *config, uint64_t value,
                            rappor_signal *out)
{
    const uint64_t x = sl_inside(value, config->values);
    out->count = 1;
    out->place[0] = (uint32_t)(rappor_is_yes_or_no(config) ? (1 - x) * 64 : x);
}

static void rappor_of_text(const sl_plan *plan, uint32_t cohort, const uint8_t *text,
                           rappor_signal *out)
{
    out->count = plan->config->hashes;
    for (uint32_t i = 0; i < out->count; i++)
        out->place[i] = sl_bloom_place(plan->a, cohort, i, text, plan->config->text);
}

static uint64_t rappor_signal_word(const rappor_signal *signal, uint32_t word)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < signal->count; i++)
        bits |= sl_bitmap_one(signal->place[i], word);
    return bits;
}

static void rappor_permanent(const sl_plan *plan, sl_secret secret, sl_bits *device,
                             sl_bits *kept, uint8_t *out)
{
    const scrim_local_config *config = plan->config;
    const uint32_t bits = config->bits, words = sl_bitmap_words(bits);
    uint32_t cohort = 0;
    rappor_signal signal;
    if (config->cohorts > 1)
        cohort = (uint32_t)sl_uniform(device, &plan->total);
    sl_put(out, cohort, plan->bytes);
    if (config->hashes > 0)
        rappor_of_text(plan, cohort, secret.text, &signal);
    else
        rappor_of_value(config, secret.value, &signal);
    for (uint32_t word = 0; word < words; word++) {
        const uint64_t noisy = sl_bernoulli_words(kept, config->f), coin = sl_word(kept);
        sl_bitmap_put(out + plan->bytes, bits, word,
                      sl_select(noisy, coin, rappor_signal_word(&signal, word)));
    }
    sl_wipe(signal.place, signal.count * sizeof *signal.place);
}

static void rappor_perturb(const sl_plan *plan, sl_bits *fresh, uint8_t *report)
{
    const scrim_local_config *config = plan->config;
    const uint32_t bits = config->bits, words = sl_bitmap_words(bits);
    uint8_t *bitmap = report + plan->bytes;
    if (rappor_is_one_time(config))
        return;
    for (uint32_t word = 0; word < words; word++) {
        const uint64_t ones = sl_bernoulli_words(fresh, config->q);
        const uint64_t zeros = sl_bernoulli_words(fresh, config->p);
        const uint64_t permanent = sl_bitmap_get(bitmap, bits, word);
        sl_bitmap_put(bitmap, bits, word, sl_select(permanent, ones, zeros));
    }
}

static void rappor_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                          uint8_t *report)
{
    rappor_permanent(plan, (sl_secret){.value = value}, bits, bits, report);
    rappor_perturb(plan, bits, report);
}

static void rappor_encode_text(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                               uint8_t *report)
{
    rappor_permanent(plan, (sl_secret){.text = text}, bits, bits, report);
    rappor_perturb(plan, bits, report);
}

const sl_kind sl_rappor = {
    .name = "rappor",
    .words = SL_VALUES | SL_TEXT | SL_BITS | SL_HASHES | SL_COHORTS | SL_F | SL_P | SL_Q |
             SL_EPOCH,
    .check = rappor_check,
    .report_bytes = rappor_bytes,
    .loss = rappor_loss,
    .prepare = rappor_prepare,
    .encode = rappor_encode,
    .encode_text = rappor_encode_text,
    .permanent = rappor_permanent,
    .perturb = rappor_perturb,
};
