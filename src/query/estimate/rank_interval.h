/* The interval of a quantile, from how many rows were counted in rings about it
 * (quantile_rings.h): computed in doubles, from released numbers alone.
 *
 * Let x be a true quantile of N rows: c_<(x) <= p N <= c_<=(x), and b an end between two rings with c
 * rows below it. If x >= b, then c <= c_<(x) <= p N: drawn counts that say c - p N is above 0 by more than
 * their noise allows contradict it. If x < b, then c >= c_<=(x) >= p N, and the other way round.
 * So x lies in the range but for what is contradicted: below the end next to the last one that x may
 * lie above, and above the end before the first one that it may lie below. For x in the ring from
 * b to b', "x >= b" is true and contradicted in a share of beta/2, and "x < b'" in another: x is
 * missed in a share of beta at most. Which ends there are follows from what was released before,
 * and the noise of the counts is independent of that.
 *
 * Intervals are not padded where rows are spread out, a few of each value at most (coverage_test.c):
 * the released quantile is near the true one and has a ring of one step, so that some end lies close
 * to the true one and is contradicted in hardly less than a share of beta/2. Where many rows have one
 * value it is its own ring, at whose ends the rows below fall short of p N, or exceed it, by half of
 * them: the interval is that value alone, and as good as certain. The released quantile is always
 * within the interval, which makes it miss even less.
 *
 * Claim  rank-interval.coverage  the interval has a true quantile in it with probability at least
 *                                1 - beta, for every table
 * Claim  rank-interval.holds     it is within the range, and has the released quantile in it
 */
#ifndef SC_QUERY_RANK_INTERVAL_H
#define SC_QUERY_RANK_INTERVAL_H

#include "query/estimate/rank_noise.h"

typedef struct sc_rank_setting {
    const sc_rank_noise *noise;
    double p, beta;
} sc_rank_setting;

/* Counts as they were drawn, by ring; the first and the last step of the interval. */
void sc_rank_interval(const sc_rank_setting *setting, const int64_t *ends,
                      const sc_int128 *counts, size_t rings, sc_int128 quantile,
                      int64_t *low, int64_t *high);

/* Half of the width that is to be expected, in steps, where so many rows are in each ring and the
 * noise of sums is as good as normal. */
double sc_rank_predict(const sc_noise *ring, double p, double beta, const int64_t *ends,
                       const double *rows, size_t rings);

#endif
