#include "query/rows/row_program.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

/* Where a number or text of a row comes from: a plain column, or an expression. */
typedef struct row_input {
    const sc_expression *expression; /* NULL: a plain column */
    size_t place;                    /* of that column in the batch */
} row_input;

struct sc_row_program {
    const sc_query *query;
    const sc_statistics *statistics;
    const size_t *columns;
    size_t column_count;
    const sc_expression *where; /* NULL: every row counts */
    row_input *keys, *values;
    bool is_text; /* the one key is a column of text */
};

/* Compiling. */

/* "condition OR key IS NULL"; NULL without memory. */
static const sc_typed *or_null(const sc_typed *condition, const sc_typed **key,
                               sc_arena *arena)
{
    sc_typed *is_null = sc_arena_allocate(arena, 1, sizeof *is_null),
             *either = sc_arena_allocate(arena, 1, sizeof *either);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_typed **parts = sc_arena_allocate(arena, 2, sizeof *parts);
    if (is_null == NULL || either == NULL || parts == NULL)
        return NULL;
    *is_null = (sc_typed){.operation = SC_OP_IS_NULL,
                          .type = SC_TYPE_BOOL,
                          .extent = {0, 1, {1, 1}},
                          .parts = key,
                          .count = 1};
    parts[0] = condition;
    parts[1] = is_null;
    *either = (sc_typed){.operation = SC_OP_OR,
                         .type = SC_TYPE_BOOL,
                         .extent = {0, 1, {1, 1}},
                         .parts = parts,
                         .count = 2,
                         .is_nullable = condition->is_nullable};
    return either;
}

/* The condition "the key is one of its public ones", or NULL if NULL is a public key too. Returns NULL without memory. */
static const sc_typed *condition_of_keys(const sc_query_key *key, sc_arena *arena)
{
    const sc_column *column = key->column;
    const bool is_text = sc_typed_is_text(key->value);
    const size_t count = key->texts != NULL ? key->text_count : column->key_count;
    sc_typed *typed = sc_arena_allocate(arena, 1, sizeof *typed);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_typed **parts = sc_arena_allocate(arena, 1, sizeof *parts);
    sc_text *texts = sc_arena_allocate(arena, is_text ? count : 0, sizeof *texts);
    int64_t *values = sc_arena_allocate(arena, is_text ? 0 : count, sizeof *values);
    if (typed == NULL || parts == NULL || texts == NULL || values == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_text) /* in bytewise order already */
            texts[i] = key->texts != NULL ? key->texts[i] : column->keys[i].text;
        else
            values[i] = column->keys[i].value;
    if (!is_text)
        qsort(values, count, sizeof *values, sc_int64_order);
    parts[0] = key->value;
    *typed = (sc_typed){.operation = is_text ? SC_OP_TEXT_IN : SC_OP_IN,
                        .type = SC_TYPE_BOOL,
                        .extent = {0, 1, {1, 1}},
                        .parts = parts,
                        .count = 1,
                        .is_nullable = key->value->is_nullable,
                        .values = values,
                        .texts = texts};
    typed->value_count = is_text ? 0 : count;
    typed->text_count = is_text ? count : 0;
    return key->is_nullable ? or_null(typed, parts, arena) : typed;
}

/* WHERE; and, if some key is discovered, that all columns with public keys hold one of these. (If all keys are public, looking them
 * up does the same.) *out stays NULL if every row counts. */
static scrim_status make_condition(const sc_query *query, bool has_public_keys,
                                   sc_arena *arena, const sc_typed **out,
                                   scrim_error *error)
{
    sc_typed *all = sc_arena_allocate(arena, 1, sizeof *all);
    const size_t most = query->key_count + 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_typed **parts = sc_arena_allocate(arena, most, sizeof *parts);
    size_t count = 0;
    if (all == NULL || parts == NULL)
        return sc_no_memory(error, "the query");
    if (query->where != NULL)
        parts[count++] = query->where;
    for (size_t i = 0; !has_public_keys && i < query->key_count; i++) {
        const sc_query_key *key = &query->keys[i];
        if (key->texts == NULL && (key->column == NULL || !key->column->has_keys))
            continue;
        parts[count] = condition_of_keys(key, arena);
        if (parts[count++] == NULL)
            return sc_no_memory(error, "the query");
    }
    *all = (sc_typed){.operation = SC_OP_AND,
                      .type = SC_TYPE_BOOL,
                      .extent = {0, 1, {1, 1}},
                      .parts = parts,
                      .count = count};
    for (size_t i = 0; i < count; i++)
        all->is_nullable |= parts[i]->is_nullable;
    *out = count == 0 ? NULL : count == 1 ? parts[0] : all;
    return SCRIM_OK;
}

