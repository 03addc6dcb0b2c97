/* Intervals by simulation (microdata/simulated.h) for the counts of nodes and of the cells of their tables: noise of all
 * queries, least squares and the whole solution are repeated with the released counts in the place of the truth.
 *
 * Claim  simulated-tables.public  the intervals are a function of the released counts, the noise and the key alone
 */
#ifndef SC_MICRODATA_SIMULATED_TABLES_H
#define SC_MICRODATA_SIMULATED_TABLES_H

#include "microdata/known_counts.h"
#include "microdata/simulated.h"
#include "microdata/tree_tables.h"

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
/* low and high have so many numbers. As sc_simulate_runs. */
SCRIM_MUST_USE scrim_status sc_simulate_tables(const sc_table_simulation *simulation,
                                               int64_t *low, int64_t *high,
                                               scrim_error *error);

#endif
