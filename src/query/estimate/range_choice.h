/* A number WITH RANGE: two mechanisms whose interval holds the truth always, and the narrower one.
 *
 * `truncated-laplace` has noise within a bound B, and always an answer. `range` (hard_range.h) has
 * noise that is not cut, and no range where that is beyond L: its tails weigh what they weigh, so
 * that L is never above B at the same epsilon and delta, and below it where delta is not small
 * against epsilon. It is taken where it is narrower and has a range 19 times of 20, as often as a
 * choice of noise is made for (plan_choice.h); else the first, which always has an answer.
 *
 * Claim  range-choice.narrower  of the two, at the same sensitivity, epsilon and delta, the
 *                               interval is the narrower one, but that one which is missing more
 *                               often than once in 20 times is not taken; where both are alike
 *                               there always is one
 */
#ifndef SC_QUERY_RANGE_CHOICE_H
#define SC_QUERY_RANGE_CHOICE_H

#include "model/measurement.h"

/* For an l1 sensitivity, in steps. SCRIM_E_LIMIT when neither can be had. */
SCRIM_MUST_USE scrim_status sc_range_choose(const sc_ratio *sensitivity,
                                            const sc_ratio *epsilon,
                                            const sc_ratio *delta,
                                            scrim_neighbours neighbours,
                                            scrim_measurement **out, scrim_error *error);

/* How far the truth is from what such a measurement says, at most and always, in steps; false for
 * any other. */
bool sc_range_bound(const scrim_measurement *measurement, sc_int128 *out);
/* May it have no answer? */
bool sc_range_may_be_none(const scrim_measurement *measurement);

/* For people: "within 852 always, or no range (1 in 2000); 854 by truncated-laplace"; nothing for
 * any other measurement. */
#define SC_RANGE_TEXT_BYTES 256
void sc_range_put(const scrim_measurement *measurement, char out[SC_RANGE_TEXT_BYTES]);

#endif
