/* Shifted, truncated discrete Laplace numbers: P(k) ~ exp(-epsilon |k + q/2|), -q <= k <= 0.
 *
 * Claim  shifted-laplace.exact  the law of a draw is exactly that, for every rational epsilon > 0
 *                               and every q >= 1
 *
 * Reference (spec/flexible-accuracy.md 5.6): a distance i from the centre, geometric and cut to
 * 0..floor(q/2), and a random side; for even q the centre is not counted twice.
 */
#ifndef SC_SAMPLING_SHIFTED_LAPLACE_H
#define SC_SAMPLING_SHIFTED_LAPLACE_H

#include "sampling/cut_geometric.h"

/* scale = 1/epsilon, 1 <= q <= 2^60. */
SCRIM_MUST_USE scrim_status sc_shifted_laplace_reference(sc_bits *bits,
                                                         const sc_fraction *scale,
                                                         sc_int128 q, sc_int128 *out,
                                                         scrim_error *error);

#endif
