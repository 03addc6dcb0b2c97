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

#endif
