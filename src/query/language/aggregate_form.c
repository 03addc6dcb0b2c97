#include "query/language/aggregate_form.h"

#include "query/language/aggregate_bars.h"
#include "query/language/typed.h"

const sc_function *sc_aggregate_function(const sc_node *node)
{
    if (node->kind != SC_NODE_CALL)
        return NULL;
    const sc_function *function = sc_function_find(node->text);
    return function != NULL && sc_function_is_aggregate(function) ? function : NULL;
}

/* Counts. */

static scrim_status read_count(const sc_typing *typing, const sc_node *node,
                               sc_query_aggregate *out)
{
    const sc_text unit = typing->schema->unit;
    const sc_node *argument = node->list[0];
    char quote[SC_TEXT_QUOTE_BYTES];
    if (argument->kind == SC_NODE_STAR) {
        out->kind = SC_AGGREGATE_COUNT;
        return SCRIM_OK;
    }
    if (!node->distinct)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "write COUNT(*): no value is NULL, so that every row counts");
    if (unit.bytes == 0)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "each row is a person of its own here; write COUNT(*)");
    if (argument->kind != SC_NODE_NAME || !sc_text_equal(argument->text, unit))
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_POLICY,
            "distinct values are not counted; COUNT(DISTINCT %s) counts "
            "people, and SELECT x, COUNT(*) GROUP BY x finds the values of x",
            sc_text_quote(unit, quote));
    out->kind = SC_AGGREGATE_COUNT_UNITS;
    return SCRIM_OK;
}

/* Aggregates of values. */

/* c = floor((lo + hi) / 2), R = max(hi - c, c - lo), K = floor(R^2 / 2). */
static scrim_status set_centre(const sc_typing *typing, const sc_node *node,
                               bool is_squared, sc_query_aggregate *out)
{
    const sc_int128 low = out->value->extent.low, high = out->value->extent.high;
    const sc_int128 sum = low + high;
    const sc_int128 centre = sum / 2 - (sum % 2 < 0);
    const sc_int128 radius = high - centre > centre - low ? high - centre : centre - low;
    if (is_squared && radius > (sc_int128)1 << SC_QUERY_RADIUS_BITS)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_LIMIT,
            "a variance takes a range of at most 2^32 steps; make it coarser "
            "with ROUND(x, digits), or bound it with CLAMP(x, low, high)");
    out->centre = (int64_t)centre;
    out->radius = (int64_t)radius;
    out->offset = is_squared ? (int64_t)(radius * radius / 2) : 0;
    return SCRIM_OK;
}

static scrim_status read_number(sc_typing *typing, const sc_node *node,
                                const sc_function *function, sc_query_aggregate *out)
{
    static const sc_aggregate_kind kinds[] = {
        [SC_FUNCTION_AVG] = SC_AGGREGATE_AVG,
        [SC_FUNCTION_STDDEV] = SC_AGGREGATE_STDDEV,
        [SC_FUNCTION_STDDEV_POP] = SC_AGGREGATE_STDDEV_POP,
        [SC_FUNCTION_SUM] = SC_AGGREGATE_SUM,
        [SC_FUNCTION_VAR] = SC_AGGREGATE_VAR,
        [SC_FUNCTION_VAR_POP] = SC_AGGREGATE_VAR_POP};
    scrim_status status =
        sc_typed_number(typing, node->list[0], function->name, &out->value);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(typing, node->list[0], out->value);
    out->kind = kinds[function->kind];
    if (status == SCRIM_OK && out->kind != SC_AGGREGATE_SUM)
        status = set_centre(typing, node, out->kind != SC_AGGREGATE_AVG, out);
    return status;
}

static scrim_status read_p(sc_typing *typing, const sc_node *node, sc_step *out)
{
    sc_extent p;
    const scrim_status status =
        sc_typed_constant(typing, node, "the second part of QUANTILE(x, p)", &p);
    if (status != SCRIM_OK)
        return status;
    if (p.low <= 0 || !sc_extent_constant_step(&p, out) ||
        out->numerator >= out->denominator)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "QUANTILE(x, p) asks for p between 0 and 1, as in QUANTILE(x, "
                         "0.9)");
    return SCRIM_OK;
}

static scrim_status read_quantiles(sc_typing *typing, const sc_node *node,
                                   const sc_function *function, sc_query_aggregate *out,
                                   size_t *count)
{
    const bool is_median = function->kind == SC_FUNCTION_MEDIAN;
    const sc_typed *value;
    scrim_status status = sc_typed_row(typing, node->list[0], &value);
    if (status == SCRIM_OK && value->type != SC_TYPE_DATE)
        status = sc_typing_check_number(typing, node->list[0], function->name, value);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(typing, node->list[0], value);
    *count = is_median ? 1 : node->count - 1;
    for (size_t i = 0; status == SCRIM_OK && i < *count; i++) {
        out[i] = (sc_query_aggregate){
            .kind = SC_AGGREGATE_QUANTILE, .value = value, .p = {1, 2}};
        if (!is_median)
            status = read_p(typing, node->list[i + 1], &out[i].p);
        for (size_t j = 0; status == SCRIM_OK && j < i; j++)
            if (sc_step_equal(out[i].p, out[j].p))
                return sc_refuse(typing->refusal, node->list[i + 1]->span, SCRIM_E_PARAM,
                                 "this quantile is there already; name it once");
    }
    return status;
}

scrim_status sc_aggregate_read(sc_typing *typing, const sc_node *node,
                               sc_query_aggregate *out, size_t *count)
{
    const sc_function *function = sc_aggregate_function(node);
    if (function == NULL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_INTERNAL,
                         "no aggregate, where one was seen");
    const bool counts = function->kind == SC_FUNCTION_COUNT;
    *out = (sc_query_aggregate){.with_range = node->with_range};
    if (node->count > function->most && function->kind == SC_FUNCTION_QUANTILE)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "at most %zu quantiles of one value; ask for fewer",
                         (size_t)function->most - 1);
    if (node->count < function->least || node->count > function->most)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM, "it is called as %s",
                         function->form);
    if (node->distinct && !counts)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "DISTINCT stands only in COUNT(DISTINCT unit), which counts "
                         "people; leave it out");
    if (node->with_range &&
        (node->distinct || (function->kind != SC_FUNCTION_SUM && !counts)))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "WITH RANGE stands behind COUNT(*) and SUM(x); leave it out");
    *count = 1;
    if (counts)
        return read_count(typing, node, out);
    if (function->kind == SC_FUNCTION_MEDIAN || function->kind == SC_FUNCTION_QUANTILE)
        return read_quantiles(typing, node, function, out, count);
    if (sc_aggregate_bars_kind(function->kind) != 0)
        return sc_aggregate_bars_read(typing, node, function, out);
    return read_number(typing, node, function, out);
}
