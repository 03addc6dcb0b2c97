/* From the record of a batch to the counts of a tree (scrim/hierarchy.h): least squares, whole counts, intervals.
 *
 * Claim  count-tree.adds-up   every count is at least 0, children add up to their parent, known counts are exact
 * Claim  count-tree.released  the tree is a function of the record and the options; nothing is charged for it
 * Claim  declared-counts.node  a declaration sets the count of the one node that has its keys; any other is refused
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
    /* Half widths of each level of an even tree, 0 where the variance says it; of each node of another, or NULL. */
    double half_widths[SC_LEVELS_MOST + 1], *widths;
    double factor;    /* of a deviation, for its half width */
    bool is_expected; /* before there is a release: nothing is simulated */
    double beta;
    char confidence[SCRIM_NUMBER_BYTES];
    sc_arena arena;
};

/* The widths of the intervals, by themselves (tree_intervals.c): once squares are set. */
SCRIM_MUST_USE scrim_status sc_count_tree_set_half_widths(scrim_hierarchy *hierarchy,
                                                          scrim_error *error);
/* Half the width of the interval of an estimate. */
double sc_count_tree_half_width(const scrim_hierarchy *hierarchy, size_t level,
                                size_t node);

/* Counts that are declared to be known, as text: "total:32561", "education=Bachelors,sex=Male:100". The keys are
 * those of the first levels, in their order; "total" stands for all rows. A value may be in quotes.
 * (declared_counts.c) */

/* Sets the declared counts of a tree, the nodes that they give away, and the sentence that says so. */
SCRIM_MUST_USE scrim_status sc_declared_counts_set(scrim_hierarchy *hierarchy,
                                                   const scrim_hierarchy_options *options,
                                                   scrim_error *error);
/* Compares each declared count with the estimate of its node, which was made without any, and words a doubt about
 * the first that does not fit. */
SCRIM_MUST_USE scrim_status
sc_declared_counts_doubt(scrim_hierarchy *hierarchy,
                         const scrim_hierarchy_options *options, scrim_error *error);

#endif
