#include "microdata/tree_tables.h"

#include "microdata/simulated.h"
#include "microdata/table_terms.h"
#include "microdata/two_way.h"

#include <math.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the tables of a tree");
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
        return no_memory(error);
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

void sc_tree_tables_take(sc_tree_tables *s)
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
    return table->estimates == NULL || table->counts == NULL ? no_memory(error)
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
        return no_memory(error);
    }
    scrim_status status = make_queries(s, error);
    if (status == SCRIM_OK)
        sc_tree_tables_take(s);
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
    double rates[SC_TREE_QUERIES + SC_LEVELS_MOST + 1];
    size_t count;
} term_room;

static void add_term_query(term_room *r, sc_term_query query, const sc_level_noise *noise)
{
    r->rates[r->count] = noise->amount;
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

/* The smaller of two bounds that hold; 0 without memory. */
static double find_width(const term_room *r, const sc_squares *total,
                         const sc_table_squares *table, size_t level, double variance,
                         double beta)
{
    sc_term_list list;
    double width = 0;
    if (sc_table_terms(total, table, r->queries, r->count, level, &list))
        width = fmin(sc_half_width_laplace(list.terms, list.count, r->rates, beta),
                     sc_half_width_any(variance, beta));
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
            *width = own > 0
                         ? find_width(r, total, table == NULL ? NULL : &table->squares, l,
                                      own, beta)
                         : 0;
            is_done = own <= 0 || *width > 0;
        }
    }
    sc_free(r);
    return is_done ? SCRIM_OK : no_memory(error);
}
