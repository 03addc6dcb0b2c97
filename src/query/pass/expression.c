#include "query/pass/expression.h"

#include "data/value/null_value.h"
#include "query/language/date_parts.h"
#include "query/language/like.h"

#include <string.h>

typedef struct instruction {
    const sc_typed *typed; /* what is computed; its lists and factors */
    sc_operation operation;
    size_t target; /* a block */
    sc_value_place a, b;
    sc_value_place condition;      /* of SC_OP_CASE: target = condition ? a : target */
    bool may_be_null;              /* a or b */
    const sc_text_value *texts[2]; /* of what reads texts, in place of a and b */
} instruction;

struct sc_expression {
    const instruction *list;
    size_t count;
    size_t constant_count; /* the first blocks */
    const int64_t *constants;
    size_t block_count, room_count;
    sc_value_place result;
    const sc_text_value *text; /* of an expression that is text */
    int64_t low, high;
    bool is_nullable;
    bool is_inside; /* whatever the columns hold, the last instruction keeps the extent */
};

/* Compiling. */

typedef struct assembly {
    const size_t *columns;
    size_t column_count;
    instruction *list;
    size_t count;
    int64_t *constants;
    size_t constant_count, constants_used;
    size_t blocks, rooms;
    sc_arena *arena;
    bool failed; /* a column is missing */
    bool lacks_memory;
} assembly;

/* Upper bounds of what a typed expression needs. */
static void measure(const sc_typed *typed, size_t *instructions, size_t *constants)
{
    *instructions += typed->count + 1;
    *constants += typed->operation == SC_OP_CONSTANT || typed->operation == SC_OP_NULL;
    for (size_t i = 0; i < typed->count; i++)
        measure(typed->parts[i], instructions, constants);
}

static sc_value_place column_operand(assembly *compiler, const sc_typed *typed)
{
    sc_value_place operand = {.is_column = true};
    while (operand.index < compiler->column_count &&
           compiler->columns[operand.index] != typed->column)
        operand.index++;
    compiler->failed |= operand.index == compiler->column_count;
    return operand;
}

static sc_value_place constant_operand(assembly *compiler, int64_t value)
{
    size_t index = 0;
    while (index < compiler->constants_used && compiler->constants[index] != value)
        index++;
    if (index == compiler->constants_used)
        compiler->constants[compiler->constants_used++] = value;
    return (sc_value_place){.index = index};
}

static sc_value_place emit(assembly *compiler, const sc_typed *typed, size_t free);

static instruction *emit_one(assembly *compiler, const sc_typed *typed,
                             sc_operation operation, size_t target)
{
    instruction *next = &compiler->list[compiler->count++];
    *next = (instruction){.typed = typed, .operation = operation, .target = target};
    if (compiler->blocks <= target)
        compiler->blocks = target + 1;
    return next;
}

/* From the last branch to the first, so that the first condition that holds wins. */
static void emit_case(assembly *compiler, const sc_typed *typed, size_t free)
{
    const sc_value_place last = emit(compiler, typed->parts[typed->count - 1], free);
    instruction *copy = emit_one(compiler, typed, SC_OP_COLUMN, free);
    copy->a = last;
    for (size_t i = typed->count - 1; i > 0; i -= 2) {
        const sc_value_place condition = emit(compiler, typed->parts[i - 2], free + 1);
        const sc_value_place value = emit(compiler, typed->parts[i - 1], free + 2);
        instruction *choose = emit_one(compiler, typed, SC_OP_CASE, free);
        choose->condition = condition;
        choose->a = value;
    }
}

/* AND, OR and COALESCE of several: pair by pair. */
static void emit_join(assembly *compiler, const sc_typed *typed, size_t free)
{
    sc_value_place so_far = emit(compiler, typed->parts[0], free);
    for (size_t i = 1; i < typed->count; i++) {
        const sc_value_place next = emit(compiler, typed->parts[i], free + 1);
        instruction *join = emit_one(compiler, typed, typed->operation, free);
        join->a = so_far;
        join->b = next;
        join->may_be_null = typed->is_nullable || typed->operation == SC_OP_COALESCE;
        so_far = (sc_value_place){.index = free};
    }
}

/* Of texts themselves, and of whether there is one. */
static bool reads_texts(const sc_typed *typed)
{
    return typed->count > 0 && typed->type != SC_TYPE_TEXT &&
           sc_typed_is_text(typed->parts[0]) && typed->operation != SC_OP_CASE &&
           typed->operation != SC_OP_COALESCE;
}

/* A text: what is not one in it, conditions and places on lists, is computed before, into blocks from
 * *free on that keep it. */
static const sc_text_value *emit_text(assembly *compiler, const sc_typed *typed,
                                      size_t *free)
{
    sc_text_value *value = sc_arena_allocate(compiler->arena, 1, sizeof *value);
    const sc_text_value **parts =
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        sc_arena_allocate(compiler->arena, typed->count, sizeof *parts);
    sc_value_place *places =
        sc_arena_allocate(compiler->arena, typed->count, sizeof *places);
    compiler->lacks_memory |= value == NULL || parts == NULL || places == NULL;
    if (compiler->lacks_memory)
        return NULL;
    *value = (sc_text_value){.typed = typed, .parts = parts, .places = places};
    if (typed->operation == SC_OP_COLUMN)
        value->column = column_operand(compiler, typed).index;
    if (sc_text_value_is_written(typed))
        value->room = compiler->rooms++;
    for (size_t i = 0; i < typed->count; i++) {
        const sc_typed *part = typed->parts[i];
        const bool is_choice = typed->operation == SC_OP_CASE && i % 2 == 0;
        if (typed->operation == SC_OP_TEXT_OF || (is_choice && i + 1 < typed->count))
            places[i] = emit(compiler, part, (*free)++);
        else
            parts[i] = emit_text(compiler, part, free);
    }
    return value;
}

