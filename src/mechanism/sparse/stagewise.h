/* Stage-wise sparse vector: generalised runs one after the other, each with a threshold of its
 * own, so that the count of possible outputs, which the cost of Gaussian noise grows with, is
 * that of a short stage.
 *
 * Input       as generalised.h
 * Output      "below" or "above" for each query; a stage ends at its stage-th "above" or its
 *             stage-length-th query, and the run after ceil(count / stage) stages; a stage that
 *             ends without all its answers is charged all the same
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       stagewise-sparse-vector.privacy   the sum of the stages' Renyi curves; with
 *                                     delta=R, (epsilon, delta)-DP for the epsilon of
 *                                     sparse_renyi.h
 * Claim       stagewise-sparse-vector.accuracy  see sparse_measurement.h
 * Time        depends on the noise of whole chunks, never on a query
 * Reference   Zhu, Wang 2020, corrected; spec/local-and-accounting.md 7.3
 */
#ifndef SC_MECHANISM_STAGEWISE_H
#define SC_MECHANISM_STAGEWISE_H

#include "model/mechanism.h"

extern const sc_mechanism sc_stagewise_sparse_vector;

#endif
