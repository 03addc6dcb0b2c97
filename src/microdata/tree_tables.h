/* Tables of the nodes of a tree: their estimates, whole counts, and intervals by simulation. */
#ifndef SC_MICRODATA_TREE_TABLES_H
#define SC_MICRODATA_TREE_TABLES_H

#include "microdata/known_counts.h"
#include "microdata/least_squares.h"
#include "microdata/noisy_tree.h"
#include "microdata/table_effects.h"

/* Intervals for whole counts by simulation: noise, least squares and the whole solution are repeated with the released
 * counts in the place of the truth, from public coins.
 *
 * They are no guarantee. A released count that clipping has moved away from a small true one is repeated with the
 * moved value: at a true count of half a noise deviation such an interval of 95 % holds half of the time. The interval of
 * the estimate before the last step is the one to rely on.
 *
 * Claim      simulated.public  the intervals are a function of the released counts, the noise and the key alone
 * Reference  spec/synthetic.md 5
 */

/* Runs times counts. */
#define SC_SIMULATED_NUMBERS ((size_t)1 << 25)

/* Runs of any computation of whole counts. */
typedef struct sc_simulated_runs {
    size_t numbers; /* how many counts one run has */
    size_t runs;
    double confidence;
    /* One run: counts that are released where the truth is that of the simulation. */
    scrim_status (*run)(void *context, size_t run, int64_t *counts, scrim_error *error);
    void *context;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *progress_context;
} sc_simulated_runs;

/* Is `numbers` times `runs` at most SC_SIMULATED_NUMBERS? */
bool sc_simulated_fits(size_t numbers, size_t runs);

typedef struct sc_simulation {
    const sc_squares *squares;   /* an infinite or zero variance draws no noise */
    const sc_level_noise *noise; /* of each level */
    const size_t *starts;        /* of each level, and the number of nodes; */
    size_t levels;
    const sc_known_counts *known; /* NULL: none */
    sc_hash_key key;              /* public */
    size_t runs;
    double confidence;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *progress_context;
} sc_simulation;

/* low and high have a number for each node. SCRIM_E_LIMIT above SC_SIMULATED_NUMBERS,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_simulate(const sc_simulation *simulation,
                                        const int64_t *counts, int64_t *low,
                                        int64_t *high, scrim_error *error);

/* The whole counts nearest to estimates: nearest, ties to even, within the limits of the projection. */
int64_t sc_nearest_count(double estimate);

/* The tables of the nodes of a tree: estimates from all noisy counts, and whole counts that add up.
 *
 * The counts of nodes are made first, from the top down. A table begins at the root, with the nearest cells of its total; then the
 * children of each node get the nearest cells that add up to their own totals and, cell by cell, to those of the node
 * (two_way.h). So all tables agree in the counts of nodes, and known counts stay exact.
 *
 * Claim  tree-tables.adds-up  every cell is at least 0; the cells of a node add up to its count, those of its children to its
 *                             own, in every table
 */

/* Cells of all nodes of a table. */
#define SC_TREE_TABLE_NUMBERS ((size_t)1 << 28)

typedef struct sc_tree_table {
    sc_table_squares squares;
    sc_table_query queries[SC_TREE_QUERIES];
    size_t query_count;
    double *estimates; /* of the cells of each node */
    int64_t *counts;
    double half_widths[SC_LEVELS_MOST +
                       1]; /* of cells, in an even tree; 0: by the variance */
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

/* The variance of what is known of the total of a node of a level by itself; infinite: nothing. */
double sc_tree_tables_variance(const sc_tree_tables *tables, size_t level);
/* The total of that table. */
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

/* Intervals by simulation for the counts of nodes and of the cells of their tables: noise of all
 * queries, least squares and the whole solution are repeated with the released counts in the place of the truth.
 *
 * Claim  simulated-tables.public  the intervals are a function of the released counts, the noise and the key alone
 */

typedef struct sc_table_simulation {
    const sc_tree_tables *tables; /* with the released counts of cells */
    const sc_squares *squares;    /* of the totals of nodes */
    const int64_t *counts;        /* released, of nodes */
    const bool *is_known;         /* by node: it was declared, and has no noise */
    const sc_known_counts *known; /* NULL: none */
    sc_hash_key key;              /* public */
    size_t runs;
    double confidence;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *progress_context;
} sc_table_simulation;

/* All counts: of nodes, and behind them of the cells of each table, node by node. */
size_t sc_table_simulation_numbers(const sc_noisy_tree *tree);
/* low and high have sc_table_simulation_numbers numbers each. SCRIM_E_LIMIT, SCRIM_E_MEMORY as
 * above. */
SCRIM_MUST_USE scrim_status sc_simulate_tables(const sc_table_simulation *simulation,
                                               int64_t *low, int64_t *high,
                                               scrim_error *error);

#endif
