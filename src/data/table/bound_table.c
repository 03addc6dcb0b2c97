#include "data/table/bound_table.h"

#include "base/ball_double.h"
#include "data/table/bound_total.h"
#include "data/table/oddity.h"
#include "data/table/raw_records.h"
#include "data/table/table.h"
#include "data/table/unit_count.h"

#include <math.h>
#include <string.h>

/* 1, 2, 3, 4, 5, 10, 20, 30, 40, 50, ... up to the largest bound of a policy. */
#define BOUNDS_MAX 50

/* A column that is grouped by, added up, or only read. */
typedef struct looked_at {
    size_t place; /* in the schema */
    sc_oddity_eye eye;
} looked_at;

typedef struct counting {
    const sc_bound_request *request;
    looked_at *keys, *numbers, *others;
    size_t key_count, number_count, other_count;
    sc_unit_count *units;
    sc_raw_watch watch;
} counting;

typedef struct counter {
    counting *shared;
    bool is_first; /* the caller's own thread */
    char *group;   /* room for the text of a group */
    int64_t *numbers;
    bool *is_read; /* by place: a cell of the column was read */
} counter;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory to look at a source");
}

/* Rows. */

/* A value as the engine has it: its own or the default, else NULL. */
typedef struct read_value {
    bool is_own, is_null;
    int64_t place;
} read_value;

static read_value read_cell(const looked_at *column, const sc_raw_value *value)
{
    const sc_column *declared = column->eye.column;
    read_value got = {.place = 0};
    got.is_own = sc_oddity_is_read(sc_oddity_of(&column->eye, value, &got.place));
    got.is_null = !got.is_own && !declared->has_missing;
    if (!got.is_own)
        got.place = declared->grid.missing;
    return got;
}

/* Writes a key: its length, no length a text has for NULL, and its bytes. Returns how many. */
static size_t put_key(const looked_at *key, const sc_raw_value *value,
                      const read_value *got, char *at)
{
    const sc_column *declared = key->eye.column;
    sc_text text = {(const char *)&got->place, sizeof got->place};
    if (declared->type == SC_COLUMN_TEXT)
        text = got->is_own ? value->text : declared->missing;
    const uint32_t bytes = got->is_null ? UINT32_MAX : (uint32_t)text.bytes;
    memcpy(at, &bytes, sizeof bytes);
    if (got->is_null)
        return sizeof bytes;
    memcpy(at + sizeof bytes, text.start, text.bytes);
    return sizeof bytes + text.bytes;
}

/* False where the row is in no group: a key that is none of the public ones. */
static bool put_group(const counter *c, const sc_raw_record *record, sc_text *group)
{
    const counting *shared = c->shared;
    *group = (sc_text){c->group, 0};
    for (size_t i = 0; i < shared->key_count; i++) {
        const looked_at *key = &shared->keys[i];
        const sc_raw_value *value = &record->values[key->place];
        const read_value got = read_cell(key, value);
        if (sc_oddity_is_other_key(&key->eye, value, got.is_own, got.place))
            return false;
        group->bytes += put_key(key, value, &got, c->group + group->bytes);
    }
    return true;
}

static scrim_status take(void *context, const sc_raw_record *record, scrim_error *error)
{
    const counter *c = context;
    const counting *shared = c->shared;
    const sc_text unit = record->unit.text;
    sc_text group;
    if (record->fault != SC_RAW_WHOLE || unit.bytes == 0 ||
        unit.bytes > SC_COLUMN_VALUE_BYTES || !put_group(c, record, &group))
        return SCRIM_OK;
    for (size_t i = 0; i < shared->number_count; i++) {
        const looked_at *number = &shared->numbers[i];
        const read_value got = read_cell(number, &record->values[number->place]);
        c->numbers[i] = got.is_null ? 0 : got.place;
        c->is_read[number->place] = c->is_read[number->place] || got.is_own;
    }
    for (size_t i = 0; i < shared->other_count; i++) {
        const looked_at *other = &shared->others[i];
        bool *is_read = &c->is_read[other->place];
        *is_read = *is_read || read_cell(other, &record->values[other->place]).is_own;
    }
    return sc_unit_count_add(shared->units, unit, group, c->numbers, error);
}

