#include "local/device/condensed_encoder.h"

#include "local/device/metric.h"

#define CONDENSED_VALUES ((uint32_t)1 << 16)
#define CONDENSED_FIRST ((uint64_t)1 << 31)
#define CONDENSED_WORDS 8

static scrim_local_status condensed_check(const scrim_local_config *config)
{
    if (config->values < 2 || config->metric > 1)
        return SCRIM_LOCAL_E_PARAM;
    return config->values <= (config->metric == 0 ? CONDENSED_VALUES : SL_METRIC_VALUES)
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_LIMIT;
}

static size_t condensed_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->values);
}

/* ---- weights ------------------------------------------------------------------------------ */

/* The weight of the next distance. a and b are public. */
static uint64_t condensed_next(const scrim_local_config *config, uint64_t weight)
{
    return (weight * config->b + config->a - 1) / config->a;
}

static void condensed_weights(const scrim_local_config *config,
                              uint64_t weights[SL_METRIC_VALUES])
{
    weights[0] = CONDENSED_FIRST;
    for (uint32_t i = 1; i < SL_METRIC_VALUES; i++)
        weights[i] = condensed_next(config, weights[i - 1]);
}

/* The loss of |x-y|: the sum is smallest at an end, largest in the middle. The 1 more pays for draws of
 * which all words are rejected. */
static sl_loss condensed_line_loss(const scrim_local_config *config)
{
    const uint32_t last = config->values - 1, middle = last / 2;
    uint64_t weight = CONDENSED_FIRST, end = 0, most = 0;
    for (uint32_t t = 0;; t++) {
        end += weight;
        most += (t <= middle ? weight : 0) + (t > 0 && t <= last - middle ? weight : 0);
        if (t == last)
            break;
        weight = condensed_next(config, weight);
    }
    return (sl_loss){.over = CONDENSED_FIRST,
                     .under = weight,
                     .times = 1,
                     .also_over = most + 1,
                     .also_under = end};
}

