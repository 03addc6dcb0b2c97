/* Geometric numbers cut to 0..m: P(i) ~ exp(-i/scale) there.
 *
 * Claim  cut-geometric.exact  the law of a draw is exactly that, for every rational scale and m
 *
 * Reference (spec/flexible-accuracy.md 5.6), scale t/s: the geometric number of geometric.h,
 * given up as soon as it leaves the range, which changes no probability. When the whole range is
 * shorter than one scale, i is uniform and kept with probability exp(-i/scale) instead.
 */
#ifndef SC_SAMPLING_CUT_GEOMETRIC_H
#define SC_SAMPLING_CUT_GEOMETRIC_H

#include "sampling/geometric.h"

/* 0 <= m <= 2^60. */
SCRIM_MUST_USE scrim_status sc_cut_geometric_reference(sc_bits *bits,
                                                       const sc_fraction *scale,
                                                       sc_int128 m, sc_int128 *out,
                                                       scrim_error *error);

#endif
