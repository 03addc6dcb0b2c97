#include "data/table/bound_table.h"

#include "base/number/ball_double.h"
#include "data/table/table.h"
#include "data/table/unit_count.h"
#include "random/bits_system.h"

#include <math.h>
#include <string.h>

/* The largest bound of a policy. */
#define MOST ((int64_t)1 << 62)

/* Candidates. */

static void add(sc_bound_totals *t, int64_t low, int64_t high)
{
    t->totals[t->count++] = (sc_bound_total){.low = low, .high = high};
}

typedef struct farthest {
    size_t number;
    sc_int128 most;
} farthest;

static void see_farthest(void *context, uint64_t groups, const sc_int128 *sums)
{
    farthest *f = context;
    const sc_int128 sum = sums[f->number], size = sum < 0 ? -sum : sum;
    (void)groups;
    f->most = size > f->most ? size : f->most;
}

/* Lists bounds up to the first that keeps every total. */
static void list(sc_bound_totals *t, const sc_column *column, sc_int128 most)
{
    int64_t ten = 1;
    for (size_t i = 0; t->count < SC_BOUND_TOTALS; i++) {
        const int64_t bound = ten * (int64_t)(1 + i % 5);
        add(t, column->grid.low < 0 ? -bound : 0, column->grid.high > 0 ? bound : 0);
        if (bound >= most || (i % 5 == 4 && ten > MOST / 50))
            return;
        ten = i % 5 == 4 ? 10 * ten : ten;
    }
}

/* The part that the bounds keep. */

typedef struct counting_totals {
    sc_bound_totals *out;
    size_t number;
    uint64_t max_groups;
} counting_totals;

static void keep(sc_bound_tally *tally, double all, double bound, double chance)
{
    tally->all += all;
    tally->kept += chance * (all < bound ? all : bound);
}

static void see_pair(void *context, uint64_t groups, const sc_int128 *sums)
{
    const counting_totals *c = context;
    const double sum = (double)sums[c->number],
                 chance =
                     c->max_groups < groups ? (double)c->max_groups / (double)groups : 1;
    for (size_t i = 0; i < c->out->count; i++) {
        sc_bound_total *total = &c->out->totals[i];
        if (sum > 0)
            keep(&total->above, sum, (double)total->high, chance);
        else
            keep(&total->below, -sum, -(double)total->low, chance);
    }
}

/* The choice of totals for the numbers of one column, where a unit counts in at most
 * `max_groups` groups. To be called after sc_unit_count_runs. */
static void bound_totals_count(const sc_unit_count *units, size_t number,
                               const sc_column *column, uint64_t max_groups,
                               sc_bound_totals *out)
{
    farthest f = {.number = number};
    counting_totals c = {.out = out, .number = number, .max_groups = max_groups};
    *out = (sc_bound_totals){.has_declared = column->has_total};
    if (column->has_total)
        add(out, column->total_low, column->total_high);
    sc_unit_count_visit(units, see_farthest, &f);
    list(out, column, f.most);
    sc_unit_count_visit(units, see_pair, &c);
}

/* Shown. */

static void put(const sc_column *column, int64_t steps, sc_text_sink *sink)
{
    char text[SC_COLUMN_TEXT_BYTES];
    const size_t bytes = sc_column_format(column, steps, text, sizeof text);
    sc_text_put(sink, (sc_text){text, bytes});
}

/* As max-total takes it: "500" where one number says it, else "-100,500". */
static void bound_total_format(const sc_column *column, const sc_bound_total *total,
                               char text[SCRIM_TOTAL_BYTES])
{
    const bool has_low = column->grid.low<0, has_high = column->grid.high> 0,
               is_one = !has_low || !has_high || -total->low == total->high;
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, SCRIM_TOTAL_BYTES);
    if (!is_one) {
        put(column, total->low, &sink);
        sc_text_put(&sink, sc_text_of(","));
    }
    put(column, is_one && !has_high ? -total->low : total->high, &sink);
}

/* Bounds of a pair are 1, 2, 3, 4, 5, 10, 20, 30, 40, 50, ... up to the largest one of a policy. Without groups there is one bound
 * and not a pair, so that more can be compared: 7 too, and 15 and 70, ... */
