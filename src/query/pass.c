#include "query/pass.h"

#include "query/expression.h"
#include "query/key_tuple.h"

#include <stdlib.h>
#include <string.h>

/* The caller hears of progress when so much more was read. */
#define PROGRESS_BYTES ((uint64_t)1 << 20)
/* Of the key of hashes. */
#define WORDS (sizeof((sc_value_key *)0)->words / sizeof(uint64_t))

/* Where a number or text of a row comes from. */
typedef struct row_input {
    size_t place;                    /* of a column as it stands, among the scan's */
    const sc_expression *expression; /* else; NULL: the column */
} row_input;

typedef struct statement_state {
    const sc_pass_statement *asked;
    size_t scan;
    const sc_expression *where; /* NULL: every row counts */
    row_input *keys, *values;
    bool is_text; /* the one key is a column of text, and is its tuple but for the end */
    sc_grouping *grouping;
    sc_groups groups;
    sc_group *named; /* the groups with keys that are tuples */
    char *names;
    size_t name_bytes;
} statement_state;

/* The memory in which one worker computes a statement, used again for every block. */
typedef struct workbench {
    int64_t *where, *where_scratch;
    int64_t **key_values, **key_scratch;
    int64_t **values, **value_scratch;
    sc_key_column *key_columns;
    const int64_t **value_columns;
    sc_key_rows key_rows;
} workbench;

typedef struct pass_worker {
    sc_pass *pass;
    size_t scan;
    unsigned number;
    uint64_t told;      /* of progress; the first worker's */
    workbench *benches; /* by statement; those of other scans are empty */
    sc_row_column *columns;
    sc_arena arena;
} pass_worker;

/* One reading of the source. */
typedef struct pass_scan {
    size_t *columns; /* in increasing order */
    size_t column_count;
    sc_table *table;
} pass_scan;

struct sc_pass {
    const sc_schema *schema;
    sc_pass_options options;
    unsigned workers;
    sc_value_key hash_key;
    statement_state *statements;
    size_t count;
    pass_scan *scans;
    size_t scan_count;
    pass_worker **crew;
    bool is_over;
    sc_arena arena;
};

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "no memory for the query");
}

/* Which statements are read together. */

static bool has_column(const size_t *columns, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i] == column)
            return true;
    return false;
}

/* Are all columns of a, whose rows end where they have no value, also in b? */
static bool drops_no_more(const sc_schema *schema, const size_t *a, size_t a_count,
                          const size_t *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        if (!schema->columns[a[i]].has_missing && !has_column(b, b_count, a[i]))
            return false;
    return true;
}

static bool loses_the_same(const sc_schema *schema, const pass_scan *scan,
                           const sc_query *query)
{
    return drops_no_more(schema, scan->columns, scan->column_count, query->reads,
                         query->read_count) &&
           drops_no_more(schema, query->reads, query->read_count, scan->columns,
                         scan->column_count);
}

static scrim_status join_scan(sc_pass *pass, statement_state *state, scrim_error *error)
{
    const sc_query *query = state->asked->query;
    size_t at = 0;
    while (at < pass->scan_count &&
           !loses_the_same(pass->schema, &pass->scans[at], query))
        at++;
    pass_scan *scan = &pass->scans[at];
    if (at == pass->scan_count) {
        scan->columns = sc_arena_allocate(&pass->arena, pass->schema->column_count,
                                          sizeof *scan->columns);
        if (scan->columns == NULL)
            return no_memory(error);
        pass->scan_count++;
    }
    for (size_t i = 0; i < query->read_count; i++)
        if (!has_column(scan->columns, scan->column_count, query->reads[i]))
            scan->columns[scan->column_count++] = query->reads[i];
    state->scan = at;
    return SCRIM_OK;
}

/* Compiling. */

