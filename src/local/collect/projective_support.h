/* How many reports support each point, of the histogram of reports of projective geometry response:
 * C_v = sum of h[y] over the points y with <v, y> = 0 mod q, for all K points v at once, digit by
 * digit (spec/local-additions.md 1).
 *
 * Claim  projective-support.exact  equal to the sums over the hyperplanes, for every prime q and t >= 2
 *
 * Doubles hold these integers exactly: every partial sum is a sum of some of the reports, and there
 * are fewer than 2^53. The same sums of masses that are no integers serve the update by Bayes' rule: the
 * incidence is symmetric.
 *
 * Time  O(K q t) additions, O(K) memory
 */
#ifndef SC_LOCAL_PROJECTIVE_SUPPORT_H
#define SC_LOCAL_PROJECTIVE_SUPPORT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* (q^t - 1)/(q - 1), below 2^26. */
uint32_t sc_projective_points(uint32_t q, uint32_t t);
/* Replaces masses[0 .. K-1] by their sums. SCRIM_E_MEMORY leaves them as they are. */
SCRIM_MUST_USE scrim_status sc_projective_support(double *masses, uint32_t q, uint32_t t,
                                                  scrim_error *error);

#endif
