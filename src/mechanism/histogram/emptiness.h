/* Has a set any element? The least delta for an answer that is certain from a size on.
 *
 * Input       the number of elements of each set, integers from 0 on
 * Output      of each set 1, it has some, or 0; an empty set never has, one of certain elements
 *             always
 * Neighbours  add-remove or replace, of one element
 * Claim       emptiness.privacy  (epsilon, delta)-DP; delta = P(Z = 0) of the noise of stlap.h with
 *                                q = certain - 1, of both sides under replace
 * Claim       emptiness.optimal  under add-remove no mechanism that never calls the empty set full,
 *                                and always one of certain elements, has a smaller delta
 * Claim       emptiness.exact    a set of k elements is called full with probability P(Z > -k), the
 *                                sets independently
 * Time        depends on the noise, never on the sizes
 * Reference   spec/flexible-accuracy.md 8
 *
 * It is the histogram of stlap.h, of which only "more than 0" is shown. Where not certain but delta
 * is given, partition-selection calls sets full as often as any mechanism may.
 */
#ifndef SC_MECHANISM_HISTOGRAM_EMPTINESS_H
#define SC_MECHANISM_HISTOGRAM_EMPTINESS_H

#include "model/measurement.h"

extern const sc_mechanism sc_emptiness;

/* P(Z > -k): a set of k elements is called full. */
void sc_emptiness_chance(const scrim_measurement *measurement, int64_t k, long bits,
                         sc_ball *out);

#endif
