/* Noisy counts of groups, shown where they reach a threshold: discrete Laplace noise.
 *
 * Input       the number of units of each group, integers from 0 on
 * Output      of each group n + Z where that is at least T, else nothing; P(Z = z) proportional to
 *             exp(-|z| epsilon / k); a group without units is never shown
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups, 1 unless given, and
 *             counts once in each; k = max-groups, twice that under replace
 * Claim       threshold-laplace.privacy   (epsilon, delta)-DP; T is the smallest integer from 1 on
 *                                         for which 1 - P(1 + Z < T)^max-groups is at most delta
 * Claim       threshold-laplace.exact     the law is exactly that; a count that is T is shown
 * Claim       threshold-laplace.accuracy  a group of the stated number of units or more is shown
 *                                         with the stated probability, and no smaller number will
 *                                         do; n + Z is within the radius of values with it
 * Time        depends on the noise, never on the counts: noise is drawn before they are read
 * Reference   Korolova, Kenthapadi, Mishra, Ntoulas 2009; spec/thresholding.md 1, 3
 *
 * Proof. Say that x has j groups of the unit alone, y has i of them, and the unit is in s more
 * groups of others, i + j + s <= k. All groups of the unit alone stay unseen with probability F^j
 * and F^i, F = P(1 + Z < T), independently of the rest, whose probabilities differ by e^(w s) at
 * most, w = epsilon/k. What x shows and y cannot has mass 1 - F^j. Of the rest, S, P(S) is at most
 * e^(w s) F^(j-i) Q(S), so that P(S) - e^epsilon Q(S) is at most P(S) (1 - F^(i-j)), which is above
 * 0 for i > j only, and then at most F^j - F^i. Together at most 1 - F^max(i, j), and neither is
 * above max-groups.
 *
 * noisy_threshold.h draws, lists and certifies. What is left out leaves no trace where groups come
 * from data; see partition_selection.h, which keeps groups more often, without their counts.
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_LAPLACE_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_LAPLACE_H

#include "model/measurement.h"

extern const sc_mechanism sc_threshold_laplace;

#endif