/* What is computed from texts. */
static void emit_of_texts(assembly *compiler, const sc_typed *typed, size_t free)
{
    const sc_text_value *texts[2] = {NULL, NULL};
    size_t next = free + 1;
    for (size_t i = 0; i < typed->count; i++)
        texts[i] = emit_text(compiler, typed->parts[i], &next);
    instruction *last = emit_one(compiler, typed, typed->operation, free);
    last->texts[0] = texts[0];
    last->texts[1] = texts[1];
}

/* Emits what computes typed, with the blocks from free on to do it in; says where it is. */
static sc_value_place emit(assembly *compiler, const sc_typed *typed, size_t free)
{
    if (typed->operation == SC_OP_CONSTANT)
        return constant_operand(compiler, typed->extent.low);
    if (typed->operation == SC_OP_NULL)
        return constant_operand(compiler, SC_NULL);
    if (typed->operation == SC_OP_COLUMN)
        return column_operand(compiler, typed);
    if (typed->operation == SC_OP_CASE) {
        emit_case(compiler, typed, free);
    } else if (typed->operation == SC_OP_AND || typed->operation == SC_OP_OR ||
               typed->operation == SC_OP_COALESCE) {
        emit_join(compiler, typed, free);
    } else if (reads_texts(typed)) {
        emit_of_texts(compiler, typed, free);
    } else {
        sc_value_place parts[2] = {{.index = 0}, {.index = 0}};
        /* What may be NULL is asked for it when the result is there. */
        const size_t beside = typed->is_nullable;
        for (size_t i = 0; i < typed->count; i++)
            parts[i] = emit(compiler, typed->parts[i], free + beside + i);
        instruction *last = emit_one(compiler, typed, typed->operation, free);
        last->a = parts[0];
        last->b = parts[1];
        for (size_t i = 0; i < typed->count; i++)
            last->may_be_null |= typed->parts[i]->is_nullable;
    }
    return (sc_value_place){.index = free};
}

/* Is the result a truth value, or NULL where it may be, whatever the columns hold? */
static bool is_inside(const sc_typed *typed)
{
    const sc_operation kind = typed->operation;
    const bool is_join = kind == SC_OP_AND || kind == SC_OP_OR;
    bool holds = is_join || kind == SC_OP_EQUAL || kind == SC_OP_LESS ||
                 kind == SC_OP_LESS_EQUAL || kind == SC_OP_NOT || kind == SC_OP_IN ||
                 kind == SC_OP_TEXT_IN || kind == SC_OP_TEXT_EQUAL || kind == SC_OP_LIKE;
    holds = holds && typed->extent.low <= 0 && typed->extent.high >= 1 &&
            (typed->is_nullable || !reads_texts(typed));
    for (size_t i = 0; holds && i < typed->count; i++)
        holds = (typed->is_nullable || !typed->parts[i]->is_nullable) &&
                (!is_join || is_inside(typed->parts[i]));
    return holds;
}

scrim_status sc_expression_compile(const sc_typed *typed, const size_t *columns,
                                   size_t column_count, sc_arena *arena,
                                   const sc_expression **out, scrim_error *error)
{
    assembly compiler = {
        .columns = columns, .column_count = column_count, .arena = arena};
    size_t instructions = 0;
    measure(typed, &instructions, &compiler.constant_count);
    sc_expression *expression = sc_arena_allocate(arena, 1, sizeof *expression);
    compiler.list = sc_arena_allocate(arena, instructions, sizeof *compiler.list);
    compiler.constants =
        sc_arena_allocate(arena, compiler.constant_count, sizeof *compiler.constants);
    if (expression == NULL || compiler.list == NULL || compiler.constants == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the query");
    compiler.blocks = compiler.constant_count;
    sc_value_place result = {.index = 0};
    const sc_text_value *text = NULL;
    size_t free = compiler.constant_count;
    if (sc_typed_is_text(typed))
        text = emit_text(&compiler, typed, &free);
    else
        result = emit(&compiler, typed, free);
    if (compiler.lacks_memory)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the query");
    if (compiler.failed)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "an expression names a column that its rows do not bring");
    *expression = (sc_expression){.list = compiler.list,
                                  .count = compiler.count,
                                  .constant_count = compiler.constants_used,
                                  .constants = compiler.constants,
                                  .block_count = compiler.blocks,
                                  .room_count = compiler.rooms,
                                  .result = result,
                                  .text = text,
                                  .low = typed->extent.low,
                                  .high = typed->extent.high,
                                  .is_nullable = typed->is_nullable,
                                  .is_inside = is_inside(typed)};
    *out = expression;
    return SCRIM_OK;
}

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

/* Evaluating. */

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

/* What is no day of its range must not reach the calendar. */
static void run_dates(const instruction *next, size_t rows, const int64_t *a,
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

static void run_times(const instruction *next, size_t rows, const int64_t *a,
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
static void pass_null(const instruction *next, size_t rows, const int64_t *a,
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

static void run(const instruction *next, size_t rows, const int64_t *a, const int64_t *b,
                const int64_t *condition, int64_t *out)
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
        return; /* emit makes none of the first two; the others read texts */
    }
    if (next->may_be_null && !typed->skips_null)
        pass_null(next, rows, a, b, out);
}

/* Of texts that are present. */
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

static void run_texts(const instruction *next, size_t count, const sc_text_rows *rows,
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
        out[i] = asks_null ? is_null : is_null ? SC_NULL : number_of(next->typed, a, b);
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
        const instruction *next = &expression->list[i];
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
