#include "local/device/projective_encoder.h"

#include "local/device/set_protocol.h"

#define PROJECTIVE_BATCH 8

/* K of so many digits, or SL_OUTPUTS_LIMIT where it is that or more. */
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

/* A vector that is not 0; the report is its multiple that is a point. */
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

/* At most PROJECTIVE_BATCH reports: one inverse, of the product of all leading digits. */
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
