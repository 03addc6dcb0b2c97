#include "microdata/tree_tables.h"

#include "base/memory.h"
#include "base/status.h"
#include "microdata/noise_weights.h"
#include "microdata/two_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t sc_nearest_count(double estimate)
{
    const double most = (double)SC_PROJECTION_VALUE;
    const double nearest = nearbyint(estimate);
    return nearest >= most    ? SC_PROJECTION_VALUE
           : nearest <= -most ? -SC_PROJECTION_VALUE
                              : (int64_t)nearest;
}

/* Public coins: above 0 and at most 1. */
static double coin(const sc_hash_half *half, uint64_t number)
{
    return (double)((sc_hash_second(half, number) >> 11) + 1) * 0x1p-53;
}

/* A noise from public coins: those of a run, by the number of the noise. */
static double simulated_noise(const sc_level_noise *noise, const sc_hash_half *run,
                              uint64_t number)
{
    const double first = coin(run, 2 * number), second = coin(run, 2 * number + 1);
    if (noise->kind == SC_TREE_LAPLACE)
        return floor(-log(first) / noise->amount) - floor(-log(second) / noise->amount);
    return nearbyint(sqrt(-2 * noise->amount * log(first)) * cos(2 * M_PI * second));
}

/* Intervals. */

static int32_t shift_of(int64_t value, int64_t from)
{
    const sc_int128 shift = (sc_int128)value - from;
    return shift > INT32_MAX    ? INT32_MAX
           : shift < -INT32_MAX ? -INT32_MAX
                                : (int32_t)shift;
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The basic interval: what the simulation adds to the truth is taken off the released count. */
static void set_interval(const sc_simulated_runs *s, int64_t count, int32_t *shifts,
                         int64_t *low, int64_t *high)
{
    const double cut = (1 - s->confidence) / 2 * (double)(s->runs - 1);
    const size_t first = (size_t)cut;
    qsort(shifts, s->runs, sizeof *shifts, compare);
    *low = count - shifts[s->runs - 1 - first];
    *high = count - shifts[first];
    *low = *low < 0 ? 0 : *low;
    *high = *high < 0 ? 0 : *high;
}

bool sc_simulated_fits(size_t numbers, size_t runs)
{
    return runs == 0 || numbers <= SC_SIMULATED_NUMBERS / runs;
}

/* shifts are by count, then by run. */
static scrim_status run_all(const sc_simulated_runs *s, const int64_t *counts,
                            int64_t *now, int32_t *shifts, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t run = 0; status == SCRIM_OK && run < s->runs; run++) {
        status = s->run(s->context, run, now, error);
        for (size_t i = 0; status == SCRIM_OK && i < s->numbers; i++)
            shifts[i * s->runs + run] = shift_of(now[i], counts[i]);
        if (s->progress != NULL)
            s->progress(s->progress_context, run + 1, s->runs);
    }
    return status;
}

/* low and high have a number for each count. SCRIM_E_LIMIT for more than SC_SIMULATED_NUMBERS, SCRIM_E_MEMORY, and as run. */
static scrim_status simulate_runs(const sc_simulated_runs *s, const int64_t *counts,
                                  int64_t *low, int64_t *high, scrim_error *error)
{
    if (s->runs == 0 || !sc_simulated_fits(s->numbers, s->runs))
        return sc_fail(error, SCRIM_E_LIMIT, "the tree is too large to be simulated");
    int64_t *now = sc_allocate(s->numbers, sizeof *now);
    int32_t *shifts = sc_allocate(s->numbers * s->runs, sizeof *shifts);
    scrim_status status = now == NULL || shifts == NULL
                              ? sc_no_memory(error, "the simulation")
                              : run_all(s, counts, now, shifts, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->numbers; i++)
        set_interval(s, counts[i], shifts + i * s->runs, &low[i], &high[i]);
    sc_free(now);
    sc_free(shifts);
    return status;
}

/* Trees. */

