/* The tables of the nodes of a tree: estimates from all noisy counts, and whole counts that add up.
 *
 * The counts of nodes are made first, from the top down. A table begins at the root, with the nearest cells of its total; then the
 * children of each node get the nearest cells that add up to their own totals and, cell by cell, to those of the node
 * (two_way.h). So all tables agree in the counts of nodes, and known counts stay exact.
 *
 * Claim  tree-tables.adds-up  every cell is at least 0; the cells of a node add up to its count, those of its children to its
 *                             own, in every table
 */
#ifndef SC_MICRODATA_TREE_TABLES_H
#define SC_MICRODATA_TREE_TABLES_H

#include "microdata/noisy_tree.h"
#include "microdata/table_effects.h"

/* Cells of all nodes of a table. */
#define SC_TREE_TABLE_NUMBERS ((size_t)1 << 28)

typedef struct sc_tree_table {
    sc_table_squares squares;
    sc_table_query queries[SC_TREE_QUERIES];
    size_t query_count;
    double *estimates; /* of the cells of each node */
    int64_t *counts;
    double half_widths
        [SC_LEVELS_MOST +
         1]; /* of cells, in an even tree with Laplace noise; 0: by the variance */
} sc_tree_table;

typedef struct sc_tree_tables {
    const sc_noisy_tree *tree;
    sc_table_tree shape;
    sc_tree_table *tables;
    size_t count;
    double *noisy;                         /* of all queries */
    double precisions[SC_LEVELS_MOST + 1]; /* of noisy totals: 1/V; 0: not measured */
    double *sums; /* of each node: noisy totals, times their precision */
} sc_tree_tables;

/* Reads the noisy counts of the tree, which must outlive it. SCRIM_E_MEMORY, SCRIM_E_LIMIT. Freed by
 * sc_tree_tables_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_tree_tables_init(sc_tree_tables *tables,
                                                const sc_noisy_tree *tree,
                                                scrim_error *error);
void sc_tree_tables_clear(sc_tree_tables *tables);
/* Takes the noisy counts of the tree again, which have changed. */
void sc_tree_tables_take(sc_tree_tables *tables);

/* The variance of what is known of the total of a node of a level by itself; infinite: nothing. */
double sc_tree_tables_variance(const sc_tree_tables *tables, size_t level);
/* That total. */
double sc_tree_tables_total(const sc_tree_tables *tables, size_t level, size_t node);

/* The cells of all tables, from the estimates and the counts of nodes. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_tree_tables_solve(sc_tree_tables *tables,
                                                 const double *totals,
                                                 const int64_t *counts,
                                                 const sc_hash_key *key,
                                                 scrim_error *error);

/* Sets the half widths of cells, and those of totals, where noise is Laplace's and the tree is even. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_tree_tables_widths(sc_tree_tables *tables,
                                                  const sc_squares *total, double beta,
                                                  double *totals, scrim_error *error);

#endif
