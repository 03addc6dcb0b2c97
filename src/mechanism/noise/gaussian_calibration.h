/* The variance of Gaussian noise for an (epsilon, delta): continuous, discrete, and of several
 * draws. First the continuous mechanism (Balle, Wang 2018), a number to plan and to compare with.
 *
 * Noise of this sigma is not what scrim draws, and a sigma from here must not be handed to the
 * discrete sampler: at sigma 1, sensitivity 2 and epsilon 11.7 the discrete delta is more than
 * twice the continuous one. The calibration below begins its search here and tests the discrete law.
 *
 * Claim  analytic-gaussian.exact  delta(epsilon) = Q(epsilon/s - s/2) - exp(epsilon) Q(epsilon/s +
 *                                 s/2), s the sensitivity over sigma, Q the upper normal tail
 *
 * Reference  spec/mechanisms.md 4.3
 */
#ifndef SC_MECHANISM_NOISE_GAUSSIAN_CALIBRATION_H
#define SC_MECHANISM_NOISE_GAUSSIAN_CALIBRATION_H

#include "base/number/ball.h"
#include "base/number/ratio.h"
#include "base/status.h"

/* delta at epsilon >= 0; ratio is the sensitivity over sigma, above 0; out may be that ball. */
void sc_analytic_gaussian_delta(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                                sc_ball *out);
/* A sigma, in sensitivities, whose delta at epsilon > 0 is at most this one, 0 < delta < 1, at
 * most 2^-62 of itself above the smallest. SCRIM_E_LIMIT beyond 2^-62 to 2^130. */
SCRIM_MUST_USE scrim_status sc_analytic_gaussian_sigma_upper(const sc_ratio *epsilon,
                                                             const sc_ratio *delta,
                                                             sc_ratio *out,
                                                             scrim_error *error);

/* The variance of discrete Gaussian noise for a wanted (epsilon, delta), as j/64.
 *
 * Claim  gaussian-calibration.exact  the variance that is returned was tested itself: the exact
 *                                    curve of its law, or the conversion of its concentrated
 *                                    privacy, has at most delta at epsilon
 *
 * Reference  spec/mechanisms.md 4.3; Canonne, Kamath, Steinke 2020
 */

/* For one integer that moves by shift >= 1: the first j from floor(64 sigma^2) on, sigma that of
 * the continuous mechanism, at least 1, whose exact discrete delta is at most delta. epsilon > 0,
 * 0 < delta < 1. SCRIM_E_LIMIT when the variance would be above 2^120. */
SCRIM_MUST_USE scrim_status sc_gaussian_variance_exact(const sc_ratio *epsilon,
                                                       const sc_ratio *delta,
                                                       uint64_t shift, sc_ratio *out,
                                                       scrim_error *error);
/* For integers that move by distance > 0 in the l2 norm: the smallest j whose rho, distance^2 /
 * (2 variance), converts to at most delta at epsilon. The same limits. */
SCRIM_MUST_USE scrim_status sc_gaussian_variance_concentrated(const sc_ratio *epsilon,
                                                              const sc_ratio *delta,
                                                              const sc_ratio *distance,
                                                              sc_ratio *out,
                                                              scrim_error *error);

/* Several draws of discrete Gaussian noise, on integers that move by one each: their delta at any
 * epsilon, also below 0, and the variance for a wanted one.
 *
 * The loss of s draws of variance v depends on their sum alone, up or down alike, and
 *
 *     P(sum = k) = exp(-k^2 / (2 s v)) c(k) / N,   c(k + s) = c(k),   c(k) = C (1 +- E)
 *
 *     E <= theta(pi^2 v)^s - 1,   theta(x) = sum over all integers m of exp(-x m^2)
 *
 * so that delta is that of one draw of variance s v that moves by s, times at most (1 + E)/(1 - E):
 * a factor of 1 + 1e-40 at variance 10 and s = 2, of 1 for s = 1. Where the variance is below 1 the
 * conversion of rho = s / (2 v) takes its place if that is smaller, or E may be 1/2.
 *
 * Claim  gaussian-draws.bounds    delta is never below that of the exact law of the draws; of one
 *                                 draw it is that, and of several, where E is below 1/2, at most
 *                                 ((1 + E)/(1 - E))^2 times that
 * Claim  gaussian-draws.moved     the same of draws on integers that move by more than one each
 * Claim  gaussian-draws.variance  the variance that is returned was tested itself: it has at most
 *                                 delta at epsilon
 *
 * Proof      threshold_gaussian.md 3
 * Reference  Canonne, Kamath, Steinke 2020; spec/thresholding.md 6
 */

/* variance > 0; of no draws it is max(0, 1 - exp(epsilon)). */
void sc_gaussian_draws_delta_upper(const sc_ratio *variance, uint64_t draws,
                                   const sc_ratio *epsilon, long bits, sc_ball *out);
/* The same where each integer moves by `move`: the sum moves by draws times that, of which c is a
 * period as well, and delta is that of one draw of variance s v that moves by s times it. */
void sc_gaussian_draws_moved_upper(const sc_ratio *variance, uint64_t draws,
                                   uint64_t move, const sc_ratio *epsilon, long bits,
                                   sc_ball *out);
/* A j/64 with at most delta at epsilon, next to 64 draws sigma^2, sigma that of
 * the continuous mechanism; up to variances of 2^40 (j - 1)/64 has more. epsilon > 0, 0 < delta < 1,
 * draws >= 1. SCRIM_E_LIMIT when it would be above 2^120. */
SCRIM_MUST_USE scrim_status sc_gaussian_draws_variance(const sc_ratio *epsilon,
                                                       const sc_ratio *delta,
                                                       uint64_t draws, sc_ratio *out,
                                                       scrim_error *error);

#endif
