/* How long a run of non-negative queries can be, on average.
 *
 * Queries that are never below 0 are above a threshold T + z with probability at least
 * P(N >= T + z) each, so that the expected number of answers of a run is at most 1/P(N >= T + z)
 * given the threshold's noise z. Its moments over z,
 *
 *     E_m = sum over z of P(R = z) P(N >= T + z)^-m,
 *
 * are finite for Gaussian R and N when m < variance(N) / variance(R), and stand in the Renyi
 * curve of a run without a length.
 *
 * Claim  sparse-moment.encloses  the answer is a ball that holds E_m: a finite sum, on the right
 *                                the rest by P(N >= y) >= P(N = y) and a ratio test, on the left
 *                                by P(N >= y) not increasing
 *
 * Reference  spec/local-and-accounting.md 7.2
 */
#ifndef SC_MECHANISM_SPARSE_MOMENT_H
#define SC_MECHANISM_SPARSE_MOMENT_H

#include "base/number/ball.h"
#include "base/status.h"

/* threshold and query are the variances, level >= 0 is T, m > 0. False when E_m is infinite, or
 * when the sum has too many terms, or without memory: then nothing is proved. */
bool sc_sparse_moment(const sc_ratio *threshold, const sc_ratio *query, int64_t level,
                      const sc_ratio *m, long bits, sc_ball *out);

#endif
