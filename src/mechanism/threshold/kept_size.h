/* How large a group must be to be kept: the number by which mechanisms on groups are compared.
 *
 * Claim  kept-size.smallest  a group of this size is kept with probability p or more, and one
 *                            of a unit less is not
 *
 * Reference  spec/thresholding.md 3, 5, 6
 */
#ifndef SC_MECHANISM_THRESHOLD_KEPT_SIZE_H
#define SC_MECHANISM_THRESHOLD_KEPT_SIZE_H

#include "base/number/ball.h"
#include "base/number/ratio.h"
#include "model/measurement.h"

/* The smallest number of units that is kept with probability p or more, for a measurement of
 * partition-selection or a threshold-*. False, with units untouched, for any
 * other mechanism, where p is not above 0 and at most 1, where p is 1 and no group is certain
 * (noise has no bound), and where the number has more than 64 bits. */
SCRIM_MUST_USE bool sc_threshold_kept_size(const scrim_measurement *measurement,
                                           const sc_ratio *p, uint64_t *units);

/* How large a group must be for any mechanism to publish it with a given probability.
 *
 * An (epsilon, delta)-DP mechanism that never publishes a missing group publishes a group k
 * neighbours away from missing with probability p <= delta (exp(k epsilon) - 1)/(exp(epsilon) - 1):
 * each step multiplies the probability by exp(epsilon) at most and adds delta. So
 *
 *     k >= ln(1 + (p / delta)(exp(epsilon) - 1)) / epsilon,   and a group of n has k = ceil(n / sensitivity)
 *
 * The other direction binds from
 *
 *     t = 1 + floor(ln((exp(epsilon) + 2 delta - 1) / ((exp(epsilon) + 1) delta)) / epsilon)
 *
 * steps on, where the probability is p_t by the line above: what is not published shrinks by
 * exp(-epsilon) and delta at most. With c = delta / (exp(epsilon) - 1), above p_t
 *
 *     k >= t + ln((1 + c - p_t) / (1 + c - p)) / epsilon
 *
 * Claim  least-size.bound  no mechanism publishes a smaller group with probability p
 * Claim  least-size.tight  for a sensitivity of 1 and one group a unit partition_selection.h publishes
 *                          that one
 *
 * Reference  spec/thresholding.md 4, 5, F4: without the factor exp(epsilon) - 1 it is wrong below ln 2
 */

/* The first bound on k above; epsilon > 0, delta > 0, p > 0. */
void sc_least_steps(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                    long bits, sc_ball *out);
/* The smallest number of units; false when it has more than 63 bits. */
bool sc_least_size(const sc_ratio *epsilon, const sc_ratio *delta, uint64_t sensitivity,
                   const sc_ratio *p, uint64_t *units);

#endif
