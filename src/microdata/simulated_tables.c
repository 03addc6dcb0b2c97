#include "microdata/simulated_tables.h"

#include "microdata/two_way.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the simulation");
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

static size_t numbers_of(const sc_noisy_tree *t, const sc_noisy_query *q)
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
        numbers += numbers_of(t, &t->queries[i]);
    r->truth = sc_allocate(numbers, sizeof *r->truth);
    r->totals = sc_allocate(nodes, sizeof *r->totals);
    r->tree.noisy = sc_allocate(nodes, sizeof *r->tree.noisy);
    int64_t *noisy = sc_allocate(numbers, sizeof *noisy);
    /* The first query has all of it, or nothing has. */
    r->tree.queries[0].noisy = noisy;
    if (r->truth == NULL || r->totals == NULL || r->tree.noisy == NULL || noisy == NULL)
        return no_memory(error);
    numbers = 0;
    for (size_t i = 0; i < t->query_count; i++) {
        r->tree.queries[i].noisy = noisy + numbers;
        count_query(r, &t->queries[i], r->truth + numbers);
        numbers += numbers_of(t, &t->queries[i]);
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
                     ? (int64_t)sc_simulated_noise(&t->level[l].noise, &half, number++)
                     : 0);
    const int64_t *truth = r->truth;
    for (size_t i = 0; i < t->query_count; i++)
        for (size_t k = 0; k < numbers_of(t, &t->queries[i]); k++)
            t->queries[i].noisy[k] =
                *truth++ +
                (int64_t)sc_simulated_noise(&t->queries[i].noise, &half, number++);
    sc_tree_tables_take(&r->tables);
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
    scrim_status status = counts == NULL || r == NULL ? no_memory(error) : SCRIM_OK;
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
            status = sc_simulate_runs(&runs, counts, low, high, error);
        close_runs(r);
    }
    sc_free(counts);
    sc_free(r);
    return status;
}
