/* AboveThreshold: which of many queries is the first above a threshold.
 *
 * Input       queries, each an integer of sensitivity D (rounded up to an integer) under the
 *             neighbours; they may be chosen one by one, after seeing the answers so far
 * Output      "below" for each query until the first that is "above", and nothing after it:
 *             q + V >= T + Z, Z discrete Laplace of scale 2D/epsilon, V of scale 4D/epsilon
 *             for each query, or 2D/epsilon when they are monotone
 * Neighbours  add-remove or replace; monotone queries, which all move in one direction when a
 *             unit comes or goes, under add-remove only
 * Claim       above-threshold.privacy   epsilon-DP, no delta, for any number of queries
 * Claim       above-threshold.accuracy  see sparse_measurement.h
 * Time        depends on the noise of whole chunks, never on a query
 * Reference   Dwork, Naor, Reingold, Rothblum, Vadhan 2009; spec/mechanisms.md 9.1
 *
 * Going on after the first "above" costs more than any epsilon
 * (v:printed_above_threshold_nonhalting).
 */
#ifndef SC_MECHANISM_ABOVE_THRESHOLD_H
#define SC_MECHANISM_ABOVE_THRESHOLD_H

#include "model/mechanism.h"

extern const sc_mechanism sc_above_threshold;

#endif
