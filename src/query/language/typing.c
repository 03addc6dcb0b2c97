#include "query/language/typing.h"

#include "data/value/calendar.h"

scrim_status sc_typing_make(sc_typing *typing, sc_typed value, const sc_typed **out)
{
    sc_typed *typed = sc_arena_allocate(typing->arena, 1, sizeof *typed);
    if (typed == NULL)
        return sc_refuse_memory(typing->refusal);
    if (value.operation != SC_OP_COLUMN)
        value.is_nullable = sc_typed_may_be_null(&value, NULL);
    if (value.type != SC_TYPE_TEXT && !value.is_nullable &&
        sc_extent_is_constant(&value.extent))
        value = (sc_typed){
            .operation = SC_OP_CONSTANT, .type = value.type, .extent = value.extent};
    value.zone = typing->schema->zone;
    value.size = 1;
    for (size_t i = 0; i < value.count; i++)
        value.size += value.parts[i]->size;
    if (value.size > SC_TYPED_SIZE)
        return sc_refuse(typing->refusal, (sc_span){0, 0}, SCRIM_E_LIMIT,
                         "this expression is too long; split it into several queries");
    *typed = value;
    *out = typed;
    return SCRIM_OK;
}

scrim_status sc_typing_parts(sc_typing *typing, size_t count, const sc_typed ***out)
{
    *out = sc_arena_allocate(typing->arena, count, sizeof(const sc_typed *));
    return *out == NULL ? sc_refuse_memory(typing->refusal) : SCRIM_OK;
}

scrim_status sc_typing_operation(sc_typing *typing, sc_typed value, const sc_typed *a,
                                 const sc_typed *b, const sc_typed **out)
{
    const sc_typed **parts;
    const bool is_null = sc_typed_is_null(a) || (b != NULL && sc_typed_is_null(b));
    if (is_null && value.operation != SC_OP_IS_NULL && !value.skips_null)
        return sc_typing_null(typing, value.type, out);
    scrim_status status = sc_typing_parts(typing, 2, &parts);
    if (status != SCRIM_OK)
        return status;
    parts[0] = a;
    parts[1] = b;
    value.parts = parts;
    value.count = b == NULL ? 1 : 2;
    return sc_typing_make(typing, value, out);
}

scrim_status sc_typing_constant(sc_typing *typing, sc_type type, int64_t value,
                                const sc_typed **out)
{
    return sc_typing_make(
        typing, (sc_typed){.type = type, .extent = {value, value, {1, 1}}}, out);
}

scrim_status sc_typing_null(sc_typing *typing, sc_type type, const sc_typed **out)
{
    return sc_typing_make(
        typing,
        (sc_typed){.operation = SC_OP_NULL, .type = type, .extent = {0, 0, {1, 1}}}, out);
}

bool sc_typed_is_null(const sc_typed *typed)
{
    return typed->operation == SC_OP_NULL;
}

bool sc_typed_is_constant(const sc_typed *typed)
{
    return !typed->is_nullable && sc_extent_is_constant(&typed->extent);
}

scrim_status sc_typing_beyond(const sc_typing *typing, sc_span place)
{
    return sc_refuse(typing->refusal, place, SCRIM_E_LIMIT,
                     "values of this expression may exceed 4.6e18 steps; limit it with "
                     "CLAMP(x, low, high) or coarsen it with ROUND(x, digits)");
}

scrim_status sc_typing_check_dates(const sc_typing *typing, sc_span place,
                                   const sc_typed *typed)
{
    sc_int128 low = (sc_int128)typed->extent.low * typed->extent.step.numerator;
    sc_int128 high = (sc_int128)typed->extent.high * typed->extent.step.numerator;
    if (typed->extent.step.denominator != 1)
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "dates need whole days; round first, as in d + FLOOR(x)");
    if (low < SC_CALENDAR_FIRST || high > SC_CALENDAR_LAST)
        return sc_refuse(typing->refusal, place, SCRIM_E_LIMIT,
                         "this date may be outside the years 0 to 9999; limit the added "
                         "days with CLAMP(x, low, high)");
    return SCRIM_OK;
}

scrim_status sc_typing_align(sc_typing *typing, sc_span place, const sc_typed **a,
                             const sc_typed **b)
{
    const sc_typed **sides[] = {a, b};
    sc_value_step step;
    int64_t times[2];
    if (!sc_extent_common(&(*a)->extent, &(*b)->extent, &step, &times[0], &times[1]))
        return sc_typing_beyond(typing, place);
    for (size_t i = 0; i < 2; i++) {
        sc_typed scaled = {
            .operation = SC_OP_SCALE, .type = (*sides[i])->type, .times = times[i]};
        if (sc_step_equal((*sides[i])->extent.step, step))
            continue;
        if (!sc_extent_scale(&(*sides[i])->extent, times[i], step, &scaled.extent))
            return sc_typing_beyond(typing, place);
        const scrim_status status =
            sc_typing_operation(typing, scaled, *sides[i], NULL, sides[i]);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

scrim_status sc_typing_check_varies(const sc_typing *typing, const sc_node *node,
                                    const sc_typed *value)
{
    if (sc_typed_is_null(value))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "this is NULL in every row; leave it out");
    if (!sc_extent_is_constant(&value->extent))
        return SCRIM_OK;
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "this is constant%s; ask for COUNT(%s) and multiply",
                     value->is_nullable ? " that has it" : ", by the declared ranges",
                     value->is_nullable ? "x" : "*");
}
