/* Hadamard response in J blocks of order b, a power of two.
 *
 * The value x is row i = x mod (b-1) + 1 of block j = x div (b-1); outputs are (j', y), as j' b + y. Those
 * of the own block with an even number of common ones in i and y have weight a, all others weight b:
 *
 *     u = uniform((b/2)(A + (2J-1) B));  u < (b/2) A: r = u div A, want = 0
 *     else r = (u - (b/2) A) div B, want = 1;  and from r = b/2 on the output is the one of index r - b/2
 *     of all other blocks
 *     y = r with a 0 inserted at the lowest one of i, and a 1 there if the parity of i & y is not `want`
 */
#ifndef SL_HADAMARD_ENCODER_H
#define SL_HADAMARD_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_hadamard;

#endif