static int by_size(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* "The column holds one of its public keys", as a condition; NULL without memory. */
static const sc_typed *condition_of_keys(const sc_query_key *key, sc_arena *arena)
{
    const sc_column *column = key->column;
    const bool is_text = column->type == SC_COLUMN_TEXT;
    sc_typed *typed = sc_arena_allocate(arena, 1, sizeof *typed);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_typed **parts = sc_arena_allocate(arena, 1, sizeof *parts);
    sc_text *texts =
        sc_arena_allocate(arena, is_text ? column->key_count : 0, sizeof *texts);
    int64_t *values =
        sc_arena_allocate(arena, is_text ? 0 : column->key_count, sizeof *values);
    if (typed == NULL || parts == NULL || texts == NULL || values == NULL)
        return NULL;
    for (size_t i = 0; i < column->key_count; i++)
        if (is_text)
            texts[i] = column->keys[i].text; /* in bytewise order already */
        else
            values[i] = column->keys[i].value;
    if (!is_text)
        qsort(values, column->key_count, sizeof *values, by_size);
    parts[0] = key->value;
    *typed = (sc_typed){.operation = is_text ? SC_OP_TEXT_IN : SC_OP_IN,
                        .type = SC_TYPE_BOOL,
                        .extent = {0, 1, {1, 1}},
                        .parts = parts,
                        .count = 1,
                        .values = values,
                        .texts = texts};
    typed->value_count = is_text ? 0 : column->key_count;
    typed->text_count = is_text ? column->key_count : 0;
    return typed;
}

/* WHERE, and for discovered tuples that columns with public keys hold these: which is only a
 * question where other keys are discovered. Leaves out at NULL where every row counts. */
static scrim_status make_condition(sc_pass *pass, const sc_pass_statement *asked,
                                   const sc_typed **out, scrim_error *error)
{
    const sc_query *query = asked->query;
    sc_typed *all = sc_arena_allocate(&pass->arena, 1, sizeof *all);
    const size_t most = query->key_count + 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_typed **parts = sc_arena_allocate(&pass->arena, most, sizeof *parts);
    size_t count = 0;
    if (all == NULL || parts == NULL)
        return no_memory(error);
    if (query->where != NULL)
        parts[count++] = query->where;
    for (size_t i = 0; !asked->has_keys && i < query->key_count; i++) {
        const sc_query_key *key = &query->keys[i];
        if (key->column == NULL || !key->column->has_keys)
            continue;
        parts[count] = condition_of_keys(key, &pass->arena);
        if (parts[count++] == NULL)
            return no_memory(error);
    }
    *all = (sc_typed){.operation = SC_OP_AND,
                      .type = SC_TYPE_BOOL,
                      .extent = {0, 1, {1, 1}},
                      .parts = parts,
                      .count = count};
    *out = count == 0 ? NULL : count == 1 ? parts[0] : all;
    return SCRIM_OK;
}

static scrim_status compile_input(sc_pass *pass, const pass_scan *scan,
                                  const sc_typed *typed, row_input *input,
                                  scrim_error *error)
{
    if (typed->operation != SC_OP_COLUMN)
        return sc_expression_compile(typed, scan->columns, scan->column_count,
                                     &pass->arena, &input->expression, error);
    while (input->place < scan->column_count &&
           scan->columns[input->place] != typed->column)
        input->place++;
    if (input->place == scan->column_count)
        return sc_fail(error, SCRIM_E_INTERNAL, "a column is asked for that is not read");
    return SCRIM_OK;
}

static scrim_status compile(sc_pass *pass, statement_state *state, scrim_error *error)
{
    const sc_query *query = state->asked->query;
    const sc_statistics *statistics = state->asked->statistics;
    const pass_scan *scan = &pass->scans[state->scan];
    const sc_typed *condition = NULL;
    state->keys = sc_arena_allocate(&pass->arena, query->key_count, sizeof *state->keys);
    state->values =
        sc_arena_allocate(&pass->arena, statistics->value_count, sizeof *state->values);
    if (state->keys == NULL || state->values == NULL)
        return no_memory(error);
    scrim_status status = make_condition(pass, state->asked, &condition, error);
    if (status == SCRIM_OK && condition != NULL)
        status = sc_expression_compile(condition, scan->columns, scan->column_count,
                                       &pass->arena, &state->where, error);
    for (size_t i = 0; status == SCRIM_OK && i < query->key_count; i++)
        status = compile_input(pass, scan, query->keys[i].value, &state->keys[i], error);
    for (size_t i = 0; status == SCRIM_OK && i < statistics->value_count; i++)
        status =
            compile_input(pass, scan, statistics->values[i], &state->values[i], error);
    state->is_text =
        query->key_count == 1 && sc_typed_is_text_column(query->keys[0].value);
    return status;
}

/* Grouping. */

/* Public keys as grouping gets them: where the key is a column of text, without its end. */
static scrim_status list_keys(sc_pass *pass, const statement_state *state,
                              sc_group_plan *plan, scrim_error *error)
{
    const sc_pass_statement *asked = state->asked;
    static const sc_text nothing = {"", 0};
    if (asked->query->key_count == 0) {
        plan->has_keys = true;
        plan->keys = &nothing;
        plan->key_count = 1;
        return SCRIM_OK;
    }
    plan->has_keys = asked->has_keys;
    plan->keys = asked->keys;
    plan->key_count = asked->has_keys ? asked->key_count : 0;
    if (!state->is_text || plan->key_count == 0)
        return SCRIM_OK;
    sc_text *keys = sc_arena_allocate(&pass->arena, plan->key_count, sizeof *keys);
    if (keys == NULL)
        return no_memory(error);
    for (size_t i = 0; i < plan->key_count; i++) {
        keys[i] = asked->keys[i];
        keys[i].bytes -= keys[i].bytes > 0;
    }
    plan->keys = keys;
    return SCRIM_OK;
}

static scrim_status make_grouping(sc_pass *pass, statement_state *state, sc_bits *bits,
                                  scrim_error *error)
{
    const sc_pass_statement *asked = state->asked;
    sc_group_plan plan = {.has_units = pass->schema->unit.bytes > 0,
                          .max_groups = asked->max_groups,
                          .max_rows = asked->max_rows,
                          .values = asked->statistics->groups,
                          .value_count = asked->statistics->value_count,
                          .hash_key = pass->hash_key,
                          .workers = pass->workers,
                          .memory_bytes = pass->options.memory_bytes};
    scrim_status status = list_keys(pass, state, &plan, error);
    if (status == SCRIM_OK)
        status = sc_grouping_new(&plan, bits, &state->grouping, error);
    sc_wipe(&plan.hash_key, sizeof plan.hash_key);
    return status;
}

/* The memory of workers. */

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

static bool make_rooms(sc_arena *arena, const row_input *inputs, size_t count,
                       int64_t ***values, int64_t ***scratch)
{
    *values = sc_arena_allocate(arena, count, sizeof **values);
    *scratch = sc_arena_allocate(arena, count, sizeof **scratch);
    bool is_done = *values != NULL && *scratch != NULL;
    for (size_t i = 0; is_done && i < count; i++)
        is_done = make_room(arena, inputs[i].expression, &(*values)[i], &(*scratch)[i]);
    return is_done;
}

static bool make_bench(sc_arena *arena, const statement_state *state, workbench *bench)
{
    const size_t keys = state->asked->query->key_count,
                 values = state->asked->statistics->value_count;
    bench->key_columns = sc_arena_allocate(arena, keys, sizeof *bench->key_columns);
    bench->value_columns = sc_arena_allocate(arena, values, sizeof *bench->value_columns);
    return bench->key_columns != NULL && bench->value_columns != NULL &&
           make_room(arena, state->where, &bench->where, &bench->where_scratch) &&
           make_rooms(arena, state->keys, keys, &bench->key_values,
                      &bench->key_scratch) &&
           make_rooms(arena, state->values, values, &bench->values,
                      &bench->value_scratch);
}

static scrim_status make_worker(sc_pass *pass, unsigned number, scrim_error *error)
{
    pass_worker *worker = sc_allocate(1, sizeof *worker);
    if (worker == NULL)
        return no_memory(error);
    pass->crew[number] = worker;
    worker->pass = pass;
    worker->number = number;
    sc_arena_init(&worker->arena);
    worker->benches =
        sc_arena_allocate(&worker->arena, pass->count, sizeof *worker->benches);
    worker->columns = sc_arena_allocate(&worker->arena, pass->schema->column_count,
                                        sizeof *worker->columns);
    bool is_done = worker->benches != NULL && worker->columns != NULL;
    for (size_t i = 0; is_done && i < pass->count; i++)
        is_done = make_bench(&worker->arena, &pass->statements[i], &worker->benches[i]);
    return is_done ? SCRIM_OK : no_memory(error);
}

static void free_worker(const sc_pass *pass, pass_worker *worker)
{
    if (worker == NULL)
        return;
    for (size_t i = 0; worker->benches != NULL && i < pass->count; i++)
        sc_key_rows_clear(&worker->benches[i].key_rows);
    sc_arena_clear(&worker->arena);
    sc_release(worker);
}

/* Opening. */

static bool is_standard_input(const sc_schema *schema)
{
    return schema->source == SC_SOURCE_CSV && sc_text_is(schema->path, "-");
}

static scrim_status open_table(sc_pass *pass, pass_scan *scan, scrim_error *error)
{
    const sc_source_stamp *contents = pass->options.contents;
    sc_batch_request request = {.schema = pass->schema,
                                .columns = scan->columns,
                                .column_count = scan->column_count,
                                .key = pass->hash_key};
    const scrim_status status = sc_table_open(&request, &scan->table, error);
    sc_wipe(&request.key, sizeof request.key);
    if (status != SCRIM_OK || contents == NULL)
        return status;
    const sc_source_stamp found = sc_table_stamp(scan->table);
    if (!sc_source_stamp_equal(&found, contents))
        return sc_fail(error, SCRIM_E_INPUT,
                       "the source is not that of this version: its size or time has "
                       "changed; declare its new contents with scrim dataset update");
    return SCRIM_OK;
}

/* A file of few pieces keeps few workers busy; its size is public. */
static unsigned useful_workers(const sc_pass *pass)
{
    const unsigned asked =
        pass->options.workers == 0 ? sc_table_workers() : pass->options.workers;
    const sc_source_stamp stamp = sc_table_stamp(pass->scans[0].table);
    const uint64_t pieces = stamp.bytes / SC_CSV_PIECE_BYTES + 1;
    return stamp.is_file && pass->schema->source == SC_SOURCE_CSV && pieces < asked
               ? (unsigned)pieces
               : asked;
}

static scrim_status open_tables(sc_pass *pass, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++)
        status = join_scan(pass, &pass->statements[i], error);
    if (status == SCRIM_OK && pass->scan_count > 1 && is_standard_input(pass->schema))
        return sc_fail(error, SCRIM_E_INPUT,
                       "standard input is read once, and these queries need their own "
                       "rows; ask them one by one");
    for (size_t i = 0; status == SCRIM_OK && i < pass->scan_count; i++)
        status = open_table(pass, &pass->scans[i], error);
    return status;
}