typedef struct tree_runs {
    const sc_simulation *simulation;
    const int64_t *truth;
    double *values;
} tree_runs;

static bool is_noisy(const sc_squares *s, size_t node, size_t level)
{
    const double variance = s->measured[s->is_even ? level : node];
    return variance > 0 && !isinf(variance);
}

static scrim_status run_tree(void *context, size_t run, int64_t *counts,
                             scrim_error *error)
{
    const tree_runs *r = context;
    const sc_simulation *s = r->simulation;
    const sc_hash_half half = sc_hash_first(&s->key, run);
    for (size_t level = 0; level < s->levels; level++)
        for (size_t v = s->starts[level]; v < s->starts[level + 1]; v++)
            r->values[v] =
                (double)r->truth[v] + (is_noisy(s->squares, v, level)
                                           ? simulated_noise(&s->noise[level], &half, v)
                                           : 0);
    sc_squares_estimate(s->squares, r->values);
    for (size_t v = 0; v < s->starts[s->levels]; v++)
        counts[v] = sc_nearest_count(r->values[v]);
    if (s->known != NULL)
        return sc_known_counts_solve(s->known, &s->key, counts, error);
    sc_top_down(&s->squares->shape, &s->key, counts);
    return SCRIM_OK;
}

scrim_status sc_simulate(const sc_simulation *s, const int64_t *counts, int64_t *low,
                         int64_t *high, scrim_error *error)
{
    const size_t nodes = s->starts[s->levels];
    tree_runs r = {s, counts, sc_allocate(nodes, sizeof *r.values)};
    const sc_simulated_runs runs = {.numbers = nodes,
                                    .runs = s->runs,
                                    .confidence = s->confidence,
                                    .run = run_tree,
                                    .context = &r,
                                    .progress = s->progress,
                                    .progress_context = s->progress_context};
    const scrim_status status = r.values == NULL
                                    ? sc_no_memory(error, "the simulation")
                                    : simulate_runs(&runs, counts, low, high, error);
    sc_free(r.values);
    return status;
}

/* Noisy counts. */

static size_t numbers_of(const sc_noisy_tree *t, const sc_noisy_query *q)
{
    return (t->starts[q->level + 1] - t->starts[q->level]) *
           sc_table_cells(&t->tables[q->table].shape, q->columns);
}

/* The places of the noisy counts of all queries. */
static scrim_status make_queries(sc_tree_tables *s, scrim_error *error)
{
    const sc_noisy_tree *t = s->tree;
    size_t numbers = 0;
    for (size_t i = 0; i < t->query_count; i++)
        numbers += numbers_of(t, &t->queries[i]);
    s->noisy = sc_allocate(numbers, sizeof *s->noisy);
    s->sums = sc_allocate(t->starts[t->levels], sizeof *s->sums);
    if (s->noisy == NULL || s->sums == NULL)
        return sc_no_memory(error, "the tables of a tree");
    numbers = 0;
    for (size_t i = 0; i < t->query_count; i++) {
        const sc_noisy_query *q = &t->queries[i];
        sc_tree_table *table = &s->tables[q->table];
        table->queries[table->query_count++] =
            (sc_table_query){.level = q->level,
                             .columns = q->columns,
                             .variance = sc_level_variance(&q->noise),
                             .noisy = s->noisy + numbers};
        numbers += numbers_of(t, q);
    }
    return SCRIM_OK;
}

static void add_totals(sc_tree_tables *s)
{
    const sc_noisy_tree *t = s->tree;
    memset(s->precisions, 0, sizeof s->precisions);
    memset(s->sums, 0, t->starts[t->levels] * sizeof *s->sums);
    for (size_t l = 0; l < t->levels; l++) {
        if (!t->level[l].is_measured)
            continue;
        const double precision = 1 / sc_level_variance(&t->level[l].noise);
        s->precisions[l] += precision;
        for (size_t v = t->starts[l]; v < t->starts[l + 1]; v++)
            s->sums[v] += precision * (double)t->noisy[v];
    }
    for (size_t i = 0; i < s->count; i++)
        sc_table_totals_add(&s->shape, &t->tables[i].shape, s->tables[i].queries,
                            s->tables[i].query_count, s->precisions, s->sums);
}