static scrim_status compile_input(const sc_row_program *program, const sc_typed *typed,
                                  sc_arena *arena, row_input *input, scrim_error *error)
{
    if (typed->operation != SC_OP_COLUMN)
        return sc_expression_compile(typed, program->columns, program->column_count,
                                     arena, &input->expression, error);
    while (input->place < program->column_count &&
           program->columns[input->place] != typed->column)
        input->place++;
    if (input->place == program->column_count)
        return sc_fail(error, SCRIM_E_INTERNAL, "a column is asked for that is not read");
    return SCRIM_OK;
}

static scrim_status compile(sc_row_program *program, bool has_public_keys,
                            sc_arena *arena, scrim_error *error)
{
    const sc_query *query = program->query;
    const sc_statistics *statistics = program->statistics;
    const sc_typed *condition = NULL;
    scrim_status status =
        make_condition(query, has_public_keys, arena, &condition, error);
    if (status == SCRIM_OK && condition != NULL)
        status = sc_expression_compile(condition, program->columns, program->column_count,
                                       arena, &program->where, error);
    for (size_t i = 0; status == SCRIM_OK && i < query->key_count; i++)
        status =
            compile_input(program, query->keys[i].value, arena, &program->keys[i], error);
    for (size_t i = 0; status == SCRIM_OK && i < statistics->value_count; i++)
        status = compile_input(program, statistics->values[i], arena, &program->values[i],
                               error);
    return status;
}

scrim_status sc_row_program_compile(const sc_row_plan *plan, sc_arena *arena,
                                    const sc_row_program **out, scrim_error *error)
{
    sc_row_program *program = sc_arena_allocate(arena, 1, sizeof *program);
    if (program == NULL)
        return sc_no_memory(error, "the query");
    *program = (sc_row_program){
        .query = plan->query,
        .statistics = plan->statistics,
        .columns = plan->columns,
        .column_count = plan->column_count,
        .keys = sc_arena_allocate(arena, plan->query->key_count, sizeof *program->keys),
        .values = sc_arena_allocate(arena, plan->statistics->value_count,
                                    sizeof *program->values),
        .is_text = plan->query->key_count == 1 &&
                   sc_typed_is_text_column(plan->query->keys[0].value)};
    if (program->keys == NULL || program->values == NULL)
        return sc_no_memory(error, "the query");
    *out = program;
    return compile(program, plan->has_public_keys, arena, error);
}

bool sc_row_program_is_text(const sc_row_program *program)
{
    return program->is_text;
}

/* The memory of threads. */

static int64_t *block(sc_arena *arena)
{
    return sc_arena_allocate(arena, SC_EXPRESSION_ROWS, sizeof(int64_t));
}

/* Room for the values of an expression; false without memory. */
static bool make_room(sc_arena *arena, const sc_expression *expression, int64_t **values,
                      int64_t **scratch)
{
    if (expression == NULL)
        return true;
    *values = block(arena);
    *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression), sizeof **scratch);
    if (*values == NULL || *scratch == NULL)
        return false;
    sc_expression_prepare(expression, *scratch);
    return true;
}

