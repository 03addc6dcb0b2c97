/* The largest convex polyline below given points, with kinks at these points only.
 *
 * Claim  hull.below  the polyline is at no point above what it was given
 *
 * Reference  spec/local-and-accounting.md 8.2
 */
#ifndef SC_COMPOSITION_LOSS_FROM_CURVE_H
#define SC_COMPOSITION_LOSS_FROM_CURVE_H

#include "base/number/ball.h"
#include "base/status.h"

/* Points (t, m), t[0] = 0 and increasing, m >= 0 exact and 0 at the last. slope[i] becomes exact:
 * the fall from t[i] to t[i + 1], never larger than the one before it; the last is 0. The polyline
 * stays below by up to 2^-bits of itself; *is_sharp is false, and no guarantee, when
 * precision was too small to prove that it does. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_hull_below(const sc_ball *t, const sc_ball *m,
                                          size_t count, long bits, long precision,
                                          sc_ball *slope, bool *is_sharp,
                                          scrim_error *error);

#endif