/* Takes the noisy counts of the tree again, which have changed. */
static void tree_tables_take(sc_tree_tables *s)
{
    const sc_noisy_tree *t = s->tree;
    size_t numbers = 0;
    for (size_t i = 0; i < t->query_count; i++)
        for (size_t k = 0; k < numbers_of(t, &t->queries[i]); k++)
            s->noisy[numbers++] = (double)t->queries[i].noisy[k];
    add_totals(s);
}

static scrim_status init_table(sc_tree_tables *s, size_t i, scrim_error *error)
{
    const sc_noisy_tree *t = s->tree;
    sc_tree_table *table = &s->tables[i];
    const size_t nodes = t->starts[t->levels];
    const scrim_status status =
        sc_table_squares_init(&table->squares, &s->shape, &t->tables[i].shape,
                              table->queries, table->query_count, error);
    if (status != SCRIM_OK)
        return status;
    if (nodes > SC_TREE_TABLE_NUMBERS / table->squares.cells)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "tables",
                           "the tables of the tree have too many cells");
    table->estimates =
        sc_allocate(nodes * table->squares.cells, sizeof *table->estimates);
    table->counts = sc_allocate(nodes * table->squares.cells, sizeof *table->counts);
    return table->estimates == NULL || table->counts == NULL
               ? sc_no_memory(error, "the tables of a tree")
               : SCRIM_OK;
}

scrim_status sc_tree_tables_init(sc_tree_tables *s, const sc_noisy_tree *tree,
                                 scrim_error *error)
{
    *s = (sc_tree_tables){.tree = tree,
                          .shape = {.shape = tree->shape,
                                    .starts = tree->starts,
                                    .levels = tree->levels,
                                    .fanouts = tree->is_even ? tree->fanouts : NULL},
                          .tables = sc_allocate(tree->table_count, sizeof *s->tables),
                          .count = tree->table_count};
    if (s->tables == NULL) {
        s->count = 0;
        return sc_no_memory(error, "the tables of a tree");
    }
    scrim_status status = make_queries(s, error);
    if (status == SCRIM_OK)
        tree_tables_take(s);
    for (size_t i = 0; status == SCRIM_OK && i < s->count; i++)
        status = init_table(s, i, error);
    return status;
}

void sc_tree_tables_clear(sc_tree_tables *s)
{
    for (size_t i = 0; i < s->count; i++) {
        sc_table_squares_clear(&s->tables[i].squares);
        sc_free(s->tables[i].estimates);
        sc_free(s->tables[i].counts);
    }
    sc_free(s->tables);
    sc_free(s->noisy);
    sc_free(s->sums);
    *s = (sc_tree_tables){.count = 0};
}

double sc_tree_tables_variance(const sc_tree_tables *s, size_t level)
{
    return s->precisions[level] > 0 ? 1 / s->precisions[level] : HUGE_VAL;
}

double sc_tree_tables_total(const sc_tree_tables *s, size_t level, size_t node)
{
    return s->precisions[level] > 0 ? s->sums[node] / s->precisions[level] : 0;
}

/* Whole counts. */

static scrim_status solve_children(const sc_tree_tables *s, sc_tree_table *table,
                                   size_t v, const int64_t *counts,
                                   const sc_hash_key *key, scrim_error *error)
{
    const size_t cells = table->squares.cells, first = s->tree->child[v],
                 children = s->tree->child[v + 1] - first;
    const sc_hash_key own = {key->k0, key->k1 + v + 1};
    return sc_two_way(counts + first, children, table->counts + v * cells, cells, &own,
                      table->counts + first * cells, error);
}