static scrim_status prepare(sc_pass *pass, sc_bits *bits, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < WORDS; i++)
        status = sc_bits_word(bits, &pass->hash_key.words[i], error);
    if (status == SCRIM_OK)
        status = open_tables(pass, error);
    if (status != SCRIM_OK)
        return status;
    pass->workers = useful_workers(pass);
    if (pass->workers > SC_WORKERS_MAX)
        return sc_fail(error, SCRIM_E_PARAM, "workers: at most %d", SC_WORKERS_MAX);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    pass->crew = sc_arena_allocate(&pass->arena, pass->workers, sizeof *pass->crew);
    if (pass->crew == NULL)
        return no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++)
        status = compile(pass, &pass->statements[i], error);
    for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++)
        status = make_grouping(pass, &pass->statements[i], bits, error);
    for (unsigned i = 0; status == SCRIM_OK && i < pass->workers; i++)
        status = make_worker(pass, i, error);
    return status;
}

scrim_status sc_pass_open(const sc_schema *schema, const sc_pass_statement *statements,
                          size_t count, const sc_pass_options *options, sc_bits *bits,
                          sc_pass **out, scrim_error *error)
{
    sc_pass *pass = sc_allocate(1, sizeof *pass);
    if (pass == NULL)
        return no_memory(error);
    *pass = (sc_pass){.schema = schema, .options = *options, .count = count};
    sc_arena_init(&pass->arena);
    pass->statements = sc_arena_allocate(&pass->arena, count, sizeof *pass->statements);
    pass->scans = sc_arena_allocate(&pass->arena, count, sizeof *pass->scans);
    scrim_status status = SCRIM_OK;
    if (pass->statements == NULL || pass->scans == NULL)
        status = no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        pass->statements[i].asked = &statements[i];
    if (status == SCRIM_OK)
        status = prepare(pass, bits, error);
    if (status == SCRIM_OK)
        *out = pass;
    else
        sc_pass_close(pass);
    return status;
}

