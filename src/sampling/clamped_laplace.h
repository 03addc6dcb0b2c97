/* A discrete Laplace number clamped to -bound..bound: the two ends carry the tails.
 *
 * Claim  clamped-laplace.exact  P(k) is that of the discrete Laplace law inside, and
 *                               P(+-bound) = p^bound / (1+p), p = exp(-1/scale)
 *
 * The noise of spec/microdata.md 4.1. Not to be confused with truncated_laplace.h.
 */
#ifndef SC_SAMPLING_CLAMPED_LAPLACE_H
#define SC_SAMPLING_CLAMPED_LAPLACE_H

#include "sampling/discrete_laplace.h"

static inline sc_int128 sc_clamp(sc_int128 value, sc_int128 bound)
{
    return value > bound ? bound : value < -bound ? -bound : value;
}

/* bound >= 1. */
SCRIM_MUST_USE scrim_status sc_clamped_laplace_reference(sc_bits *bits,
                                                         const sc_fraction *scale,
                                                         sc_int128 bound, sc_int128 *out,
                                                         scrim_error *error);

#endif
