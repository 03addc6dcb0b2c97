#include "query/language/typed.h"
#include "query/language/typing.h"

/* The widest bucket of timestamps. */
#define BUCKET_SECONDS (INT64_C(366) * SC_DAY_SECONDS)

/* Arguments. */

static scrim_status check_form(const sc_typing *typing, const sc_node *node,
                               const sc_call_form *form)
{
    if (node->count < form->least || node->count > form->most)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM, "usage: %s",
                         form->form);
    if (node->distinct || node->with_range || node->filter != NULL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s is not an aggregate; DISTINCT, FILTER and WITH RANGE need "
                         "one, as in SUM(x) FILTER (WHERE condition)",
                         form->form);
    return SCRIM_OK;
}

static scrim_status unknown_function(const sc_typing *typing, const sc_node *node)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const char *nearest = sc_function_nearest(node->text);
    sc_text_quote(node->text, quote);
    if (nearest != NULL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "unknown function %s; did you mean %s?", quote, nearest);
    return sc_refuse(
        typing->refusal, node->span, SCRIM_E_POLICY,
        "unknown function %s; available: ABS, FLOOR, ROUND, BUCKET, "
        "CLAMP, LADDER, LEAST, GREATEST, COALESCE, NULLIF, YEAR, QUARTER, MONTH, "
        "WEEK, WEEKDAY, DAY, HOUR, DATE_TRUNC, LENGTH, LOWER, UPPER, SUBSTR, "
        "TRIM, LTRIM, RTRIM and CASE",
        quote);
}

/* Functions of numbers. */

static scrim_status type_absolute(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *x;
    sc_typed value = {.operation = SC_OP_ABSOLUTE, .type = SC_TYPE_NUMBER};
    const scrim_status status = sc_typed_number(typing, node->list[0], "ABS", &x);
    if (status != SCRIM_OK)
        return status;
    sc_extent_absolute(&x->extent, &value.extent);
    return sc_typing_operation(typing, value, x, NULL, out);
}

/* x in steps of width, rounded down or half up. */
static scrim_status quotient(sc_typing *typing, const sc_node *node, const sc_typed *x,
                             sc_value_step width, bool is_rounded, const sc_typed **out)
{
    sc_typed value = {.operation = SC_OP_QUOTIENT, .type = x->type};
    if (!sc_extent_quotient(&x->extent, width, is_rounded, &value.quotient,
                            &value.extent))
        return sc_typing_beyond(typing, node->span);
    return sc_typing_operation(typing, value, x, NULL, out);
}

static scrim_status type_floor(sc_typing *typing, const sc_node *node,
                               const sc_typed **out)
{
    const sc_typed *x;
    const scrim_status status = sc_typed_number(typing, node->list[0], "FLOOR", &x);
    return status == SCRIM_OK
               ? quotient(typing, node, x, (sc_value_step){1, 1}, false, out)
               : status;
}

static scrim_status type_round(sc_typing *typing, const sc_node *node,
                               const sc_typed **out)
{
    const sc_typed *x;
    sc_extent constant;
    sc_value_step width = {1, 1};
    int64_t digits = 0;
    scrim_status status = sc_typed_number(typing, node->list[0], "ROUND", &x);
    if (status == SCRIM_OK && node->count == 2) {
        status = sc_typed_constant(typing, node->list[1], "ROUND(x, digits)", &constant);
        if (status == SCRIM_OK && (!sc_extent_count_of(&constant, width, &digits) ||
                                   digits < -18 || digits > 18))
            return sc_refuse(
                typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                "the digits of ROUND(x, digits) must be a whole number from -18 to 18");
    }
    if (status != SCRIM_OK)
        return status;
    for (int64_t i = 0; i < (digits < 0 ? -digits : digits); i++)
        *(digits < 0 ? &width.numerator : &width.denominator) *= 10;
    return quotient(typing, node, x, width, true, out);
}

static scrim_status type_bucket(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    const sc_typed *x;
    sc_extent constant;
    sc_value_step width;
    scrim_status status = sc_typed_row(typing, node->list[0], &x);
    if (status == SCRIM_OK && !sc_type_is_time(x->type))
        status = sc_typing_check_number(typing, node->list[0], "BUCKET", x);
    if (status == SCRIM_OK)
        status =
            sc_typed_constant(typing, node->list[1], "the width of BUCKET", &constant);
    if (status != SCRIM_OK)
        return status;
    if (constant.low <= 0)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                         "the width of BUCKET must be above 0");
    if (!sc_extent_constant_step(&constant, &width))
        return sc_typing_beyond(typing, node->span);
    if (x->type == SC_TYPE_TIMESTAMP &&
        (width.denominator != 1 || width.numerator > BUCKET_SECONDS))
        return sc_refuse(
            typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
            "the width of BUCKET of a timestamp must be whole seconds, at most one year");
    status = quotient(typing, node, x, width, false, out);
    return status == SCRIM_OK && x->type == SC_TYPE_DATE
               ? sc_typing_check_dates(typing, node->span, *out)
               : status;
}