#define BOUNDS_MAX 80

typedef struct counting {
    const sc_bound_request *request;
    size_t *columns; /* places in the schema of those that are read */
    size_t column_count;
    size_t *numbers; /* of these, those that are added up */
    size_t number_count;
    sc_table *table;
    sc_unit_count *units;
} counting;

typedef struct counter {
    counting *shared;
    bool is_first; /* the caller's own thread */
    void *groups;  /* of request->groups */
    int64_t *values;
    bool *is_read; /* by column that is read: a cell of it was */
    uint64_t ungrouped;
} counter;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory to look at a source");
}

/* Rows. */

static scrim_status take_row(const counter *c, const sc_batch *batch, size_t row,
                             sc_text group, scrim_error *error)
{
    const counting *shared = c->shared;
    const sc_text unit = batch->unit.texts[row];
    if (unit.bytes == 0 || unit.bytes > SC_COLUMN_VALUE_BYTES)
        return SCRIM_OK;
    for (size_t i = 0; i < shared->number_count; i++) {
        const int64_t value = batch->columns[shared->numbers[i]].values[row];
        c->values[i] = value == SC_NULL ? 0 : value;
    }
    return sc_unit_count_add(shared->units, unit, group, c->values, error);
}

/* At most SC_BOUND_ROWS rows. A row whose key is not public is in no group. */
static scrim_status take_block(counter *c, const sc_batch *batch, size_t from,
                               size_t count, scrim_error *error)
{
    const sc_bound_groups *asked = c->shared->request->groups;
    const sc_text *groups = NULL;
    const int64_t *is_in = NULL;
    scrim_status status = SCRIM_OK;
    if (asked != NULL)
        status = asked->find(c->groups, batch, from, count, &groups, &is_in, error);
    for (size_t i = 0; status == SCRIM_OK && is_in != NULL && i < count; i++)
        c->ungrouped += is_in[i] != 1;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        if (is_in == NULL || is_in[i] == 1)
            status = take_row(c, batch, from + i,
                              groups == NULL ? (sc_text){"", 0} : groups[i], error);
    return status;
}

static void tell(const counter *c)
{
    const sc_bound_request *request = c->shared->request;
    const sc_source_stamp stamp = sc_table_stamp(c->shared->table);
    if (c->is_first && request->progress != NULL && stamp.is_file)
        request->progress(request->context, sc_table_read_bytes(c->shared->table),
                          stamp.bytes);
}

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    counter *c = context;
    const size_t records = batch->tally.records - batch->tally.malformed;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < c->shared->column_count; i++)
        c->is_read[i] = c->is_read[i] || batch->tally.missing[i] < records;
    for (size_t from = 0; status == SCRIM_OK && from < batch->rows;
         from += SC_BOUND_ROWS) {
        const size_t rest = batch->rows - from;
        status = take_block(c, batch, from, rest < SC_BOUND_ROWS ? rest : SC_BOUND_ROWS,
                            error);
    }
    tell(c);
    return status;
}

static const sc_column *column_of(const counting *c, size_t read)
{
    return &c->request->schema->columns[c->columns[read]];
}

/* The table. */

/* Lists bounds up to the first that keeps every row, and none above the limit. */
static size_t list_bounds(uint64_t most, uint64_t limit, bool is_fine, uint64_t *bounds)
{
    static const uint64_t coarse[] = {10, 20, 30, 40, 50},
                          fine[] = {10, 15, 20, 30, 40, 50, 70};
    const uint64_t *tenths = is_fine ? fine : coarse;
    const size_t digits =
        is_fine ? sizeof fine / sizeof *fine : sizeof coarse / sizeof *coarse;
    size_t count = 0;
    uint64_t ten = 1;
    for (size_t i = 0; count < BOUNDS_MAX; i++) {
        const uint64_t bound = ten * tenths[i % digits] / 10;
        ten = i % digits == digits - 1 ? 10 * ten : ten;
        if (count > 0 && bound == bounds[count - 1]) /* 1.5 is 1 */
            continue;
        bounds[count++] = bound < limit ? bound : limit;
        if (bound >= most || bound >= limit)
            break;
    }
    return count;
}

