/* Geometric numbers: P(k) = (1-p) p^k for k >= 0, p = exp(-1/scale), any rational scale.
 *
 * Claim  geometric.exact  the law of a draw is exactly that, without a cut or wrapped tail
 *
 * Reference (Canonne, Kamath, Steinke 2020; spec/mechanisms.md 2.1) for scale t/s: u
 * below t is kept with probability exp(-u/t), v counts coins of exp(-1), and (u + t v)
 * div s has the law. With patience 8192 every value is
 * below 8192 scale.
 */
#ifndef SC_SAMPLING_GEOMETRIC_H
#define SC_SAMPLING_GEOMETRIC_H

#include "sampling/bernoulli.h"
#include "sampling/bernoulli_exp.h"

/* The scale is at most 2^60: a draw, and its sum with a 64-bit count, fits 128 bits. */
#define SC_SCALE_BITS 60

SCRIM_MUST_USE scrim_status sc_geometric_reference(sc_bits *bits,
                                                   const sc_fraction *scale,
                                                   sc_int128 *out, scrim_error *error);

/* One turn of the loop for a small scale: accepted says whether value is a draw. The
 * sampler is this turn, repeated from nothing until it is accepted. */
SCRIM_MUST_USE scrim_status sc_geometric_turn(sc_bits *bits, uint64_t t, uint64_t s,
                                              bool *accepted, uint64_t *value,
                                              scrim_error *error);

/* Geometric numbers cut to 0..m: P(i) ~ exp(-i/scale) there.
 *
 * Claim  cut-geometric.exact  the law of a draw is exactly that, for every rational scale and m
 *
 * Reference (spec/flexible-accuracy.md 5.6), scale t/s: the geometric number of geometric.h,
 * given up as soon as it leaves the range, which changes no probability. When the whole range is
 * shorter than one scale, i is uniform and kept with probability exp(-i/scale) instead.
 */

/* 0 <= m <= 2^60. */
SCRIM_MUST_USE scrim_status sc_cut_geometric_reference(sc_bits *bits,
                                                       const sc_fraction *scale,
                                                       sc_int128 m, sc_int128 *out,
                                                       scrim_error *error);

#endif
