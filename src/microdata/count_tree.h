/* From the record of a batch to the counts of a tree (scrim/hierarchy.h): least squares, whole counts, intervals.
 *
 * Claim  count-tree.adds-up   every count is at least 0, children add up to their parent, known counts are exact
 * Claim  count-tree.released  the tree is a function of the record and the options; nothing is charged for it
 * Claim  count-tree.interval  the interval of an estimate holds with the confidence, for every node by itself
 */
#ifndef SC_MICRODATA_COUNT_TREE_H
#define SC_MICRODATA_COUNT_TREE_H

#include "microdata/known_counts.h"
#include "microdata/tree_tables.h"
#include "scrim/hierarchy.h"

struct scrim_hierarchy {
    scrim_hierarchy_facts facts;
    scrim_hierarchy_level level[SC_LEVELS_MOST + 1];
    sc_noisy_tree tree;
    sc_tree_tables tables;
    sc_squares squares;
    double *estimates;
    int64_t *counts, *known;
    /* Simulated: of nodes, and behind them of the cells of each table, node by node. */
    int64_t *low, *high;
    bool *is_known; /* with what is revealed */
    sc_known_counts solution;
    /* Laplace noise: of each level of an even tree, 0 where the variance says it; of each node of another, or NULL. */
    double half_widths[SC_LEVELS_MOST + 1], *widths;
    bool is_gaussian, is_laplace;
    bool is_expected; /* before there is a release: nothing is simulated */
    double beta;
    char confidence[SCRIM_NUMBER_BYTES];
    sc_arena arena;
};

/* Half the width of the interval of an estimate. */
double sc_count_tree_half_width(const scrim_hierarchy *hierarchy, size_t level,
                                size_t node);

#endif
