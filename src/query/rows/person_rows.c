#include "query/rows/person_rows.h"

#include "query/rows/group.h"
#include "query/rows/group_cells.h"
#include "query/rows/row_program.h"

#include <string.h>

/* The hash of a row's keys stands in front of its values. */
#define HASH_SHIFT 2
#define HASH_HIGH (INT64_MAX >> (HASH_SHIFT - 1))
_Static_assert(HASH_HIGH < SC_GROUP_RANGE, "hashes are values of a grouping");

typedef struct person_worker {
    sc_row_workspace bench;
    int64_t *hashes;         /* of a block of rows */
    const int64_t **columns; /* of the rows that are gathered */
    int64_t *made;           /* SC_EXPRESSION_ROWS of each column */
    sc_batch batch;
    sc_arena arena;
} person_worker;

struct sc_person_rows {
    sc_person_setting setting;
    sc_statistics values; /* what the program of rows computes */
    const sc_row_program *program;
    sc_grouping *grouping;
    person_worker *workers;
    sc_arena arena;
};

static bool has_keys(const sc_person_rows *r)
{
    return r->setting.person->rows->key_count > 0;
}

/* One unit. */

typedef struct folding {
    sc_int128 value;
    bool is_present;
} folding;

static void fold_in(sc_person_fold fold, sc_int128 value, folding *all)
{
    if (all->is_present && fold == SC_PERSON_SUM)
        all->value += value;
    else if (!all->is_present || (fold == SC_PERSON_MOST) == (value > all->value))
        all->value = value;
    all->is_present = true;
}

/* The value that rows of one group become. */
static folding fold_rows(const sc_person_column *column, const sc_cell_value *value,
                         const sc_unit_row *rows, size_t count)
{
    folding all = {0, column->rows == SC_PERSON_COUNT};
    for (size_t i = 0; i < count; i++) {
        if (column->rows == SC_PERSON_COUNT) {
            all.value += rows[i].copies;
            continue;
        }
        const int64_t x = sc_cell_value_of(value, rows[i].content);
        if (x != SC_NULL)
            fold_in(column->rows,
                    column->rows == SC_PERSON_SUM ? (sc_int128)x * rows[i].copies : x,
                    &all);
    }
    return all;
}

/* Where the group that begins here ends; all rows are one where there is no hash. */
static size_t group_end(const sc_cell_value *hash, const sc_unit_row *rows, size_t from,
                        size_t count)
{
    if (hash == NULL)
        return count;
    const uint64_t own = sc_cell_unpack(hash, rows[from].content);
    while (from < count && sc_cell_unpack(hash, rows[from].content) == own)
        from++;
    return from;
}

static folding fold_groups(const sc_person_column *column, const sc_cell_value *value,
                           const sc_cell_value *hash, const sc_unit_row *rows,
                           size_t count)
{
    folding all = {0, column->groups == SC_PERSON_COUNT};
    for (size_t from = 0, end; from < count; from = end) {
        end = group_end(hash, rows, from, count);
        if (column->groups == SC_PERSON_COUNT) {
            all.value++;
            continue;
        }
        const folding group = fold_rows(column, value, rows + from, end - from);
        if (group.is_present)
            fold_in(column->groups, group.value, &all);
    }
    return all;
}

/* The value of one row among those that have it, chosen as bounding to one row chooses. */
static folding choose_row(const sc_group_unit *unit, const sc_cell_value *value,
                          size_t count)
{
    uint64_t least = 0;
    folding out = {0, false};
    for (size_t i = 0; i < count; i++) {
        const sc_unit_row *row = &unit->rows[i];
        const int64_t x = sc_cell_value_of(value, row->content);
        for (uint64_t copy = 0; x != SC_NULL && copy < row->copies; copy++) {
            const uint64_t priority = sc_bound_priority(
                unit->bound, unit->hash, unit->tokens[row->group], row, copy);
            if (!out.is_present || priority < least) {
                least = priority;
                out = (folding){x, true};
            }
        }
    }
    return out;
}

static int64_t clamp(const sc_person_column *column, const folding *all)
{
    if (!all->is_present)
        return SC_NULL;
    return all->value < column->low    ? column->low
           : all->value > column->high ? column->high
                                       : (int64_t)all->value;
}

static scrim_status give_rows(const sc_person_rows *r, unsigned worker,
                              scrim_error *error)
{
    person_worker *w = &r->workers[worker];
    const scrim_status status =
        w->batch.rows == 0
            ? SCRIM_OK
            : r->setting.give(r->setting.context, worker, &w->batch, error);
    w->batch.rows = 0;
    return status;
}

static scrim_status visit(void *context, unsigned worker, const sc_group_unit *unit,
                          scrim_error *error)
{
    const sc_person_rows *r = context;
    const sc_person *person = r->setting.person;
    person_worker *w = &r->workers[worker];
    const sc_cell_value *hash = has_keys(r) ? &unit->plan->values[0] : NULL;
    /* In their own room: how many rows a unit has must not decide about memory. The content of a row
     * begins with its hash, so that the rows of a group lie side by side in the order of contents. */
    const size_t count = sc_bound_join(unit->bound, unit->rows, unit->count);
    static const sc_cell_value none; /* counts read no value */
    for (size_t i = 0; i < person->schema->column_count; i++) {
        const sc_person_column *column = &person->columns[i];
        const sc_cell_value *value =
            column->value == SIZE_MAX ? &none
                                      : &unit->plan->values[column->value + has_keys(r)];
        const folding all = column->rows == SC_PERSON_ANY
                                ? choose_row(unit, value, count)
                                : fold_groups(column, value, hash, unit->rows, count);
        w->batch.columns[i].values[w->batch.rows] = clamp(column, &all);
    }
    return ++w->batch.rows == SC_EXPRESSION_ROWS ? give_rows(r, worker, error) : SCRIM_OK;
}

