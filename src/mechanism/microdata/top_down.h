/* A consistent tree from noisy counts of its nodes, from the root down.
 *
 *     t(root) = max(0, A(root));   t(children of v) = the nearest whole table to A(children) of total t(v)
 *
 * Claim      top-down.consistent  no node is negative, and every inner node is the sum of its children
 * Claim      top-down.error       err(v) <= |z_v| + err(parent) + max over siblings |z|, in every instance,
 *                                 where A = truth + z and err(root) <= |z_root|
 * Reference  spec/microdata.md 5
 * Proof      For the root |max(0, a + z) - a| <= |z| as a >= 0. The children of v are a flat table whose total
 *            is t(v) in place of a_* + z_*: sum_first.h, with err(v) in place of |z_*|.
 *
 * It is computed from what could be shown.
 */
#ifndef SC_MECHANISM_MICRODATA_TOP_DOWN_H
#define SC_MECHANISM_MICRODATA_TOP_DOWN_H

#include "mechanism/microdata/projection.h"

/* The nodes of a tree, parents before their children: the children of node v, v < inner, are the nodes
 * child[v] .. child[v + 1] - 1, at least one; child[0] is 1. The nodes from inner on are leaves. */
typedef struct sc_tree_shape {
    const uint32_t *child; /* inner + 1 of them */
    size_t inner;
} sc_tree_shape;

/* Replaces noisy values, within +-2^61, by the counts of a consistent tree. Ties go by the order of key; NULL:
 * to the first of the children. */
void sc_top_down(const sc_tree_shape *shape, const sc_hash_key *key, int64_t *values);

#endif
