#include "local/device/number_encoders.h"

#include "local/device/device_hash.h"
#include "local/device/kind.h"

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

static uint64_t square_outputs(const scrim_local_config *config)
{
    return config->values + 2 * (uint64_t)config->width;
}

static scrim_local_status square_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few outputs the total is below SL_TOTAL_LIMIT. */
    return config->values < (uint32_t)1 << 24 && square_outputs(config) < SL_OUTPUTS_LIMIT
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_LIMIT;
}

static size_t square_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(square_outputs(config));
}

static void square_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t near = 2 * (uint64_t)config->width + 1;
    sl_set_prepare(config, near,
                   near * config->a + (uint64_t)(config->values - 1) * config->b, plan);
    plan->bytes = (uint32_t)square_bytes(config);
}

static void square_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                          uint8_t *report)
{
    const uint64_t x = sl_inside(value, plan->config->values);
    const uint64_t near = 2 * (uint64_t)plan->config->width + 1;
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    const uint64_t other = draw.place + (near & ~sl_mask_less(draw.place, x));
    sl_put(report, sl_select(draw.inside, x + draw.place, other), plan->bytes);
}

const sl_kind sl_square_wave = {
    .name = "square-wave",
    .words = SL_VALUES | SL_AB | SL_WIDTH,
    .check = square_check,
    .report_bytes = square_bytes,
    .loss = sl_set_loss,
    .prepare = square_prepare,
    .encode = square_encode,
};

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

/* b of a + b numbers make the noise positive, b negative, a - b make it 0. */
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

/* Where row y begins: values below it have y distances, for x = 0, ..., y - 1. */
static size_t metric_place(uint32_t y)
{
    return (size_t)y * (y - 1) / 2;
}

uint32_t sl_metric_distance(const scrim_local_config *config, uint32_t x, uint32_t y)
{
    if (config->metric == 0)
        return x < y ? y - x : x - y;
    if (x == y)
        return 0;
    return x < y ? config->table[metric_place(y) + x]
                 : config->table[metric_place(x) + y];
}

uint32_t sl_metric_diameter(const scrim_local_config *config)
{
    uint32_t most = 0;
    if (config->metric == 0)
        return config->values - 1;
    for (size_t i = 0; i < metric_place(config->values); i++)
        most = config->table[i] > most ? config->table[i] : most;
    return most;
}

/* Distances from a secret value to all, by looking at the whole table. */
static void metric_row(const scrim_local_config *config, uint64_t x,
                       uint8_t row[SL_METRIC_VALUES])
{
    const uint8_t *at = config->table;
    for (uint32_t z = 0; z < config->values; z++)
        row[z] = 0;
    for (uint32_t y = 1; y < config->values; y++)
        for (uint32_t z = 0; z < y; z++, at++) {
            row[z] |= (uint8_t)(*at & sl_mask_equal(x, y));
            row[y] |= (uint8_t)(*at & sl_mask_equal(x, z));
        }
}

/* No way over a third value is shorter, and different values are apart. */
static int metric_is_right(const scrim_local_config *config)
{
    const uint32_t values = config->values;
    for (uint32_t x = 0; x < values; x++)
        for (uint32_t y = 0; y < x; y++) {
            const uint32_t straight = sl_metric_distance(config, x, y);
            if (straight == 0)
                return 0;
            for (uint32_t z = 0; z < values; z++)
                if (sl_metric_distance(config, x, z) + sl_metric_distance(config, z, y) <
                    straight)
                    return 0;
        }
    return 1;
}

void scrim_local_table_hash(const uint8_t *table, size_t bytes,
                            uint8_t out[SCRIM_LOCAL_HASH_BYTES])
{
    sl_sha256(table, bytes, out);
}

scrim_local_status scrim_local_config_table(scrim_local_config *config,
                                            const uint8_t *table, size_t bytes)
{
    uint8_t hash[SCRIM_LOCAL_HASH_BYTES];
    uint32_t differs = 0;
    if (config->metric != 1 || bytes != metric_place(config->values))
        return SCRIM_LOCAL_E_PARAM;
    sl_sha256(table, bytes, hash);
    for (uint32_t i = 0; i < SCRIM_LOCAL_HASH_BYTES; i++)
        differs |= (uint32_t)(hash[i] ^ config->table_hash[i]);
    config->table = table;
    if (differs == 0 && metric_is_right(config))
        return SCRIM_LOCAL_OK;
    config->table = NULL;
    return SCRIM_LOCAL_E_PARAM;
}

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
    metric_row(config, x, row);
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
