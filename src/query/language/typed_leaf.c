#include "data/value/calendar.h"
#include "data/value/moment.h"
#include "query/language/forbidden.h"
#include "query/language/typing.h"

#include <string.h>

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

scrim_status sc_typing_date(sc_typing *typing, sc_span place, sc_text text,
                            const sc_typed **out)
{
    int64_t day;
    if (sc_calendar_parse(text, &day))
        return sc_typing_constant(typing, SC_TYPE_DATE, day, out);
    if (has_form_of_date(text))
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "the day '%.*s' does not exist", (int)text.bytes, text.start);
    return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                     "not a date; write it as '2026-01-31'");
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

/* May it be written without quotes? */
static bool is_plain_name(sc_text name)
{
    for (size_t i = 0; i < name.bytes; i++) {
        const char c = name.start[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_' &&
            !(i > 0 && sc_ascii_is_digit(c)))
            return false;
    }
    return true;
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

static scrim_status unknown_column(const sc_typing *typing, const sc_node *node)
{
    char quote[SC_TEXT_QUOTE_BYTES], meant[SC_TEXT_QUOTE_BYTES];
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
    const sc_text nearest = meant_column(typing->schema, node->text);
    if (nearest.bytes > 0) {
        const char *mark = is_plain_name(nearest) ? "" : "\"";
        return sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM,
                             SCRIM_REASON_MISSPELT, "column",
                             "no column %s; did you mean %s%s%s?", quote, mark,
                             sc_text_quote(nearest, meant), mark);
    }
    return sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN,
                         "column", "no column %s; write text in single quotes", quote);
}

static scrim_status type_column(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    static const sc_type types[] = {
        [SC_COLUMN_INT] = SC_TYPE_NUMBER, [SC_COLUMN_DECIMAL] = SC_TYPE_NUMBER,
        [SC_COLUMN_DATE] = SC_TYPE_DATE,  [SC_COLUMN_TIMESTAMP] = SC_TYPE_TIMESTAMP,
        [SC_COLUMN_BOOL] = SC_TYPE_BOOL,  [SC_COLUMN_TEXT] = SC_TYPE_TEXT};
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_schema *schema = typing->schema;
    if (schema->unit.bytes > 0 && sc_text_equal(schema->unit, node->text))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "%s is the privacy unit; only COUNT(DISTINCT %s) may use it",
                         sc_text_quote(node->text, quote), quote);
    const sc_column *column = sc_schema_column(schema, node->text);
    if (column == NULL)
        return unknown_column(typing, node);
    sc_typed value = {
        .operation = SC_OP_COLUMN,
        .type = types[column->type],
        .is_nullable = sc_schema_may_be_null(schema, (size_t)(column - schema->columns)),
        .column = (size_t)(column - schema->columns)};
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
                         sc_text_quote(node->text, quote));
    return sc_typing_make(typing, value, out);
}

scrim_status sc_typing_leaf(sc_typing *typing, const sc_node *node, const sc_typed **out)
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
