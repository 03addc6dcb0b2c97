#include "local/device/set_encoders.h"

#include "local/device/integers.h"
#include "local/device/kind.h"

static scrim_local_status response_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* Cannot wrap: a, b and values have 32 bits each, so the total is below 2^64. */
    const uint64_t total = config->a + (uint64_t)(config->values - 1) * config->b;
    return total < SL_TOTAL_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t response_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->values);
}

static void response_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_response_prepare(config, config->values, plan);
}

/* The plan is copied, because for the compiler bytes of reports may alias it, and it would be
 * read again for each. */
static void response_encode_many(const sl_plan *plan, const uint32_t *values,
                                 size_t count, sl_bits *bits, uint8_t *reports)
{
    const uint64_t limit = plan->config->values;
    const uint32_t bytes = plan->bytes;
    const sl_plan own = {.total = plan->total, .likely = plan->likely, .b = plan->b};
    for (size_t i = 0; i < count; i++, reports += bytes)
        sl_put(reports, sl_response_draw(&own, sl_inside(values[i], limit), bits), bytes);
}

static void response_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    response_encode_many(plan, &x, 1, bits, report);
}

const sl_kind sl_response = {
    .name = "randomised-response",
    .words = SL_VALUES | SL_AB,
    .check = response_check,
    .report_bytes = response_bytes,
    .loss = sl_set_loss,
    .prepare = response_prepare,
    .encode = response_encode,
    .encode_many = response_encode_many,
};

#define PROJECTIVE_BATCH 8

/* K for this many digits, or SL_OUTPUTS_LIMIT where it is that or more. */
static uint64_t projective_points(uint32_t q, uint32_t digits)
{
    uint64_t points = 0;
    for (; digits > 0 && points < SL_OUTPUTS_LIMIT; digits--)
        points = points * q + 1;
    return points < SL_OUTPUTS_LIMIT ? points : SL_OUTPUTS_LIMIT;
}

static uint64_t projective_total(const scrim_local_config *config)
{
    const uint64_t points = projective_points(config->field, config->digits);
    const uint64_t near = projective_points(config->field, config->digits - 1);
    return near * config->a + (points - near) * config->b;
}

static scrim_local_status projective_check(const scrim_local_config *config)
{
    if (sl_field_check(config->field) != SCRIM_LOCAL_OK || config->digits < 3 ||
        config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    const uint64_t points = projective_points(config->field, config->digits);
    /* With so few points the total is below SL_TOTAL_LIMIT. */
    if (points == SL_OUTPUTS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->values <= points ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_PARAM;
}

static size_t projective_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(projective_points(config->field, config->digits));
}

static void projective_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t near = projective_points(config->field, config->digits - 1);
    sl_set_prepare(config, near, projective_total(config), plan);
    plan->bytes = (uint32_t)projective_bytes(config);
    plan->field = sl_small_of(config->field);
    plan->power[0] = 1;
    plan->offset[0] = 0;
    for (uint32_t e = 1; e < config->digits; e++) {
        plan->power[e] = plan->power[e - 1] * config->field;
        plan->offset[e] = plan->offset[e - 1] * config->field + 1;
        plan->step[e] = plan->power[e] - 2 * plan->power[e - 1];
    }
}

/* All ones where a < b; both are below 2^31. */
static inline uint32_t projective_less(uint32_t a, uint32_t b)
{
    return (uint32_t)sl_mask((a - b) >> 31);
}

/* 1/n in the field, n not 0: its power q - 2. */
static inline uint32_t projective_inverse(sl_small field, uint32_t n)
{
    uint32_t result = 1;
    for (uint32_t exponent = field.divisor - 2; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0)
            result = sl_small_modulo(field, result * n);
        n = sl_small_modulo(field, n * n);
    }
    return result;
}

/* z of the specification, of one digit less than a point has; inside it is one of a point. */
static inline uint32_t projective_rest(const sl_plan *plan, sl_set_draw draw)
{
    const uint32_t place = (uint32_t)draw.place;
    uint32_t vector = place + 1;
    for (uint32_t e = 1; e + 1 < plan->config->digits; e++)
        vector += plan->step[e] & ~projective_less(place, plan->offset[e]);
    return place ^ ((place ^ vector) & (uint32_t)draw.inside);
}

