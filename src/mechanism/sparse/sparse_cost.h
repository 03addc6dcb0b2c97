/* From the Renyi curve of a run to what is charged.
 *
 * Without a delta the curve is all there is, and a pure epsilon where both noises are pure. With
 * one, (epsilon, delta) is charged: the least epsilon that follows from the orders by Canonne,
 * Kamath and Steinke, from the pure epsilon, or, for S > 1 stages, from each stage as an
 * (e', delta')-DP part and their optimal composition with S delta' taken off delta.
 *
 * Claim  sparse-cost.upper  a run is (epsilon, delta)-DP for the pair that is charged
 *
 * Reference  spec/local-and-accounting.md 5, 7.2, 7.3; spec/mechanisms.md 8.3
 */
#ifndef SC_MECHANISM_SPARSE_COST_H
#define SC_MECHANISM_SPARSE_COST_H

#include "mechanism/sparse/sparse_renyi.h"
#include "model/cost.h"

/* Finds the pair for a delta and keeps it in renyi. False when no epsilon follows. */
bool sc_sparse_cost_settle(sc_sparse_renyi *renyi, const sc_ratio *delta);

/* Sets everything but neighbours; delta as it was settled, or NULL. renyi is kept. */
void sc_sparse_cost_set(const sc_sparse_renyi *renyi, const sc_ratio *delta,
                        sc_exact_cost *out);

#endif
