#include "query/rows/pass.h"

#include "base/cancel.h"
#include "data/value/source_kind.h"
#include "query/rows/group.h"
#include "query/rows/group_parts.h"
#include "query/rows/list_rows.h"
#include "query/rows/memory_room.h"
#include "query/rows/part_log.h"
#include "query/rows/person_rows.h"
#include "query/rows/row_program.h"
#include "query/rows/unit_room.h"

#include <string.h>

/* Progress is told at most so often, whatever the size. */
#define PROGRESS_STEPS 100
/* The share of the memory that the keys of a worker may take. */
#define KEYS_SHARE 8
/* Other public parts of the memory of a pass: the program itself; what a worker and each of its columns
 * needs to read; and the least for rows. */
#define ROOM_BYTES ((size_t)16 << 20)
#define WORKER_BYTES ((size_t)24 << 20)
#define COLUMN_BYTES ((size_t)1 << 19)
#define MEMORY_LEAST ((size_t)1 << 20)
/* Words of the key of hashes. */
#define WORDS (sizeof((sc_value_key *)0)->words / sizeof(uint64_t))

typedef struct statement_state {
    const sc_pass_statement *asked;
    const sc_row_program *program;
    bool is_text; /* keys are texts of a column: tuples but for their ends */
    sc_person_rows
        *persons; /* make its rows of those of the table; NULL: they are these */
    sc_pass *pass;
    sc_grouping *grouping;
    sc_groups groups;
    sc_group *named; /* the groups with keys that are tuples */
    size_t named_count;
    char *names;
    size_t name_bytes;
} statement_state;

typedef struct pass_worker {
    sc_pass *pass;
    unsigned number;
    uint64_t told;             /* of progress; the first worker's */
    sc_row_workspace *benches; /* by statement */
    sc_list_rows *lists;       /* by statement, of those that have elements */
    sc_arena arena;
} pass_worker;

struct sc_pass {
    const sc_schema *schema;
    sc_pass_options options;
    unsigned workers;
    size_t memory_bytes; /* of the rows of units */
    size_t
        key_bytes; /* of a worker's keys: the same for every analyst, as draws depend on it */
    sc_value_key hash_key;
    statement_state *statements;
    size_t count;
    size_t *columns; /* that some statement reads: places in the schema */
    size_t column_count;
    sc_pass_source source;
    pass_worker **crew;
    bool is_over;
    sc_arena arena;
};

static scrim_status no_memory(scrim_error *error)
{
    return sc_no_memory(error, "the query");
}

/* The columns that all statements read. */

static bool has_column(const size_t *columns, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i] == column)
            return true;
    return false;
}

static scrim_status list_columns(sc_pass *pass, scrim_error *error)
{
    pass->columns = sc_arena_allocate(&pass->arena, pass->schema->column_count,
                                      sizeof *pass->columns);
    if (pass->columns == NULL)
        return no_memory(error);
    for (size_t i = 0; i < pass->count; i++) {
        const sc_query *query = pass->statements[i].asked->query;
        for (size_t j = 0; j < query->read_count; j++)
            if (!has_column(pass->columns, pass->column_count, query->reads[j]))
                pass->columns[pass->column_count++] = query->reads[j];
    }
    return SCRIM_OK;
}

/* Grouping. */

