/* How far a sum of independent continuous Laplace noises goes, by a Fourier series: for any number of
 * them, in doubles.
 *
 * Claim  noise-series.upper  the bound is never below P(|X_1 + ... + X_n| >= s), X_i continuous Laplace
 *                            of the scale b_i
 * Claim  noise-series.tight  it is above that of scales that are at least a tenth of the largest by 1e-9
 *                            at most
 *
 * Proof. Wound around a circle of length W the sum has the Fourier coefficients f(2 pi j / W), f(u) the
 * product of 1/(1 + u^2 b_i^2). So P(|sum mod W| < s) = 2 s/W + sum over j of 2 f(2 pi j/W) sin(2 pi j
 * s/W) / (pi j), which is above P(|sum| < s) by P(|sum| >= W - s) at most. That is bounded by Markov's
 * inequality for exp(t sum): E exp(t X) = 1/(1 - t^2 b^2). Terms beyond j = J, where u b >= 10 for the
 * largest scale, fall faster than 1.01 f(u_J) (J/j)^2, so that together they are below f(u_J) / 2. A
 * scale below a tenth of the largest is made so large: symmetric unimodal noise that is spread further
 * spreads the sum further.
 */
#ifndef SC_QUERY_NOISE_SERIES_H
#define SC_QUERY_NOISE_SERIES_H

#include <stddef.h>

/* Scales are above 0; s is above 0. */
double sc_noise_series_tail_upper(const double *scales, size_t count, double s);

#endif
