#include "query/typed.h"

#include "data/calendar.h"
#include "query/typing.h"

#include <string.h>

/* Making. */

scrim_status sc_typing_make(sc_typing *typing, sc_typed value, const sc_typed **out)
{
    sc_typed *typed = sc_arena_allocate(typing->arena, 1, sizeof *typed);
    if (typed == NULL)
        return sc_refuse_memory(typing->refusal);
    if (value.type != SC_TYPE_TEXT && sc_extent_is_constant(&value.extent))
        value = (sc_typed){
            .operation = SC_OP_CONSTANT, .type = value.type, .extent = value.extent};
    value.size = 1;
    for (size_t i = 0; i < value.count; i++)
        value.size += value.parts[i]->size;
    if (value.size > SC_TYPED_SIZE)
        return sc_refuse(typing->refusal, (sc_span){0, 0}, SCRIM_E_LIMIT,
                         "this expression is too long; ask in several queries");
    *typed = value;
    *out = typed;
    return SCRIM_OK;
}

scrim_status sc_typing_parts(sc_typing *typing, size_t count, const sc_typed ***out)
{
    *out = sc_arena_allocate(typing->arena, count, sizeof **out);
    return *out == NULL ? sc_refuse_memory(typing->refusal) : SCRIM_OK;
}

scrim_status sc_typing_operation(sc_typing *typing, sc_typed value, const sc_typed *a,
                                 const sc_typed *b, const sc_typed **out)
{
    const sc_typed **parts;
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

const char *sc_type_text(sc_type type)
{
    switch (type) {
    case SC_TYPE_NUMBER:
        return "a number";
    case SC_TYPE_DATE:
        return "a date";
    case SC_TYPE_BOOL:
        return "true or false";
    case SC_TYPE_TEXT:
        return "text";
    }
    return "nothing";
}

bool sc_typed_is_text_column(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_COLUMN;
}

scrim_status sc_typing_beyond(const sc_typing *typing, sc_span place)
{
    return sc_refuse(
        typing->refusal, place, SCRIM_E_LIMIT,
        "the values of this expression may go beyond 2^62 steps of its grid; "
        "bound it with CLAMP(x, low, high) or make it coarser with ROUND(x, "
        "digits)");
}

scrim_status sc_typing_check_dates(const sc_typing *typing, sc_span place,
                                   const sc_typed *typed)
{
    sc_int128 low = (sc_int128)typed->extent.low * typed->extent.step.numerator;
    sc_int128 high = (sc_int128)typed->extent.high * typed->extent.step.numerator;
    if (typed->extent.step.denominator != 1)
        return sc_refuse(typing->refusal, place, SCRIM_E_PARAM,
                         "a date is a whole number of days; round first, as in d + "
                         "FLOOR(x)");
    if (low < SC_CALENDAR_FIRST || high > SC_CALENDAR_LAST)
        return sc_refuse(typing->refusal, place, SCRIM_E_LIMIT,
                         "this date may lie outside the years 0 to 9999; bound what is "
                         "added with CLAMP(x, low, high)");
    return SCRIM_OK;
}

scrim_status sc_typing_align(sc_typing *typing, sc_span place, const sc_typed **a,
                             const sc_typed **b)
{
    const sc_typed **sides[] = {a, b};
    sc_step step;
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

/* Leaves. */

static scrim_status type_number(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    sc_typed value = {.type = SC_TYPE_NUMBER};
    sc_ratio number;
    sc_ratio_init(&number);
    scrim_status status = sc_ratio_parse(node->text, &number, NULL);
    if (status == SCRIM_OK && !sc_extent_of_ratio(&number, &value.extent))
        status = SCRIM_E_LIMIT;
    sc_ratio_clear(&number);
    if (status == SCRIM_E_LIMIT)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_LIMIT,
                         "a number in a query has at most 18 digits");
    if (status != SCRIM_OK)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_SYNTAX,
                         "not a number; write 1, 0.5 or 1e-3");
    return sc_typing_make(typing, value, out);
}

static scrim_status type_date(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    int64_t day;
    if (!sc_calendar_parse(node->text, &day))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "not a date; write it as '2026-01-31'");
    return sc_typing_constant(typing, SC_TYPE_DATE, day, out);
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
                             "%s is a name of the answer, not a column; name the columns "
                             "here, and the answer in HAVING and ORDER BY",
                             quote);
    const sc_text nearest = meant_column(typing->schema, node->text);
    if (nearest.bytes > 0) {
        const char *mark = is_plain_name(nearest) ? "" : "\"";
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "no column %s; did you mean %s%s%s?", quote, mark,
                         sc_text_quote(nearest, meant), mark);
    }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "no column %s; text is written in single quotes, and scrim dataset "
                     "show lists the columns",
                     quote);
}