static scrim_status compile(sc_pass *pass, statement_state *state, scrim_error *error)
{
    const sc_pass_statement *asked = state->asked;
    const sc_person *person = asked->query->person;
    const size_t *columns = pass->columns;
    size_t column_count = pass->column_count;
    if (person != NULL) { /* all columns of the rows that are made */
        size_t *made = sc_arena_allocate(&pass->arena, SC_PERSON_COLUMNS, sizeof *made);
        if (made == NULL)
            return no_memory(error);
        column_count = person->schema->column_count;
        for (size_t i = 0; i < column_count; i++)
            made[i] = i;
        columns = made;
    }
    if (asked->query->unnest != NULL) { /* and the element */
        size_t *all = sc_arena_allocate(&pass->arena, column_count + 1, sizeof *all);
        if (all == NULL)
            return no_memory(error);
        memcpy(all, columns, column_count * sizeof *all);
        all[column_count++] = asked->query->unnest->column;
        columns = all;
    }
    const scrim_status status =
        sc_row_program_compile(&(sc_row_plan){.query = asked->query,
                                              .statistics = asked->statistics,
                                              .has_public_keys = asked->has_keys,
                                              .columns = columns,
                                              .column_count = column_count},
                               &pass->arena, &state->program, error);
    if (status == SCRIM_OK)
        state->is_text = sc_row_program_is_text(state->program);
    return status;
}

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

/* The values of the statistics, of which some are counted by bucket. */
static scrim_status list_values(sc_pass *pass, const sc_pass_statement *asked,
                                const sc_group_value **out, scrim_error *error)
{
    const size_t count = asked->statistics->value_count;
    *out = asked->statistics->groups;
    if (asked->bar_widths == NULL && asked->keep == NULL)
        return SCRIM_OK;
    sc_group_value *values = sc_arena_allocate(&pass->arena, count, sizeof *values);
    if (values == NULL)
        return no_memory(error);
    for (size_t i = 0; i < count; i++) {
        values[i] = asked->statistics->groups[i];
        values[i].bar_width = asked->bar_widths == NULL ? 0 : asked->bar_widths[i];
        values[i].has_list &= values[i].bar_width == 0 && asked->keep == NULL;
    }
    *out = values;
    return SCRIM_OK;
}

/* Rows of units that a statement holds, and those of keys that are not held: what is allowed, or the least that each
 * worker takes all the same; and a block of each worker's pools that is not full. */
static size_t held_bytes(const sc_pass *pass)
{
    const size_t least = pass->workers * SC_UNIT_ROOM_LEAST;
    return 2 * (pass->memory_bytes > least ? pass->memory_bytes : least) +
           (size_t)2 * pass->workers * SC_UNIT_POOL_SMALL;
}

/* Memory that the workers read into. */
static size_t reading_bytes(const sc_pass *pass)
{
    return pass->workers * (WORKER_BYTES + (pass->column_count + 1) * COLUMN_BYTES);
}

/* Twice the rows of units, as they are put together part by part; the keys of all workers, and once more as
 * they are joined; lists; and what each worker reads. */
size_t sc_pass_room_bytes(const sc_pass *pass)
{
    size_t bytes = ROOM_BYTES;
    for (size_t i = 0; i < pass->count; i++) {
        const sc_pass_statement *asked = pass->statements[i].asked;
        if (pass->schema->unit.bytes > 0)
            bytes += held_bytes(pass);
        if (!asked->has_keys)
            bytes += (pass->workers + 1) *
                     (pass->key_bytes + SC_PART_LOG_PARTS * SC_PART_LOG_BYTES);
        const sc_pass_size size =
            sc_pass_size_expanded(&pass->source.size, asked->query->unnest);
        if (asked->keep == NULL)
            bytes += sc_pass_size_lists(&size, asked->statistics, asked->bar_widths);
    }
    return bytes + reading_bytes(pass);
}

size_t sc_pass_most_rows(const sc_pass *pass)
{
    return pass->source.size.rows;
}

/* Rows without any value that is present are all alike. */
size_t sc_pass_most_different_rows(const sc_pass *pass)
{
    return pass->source.size.formed + 1;
}

size_t sc_pass_most_full_rows(const sc_pass *pass)
{
    return sc_pass_size_full_rows(&pass->source.size, pass->schema, pass->columns,
                                  pass->column_count);
}

/* Opening takes the memory that is read into and the first tables of keys, which are parts of the room. A query then
 * looks for all of the room once more. Without space for both, a query would be refused that fewer workers and less
 * memory can answer. */
