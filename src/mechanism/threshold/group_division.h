/* The worst division of a unit's groups, where counts with discrete Gaussian noise are shown from a
 * threshold on.
 *
 * One unit can change k numbers: i belong to groups of its own that exist only on one side, j to
 * such groups on the other side, and s = k - i - j to groups that others are in as well. With L =
 * -ln P(1 + Z < T) and D_s the delta of s draws, the delta at epsilon is
 * at most
 *
 *     g(i, j, s) = 1 - exp(-i L) (1 - D_s(epsilon + (i - j) L))
 *
 * and of counts that are not thresholded but where they are the unit's own it is that. Under
 * add-remove either i or j is 0 and k = max-groups; under replace both are at most max-groups and k
 * is twice that. g grows with i, with j and with s, each alone: over i1 <= i <= i2 and
 * j1 <= j <= j2 it is at most g(i2, j2, k - i1 - j1). Such boxes are halved, the one with the
 * largest bound first, until that is a single division, which then is the worst one.
 *
 * Claim  group-division.bounds  never below the largest g; where halving comes to an end, that
 *
 * Proof      threshold_gaussian.md 2
 * Reference  spec/thresholding.md 6
 */
#ifndef SC_MECHANISM_THRESHOLD_GROUP_DIVISION_H
#define SC_MECHANISM_THRESHOLD_GROUP_DIVISION_H

#include "base/number/ball.h"
#include "base/status.h"

typedef struct sc_group_division {
    const sc_ratio *variance; /* of the noise */
    int64_t threshold;        /* from 1 on */
    uint64_t groups;          /* max-groups, from 1 to 2^20 */
    bool is_replace;
    uint64_t
        move; /* of each of the numbers, where it is not 1: L is then that of it, too; 0: 1 */
} sc_group_division;

/* The delta at epsilon >= 0. Where enough is not NULL it ends as soon as the answer is known to be
 * at most that, or above it: out is then on the right side of it, and need not be the largest. */
void sc_group_division_delta_upper(const sc_group_division *division,
                                   const sc_ratio *epsilon, const sc_ball *enough,
                                   long bits, sc_ball *out);

#endif
