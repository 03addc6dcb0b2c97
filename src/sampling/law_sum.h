/* The tail of a sum of equal, independent noises: how far a sum of several noisy numbers is off.
 *
 * Discrete Laplace, p = exp(-1/scale), m copies. The generating function (1-p)^2m (1-pz)^-m (1-p/z)^-m
 * is split into partial fractions. With q = 1 - p^2,
 *
 *     P(S = s) = (1-p)^2m p^s sum over k = 1..m of c_(m-k) C(s+k-1, k-1)  for s >= 1
 *     c_i      = sum over j of C(m,j) p^2j C(j-1+i, i) q^-(j+i)   (and c_0 has 1 more)
 *
 * in which no term is negative; its tail is summed by T_k(s) = (C(s+k-2, k-1) p^s + T_(k-1)(s)) / (1-p).
 *
 * Discrete Gaussian, variance v. Given the sum s, the numbers lie on a lattice of m-1 dimensions; by
 * Poisson summation P(S = s) is that of one discrete Gaussian of variance m v but for a factor between
 * (2-E)/E and E/(2-E), E <= (sum over k of exp(-2 pi^2 v k^2 / m))^(m-1). From v = 2m on that is less
 * than 1 + 1e-15. Below it the laws are convolved.
 *
 * Claim  law-sum.encloses  the ball holds P(|S| > a)
 * Claim  law-sum.radius    the radius is one at which the tails weigh at most beta together; one less
 *                          would not do, but for a part of 1e-14 of beta
 */
#ifndef SC_SAMPLING_LAW_SUM_H
#define SC_SAMPLING_LAW_SUM_H

#include "base/status.h"
#include "sampling/law.h"

#define SC_LAW_SUM_MAX 64 /* copies */

typedef struct sc_law_sum sc_law_sum;

/* Sums of up to most draws, 1 to SC_LAW_SUM_MAX, of discrete Laplace or Gaussian noise; law outlives
 * it. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_law_sum_new(const sc_law *law, size_t most,
                                           sc_law_sum **out, scrim_error *error);
void sc_law_sum_free(sc_law_sum *sum); /* NULL is nothing */

/* P(|X_1 + ... + X_copies| > a), 1 <= copies <= most, a >= 0. */
void sc_law_sum_tail(const sc_law_sum *sum, size_t copies, sc_int128 a, sc_ball *out);

/* The smallest a at which the sum over copies of times[copies - 1] tails is certainly at most beta;
 * 0 < beta < 1. times has most numbers. SCRIM_E_LIMIT at 2^120. */
SCRIM_MUST_USE scrim_status sc_law_sum_radius(const sc_law_sum *sum,
                                              const uint64_t *times, const sc_ratio *beta,
                                              sc_int128 *out, scrim_error *error);

#endif