static bool is_room_there(const sc_pass *pass)
{
    const size_t taken = reading_bytes(pass) + (pass->workers + 1) * ROOM_BYTES;
    return sc_memory_room_is_there_with(sc_pass_room_bytes(pass) + taken,
                                        pass->workers - 1);
}

/* As much memory as is asked for and to be had, so that it is had before the charge; where there is little, by fewer
 * workers. Which keys are held decides the order of draws, which is one for all who finish a release, whatever memory
 * they ask for. */
static scrim_status find_room(sc_pass *pass, scrim_error *error)
{
    const size_t asked = pass->options.memory_bytes,
                 most = sc_pass_size_memory(&pass->source.size,
                                            asked == 0 ? SC_GROUP_MEMORY_BYTES : asked);
    pass->memory_bytes = most;
    pass->key_bytes =
        sc_pass_size_memory(&pass->source.keys_size, SC_GROUP_MEMORY_BYTES) / KEYS_SHARE;
    while (!is_room_there(pass)) {
        if (pass->memory_bytes > MEMORY_LEAST) {
            pass->memory_bytes /= 2;
        } else if (pass->workers > 1) {
            pass->workers /= 2;
            pass->memory_bytes = most;
        } else {
            return no_memory(error);
        }
    }
    return SCRIM_OK;
}

static scrim_status take_made(void *context, unsigned worker, const sc_batch *batch,
                              scrim_error *error);

/* Rows that are made are one a unit: nothing is left to bound. */
static scrim_status make_persons(sc_pass *pass, statement_state *state,
                                 const sc_group_plan *plan, sc_bits *bits,
                                 scrim_error *error)
{
    sc_person_setting setting = {.person = state->asked->query->person,
                                 .columns = pass->columns,
                                 .column_count = pass->column_count,
                                 .plan = *plan,
                                 .give = take_made,
                                 .context = state};
    const scrim_status status =
        sc_person_rows_open(&setting, bits, &state->persons, error);
    sc_wipe(&setting.plan.hash_key, sizeof setting.plan.hash_key);
    return status;
}

static scrim_status make_grouping(sc_pass *pass, statement_state *state, sc_bits *bits,
                                  scrim_error *error)
{
    const sc_pass_statement *asked = state->asked;
    const bool is_made = asked->query->person != NULL;
    const sc_pass_size size = sc_pass_size_expanded(&pass->source.size,
                                                    asked->query->unnest),
                       keys_size = sc_pass_size_expanded(&pass->source.keys_size,
                                                         asked->query->unnest);
    sc_group_plan plan = {.has_units = pass->schema->unit.bytes > 0 && !is_made,
                          .bounds = asked->bounds,
                          .are_distinct = asked->statistics->has_values_alone,
                          .cut = asked->cut,
                          .value_count = asked->statistics->value_count,
                          .keep = asked->keep,
                          .keeper = asked->keeper,
                          .hash_key = pass->hash_key,
                          .workers = pass->workers,
                          .memory_bytes = pass->memory_bytes,
                          .most_rows = size.rows,
                          .most_formed = size.formed,
                          .most_bytes = size.bytes,
                          .file_bytes = sc_pass_size_file(&size)};
    scrim_status status = SCRIM_OK;
    if (is_made)
        status = make_persons(pass, state, &plan, bits, error);
    if (status == SCRIM_OK)
        status = list_keys(pass, state, &plan, error);
    if (status == SCRIM_OK)
        status = list_values(pass, asked, &plan.values, error);
    if (status == SCRIM_OK)
        sc_pass_size_keys(&keys_size, pass->key_bytes, &plan);
    if (status == SCRIM_OK)
        status = sc_grouping_new(&plan, bits, &state->grouping, error);
    sc_wipe(&plan.hash_key, sizeof plan.hash_key);
    return status;
}

