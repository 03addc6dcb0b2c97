/* How large a group must be to be kept: the number by which mechanisms on groups are compared.
 *
 * Claim  kept-size.smallest  a group of so many units is kept with probability p or more, and one
 *                            of a unit less is not
 *
 * Reference  spec/thresholding.md 3, 5, 6
 */
#ifndef SC_MECHANISM_THRESHOLD_KEPT_SIZE_H
#define SC_MECHANISM_THRESHOLD_KEPT_SIZE_H

#include "model/measurement.h"

/* Of a measurement of a mechanism on groups, partition-selection or a threshold-*: the smallest
 * number of units that is kept with probability p or more. False, with units untouched, for any
 * other mechanism, where p is not above 0 and at most 1, where p is 1 and no group is certain
 * (noise has no bound), and where the number has more than 64 bits. */
SCRIM_MUST_USE bool sc_threshold_kept_size(const scrim_measurement *measurement,
                                           const sc_ratio *p, uint64_t *units);

#endif