/* A vector that is not 0. The report is the multiple of it that is a point, whose highest digit
 * is 1. */
typedef struct projective_vector {
    uint32_t digits[SL_PLACES];
    uint32_t leading; /* its highest digit that is not 0 */
    uint32_t base;    /* its index, less its number in base q */
} projective_vector;

/* Digits of the value's number behind its leading 1 are 0 from that place on, so that the product takes
 * the digits of z below it only; from it on each digit of z moves up by one. */
static inline void projective_draw(const sl_plan *plan, uint32_t x, sl_set_draw draw,
                                   projective_vector *out)
{
    const sl_small field = plan->field;
    const uint32_t places = plan->config->digits;
    uint32_t digits[SL_PLACES], below[SL_PLACES];
    uint32_t z = projective_rest(plan, draw), rest = x, product = 0;
    for (uint32_t e = 1; e < places; e++) {
        below[e - 1] = ~projective_less(x, plan->offset[e]);
        rest -= plan->power[e - 1] & below[e - 1];
    }
    for (uint32_t e = 0; e + 1 < places; e++) {
        uint32_t factor;
        z = sl_small_divide(field, z, &digits[e]);
        rest = sl_small_divide(field, rest, &factor);
        product += factor * digits[e];
    }
    digits[places - 1] = below[places - 1] = 0;
    uint32_t moved = 1 - ((uint32_t)draw.inside & 1) + field.divisor;
    moved = sl_small_modulo(field, moved - sl_small_modulo(field, product));
    out->leading = out->base = 0;
    for (uint32_t e = 0; e < places; e++) {
        const uint32_t digit = moved ^ ((moved ^ digits[e]) & below[e]);
        const uint32_t some = projective_less(0, digit);
        moved ^= digit ^ digits[e];
        out->digits[e] = digit;
        out->leading ^= (out->leading ^ digit) & some;
        out->base ^= (out->base ^ (plan->offset[e] - plan->power[e])) & some;
    }
}

static inline uint32_t projective_index(const sl_plan *plan,
                                        const projective_vector *vector, uint32_t inverse)
{
    uint32_t index = vector->base;
    for (uint32_t e = 0; e < plan->config->digits; e++)
        index +=
            sl_small_modulo(plan->field, vector->digits[e] * inverse) * plan->power[e];
    return index;
}

/* At most PROJECTIVE_BATCH reports. Inverts once, the product of all leading digits, since an
 * inverse is slow. */
static inline void projective_batch(const sl_plan *plan, const uint32_t *values,
                                    size_t count, sl_bits *bits, uint8_t *reports)
{
    projective_vector vectors[PROJECTIVE_BATCH];
    uint32_t before[PROJECTIVE_BATCH], product = 1;
    for (size_t i = 0; i < count; i++) {
        const sl_set_draw draw = sl_set_uniform(plan, bits);
        const uint32_t x = (uint32_t)sl_inside(values[i], plan->config->values);
        projective_draw(plan, x, draw, &vectors[i]);
        before[i] = product;
        product = sl_small_modulo(plan->field, product * vectors[i].leading);
    }
    uint32_t inverse = projective_inverse(plan->field, product);
    for (size_t i = count; i-- > 0;) {
        const uint32_t own = sl_small_modulo(plan->field, inverse * before[i]);
        inverse = sl_small_modulo(plan->field, inverse * vectors[i].leading);
        sl_put(reports + i * plan->bytes, projective_index(plan, &vectors[i], own),
               plan->bytes);
    }
}

static void projective_encode_many(const sl_plan *plan, const uint32_t *values,
                                   size_t count, sl_bits *bits, uint8_t *reports)
{
    while (count > 0) {
        const size_t batch = count < PROJECTIVE_BATCH ? count : PROJECTIVE_BATCH;
        projective_batch(plan, values, batch, bits, reports);
        values += batch;
        reports += batch * plan->bytes;
        count -= batch;
    }
}

