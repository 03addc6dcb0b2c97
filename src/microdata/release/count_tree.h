/* From the record of a batch to the counts of a tree (scrim/hierarchy.h): least squares, whole counts, intervals.
 *
 * Claim  count-tree.adds-up   every count is at least 0, children add up to their parent, known counts are exact
 * Claim  count-tree.released  the tree is a function of the record and the options; nothing is charged for it
 * Claim  count-tree.interval  the interval of an estimate holds with the confidence, for every node by itself
 */
#ifndef SC_MICRODATA_COUNT_TREE_H
#define SC_MICRODATA_COUNT_TREE_H

#include "scrim/hierarchy.h"

#endif
