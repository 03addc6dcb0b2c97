/* The range mechanism: an interval that holds the truth always, or none.
 *
 * Input       a vector of numbers, of l1 sensitivity D >= 1 under the neighbours, in steps
 * Output      of each value x the centre x + Z of an interval of width L steps to either side,
 *             where |Z| <= L; else nothing. P(Z = z) proportional to exp(-|z| epsilon / D)
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       range.privacy   (epsilon, delta)-DP with delta = (1 - exp(-epsilon))
 *                             P(Z >= L - D + 1), whatever the number of values; of one value
 *                             (size=1, or with a grid) the curve is that of the exact law. A delta
 *                             that was given is charged as it was given
 * Claim       range.smallest  the L for a delta is the smallest from D on that meets it
 * Claim       range.holds     an interval that is shown holds the truth, always
 * Claim       range.none      each value is without a range with probability P(|Z| > L), by the
 *                             noise alone, whatever the data: so a missing range may be shown
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   spec/thresholding.md 2, F1 and F2
 *
 * Proof. Against a shift of s steps in one value the centres that only one side reaches have noise
 * beyond L - s: mass b(s) = P(Z > L - s) - P(Z > L). Elsewhere probabilities differ by
 * exp(s epsilon / D) at most, and nothing is shown with the same probability on both sides. So for
 * shifts s_i of sum D the delta at epsilon is 1 - prod(1 - b(s_i)). As b is convex and b(0) = 0,
 * b(s) is at most (s / D) b(D); and 1 - prod(1 - b_i) is at most the sum of the b_i: one value that
 * moves by all of D is the worst. No factor for the number of values.
 *
 * It looks at its noise, and is no filter on what a mechanism without delta has said.
 */
#ifndef SC_MECHANISM_THRESHOLD_HARD_RANGE_H
#define SC_MECHANISM_THRESHOLD_HARD_RANGE_H

#include "model/measurement.h"

#define SC_RANGE_NONE INT64_MIN /* in the law: there is no range */

extern const sc_mechanism sc_hard_range;

/* L of such a measurement. */
uint64_t sc_hard_range_width(const scrim_measurement *measurement);
/* The probability that any of count values has no range. */
void sc_hard_range_none(const scrim_measurement *measurement, uint64_t count, long bits,
                        sc_ball *out);

#endif
