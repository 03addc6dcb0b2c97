/* Range trees (scrim/hierarchy.h): bins of one column under a complete tree, whose counts answer all ranges.
 *
 * Claim      range-tree.variance  the variance of a range is that of the sum of its bins by least squares, exact where
 *                                 the tree has at most SC_EXACT_NODES nodes
 * Reference  spec/synthetic.md 6
 */
#ifndef SC_MICRODATA_RANGE_TREE_H
#define SC_MICRODATA_RANGE_TREE_H

#include "scrim/hierarchy.h"

#endif
