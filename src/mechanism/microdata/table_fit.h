/* Tables from noisy cells and a noisy sum that were released apart: which total the table gets. Given it, the cells are those of
 * projection.h, the nearest of that total.
 *
 *     squares   minimises sum (t_i - a_i)^2 + w (sum t_i - A)^2. w = 1 is plain non-negative least squares. A larger
 *               weight favours the sum: w = 0 gives the cells of point_first.h, and w without end the total of sum_first.h
 *     largest   minimises the largest of all |t_i - a_i| and |sum t_i - A|; of such tables one whose sum is nearest to A, and
 *               of these the nearest
 *     sum       one after the other: the sum first, max(0, A), then the cells
 *
 * These are the two baselines and the two improvements, weights and fitting one after the other, that the source names and does
 * not state. No error bounds are claimed for them but those of sum_first.h for the last.
 *
 * Claim      table-fit.squares  no table of whole numbers from 0 on has a smaller sum of squares; of equal ones the total is the
 *                               smallest
 * Claim      table-fit.largest  no such table has a smaller largest error
 * Time       at most 62 passes of projection.h
 * Limits     |a_i|, |A| <= 2^60, w = n/m with 0 <= n, 1 <= m, both at most 2^31, 1 <= d <= 2^27; a total of more than 2^61 is
 *            brought to it
 * Reference  Abowd et al. 2021; end of section 9.1 of the survey (002)
 * Proof      The least sum of squares P(r) at a total r is convex in r. The r-th unit goes where it costs least, and costs
 *            -2 floor(gamma_r) - 1 with the gamma of projection.h: all units of marginal cost key t - a_i <= -gamma_r - 1 are taken
 *            where gamma_r is whole, and some of the key -ceil(gamma_r) = -floor(gamma_r) - 1 where it is not. With w (2 (r - A) - 1) for the
 *            sum this rises with r, so the best r is the last one at which it is below 0.
 *            The largest error is at most e exactly if e >= -a_i for all i and some total between sum max(0, a_i - e) and
 *            sum max(0, a_i + e) is within e of A. At such a total |gamma| <= e, and no t_i is further than e from a_i.
 *
 * It is computed from what was shown.
 */
#ifndef SC_MECHANISM_MICRODATA_TABLE_FIT_H
#define SC_MECHANISM_MICRODATA_TABLE_FIT_H

#include "mechanism/microdata/projection.h"

#define SC_FIT_VALUE ((int64_t)1 << 60)
#define SC_FIT_WEIGHT ((int64_t)1 << 31)

/* The total of the table of least squares; the weight of the sum is above/below. */
int64_t sc_fit_squares(const int64_t *values, size_t count, int64_t sum, int64_t above,
                       int64_t below);
/* The total of the table with the smallest largest error, which is *error. */
int64_t sc_fit_largest(const int64_t *values, size_t count, int64_t sum, int64_t *error);

#endif