static scrim_status type_column(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    static const sc_type types[] = {[SC_COLUMN_INT] = SC_TYPE_NUMBER,
                                    [SC_COLUMN_DECIMAL] = SC_TYPE_NUMBER,
                                    [SC_COLUMN_DATE] = SC_TYPE_DATE,
                                    [SC_COLUMN_BOOL] = SC_TYPE_BOOL,
                                    [SC_COLUMN_TEXT] = SC_TYPE_TEXT};
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_schema *schema = typing->schema;
    if (schema->unit.bytes > 0 && sc_text_equal(schema->unit, node->text))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "%s says whose row it is, and no query looks at it; it stands "
                         "only in COUNT(DISTINCT %s)",
                         sc_text_quote(node->text, quote), quote);
    const sc_column *column = sc_schema_column(schema, node->text);
    if (column == NULL)
        return unknown_column(typing, node);
    sc_typed value = {.operation = SC_OP_COLUMN,
                      .type = types[column->type],
                      .column = (size_t)(column - schema->columns)};
    if (value.type == SC_TYPE_BOOL)
        value.extent = (sc_extent){0, 1, {1, 1}};
    else if (value.type != SC_TYPE_TEXT &&
             !sc_extent_of_grid(&column->grid, &value.extent))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_LIMIT,
                         "the step of %s is too small or too large to be computed with",
                         sc_text_quote(node->text, quote));
    return sc_typing_make(typing, value, out);
}

/* Arithmetic. */

static scrim_status type_mismatch(const sc_typing *typing, const sc_node *node,
                                  const sc_typed *typed)
{
    if (typed->type == SC_TYPE_BOOL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "true or false, where a number is due; write CASE WHEN ... THEN "
                         "1 ELSE 0 END");
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "%s, where a number is due", sc_type_text(typed->type));
}

/* Sums and differences, with days added to dates and dates taken from dates. */
static scrim_status type_sum(sc_typing *typing, const sc_node *node, const sc_typed *a,
                             const sc_typed *b, const sc_typed **out)
{
    const bool adds = node->kind == SC_NODE_ADD;
    const bool date_a = a->type == SC_TYPE_DATE, date_b = b->type == SC_TYPE_DATE;
    if (date_a && date_b && adds)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "dates are not added; days are, as in d + 30, and d - e is a "
                         "number of days");
    if (!date_a && date_b && !adds)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "a date is not taken from a number; write d - 30");
    const bool is_date = date_a != date_b;
    sc_typed value = {.operation = adds ? SC_OP_ADD : SC_OP_SUBTRACT,
                      .type = is_date ? SC_TYPE_DATE : SC_TYPE_NUMBER};
    scrim_status status = sc_typing_align(typing, node->span, &a, &b);
    if (status != SCRIM_OK)
        return status;
    if (adds ? !sc_extent_add(&a->extent, &b->extent, &value.extent)
             : !sc_extent_subtract(&a->extent, &b->extent, &value.extent))
        return sc_typing_beyond(typing, node->span);
    status = sc_typing_operation(typing, value, a, b, out);
    return status == SCRIM_OK && is_date ? sc_typing_check_dates(typing, node->span, *out)
                                         : status;
}

/* Counts times 1 or -1 on another step. */
static scrim_status rescale(sc_typing *typing, const sc_typed *a, int64_t times,
                            sc_extent extent, const sc_typed **out)
{
    const sc_typed value = {.operation = SC_OP_SCALE,
                            .type = SC_TYPE_NUMBER,
                            .extent = extent,
                            .times = times};
    return sc_typing_operation(typing, value, a, NULL, out);
}

static scrim_status type_product(sc_typing *typing, const sc_node *node,
                                 const sc_typed *a, const sc_typed *b,
                                 const sc_typed **out)
{
    sc_typed value = {.operation = SC_OP_MULTIPLY, .type = SC_TYPE_NUMBER};
    const sc_typed *constant = sc_extent_is_constant(&b->extent) ? b : a;
    const sc_typed *other = constant == b ? a : b;
    int64_t times;
    if (!sc_extent_is_constant(&constant->extent)) {
        const bool is_square = sc_node_equal(node->list[0], node->list[1]);
        return sc_extent_multiply(&a->extent, &b->extent, is_square, &value.extent)
                   ? sc_typing_operation(typing, value, a, b, out)
                   : sc_typing_beyond(typing, node->span);
    }
    if (constant->extent.low == 0)
        return sc_typing_constant(typing, SC_TYPE_NUMBER, 0, out);
    return sc_extent_multiply_constant(&other->extent, &constant->extent, &times,
                                       &value.extent)
               ? rescale(typing, other, times, value.extent, out)
               : sc_typing_beyond(typing, node->span);
}

static scrim_status type_quotient(sc_typing *typing, const sc_node *node,
                                  const sc_typed *a, const sc_typed *b,
                                  const sc_typed **out)
{
    sc_extent extent;
    int64_t times;
    if (!sc_extent_is_constant(&b->extent))
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_POLICY,
                         "only a constant divides; ask for SUM(x) and SUM(y), and divide "
                         "the answers");
    if (b->extent.low == 0)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                         "0 divides nothing; write another number");
    return sc_extent_divide_constant(&a->extent, &b->extent, &times, &extent)
               ? rescale(typing, a, times, extent, out)
               : sc_typing_beyond(typing, node->span);
}

