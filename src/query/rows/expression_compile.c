/* From a typed expression to a flat program. */
#include "data/value/value.h"
#include "query/rows/expression.h"
#include "query/rows/expression_code.h"

typedef struct assembly {
    const size_t *columns;
    size_t column_count;
    sc_instruction *list;
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

static sc_instruction *emit_one(assembly *compiler, const sc_typed *typed,
                                sc_operation operation, size_t target)
{
    sc_instruction *next = &compiler->list[compiler->count++];
    *next = (sc_instruction){.typed = typed, .operation = operation, .target = target};
    if (compiler->blocks <= target)
        compiler->blocks = target + 1;
    return next;
}

/* From the last branch to the first, so that the first condition that holds wins. */
static void emit_case(assembly *compiler, const sc_typed *typed, size_t free)
{
    const sc_value_place last = emit(compiler, typed->parts[typed->count - 1], free);
    sc_instruction *copy = emit_one(compiler, typed, SC_OP_COLUMN, free);
    copy->a = last;
    for (size_t i = typed->count - 1; i > 0; i -= 2) {
        const sc_value_place condition = emit(compiler, typed->parts[i - 2], free + 1);
        const sc_value_place value = emit(compiler, typed->parts[i - 1], free + 2);
        sc_instruction *choose = emit_one(compiler, typed, SC_OP_CASE, free);
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
        sc_instruction *join = emit_one(compiler, typed, typed->operation, free);
        join->a = so_far;
        join->b = next;
        join->may_be_null = typed->is_nullable || typed->operation == SC_OP_COALESCE;
        so_far = (sc_value_place){.index = free};
    }
}

/* Does it read texts themselves, or whether there is one? */
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
        const bool is_key = typed->operation == SC_OP_LOOKUP && !sc_typed_is_text(part);
        if (typed->operation == SC_OP_TEXT_OF || is_key ||
            (is_choice && i + 1 < typed->count))
            places[i] = emit(compiler, part, (*free)++);
        else
            parts[i] = emit_text(compiler, part, free);
    }
    return value;
}

/* Values that are computed from texts. */
static void emit_of_texts(assembly *compiler, const sc_typed *typed, size_t free)
{
    const sc_text_value *texts[2] = {NULL, NULL};
    size_t next = free + 1;
    for (size_t i = 0; i < typed->count; i++)
        texts[i] = emit_text(compiler, typed->parts[i], &next);
    sc_instruction *last = emit_one(compiler, typed, typed->operation, free);
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
        /* A value that may be NULL is asked for it when the result is there. */
        const size_t beside = typed->is_nullable;
        for (size_t i = 0; i < typed->count; i++)
            parts[i] = emit(compiler, typed->parts[i], free + beside + i);
        sc_instruction *last = emit_one(compiler, typed, typed->operation, free);
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
        return sc_no_memory(error, "the query");
    compiler.blocks = compiler.constant_count;
    sc_value_place result = {.index = 0};
    const sc_text_value *text = NULL;
    size_t free = compiler.constant_count;
    if (sc_typed_is_text(typed))
        text = emit_text(&compiler, typed, &free);
    else
        result = emit(&compiler, typed, free);
    if (compiler.lacks_memory)
        return sc_no_memory(error, "the query");
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
