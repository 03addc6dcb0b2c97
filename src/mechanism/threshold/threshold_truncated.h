/* Noisy counts of groups, shown where they reach a threshold: noise that has a bound.
 *
 * Input       the number of units of each group, integers from 0 on
 * Output      of each group n + Z where that is above B, else nothing; P(Z = z) proportional to
 *             exp(-|z| epsilon / k), |z| <= B; a group without units could not be shown
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups, 1 unless given, and
 *             counts once in each; k = max-groups, twice that under replace
 * Claim       threshold-truncated.privacy   (epsilon, delta)-DP; with b = P(Z = B) the delta is
 *                                           1 - (1 - b)^k, which neighbours attain, and B the
 *                                           smallest for which that is at most delta. The curve is
 *                                           that of the exact law for k = 1; beside an event of
 *                                           that probability on either side it is epsilon-DP
 * Claim       threshold-truncated.range     no count that is shown is further than B from the
 *                                           truth, ever
 * Claim       threshold-truncated.exact     the law is exactly that
 * Claim       threshold-truncated.accuracy  a group of the stated number of units or more is shown
 *                                           with the stated probability, and no smaller number will
 *                                           do; one of 2 B + 1 units always
 * Time        depends on the noise, never on the counts: noise is drawn before they are read
 * Reference   Desfontaines, Voss, Gipson, Mandayam 2022; spec/thresholding.md 5
 *
 * Proof. To leave out what is not above B is to look at n + Z alone, for groups without units as
 * well, of which none is above it. So a unit moves k counts by one each, under truncated noise.
 * Where a count moves by one the outermost value is out of the other's reach, which has mass b;
 * elsewhere probabilities differ by exp(epsilon / k). For k counts, outcomes that the other side
 * cannot have have mass 1 - (1 - b)^k, and the rest differs by exp(epsilon). New groups attain it,
 * and so
 * do groups of more than 2 B units.
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_TRUNCATED_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_TRUNCATED_H

#include "model/measurement.h"

extern const sc_mechanism sc_threshold_truncated;

#endif
