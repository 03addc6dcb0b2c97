/* Generalised sparse vector: discrete Laplace or discrete Gaussian noise on the threshold and on
 * the queries, each of a scale or variance of its own.
 *
 * Input       queries, each an integer of sensitivity D (rounded up to an integer) under the
 *             neighbours; they may be chosen one by one. With nonnegative=yes what is below 0
 *             is taken as 0
 * Output      "below" or "above" for each query, q + V >= T + Z, until the count-th "above" or
 *             the length-th query; with resample=yes Z is drawn anew after each "above"
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       generalised-sparse-vector.privacy   the Renyi curve of sparse_renyi.h; pure where
 *                                     both noises are Laplace; with delta=R, (epsilon, delta)-DP
 *                                     for the epsilon of sparse_renyi.h
 * Claim       generalised-sparse-vector.accuracy  see sparse_measurement.h
 * Time        depends on the noise of whole chunks, never on a query
 * Reference   Zhu, Wang 2020, corrected; spec/local-and-accounting.md 7.1, 7.2
 *
 * Gaussian noise on the queries needs a length, or queries that are never negative and a query
 * variance above count times the threshold's. The cost then depends on the threshold, which is
 * to be chosen before any data are seen.
 */
#ifndef SC_MECHANISM_GENERALISED_H
#define SC_MECHANISM_GENERALISED_H

#include "mechanism/sparse/sparse_measurement.h"

extern const sc_mechanism sc_generalised_sparse_vector;

/* Sets the domain and the noise from the parameters, for the stage-wise form too. */
SCRIM_MUST_USE scrim_status sc_generalised_set_noise(scrim_measurement *measurement,
                                                     sc_sparse_state *state,
                                                     scrim_error *error);
/* Once all parts are added: that there is a curve, and the pair of a delta. */
SCRIM_MUST_USE scrim_status sc_generalised_settle(scrim_measurement *measurement,
                                                  sc_sparse_state *state,
                                                  scrim_error *error);
/* The level for sc_sparse_renyi_add. */
int64_t sc_generalised_level(const scrim_measurement *measurement);
scrim_status sc_generalised_cost(const scrim_measurement *measurement, sc_exact_cost *out,
                                 scrim_error *error);

#endif