static scrim_status ended(void *context, uint64_t piece, uint64_t records, uint64_t bytes,
                          scrim_error *error)
{
    const counter *c = context;
    (void)piece;
    (void)records;
    return sc_raw_watch_ended(&c->shared->watch, c->is_first, bytes, error);
}

/* The table. */

static size_t list_bounds(uint64_t most, uint64_t *bounds)
{
    static const uint64_t digits[] = {1, 2, 3, 4, 5};
    size_t count = 0;
    uint64_t ten = 1;
    for (size_t i = 0; count < BOUNDS_MAX; i++) {
        bounds[count++] = ten * digits[i % 5];
        ten = i % 5 == 4 ? 10 * ten : ten;
        if (bounds[count - 1] >= most || bounds[count - 1] >= SC_SCHEMA_CONTRIBUTION)
            break;
    }
    return count;
}

/* What one row adds at most, and what its change moves, in the column's own unit. */
typedef struct reach {
    double most, width, step;
} reach;

static reach reach_of(const sc_column *column)
{
    if (column == NULL)
        return (reach){1, 1, 1};
    sc_ratio step;
    sc_ratio_init(&step);
    sc_grid_step(&column->grid, &step);
    const double unit = sc_ball_near(&step), low = unit * (double)column->grid.low,
                 high = unit * (double)column->grid.high;
    sc_ratio_clear(&step);
    return (reach){fmax(fabs(low), fabs(high)), fmax(high, 0) - fmin(low, 0), unit};
}

/* The l1 sensitivity of all groups together; without keys there is one. */
static double sensitivity(const counting *c, const reach *r, uint64_t groups,
                          uint64_t rows)
{
    const double all = (double)groups * (double)rows;
    if (c->request->schema->neighbours != SCRIM_REPLACE)
        return all * r->most;
    return c->key_count == 0 ? all * r->width : 2 * all * r->most;
}

static double smaller(uint64_t bound, uint64_t there)
{
    return bound < there ? (double)bound / (double)there : 1;
}

static void count_run(const scrim_bound_choice *choice, const sc_unit_run *run,
                      double value, sc_bound_tally *to)
{
    to->all += value;
    to->kept += value * smaller(choice->max_groups, run->groups) *
                smaller(choice->max_rows, run->rows);
}

/* What is kept and what is lost of it; noise by what one row, or one total, adds. */
static void fill_choice(const counting *c, const sc_unit_runs *runs,
                        const sc_bound_tally *above, const sc_bound_tally *below,
                        const reach *r, uint64_t rows, scrim_bound_choice *choice)
{
    const double groups = runs->groups == 0 ? 1 : (double)runs->groups,
                 lost_above = above->all - above->kept,
                 lost_below = below->all - below->kept, all = above->all + below->all;
    choice->kept = all == 0 ? 1 : (above->kept + below->kept) / all;
    /* Losses of both signs cancel within one group; of several, each may have its own sign. */
    choice->bias = c->key_count == 0 ? fabs(lost_above - lost_below)
                                     : (lost_above + lost_below) / groups;
    if (c->request->epsilon == NULL)
        return;
    const double l1 = sensitivity(c, r, choice->max_groups, rows);
    choice->noise = sqrt(2) * l1 / sc_ball_near(c->request->epsilon);
    choice->error = hypot(choice->bias, choice->noise);
}

/* number is SIZE_MAX for the rows themselves. */
static void fill_by_rows(const counting *c, const sc_unit_runs *runs, size_t number,
                         scrim_bound_choice *choice)
{
    const sc_column *column = number == SIZE_MAX ? NULL : c->numbers[number].eye.column;
    const reach r = reach_of(column);
    sc_bound_tally above = {0, 0}, below = {0, 0};
    for (size_t i = 0; i < runs->count; i++) {
        const sc_unit_run *run = &runs->runs[i];
        if (column == NULL) {
            count_run(choice, run, (double)run->pairs * (double)run->rows, &above);
            continue;
        }
        count_run(choice, run, (double)run->sums[number] * r.step, &above);
        count_run(choice, run, -(double)run->sums[c->number_count + number] * r.step,
                  &below);
    }
    fill_choice(c, runs, &above, &below, &r, choice->max_rows, choice);
}