static void projective_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                              uint8_t *report)
{
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    projective_encode_many(plan, &x, 1, bits, report);
}

const sl_kind sl_projective = {
    .name = "projective-geometry",
    .words = SL_VALUES | SL_AB | SL_FIELD | SL_DIGITS,
    .check = projective_check,
    .report_bytes = projective_bytes,
    .loss = sl_set_loss,
    .prepare = projective_prepare,
    .encode = projective_encode,
    .encode_many = projective_encode_many,
};

static uint64_t hadamard_outputs(const scrim_local_config *config)
{
    return (uint64_t)config->blocks * config->order;
}

static scrim_local_status hadamard_check(const scrim_local_config *config)
{
    if (config->order < 4 || (config->order & (config->order - 1)) != 0 ||
        config->blocks < 1 || config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few outputs the total is below SL_TOTAL_LIMIT. */
    if (hadamard_outputs(config) >= SL_OUTPUTS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->values <= hadamard_outputs(config) - config->blocks
               ? SCRIM_LOCAL_OK
               : SCRIM_LOCAL_E_PARAM;
}

static size_t hadamard_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(hadamard_outputs(config));
}

static void hadamard_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t half = config->order / 2;
    const uint64_t others = hadamard_outputs(config) - half;
    sl_set_prepare(config, half, half * config->a + others * config->b, plan);
    plan->bytes = (uint32_t)hadamard_bytes(config);
    plan->field = sl_small_of(config->order - 1);
}

static uint32_t hadamard_parity(uint32_t n)
{
    n ^= n >> 16;
    n ^= n >> 8;
    n ^= n >> 4;
    n ^= n >> 2;
    return (n ^ n >> 1) & 1;
}

/* Output r of those of row i whose parity is as wanted. */
static uint32_t hadamard_own(uint32_t i, uint32_t r, uint32_t want)
{
    const uint32_t lowest = i & (0 - i), below = lowest - 1;
    const uint32_t y = (r & below) | (r & ~below) << 1;
    return y | (lowest & (uint32_t)sl_mask(hadamard_parity(i & y) ^ want));
}

static void hadamard_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                            uint8_t *report)
{
    const uint32_t order = plan->config->order, half = order / 2;
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    const uint32_t r = (uint32_t)draw.place, want = 1 - ((uint32_t)draw.inside & 1);
    uint32_t i;
    const uint32_t own = sl_small_divide(plan->field, x, &i) * order;
    /* Which of the outputs outside of the own block, those behind it moved past it. */
    const uint32_t outside = r - half;
    const uint32_t other = outside + (order & ~(uint32_t)sl_mask_less(outside, own));
    const uint32_t same = (uint32_t)(draw.inside | sl_mask_less(r, half));
    const uint32_t output = own + hadamard_own(i + 1, r & (half - 1), want);
    sl_put(report, other ^ ((other ^ output) & same), plan->bytes);
}

const sl_kind sl_hadamard = {
    .name = "hadamard",
    .words = SL_VALUES | SL_AB | SL_BLOCKS | SL_ORDER,
    .check = hadamard_check,
    .report_bytes = hadamard_bytes,
    .loss = sl_set_loss,
    .prepare = hadamard_prepare,
    .encode = hadamard_encode,
};

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

uint64_t sl_field_product(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (uint32_t i = 64; i > 0; i--) {
        product = product << 1 ^ (0x1b & sl_mask((uint32_t)(product >> 63)));
        product ^= b & sl_mask((uint32_t)(a >> (i - 1) & 1));
    }
    return product;
}

uint32_t sl_text_words(const uint8_t *text, uint32_t bytes, uint32_t bits,
                       uint64_t words[SL_TEXT_WORDS])
{
    const uint32_t count = (bytes + 7) / 8;
    for (uint32_t i = 0; i < bytes; i++) {
        const uint32_t kept = bits < 8 * i ? 0 : bits - 8 * i;
        const uint32_t mask = kept < 8 ? 0xff00u >> kept : 0xff;
        if (i % 8 == 0)
            words[i / 8] = 0;
        words[i / 8] |= (uint64_t)(text[i] & mask) << (56 - 8 * (i % 8));
    }
    return count;
}