void sc_pass_close(sc_pass *pass)
{
    if (pass == NULL)
        return;
    for (unsigned i = 0; pass->crew != NULL && i < pass->workers; i++)
        free_worker(pass, pass->crew[i]);
    for (size_t i = 0; pass->scans != NULL && i < pass->scan_count; i++)
        sc_table_close(pass->scans[i].table);
    for (size_t i = 0; pass->statements != NULL && i < pass->count; i++) {
        statement_state *state = &pass->statements[i];
        sc_grouping_free(state->grouping);
        sc_release_wiped(state->named, state->groups.count * sizeof *state->named);
        sc_release_wiped(state->names, state->name_bytes);
    }
    sc_arena_clear(&pass->arena);
    sc_release_wiped(pass, sizeof *pass);
}

/* Rows. */

static scrim_status make_keys(const sc_pass *pass, const statement_state *state,
                              workbench *bench, const sc_row_column *columns,
                              size_t count, sc_group_rows *rows, scrim_error *error)
{
    const size_t key_count = state->asked->query->key_count;
    for (size_t i = 0; i < key_count; i++) {
        const row_input *input = &state->keys[i];
        if (input->expression == NULL) {
            bench->key_columns[i] = (sc_key_column){columns[input->place].values,
                                                    columns[input->place].texts};
            continue;
        }
        sc_expression_evaluate(input->expression, columns, count, bench->key_scratch[i],
                               bench->key_values[i]);
        bench->key_columns[i] = (sc_key_column){.values = bench->key_values[i]};
    }
    const scrim_status status = sc_key_rows_make(
        &bench->key_rows, bench->key_columns, key_count, count, &pass->hash_key, error);
    rows->keys = bench->key_rows.keys;
    rows->key_hashes = bench->key_rows.hashes;
    return status;
}

