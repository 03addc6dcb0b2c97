/* Noisy counts of groups, shown where they reach a threshold: discrete Laplace noise.
 *
 * Input       the number of units of each group, or of their rows, integers from 0 on
 * Output      of each group n + Z where that is at least T, else nothing; P(Z = z) proportional to
 *             exp(-|z| epsilon / D); a group without units is never shown
 * Neighbours  add-remove or replace; one unit is in at most max-groups groups and adds at most
 *             max-rows to each, both 1 unless given, which makes D = max-groups max-rows; or it
 *             adds at least 1 to any number of groups and at most max-total to all of them, which
 *             then is D; under replace D is twice that
 * Claim       threshold-laplace.privacy   (epsilon, delta)-DP; T is the smallest integer from 1 on
 *                                         for which the mass of noisy_threshold.h is at most delta;
 *                                         with threshold=T delta is that mass, rounded up
 * Claim       threshold-laplace.curve     with t that mass, at any e the delta is at most
 *                                         t + (1 - t) d(e), d that of the noise against a shift by
 *                                         D; beside an event of probability t on either side it is
 *                                         epsilon-DP
 * Claim       threshold-laplace.exact     the law is exactly that; a count that is T is shown
 * Claim       threshold-laplace.accuracy  a group of the stated number of units or more is shown
 *                                         with the stated probability, and no smaller number will
 *                                         do; n + Z is within the radius of values with it
 * Time        depends on the noise, never on the counts: noise is drawn before they are read
 * Reference   Korolova, Kenthapadi, Mishra, Ntoulas 2009; spec/thresholding.md 1, 3, 9
 *
 * Proof. Say that the groups of the unit alone stay unseen with probability F in x and G in y,
 * independently of the rest, whose probabilities P and Q differ by the noise against what the unit
 * moves in groups of others, of l1 norm D at most; d(e) bounds P(S) - exp(e) Q(S). Outcomes that x
 * shows and y cannot have mass 1 - F. For the rest, F P(S) - exp(e) G Q(S) is at most F d(e) where
 * F <= G, and
 * else G d(e) + (F - G) P(S). Together at most 1 - min(F, G) (1 - d(e)), and 1 - min(F, G) is at
 * most t. From e = epsilon on d is 0. Given that the unit's groups are unseen, which both sides are
 * with probability 1 - t at least, the laws are P and Q.
 *
 * A release whose groups were all known would be that of the noise alone, so that of many releases
 * the noise is composed and the t are added up.
 *
 * noisy_threshold.h draws, lists and certifies. Groups that are left out leave no trace where
 * groups come from data; see partition_selection.h, which keeps groups more often, without their
 * counts.
 */
#ifndef SC_MECHANISM_THRESHOLD_THRESHOLD_LAPLACE_H
#define SC_MECHANISM_THRESHOLD_THRESHOLD_LAPLACE_H

#include "mechanism/threshold/noisy_threshold.h"

extern const sc_mechanism sc_threshold_laplace;

/* State shared by all threshold mechanisms with this noise, truncated or not. */
typedef struct sc_laplace_threshold {
    sc_noisy_threshold shown; /* first: see noisy_threshold.h */
    sc_new_groups own;
    sc_curve noise;
    sc_ball mass;
} sc_laplace_threshold;

/* Makes the state and the domain, by epsilon, delta and neighbours; moved is D. SCRIM_E_LIMIT when
 * there is no threshold, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_laplace_threshold_check(scrim_measurement *measurement,
                                                       const sc_new_groups *own,
                                                       uint64_t moved,
                                                       scrim_error *error);
/* SCRIM_E_PARAM when the delta of the threshold is 1. */
SCRIM_MUST_USE scrim_status
sc_laplace_threshold_check_mass(const scrim_measurement *measurement, scrim_error *error);
/* Members of the descriptor. */
void sc_laplace_threshold_discard(scrim_measurement *measurement);
SCRIM_MUST_USE scrim_status sc_laplace_threshold_cost(
    const scrim_measurement *measurement, sc_exact_cost *out, scrim_error *error);

#endif
