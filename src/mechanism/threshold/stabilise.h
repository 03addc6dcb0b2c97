/* Stabilising a universe that changes: which keys have utility enough to be used at all.
 *
 * Input       the utility of each key, integers from 0 on; 0 is that of a key that is not there
 * Output      of each key 1, it is kept, or 0: u + Z >= K decides, P(Z = z) proportional to
 *             exp(-|z| epsilon / D); a key without utility is never kept
 * Neighbours  add-remove or replace, for which the sensitivity D was declared: the most by which
 *             the utilities change, all keys together. Of one unit alone, sum over keys of at most
 *             D; or, where max-groups is given, at most so many keys of at most largest each (D
 *             unless given)
 * Claim       stabilise.privacy   (epsilon, delta)-DP; K is the smallest integer from 1 on for
 *                                 which the mass of new_groups.h is at most delta, or delta is
 *                                 that mass for the threshold K
 * Claim       stabilise.exact     each key is kept independently of the others, with exactly that
 *                                 probability
 * Claim       stabilise.accuracy  a key of the stated utility or more is kept with the stated
 *                                 probability, and no smaller utility will do
 * Time        depends on the noise, never on the utilities
 * Reference   spec/thresholding.md 7, F10 to F13
 *
 * It is the sum over keys that must be bounded: where each key's utility moves by 1 and all of them
 * do, the set of kept keys alone tells them apart. The exact data of the kept keys may not be seen
 * by anybody; the keys themselves may (stabilised.h). Where the utility is the number of units,
 * partition_selection.h keeps more.
 */
#ifndef SC_MECHANISM_THRESHOLD_STABILISE_H
#define SC_MECHANISM_THRESHOLD_STABILISE_H

#include "model/measurement.h"

extern const sc_mechanism sc_stabilise;

/* For stabilised.h, whose first step it is. */

/* The descriptor of both steps, by what the second one takes; NULL where it cannot be one. */
const sc_mechanism *sc_stabilised_by(const scrim_measurement *then);

#define SC_STABILISE_PARAMETERS 8
extern const sc_parameter_rule sc_stabilise_parameters[SC_STABILISE_PARAMETERS];
SCRIM_MUST_USE scrim_status sc_stabilise_check(scrim_measurement *measurement,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_stabilise_draw(const scrim_measurement *measurement,
                                              sc_bits *bits,
                                              const sc_private_input *input, sc_draw *out,
                                              scrim_error *error);
void sc_stabilise_change(const scrim_measurement *measurement, sc_change *out);
/* The probability that a key of a utility is kept, or that it is not. */
void sc_stabilise_mass(const scrim_measurement *measurement, int64_t utility,
                       bool is_kept, long bits, sc_ball *out);

#endif