static sc_bound_tally in_units(sc_bound_tally tally, double step)
{
    return (sc_bound_tally){tally.all * step, tally.kept * step};
}

static void fill_by_total(const counting *c, const sc_unit_runs *runs,
                          const sc_column *column, const sc_bound_total *total,
                          scrim_bound_choice *choice)
{
    const double step = reach_of(column).step, low = step * (double)total->low,
                 high = step * (double)total->high;
    const reach r = {fmax(-low, high), high - low, step};
    const sc_bound_tally above = in_units(total->above, step),
                         below = in_units(total->below, step);
    fill_choice(c, runs, &above, &below, &r, 1, choice);
}

static void mark_best(scrim_bound_choice *choices, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (choices[i].error < choices[best].error)
            best = i;
    choices[best].is_best = 1;
}

static void name_column(const sc_column *column, char name[SCRIM_COLUMN_BYTES])
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, name, SCRIM_COLUMN_BYTES);
    sc_text_put(&sink, column->name);
}

/* The table as it grows. */
typedef struct filling {
    const counting *c;
    const sc_unit_runs *runs;
    uint64_t groups[BOUNDS_MAX], rows[BOUNDS_MAX];
    size_t group_count, row_count;
    scrim_bound_choices out;
} filling;

static scrim_bound_choice *add_choice(filling *f, size_t number, uint64_t groups,
                                      uint64_t rows)
{
    scrim_bound_choice *choice = &f->out.choices[f->out.count++];
    choice->max_groups = groups;
    choice->max_rows = rows;
    if (number != SIZE_MAX)
        name_column(f->c->numbers[number].eye.column, choice->column);
    return choice;
}

static void add_total(filling *f, size_t number, uint64_t groups,
                      const sc_bound_total *total, bool is_declared)
{
    const sc_column *column = f->c->numbers[number].eye.column;
    scrim_bound_choice *choice = add_choice(f, number, groups, 0);
    fill_by_total(f->c, f->runs, column, total, choice);
    sc_bound_total_format(column, total, choice->max_total);
    choice->is_declared = is_declared;
}

static const sc_bound_total *best_total(const filling *f, const sc_column *column,
                                        uint64_t groups, const sc_bound_totals *totals)
{
    const sc_bound_total *best = &totals->totals[0];
    double least = HUGE_VAL;
    for (size_t i = 0; i < totals->count; i++) {
        scrim_bound_choice tried = {.max_groups = groups};
        fill_by_total(f->c, f->runs, column, &totals->totals[i], &tried);
        best = tried.error < least ? &totals->totals[i] : best;
        least = fmin(tried.error, least);
    }
    return best;
}

/* The declared total, and the one with the smallest error. */
static void add_totals(filling *f, size_t number, sc_bound_totals *totals)
{
    const sc_column *column = f->c->numbers[number].eye.column;
    for (size_t i = 0; i < f->group_count; i++) {
        const uint64_t groups = f->groups[i];
        sc_bound_totals_count(f->c->units, number, column, groups, totals);
        const sc_bound_total *declared = totals->has_declared ? &totals->totals[0] : NULL,
                             *best = f->c->request->epsilon == NULL
                                         ? NULL
                                         : best_total(f, column, groups, totals);
        if (declared != NULL)
            add_total(f, number, groups, declared, true);
        if (best != NULL && best != declared)
            add_total(f, number, groups, best, false);
    }
}

static void add_question(filling *f, size_t number, sc_bound_totals *totals)
{
    const size_t first = f->out.count;
    for (size_t i = 0; i < f->group_count; i++)
        for (size_t k = 0; k < f->row_count; k++)
            fill_by_rows(f->c, f->runs, number,
                         add_choice(f, number, f->groups[i], f->rows[k]));
    if (number != SIZE_MAX)
        add_totals(f, number, totals);
    if (f->c->request->epsilon != NULL)
        mark_best(f->out.choices + first, f->out.count - first);
}

static void list_all_bounds(filling *f)
{
    uint64_t groups = 1, rows = 1;
    for (size_t i = 0; i < f->runs->count; i++) {
        const sc_unit_run *run = &f->runs->runs[i];
        groups = run->groups > groups ? run->groups : groups;
        rows = run->rows > rows ? run->rows : rows;
    }
    f->group_count = list_bounds(groups, f->groups);
    f->row_count = list_bounds(rows, f->rows);
}