static scrim_status solve_table(const sc_tree_tables *s, sc_tree_table *table,
                                const int64_t *counts, const sc_hash_key *key,
                                scrim_error *error)
{
    const size_t cells = table->squares.cells, nodes = s->tree->starts[s->tree->levels];
    const sc_tie_order order = {.key = *key};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < nodes * cells; i++)
        table->counts[i] = sc_nearest_count(table->estimates[i]);
    sc_project_integer(table->counts, cells, counts[0], &order);
    for (size_t v = 0; status == SCRIM_OK && v < s->tree->shape.inner; v++)
        status = solve_children(s, table, v, counts, key, error);
    return status;
}

scrim_status sc_tree_tables_solve(sc_tree_tables *s, const double *totals,
                                  const int64_t *counts, const sc_hash_key *key,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < s->count; i++) {
        sc_tree_table *table = &s->tables[i];
        const sc_hash_key own = {key->k0, key->k1 + ((uint64_t)(i + 1) << 48)};
        status =
            sc_table_squares_estimate(&table->squares, table->queries, table->query_count,
                                      totals, table->estimates, error);
        if (status == SCRIM_OK)
            status = solve_table(s, table, counts, &own, error);
    }
    return status;
}

/* Half widths. */

typedef struct term_room {
    sc_term_query queries[SC_TREE_QUERIES + SC_LEVELS_MOST + 1];
    sc_level_noise noises[SC_TREE_QUERIES + SC_LEVELS_MOST + 1];
    size_t count;
} term_room;

static void add_term_query(term_room *r, sc_term_query query, const sc_level_noise *noise)
{
    r->noises[r->count] = *noise;
    r->queries[r->count++] = query;
}

/* All queries, as a table sees them. */
static void set_queries(const sc_tree_tables *s, size_t table, term_room *r)
{
    const sc_noisy_tree *t = s->tree;
    r->count = 0;
    for (size_t l = 0; l < t->levels; l++)
        if (t->level[l].is_measured)
            add_term_query(
                r,
                (sc_term_query){.level = l,
                                .cells = 1,
                                .variance = sc_level_variance(&t->level[l].noise)},
                &t->level[l].noise);
    for (size_t i = 0; i < t->query_count; i++) {
        const sc_noisy_query *q = &t->queries[i];
        add_term_query(r,
                       (sc_term_query){.level = q->level,
                                       .columns = q->table == table ? q->columns : 0,
                                       .cells = sc_table_cells(&t->tables[q->table].shape,
                                                               q->columns),
                                       .variance = sc_level_variance(&q->noise),
                                       .is_own = q->table == table},
                       &q->noise);
    }
}

/* 0 without memory. */
static double find_width(const term_room *r, const sc_squares *total,
                         const sc_table_squares *table, size_t level, double beta)
{
    sc_term_list list;
    double width = 0;
    if (sc_table_terms(total, table, r->queries, r->count, level, &list)) {
        const sc_combined_noise sum = {list.terms, list.count, r->noises};
        width = sc_combined_noise_half_width(&sum, beta);
    }
    sc_free(list.terms);
    return width;
}

scrim_status sc_tree_tables_widths(sc_tree_tables *s, const sc_squares *total,
                                   double beta, double *totals, scrim_error *error)
{
    term_room *r = sc_allocate(1, sizeof *r);
    bool is_done = r != NULL;
    for (size_t i = 0; is_done && i <= s->count; i++) {
        set_queries(s, i, r);
        for (size_t l = 0; is_done && l < s->tree->levels; l++) {
            const double variance = total->final[l];
            sc_tree_table *table = i < s->count ? &s->tables[i] : NULL;
            double *width = table == NULL ? &totals[l] : &table->half_widths[l];
            const double own = table == NULL
                                   ? variance
                                   : sc_table_squares_cell(&table->squares,
                                                           s->tree->starts[l], variance);
            *width = own > 0 ? find_width(r, total,
                                          table == NULL ? NULL : &table->squares, l, beta)
                             : 0;
            is_done = own <= 0 || *width > 0;
        }
    }
    sc_free(r);
    return is_done ? SCRIM_OK : sc_no_memory(error, "the tables of a tree");
}