static int64_t nearer(bool is_least, int64_t a, int64_t b)
{
    return (a < b) == is_least ? a : b;
}

/* LEAST or GREATEST of two on one step; where one that is skipped may be NULL, its other one stands
 * alone. */
static scrim_status extreme(sc_typing *typing, const sc_node *node, bool is_least,
                            bool skips_null, const sc_typed *a, const sc_typed *b,
                            const sc_typed **out)
{
    sc_typed value = {.operation = is_least ? SC_OP_LEAST : SC_OP_GREATEST,
                      .skips_null = skips_null && (a->is_nullable || b->is_nullable)};
    const scrim_status status = sc_typing_align(typing, node->span, &a, &b);
    if (status != SCRIM_OK)
        return status;
    const sc_extent *x = &a->extent, *y = &b->extent;
    value.type = a->type;
    value.extent = (sc_extent){nearer(is_least, x->low, y->low),
                               nearer(is_least, x->high, y->high), x->step};
    if (skips_null && a->is_nullable)
        sc_extent_join(&value.extent, y, &value.extent);
    if (skips_null && b->is_nullable)
        sc_extent_join(&value.extent, x, &value.extent);
    return sc_typing_operation(typing, value, a, b, out);
}

static scrim_status type_extreme(sc_typing *typing, const sc_node *node, bool is_least,
                                 const sc_typed **out)
{
    const sc_typed *next;
    const char *purpose = is_least ? "LEAST" : "GREATEST";
    scrim_status status = sc_typed_number(typing, node->list[0], purpose, out);
    for (size_t i = 1; status == SCRIM_OK && i < node->count; i++) {
        status = sc_typed_number(typing, node->list[i], purpose, &next);
        if (status != SCRIM_OK || sc_typed_is_null(next))
            continue;
        if (sc_typed_is_null(*out))
            *out = next;
        else
            status = extreme(typing, node, is_least, true, *out, next, out);
    }
    return status;
}

/* The nearest number from low to high, which are constants. */
static scrim_status type_clamp(sc_typing *typing, const sc_node *node,
                               const sc_typed **out)
{
    const sc_typed *x, *low, *high;
    scrim_status status = sc_typed_number(typing, node->list[0], "CLAMP", &x);
    if (status == SCRIM_OK)
        status = sc_typed_row(typing, node->list[1], &low);
    if (status == SCRIM_OK)
        status = sc_typed_row(typing, node->list[2], &high);
    if (status == SCRIM_OK)
        status = sc_typing_check_constant(typing, node->list[1], "an end of CLAMP", low);
    if (status == SCRIM_OK)
        status = sc_typing_check_constant(typing, node->list[2], "an end of CLAMP", high);
    if (status == SCRIM_OK)
        status = extreme(typing, node, false, false, x, low, out);
    if (status == SCRIM_OK)
        status = extreme(typing, node, true, false, *out, high, out);
    if (status == SCRIM_OK)
        status = sc_typing_align(typing, node->span, &low, &high);
    if (status == SCRIM_OK && low->extent.low >= high->extent.low)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                         "CLAMP(x, low, high) needs low below high");
    return status;
}

scrim_status sc_typing_call(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    sc_function function;
    if (!sc_function_find(node->text, &function))
        return unknown_function(typing, node);
    if (function.aggregate != NULL)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_POLICY,
            "aggregates are not allowed here; write conditions on them in HAVING");
    const scrim_status status = check_form(typing, node, function.form);
    if (status != SCRIM_OK)
        return status;
    if (sc_typing_is_text_function(function.kind))
        return sc_typing_text_function(typing, node, function.kind, out);
    if (function.kind == SC_FUNCTION_ABS)
        return type_absolute(typing, node, out);
    if (function.kind == SC_FUNCTION_BUCKET)
        return type_bucket(typing, node, out);
    if (function.kind == SC_FUNCTION_CLAMP)
        return type_clamp(typing, node, out);
    if (function.kind == SC_FUNCTION_COALESCE)
        return sc_typing_coalesce(typing, node, out);
    if (function.kind == SC_FUNCTION_NULLIF)
        return sc_typing_nullif(typing, node, out);
    if (function.kind == SC_FUNCTION_LADDER)
        return sc_typing_rung(typing, node, out);
    if (function.kind == SC_FUNCTION_FLOOR)
        return type_floor(typing, node, out);
    if (function.kind == SC_FUNCTION_ROUND)
        return type_round(typing, node, out);
    if (function.kind == SC_FUNCTION_DATE_PART)
        return sc_typing_date_part(typing, node, function.part, out);
    if (function.kind == SC_FUNCTION_HOUR)
        return sc_typing_hour(typing, node, out);
    if (function.kind == SC_FUNCTION_DATE_TRUNC)
        return sc_typing_date_trunc(typing, node, out);
    return type_extreme(typing, node, function.kind == SC_FUNCTION_LEAST, out);
}
