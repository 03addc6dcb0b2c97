/* Noisy counts of groups, shown where they reach a threshold: discrete Gaussian noise.
 *
 * Input       the number of units of each group, integers from 0 on
 * Output      of each group n + Z where that is at least T, else nothing; P(Z = z) proportional to
 *             exp(-z^2 / (2 variance)); a group without units is never shown
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups, 1 unless given, and
 *             counts once in each
 * Claim       threshold-gaussian.privacy   (epsilon, delta)-DP: the curve, which is that of
 *                                          group_division.h for the variance and the T that are
 *                                          used, has at most delta at epsilon
 * Claim       threshold-gaussian.aside     beside the event that a new group is shown, which is no
 *                                          likelier than stated, no divergence is above order times
 *                                          the stated rho
 * Claim       threshold-gaussian.small     no smaller T would do with that variance
 * Claim       threshold-gaussian.exact     the law is exactly that; a count that is T is shown
 * Claim       threshold-gaussian.accuracy  a group of the stated number of units or more is shown
 *                                          with the stated probability, and no smaller number will
 *                                          do; n + Z is within the radius of values with it
 * Time        depends on the noise, never on the counts: noise is drawn before they are read
 * Reference   Korolova, Kenthapadi, Mishra, Ntoulas 2009; Canonne, Kamath, Steinke 2020;
 *             spec/thresholding.md 1, 6
 * Proof       threshold_gaussian.md
 *
 * The noise grows with the square root of the number of groups that a unit may be in, that of
 * threshold-laplace with the number itself. T is also the smallest group that is shown with
 * probability 1/2. The noise may have all of delta, and so may the new groups, as a unit's group is
 * either known or new; only where both ends together need more is the part of the noise made
 * smaller.
 *
 * The curve is that of the noise before counts of known groups are left out, which is no claim that
 * it is the smallest. The charge is (epsilon, delta): a new group that is shown has no finite loss,
 * so that there is no rho. But for that event, of probability 1 - P(1 + Z < T)^max-groups on
 * either side, the release is concentrated, and composes as such with others (threshold_gaussian.md
 * 5).
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_GAUSSIAN_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_GAUSSIAN_H

#include "model/measurement.h"

extern const sc_mechanism sc_threshold_gaussian;

#endif
