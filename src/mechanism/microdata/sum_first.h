/* A table of counts that favours its total: noise on each cell and on the sum, then the nearest table.
 *
 * Input       the counts of d disjoint cells, as of point_first.h
 * Output      d whole numbers of at least 0 whose sum is r = max(0, a_* + z_*), a_* the true sum: among all such tables a
 *             nearest one to the noisy counts a_i + z_i (projection.h). If rounding leaves units over, separate random bits decide
 *             which of equal cells get them
 * Noise       for every cell, empty ones too, and for the sum, with R = max-rows weight (cell_counts.h):
 *             P(z) ~ exp(-|z| epsilon/(2R)); with rho P(z) ~ exp(-z^2 rho/(2 R^2)); with epsilon and delta the
 *             first, clamped to -B..B (cell_counts.h)
 * Neighbours  add-remove or replace; only B differs
 * Claim       sum-first.privacy   epsilon-DP, pure; with rho rho-concentrated; with a delta (epsilon, delta)-DP
 * Claim       sum-first.adds-up   the answers are not negative, and their sum is r
 * Claim       sum-first.accuracy  |answer_i - a_i| <= |z_i| + |z_*| + max |z_j| always, and a cell is beyond a distance
 *                                 as rarely as table_tail.h says; so each cell is within the radius with the
 *                                 confidence, and all at once within radius_all. With a delta: within 3B
 *                                 always, and the sum within B
 * Time        depends on the noisy counts and on d
 * Reference   spec/microdata.md 4 (M'): theorem 9.6 of the survey (002), corrected by errata 114 to 117
 * Proof       of accuracy: gamma, by which the projection lowers the cells, lies in [min z - |z_*|, max z + |z_*|],
 *             and |max(0, a_i + z_i - gamma) - a_i| <= |z_i - gamma| as a_i >= 0
 */
#ifndef SC_MECHANISM_MICRODATA_SUM_FIRST_H
#define SC_MECHANISM_MICRODATA_SUM_FIRST_H

#include "model/mechanism.h"

extern const sc_mechanism sc_sum_first;

/* The radius of one cell, and of all `count` cells at once, with noise of this law, which has no bound. */
SCRIM_MUST_USE scrim_status sc_sum_first_radii(const sc_law *law, const sc_ratio *beta,
                                               size_t count, sc_int128 *one,
                                               sc_int128 *all, scrim_error *error);

#endif
