#include "query/rows/expression.h"

#include "data/value/value.h"
#include "query/language/date_parts.h"
#include "query/language/like.h"
#include "query/language/lookup.h"
#include "query/rows/expression_code.h"

#include <string.h>

size_t sc_expression_scratch(const sc_expression *expression)
{
    return expression->block_count * SC_EXPRESSION_ROWS +
           expression->room_count * SC_TEXT_RESULT_BYTES / sizeof(int64_t);
}

void sc_expression_prepare(const sc_expression *expression, int64_t *scratch)
{
    /* Its pages are had now, whatever lengths texts will have. */
    memset(scratch, 0, sc_expression_scratch(expression) * sizeof *scratch);
    for (size_t i = 0; i < expression->constant_count; i++)
        for (size_t row = 0; row < SC_EXPRESSION_ROWS; row++)
            scratch[i * SC_EXPRESSION_ROWS + row] = expression->constants[i];
}

/* Is value on the sorted list? As many steps for every value: list[0..] is halved until one is
 * left, and that one is compared. */
static int64_t is_among(int64_t value, const int64_t *list, size_t count)
{
    if (count == 0)
        return 0;
    while (count > 1) {
        const size_t half = count / 2;
        list += half * (list[half] <= value);
        count -= half;
    }
    return *list == value;
}

static int64_t is_text_among(sc_text text, const sc_text *list, size_t count)
{
    while (count > 1) {
        const size_t half = count / 2;
        if (sc_text_compare(list[half], text) <= 0)
            list += half;
        count -= half;
    }
    return sc_text_equal(*list, text);
}

#define EACH_ROW(value)                                                                  \
    do {                                                                                 \
        for (size_t i = 0; i < rows; i++)                                                \
            out[i] = (value);                                                            \
    } while (0)

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* A number that is no day of its range must not reach the calendar. */
static void run_dates(const sc_instruction *next, size_t rows, const int64_t *a,
                      int64_t *out)
{
    const sc_extent *days = &next->typed->parts[0]->extent;
#define EACH_DAY(part)                                                                   \
    case part:                                                                           \
        EACH_ROW(sc_date_part_of(part, clamp(a[i], days->low, days->high)));             \
        return
    switch (next->typed->part) {
        EACH_DAY(SC_PART_YEAR);
        EACH_DAY(SC_PART_QUARTER);
        EACH_DAY(SC_PART_MONTH);
        EACH_DAY(SC_PART_WEEK);
        EACH_DAY(SC_PART_WEEKDAY);
        EACH_DAY(SC_PART_DAY);
        EACH_DAY(SC_PART_FIRST_OF_YEAR);
        EACH_DAY(SC_PART_FIRST_OF_QUARTER);
        EACH_DAY(SC_PART_FIRST_OF_MONTH);
        EACH_DAY(SC_PART_FIRST_OF_WEEK);
        EACH_DAY(SC_PART_NONE);
    }
#undef EACH_DAY
}

static int64_t hour_of(int64_t local)
{
    return sc_floor_divide(local, 3600) - 24 * sc_floor_divide(local, SC_DAY_SECONDS);
}

static void run_times(const sc_instruction *next, size_t rows, const int64_t *a,
                      int64_t *out)
{
    const sc_typed *typed = next->typed;
    const sc_extent *range = &typed->parts[0]->extent;
    const sc_zone *zone = typed->zone;
    if (next->operation == SC_OP_LOCAL_DAY)
        EACH_ROW(sc_floor_divide(
            sc_zone_local(zone, clamp(a[i], range->low, range->high)), SC_DAY_SECONDS));
    else if (next->operation == SC_OP_LOCAL_HOUR)
        EACH_ROW(hour_of(sc_zone_local(zone, clamp(a[i], range->low, range->high))));
    else
        EACH_ROW(
            sc_local_start(zone, clamp(a[i], range->low, range->high), typed->times));
}

/* Sums and products are of unsigned integers, which is the same within the ranges and defined
 * beyond them. */
static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* AND or OR of what may be NULL: one that decides does so whatever the other is, and among the others,
 * one number and NULL, whose bits are those of all numbers, NULL wins. */
static int64_t both(int64_t a, int64_t b, int64_t decides)
{
    return a == decides ? decides : b == decides ? decides : a | b;
}

static int64_t unless_null(int64_t a, int64_t value)
{
    return a == SC_NULL ? SC_NULL : value;
}

