/* The fast implementation: the same bounds by a tilted transform in doubles whose error is proved.
 *
 * Masses are multiplied by exp(theta z), which moves the law to where epsilon is, transformed,
 * raised to their powers, transformed back and read on a slice. The error is relative to the
 * Chernoff bound at theta, not to 1, so that deltas far below 2^-53 are certified too; what wraps
 * around the slice is paid for. loss.h, in integers, is the reference.
 *
 * Claim  fast-loss.upper  what is returned is never below what loss.h would return for the same
 *                         parts, but by its rounding
 * Claim  fast-loss.lower  nor above it
 *
 * Reference  spec/local-and-accounting.md 8.3
 */
#ifndef SC_COMPOSITION_FAST_LOSS_H
#define SC_COMPOSITION_FAST_LOSS_H

#include "composition/fast/fft.h"
#include "composition/fast/tilt.h"

/* delta at epsilon: upper end or lower end by the side of the losses. SCRIM_E_LIMIT when the slice
 * would need more than SC_LOSS_POINTS points, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_fast_loss_delta(const sc_fast_part *parts, size_t count,
                                               const sc_ratio *epsilon,
                                               sc_loss_work *work, sc_ball *out,
                                               scrim_error *error);
/* epsilon >= 0 at 0 < delta < 1; *is_finite is false when no finite epsilon has that delta. */
SCRIM_MUST_USE scrim_status sc_fast_loss_epsilon(const sc_fast_part *parts, size_t count,
                                                 const sc_ratio *delta,
                                                 sc_loss_work *work, sc_ball *out,
                                                 bool *is_finite, scrim_error *error);

/* The same for a tolerance > 0: a hundredth of it, about, may be lost for a narrower slice, which
 * may be half the work. fft is left prepared for the next question. */
SCRIM_MUST_USE scrim_status sc_fast_loss_epsilon_about(
    const sc_fast_part *parts, size_t count, const sc_ratio *delta, double tolerance,
    sc_fft *fft, sc_loss_work *work, sc_ball *out, bool *is_finite, scrim_error *error);

#endif
