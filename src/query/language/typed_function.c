#include "query/language/date_parts.h"
#include "query/language/lex.h"
#include "query/language/typed.h"

/* The widest bucket of timestamps. */
#define BUCKET_SECONDS (INT64_C(366) * SC_DAY_SECONDS)

/* Functions of dates and timestamps: their parts, and the start of their year, month or hour. */

/* The start of the period in which a part is counted from 1: of the year for a month, of the month for a
 * day. A week belongs to the year of its Thursday. */
static int64_t whole_of(sc_date_part part, int64_t day)
{
    switch (part) {
    case SC_PART_WEEKDAY:
        return sc_date_part_of(SC_PART_FIRST_OF_WEEK, day);
    case SC_PART_DAY:
        return sc_date_part_of(SC_PART_FIRST_OF_MONTH, day);
    case SC_PART_WEEK:
        return sc_date_parts_of(day - sc_day_of_week(day) + 3).year;
    case SC_PART_NONE:
    case SC_PART_YEAR:
    case SC_PART_QUARTER:
    case SC_PART_MONTH:
    case SC_PART_FIRST_OF_YEAR:
    case SC_PART_FIRST_OF_QUARTER:
    case SC_PART_FIRST_OF_MONTH:
    case SC_PART_FIRST_OF_WEEK:
        break;
    }
    return sc_date_parts_of(day).year;
}

/* The part may have any value of its range, unless all days are in one such period. */
static sc_extent part_extent(sc_date_part part, const sc_extent *days)
{
    static const int64_t most[] = {[SC_PART_QUARTER] = 4,
                                   [SC_PART_MONTH] = 12,
                                   [SC_PART_WEEK] = 53,
                                   [SC_PART_WEEKDAY] = 7,
                                   [SC_PART_DAY] = 31};
    const bool rises = part == SC_PART_YEAR || sc_date_part_is_first(part) ||
                       whole_of(part, days->low) == whole_of(part, days->high);
    return rises ? (sc_extent){sc_date_part_of(part, days->low),
                               sc_date_part_of(part, days->high),
                               {1, 1}}
                 : (sc_extent){1, most[part], {1, 1}};
}

/* A date as a number of days. */
static scrim_status in_days(sc_typing *typing, const sc_node *node, const sc_typed *date,
                            const sc_typed **out)
{
    sc_typed days = {.operation = SC_OP_SCALE,
                     .type = SC_TYPE_DATE,
                     .times = date->extent.step.numerator};
    *out = date;
    if (days.times == 1)
        return SCRIM_OK;
    return sc_extent_scale(&date->extent, days.times, (sc_value_step){1, 1}, &days.extent)
               ? sc_typing_operation(typing, days, date, NULL, out)
               : sc_typing_beyond(typing, node->span);
}

/* A timestamp as a number of seconds. */
static scrim_status in_seconds(sc_typing *typing, const sc_node *node,
                               const sc_typed *time, const sc_typed **out)
{
    sc_typed seconds = {.operation = SC_OP_SCALE,
                        .type = SC_TYPE_TIMESTAMP,
                        .times = time->extent.step.numerator};
    *out = time;
    if (seconds.times == 1)
        return SCRIM_OK;
    return sc_extent_scale(&time->extent, seconds.times, (sc_value_step){1, 1},
                           &seconds.extent)
               ? sc_typing_operation(typing, seconds, time, NULL, out)
               : sc_typing_beyond(typing, node->span);
}

/* The least and the largest local time. Local time may jump back when the offset changes, so the
 * times around each change are tried too. */
static void local_ends(const sc_zone *zone, const sc_extent *seconds, int64_t *low,
                       int64_t *high)
{
    *low = sc_zone_local(zone, seconds->low);
    *high = sc_zone_local(zone, seconds->high);
    for (size_t i = 1; i < zone->count; i++) {
        const int64_t before = zone->from[i] - 1 + zone->offsets[i - 1];
        if (zone->from[i] <= seconds->low || zone->from[i] > seconds->high)
            continue;
        *low = zone->starts[i] < *low ? zone->starts[i] : *low;
        *high = before > *high ? before : *high;
    }
}

