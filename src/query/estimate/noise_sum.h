/* Tails of a weighted sum of independent noises. Intervals of quotients and variances of noisy numbers are
 * made with them, in doubles, from the laws of the noises and released numbers alone.
 *
 * If the mean is mu, S^ - mu N^ = Z_S - mu Z_N, whatever the data are; so the tails of that sum decide
 * whether mu is possible. Here they are bounded from above, in doubles and in constant time.
 *
 * Claim  noise-sum.upper  the bound is never below P(|w_1 Z_1 + ... + w_n Z_n| >= s)
 * Claim  noise-sum.tight  of one or two discrete Laplace noises it is that probability itself
 *                         where s is a multiple of the smaller weight and the larger weight is
 *                         one, but for a factor of 1 + 1e-8; else it is not above that of an s
 *                         smaller by two steps of each noise
 *
 * Proof. One discrete Laplace Z, p = exp(-1/scale): P(Z >= k) = p^k/(1+p) for k >= 0, and 1 -
 * p^(1-k)/(1+p) for k <= 0. The same formulas for a real x are H(x) >= P(Z >= x), since they
 * fall in x and agree at ceil(x). Two of them, weights 1 and m: P(|Z + m J| >= s) = 2 P(Z >= s
 * + m J) <= 2 sum over j of P(J = j) H(s + m j): four geometric series.
 *
 * Three: let X be continuous Laplace of the same scale, drawn with Z by the same quantile. Then
 * P(Z >= k) <= P(X >= k - d) for all k when d >= e and 1 - d <= e, e = scale ln(2/(1+p)) <=
 * 1/2; so |X - Z| <= d = 1 - e. The two of smaller weights are made continuous, which moves
 * their sum by the weighted sum of their d at most. The tail of a sum of two continuous ones is
 * a combination of those of each, so that the third comes in as J did. Scales that are too much
 * alike are made unlike first: sums of symmetric unimodal variables spread further when one of
 * them does.
 *
 * More than three: all are made continuous, and the tail is that of a series (below).
 *
 * Discrete Gaussian, f(x) = exp(-x^2/(2 sigma^2)): the ratio of the integral of f over k +- 1/2
 * to f(k) grows in k >= 0, so that P(X >= k - 1/2) - P(Z >= k), which is at least 0 at k = 1
 * and tends to 0, is not below 0 in between. The other way round the ratio of the integral over
 * k + t +- 1/2 to f(k) is below 1 until k = 24 t sigma^2, about; with t = 2/(5 sigma), until 9
 * sigma, beyond which there is less than 1e-18. So |X - Z| <= 1/2 + 2/(5 sigma) but for that;
 * and it is always at most 1, by comparing f(k) with the integrals over the steps to both sides
 * of k.
 *
 * Noise that is cut at a bound is that which is not but for a probability, its excess. Laplace
 * and Gaussian noise together: s is shared out by their spread, and the tails are added.
 */
#ifndef SC_QUERY_NOISE_SUM_H
#define SC_QUERY_NOISE_SUM_H

#include "model/measurement.h"

#include <stddef.h>

/* The law of the noise that a measurement adds; NULL when it adds none. */
const sc_law *sc_noise_law(const scrim_measurement *measurement);

typedef struct sc_noise {
    bool is_gaussian;
    double scale;  /* of Laplace, or sigma */
    double excess; /* of a truncated law: the probability beyond the bound */
    double within; /* largest distance to its continuous form, in steps */
} sc_noise;

/* law is one that sc_noise_law returns, or NULL: no noise. */
void sc_noise_init(sc_noise *out, const sc_law *law);

/* How near discrete Laplace noise is to the continuous one of its scale, in steps: 1 - e, as above. */
double sc_noise_laplace_within(double scale);
/* The same of discrete Gaussian noise: 1/2 + 2/(5 sigma), and at most 1. */
double sc_noise_gaussian_within(double sigma);

#define SC_NOISE_SUM_MAX 64
typedef struct sc_noise_sum {
    const sc_noise *terms[SC_NOISE_SUM_MAX];
    double weights[SC_NOISE_SUM_MAX]; /* at least 0 */
    size_t count;
    double times[SC_NOISE_SUM_MAX]; /* how many independent noises of that kind; 0: one */
} sc_noise_sum;

/* At most 1; s from 0 on. */
double sc_noise_sum_tail_upper(const sc_noise_sum *sum, double s);
/* An s, the smallest but for a factor of 1 + 1e-6, at which that is at most beta. Infinite when
 * no finite s is. */
double sc_noise_sum_radius_upper(const sc_noise_sum *sum, double beta);

/* A noise with its weight, and how many independent ones of that kind there are. */
typedef struct sc_noise_term {
    const sc_law *law; /* that sc_noise_law returns */
    const sc_ratio *weight;
    uint64_t times;
} sc_noise_term;

/* The radius of a weighted sum of at most SC_NOISE_SUM_MAX terms, rounded up: missed with probability beta at most. SCRIM_E_LIMIT
 * where no bound is finite. */
SCRIM_MUST_USE scrim_status sc_noise_terms_radius(const sc_noise_term *terms,
                                                  size_t count, const sc_ratio *beta,
                                                  sc_ratio *out, scrim_error *error);

/* The smallest a with P(|Z| > a) <= beta, for a law that sc_noise_law returns. As sc_law_radius, but faster:
 * it searches down from the bound above. */
SCRIM_MUST_USE scrim_status sc_noise_law_radius(const sc_law *law, const sc_ratio *beta,
                                                sc_int128 *out, scrim_error *error);

/* The tail of a sum of any number of independent continuous Laplace noises, by a Fourier series in doubles.
 *
 * Claim  noise-series.upper  the bound is never below P(|X_1 + ... + X_n| >= s), X_i continuous Laplace
 *                            of the scale b_i
 * Claim  noise-series.tight  it is above that of scales that are at least a tenth of the largest by 1e-9
 *                            at most
 *
 * Proof. Wound around a circle of length W the sum has the Fourier coefficients f(2 pi j / W), f(u) the
 * product of 1/(1 + u^2 b_i^2), each as often as there are noises of its scale. So P(|sum mod W| < s) = 2 s/W + sum over j of 2 f(2 pi j/W) sin(2 pi j
 * s/W) / (pi j), which is above P(|sum| < s) by P(|sum| >= W - s) at most. That is bounded by Markov's
 * inequality for exp(t sum): E exp(t X) = 1/(1 - t^2 b^2). Terms beyond j = J, where u b >= 10 for the
 * largest scale, fall faster than 1.01 f(u_J) (J/j)^2, so that together they are below f(u_J) / 2. A
 * scale b of n noises with sqrt(n) b below a tenth of the largest is made so large: symmetric unimodal noise that is
 * spread further spreads the sum further.
 */

/* Scales are above 0; s is above 0. times: how many noises there are of each scale; NULL: one. */
double sc_noise_series_tail_upper(const double *scales, const double *times, size_t count,
                                  double s);

/* The quantile z of the standard normal distribution, to 1e-9; share is between 0 and 1. For predictions
 * only: no interval and no cost depends on it. */
double sc_normal_quantile(double share);

#endif
