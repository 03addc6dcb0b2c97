/* The nearest table of a given total: Euclidean projection on the simplex, in integers.
 *
 * Given integers a_1..a_d and a total r >= 0, the weights t_i >= 0 with sum r that minimise
 * sum (t_i - a_i)^2 are t_i = max(0, a_i - gamma), for the one gamma at which they add up to r. With m the
 * number of a_i above gamma, and P their sum, gamma = (P - r)/m.
 *
 * Claim      projection.exact    support and sum are m and P, without rounding; the weights are the minimiser
 * Claim      projection.integer  the whole numbers are a minimiser among whole numbers, each less than 1 from
 *                                its exact weight; they are not negative and add up to the total
 * Time       linear: at most seven passes, each over all values, and no memory but a fixed table
 * Limits     |a_i| <= 2^61, 0 <= r <= 2^61, 1 <= d <= 2^27
 * Reference  spec/microdata.md 3; Lemma 9.5 of the survey (002)
 * Proof      The objective is strictly convex, and these t_i meet the conditions of Karush, Kuhn and Tucker.
 *            In whole numbers the r units go where the marginal cost t - a_i is smallest: all below
 *            -ceil(gamma), and some of those equal to it, which all cost the same.
 *
 * The values are noisy counts: all of this is computed from what could be shown.
 */
#ifndef SC_MECHANISM_MICRODATA_PROJECTION_H
#define SC_MECHANISM_MICRODATA_PROJECTION_H

#include "base/checked.h"
#include "base/hash.h"

#define SC_PROJECTION_CELLS ((size_t)1 << 27)
#define SC_PROJECTION_VALUE ((int64_t)1 << 61)

typedef struct sc_projection {
    uint64_t support; /* m; 0 where the total is 0 */
    sc_int128 sum;    /* P */
    int64_t total;    /* r */
} sc_projection;

void sc_project(const int64_t *values, size_t count, int64_t total, sc_projection *out);
/* m t_i: the weight of a value, times the support. 0 where the total is 0. */
sc_int128 sc_projection_weight(const sc_projection *projection, int64_t value);

/* Which of equal cells get the units that are left: those whose place, counted from first, comes first in
 * a public order. */
typedef struct sc_tie_order {
    sc_hash_key key;
    uint64_t first;
} sc_tie_order;

/* Replaces the values by whole weights. Without an order the first cells get what is left. */
void sc_project_integer(int64_t *values, size_t count, int64_t total,
                        const sc_tie_order *order);

/* A noisy count as the projection takes it: brought to +-2^61. */
static inline int64_t sc_projection_clamp(sc_int128 value)
{
    if (value > SC_PROJECTION_VALUE)
        return SC_PROJECTION_VALUE;
    return value < -SC_PROJECTION_VALUE ? -SC_PROJECTION_VALUE : (int64_t)value;
}

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
