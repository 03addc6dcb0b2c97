/* Views of a tree of counts: levels, nodes, tables, queries. */
#include "microdata/count_tree.h"
#include "microdata/noise_weights.h"

#include <math.h>

_Static_assert(SCRIM_TABLE_COLUMNS == SC_TABLE_COLUMNS,
               "columns of tables that are shown");

void scrim_hierarchy_describe(const scrim_hierarchy *h, scrim_hierarchy_facts *out)
{
    *out = h->facts;
}

void scrim_hierarchy_level_at(const scrim_hierarchy *h, size_t level,
                              scrim_hierarchy_level *out)
{
    *out = level < h->tree.levels ? h->level[level] : (scrim_hierarchy_level){0};
}

void scrim_hierarchy_node_at(const scrim_hierarchy *h, size_t node,
                             scrim_hierarchy_node *out)
{
    *out = (scrim_hierarchy_node){0};
    if (node >= h->facts.nodes)
        return;
    const sc_noisy_tree *t = &h->tree;
    const size_t level = sc_noisy_tree_level(t, node);
    const double variance = sc_squares_variance(&h->squares, node);
    const double width = sc_count_tree_half_width(h, level, node);
    *out = (scrim_hierarchy_node){.level = level,
                                  .parent = t->parents[node],
                                  .key = t->keys[node].start,
                                  .bytes = t->keys[node].bytes,
                                  .count = h->counts[node],
                                  .noisy = t->noisy[node],
                                  .is_measured = t->level[level].is_measured,
                                  .standing = h->known[node] != SC_COUNT_UNKNOWN
                                                  ? SCRIM_NODE_KNOWN
                                              : h->is_known[node] ? SCRIM_NODE_REVEALED
                                                                  : SCRIM_NODE_NOISY,
                                  .estimate = h->estimates[node],
                                  .deviation = sqrt(fmax(variance, 0)),
                                  .low = h->estimates[node] - width,
                                  .high = h->estimates[node] + width};
    if (h->low != NULL) {
        out->simulated_low = h->low[node];
        out->simulated_high = h->high[node];
    }
}

/* Tables. */

void scrim_hierarchy_table_at(const scrim_hierarchy *h, size_t table,
                              scrim_hierarchy_table *out)
{
    *out = (scrim_hierarchy_table){0};
    if (table >= h->tree.table_count)
        return;
    const sc_noisy_table *t = &h->tree.tables[table];
    *out = (scrim_hierarchy_table){.columns = t->shape.columns,
                                   .cells = h->tables.tables[table].squares.cells};
    for (size_t i = 0; i < t->shape.columns; i++)
        out->names[i] = t->names[i];
}

/* The texts of the keys of a cell of some columns. */
static void put_keys(const sc_noisy_table *t, unsigned columns, size_t cell,
                     const char **keys)
{
    for (size_t i = t->shape.columns; i-- > 0;) {
        keys[i] = NULL;
        if (!(columns >> i & 1))
            continue;
        keys[i] = t->values[i][cell % t->shape.sizes[i]].start;
        cell /= t->shape.sizes[i];
    }
}

/* The place of the cells of a table among all counts. */
static size_t first_cell(const scrim_hierarchy *h, size_t table)
{
    size_t place = h->facts.nodes;
    for (size_t i = 0; i < table; i++)
        place += h->facts.nodes * h->tables.tables[i].squares.cells;
    return place;
}

void scrim_hierarchy_cell_at(const scrim_hierarchy *h, size_t table, size_t node,
                             size_t cell, scrim_hierarchy_cell *out)
{
    *out = (scrim_hierarchy_cell){0};
    if (table >= h->tree.table_count || node >= h->facts.nodes ||
        cell >= h->tables.tables[table].squares.cells)
        return;
    const sc_noisy_table *t = &h->tree.tables[table];
    const sc_tree_table *own = &h->tables.tables[table];
    const size_t at = node * own->squares.cells + cell;
    const double variance = sc_table_squares_cell(&own->squares, node,
                                                  sc_squares_variance(&h->squares, node));
    const double bound = own->half_widths[sc_noisy_tree_level(&h->tree, node)];
    const double width = variance <= 0 ? 0
                         : bound > 0   ? bound
                                       : sqrt(variance) * h->factor;
    *out = (scrim_hierarchy_cell){.count = own->counts[at],
                                  .estimate = own->estimates[at],
                                  .deviation = sqrt(fmax(variance, 0)),
                                  .low = own->estimates[at] - width,
                                  .high = own->estimates[at] + width};
    put_keys(t, sc_table_all(&t->shape), cell, out->keys);
    if (h->low != NULL) {
        const size_t place = first_cell(h, table) + at;
        out->simulated_low = h->low[place];
        out->simulated_high = h->high[place];
    }
}

void scrim_hierarchy_query_at(const scrim_hierarchy *h, size_t query,
                              scrim_hierarchy_query *out)
{
    *out = (scrim_hierarchy_query){0};
    if (query >= h->tree.query_count)
        return;
    const sc_noisy_query *q = &h->tree.queries[query];
    *out = (scrim_hierarchy_query){
        .table = q->table,
        .level = q->level,
        .columns = q->columns,
        .cells = sc_table_cells(&h->tree.tables[q->table].shape, q->columns),
        .measurement = q->measurement,
        .noise = sqrt(sc_level_variance(&q->noise))};
}

int64_t scrim_hierarchy_noisy_at(const scrim_hierarchy *h, size_t query, size_t node,
                                 size_t cell, const char *keys[SCRIM_TABLE_COLUMNS])
{
    if (query >= h->tree.query_count)
        return 0;
    const sc_noisy_query *q = &h->tree.queries[query];
    const sc_noisy_table *t = &h->tree.tables[q->table];
    const size_t cells = sc_table_cells(&t->shape, q->columns),
                 first = h->tree.starts[q->level];
    if (node < first || node >= h->tree.starts[q->level + 1] || cell >= cells)
        return 0;
    put_keys(t, q->columns, cell, keys);
    return q->noisy[(node - first) * cells + cell];
}
