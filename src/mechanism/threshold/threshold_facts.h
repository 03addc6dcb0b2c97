/* What the delta of a threshold is made of: new groups, noise, and both added up beside the exact
 * one.
 *
 * Claim  threshold-facts.bounds  no number is below what it stands for; the exact delta is never
 *                                above both added up
 *
 * Reference  spec/thresholding.md 6, "add the deltas"
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_FACTS_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_FACTS_H

#include "model/measurement.h"

typedef struct sc_threshold_deltas {
    sc_ball exact, new_groups, noise, added;
} sc_threshold_deltas;

void sc_threshold_deltas_init(sc_threshold_deltas *out);
void sc_threshold_deltas_clear(sc_threshold_deltas *x);
/* At the epsilon that is charged. False, with out untouched, for a mechanism without a
 * threshold. */
SCRIM_MUST_USE bool sc_threshold_deltas_of(const scrim_measurement *measurement,
                                           long bits, sc_threshold_deltas *out);

#endif