/* The day that it is in the zone: a date. */
static scrim_status local_day(sc_typing *typing, const sc_node *node,
                              const sc_typed *time, const sc_typed **out)
{
    sc_typed day = {.operation = SC_OP_LOCAL_DAY, .type = SC_TYPE_DATE};
    int64_t low, high;
    SC_TRY(in_seconds(typing, node, time, &time));
    local_ends(typing->schema->zone, &time->extent, &low, &high);
    day.extent = (sc_extent){sc_floor_divide(low, SC_DAY_SECONDS),
                             sc_floor_divide(high, SC_DAY_SECONDS),
                             {1, 1}};
    return sc_typing_operation(typing, day, time, NULL, out);
}

/* A bare NULL is a missing timestamp. */
static scrim_status type_time(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || sc_typed_is_null(*out))
        return status;
    if ((*out)->type != SC_TYPE_TIMESTAMP)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a timestamp, and this is %s", purpose,
                         sc_type_text((*out)->type));
    return in_seconds(typing, node, *out, out);
}

static scrim_status type_hour(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const sc_typed *time;
    int64_t low, high;
    SC_TRY(type_time(typing, node->list[0], "HOUR", &time));
    if (sc_typed_is_null(time))
        return sc_typing_null(typing, SC_TYPE_NUMBER, out);
    local_ends(typing->schema->zone, &time->extent, &low, &high);
    const int64_t day = sc_floor_divide(low, SC_DAY_SECONDS) * SC_DAY_SECONDS;
    const bool is_one_day = high < day + SC_DAY_SECONDS;
    return sc_typing_operation(
        typing,
        (sc_typed){.operation = SC_OP_LOCAL_HOUR,
                   .type = SC_TYPE_NUMBER,
                   .extent = {is_one_day ? (low - day) / 3600 : 0,
                              is_one_day ? (high - day) / 3600 : 23,
                              {1, 1}}},
        time, NULL, out);
}

/* DATE_TRUNC of less than a day is an instant, since a local hour may come twice. */
static scrim_status local_start(sc_typing *typing, const sc_node *node, int64_t seconds,
                                const sc_typed **out)
{
    const sc_typed *time;
    SC_TRY(type_time(typing, node->list[1], "DATE_TRUNC", &time));
    if (sc_typed_is_null(time))
        return sc_typing_null(typing, SC_TYPE_TIMESTAMP, out);
    const sc_zone *zone = typing->schema->zone;
    sc_extent extent = {sc_local_start(zone, time->extent.low, seconds),
                        sc_local_start(zone, time->extent.high, seconds),
                        {1, 1}};
    for (size_t i = 1; i < zone->count; i++)
        if (zone->from[i] > time->extent.low && zone->from[i] <= time->extent.high) {
            const int64_t before = sc_local_start(zone, zone->from[i] - 1, seconds),
                          start = sc_local_start(zone, zone->from[i], seconds);
            extent.low = start < extent.low ? start : extent.low;
            extent.high = before > extent.high ? before : extent.high;
        }
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_LOCAL_START,
                                          .type = SC_TYPE_TIMESTAMP,
                                          .times = seconds,
                                          .extent = extent},
                               time, NULL, out);
}

/* A bare NULL is a missing date. */
static scrim_status type_date(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || sc_typed_is_null(*out))
        return status;
    if ((*out)->type == SC_TYPE_TIMESTAMP)
        return local_day(typing, node, *out, out);
    if ((*out)->type != SC_TYPE_DATE)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a date, and this is %s", purpose,
                         sc_type_text((*out)->type));
    return in_days(typing, node, *out, out);
}

static scrim_status type_date_part(sc_typing *typing, const sc_node *node,
                                   sc_date_part part, const sc_typed **out)
{
    const sc_typed *date;
    char name[SC_TEXT_QUOTE_BYTES];
    SC_TRY(type_date(typing, node->list[0], sc_text_quote(node->text, name), &date));
    if (sc_typed_is_null(date))
        return sc_typing_null(typing, SC_TYPE_NUMBER, out);
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_DATE_PART,
                                          .type = SC_TYPE_NUMBER,
                                          .part = part,
                                          .extent = part_extent(part, &date->extent)},
                               date, NULL, out);
}

