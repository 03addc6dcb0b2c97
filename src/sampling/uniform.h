/* Uniform integers below n, by rejection, never by a remainder.
 *
 * Claim  uniform.exact  each of 0..n-1 has probability exactly 1/n, for every n >= 1
 *
 * sc_uniform_64, _128 and _integer are the reference: they take bit_length(n-1) bits a
 * turn, identical whichever of the three is called (spec/mechanisms.md 1.2).
 * sc_uniform_fast takes whole words and has the same law.
 */
#ifndef SC_SAMPLING_UNIFORM_H
#define SC_SAMPLING_UNIFORM_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "random/bits.h"

/* n >= 1. */
SCRIM_MUST_USE static inline scrim_status sc_uniform_64(sc_bits *bits, uint64_t n,
                                                        uint64_t *out, scrim_error *error)
{
    unsigned width = sc_bit_length64(n - 1);
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        uint64_t value = 0;
        scrim_status status = sc_bits_take(bits, width, &value, error);
        if (status != SCRIM_OK)
            return status;
        if (value < n) {
            *out = value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

SCRIM_MUST_USE scrim_status sc_uniform_128(sc_bits *bits, sc_uint128 n, sc_uint128 *out,
                                           scrim_error *error);
/* n >= 1, of at most 4 * SC_RATIO_BITS bits. out may not be n. */
SCRIM_MUST_USE scrim_status sc_uniform_integer(sc_bits *bits, const sc_integer *n,
                                               sc_integer *out, scrim_error *error);

/* One word multiplied by n: the high half of the product is the value, and the few low
 * halves that would make it uneven are rejected (Lemire 2019). */
SCRIM_MUST_USE scrim_status sc_uniform_fast(sc_bits *bits, uint64_t n, uint64_t *out,
                                            scrim_error *error);

/* A uniform integer below any n, from two words: the same work for every n and every value.
 *
 * Claim  uniform-wide.exact  each of 0..n-1 has probability exactly 1/n, for 1 <= n < 2^128
 *
 * The 128 bits are multiplied by n; the upper half of the product is the value, and the few
 * lower halves that would make it uneven, those below 2^128 mod n, are rejected (Lemire 2019).
 * A rejection has probability below n / 2^128, so that the time does not tell n where n is
 * private: samplers of uniform.h reject up to every other number.
 */

SCRIM_MUST_USE scrim_status sc_uniform_wide(sc_bits *bits, sc_uint128 n, sc_uint128 *out,
                                            scrim_error *error);

#endif
