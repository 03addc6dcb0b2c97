/* The interval of a quantile, from noisy counts of the rows in rings around it (quantile_rings.h): in
 * doubles, from released numbers alone.
 *
 * Noise of a rank: an end has rings on its left and on its right, each with a count and its own noise. Of N
 * rows, c lie below the end: c - p N = (1-p) left - p right, and drawn counts have the noise
 * (1-p) A - p B of it, A the sum of as many independent noises as there are rings on the left, and B
 * of those on the right. Noises are symmetric, so that it is that of (1-p) A + p B, whose tail is
 * bounded from above here, in doubles, as those of noise_sum.h are.
 *
 * Claim  rank-noise.upper  the bound is never below P((1-p) A + p B >= s)
 * Claim  rank-noise.tight  up to 64 rings of Laplace noise whose scale is at most 128 steps it is that
 *                          probability itself but for 1e-6; of larger scales and more rings, and of
 *                          Gaussian noise of at least one step, it is reached at an s that is
 *                          smaller by at most a twentieth of the deviation and two steps
 *
 * Discrete Laplace noise, p^|k|: adding one to a sum is two passes over the masses of the sum, one
 * forwards and one backwards, y_k = p y_(k-1) + (1-p) x_k, in which nothing is subtracted. A scale
 * above 128 steps is that of coarser steps, g of them: both are near to the continuous law of that
 * scale (noise_sum.h), g (1 - e_g) and 1 - e of a step at most, for every noise in the sum. Of more
 * than 64 rings only the sums of every second, third ... number are there; the next larger one is
 * taken, whose noise goes further but for a unit, as (1-p) A and p B are on different lattices.
 *
 * Discrete Gaussian noise: the sum of n of them has, but for a factor exp(5 (n-1) exp(-pi^2 sigma^2)),
 * at most the masses of the one of variance n sigma^2 (Kairouz, Liu, Steinke: The Distributed Discrete
 * Gaussian Mechanism, theorem 9, for sigma^2 of at least 1/2); or each is made continuous by itself.
 */
#ifndef SC_QUERY_QUANTILE_ESTIMATE_H
#define SC_QUERY_QUANTILE_ESTIMATE_H

#include "query/estimate/noise_sum.h"

typedef struct sc_rank_noise sc_rank_noise;

/* ring is the noise of one count, most how many rings there may be. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_rank_noise_new(const sc_noise *ring, size_t most,
                                              sc_rank_noise **out, scrim_error *error);
void sc_rank_noise_free(sc_rank_noise *noise); /* NULL is allowed */

/* left + right <= most, 0 < p < 1, s >= 0. The bound is at most 1. */
double sc_rank_noise_tail_upper(const sc_rank_noise *noise, double p, size_t left,
                                size_t right, double s);

/* The standard deviation of (1-p) A + p B. */
double sc_rank_noise_deviation(const sc_noise *ring, double p, size_t left, size_t right);

/* Interval of a quantile. Let x be a true quantile of N rows: c_<(x) <= p N <= c_<=(x), and b an end between two rings with c
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

typedef struct sc_rank_setting {
    const sc_rank_noise *noise;
    double p, beta;
} sc_rank_setting;

/* Counts as they were drawn, by ring; the first and the last step of the interval. */
void sc_rank_interval(const sc_rank_setting *setting, const int64_t *ends,
                      const sc_int128 *counts, size_t rings, sc_int128 quantile,
                      int64_t *low, int64_t *high);

/* The predicted half-width in steps, for `rows` rows in each ring, with sums of noise taken for normal. */
double sc_rank_predict(const sc_noise *ring, double p, double beta, const int64_t *ends,
                       const double *rows, size_t rings);

#endif
