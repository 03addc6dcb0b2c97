/* Counts that add up on every level of a tree: noise on every node, then a consistent tree from the root down.
 *
 * Input       the counts of the leaves, in the order of the tree, whole numbers from 0 on as of point_first.h
 * Output      the leaves of a consistent tree (projection.h), whole numbers from 0 on; every other node is the sum
 *             of its leaves
 * Tree        fan-outs=10,5: a root with 10 children that have 5 each. L levels, the root's included
 * Noise       shares s_1..s_L of the levels, 1/L each unless given. With R = max-rows weight (cell_counts.h) a
 *             node of level l has P(z) ~ exp(-|z| s_l epsilon/(F R)); with rho P(z) ~ exp(-z^2 s_l rho/(F R^2));
 *             with epsilon and delta the first, clamped to -B_l..B_l, B_l the smallest bound with a delta of
 *             s_l delta (cell_counts.h). F is 1, and under replace max(1, 2 - 2 s_1)
 * Neighbours  add-remove or replace
 * Claim       hierarchy.privacy   epsilon-DP, pure; with rho rho-concentrated; with a delta (epsilon, delta)-DP
 * Claim       hierarchy.adds-up   the answers are not negative, and the total is max(0, the noisy root)
 * Claim       hierarchy.accuracy  err(leaf) <= |z_root| + 2 sum over its levels of max |z| among siblings always, and a
 *                                 leaf is beyond a distance as rarely as table_tail.h says; the radius and radius_all
 *                                 follow from the smaller bound, with a delta always from the first
 * Time        depends on the noisy counts and on the tree
 * Reference   spec/microdata.md 5
 * Proof       of privacy: a unit moves one node a level by at most R, under replace two by S and T, and the root by
 *             |S - T|. The cost is convex in S and T, and largest at (R, 0), which costs 1/F of all, or at
 *             (R, R), 2 (1 - s_1)/F of it.
 */
#ifndef SC_MECHANISM_MICRODATA_HIERARCHY_H
#define SC_MECHANISM_MICRODATA_HIERARCHY_H

#include "model/mechanism.h"
#include "sampling/law.h"

extern const sc_mechanism sc_hierarchy;

/* The noise of a level, the root's first; NULL beyond the last one. */
const sc_law *sc_hierarchy_noise(const scrim_measurement *measurement, size_t level);

#endif
