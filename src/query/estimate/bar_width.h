/* How wide buckets are where the question does not say, and what error is to be expected of the last
 * bucket that is shown: both from public numbers alone.
 *
 * The guess is a group of so many rows, spread evenly over the range: n of them are in each bucket,
 * and a bucket of n is shown with k or more elements with probability p = P(Z >= k - n), where -Z is
 * how many are left out. The last bucket shown is then 1/p - 1 buckets away from the last one, on
 * average, and the value at most radius from what is in it: the error is width (1/p - 1) + radius, and
 * never more than the range.
 *
 * The width is the one of 1, 2, 5, 10, 20, ... steps that has the smallest error for k = 1, the
 * narrowest of equals; where every one is as bad as the whole range, the widest, whose buckets hold
 * most; and where all of these make too many buckets, the least that does not.
 *
 * Of such a group every bucket is shown with that p, so that with probability (1 - p)^buckets none
 * is.
 *
 * Claim  bar-width.public  a width and an error are the same whenever range, epsilon, q and rows are
 * Claim  bar-width.fits    there are never more buckets than were asked for, and only where each may
 *                          be too narrow for them is there no width
 * Claim  bar-width.best    no other width of that list has a smaller error
 * Claim  bar-width.least-q  of two neighbouring q, the smaller one never has the larger error
 * Claim  bar-width.shown   nothing is said to be shown only where that has a probability of 1/2 or
 *                          more
 */
#ifndef SC_QUERY_BAR_WIDTH_H
#define SC_QUERY_BAR_WIDTH_H

#include "base/number/ratio.h"
#include "query/language/bar_grid.h"
#include "sampling/law.h"

typedef struct sc_bar_guess {
    const sc_law *law; /* of what is left out: sc_shifted_laplace_law */
    const sc_ratio *rows;
    uint64_t k; /* a bucket of so many counts; 1 but for MAX_K */
} sc_bar_guess;

/* In steps, rounded up to three digits. */
void sc_bar_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out);
/* How many rows a bucket holds, rounded down. */
sc_int128 sc_bar_rows(const sc_bar_grid *grid, const sc_ratio *rows);
/* Is it as likely as not, or more so, that no bucket is shown with k? */
bool sc_bar_shows_nothing(const sc_bar_grid *grid, const sc_bar_guess *guess);
/* With at most so many buckets; 0 where that takes wider ones than SC_BAR_GRID_WIDTH, which is never
 * so for 5 or more. */
int64_t sc_bar_width_choose(int64_t low, int64_t high, uint64_t most,
                            const sc_bar_guess *guess);

#endif
