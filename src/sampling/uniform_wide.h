/* A uniform integer below any n, from two words: the same work for every n and every value.
 *
 * Claim  uniform-wide.exact  each of 0..n-1 has probability exactly 1/n, for 1 <= n < 2^128
 *
 * The 128 bits are multiplied by n; the upper half of the product is the value, and the few
 * lower halves that would make it uneven, those below 2^128 mod n, are rejected (Lemire 2019).
 * That happens with probability below n / 2^128, so that the time does not tell n where n is
 * private: samplers of uniform.h reject up to every other number.
 */
#ifndef SC_SAMPLING_UNIFORM_WIDE_H
#define SC_SAMPLING_UNIFORM_WIDE_H

#include "base/checked.h"
#include "random/bits.h"

SCRIM_MUST_USE scrim_status sc_uniform_wide(sc_bits *bits, sc_uint128 n, sc_uint128 *out,
                                            scrim_error *error);

#endif