static scrim_status fill_table(const counting *c, const sc_unit_runs *runs,
                               scrim_bound_choices *out, scrim_error *error)
{
    filling f = {.c = c, .runs = runs};
    list_all_bounds(&f);
    const size_t by_rows = f.group_count * f.row_count * (c->number_count + 1),
                 by_total = 2 * f.group_count * c->number_count;
    sc_bound_totals *totals = sc_allocate(1, sizeof *totals);
    f.out.choices = sc_allocate(by_rows + by_total, sizeof *f.out.choices);
    if (totals == NULL || f.out.choices == NULL) {
        sc_free(totals);
        sc_free(f.out.choices);
        return fail_memory(error);
    }
    add_question(&f, SIZE_MAX, totals);
    for (size_t number = 0; number < c->number_count; number++)
        add_question(&f, number, totals);
    sc_free_wiped(totals, sizeof *totals);
    *out = f.out;
    return SCRIM_OK;
}

/* A text is always read. */
static bool is_unread(const counter *all, unsigned workers, const sc_schema *schema,
                      size_t place)
{
    bool is_read = schema->columns[place].type == SC_COLUMN_TEXT;
    for (unsigned w = 0; w < workers; w++)
        is_read = is_read || all[w].is_read[place];
    return !is_read;
}

static scrim_status list_unread(const counting *c, const counter *all, unsigned workers,
                                scrim_bound_choices *out, scrim_error *error)
{
    const sc_schema *schema = c->request->schema;
    out->unread = sc_allocate(schema->column_count + 1, sizeof *out->unread);
    if (out->unread == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < schema->column_count; i++)
        if (is_unread(all, workers, schema, i))
            name_column(&schema->columns[i], out->unread[out->unread_count++]);
    return SCRIM_OK;
}

static scrim_status list_nullable(const counting *c, scrim_bound_choices *out,
                                  scrim_error *error)
{
    out->nullable = sc_allocate(c->key_count + 1, sizeof *out->nullable);
    if (out->nullable == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < c->key_count; i++)
        if (sc_schema_may_be_null(c->request->schema, c->keys[i].place))
            name_column(c->keys[i].eye.column, out->nullable[out->nullable_count++]);
    return SCRIM_OK;
}

void scrim_bound_choices_clear(scrim_bound_choices *choices)
{
    sc_free_wiped(choices->choices, choices->count * sizeof *choices->choices);
    sc_free_wiped(choices->unread, choices->unread_count * sizeof *choices->unread);
    sc_free(choices->nullable);
    *choices = (scrim_bound_choices){.choices = NULL};
}

/* What is looked at. */

static scrim_status look_at(looked_at *all, size_t *count, const sc_schema *schema,
                            const sc_column *column, scrim_error *error)
{
    looked_at *new = &all[*count];
    new->place = (size_t)(column - schema->columns);
    const scrim_status status = sc_oddity_eye_init(&new->eye, column, error);
    *count += status == SCRIM_OK;
    return status;
}

static scrim_status look_at_keys(counting *c, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_schema *schema = c->request->schema;
    sc_text rest = c->request->by, name;
    scrim_status status = SCRIM_OK;
    while (rest.bytes > 0 && status == SCRIM_OK) {
        if (!sc_text_split(rest, ',', &name, &rest)) {
            name = rest;
            rest = (sc_text){NULL, 0};
        }
        const sc_column *column = sc_schema_column(schema, sc_text_trim(name));
        if (column == NULL || c->key_count == schema->column_count)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "column",
                               "unknown column '%s'", sc_text_quote(name, quote));
        status = look_at(c->keys, &c->key_count, schema, column, error);
    }
    return status;
}

static scrim_status look_at_columns(counting *c, scrim_error *error)
{
    const sc_schema *schema = c->request->schema;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < schema->column_count && status == SCRIM_OK; i++) {
        const sc_column *column = &schema->columns[i];
        if (column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL)
            status = look_at(c->numbers, &c->number_count, schema, column, error);
        else if (column->type != SC_COLUMN_TEXT)
            status = look_at(c->others, &c->other_count, schema, column, error);
    }
    return status;
}