static scrim_status type_arithmetic(sc_typing *typing, const sc_node *node,
                                    const sc_typed **out)
{
    const sc_typed *sides[2] = {NULL, NULL};
    const bool is_sum = node->kind == SC_NODE_ADD || node->kind == SC_NODE_SUBTRACT;
    for (size_t i = 0; i < node->count; i++) {
        const scrim_status status = sc_typed_row(typing, node->list[i], &sides[i]);
        if (status != SCRIM_OK)
            return status;
        if (sides[i]->type != SC_TYPE_NUMBER &&
            !(is_sum && sides[i]->type == SC_TYPE_DATE))
            return type_mismatch(typing, node->list[i], sides[i]);
    }
    if (node->kind == SC_NODE_NEGATE) {
        sc_extent extent;
        return sc_extent_scale(&sides[0]->extent, -1, sides[0]->extent.step, &extent)
                   ? rescale(typing, sides[0], -1, extent, out)
                   : sc_typing_beyond(typing, node->span);
    }
    if (is_sum)
        return type_sum(typing, node, sides[0], sides[1], out);
    return node->kind == SC_NODE_MULTIPLY
               ? type_product(typing, node, sides[0], sides[1], out)
               : type_quotient(typing, node, sides[0], sides[1], out);
}

/* Expressions. */

scrim_status sc_typed_row(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    switch (node->kind) {
    case SC_NODE_NUMBER:
        return type_number(typing, node, out);
    case SC_NODE_TEXT:
        return type_text(typing, node, out);
    case SC_NODE_DATE:
        return type_date(typing, node, out);
    case SC_NODE_TRUE:
    case SC_NODE_FALSE:
        return sc_typing_constant(typing, SC_TYPE_BOOL, node->kind == SC_NODE_TRUE, out);
    case SC_NODE_NAME:
        return type_column(typing, node, out);
    case SC_NODE_STAR:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_SYNTAX,
                         "* stands only in COUNT(*)");
    case SC_NODE_NEGATE:
    case SC_NODE_ADD:
    case SC_NODE_SUBTRACT:
    case SC_NODE_MULTIPLY:
    case SC_NODE_DIVIDE:
        return type_arithmetic(typing, node, out);
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
    case SC_NODE_IS_NULL:
        return sc_typing_condition(typing, node, out);
    case SC_NODE_CASE:
        return sc_typing_case(typing, node, out);
    case SC_NODE_CALL:
        return sc_typing_call(typing, node, out);
    }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_INTERNAL, "a node of no kind");
}

scrim_status sc_typed_condition(sc_typing *typing, const sc_node *node,
                                const char *purpose, const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK && (*out)->type != SC_TYPE_BOOL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s asks for a condition, and this is %s; compare it, as in x > "
                         "0 or x = 'a'",
                         purpose, sc_type_text((*out)->type));
    return status;
}

scrim_status sc_typing_check_number(const sc_typing *typing, const sc_node *node,
                                    const char *purpose, const sc_typed *typed)
{
    switch (typed->type) {
    case SC_TYPE_NUMBER:
        return SCRIM_OK;
    case SC_TYPE_BOOL:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s asks for a number; write CASE WHEN ... THEN 1 ELSE 0 END",
                         purpose);
    case SC_TYPE_DATE:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s asks for a number; d - DATE '2026-01-01' is one, and so is "
                         "YEAR(d)",
                         purpose);
    case SC_TYPE_TEXT:
        break;
    }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "%s asks for a number with declared bounds, and this is text; count "
                     "it, as in SELECT x, COUNT(*) GROUP BY x",
                     purpose);
}

scrim_status sc_typing_check_constant(const sc_typing *typing, const sc_node *node,
                                      const char *purpose, const sc_typed *typed)
{
    const scrim_status status = sc_typing_check_number(typing, node, purpose, typed);
    if (status == SCRIM_OK && !sc_extent_is_constant(&typed->extent))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s asks for a number that is the same for every row", purpose);
    return status;
}

scrim_status sc_typed_number(sc_typing *typing, const sc_node *node, const char *purpose,
                             const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    return status == SCRIM_OK ? sc_typing_check_number(typing, node, purpose, *out)
                              : status;
}

scrim_status sc_typed_constant(sc_typing *typing, const sc_node *node,
                               const char *purpose, sc_extent *out)
{
    const sc_typed *typed;
    scrim_status status = sc_typed_row(typing, node, &typed);
    if (status == SCRIM_OK)
        status = sc_typing_check_constant(typing, node, purpose, typed);
    if (status == SCRIM_OK)
        *out = typed->extent;
    return status;
}