size_t sc_table_simulation_numbers(const sc_noisy_tree *t)
{
    size_t each = 1;
    for (size_t i = 0; i < t->table_count; i++)
        each += sc_table_cells(&t->tables[i].shape, sc_table_all(&t->tables[i].shape));
    return t->starts[t->levels] * each;
}

/* A tree like the released one, whose noisy counts are drawn for each run. */
typedef struct table_runs {
    const sc_table_simulation *simulation;
    sc_noisy_tree tree;
    sc_tree_tables tables;
    int64_t *truth; /* exact counts of all queries of tables, behind one another */
    double *totals;
} table_runs;

static const sc_noisy_tree *released(const table_runs *r)
{
    return r->simulation->tables->tree;
}

static size_t cells_of(const sc_noisy_tree *t, const sc_noisy_query *q)
{
    return sc_table_cells(&t->tables[q->table].shape, q->columns);
}

static size_t simulated_numbers(const sc_noisy_tree *t, const sc_noisy_query *q)
{
    return (t->starts[q->level + 1] - t->starts[q->level]) * cells_of(t, q);
}

/* The counts that a query would have without noise. */
static void count_query(const table_runs *r, const sc_noisy_query *q, int64_t *out)
{
    const sc_noisy_tree *t = released(r);
    const sc_table_shape *shape = &t->tables[q->table].shape;
    const sc_tree_table *table = &r->simulation->tables->tables[q->table];
    const size_t cells = table->squares.cells, own = cells_of(t, q);
    for (size_t v = t->starts[q->level]; v < t->starts[q->level + 1]; v++)
        for (size_t i = 0; i < cells; i++)
            out[(v - t->starts[q->level]) * own +
                sc_table_cell_within(shape, i, sc_table_all(shape), q->columns)] +=
                table->counts[v * cells + i];
}

static scrim_status open_runs(table_runs *r, const sc_table_simulation *s,
                              scrim_error *error)
{
    const sc_noisy_tree *t = s->tables->tree;
    const size_t nodes = t->starts[t->levels];
    size_t numbers = 0;
    *r = (table_runs){.simulation = s, .tree = *t};
    for (size_t i = 0; i < t->query_count; i++)
        numbers += simulated_numbers(t, &t->queries[i]);
    r->truth = sc_allocate(numbers, sizeof *r->truth);
    r->totals = sc_allocate(nodes, sizeof *r->totals);
    r->tree.noisy = sc_allocate(nodes, sizeof *r->tree.noisy);
    int64_t *noisy = sc_allocate(numbers, sizeof *noisy);
    /* The first query has all of it, or nothing has. */
    r->tree.queries[0].noisy = noisy;
    if (r->truth == NULL || r->totals == NULL || r->tree.noisy == NULL || noisy == NULL)
        return sc_no_memory(error, "the simulation");
    numbers = 0;
    for (size_t i = 0; i < t->query_count; i++) {
        r->tree.queries[i].noisy = noisy + numbers;
        count_query(r, &t->queries[i], r->truth + numbers);
        numbers += simulated_numbers(t, &t->queries[i]);
    }
    return sc_tree_tables_init(&r->tables, &r->tree, error);
}

static void close_runs(table_runs *r)
{
    sc_tree_tables_clear(&r->tables);
    sc_free(r->tree.queries[0].noisy);
    sc_free(r->tree.noisy);
    sc_free(r->totals);
    sc_free(r->truth);
}

/* One run. */