/* Workers. */

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
    worker->lists = sc_arena_allocate(&worker->arena, pass->count, sizeof *worker->lists);
    bool is_done = worker->benches != NULL && worker->lists != NULL;
    for (size_t i = 0; is_done && i < pass->count; i++) {
        const sc_unnest *unnest = pass->statements[i].asked->query->unnest;
        is_done =
            sc_row_workspace_init(&worker->benches[i], pass->statements[i].program,
                                  &worker->arena) &&
            (unnest == NULL || sc_list_rows_init(&worker->lists[i], unnest, pass->columns,
                                                 pass->column_count, &worker->arena));
    }
    return is_done ? SCRIM_OK : no_memory(error);
}

static void free_worker(const sc_pass *pass, pass_worker *worker)
{
    if (worker == NULL)
        return;
    for (size_t i = 0; worker->benches != NULL && i < pass->count; i++)
        sc_row_workspace_clear(&worker->benches[i]);
    sc_arena_clear(&worker->arena);
    sc_free(worker);
}

/* Opening. */

/* A file of few pieces keeps few workers busy. */
static unsigned useful_workers(const sc_pass *pass)
{
    const unsigned asked =
        pass->options.workers == 0 ? sc_table_workers() : pass->options.workers;
    const size_t bytes =
        pass->source.table == NULL ? 0 : sc_table_piece_bytes(pass->source.table);
    const size_t pieces = bytes == 0 ? asked : pass->source.size.bytes / bytes + 1;
    return pieces < asked ? (unsigned)pieces : asked;
}

static scrim_status prepare(sc_pass *pass, sc_bits *bits, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < WORDS; i++)
        status = sc_bits_word(bits, &pass->hash_key.words[i], error);
    if (status == SCRIM_OK)
        status = list_columns(pass, error);
    if (status == SCRIM_OK)
        status =
            sc_pass_source_open(&pass->source,
                                &(sc_batch_request){.schema = pass->schema,
                                                    .columns = pass->columns,
                                                    .column_count = pass->column_count,
                                                    .key = pass->hash_key},
                                &pass->options, error);
    if (status != SCRIM_OK)
        return status;
    pass->workers = useful_workers(pass);
    if (pass->workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "at most %d", SC_WORKERS_MAX);
    status = find_room(pass, error);
    if (status == SCRIM_OK && pass->source.table != NULL)
        status = sc_table_prepare(pass->source.table, pass->workers, error);
    if (status != SCRIM_OK)
        return status;
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
    scrim_status status = SCRIM_OK;
    if (pass->statements == NULL)
        status = no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        pass->statements[i] = (statement_state){.asked = &statements[i], .pass = pass};
    if (status == SCRIM_OK)
        status = prepare(pass, bits, error);
    if (status == SCRIM_OK)
        *out = pass;
    else
        sc_pass_close(pass);
    return status;
}

static void forget_names(statement_state *state)
{
    sc_free_wiped(state->named, state->named_count * sizeof *state->named);
    sc_free_wiped(state->names, state->name_bytes);
    state->named = NULL;
    state->names = NULL;
    state->named_count = state->name_bytes = 0;
}

void sc_pass_close(sc_pass *pass)
{
    if (pass == NULL)
        return;
    for (unsigned i = 0; pass->crew != NULL && i < pass->workers; i++)
        free_worker(pass, pass->crew[i]);
    sc_pass_source_close(&pass->source);
    for (size_t i = 0; pass->statements != NULL && i < pass->count; i++) {
        statement_state *state = &pass->statements[i];
        sc_person_rows_close(state->persons);
        sc_grouping_free(state->grouping);
        forget_names(state);
    }
    sc_arena_clear(&pass->arena);
    sc_free_wiped(pass, sizeof *pass);
}

/* Rows. */

