/* Discrete Laplace numbers renormalised on -bound..bound: P(k) ~ exp(-|k|/scale) there.
 *
 * Claim  truncated-laplace.exact  the law of a draw is exactly that; no draw leaves the bound
 *
 * It is the law of bounded_laplace.h with q = 2 bound, moved up by bound. Not to be
 * confused with bounded_laplace.h: there the mass outside goes to the two ends.
 */
#ifndef BOUNDED_LAPLACE_H
#define BOUNDED_LAPLACE_H

#include "sampling/discrete_laplace.h"
#include "sampling/geometric.h"

/* bound >= 1. */
SCRIM_MUST_USE scrim_status sc_truncated_laplace_reference(sc_bits *bits,
                                                           const sc_fraction *scale,
                                                           sc_int128 bound,
                                                           sc_int128 *out,
                                                           scrim_error *error);

/* Shifted, truncated discrete Laplace numbers: P(k) ~ exp(-epsilon |k + q/2|), -q <= k <= 0.
 *
 * Claim  shifted-laplace.exact  the law of a draw is exactly that, for every rational epsilon > 0
 *                               and every q >= 1
 *
 * Reference (spec/flexible-accuracy.md 5.6): a distance i from the centre, geometric and cut to
 * 0..floor(q/2), and a random side; for even q the centre is not counted twice.
 */

/* scale = 1/epsilon, 1 <= q <= 2^60. */
SCRIM_MUST_USE scrim_status sc_shifted_laplace_reference(sc_bits *bits,
                                                         const sc_fraction *scale,
                                                         sc_int128 q, sc_int128 *out,
                                                         scrim_error *error);

/* A discrete Laplace number clamped to -bound..bound: the two ends carry the tails.
 *
 * Claim  clamped-laplace.exact  P(k) is that of the discrete Laplace law inside, and
 *                               P(+-bound) = p^bound / (1+p), p = exp(-1/scale)
 *
 * The noise of spec/microdata.md 4.1. Not to be confused with bounded_laplace.h.
 */

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
