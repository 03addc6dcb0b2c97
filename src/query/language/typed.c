#include "query/language/typed.h"

#include "data/value/calendar.h"
#include "query/language/refusal.h"

#include <stdio.h>
#include <string.h>

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
        return sc_refuse(typing->refusal, sc_span_at(0, 0), SCRIM_E_LIMIT,
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
    SC_TRY(sc_typing_parts(typing, 2, &parts));
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
        SC_TRY(sc_typing_operation(typing, scaled, *sides[i], NULL, sides[i]));
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

/* Leaves: numbers, texts, dates and columns. */

static scrim_status type_number(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    sc_typed value = {.type = SC_TYPE_NUMBER};
    SC_OWN(sc_ratio, number);
    scrim_status status = sc_ratio_parse(node->text, &number, NULL);
    if (status == SCRIM_OK && !sc_extent_of_ratio(&number, &value.extent))
        status = SCRIM_E_LIMIT;
    if (status == SCRIM_E_LIMIT)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_LIMIT,
                         "numbers may have at most 18 digits");
    if (status != SCRIM_OK)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_SYNTAX,
                         "not a number; write 1, 0.5 or 1e-3");
    return sc_typing_make(typing, value, out);
}

/* "2025-06-31": written like a date. */
static bool has_form_of_date(sc_text text)
{
    static const char form[] = "0000-00-00";
    if (text.bytes != sizeof form - 1)
        return false;
    for (size_t i = 0; i < text.bytes; i++)
        if (form[i] == '-' ? text.start[i] != '-' : !sc_ascii_is_digit(text.start[i]))
            return false;
    return true;
}

/* A day as people write it, "31.1.2026", in the form of a query. */
static bool read_day_of_people(sc_text text, char day_text[SC_DATE_FORM_TEXT])
{
    sc_date_form people, query;
    int64_t day;
    if (!sc_date_form_parse(sc_text_of("D.M.YYYY"), &people) ||
        !sc_date_form_parse(sc_text_of("YYYY-MM-DD"), &query) ||
        !sc_date_form_take(&people, &text, &day) || text.bytes > 0)
        return false;
    sc_date_form_put(&query, day, day_text);
    return true;
}

scrim_status sc_typing_date(sc_typing *typing, sc_span place, sc_text text,
                            const sc_typed **out)
{
    char meant[SC_DATE_FORM_TEXT];
    int64_t day;
    if (sc_calendar_parse(text, &day))
        return sc_typing_constant(typing, SC_TYPE_DATE, day, out);
    if (has_form_of_date(text))
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "the day '%.*s' does not exist", (int)text.bytes, text.start);
    const bool is_meant = read_day_of_people(text, meant);
    return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                     "not a date; write it as '%s'", is_meant ? meant : "2026-01-31");
}

scrim_status sc_typing_moment(sc_typing *typing, sc_span place, sc_text text,
                              const sc_typed **out)
{
    sc_moment moment;
    const sc_zone *zone = typing->schema->zone;
    if (zone == NULL)
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "no column here is a timestamp; write DATE '2026-01-31'");
    if (!sc_moment_read(zone, NULL, text, &moment) || moment.has_fraction)
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "not a time in whole seconds; write it as '2026-01-31 12:00:00' "
                         "or '2026-01-31 12:00:00+01:00'");
    return sc_typing_constant(typing, SC_TYPE_TIMESTAMP, moment.seconds, out);
}

static scrim_status type_text(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    sc_text *text = sc_arena_allocate(typing->arena, 1, sizeof *text);
    if (text == NULL)
        return sc_refuse_memory(typing->refusal);
    *text = node->text;
    return sc_typing_make(
        typing, (sc_typed){.type = SC_TYPE_TEXT, .texts = text, .text_count = 1}, out);
}

