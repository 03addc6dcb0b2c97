#include "synth/rounds/small_release.h"

#include "base/memory.h"
#include "mechanism/linear/small_programme.h"
#include "mechanism/linear/smalldb.h"

/* The queries about the tables. */
typedef struct workload {
    const sc_synth_columns *columns;
    uint64_t bins;
    const sc_linear_query *queries;
    size_t count; /* 0: each bin */
} workload;

static workload workload_of(const sc_synth_columns *columns,
                            const sc_linear_query *queries, size_t count)
{
    return (workload){columns, sc_clique_cells(columns, sc_synth_columns_all(columns)),
                      queries, count};
}

/* Is the work within the limit: all tables of `rows` rows, times the steps of a score? */
static bool fits(const workload *w, uint64_t rows)
{
    const uint64_t bins = w->bins, queries = w->count > 0 ? w->count : bins;
    uint64_t tables = 0;
    SC_OWN(sc_integer, count);
    sc_small_tables_count(bins, rows, &count);
    return sc_integer_get_uint64(&count, &tables) &&
           tables <= SC_SMALL_WORK / (bins * queries);
}

/* One row is always possible: bins of them. */
static uint64_t rows_of(const workload *w)
{
    uint64_t low = 1, high = SC_SMALL_ROWS + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (fits(w, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Numbers of the measurement. */
typedef struct numbers {
    sc_ratio epsilon, bins, rows, most, values[SC_PARAMETER_ITEMS];
} numbers;

static void numbers_init(numbers *n)
{
    sc_ratio_init(&n->epsilon);
    sc_ratio_init(&n->bins);
    sc_ratio_init(&n->rows);
    sc_ratio_init(&n->most);
    for (size_t i = 0; i < SC_PARAMETER_ITEMS; i++)
        sc_ratio_init(&n->values[i]);
}

static void numbers_clear(numbers *n)
{
    for (size_t i = 0; i < SC_PARAMETER_ITEMS; i++)
        sc_ratio_clear(&n->values[i]);
    sc_ratio_clear(&n->most);
    sc_ratio_clear(&n->rows);
    sc_ratio_clear(&n->bins);
    sc_ratio_clear(&n->epsilon);
}

#define ARGUMENTS 6

/* The value of a query for a possible row. */
static uint32_t value_of(const workload *w, const sc_linear_query *query, uint64_t row)
{
    uint64_t cell = 0, stride = 1;
    for (size_t i = w->columns->count; i-- > 0;) {
        const uint64_t size = w->columns->sizes[i];
        if ((query->clique & sc_clique_of(i)) != 0) {
            cell += stride * (row % size);
            stride *= size;
        }
        row /= size;
    }
    return query->numerators[cell];
}

static void set_arguments(numbers *n, const workload *w, const sc_round_unit *unit,
                          const sc_ratio *epsilon, sc_argument out[ARGUMENTS])
{
    sc_ratio_set(&n->epsilon, epsilon);
    sc_ratio_set_int64(&n->bins, (int64_t)w->bins);
    sc_ratio_set_int64(&n->rows, (int64_t)rows_of(w));
    for (size_t i = 0; i < w->count * w->bins; i++)
        sc_ratio_set_int64(&n->values[i],
                           value_of(w, &w->queries[i / w->bins], i % w->bins));
    sc_ratio_set_int64(&n->most, (int64_t)unit->rows);
    out[0] = (sc_argument){.name = "epsilon", .values = &n->epsilon};
    out[1] = (sc_argument){.name = "bins", .values = &n->bins};
    out[2] = w->count > 0 ? (sc_argument){.name = "coefficients",
                                          .values = n->values,
                                          .count = w->count * w->bins}
                          : (sc_argument){.name = "workload", .word = "each"};
    out[3] = (sc_argument){.name = "rows", .values = &n->rows};
    out[4] = (sc_argument){.name = "max-rows", .values = &n->most};
    out[5] = (sc_argument){.name = "neighbours",
                           .word = scrim_neighbours_name(unit->neighbours)};
}

scrim_status sc_small_check(const sc_synth_columns *columns, const sc_round_unit *unit,
                            const sc_ratio *epsilon, const sc_linear_query *queries,
                            size_t count, uint64_t *rows, scrim_error *error)
{
    scrim_measurement *m = NULL;
    sc_argument arguments[ARGUMENTS];
    scrim_status status = sc_synth_columns_check(columns, error);
    if (status == SCRIM_OK)
        status = sc_round_unit_check(unit, error);
    if (status != SCRIM_OK)
        return status;
    const workload w = workload_of(columns, queries, count);
    if (w.bins > SC_LINEAR_BINS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                           "smalldb takes at most %d possible rows; name fewer columns, "
                           "or use mwem",
                           SC_LINEAR_BINS);
    if (count > SC_PARAMETER_ITEMS / w.bins)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "queries",
                           "smalldb takes at most %d numbers, of queries times possible "
                           "rows; ask fewer, name fewer columns, or use mwem",
                           SC_PARAMETER_ITEMS);
    SC_OWN(numbers, n);
    set_arguments(&n, &w, unit, epsilon, arguments);
    status = sc_measurement_of(&sc_smalldb, arguments, ARGUMENTS, &m, error);
    if (status == SCRIM_OK)
        *rows = rows_of(&w);
    scrim_measurement_free(m);
    return status;
}

/* The one step of the release. */
static scrim_status keep(sc_rounds *r, const sc_int128 *values, size_t bins,
                         uint64_t rows, scrim_error *error)
{
    const sc_synth_step step = {.clique = sc_synth_columns_all(&r->released->columns),
                                .noise = SC_SYNTH_SELECTED,
                                .scale_64ths = 1,
                                .cells = bins};
    const scrim_status status = sc_synth_released_add(r->released, &step, error);
    for (size_t i = 0; status == SCRIM_OK && i < bins; i++)
        r->released->steps[0].counts[i] = (int64_t)values[i];
    r->released->total = (int64_t)rows;
    return status;
}

scrim_status sc_small_run(sc_rounds *r, const sc_linear_query *queries, size_t count,
                          scrim_error *error)
{
    sc_int128 values[SC_LINEAR_BINS];
    sc_argument arguments[ARGUMENTS];
    uint64_t rows = 0;
    scrim_status status = sc_rounds_begin(r, SC_SYNTH_SMALLDB, error);
    if (status == SCRIM_OK && !sc_allowance_is_pure(r->allowance))
        status = sc_fail(error, SCRIM_E_INTERNAL, "this method has a pure form only");
    const sc_ratio *epsilon = sc_allowance_total(r->allowance);
    if (status == SCRIM_OK)
        status = sc_small_check(&r->released->columns, &r->unit, epsilon, queries, count,
                                &rows, error);
    if (status != SCRIM_OK)
        return status;
    const sc_clique all = sc_synth_columns_all(&r->released->columns);
    const workload w = workload_of(&r->released->columns, queries, count);
    const size_t bins = (size_t)w.bins;
    int64_t *counts = sc_allocate(bins, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "a synthetic release");
    SC_OWN(numbers, n);
    set_arguments(&n, &w, &r->unit, epsilon, arguments);
    sc_records_count(r->records, &all, 1, &counts);
    status = sc_rounds_draw(r, &sc_smalldb, arguments, ARGUMENTS,
                            &(sc_private_input){.values = counts, .count = bins},
                            (sc_draw){.values = values, .capacity = bins}, error);
    sc_free_wiped(counts, bins * sizeof *counts);
    return status == SCRIM_OK ? keep(r, values, bins, rows, error) : status;
}