/* NULL where an operand is, for what does not look at it by itself. */
static void pass_null(const sc_instruction *next, size_t rows, const int64_t *a,
                      const int64_t *b, int64_t *out)
{
    const sc_typed *const *parts = next->typed->parts;
    if (parts[0]->is_nullable)
        EACH_ROW(unless_null(a[i], out[i]));
    if (next->typed->count > 1 && parts[1]->is_nullable)
        EACH_ROW(unless_null(b[i], out[i]));
}

/* value, computed from a or from a and b: NULL where one of them is. */
#define EACH_OF(value)                                                                   \
    do {                                                                                 \
        if (next->may_be_null)                                                           \
            EACH_ROW(unless_null(a[i], value));                                          \
        else                                                                             \
            EACH_ROW(value);                                                             \
    } while (0)
#define EACH_OF_BOTH(value)                                                              \
    do {                                                                                 \
        if (next->may_be_null)                                                           \
            EACH_ROW(unless_null(a[i], unless_null(b[i], value)));                       \
        else                                                                             \
            EACH_ROW(value);                                                             \
    } while (0)

static void run(const sc_instruction *next, size_t rows, const int64_t *a,
                const int64_t *b, const int64_t *condition, int64_t *out)
{
    const sc_typed *typed = next->typed;
    const sc_quotient quotient = typed->quotient;
    switch (next->operation) {
    case SC_OP_COLUMN:
        EACH_ROW(a[i]);
        return;
    case SC_OP_ADD:
        EACH_OF_BOTH(plus(a[i], b[i]));
        return;
    case SC_OP_SUBTRACT:
        EACH_OF_BOTH(minus(a[i], b[i]));
        return;
    case SC_OP_MULTIPLY:
        EACH_OF_BOTH(times(a[i], b[i]));
        return;
    case SC_OP_SCALE:
        EACH_OF(times(a[i], typed->times));
        return;
    case SC_OP_ABSOLUTE:
        EACH_ROW(a[i] < 0 ? minus(0, a[i]) : a[i]);
        break;
    case SC_OP_LEAST: /* NULL is above all */
        EACH_ROW(a[i] < b[i] ? a[i] : b[i]);
        break;
    case SC_OP_GREATEST:
        if (typed->skips_null)
            EACH_ROW(a[i] == SC_NULL   ? b[i]
                     : b[i] == SC_NULL ? a[i]
                     : a[i] > b[i]     ? a[i]
                                       : b[i]);
        else
            EACH_ROW(a[i] > b[i] ? a[i] : b[i]);
        break;
    case SC_OP_QUOTIENT:
        EACH_ROW(sc_floor_divide(plus(times(a[i], quotient.times), quotient.plus),
                                 quotient.by));
        break;
    case SC_OP_DATE_PART:
        run_dates(next, rows, a, out);
        break;
    case SC_OP_LOCAL_DAY:
    case SC_OP_LOCAL_HOUR:
    case SC_OP_LOCAL_START:
        run_times(next, rows, a, out);
        break;
    case SC_OP_EQUAL:
        EACH_OF_BOTH(a[i] == b[i]);
        return;
    case SC_OP_LESS:
        EACH_OF_BOTH(a[i] < b[i]);
        return;
    case SC_OP_LESS_EQUAL:
        EACH_OF_BOTH(a[i] <= b[i]);
        return;
    case SC_OP_NOT:
        EACH_OF(!a[i]);
        return;
    case SC_OP_AND:
        if (next->may_be_null)
            EACH_ROW(both(a[i], b[i], 0));
        else
            EACH_ROW(a[i] & b[i]);
        return;
    case SC_OP_OR:
        if (next->may_be_null)
            EACH_ROW(both(a[i], b[i], 1));
        else
            EACH_ROW(a[i] | b[i]);
        return;
    case SC_OP_COALESCE:
        EACH_ROW(a[i] == SC_NULL ? b[i] : a[i]);
        return;
    case SC_OP_IS_NULL:
        EACH_ROW(a[i] == SC_NULL);
        return;
    case SC_OP_PRESENT:
        EACH_ROW(1);
        break;
    case SC_OP_IN:
        EACH_ROW(is_among(a[i], typed->values, typed->value_count));
        break;
    case SC_OP_CASE:
        EACH_ROW(condition[i] == 1 ? a[i] : out[i]);
        return;
    case SC_OP_LOOKUP:
    case SC_OP_MATCHED:
        EACH_ROW(sc_lookup_number(typed->lookup, a[i]));
        return;
    case SC_OP_CONSTANT:
    case SC_OP_NULL:
    case SC_OP_TEXT_IN:
    case SC_OP_TEXT_EQUAL:
    case SC_OP_LIKE:
    case SC_OP_LENGTH:
    case SC_OP_TEXT_OF:
    case SC_OP_LOWER:
    case SC_OP_UPPER:
    case SC_OP_TRIM:
    case SC_OP_PART:
    case SC_OP_JOINED:
        return; /* emit never makes the first two; the others read texts */
    }
    if (next->may_be_null && !typed->skips_null)
        pass_null(next, rows, a, b, out);
}