/* At most SC_EXPRESSION_ROWS rows of a batch, from one on. */
static scrim_status take_block(pass_worker *worker, size_t statement,
                               const sc_batch *batch, size_t from, size_t count,
                               scrim_error *error)
{
    const sc_pass *pass = worker->pass;
    const statement_state *state = &pass->statements[statement];
    workbench *bench = &worker->benches[statement];
    const sc_row_column *columns = worker->columns;
    sc_group_rows rows = {.count = count, .values = bench->value_columns};
    scrim_status status = SCRIM_OK;
    if (batch->unit.texts != NULL) {
        rows.units = batch->unit.texts + from;
        rows.unit_hashes = batch->unit.hashes + from;
    }
    if (state->where != NULL) {
        sc_expression_evaluate(state->where, columns, count, bench->where_scratch,
                               bench->where);
        rows.where = bench->where;
    }
    for (size_t i = 0; i < state->asked->statistics->value_count; i++) {
        const row_input *input = &state->values[i];
        bench->value_columns[i] =
            input->expression == NULL ? columns[input->place].values : bench->values[i];
        if (input->expression != NULL)
            sc_expression_evaluate(input->expression, columns, count,
                                   bench->value_scratch[i], bench->values[i]);
    }
    if (state->is_text) {
        rows.keys = columns[state->keys[0].place].texts;
        rows.key_hashes = batch->columns[state->keys[0].place].hashes + from;
    } else if (state->asked->query->key_count > 0) {
        status = make_keys(pass, state, bench, columns, count, &rows, error);
    }
    return status == SCRIM_OK
               ? sc_grouping_take(state->grouping, worker->number, &rows, error)
               : status;
}