static void draw_noisy(table_runs *r, size_t run)
{
    const sc_table_simulation *s = r->simulation;
    sc_noisy_tree *t = &r->tree;
    const sc_hash_half half = sc_hash_first(&s->key, run);
    uint64_t number = 0;
    for (size_t l = 0; l < t->levels; l++)
        for (size_t v = t->starts[l]; v < t->starts[l + 1]; v++)
            t->noisy[v] =
                s->counts[v] +
                (t->level[l].is_measured
                     ? (int64_t)simulated_noise(&t->level[l].noise, &half, number++)
                     : 0);
    const int64_t *truth = r->truth;
    for (size_t i = 0; i < t->query_count; i++)
        for (size_t k = 0; k < simulated_numbers(t, &t->queries[i]); k++)
            t->queries[i].noisy[k] =
                *truth++ +
                (int64_t)simulated_noise(&t->queries[i].noise, &half, number++);
    tree_tables_take(&r->tables);
}

/* As count_tree.c solves a release. */
static scrim_status solve_nodes(table_runs *r, int64_t *counts, scrim_error *error)
{
    const sc_table_simulation *s = r->simulation;
    const sc_noisy_tree *t = &r->tree;
    for (size_t l = 0; l < t->levels; l++)
        for (size_t v = t->starts[l]; v < t->starts[l + 1]; v++)
            r->totals[v] = s->is_known[v] ? (double)s->counts[v]
                                          : sc_tree_tables_total(&r->tables, l, v);
    sc_squares_estimate(s->squares, r->totals);
    for (size_t v = 0; v < t->starts[t->levels]; v++)
        counts[v] = sc_nearest_count(r->totals[v]);
    if (counts[0] > SC_TWO_WAY_VALUE)
        counts[0] = SC_TWO_WAY_VALUE;
    if (s->known != NULL)
        return sc_known_counts_solve(s->known, &s->key, counts, error);
    sc_top_down(&t->shape, &s->key, counts);
    return SCRIM_OK;
}

static scrim_status run_once(void *context, size_t run, int64_t *counts,
                             scrim_error *error)
{
    table_runs *r = context;
    const sc_noisy_tree *t = &r->tree;
    size_t at = t->starts[t->levels];
    draw_noisy(r, run);
    scrim_status status = solve_nodes(r, counts, error);
    if (status == SCRIM_OK)
        status = sc_tree_tables_solve(&r->tables, r->totals, counts, &r->simulation->key,
                                      error);
    for (size_t i = 0; status == SCRIM_OK && i < r->tables.count; i++) {
        const sc_tree_table *table = &r->tables.tables[i];
        const size_t numbers = t->starts[t->levels] * table->squares.cells;
        memcpy(counts + at, table->counts, numbers * sizeof *counts);
        at += numbers;
    }
    return status;
}

/* The whole. */

static void put_released(const sc_table_simulation *s, int64_t *out)
{
    const size_t nodes = s->tables->tree->starts[s->tables->tree->levels];
    memcpy(out, s->counts, nodes * sizeof *out);
    out += nodes;
    for (size_t i = 0; i < s->tables->count; i++) {
        const size_t numbers = nodes * s->tables->tables[i].squares.cells;
        memcpy(out, s->tables->tables[i].counts, numbers * sizeof *out);
        out += numbers;
    }
}

scrim_status sc_simulate_tables(const sc_table_simulation *s, int64_t *low, int64_t *high,
                                scrim_error *error)
{
    const size_t numbers = sc_table_simulation_numbers(s->tables->tree);
    int64_t *counts = sc_allocate(numbers, sizeof *counts);
    table_runs *r = sc_allocate(1, sizeof *r);
    scrim_status status =
        counts == NULL || r == NULL ? sc_no_memory(error, "the simulation") : SCRIM_OK;
    if (status == SCRIM_OK) {
        put_released(s, counts);
        status = open_runs(r, s, error);
        const sc_simulated_runs runs = {.numbers = numbers,
                                        .runs = s->runs,
                                        .confidence = s->confidence,
                                        .run = run_once,
                                        .context = r,
                                        .progress = s->progress,
                                        .progress_context = s->progress_context};
        if (status == SCRIM_OK)
            status = simulate_runs(&runs, counts, low, high, error);
        close_runs(r);
    }
    sc_free(counts);
    sc_free(r);
    return status;
}
