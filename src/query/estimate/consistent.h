/* Totals and parts that add up: noisy counts or sums of a tree, of which each node is the sum of its parts, are replaced by
 * their weighted least squares, and these by whole numbers. It uses what was released and the laws of the noise, and so it is free.
 *
 * Level 0 is the coarsest. All nodes of a level have as many parts, m, and noise of one variance v. Up from the finest:
 *
 *     z = a y + (1 - a) (sum of the parts' z),  a = m V'/(m V' + v),  V = v m V'/(m V' + v)
 *
 * with V' the V of the next finer level, where z = y and V = v. Down from the coarsest, where h = z:
 *
 *     h = z + (the total's h - sum of all its parts' z) / m
 *
 * So every h is a sum of the y with public weights, and h - (what it would be without noise) that of their noises: the interval
 * follows from its law. Without noise h = y, whatever a is, so a may be rounded. Then a total is rounded, and its parts are rounded down or up so
 * that they add up to it: each is off by less than 1. The truth is a whole number, so an interval of half-width r around h is
 * one of half-width ceil(r) around the rounded number.
 *
 * Claim  consistent.adds-up   the parts of each node add up to it exactly, and what has no noise stays as it is
 * Claim  consistent.weights   the interval is that of the least squares, by the weights of all numbers in them
 *
 * Reference  spec/query-semantics.md 8.1
 */
#ifndef SC_QUERY_CONSISTENT_H
#define SC_QUERY_CONSISTENT_H

#include "query/estimate/noise_sum.h"

/* With two noises a number no level has more than SC_NOISE_SUM_MAX different weights. */
#define SC_CONSISTENT_LEVELS 7
#define SC_CONSISTENT_NOISES 2

typedef struct sc_consistent_level {
    size_t count;          /* nodes, at least 1 */
    const size_t *parents; /* by node, in the next coarser level; of the coarsest NULL */
    sc_ratio *values;      /* as drawn; they are replaced */
    const sc_law *laws[SC_CONSISTENT_NOISES];
    int64_t weights[SC_CONSISTENT_NOISES]; /* of the noise in a value */
    size_t noises;
    sc_int128 half; /* set: of the interval */
} sc_consistent_level;

/* An interval is missed with probability beta. SCRIM_E_PARAM where nodes of a level have not as many parts, or for too many
 * levels; SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_consistent_make(sc_consistent_level *levels, size_t count,
                                               const sc_ratio *beta, scrim_error *error);

#endif