static scrim_local_status text_check(const scrim_local_config *config)
{
    if (config->text > SL_TEXT_LIMIT || config->cells > SL_CELLS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->text < 1 || config->cells < 2 ||
                   (config->cells & (config->cells - 1)) != 0
               ? SCRIM_LOCAL_E_PARAM
               : SCRIM_LOCAL_OK;
}

static size_t text_bytes(const scrim_local_config *config)
{
    return (size_t)8 * ((config->text + 7) / 8) + sl_bytes_below(config->cells);
}

static void text_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_response_prepare(config, config->cells, plan);
}

static void text_encode_bits(const sl_plan *plan, const uint8_t *text, uint32_t length,
                             sl_bits *bits, uint8_t *report)
{
    uint64_t words[SL_TEXT_WORDS], sum = 0;
    const uint32_t count = sl_text_words(text, plan->config->text, length, words);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t factor = sl_word(bits);
        sum ^= sl_field_product(factor, words[i]);
        sl_put(report + (size_t)8 * i, factor, 8);
    }
    /* Two shifts, since one by 64 is undefined. */
    const uint64_t cell = sum >> 1 >> (63 - sl_cell_bits(plan->config->cells));
    const uint64_t y = sl_response_draw(plan, cell, bits);
    sl_put(report + (size_t)8 * count, y, plan->bytes);
    sl_wipe(words, sizeof words);
}

static void text_encode(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                        uint8_t *report)
{
    text_encode_bits(plan, text, 8 * plan->config->text, bits, report);
}

const sl_kind sl_text_hashing = {
    .name = "text-hashing",
    .words = SL_AB | SL_TEXT | SL_CELLS,
    .check = text_check,
    .report_bytes = text_bytes,
    .loss = sl_set_loss,
    .prepare = text_prepare,
    .encode_text = text_encode,
};

/* Lengths rise, and the last one is that of the text. */
static scrim_local_status prefix_check(const scrim_local_config *config)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < config->prefixes; i++) {
        if (config->prefix[i] <= before)
            return SCRIM_LOCAL_E_PARAM;
        before = config->prefix[i];
    }
    const scrim_local_status status = text_check(config);
    if (status != SCRIM_LOCAL_OK)
        return status;
    return before == 8 * config->text ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_PARAM;
}

static size_t prefix_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->prefixes) + text_bytes(config);
}

static void prefix_prepare(const scrim_local_config *config, sl_plan *plan)
{
    text_prepare(config, plan);
    plan->seeds = sl_range_of(config->prefixes);
}

/* The group does not depend on the text, and is public. */
static void prefix_encode(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                          uint8_t *report)
{
    const uint64_t group = sl_uniform(bits, &plan->seeds);
    const uint32_t bytes = sl_bytes_below(plan->seeds.size);
    sl_put(report, group, bytes);
    text_encode_bits(plan, text, plan->config->prefix[group], bits, report + bytes);
}

const sl_kind sl_prefix = {
    .name = "prefix",
    .words = SL_AB | SL_TEXT | SL_CELLS | SL_PREFIXES,
    .check = prefix_check,
    .report_bytes = prefix_bytes,
    .loss = sl_set_loss,
    .prepare = prefix_prepare,
    .encode_text = prefix_encode,
};

static sl_loss unary_loss(const scrim_local_config *config)
{
    const sl_loss loss = {.over = (uint64_t)config->a * config->a,
                          .under = (uint64_t)config->b * config->b,
                          .times = 1};
    return loss;
}