/* The same for an expression of text. */
static bool make_text_room(sc_arena *arena, const sc_expression *expression,
                           sc_text **texts, char **bytes, int64_t **scratch)
{
    *texts = sc_arena_allocate(arena, SC_EXPRESSION_ROWS, sizeof **texts);
    *bytes = sc_arena_allocate(arena, SC_EXPRESSION_ROWS, SC_TEXT_RESULT_BYTES);
    *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression), sizeof **scratch);
    if (*texts == NULL || *bytes == NULL || *scratch == NULL)
        return false;
    /* Touches all pages now, so that memory use does not depend on the lengths of texts. */
    memset(*bytes, 0, (size_t)SC_EXPRESSION_ROWS * SC_TEXT_RESULT_BYTES);
    sc_expression_prepare(expression, *scratch);
    return true;
}

/* A value that is text: its numbers, and its texts, in room that all such values share. */
static bool make_token_room(sc_arena *arena, const sc_expression *expression,
                            sc_row_workspace *space, size_t i)
{
    space->values[i] = block(arena);
    if (space->values[i] == NULL || expression == NULL)
        return space->values[i] != NULL;
    if (space->value_texts == NULL)
        return make_text_room(arena, expression, &space->value_texts, &space->value_bytes,
                              &space->value_scratch[i]);
    int64_t **scratch = &space->value_scratch[i];
    *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression), sizeof **scratch);
    if (*scratch == NULL)
        return false;
    sc_expression_prepare(expression, *scratch);
    return true;
}

static bool make_value_rooms(sc_arena *arena, const sc_row_program *program,
                             sc_row_workspace *space)
{
    const size_t count = program->statistics->value_count;
    space->values = sc_arena_allocate(arena, count, sizeof *space->values);
    space->value_scratch = sc_arena_allocate(arena, count, sizeof *space->value_scratch);
    bool is_done = space->values != NULL && space->value_scratch != NULL;
    for (size_t i = 0; is_done && i < count; i++)
        is_done = sc_typed_is_text(program->statistics->values[i])
                      ? make_token_room(arena, program->values[i].expression, space, i)
                      : make_room(arena, program->values[i].expression, &space->values[i],
                                  &space->value_scratch[i]);
    return is_done;
}

static bool make_key_rooms(sc_arena *arena, const sc_row_program *program,
                           sc_row_workspace *space)
{
    const size_t count = program->query->key_count;
    space->key_values = sc_arena_allocate(arena, count, sizeof *space->key_values);
    space->key_scratch = sc_arena_allocate(arena, count, sizeof *space->key_scratch);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    space->key_texts = sc_arena_allocate(arena, count, sizeof *space->key_texts);
    space->key_bytes = sc_arena_allocate(arena, count, sizeof *space->key_bytes);
    bool is_done = space->key_values != NULL && space->key_scratch != NULL &&
                   space->key_texts != NULL && space->key_bytes != NULL;
    for (size_t i = 0; is_done && i < count; i++) {
        const sc_expression *expression = program->keys[i].expression;
        if (expression != NULL && sc_typed_is_text(program->query->keys[i].value))
            is_done = make_text_room(arena, expression, &space->key_texts[i],
                                     &space->key_bytes[i], &space->key_scratch[i]);
        else
            is_done = make_room(arena, expression, &space->key_values[i],
                                &space->key_scratch[i]);
    }
    return is_done;
}

bool sc_row_workspace_init(sc_row_workspace *space, const sc_row_program *program,
                           sc_arena *arena)
{
    const size_t keys = program->query->key_count,
                 values = program->statistics->value_count;
    *space = (sc_row_workspace){.where = NULL};
    space->columns =
        sc_arena_allocate(arena, program->column_count, sizeof *space->columns);
    space->key_columns = sc_arena_allocate(arena, keys, sizeof *space->key_columns);
    space->value_columns = sc_arena_allocate(arena, values, sizeof *space->value_columns);
    return space->columns != NULL && space->key_columns != NULL &&
           space->value_columns != NULL &&
           make_room(arena, program->where, &space->where, &space->where_scratch) &&
           make_key_rooms(arena, program, space) &&
           make_value_rooms(arena, program, space);
}

void sc_row_workspace_clear(sc_row_workspace *space)
{
    sc_key_rows_clear(&space->key_rows);
}

/* Rows. */

