/* What one unit's own groups give away: the probability that any of them is shown, and the
 * threshold at which that is small enough.
 *
 * A unit is in at most so many groups and adds at most so much to each of them; or it is in any
 * number of groups, adds at least 1 to each of them and at most a total to all of them together, as
 * with an integral query of that l1 sensitivity. With t(a) = P(a + Z >= T) the probability is at
 * most
 *
 *     1 - (1 - t(each))^groups,   or   max( t(total), 1 - (1 - t(1))^total )
 *
 * Claim  new-groups.exact     that is the largest of all ways to divide what a unit adds
 * Claim  new-groups.smallest  the threshold is the smallest, from 1 on, that has at most delta
 *
 * Proof. t grows with a, which is the first. For the second, f(a) = -ln(1 - t(a)) is convex where a
 * is at least 1, as the tail of noise that is log-concave is: of j groups and a total the largest
 * sum of f has one group of total - j + 1 and j - 1 of 1. As that is convex in j, too, it is at
 * j = 1 or j = total.
 *
 * Reference  spec/thresholding.md 1, 3, F8
 */
#ifndef SC_MECHANISM_THRESHOLD_NEW_GROUPS_H
#define SC_MECHANISM_THRESHOLD_NEW_GROUPS_H

#include "sampling/law.h"

typedef struct sc_new_groups {
    uint64_t groups, each; /* both from 1 to 2^20; or 0 */
    uint64_t total;        /* from 1 to 2^40, where groups is 0 */
} sc_new_groups;

/* The most that one unit adds to all groups together. */
uint64_t sc_new_groups_moved(const sc_new_groups *own);
/* The probability above, of noise that is symmetric and log-concave. */
void sc_new_groups_mass(const sc_new_groups *own, const sc_law *noise, int64_t threshold,
                        long bits, sc_ball *out);
/* The smallest threshold for a delta; SC_THRESHOLD_MAX when there is none below it. */
int64_t sc_new_groups_threshold(const sc_new_groups *own, const sc_law *noise,
                                const sc_ratio *delta);

#endif
