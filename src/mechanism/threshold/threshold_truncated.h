/* Noisy counts of groups, shown only if they reach a threshold; the noise is bounded.
 *
 * Input       the number of units of each group, integers of at least 0
 * Output      for each group n + Z if that is above B, else nothing; P(Z = z) proportional to
 *             exp(-|z| epsilon / k), |z| <= B; so a group without units is never shown
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups, 1 unless given, and
 *             counts once in each; k = max-groups, twice that under replace
 * Claim       threshold-truncated.privacy   (epsilon, delta)-DP; with b = P(Z = B) the delta is
 *                                           1 - (1 - b)^k, which some neighbours attain, and B is the
 *                                           smallest bound for which that is at most delta. For
 *                                           k = 1 the privacy curve is exact; for larger k it is
 *                                           epsilon-DP outside an event of that probability
 * Claim       threshold-truncated.range     no count that is shown is further than B from the
 *                                           truth, ever
 * Claim       threshold-truncated.exact     counts have exactly this distribution
 * Claim       threshold-truncated.accuracy  a group of the stated number of units or more is shown
 *                                           with the stated probability, and the stated number is
 *                                           the smallest such; a group of 2 B + 1 units always is
 * Time        depends on the noise, never on the counts: noise is drawn before they are read
 * Reference   Desfontaines, Voss, Gipson, Mandayam 2022; spec/thresholding.md 5
 *
 * Proof. Whether a count is shown depends on n + Z alone. Groups without units can be counted among the
 * input, since n + Z of such a group is at most B. So a unit moves k counts by one each, under truncated noise.
 * If a count moves by one, one side has an outermost value, of mass b, that the other side cannot have;
 * all other probabilities differ by a factor of at most exp(epsilon / k). For k counts the outcomes that the
 * other side cannot have have mass 1 - (1 - b)^k, and the rest differs by at most exp(epsilon). New groups, and
 * groups of more than 2 B units, attain this.
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_TRUNCATED_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_TRUNCATED_H

#include "model/measurement.h"

extern const sc_mechanism sc_threshold_truncated;

#endif
