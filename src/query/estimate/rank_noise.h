/* The noise of a rank that is counted from rings (quantile_rings.h): of an end with some rings on its
 * left and some on its right, each with a count of its own noise.
 *
 * Of N rows, c lie below the end: c - p N = (1-p) left - p right, and drawn counts have the noise
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
#ifndef SC_QUERY_RANK_NOISE_H
#define SC_QUERY_RANK_NOISE_H

#include "query/estimate/noise_sum.h"

typedef struct sc_rank_noise sc_rank_noise;

/* ring is the noise of one count, most how many rings there may be. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_rank_noise_new(const sc_noise *ring, size_t most,
                                              sc_rank_noise **out, scrim_error *error);
void sc_rank_noise_free(sc_rank_noise *noise); /* NULL is allowed */

/* left + right is at most what was said, p within (0, 1), s from 0 on. At most 1. */
double sc_rank_noise_tail_upper(const sc_rank_noise *noise, double p, size_t left,
                                size_t right, double s);

/* The standard deviation of (1-p) A + p B. */
double sc_rank_noise_deviation(const sc_noise *ring, double p, size_t left, size_t right);

#endif
