/* What several draws cost together: the parts of one release, fixed before it is charged.
 *
 * Epsilons and deltas add up. Parts that promise a rho and no epsilon of their own, which is what
 * a Gaussian of a given variance does, are added up as rho first and turned into one (epsilon,
 * delta) at a delta that is set aside for them (spec/local-and-accounting.md). A part whose draws
 * are made for each group by itself costs as many of them as one unit can change.
 */
#ifndef SC_ACCOUNT_BUNDLE_H
#define SC_ACCOUNT_BUNDLE_H

#include "model/measurement.h"

typedef struct sc_bundle sc_bundle;

SCRIM_MUST_USE scrim_status sc_bundle_new(scrim_neighbours neighbours, sc_bundle **out,
                                          scrim_error *error);
void sc_bundle_free(
    sc_bundle *bundle); /* NULL is allowed; measurements stay the caller's */

/* Adds a part and gives its number, from 0 on; copies >= 1. The measurement must live as long. */
SCRIM_MUST_USE scrim_status sc_bundle_add(sc_bundle *bundle,
                                          const scrim_measurement *measurement,
                                          uint64_t copies, size_t *part,
                                          scrim_error *error);
/* After the last part: delta is for those that promise a rho alone, 0 when there are none.
 * SCRIM_E_PARAM when it is needed and 0. */
SCRIM_MUST_USE scrim_status sc_bundle_fix(sc_bundle *bundle, const sc_ratio *delta,
                                          scrim_error *error);

/* The costs to be charged: one of all that is pure or has its own (epsilon, delta), one of what is
 * concentrated; in the relation of the bundle. */
const sc_cost *sc_bundle_costs(const sc_bundle *bundle, size_t *count);
/* The sum: what is shown. */
const scrim_cost *sc_bundle_cost(const sc_bundle *bundle);
size_t sc_bundle_count(const sc_bundle *bundle);
const scrim_measurement *sc_bundle_measurement(const sc_bundle *bundle, size_t part);
uint64_t sc_bundle_copies(const sc_bundle *bundle, size_t part);

#endif