/* The part that the first argument of DATE_TRUNC names. */
static scrim_status read_unit(const sc_typing *typing, const sc_node *node,
                              sc_date_part *out, int64_t *seconds)
{
    static const struct {
        const char *word;
        sc_date_part part;
        int64_t seconds;
    } units[] = {{"YEAR", SC_PART_FIRST_OF_YEAR, 0},
                 {"QUARTER", SC_PART_FIRST_OF_QUARTER, 0},
                 {"MONTH", SC_PART_FIRST_OF_MONTH, 0},
                 {"WEEK", SC_PART_FIRST_OF_WEEK, 0},
                 {"DAY", SC_PART_NONE, 0},
                 {"HOUR", SC_PART_NONE, 3600},
                 {"MINUTE", SC_PART_NONE, 60}};
    if (node->kind == SC_NODE_TEXT)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (sc_word_is(node->text, units[i].word)) {
                *out = units[i].part;
                *seconds = units[i].seconds;
                return SCRIM_OK;
            }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "DATE_TRUNC accepts 'year', 'quarter', 'month', 'week', 'day', "
                     "'hour' and 'minute', as in DATE_TRUNC('month', d)");
}

static scrim_status type_date_trunc(sc_typing *typing, const sc_node *node,
                                    const sc_typed **out)
{
    const sc_typed *date;
    sc_date_part part = SC_PART_NONE;
    int64_t seconds = 0;
    scrim_status status = read_unit(typing, node->list[0], &part, &seconds);
    if (status == SCRIM_OK && seconds > 0)
        return local_start(typing, node, seconds, out);
    if (status == SCRIM_OK)
        status = type_date(typing, node->list[1], "DATE_TRUNC", &date);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(date))
        return sc_typing_null(typing, SC_TYPE_DATE, out);
    *out = date;
    if (part == SC_PART_NONE)
        return SCRIM_OK;
    status = sc_typing_operation(typing,
                                 (sc_typed){.operation = SC_OP_DATE_PART,
                                            .type = SC_TYPE_DATE,
                                            .part = part,
                                            .extent = part_extent(part, &date->extent)},
                                 date, NULL, out);
    return status == SCRIM_OK ? sc_typing_check_dates(typing, node->span, *out) : status;
}

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
        return sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM,
                             SCRIM_REASON_MISSPELT, "function",
                             "unknown function %s; did you mean %s?", quote, nearest);
    return sc_refuse_for(
        typing->refusal, node->span, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "function",
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
    SC_TRY(sc_typed_number(typing, node->list[0], "ABS", &x));
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
    SC_TRY(sc_typed_number(typing, node->list[0], "FLOOR", &x));
    return quotient(typing, node, x, (sc_value_step){1, 1}, false, out);
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

/* LEAST or GREATEST of two, aligned to one step. With skips_null the result is the other value
 * where one is NULL, so the extent includes that of the other. */
static scrim_status extreme(sc_typing *typing, const sc_node *node, bool is_least,
                            bool skips_null, const sc_typed *a, const sc_typed *b,
                            const sc_typed **out)
{
    sc_typed value = {.operation = is_least ? SC_OP_LEAST : SC_OP_GREATEST,
                      .skips_null = skips_null && (a->is_nullable || b->is_nullable)};
    SC_TRY(sc_typing_align(typing, node->span, &a, &b));
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
    SC_TRY(check_form(typing, node, function.form));
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
        return type_date_part(typing, node, function.part, out);
    if (function.kind == SC_FUNCTION_HOUR)
        return type_hour(typing, node, out);
    if (function.kind == SC_FUNCTION_DATE_TRUNC)
        return type_date_trunc(typing, node, out);
    return type_extreme(typing, node, function.kind == SC_FUNCTION_LEAST, out);
}