static void tell_progress(pass_worker *worker, const pass_scan *scan)
{
    const sc_pass *pass = worker->pass;
    const sc_source_stamp stamp = sc_table_stamp(scan->table);
    if (pass->options.progress == NULL || worker->number != 0 || !stamp.is_file)
        return;
    const uint64_t done = stamp.bytes * worker->scan + sc_table_read_bytes(scan->table);
    if (done - worker->told < PROGRESS_BYTES)
        return;
    worker->told = done;
    pass->options.progress(pass->options.context, done, stamp.bytes * pass->scan_count);
}

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    pass_worker *worker = context;
    const sc_pass *pass = worker->pass;
    const pass_scan *scan = &pass->scans[worker->scan];
    scrim_status status = SCRIM_OK;
    for (size_t from = 0; from < batch->rows; from += SC_EXPRESSION_ROWS) {
        const size_t rest = batch->rows - from,
                     count = rest < SC_EXPRESSION_ROWS ? rest : SC_EXPRESSION_ROWS;
        for (size_t i = 0; i < scan->column_count; i++) {
            const sc_batch_column *column = &batch->columns[i];
            worker->columns[i] =
                (sc_row_column){column->values == NULL ? NULL : column->values + from,
                                column->texts == NULL ? NULL : column->texts + from};
        }
        for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++)
            if (pass->statements[i].scan == worker->scan)
                status = take_block(worker, i, batch, from, count, error);
    }
    tell_progress(worker, scan);
    return status;
}

/* Groups. */

/* The groups once more, with tuples for keys: of a column of text what was grouped by lacks its
 * end, and a copy has it. */
static scrim_status name_groups(statement_state *state, scrim_error *error)
{
    size_t bytes = 0;
    if (!state->is_text)
        return SCRIM_OK;
    for (size_t i = 0; i < state->groups.count; i++)
        bytes += state->groups.groups[i].key.bytes + 1;
    state->named = sc_allocate(state->groups.count, sizeof *state->named);
    state->names = sc_allocate(bytes, 1);
    state->name_bytes = state->names == NULL ? 0 : bytes;
    if (state->named == NULL || state->names == NULL)
        return no_memory(error);
    char *at = state->names;
    for (size_t i = 0; i < state->groups.count; i++) {
        sc_group *group = &state->named[i];
        *group = state->groups.groups[i];
        if (group->key.bytes > 0)
            memcpy(at, group->key.start, group->key.bytes);
        group->key = (sc_text){at, group->key.bytes + 1};
        at += group->key.bytes;
    }
    state->groups.groups = state->named;
    return SCRIM_OK;
}

scrim_status sc_pass_run(sc_pass *pass, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    void *contexts[SC_WORKERS_MAX] = {NULL};
    if (pass->is_over)
        return sc_fail(error, SCRIM_E_STATE, "a pass runs once; open it again");
    pass->is_over = true;
    for (size_t i = 0; status == SCRIM_OK && i < pass->scan_count; i++) {
        for (unsigned w = 0; w < pass->workers; w++) {
            pass->crew[w]->scan = i;
            contexts[w] = pass->crew[w];
        }
        status =
            sc_table_scan(pass->scans[i].table, pass->workers, take, contexts, error);
    }
    for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++) {
        statement_state *state = &pass->statements[i];
        status = sc_grouping_finish(state->grouping, &state->groups, error);
        if (status == SCRIM_OK)
            status = name_groups(state, error);
    }
    return status;
}

const sc_groups *sc_pass_groups(const sc_pass *pass, size_t statement)
{
    return &pass->statements[statement].groups;
}