static scrim_local_status unary_check(const scrim_local_config *config)
{
    if (config->values < 2)
        return SCRIM_LOCAL_E_PARAM;
    return config->values <= SL_BITMAP_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t unary_bytes(const scrim_local_config *config)
{
    return sl_bitmap_bytes(config->values);
}

static void unary_prepare(const scrim_local_config *config, sl_plan *plan)
{
    plan->config = config;
    plan->coin = sl_coin_of(config->b, (uint64_t)config->a + config->b);
}

/* The own bit is the noise's other bit, or else a fair one. */
static inline void unary_encode(const sl_plan *plan, uint64_t value, int flipped,
                                sl_bits *bits, uint8_t *report)
{
    const uint32_t values = plan->config->values, words = sl_bitmap_words(values);
    const uint64_t x = sl_inside(value, values), bit = sl_bitmap_bit(x);
    const uint64_t fair = flipped ? 0 : sl_word(bits);
    uint64_t noise[SL_BLOCK] = {0};
    for (uint32_t word = 0; word < words; word++) {
        if (word % SL_BLOCK == 0)
            sl_coins_block(bits, &plan->coin, values - 64 * word, noise);
        const uint64_t drawn = noise[word % SL_BLOCK],
                       own = bit & sl_mask_equal(x >> 6, word);
        sl_bitmap_put(report, values, word,
                      sl_select(own, flipped ? ~drawn : fair, drawn));
    }
}

static void symmetric_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    unary_encode(plan, value, 1, bits, report);
}

static void optimised_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                             uint8_t *report)
{
    unary_encode(plan, value, 0, bits, report);
}

const sl_kind sl_symmetric_unary = {
    .name = "symmetric-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = unary_loss,
    .prepare = unary_prepare,
    .encode = symmetric_encode,
};

const sl_kind sl_optimised_unary = {
    .name = "optimised-unary",
    .words = SL_VALUES | SL_AB,
    .check = unary_check,
    .report_bytes = unary_bytes,
    .loss = sl_set_loss,
    .prepare = unary_prepare,
    .encode = optimised_encode,
};

static scrim_local_status subset_check(const scrim_local_config *config)
{
    if (config->chosen < 1 || config->chosen >= config->values)
        return SCRIM_LOCAL_E_PARAM;
    /* With so few values the total is below SL_TOTAL_LIMIT. */
    return config->values <= SL_BITMAP_LIMIT ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_LIMIT;
}

static size_t subset_bytes(const scrim_local_config *config)
{
    return (config->values + 7) / 8;
}

static void subset_prepare(const scrim_local_config *config, sl_plan *plan)
{
    const uint64_t likely = (uint64_t)config->chosen * config->a;
    const uint64_t others = (uint64_t)(config->values - config->chosen) * config->b;
    plan->config = config;
    plan->total = sl_range_of(likely + others);
    plan->likely = likely;
}

/* 1 with probability needed / left, which is public; 0 where none is left. */
static uint64_t subset_takes(uint64_t needed, uint32_t left, sl_bits *bits)
{
    if (left == 0)
        return 0;
    const sl_range range = sl_range_of(left);
    return sl_mask_less(sl_uniform(bits, &range), needed) & 1;
}

/* Bits before the value's are those of the other values, bits behind it those of one place before. */
static void subset_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                          uint8_t *report)
{
    const uint32_t values = plan->config->values;
    const uint64_t x = sl_inside(value, values);
    const uint64_t own = sl_mask_less(sl_uniform(bits, &plan->total), plan->likely) & 1;
    uint64_t needed = plan->config->chosen - own, held = own;
    uint32_t byte = 0;
    for (uint32_t i = 0; i < values; i++) {
        const uint64_t taken = subset_takes(needed, values - 1 - i, bits);
        const uint64_t before = sl_mask_less(i, x);
        needed -= taken;
        byte |= (uint32_t)sl_select(before, taken, held) << (i % 8);
        held = sl_select(before, held, taken);
        if (i % 8 == 7 || i == values - 1) {
            report[i / 8] = (uint8_t)byte;
            byte = 0;
        }
    }
}

const sl_kind sl_subset = {
    .name = "subset-selection",
    .words = SL_VALUES | SL_AB | SL_CHOSEN,
    .check = subset_check,
    .report_bytes = subset_bytes,
    .loss = sl_set_loss,
    .prepare = subset_prepare,
    .encode = subset_encode,
};