static void look_at(const sc_row_program *program, sc_row_workspace *space,
                    const sc_batch *batch, size_t from)
{
    for (size_t i = 0; i < program->column_count; i++) {
        const sc_batch_column *column = &batch->columns[i];
        space->columns[i] =
            (sc_row_column){column->values == NULL ? NULL : column->values + from,
                            column->texts == NULL ? NULL : column->texts + from};
    }
}

static void put_tokens(const sc_text *texts, size_t count, const sc_value_key *hash_key,
                       int64_t *out)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = sc_value_hash_plain(hash_key, texts[i]);
        out[i] = sc_text_is_null(texts[i]) ? SC_NULL : (int64_t)(hash >> 3);
    }
}
_Static_assert(SC_TEXT_TOKEN_MAX == UINT64_MAX >> 3, "a number of a text has 61 bits");

static void make_tokens(const sc_row_program *program, sc_row_workspace *space,
                        size_t count, const sc_value_key *hash_key, size_t i)
{
    const row_input *input = &program->values[i];
    const sc_text *texts = space->columns[input->place].texts;
    if (input->expression != NULL) {
        sc_expression_texts(input->expression, space->columns, count,
                            space->value_scratch[i], space->value_texts,
                            space->value_bytes);
        texts = space->value_texts;
    }
    put_tokens(texts, count, hash_key, space->values[i]);
    space->value_columns[i] = space->values[i];
}

static void make_values(const sc_row_program *program, sc_row_workspace *space,
                        size_t count, const sc_value_key *hash_key)
{
    for (size_t i = 0; i < program->statistics->value_count; i++) {
        const row_input *input = &program->values[i];
        if (sc_typed_is_text(program->statistics->values[i])) {
            make_tokens(program, space, count, hash_key, i);
            continue;
        }
        if (input->expression == NULL) {
            space->value_columns[i] = space->columns[input->place].values;
            continue;
        }
        sc_expression_evaluate(input->expression, space->columns, count,
                               space->value_scratch[i], space->values[i]);
        space->value_columns[i] = space->values[i];
    }
}

static scrim_status make_keys(const sc_row_program *program, sc_row_workspace *space,
                              size_t count, const sc_value_key *hash_key,
                              scrim_error *error)
{
    const size_t key_count = program->query->key_count;
    for (size_t i = 0; i < key_count; i++) {
        const row_input *input = &program->keys[i];
        if (input->expression == NULL) {
            space->key_columns[i] = (sc_key_column){space->columns[input->place].values,
                                                    space->columns[input->place].texts};
            continue;
        }
        if (space->key_texts[i] != NULL)
            sc_expression_texts(input->expression, space->columns, count,
                                space->key_scratch[i], space->key_texts[i],
                                space->key_bytes[i]);
        else
            sc_expression_evaluate(input->expression, space->columns, count,
                                   space->key_scratch[i], space->key_values[i]);
        space->key_columns[i] =
            (sc_key_column){space->key_values[i], space->key_texts[i]};
    }
    return sc_key_rows_make(&space->key_rows, space->key_columns, key_count, count,
                            hash_key, error);
}

scrim_status sc_row_program_run(const sc_row_program *program, sc_row_workspace *space,
                                const sc_batch *batch, size_t from, size_t count,
                                const sc_value_key *hash_key, sc_group_rows *out,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    look_at(program, space, batch, from);
    *out = (sc_group_rows){.count = count, .values = space->value_columns};
    if (batch->unit.texts != NULL) {
        out->units = batch->unit.texts + from;
        out->unit_hashes = batch->unit.hashes + from;
    }
    if (program->where != NULL) {
        sc_expression_evaluate(program->where, space->columns, count,
                               space->where_scratch, space->where);
        out->where = space->where;
    }
    make_values(program, space, count, hash_key);
    if (program->is_text) {
        out->keys = space->columns[program->keys[0].place].texts;
        out->key_hashes = batch->columns[program->keys[0].place].hashes + from;
    } else if (program->query->key_count > 0) {
        status = make_keys(program, space, count, hash_key, error);
        out->keys = space->key_rows.keys;
        out->key_hashes = space->key_rows.hashes;
    }
    return status;
}