/* Rows of the table. */

scrim_status sc_person_rows_take(sc_person_rows *r, unsigned worker,
                                 const sc_batch *batch, size_t from, size_t count,
                                 scrim_error *error)
{
    person_worker *w = &r->workers[worker];
    sc_group_rows rows;
    const scrim_status status =
        sc_row_program_run(r->program, &w->bench, batch, from, count,
                           &r->setting.plan.hash_key, &rows, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; has_keys(r) && i < count; i++)
        w->hashes[i] = (int64_t)(rows.key_hashes[i] >> HASH_SHIFT);
    w->columns[0] = w->hashes;
    for (size_t i = 0; i < r->values.value_count; i++)
        w->columns[i + has_keys(r)] = rows.values[i];
    rows.keys = NULL;
    rows.key_hashes = NULL;
    rows.values = w->columns;
    return sc_grouping_take(r->grouping, worker, &rows, error);
}

scrim_status sc_person_rows_finish(sc_person_rows *r, scrim_error *error)
{
    sc_groups groups;
    scrim_status status = sc_grouping_finish(r->grouping, &groups, error);
    for (unsigned i = 0; status == SCRIM_OK && i < r->setting.plan.workers; i++)
        status = give_rows(r, i, error);
    return status;
}

/* Making. */

static bool make_worker(const sc_person_rows *r, person_worker *w)
{
    const size_t count = r->setting.person->schema->column_count;
    sc_arena_init(&w->arena);
    w->hashes = sc_arena_allocate(&w->arena, SC_EXPRESSION_ROWS, sizeof *w->hashes);
    w->columns =
        sc_arena_allocate(&w->arena, r->values.value_count + 1, sizeof(const int64_t *));
    w->made = sc_allocate(count * SC_EXPRESSION_ROWS, sizeof *w->made);
    w->batch.columns = sc_arena_allocate(&w->arena, count, sizeof *w->batch.columns);
    if (w->hashes == NULL || w->columns == NULL || w->made == NULL ||
        w->batch.columns == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        w->batch.columns[i].values = w->made + i * SC_EXPRESSION_ROWS;
    return sc_row_workspace_init(&w->bench, r->program, &w->arena);
}

static void clear_worker(const sc_person_rows *r, person_worker *w)
{
    const size_t count = r->setting.person->schema->column_count;
    sc_row_workspace_clear(&w->bench);
    sc_free_wiped(w->made,
                  w->made == NULL ? 0 : count * SC_EXPRESSION_ROWS * sizeof *w->made);
    sc_arena_clear(&w->arena);
}

/* All rows of a unit in one group, with the hash of their keys for a value of their own. */
static scrim_status make_grouping(sc_person_rows *r, sc_bits *bits, scrim_error *error)
{
    static const sc_text nothing = {"", 0};
    const sc_person *person = r->setting.person;
    sc_group_value *values =
        sc_arena_allocate(&r->arena, person->value_count + 1, sizeof *values);
    if (values == NULL)
        return sc_no_memory(error, "the rows of units");
    values[0] = (sc_group_value){.high = HASH_HIGH};
    for (size_t i = 0; i < person->value_count; i++) {
        const sc_typed *typed = person->values[i];
        values[i + has_keys(r)] = (sc_group_value){
            .low = typed->extent.low,
            .high = typed->extent.high,
            .centre = typed->extent.low,
            .is_nullable = sc_typed_may_be_null(typed, person->rows->is_present)};
    }
    sc_group_plan plan = r->setting.plan;
    plan.has_units = plan.has_keys = true;
    plan.bounds = (sc_bounds){1, 1, 0};
    plan.keys = &nothing;
    plan.key_count = 1;
    plan.values = values;
    plan.value_count = person->value_count + has_keys(r);
    plan.visit = visit;
    plan.visitor = r;
    return sc_grouping_new(&plan, bits, &r->grouping, error);
}

static scrim_status prepare(sc_person_rows *r, sc_bits *bits, scrim_error *error)
{
    const sc_person_setting *s = &r->setting;
    r->values = (sc_statistics){.values = s->person->values,
                                .value_count = s->person->value_count};
    scrim_status status =
        sc_row_program_compile(&(sc_row_plan){.query = s->person->rows,
                                              .statistics = &r->values,
                                              .columns = s->columns,
                                              .column_count = s->column_count},
                               &r->arena, &r->program, error);
    if (status == SCRIM_OK)
        status = make_grouping(r, bits, error);
    if (status != SCRIM_OK)
        return status;
    r->workers = sc_allocate(s->plan.workers, sizeof *r->workers);
    bool is_done = r->workers != NULL;
    for (unsigned i = 0; is_done && i < s->plan.workers; i++)
        is_done = make_worker(r, &r->workers[i]);
    return is_done ? SCRIM_OK : sc_no_memory(error, "the rows of units");
}

scrim_status sc_person_rows_open(const sc_person_setting *setting, sc_bits *bits,
                                 sc_person_rows **out, scrim_error *error)
{
    sc_person_rows *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "the rows of units");
    r->setting = *setting;
    sc_arena_init(&r->arena);
    const scrim_status status = prepare(r, bits, error);
    if (status == SCRIM_OK)
        *out = r;
    else
        sc_person_rows_close(r);
    return status;
}

void sc_person_rows_close(sc_person_rows *r)
{
    if (r == NULL)
        return;
    for (unsigned i = 0; r->workers != NULL && i < r->setting.plan.workers; i++)
        clear_worker(r, &r->workers[i]);
    sc_free(r->workers);
    sc_grouping_free(r->grouping);
    sc_arena_clear(&r->arena);
    sc_free_wiped(r, sizeof *r);
}