/* The most that one row adds, and the most that a changed row moves, in the column's own unit. */
typedef struct reach {
    double most, width, step;
} reach;

static reach reach_of(const sc_column *column)
{
    if (column == NULL)
        return (reach){1, 1, 1};
    SC_OWN(sc_ratio, step);
    sc_grid_step(&column->grid, &step);
    const double unit = sc_ball_near(&step), low = unit * (double)column->grid.low,
                 high = unit * (double)column->grid.high;
    return (reach){fmax(fabs(low), fabs(high)), fmax(high, 0) - fmin(low, 0), unit};
}

/* The l1 sensitivity of all groups together; without keys there is one. */
static double sensitivity(const counting *c, const reach *r, uint64_t groups,
                          uint64_t rows)
{
    const double all = (double)groups * (double)rows;
    if (c->request->schema->neighbours != SCRIM_REPLACE)
        return all * r->most;
    return c->request->groups == NULL ? all * r->width : 2 * all * r->most;
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

/* Rows that are kept and lost; noise by what one row, or one total, adds. */
static void fill_choice(const counting *c, const sc_unit_runs *runs,
                        const sc_bound_tally *above, const sc_bound_tally *below,
                        const reach *r, uint64_t rows, scrim_bound_choice *choice)
{
    const double groups = runs->groups == 0 ? 1 : (double)runs->groups,
                 lost_above = above->all - above->kept,
                 lost_below = below->all - below->kept, all = above->all + below->all;
    choice->kept = all == 0 ? 1 : (above->kept + below->kept) / all;
    choice->kept_chosen = choice->kept;
    choice->whole = all;
    /* Losses of both signs cancel within one group; of several, each may have its own sign. */
    choice->bias = c->request->groups == NULL ? fabs(lost_above - lost_below)
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
    const sc_column *column =
        number == SIZE_MAX ? NULL : column_of(c, c->numbers[number]);
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
        name_column(column_of(f->c, f->c->numbers[number]), choice->column);
    return choice;
}

static void add_total(filling *f, size_t number, uint64_t groups,
                      const sc_bound_total *total, bool is_declared)
{
    const sc_column *column = column_of(f->c, f->c->numbers[number]);
    scrim_bound_choice *choice = add_choice(f, number, groups, 0);
    fill_by_total(f->c, f->runs, column, total, choice);
    bound_total_format(column, total, choice->max_total);
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
    const sc_column *column = column_of(f->c, f->c->numbers[number]);
    for (size_t i = 0; i < f->group_count; i++) {
        const uint64_t groups = f->groups[i];
        bound_totals_count(f->c->units, number, column, groups, totals);
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

/* The part of these rows that a question without groups keeps. */
static double kept_without_groups(const sc_unit_runs *runs, uint64_t max_rows)
{
    double all = 0, kept = 0;
    for (size_t i = 0; i < runs->unit_count; i++) {
        const uint64_t rows = runs->units[i];
        all += (double)rows;
        kept += (double)(rows < max_rows ? rows : max_rows);
    }
    return all == 0 ? 1 : kept / all;
}

static void fill_without_groups(filling *f)
{
    for (size_t k = 0; k < f->row_count; k++) {
        const double kept = kept_without_groups(f->runs, f->rows[k]);
        for (size_t i = 0; i < f->out.count; i++)
            if (f->out.choices[i].max_rows == f->rows[k])
                f->out.choices[i].kept_without_groups = kept;
    }
}

/* A sum by itself clamps the total of a unit to that of as many rows as it may have (rows/statistic.h), in place of choosing
 * rows. One row is chosen all the same, and so are rows whose total is beyond all that is clamped. */
static bool is_clamped(const sc_column *column, uint64_t rows, sc_bound_total *out)
{
    const sc_int128 low = (sc_int128)rows * (column->grid.low < 0 ? column->grid.low : 0),
                    high =
                        (sc_int128)rows * (column->grid.high > 0 ? column->grid.high : 0);
    *out = (sc_bound_total){.low = (int64_t)low, .high = (int64_t)high};
    return rows > 1 && low >= -(sc_int128)MOST && high <= (sc_int128)MOST;
}

static void add_sums(filling *f, size_t number, uint64_t groups, sc_bound_totals *totals)
{
    const sc_column *column = column_of(f->c, f->c->numbers[number]);
    counting_totals c = {.out = totals, .number = number, .max_groups = groups};
    sc_bound_total total;
    *totals = (sc_bound_totals){.count = 0};
    for (size_t k = 0; k < f->row_count; k++)
        if (is_clamped(column, f->rows[k], &total))
            add(totals, total.low, total.high);
    sc_unit_count_visit(f->c->units, see_pair, &c);
    for (size_t k = 0, next = 0; k < f->row_count; k++) {
        scrim_bound_choice *choice = add_choice(f, number, groups, f->rows[k]);
        fill_by_rows(f->c, f->runs, number, choice);
        const double chosen = choice->kept;
        if (is_clamped(column, f->rows[k], &total))
            fill_by_total(f->c, f->runs, column, &totals->totals[next++], choice);
        choice->kept_chosen = chosen;
    }
}

static void add_question(filling *f, size_t number, sc_bound_totals *totals)
{
    const size_t first = f->out.count;
    for (size_t i = 0; number != SIZE_MAX && i < f->group_count; i++)
        add_sums(f, number, f->groups[i], totals);
    for (size_t i = 0; number == SIZE_MAX && i < f->group_count; i++)
        for (size_t k = 0; k < f->row_count; k++)
            fill_by_rows(f->c, f->runs, number,
                         add_choice(f, number, f->groups[i], f->rows[k]));
    if (number != SIZE_MAX)
        add_totals(f, number, totals);
    if (f->c->request->epsilon != NULL)
        mark_best(f->out.choices + first, f->out.count - first);
}

/* Where keys are public nobody is in more groups than these. */
static uint64_t most_groups(const sc_bound_request *request)
{
    if (request->groups == NULL)
        return 1;
    const uint64_t count = request->groups->count;
    return count > 0 && count < SC_SCHEMA_CONTRIBUTION ? count : SC_SCHEMA_CONTRIBUTION;
}

static void list_all_bounds(filling *f)
{
    uint64_t groups = 1, rows = 1;
    for (size_t i = 0; i < f->runs->count; i++) {
        const sc_unit_run *run = &f->runs->runs[i];
        groups = run->groups > groups ? run->groups : groups;
        rows = run->rows > rows ? run->rows : rows;
    }
    f->group_count = list_bounds(groups, most_groups(f->c->request), false, f->groups);
    f->row_count =
        list_bounds(rows, SC_SCHEMA_CONTRIBUTION, f->c->request->groups == NULL, f->rows);
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
    fill_without_groups(&f); /* before the sums, of which it says nothing */
    for (size_t number = 0; number < c->number_count; number++)
        add_question(&f, number, totals);
    sc_free_wiped(totals, sizeof *totals);
    *out = f.out;
    return SCRIM_OK;
}

/* Rows in no group, and columns that are not read, in the order of the schema; a text always is. */
static scrim_status list_lost(const counting *c, const counter *all, unsigned workers,
                              scrim_bound_choices *out, scrim_error *error)
{
    out->unread = sc_allocate(c->column_count + 1, sizeof *out->unread);
    if (out->unread == NULL)
        return fail_memory(error);
    for (unsigned w = 0; w < workers; w++)
        out->ungrouped += all[w].ungrouped;
    for (size_t i = 0; i < c->column_count; i++) {
        const sc_column *column = column_of(c, i);
        bool is_read = column->type == SC_COLUMN_TEXT;
        for (unsigned w = 0; w < workers; w++)
            is_read = is_read || all[w].is_read[i];
        if (!is_read)
            name_column(column, out->unread[out->unread_count++]);
    }
    return SCRIM_OK;
}

void scrim_bound_choices_clear(scrim_bound_choices *choices)
{
    sc_free_wiped(choices->choices, choices->count * sizeof *choices->choices);
    sc_free_wiped(choices->unread, choices->unread_count * sizeof *choices->unread);
    sc_free(choices->nullable);
    sc_free_wiped(choices->typical, choices->typical_count * sizeof *choices->typical);
    *choices = (scrim_bound_choices){.choices = NULL};
}

/* Which columns are read. */

static bool is_key(const sc_bound_groups *groups, size_t place)
{
    for (size_t i = 0; groups != NULL && i < groups->column_count; i++)
        if (groups->columns[i] == place)
            return true;
    return false;
}

/* All that could be unreadable, and the texts among the keys. */
static scrim_status list_columns(counting *c, scrim_error *error)
{
    const sc_schema *schema = c->request->schema;
    c->columns = sc_allocate(schema->column_count + 1, sizeof *c->columns);
    c->numbers = sc_allocate(schema->column_count + 1, sizeof *c->numbers);
    if (c->columns == NULL || c->numbers == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < schema->column_count; i++) {
        const sc_column_type type = schema->columns[i].type;
        if (type == SC_COLUMN_TEXT && !is_key(c->request->groups, i))
            continue;
        if (type == SC_COLUMN_INT || type == SC_COLUMN_DECIMAL)
            c->numbers[c->number_count++] = c->column_count;
        c->columns[c->column_count++] = i;
    }
    return SCRIM_OK;
}

static scrim_status open_table(counting *c, scrim_error *error)
{
    sc_batch_request request = {.schema = c->request->schema,
                                .columns = c->columns,
                                .column_count = c->column_count,
                                .frame = c->request->frame};
    const size_t words = sizeof request.key.words / sizeof *request.key.words;
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t i = 0; status == SCRIM_OK && i < words; i++)
        status = sc_bits_word(bits, &request.key.words[i], error);
    sc_bits_system_close(bits);
    if (status == SCRIM_OK)
        status = sc_table_open(&request, &c->table, error);
    sc_wipe(&request.key, sizeof request.key);
    return status;
}

static scrim_status make_counter(counting *c, counter *made, scrim_error *error)
{
    const sc_bound_groups *groups = c->request->groups;
    made->shared = c;
    made->values = sc_allocate(c->number_count + 1, sizeof *made->values);
    made->is_read = sc_allocate(c->column_count + 1, sizeof *made->is_read);
    if (made->values == NULL || made->is_read == NULL)
        return fail_memory(error);
    return groups == NULL ? SCRIM_OK
                          : groups->begin(groups->context, c->columns, c->column_count,
                                          &made->groups, error);
}

static scrim_status prepare(counting *c, counter *all, unsigned workers,
                            scrim_error *error)
{
    scrim_status status = all == NULL ? fail_memory(error) : list_columns(c, error);
    if (status == SCRIM_OK)
        status = open_table(c, error);
    if (status == SCRIM_OK)
        status = sc_unit_count_new(c->number_count, &c->units, error);
    for (unsigned w = 0; w < workers && status == SCRIM_OK; w++) {
        all[w].is_first = w == 0;
        status = make_counter(c, &all[w], error);
    }
    return status;
}

static void clear(counting *c, counter *all, unsigned workers)
{
    const size_t bytes = (c->number_count + 1) * sizeof(int64_t);
    for (unsigned w = 0; all != NULL && w < workers; w++) {
        sc_free_wiped(all[w].values, all[w].values == NULL ? 0 : bytes);
        sc_free(all[w].is_read);
        if (c->request->groups != NULL)
            c->request->groups->end(all[w].groups);
    }
    sc_free(all);
    sc_free(c->columns);
    sc_free(c->numbers);
    sc_table_close(c->table);
    sc_unit_count_free(c->units);
}

static scrim_status count_rows(const counting *c, counter *all, unsigned workers,
                               scrim_error *error)
{
    void *contexts[SC_WORKERS_MAX];
    for (unsigned w = 0; w < workers; w++)
        contexts[w] = &all[w];
    return sc_table_scan(c->table, workers, take, contexts, error);
}

scrim_status sc_bound_table(const sc_bound_request *request, scrim_bound_choices *out,
                            scrim_error *error)
{
    counting c = {.request = request};
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
        status = list_lost(&c, all, workers, &new, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        scrim_bound_choices_clear(&new);
    sc_unit_runs_clear(&runs);
    clear(&c, all, workers);
    return status;
}