static sl_loss condensed_table_loss(const scrim_local_config *config)
{
    uint64_t weights[SL_METRIC_VALUES], least = UINT64_MAX, most = 0;
    if (config->table == NULL)
        return (sl_loss){.over = 1, .under = 0, .times = 1};
    condensed_weights(config, weights);
    for (uint32_t x = 0; x < config->values; x++) {
        uint64_t sum = 0;
        for (uint32_t z = 0; z < config->values; z++)
            sum += weights[sl_metric_distance(config, x, z)];
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    return (sl_loss){.over = CONDENSED_FIRST,
                     .under = weights[sl_metric_diameter(config)],
                     .times = 1,
                     .also_over = most + 1,
                     .also_under = least};
}

static sl_loss condensed_loss(const scrim_local_config *config)
{
    return config->metric == 0 ? condensed_line_loss(config)
                               : condensed_table_loss(config);
}

/* ---- draws -------------------------------------------------------------------------------- */

/* 2^64 mod size, without a division. */
static uint64_t condensed_rejected(uint64_t size)
{
    uint64_t rest = sl_mask_less(1, size) & 1;
    for (uint32_t i = 0; i < 64; i++) {
        rest *= 2;
        rest -= size & ~sl_mask_less(rest, size);
    }
    return rest;
}

uint64_t sl_uniform_secret(sl_bits *bits, uint64_t size)
{
    const uint64_t *words = sl_words(bits, CONDENSED_WORDS);
    const uint64_t rejected = condensed_rejected(size);
    uint64_t drawn = 0, open = UINT64_MAX;
    for (uint32_t i = 0; i < CONDENSED_WORDS; i++) {
        const sl_wide product = sl_multiply(words[i], size);
        const uint64_t is_small =
            sl_mask_less(product.low, rejected) & ~sl_mask((uint32_t)(product.low >> 63));
        drawn = sl_select(open, product.high, drawn);
        open &= is_small;
    }
    return drawn;
}

/* Where u falls, as weights are laid side by side. */
typedef struct condensed_walk {
    uint64_t left;  /* of u */
    uint64_t found; /* mask */
    uint64_t place;
} condensed_walk;

static void condensed_step(condensed_walk *walk, uint64_t place, uint64_t weight)
{
    const uint64_t here = sl_mask_less(walk->left, weight) & ~walk->found;
    walk->place = sl_select(here, place, walk->place);
    walk->found |= here;
    walk->left -= weight & ~walk->found;
}

/* The weights of x - t and of x + t; one that is outside weighs nothing, and x itself weighs once. */
static uint64_t condensed_below(uint64_t x, uint64_t t, uint64_t weight)
{
    return weight & ~sl_mask_less(x, t);
}

static uint64_t condensed_above(uint64_t x, uint64_t t, uint64_t values, uint64_t weight)
{
    return weight & sl_mask_less(x + t, values) & sl_mask_some(t);
}

/* Both values at each distance in turn. */
static void condensed_line_encode(const sl_plan *plan, uint64_t x, sl_bits *bits,
                                  uint8_t *report)
{
    const scrim_local_config *config = plan->config;
    const uint64_t values = config->values;
    uint64_t sum = 0, weight = CONDENSED_FIRST;
    for (uint64_t t = 0; t < values; t++, weight = condensed_next(config, weight)) {
        const uint64_t place = sl_hidden(x);
        sum +=
            condensed_below(place, t, weight) + condensed_above(place, t, values, weight);
    }
    condensed_walk walk = {sl_uniform_secret(bits, sum), 0, 0};
    weight = CONDENSED_FIRST;
    for (uint64_t t = 0; t < values; t++, weight = condensed_next(config, weight)) {
        const uint64_t place = sl_hidden(x);
        condensed_step(&walk, place - t, condensed_below(place, t, weight));
        condensed_step(&walk, place + t, condensed_above(place, t, values, weight));
    }
    sl_put(report, walk.place, sl_bytes_below(values));
}

static uint64_t condensed_weight_at(const uint64_t weights[SL_METRIC_VALUES],
                                    uint64_t distance)
{
    uint64_t weight = 0;
    for (uint32_t t = 0; t < SL_METRIC_VALUES; t++)
        weight |= weights[t] & sl_mask_equal(distance, t);
    return weight;
}

static void condensed_table_encode(const sl_plan *plan, uint64_t x, sl_bits *bits,
                                   uint8_t *report)
{
    const scrim_local_config *config = plan->config;
    uint64_t weights[SL_METRIC_VALUES], own[SL_METRIC_VALUES], sum = 0;
    uint8_t row[SL_METRIC_VALUES];
    condensed_weights(config, weights);
    sl_metric_row(config, x, row);
    for (uint32_t z = 0; z < config->values; z++) {
        own[z] = condensed_weight_at(weights, row[z]);
        sum += own[z];
    }
    condensed_walk walk = {sl_uniform_secret(bits, sum), 0, 0};
    for (uint32_t z = 0; z < config->values; z++)
        condensed_step(&walk, z, own[z]);
    sl_put(report, walk.place, sl_bytes_below(config->values));
    sl_wipe(row, sizeof row);
    sl_wipe(own, sizeof own);
}

static void condensed_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
}

static void condensed_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    const uint64_t x = sl_inside(value, plan->config->values);
    if (plan->config->metric == 0)
        condensed_line_encode(plan, x, bits, report);
    else
        condensed_table_encode(plan, x, bits, report);
}

const sl_kind sl_condensed = {
    .name = "condensed-exponential",
    .words = SL_VALUES | SL_AB | SL_METRIC,
    .check = condensed_check,
    .report_bytes = condensed_bytes,
    .loss = condensed_loss,
    .prepare = condensed_prepare,
    .encode = condensed_encode,
};
