/* How wrong a sparse vector run can be.
 *
 * A run of k queries is good to within a when every answer "above" has q >= T - a, every "below"
 * has q <= T + a, and every value that is shown lies within a of its query. Whatever the queries,
 * and however they were chosen, it is good when the largest |threshold noise| and the largest
 * |query noise| together are at most a, and so is the largest |value noise|: the noises are
 * independent, so that this has the probability
 *
 *     sum over t of P(largest |threshold noise| = t) P(|query noise| <= a - t)^k
 *     times P(|value noise| <= a)^c
 *
 * Claim  sparse.accuracy  the probability that a run is not good to within the radius is at most
 *                         beta, whatever the queries
 *
 * Claim  sparse.value     each value that is shown lies within the value radius of its query but
 *                         for a probability of beta: its noise is drawn after the answer
 *
 * It says nothing about when a run halts.
 *
 * Reference  spec/mechanisms.md 9.4; spec/local-and-accounting.md 7.4
 */
#ifndef SC_MECHANISM_SPARSE_ACCURACY_H
#define SC_MECHANISM_SPARSE_ACCURACY_H

#include "mechanism/sparse/sparse_run.h"

/* An upper bound of the probability that a run of so many queries is not good to within
 * a >= 0; exactly the probability above where a is below 512. */
void sc_sparse_failure_upper(const sc_sparse_plan *plan, uint64_t queries, sc_int128 a,
                             long bits, sc_ball *out);

/* A radius for 0 < beta < 1: the smallest whose bound above is at most beta, to within one
 * part in 1000 where it is large. */
SCRIM_MUST_USE scrim_status sc_sparse_radius(const sc_sparse_plan *plan,
                                             const sc_ratio *beta, uint64_t queries,
                                             sc_int128 *out, scrim_error *error);

#endif
