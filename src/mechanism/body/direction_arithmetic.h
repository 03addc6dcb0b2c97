/* Integer arithmetic for directions: vectors of length 1 in fixed point, without floating point, so that the same
 * choice gives the same directions on every machine.
 *
 * A number x is held as the integer nearest to x 2^40. All of it is public: nothing here sees a row.
 *
 * Claim  direction-arithmetic.near  sines and cosines are within 2^-36 of the truth, and vectors that are made
 *                                   orthonormal have products within 2^-34 of those of orthonormal ones
 */
#ifndef SC_MECHANISM_BODY_DIRECTION_ARITHMETIC_H
#define SC_MECHANISM_BODY_DIRECTION_ARITHMETIC_H

#include "base/checked.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_DIRECTION_FIXED 40
#define SC_DIRECTION_ONE ((int64_t)1 << SC_DIRECTION_FIXED)

/* floor(sqrt(x)). */
uint64_t sc_direction_root(sc_uint128 x);

/* The point of the circle at turn/turns of a whole turn; turns is a multiple of 4, below 2^20. Points that mirror one
 * another do so exactly. */
void sc_direction_circle(uint64_t turn, uint64_t turns, int64_t *x, int64_t *y);

/* Makes v, of count numbers below 2^3 in size, orthogonal to units[0 .. known-1], each of length 1, and of length 1.
 * False, with v as it comes, where hardly anything of it is left. */
bool sc_direction_join(int64_t *v, const int64_t *units, size_t known, size_t count);

#endif
