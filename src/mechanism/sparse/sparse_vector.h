/* Sparse vector: which queries are above a threshold, until c of them are.
 *
 * Input       queries, each an integer of sensitivity D (rounded up to an integer) under the
 *             neighbours; they may be chosen one by one, after seeing the answers so far
 * Output      "below" or "above" for each query until the c-th "above", and nothing after it;
 *             with numeric=yes each "above" comes with the query's value and noise of its own,
 *             never the noise of the comparison
 *
 *     form=a  one threshold: Z of scale D/e1, V of 2cD/e2 (monotone: cD/e2), values of cD/e3,
 *             e1 + e2 + e3 = epsilon split for the least predicted error
 *     form=b  c runs of AboveThreshold, each with a threshold of its own, at epsilon/c; with a
 *             delta at the largest epsilon whose optimal composition is within (epsilon, delta)
 *
 * Neighbours  add-remove or replace; monotone queries under add-remove only
 * Claim       sparse-vector.privacy   epsilon-DP, no delta, for any number of queries; form=b
 *                                     with a delta is (epsilon, delta)-DP
 * Claim       sparse-vector.accuracy  see sparse_measurement.h
 * Time        depends on the noise of whole chunks and on the answers, never on a query
 * Reference   Lyu, Su, Li 2017; spec/mechanisms.md 9.2, 9.3
 */
#ifndef SC_MECHANISM_SPARSE_VECTOR_H
#define SC_MECHANISM_SPARSE_VECTOR_H

#include "mechanism/sparse/sparse_measurement.h"

extern const sc_mechanism sc_sparse_vector;

/* The noise of form=a, once the state is made: by epsilon, count, monotone and numeric. */
SCRIM_MUST_USE scrim_status sc_sparse_vector_one_threshold(
    const scrim_measurement *measurement, sc_sparse_state *state, scrim_error *error);

#endif