static char small(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* The column that a name was perhaps meant to be: the same but for the case of its letters, one
 * that goes on behind it with a sign ("hours" of hours-per-week), the nearest. */
static sc_text meant_column(const sc_schema *schema, sc_text name)
{
    for (size_t i = 0; i < schema->column_count; i++) {
        const sc_text column = schema->columns[i].name;
        size_t same = 0;
        while (same < name.bytes && same < column.bytes &&
               small(name.start[same]) == small(column.start[same]))
            same++;
        if (same == name.bytes &&
            (same == column.bytes || strchr("-. /:", column.start[same]) != NULL))
            return column;
    }
    return sc_schema_nearest(schema, name);
}

/* "; there are: age, sex": the declared columns, or as many as there is room for; "" without any. */
static void declared_columns(const sc_schema *schema, char *text, size_t capacity)
{
    char text_name[SC_TEXT_NAME_BYTES];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < schema->column_count; i++) {
        const char *begin = i > 0 ? ", " : "; there are: ";
        const char *name = sc_text_name(schema->columns[i].name, text_name);
        if (used + strlen(begin) + strlen(name) + sizeof ", ..." > capacity) {
            snprintf(text + used, capacity - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", begin, name);
    }
}

static scrim_status unknown_column(const sc_typing *typing, const sc_node *node)
{
    char quote[SC_TEXT_QUOTE_BYTES], meant[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_NAME_BYTES];
    sc_text_quote(node->text, quote);
    for (size_t i = 0; i < typing->tree->item_count; i++)
        if (sc_text_equal(typing->tree->items[i].alias, node->text))
            return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                             "%s is a name from SELECT, not a column; use it in HAVING "
                             "and ORDER BY only",
                             quote);
    if (sc_forbidden_is_value(node->text))
        return sc_refuse_forbidden(typing->refusal, node->span, node->text,
                                   sc_forbidden_function(node->text));
    const sc_public_table *lacks = sc_joined_lacks(typing, node->text);
    if (lacks != NULL)
        return sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM,
                             SCRIM_REASON_UNKNOWN, "column",
                             "%s is a column of the public table %s; join it in FROM",
                             quote, sc_text_quote(lacks->name, meant));
    const sc_text nearest = meant_column(typing->schema, node->text);
    if (nearest.bytes > 0)
        return sc_refuse_for(
            typing->refusal, node->span, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "column",
            "no column %s; did you mean %s?", quote, sc_text_name(nearest, name));
    char declared[160];
    declared_columns(typing->schema, declared, sizeof declared);
    return sc_refuse_for(
        typing->refusal, node->span, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "column",
        "no column %s is declared%s; write text in single quotes", quote, declared);
}
/* It is too long for an analyser to follow. */
#ifdef __clang_analyzer__
#define unknown_column(typing, node)                                                     \
    ((void)(unknown_column)((typing), (node)), SCRIM_E_PARAM)
#endif

scrim_status sc_typing_cell(sc_typing *typing, const sc_node *node,
                            const sc_column *column, sc_typed value, const sc_typed **out)
{
    static const sc_type types[] = {
        [SC_COLUMN_INT] = SC_TYPE_NUMBER, [SC_COLUMN_DECIMAL] = SC_TYPE_NUMBER,
        [SC_COLUMN_DATE] = SC_TYPE_DATE,  [SC_COLUMN_TIMESTAMP] = SC_TYPE_TIMESTAMP,
        [SC_COLUMN_BOOL] = SC_TYPE_BOOL,  [SC_COLUMN_TEXT] = SC_TYPE_TEXT};
    char quote[SC_TEXT_QUOTE_BYTES];
    value.type = types[column->type];
    if (value.type == SC_TYPE_BOOL)
        value.extent = (sc_extent){0, 1, {1, 1}};
    else if (value.type == SC_TYPE_TIMESTAMP)
        value.extent =
            (sc_extent){column->grid.low, column->grid.high, {column->step, 1}};
    else if (value.type == SC_TYPE_TEXT)
        value.extent = (sc_extent){0, SC_COLUMN_VALUE_BYTES, {1, 1}};
    else if (!sc_extent_of_grid(&column->grid, &value.extent))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_LIMIT,
                         "the step of %s is too small or too large for arithmetic",
                         sc_text_quote(column->name, quote));
    return sc_typing_make(typing, value, out);
}

static scrim_status type_column(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    char quote[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_NAME_BYTES];
    const sc_schema *schema = typing->schema;
    SC_TRY(sc_joined_column(typing, node, out));
    if (*out != NULL)
        return SCRIM_OK;
    if (schema->unit.bytes > 0 && sc_text_equal(schema->unit, node->text))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "%s is the privacy unit; only COUNT(DISTINCT %s) may use it",
                         sc_text_quote(node->text, quote),
                         sc_text_name(node->text, name));
    const sc_column *column = sc_schema_column(schema, node->text);
    if (column == NULL)
        return unknown_column(typing, node);
    const size_t place = (size_t)(column - schema->columns);
    return sc_typing_cell(typing, node, column,
                          (sc_typed){.operation = SC_OP_COLUMN,
                                     .is_nullable = sc_schema_may_be_null(schema, place),
                                     .column = place},
                          out);
}

static scrim_status type_leaf(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    if (node->kind == SC_NODE_NUMBER)
        return type_number(typing, node, out);
    if (node->kind == SC_NODE_TEXT)
        return type_text(typing, node, out);
    if (node->kind == SC_NODE_DATE)
        return sc_typing_date(typing, node->span, node->text, out);
    if (node->kind == SC_NODE_TIMESTAMP)
        return sc_typing_moment(typing, node->span, node->text, out);
    if (node->kind == SC_NODE_NAME)
        return type_column(typing, node, out);
    if (node->kind == SC_NODE_STAR)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_SYNTAX,
                         "* is allowed only in COUNT(*)");
    if (node->kind == SC_NODE_NULL)
        return sc_typing_null(typing, SC_TYPE_NONE, out);
    return sc_typing_constant(typing, SC_TYPE_BOOL, node->kind == SC_NODE_TRUE, out);
}

/* Whole expressions. */

