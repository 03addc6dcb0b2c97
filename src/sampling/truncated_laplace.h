/* Discrete Laplace numbers renormalised on -bound..bound: P(k) ~ exp(-|k|/scale) there.
 *
 * Claim  truncated-laplace.exact  the law of a draw is exactly that; no draw leaves the bound
 *
 * It is the law of shifted_laplace.h with q = 2 bound, moved up by bound. Not to be
 * confused with clamped_laplace.h: there the mass outside goes to the two ends.
 */
#ifndef SC_SAMPLING_TRUNCATED_LAPLACE_H
#define SC_SAMPLING_TRUNCATED_LAPLACE_H

#include "sampling/shifted_laplace.h"

/* bound >= 1. */
SCRIM_MUST_USE scrim_status sc_truncated_laplace_reference(sc_bits *bits,
                                                           const sc_fraction *scale,
                                                           sc_int128 bound,
                                                           sc_int128 *out,
                                                           scrim_error *error);

#endif
