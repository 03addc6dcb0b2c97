/* How many reports of local hashing support each value: C_v = sum over a of N[a][<a, v> mod g], for all
 * g^m values at once, digit by digit (spec/local-additions.md 2.3).
 *
 * Claim  hashing-support.exact  equal to the sums over the seeds, for every prime g and m >= 1
 *
 * Doubles hold these integers exactly, as in projective_support.h.
 *
 * Time  m g^(m+2) additions, two tables of g^(m+1)
 */
#ifndef SC_LOCAL_HASHING_SUPPORT_H
#define SC_LOCAL_HASHING_SUPPORT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The same for each turn z: sums[v g + z] = sum over a of counts[a][<a, v> + z mod g]. SCRIM_E_MEMORY leaves
 * them as they are. */
SCRIM_MUST_USE scrim_status sc_hashing_turned(double *counts, uint32_t g, uint32_t m,
                                              scrim_error *error);
/* counts[a g + y], g^(m+1) of them; the sums of the values come to lie in counts[0 .. g^m - 1].
 * SCRIM_E_MEMORY leaves them as they are. */
SCRIM_MUST_USE scrim_status sc_hashing_support(double *counts, uint32_t g, uint32_t m,
                                               scrim_error *error);

#endif