/* The number of texts that are present. */
static int64_t number_of(const sc_typed *typed, sc_text a, sc_text b)
{
    if (typed->operation == SC_OP_TEXT_IN)
        return is_text_among(a, typed->texts, typed->text_count);
    if (typed->operation == SC_OP_LIKE)
        return sc_like_matches(typed->like, a);
    if (typed->operation == SC_OP_LENGTH)
        return (int64_t)sc_text_length(a);
    return typed->operation == SC_OP_TEXT_EQUAL ? sc_text_equal(a, b) : 1;
}

static void run_texts(const sc_instruction *next, size_t count, const sc_text_rows *rows,
                      int64_t *out)
{
    const bool asks_null = next->operation == SC_OP_IS_NULL;
    const sc_text_value *first = next->texts[0];
    const sc_text *column = first->typed->operation == SC_OP_COLUMN
                                ? rows->columns[first->column].texts
                                : NULL;
    for (size_t i = 0; i < count; i++) {
        const sc_text a = column != NULL ? column[i] : sc_text_value_at(first, rows, i),
                      b = next->texts[1] == NULL
                              ? a
                              : sc_text_value_at(next->texts[1], rows, i);
        const bool is_null = sc_text_is_null(a) || sc_text_is_null(b);
        if (next->typed->lookup != NULL)
            out[i] = sc_lookup_number_by_text(next->typed->lookup, a);
        else
            out[i] = asks_null ? is_null
                     : is_null ? SC_NULL
                               : number_of(next->typed, a, b);
    }
}

static const int64_t *values_of(sc_value_place operand, const sc_row_column *columns,
                                const int64_t *scratch)
{
    return operand.is_column ? columns[operand.index].values
                             : scratch + operand.index * SC_EXPRESSION_ROWS;
}

/* Rooms of texts are behind the blocks. */
static sc_text_rows text_rows(const sc_expression *expression,
                              const sc_row_column *columns, int64_t *scratch)
{
    return (sc_text_rows){
        columns, scratch,
        (char *)(scratch + expression->block_count * SC_EXPRESSION_ROWS)};
}

/* The last instruction writes to last, or where it is NULL to its block. */
static void run_all(const sc_expression *expression, const sc_row_column *columns,
                    size_t rows, int64_t *scratch, int64_t *last)
{
    const sc_text_rows texts = text_rows(expression, columns, scratch);
    for (size_t i = 0; i < expression->count; i++) {
        const sc_instruction *next = &expression->list[i];
        int64_t *target = last != NULL && i + 1 == expression->count
                              ? last
                              : scratch + next->target * SC_EXPRESSION_ROWS;
        if (next->texts[0] != NULL)
            run_texts(next, rows, &texts, target);
        else
            run(next, rows, values_of(next->a, columns, scratch),
                values_of(next->b, columns, scratch),
                values_of(next->condition, columns, scratch), target);
    }
}

void sc_expression_texts(const sc_expression *expression, const sc_row_column *columns,
                         size_t rows, int64_t *scratch, sc_text *out, char *room)
{
    const sc_text_rows texts = text_rows(expression, columns, scratch);
    run_all(expression, columns, rows, scratch, NULL);
    for (size_t i = 0; i < rows; i++) {
        out[i] = sc_text_value_at(expression->text, &texts, i);
        if (expression->room_count == 0 || out[i].bytes == 0 || sc_text_is_null(out[i]))
            continue;
        memcpy(room, out[i].start, out[i].bytes);
        out[i].start = room;
        room += out[i].bytes;
    }
}

void sc_expression_evaluate(const sc_expression *expression, const sc_row_column *columns,
                            size_t rows, int64_t *scratch, int64_t *out)
{
    run_all(expression, columns, rows, scratch, expression->is_inside ? out : NULL);
    if (expression->is_inside)
        return;
    const int64_t *result = values_of(expression->result, columns, scratch);
    if (expression->is_nullable)
        EACH_ROW(result[i] == SC_NULL
                     ? SC_NULL
                     : clamp(result[i], expression->low, expression->high));
    else
        EACH_ROW(clamp(result[i], expression->low, expression->high));
}