/* Once, or in one turn for each element of a list. */
static scrim_status take_block(pass_worker *worker, size_t statement,
                               const sc_batch *batch, size_t from, size_t count,
                               scrim_error *error)
{
    const sc_pass *pass = worker->pass;
    const statement_state *state = &pass->statements[statement];
    sc_list_rows *lists = &worker->lists[statement];
    const bool has_lists = lists->unnest != NULL;
    const uint64_t turns = has_lists ? lists->unnest->limit : 1;
    scrim_status status = SCRIM_OK;
    if (has_lists)
        sc_list_rows_begin(lists, batch, from, count);
    for (uint64_t turn = 0; status == SCRIM_OK && turn < turns; turn++) {
        sc_group_rows rows;
        if (has_lists)
            sc_list_rows_next(lists, &pass->hash_key);
        status =
            sc_row_program_run(state->program, &worker->benches[statement],
                               has_lists ? &lists->batch : batch, has_lists ? 0 : from,
                               count, &pass->hash_key, &rows, error);
        if (status == SCRIM_OK && has_lists)
            sc_list_rows_select(lists, &rows);
        if (status == SCRIM_OK)
            status = sc_grouping_take(state->grouping, worker->number, &rows, error);
    }
    return status;
}

/* Rows of one statement that were made of the table's. */
static scrim_status take_made(void *context, unsigned worker, const sc_batch *batch,
                              scrim_error *error)
{
    const statement_state *state = context;
    return take_block(state->pass->crew[worker],
                      (size_t)(state - state->pass->statements), batch, 0, batch->rows,
                      error);
}

/* Making the rows of people takes about as long as reading the file, for each statement that has them. */
static void tell_done(const sc_pass *pass, uint64_t done, uint64_t bytes)
{
    uint64_t parts = 1;
    for (size_t i = 0; i < pass->count; i++)
        parts += pass->statements[i].persons != NULL;
    pass->options.progress(pass->options.context, done, parts * bytes);
}

static void tell_progress(pass_worker *worker)
{
    const sc_pass *pass = worker->pass;
    if (pass->options.progress == NULL || worker->number != 0 ||
        pass->source.table == NULL)
        return;
    const sc_source_stamp stamp = sc_table_stamp(pass->source.table);
    if (!stamp.is_file)
        return;
    const uint64_t done = sc_table_read_bytes(pass->source.table);
    if (done - worker->told < stamp.bytes / PROGRESS_STEPS)
        return;
    worker->told = done;
    tell_done(pass, done, stamp.bytes);
}

/* Reports progress after the rows of people of `made` statements were read. */
static void tell_persons(const sc_pass *pass, uint64_t made)
{
    if (pass->options.progress == NULL || pass->source.table == NULL)
        return;
    const sc_source_stamp stamp = sc_table_stamp(pass->source.table);
    if (stamp.is_file)
        tell_done(pass, (1 + made) * stamp.bytes, stamp.bytes);
}

/* By the thread that called. */
static scrim_status check_cancelled(const sc_pass *pass, scrim_error *error)
{
    sc_cancel cancel = {.is_cancelled = pass->options.is_cancelled,
                        .context = pass->options.context};
    return sc_cancel_check(&cancel, error);
}

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    pass_worker *worker = context;
    const sc_pass *pass = worker->pass;
    scrim_status status = worker->number == 0 ? check_cancelled(pass, error) : SCRIM_OK;
    for (size_t from = 0; status == SCRIM_OK && from < batch->rows;
         from += SC_EXPRESSION_ROWS) {
        const size_t rest = batch->rows - from,
                     count = rest < SC_EXPRESSION_ROWS ? rest : SC_EXPRESSION_ROWS;
        for (size_t i = 0; status == SCRIM_OK && i < pass->count; i++) {
            sc_person_rows *persons = pass->statements[i].persons;
            status = persons != NULL ? sc_person_rows_take(persons, worker->number, batch,
                                                           from, count, error)
                                     : take_block(worker, i, batch, from, count, error);
        }
    }
    tell_progress(worker);
    return status;
}

