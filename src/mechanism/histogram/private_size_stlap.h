/* A histogram that loses at most a fraction of its elements, where their number is private.
 *
 * Input       the number of elements of each bar, integers from 0 on
 * Output      first the estimate s = max(0, n + Z) of the number n of all elements, then of each
 *             bar max(0, x + Z'): Z of size-epsilon and the least q for size-delta, Z' of
 *             bar-epsilon and q = max(q0, floor(tau s)), q0 being the least for bar-delta
 * Neighbours  add-remove: one element is there or not
 * Claim       private-size-stlap.privacy   (size-epsilon + bar-epsilon, size-delta + bar-delta)-DP:
 *                                          once s is out, q is a public number
 * Claim       private-size-stlap.accuracy  s <= n, and no bar loses more than q, which is at most
 *                                          tau n where n is at least q0 / tau
 * Claim       private-size-stlap.exact     the law is exactly that
 * Time        depends on the noise and on s
 * Reference   spec/flexible-accuracy.md 6 (V3)
 *
 * A q that is computed from n itself is not private (spec/flexible-accuracy.md 6): all bars would
 * tell of one element.
 */
#ifndef SC_MECHANISM_HISTOGRAM_PRIVATE_SIZE_STLAP_H
#define SC_MECHANISM_HISTOGRAM_PRIVATE_SIZE_STLAP_H

#include "model/measurement.h"

extern const sc_mechanism sc_private_size_stlap;

/* q0, and the q that follows from an estimate; it is at most 2^31 - 1. */
uint64_t sc_private_size_stlap_least(const scrim_measurement *measurement);
uint64_t sc_private_size_stlap_q(const scrim_measurement *measurement, uint64_t estimate);

#endif
