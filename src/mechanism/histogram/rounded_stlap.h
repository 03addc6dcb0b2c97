/* A histogram that only ever loses elements, as it was first published: truncated Laplace noise on
 * the real line, rounded.
 *
 * Input       the number of elements of each bar, integers from 0 on; above 2^62 they count as that,
 *             and what is no integer as 0
 * Output      x + Z of each bar, rounded to the nearest integer, or 0 where that is negative; Z has
 *             the density of Laplace noise of scale 1/epsilon about -q/2, cut to (-q, 0). 0 stands
 *             for a bar that is not shown, and an empty bar never is
 * Neighbours  add-remove: one element is there or not
 * Claim       rounded-stlap.privacy   (epsilon, delta)-DP with epsilon = 1/sqrt q (q is the square of
 *                                     an integer) unless it is given, and
 *                                     delta = (e^epsilon - 1) / (2 (e^(epsilon q/2) - 1)) for q >= 3,
 *                                     1/2 for q = 1; the curve is exact, and attained
 * Claim       rounded-stlap.accuracy  x - q <= y <= x always
 * Claim       rounded-stlap.exact     the bars are independent, and each has exactly the law above
 * Claim       rounded-stlap.facts     the delta that the source states, the one above, that of stlap
 *                                     with the same q and epsilon and the chances to lose no element
 *                                     and one are as printed; no bound is below its true value
 * Time        depends on the noise alone: it is drawn for every bar before any count is read
 * Reference   spec/papers-additions.md 5.1; errata E6; seeds document 000, Mechanism 4
 *
 * No real number is drawn. Let k be the number of half steps that -Z holds: P(k) is proportional to
 * exp(-(epsilon/2) |k - (2q-1)/2|), k = 0..2q-1, which is shifted Laplace noise of epsilon/2 and
 * 2q-1 (stlap_noise.h), and floor((k+1)/2) elements are lost. Of these chances the second is more
 * than e^epsilon times the first, so that delta is more than the mass of the end: stlap, whose law
 * is on the integers to begin with, has a smaller delta for the same q and epsilon.
 */
#ifndef SC_MECHANISM_HISTOGRAM_ROUNDED_STLAP_H
#define SC_MECHANISM_HISTOGRAM_ROUNDED_STLAP_H

#include "model/measurement.h"

extern const sc_mechanism sc_rounded_stlap;

/* P(first <= elements lost <= last), of such a measurement; first <= last <= q. */
void sc_rounded_stlap_lost(const scrim_measurement *measurement, uint64_t first,
                           uint64_t last, long bits, sc_ball *out);
/* The delta at an epsilon >= 0. */
void sc_rounded_stlap_delta(const scrim_measurement *measurement, const sc_ratio *epsilon,
                            long bits, sc_ball *out);

#endif
