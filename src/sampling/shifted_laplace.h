/* Shifted, truncated discrete Laplace numbers: P(k) ~ exp(-epsilon |k + q/2|) for -q <= k
 * <= 0, and the same law moved to the middle.
 *
 * Claim  shifted-laplace.exact    the law of a draw is exactly that, for every rational
 *                                 epsilon > 0 and every q >= 1
 *
 * Reference (spec/flexible-accuracy.md 5.6), epsilon = s/t: a geometric number i cut to
 * 0..m, m = floor(q/2), by rejection; a random side; for even q the centre is not counted
 * twice. When the whole range is shorter than one scale, i is uniform and kept with
 * probability exp(-i epsilon) instead.
 */
#ifndef SC_SAMPLING_SHIFTED_LAPLACE_H
#define SC_SAMPLING_SHIFTED_LAPLACE_H

#include "sampling/geometric.h"

/* q and bounds are at most 2^60. */
#define SC_BOUND_BITS 60

/* i in 0..m with P(i) ~ exp(-i/scale). */
SCRIM_MUST_USE scrim_status sc_cut_geometric_reference(sc_bits *bits,
                                                       const sc_fraction *scale,
                                                       sc_int128 m, sc_int128 *out,
                                                       scrim_error *error);

/* scale = 1/epsilon, q >= 1. */
SCRIM_MUST_USE scrim_status sc_shifted_laplace_reference(sc_bits *bits,
                                                         const sc_fraction *scale,
                                                         sc_int128 q, sc_int128 *out,
                                                         scrim_error *error);

#endif