/* Groups. */

/* The groups once more, with tuples for keys: of a column of text what was grouped by lacks its
 * end, and a copy has it. */
static scrim_status name_groups(statement_state *state, scrim_error *error)
{
    size_t bytes = 0;
    forget_names(state);
    if (!state->is_text)
        return SCRIM_OK;
    for (size_t i = 0; i < state->groups.count; i++)
        bytes += state->groups.groups[i].key.bytes + 1;
    state->named = sc_allocate(state->groups.count, sizeof *state->named);
    state->named_count = state->named == NULL ? 0 : state->groups.count;
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

static scrim_status fail_over(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_STATE, "a pass runs once; open it again");
}

static scrim_status finish(sc_pass *pass, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0, made = 0; status == SCRIM_OK && i < pass->count; i++) {
        statement_state *state = &pass->statements[i];
        status = check_cancelled(pass, error);
        if (status == SCRIM_OK && state->persons != NULL) {
            status = sc_person_rows_finish(state->persons, error);
            tell_persons(pass, ++made);
        }
        if (status == SCRIM_OK)
            status = sc_grouping_finish(state->grouping, &state->groups, error);
        if (status == SCRIM_OK)
            status = name_groups(state, error);
    }
    return status;
}

scrim_status sc_pass_run(sc_pass *pass, scrim_error *error)
{
    void *contexts[SC_WORKERS_MAX] = {NULL};
    if (pass->is_over)
        return fail_over(error);
    pass->is_over = true;
    for (unsigned i = 0; i < pass->workers; i++)
        contexts[i] = pass->crew[i];
    scrim_error found = {.status = SCRIM_OK};
    scrim_status status =
        sc_table_scan(pass->source.table, pass->workers, take, contexts, &found);
    status = sc_pass_source_end(&pass->source, status, &found, error);
    return status == SCRIM_OK ? finish(pass, error) : status;
}

const sc_batch_request *sc_pass_request(const sc_pass *pass)
{
    return &pass->source.request;
}

unsigned sc_pass_workers(const sc_pass *pass)
{
    return pass->workers;
}

scrim_status sc_pass_take(sc_pass *pass, unsigned worker, const sc_batch *batch,
                          scrim_error *error)
{
    return pass->is_over ? fail_over(error) : take(pass->crew[worker], batch, error);
}

scrim_status sc_pass_finish(sc_pass *pass, scrim_error *error)
{
    if (pass->is_over)
        return fail_over(error);
    pass->is_over = true;
    scrim_error found = {.status = SCRIM_OK};
    const scrim_status status =
        sc_pass_source_end(&pass->source, SCRIM_OK, &found, error);
    return status == SCRIM_OK ? finish(pass, error) : status;
}

void sc_pass_cut(const sc_pass *pass, size_t statement, uint64_t out[SC_CUT_CELLS])
{
    sc_grouping_cut(pass->statements[statement].grouping, out);
}

size_t sc_pass_parts(const sc_pass *pass, size_t statement)
{
    return sc_grouping_parts(pass->statements[statement].grouping);
}

size_t sc_pass_part_of(const sc_pass *pass, size_t statement, sc_text key)
{
    const statement_state *state = &pass->statements[statement];
    key.bytes -= state->is_text && key.bytes > 0;
    return sc_grouping_part_of(state->grouping, key);
}

scrim_status sc_pass_part(sc_pass *pass, size_t statement, size_t part, sc_groups *groups,
                          scrim_error *error)
{
    statement_state *state = &pass->statements[statement];
    scrim_status status = sc_grouping_part(state->grouping, part, &state->groups, error);
    if (status == SCRIM_OK)
        status = name_groups(state, error);
    if (status == SCRIM_OK)
        *groups = state->groups;
    return status;
}

const sc_groups *sc_pass_groups(const sc_pass *pass, size_t statement)
{
    return &pass->statements[statement].groups;
}