static scrim_status type_row(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    switch (node->kind) {
    case SC_NODE_NUMBER:
    case SC_NODE_TEXT:
    case SC_NODE_DATE:
    case SC_NODE_TIMESTAMP:
    case SC_NODE_TRUE:
    case SC_NODE_FALSE:
    case SC_NODE_NULL:
    case SC_NODE_NAME:
    case SC_NODE_STAR:
        break;
    case SC_NODE_NEGATE:
    case SC_NODE_ADD:
    case SC_NODE_SUBTRACT:
    case SC_NODE_MULTIPLY:
    case SC_NODE_DIVIDE:
        return sc_typing_arithmetic(typing, node, out);
    case SC_NODE_EQUAL:
    case SC_NODE_NOT_EQUAL:
    case SC_NODE_LESS:
    case SC_NODE_LESS_EQUAL:
    case SC_NODE_GREATER:
    case SC_NODE_GREATER_EQUAL:
    case SC_NODE_NOT:
    case SC_NODE_AND:
    case SC_NODE_OR:
    case SC_NODE_BETWEEN:
    case SC_NODE_IN:
    case SC_NODE_LIKE:
    case SC_NODE_IS_NULL:
    case SC_NODE_IS_TRUE:
    case SC_NODE_IS_FALSE:
    case SC_NODE_IS_DISTINCT:
        return sc_typing_condition(typing, node, out);
    case SC_NODE_JOINED:
        return sc_typing_joined(typing, node, out);
    case SC_NODE_CASE:
        return sc_typing_case(typing, node, out);
    case SC_NODE_CALL:
        return sc_typing_call(typing, node, out);
    }
    return type_leaf(typing, node, out);
}

/* Rungs of different steps cannot be compared, so LADDER cannot be part of an expression. */
scrim_status sc_typed_row(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    typing->depth++;
    const scrim_status status = type_row(typing, node, out);
    typing->depth--;
    if (status == SCRIM_OK && typing->depth > 0 && (*out)->type == SC_TYPE_RUNG)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "LADDER(x) is allowed only by itself, in MEDIAN, QUANTILE and "
                         "GROUP BY");
    return status;
}

scrim_status sc_typed_condition(sc_typing *typing, const sc_node *node,
                                const char *purpose, const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK && (*out)->type == SC_TYPE_NONE)
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    if (status == SCRIM_OK && (*out)->type != SC_TYPE_BOOL)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "%s needs a condition, and this is %s; compare it, as in x > 0 or x = 'a'",
            purpose, sc_type_text((*out)->type));
    return status;
}

const char *sc_typing_hint(const sc_node *node, char out[SC_TEXT_NAME_BYTES])
{
    const bool is_whole =
        node->kind == SC_NODE_NAME && node->text.bytes < SC_TEXT_QUOTE_BYTES - 4;
    return sc_text_name(is_whole ? node->text : sc_text_of("x"), out);
}

scrim_status sc_typing_check_number(const sc_typing *typing, const sc_node *node,
                                    const char *purpose, const sc_typed *typed)
{
    char name[SC_TEXT_NAME_BYTES];
    switch (typed->type) {
    case SC_TYPE_NONE:
    case SC_TYPE_NUMBER:
        return SCRIM_OK;
    case SC_TYPE_BOOL:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a number; write CASE WHEN ... THEN 1 ELSE 0 END",
                         purpose);
    case SC_TYPE_DATE:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a number; use d - DATE '2026-01-01' (days) or YEAR(d)",
                         purpose);
    case SC_TYPE_TIMESTAMP:
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "%s needs a number; use t - TIMESTAMP '2026-01-01' (seconds) or HOUR(t)",
            purpose);
    case SC_TYPE_RUNG:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s takes no LADDER; use MEDIAN, QUANTILE or GROUP BY", purpose);
    case SC_TYPE_TEXT:
        break;
    }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "%s needs a number with a declared range, and this is text; count "
                     "it: SELECT %s, COUNT(*) GROUP BY %s",
                     purpose, sc_typing_hint(node, name), sc_typing_hint(node, name));
}

scrim_status sc_typing_check_constant(const sc_typing *typing, const sc_node *node,
                                      const char *purpose, const sc_typed *typed)
{
    const scrim_status status = sc_typing_check_number(typing, node, purpose, typed);
    if (status == SCRIM_OK && !sc_typed_is_constant(typed))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s must be a constant number", purpose);
    return status;
}

scrim_status sc_typed_number(sc_typing *typing, const sc_node *node, const char *purpose,
                             const sc_typed **out)
{
    SC_TRY(sc_typed_row(typing, node, out));
    return sc_typing_check_number(typing, node, purpose, *out);
}

scrim_status sc_typed_constant(sc_typing *typing, const sc_node *node,
                               const char *purpose, sc_extent *out)
{
    const sc_typed *typed;
    SC_TRY(sc_typed_row(typing, node, &typed));
    SC_TRY(sc_typing_check_constant(typing, node, purpose, typed));
    *out = typed->extent;
    return SCRIM_OK;
}
