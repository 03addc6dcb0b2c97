/* Discrete Laplace (two-sided geometric) numbers: P(k) = (1-p)/(1+p) p^|k|, p =
 * exp(-1/scale).
 *
 * Claim  discrete-laplace.exact  a draw has exactly this distribution, for every rational scale; its
 *                                tail is neither truncated nor wrapped around
 *
 * Reference (spec/mechanisms.md 2.1): a geometric number with a random sign. -0 is rejected, or 0
 * would be twice as likely. It takes a random time that depends on the number drawn; the fast
 * implementation (blocks.h) and the constant-time table (constant_table.h) have their own headers.
 */
#ifndef SC_SAMPLING_DISCRETE_LAPLACE_H
#define SC_SAMPLING_DISCRETE_LAPLACE_H

#include "sampling/geometric.h"

SCRIM_MUST_USE scrim_status sc_discrete_laplace_reference(sc_bits *bits,
                                                          const sc_fraction *scale,
                                                          sc_int128 *out,
                                                          scrim_error *error);

/* The same draws as `count` calls of sc_discrete_laplace_reference, in less time. */
SCRIM_MUST_USE scrim_status sc_discrete_laplace_reference_fill(sc_bits *bits,
                                                               const sc_fraction *scale,
                                                               size_t count,
                                                               sc_int128 *out,
                                                               scrim_error *error);

/* One attempt for a small scale t/s: accepted says whether value is a draw. */
SCRIM_MUST_USE scrim_status sc_discrete_laplace_turn(sc_bits *bits, uint64_t t,
                                                     uint64_t s, bool *accepted,
                                                     int64_t *value, scrim_error *error);

#endif
