/* Linear queries: weighted sums of the counts of public bins.
 *
 * Input       bins counts, one for each bin; a unit has at most max-rows rows, each in one bin
 * Output      for each query its sum over the bins of coefficient times count, with noise
 * Queries     coefficients=...  one query behind the other, bins numbers from 0 to 1 each, which are
 *                               multiples of the grid (default 1: each is 0 or 1)
 *             workload=prefix   query i is the sum of the bins 1 to i; ranges: all sums of neighbouring
 *                               bins; subsets: all sets of bins but the empty one; each: every bin by itself
 * Neighbours  add-remove: rows appear in or vanish from a bin; replace: they change it
 * Claim       linear-queries.sensitivity  how far one unit moves the sums is computed from the
 *                               coefficients, exactly: max-rows times the largest column in the l1 norm, or
 *                               under replace the largest difference of two columns; likewise the square of
 *                               the l2 norm
 * Claim       linear-queries.privacy   epsilon-DP with Laplace noise of that l1 norm over epsilon; with rho,
 *                               or epsilon and delta, Gaussian noise of that l2 norm
 * Claim       linear-queries.accuracy  each radius is that of the exact tail of the noise; that of all
 *                               answers at once is exact too, since their noises are independent
 * Time        depends on the noise and the queries, never on the input
 * Reference   the survey (002), 6.2.1, corrected by erratum 78; spec/mechanisms.md 10.1
 *
 * The mean form, sum over people, is not offered: of nobody it is undefined. Release the sum and the
 * number of people.
 */
#ifndef SC_MECHANISM_LINEAR_QUERIES_H
#define SC_MECHANISM_LINEAR_QUERIES_H

#include "model/mechanism.h"

extern const sc_mechanism sc_linear_queries;

#endif