static scrim_status prepare(counting *c, counter *all, unsigned workers,
                            scrim_error *error)
{
    const size_t columns = c->request->schema->column_count + 1;
    c->keys = sc_allocate(columns, sizeof *c->keys);
    c->numbers = sc_allocate(columns, sizeof *c->numbers);
    c->others = sc_allocate(columns, sizeof *c->others);
    scrim_status status = sc_raw_watch_init(&c->watch, error);
    if (status == SCRIM_OK &&
        (c->keys == NULL || c->numbers == NULL || c->others == NULL || all == NULL))
        status = fail_memory(error);
    if (status == SCRIM_OK)
        status = look_at_keys(c, error);
    if (status == SCRIM_OK)
        status = look_at_columns(c, error);
    if (status == SCRIM_OK)
        status = sc_unit_count_new(c->number_count, &c->units, error);
    for (unsigned w = 0; w < workers && status == SCRIM_OK; w++) {
        all[w].shared = c;
        all[w].is_first = w == 0;
        all[w].group = sc_allocate(c->key_count + 1, SC_COLUMN_VALUE_BYTES + 8);
        all[w].numbers = sc_allocate(columns, sizeof *all[w].numbers);
        all[w].is_read = sc_allocate(columns, sizeof *all[w].is_read);
        if (all[w].group == NULL || all[w].numbers == NULL || all[w].is_read == NULL)
            status = fail_memory(error);
    }
    return status;
}

static void clear_eyes(looked_at *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sc_oddity_eye_clear(&all[i].eye);
    sc_free(all);
}

static void clear(counting *c, counter *all, unsigned workers)
{
    const size_t columns = c->request->schema->column_count + 1;
    for (unsigned w = 0; all != NULL && w < workers; w++) {
        sc_free_wiped(
            all[w].group,
            all[w].group == NULL ? 0 : (c->key_count + 1) * (SC_COLUMN_VALUE_BYTES + 8));
        sc_free_wiped(all[w].numbers,
                      all[w].numbers == NULL ? 0 : columns * sizeof *all[w].numbers);
        sc_free(all[w].is_read);
    }
    sc_free(all);
    clear_eyes(c->keys, c->key_count);
    clear_eyes(c->numbers, c->number_count);
    clear_eyes(c->others, c->other_count);
    sc_unit_count_free(c->units);
    sc_raw_watch_clear(&c->watch);
}

static scrim_status count_rows(counting *c, counter *all, unsigned workers,
                               scrim_error *error)
{
    void *contexts[SC_WORKERS_MAX];
    uint64_t header = 0;
    const sc_raw_reader reader = {
        .take = take, .ended = ended, .contexts = contexts, .workers = workers};
    for (unsigned w = 0; w < workers; w++)
        contexts[w] = &all[w];
    return sc_raw_records_read(c->request->schema, &reader, &c->watch.stamp, &header,
                               error);
}

scrim_status sc_bound_table(const sc_bound_request *request, scrim_bound_choices *out,
                            scrim_error *error)
{
    counting c = {.request = request,
                  .watch = {.progress = request->progress, .context = request->context}};
    sc_unit_runs runs = {.count = 0};
    scrim_bound_choices new = {.choices = NULL};
    const unsigned workers =
        request->workers == 0 ? sc_table_workers() : request->workers;
    if (workers > SC_WORKERS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workers",
                                 "at most %d", SC_WORKERS_MAX);
    if (request->schema->unit.bytes == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "unit",
                           "each row is its own unit, which needs no bounds");
    counter *all = sc_allocate(workers, sizeof *all);
    scrim_status status = prepare(&c, all, workers, error);
    if (status == SCRIM_OK)
        status = count_rows(&c, all, workers, error);
    if (status == SCRIM_OK)
        status = sc_unit_count_runs(c.units, &runs, error);
    if (status == SCRIM_OK)
        status = fill_table(&c, &runs, &new, error);
    if (status == SCRIM_OK && runs.count > 0)
        status = list_unread(&c, all, workers, &new, error);
    if (status == SCRIM_OK)
        status = list_nullable(&c, &new, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        scrim_bound_choices_clear(&new);
    sc_unit_runs_clear(&runs);
    clear(&c, all, workers);
    return status;
}
