/* How a sparse vector run divides its epsilon.
 *
 * Form (A) with c answers adds noise of scale D/e1 to the threshold, of 2cD/e2 to each query
 * (cD/e2 when they are monotone) and of cD/e3 to each value that is shown. The variance of the
 * comparison, and of the value beside it, is least at the split
 *
 *     e1 : e2 : e3 = 1 : (2c)^(2/3) : c^(2/3)      (monotone  1 : c^(2/3) : c^(2/3))
 *
 * Form (B) composes c runs of e0 each: e/c, or with a delta the largest e0 whose optimal
 * composition is within (e, delta).
 *
 * Claim  sparse-split.sum      the parts are rationals above 0 that sum to epsilon exactly
 * Claim  sparse-split.per-run  c runs of the per-run epsilon are (epsilon, delta)-DP
 *
 * Reference  Lyu, Su, Li 2017; spec/mechanisms.md 8.3, 9.2, 9.3
 */
#ifndef SC_MECHANISM_SPARSE_SPLIT_H
#define SC_MECHANISM_SPARSE_SPLIT_H

#include "base/number/ball.h"

typedef struct sc_sparse_shares {
    sc_ratio threshold, query, value; /* value is 0 where none is shown */
} sc_sparse_shares;

void sc_sparse_shares_init(sc_sparse_shares *shares);
void sc_sparse_shares_clear(sc_sparse_shares *shares);

/* The three shares of 1, in that order, as real numbers. */
void sc_sparse_share(uint64_t count, bool is_monotone, bool is_numeric, long bits,
                     sc_ball share[3]);
/* The same of epsilon: the first and the last rounded down, the rest for the queries. */
void sc_sparse_split(const sc_ratio *epsilon, uint64_t count, bool is_monotone,
                     bool is_numeric, sc_sparse_shares *out);

/* One run of form (B) with its value, epsilon in all: threshold holds what AboveThreshold gets
 * (it halves it), value the rest; 20^(1/3) : 1, or 2 : 1 when monotone. query is 0. */
void sc_sparse_split_run(const sc_ratio *epsilon, bool is_monotone, bool is_numeric,
                         sc_sparse_shares *out);

/* At most the largest e0 <= epsilon such that count runs of it are (epsilon, delta)-DP, and at
 * least epsilon/count; epsilon/count itself when delta is 0. */
#define SC_SPARSE_COMPOSED_MAX 4096 /* runs, when delta is not 0 */
void sc_sparse_per_run_epsilon(const sc_ratio *epsilon, const sc_ratio *delta,
                               uint64_t count, sc_ratio *out);

#endif
