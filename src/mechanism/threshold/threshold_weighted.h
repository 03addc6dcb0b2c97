/* Noisy weights of groups, shown where they reach a threshold: a unit in k groups adds 1/sqrt(k) to
 * each.
 *
 * Input       of each group the sum of the weights of its units, on a grid, from 0 on: a unit that
 *             is in k groups has the weight 1/sqrt(k), rounded down to the grid, in each
 *             (scrim_threshold_weight)
 * Output      of each group n + Z where that is at least T, else nothing; Z on the grid, P(Z = z)
 *             proportional to exp(-z^2 / (2 variance)); a group without weight is never shown
 * Neighbours  add-remove; one unit is in at most max-groups groups, 1 unless given
 * Claim       threshold-weighted.privacy   (epsilon, delta)-DP: the curve, the worst of
 *                                          group_division.h over all k up to max-groups with the
 *                                          moves and the T that are used, has at most delta at
 *                                          epsilon
 * Claim       threshold-weighted.weights   k times the square of the weight of a unit in k groups
 *                                          is at most 1, and of the next weight on the grid it is
 *                                          more
 * Claim       threshold-weighted.aside     beside the event that a new group is shown, which is no
 *                                          likelier than stated, no divergence is above order times
 *                                          the stated rho
 * Claim       threshold-weighted.small     no smaller T would do with that variance
 * Claim       threshold-weighted.exact     the law is exactly that; a weight that is T is shown
 * Claim       threshold-weighted.accuracy  a group of the stated weight or more is shown with the
 *                                          stated probability, and no smaller one will do; n + Z is
 *                                          within the radius of values with it
 * Time        depends on the noise, never on the weights: noise is drawn before they are read
 * Reference   spec/thresholding.md 6, weighted variant
 *
 * The noise is that of one group a unit, however large max-groups is: a unit's weights have length
 * 1 at most in the l2 norm whatever their number. Who is in one group counts whole in it, where
 * threshold-gaussian counts everybody alike and has noise for the one who is in most.
 *
 * With L_k = -ln P(W_k + Z < T), W_k the weight in steps and D_s,k the delta of s draws that move
 * by W_k each, a unit in k groups, of which i are its own on the one side, j on the other (i = 0 or
 * j = 0) and s = k - i - j are others' as well, has the delta 1 - exp(-i L_k)
 * (1 - D_s,k(epsilon + (i - j) L_k)): threshold_gaussian.md 2, where the moves are of one but the
 * proofs use no more than that they are equal; of the sum of draws c(k) has the period s, and so
 * that of s W_k. The mass of new groups is the largest 1 - P(W_k + Z < T)^k.
 *
 * Under replace a unit would leave groups with one weight and enter others with another; that is
 * not offered.
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_WEIGHTED_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_WEIGHTED_H

#include "model/measurement.h"

#define SC_WEIGHTED_GROUPS_MAX 64

extern const sc_mechanism sc_threshold_weighted;

/* The weight, in steps, of a unit in k groups, 1 <= k <= max-groups. */
uint64_t sc_weighted_steps(const scrim_measurement *measurement, uint64_t groups);
/* The largest mass of new groups, and the largest delta of the noise at epsilon. */
void sc_weighted_mass(const scrim_measurement *measurement, long bits, sc_ball *out);
void sc_weighted_noise(const scrim_measurement *measurement, const sc_ratio *epsilon,
                       long bits, sc_ball *out);

#endif
