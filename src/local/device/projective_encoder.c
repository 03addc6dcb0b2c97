#include "local/device/projective_encoder.h"

#include "local/device/set_protocol.h"

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
    }
}

/* All ones where a < b; both are below 2^31. */
static inline uint32_t projective_less(uint32_t a, uint32_t b)
{
    return (uint32_t)sl_mask((a - b) >> 31);
}

/* The digits of z without the one to insert; the product of those below it with the value's. Digits of
 * the value's index, counted from the first with this leading place on, are 0 from that place on. */
static uint32_t projective_product(const sl_plan *plan, uint32_t rest, uint32_t z,
                                   uint32_t digits[SL_PLACES])
{
    const uint32_t places = plan->config->digits - 1;
    uint32_t product = 0;
    for (uint32_t e = 0; e < places; e++) {
        uint32_t factor;
        z = sl_small_divide(plan->field, z, &digits[e]);
        rest = sl_small_divide(plan->field, rest, &factor);
        product += factor * digits[e];
    }
    return sl_small_modulo(plan->field, product);
}

/* 1/n in the field, n not 0: its power q - 2. */
static uint32_t projective_inverse(sl_small field, uint32_t n)
{
    uint32_t result = 1;
    for (uint32_t exponent = field.divisor - 2; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0)
            result = sl_small_modulo(field, result * n);
        n = sl_small_modulo(field, n * n);
    }
    return result;
}

/* The index of a vector that is not 0, up to a multiple. */
static uint32_t projective_index(const sl_plan *plan, const uint32_t digits[SL_PLACES])
{
    uint32_t leading = 0, base = 0, index = 0;
    for (uint32_t e = 0; e < plan->config->digits; e++) {
        const uint32_t some = projective_less(0, digits[e]);
        leading ^= (leading ^ digits[e]) & some;
        base ^= (base ^ (plan->offset[e] - plan->power[e])) & some;
    }
    const uint32_t inverse = projective_inverse(plan->field, leading);
    for (uint32_t e = 0; e < plan->config->digits; e++)
        index += sl_small_modulo(plan->field, digits[e] * inverse) * plan->power[e];
    return index + base;
}

/* z of the specification: that many digits from u, inside by the geometry with one digit less. */
static uint32_t projective_rest(const sl_plan *plan, uint64_t inside, uint32_t place)
{
    uint32_t vector = place + 1;
    for (uint32_t e = 1; e + 1 < plan->config->digits; e++)
        vector += (plan->power[e] - plan->power[e - 1] - plan->power[e - 1]) &
                  ~projective_less(place, plan->offset[e]);
    return place ^ ((place ^ vector) & (uint32_t)inside);
}

static void projective_encode(const sl_plan *plan, uint64_t value, sl_bits *bits,
                              uint8_t *report)
{
    const uint32_t places = plan->config->digits;
    const uint32_t x = (uint32_t)sl_inside(value, plan->config->values);
    const sl_set_draw draw = sl_set_uniform(plan, bits);
    uint32_t digits[SL_PLACES], above[SL_PLACES + 1], rest = x;
    for (uint32_t e = 1; e < places; e++) {
        above[e] = ~projective_less(x, plan->offset[e]);
        rest -= plan->power[e - 1] & above[e];
    }
    const uint32_t z = projective_rest(plan, draw.inside, (uint32_t)draw.place);
    const uint32_t product = projective_product(plan, rest, z, digits);
    const uint32_t wanted = 1 - ((uint32_t)draw.inside & 1);
    uint32_t inserted =
        sl_small_modulo(plan->field, wanted + plan->config->field - product);
    /* From the leading place on each digit moves up by one. */
    digits[places - 1] = 0;
    above[places] = 0;
    for (uint32_t e = 0; e < places; e++) {
        const uint32_t below = above[e + 1], moved = digits[e];
        digits[e] = inserted ^ ((inserted ^ moved) & below);
        inserted ^= (inserted ^ moved) & ~below;
    }
    sl_put(report, projective_index(plan, digits), plan->bytes);
}

const sl_kind sl_projective = {
    .name = "projective-geometry",
    .words = SL_VALUES | SL_AB | SL_FIELD | SL_DIGITS,
    .check = projective_check,
    .report_bytes = projective_bytes,
    .loss = sl_set_loss,
    .prepare = projective_prepare,
    .encode = projective_encode,
};
