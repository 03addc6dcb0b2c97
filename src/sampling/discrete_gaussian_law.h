/* The law of discrete Gaussian noise, and that of a sum of several draws of it. */
#ifndef SC_SAMPLING_DISCRETE_GAUSSIAN_LAW_H
#define SC_SAMPLING_DISCRETE_GAUSSIAN_LAW_H

#include "base/number/ball.h"
#include "base/status.h"
#include "sampling/law.h"

/* The sums behind the discrete Gaussian law. */

/* sum over all integers k of exp(-tau k^2), tau > 0: directly, or by Poisson's formula
 * sqrt(pi/tau) sum exp(-pi^2 k^2/tau), whichever is short. */
void sc_theta(const sc_ball *tau, long bits, sc_ball *out);

/* sum over k >= m of exp(-k^2/(2 variance)), m >= 1: term by term from the first, or by
 * Euler and Maclaurin with a proved remainder. Two ways to one number; both are exact
 * enclosures. */
void sc_gaussian_tail_by_terms(const sc_ratio *variance, sc_int128 m, long bits,
                               sc_ball *out);
void sc_gaussian_tail_by_integral(const sc_ratio *variance, sc_int128 m, long bits,
                                  sc_ball *out);

/* The sum of several draws of discrete Gaussian noise. It is not discrete Gaussian: with v the variance of one
 * of s draws, and G the discrete Gaussian law of variance s v,
 *
 *     P(S = k) = exp(-k^2 / (2 s v)) c(k),   c(k + s) = c(k),   ln(P(S = k)/G(k)) spans at most kappa
 *
 * (Theorem 4 of mechanism/threshold/threshold_gaussian.md). Up to SC_GAUSSIAN_SUM_LISTED draws of a variance of
 * at most 4, c is found by convolving the law of one draw, and kappa is exact but for 2^-100. Otherwise kappa is
 * ln((1 + E)/(1 - E)), E = theta(pi^2 v)^s - 1, and the law is that of G within a factor of exp(kappa).
 *
 * Claim  gaussian-sum.encloses  the law is that of a sum of independent draws
 * Claim  gaussian-sum.close     kappa is at least the largest less the smallest ln(P(S = k)/G(k)); where c is
 *                               listed it is at most 2^-100 more
 *
 * Reference  spec/local-additions.md 5
 */

#define SC_GAUSSIAN_SUM_LISTED 16
#define SC_GAUSSIAN_SUM_MAX 1000000

typedef struct sc_gaussian_sum {
    uint64_t draws;
    sc_law one, whole; /* of one draw; G */
    sc_ratio kappa;
    sc_ball *weights; /* c(0) to c(draws - 1); NULL: they are not listed */
} sc_gaussian_sum;

/* 1 <= draws <= SC_GAUSSIAN_SUM_MAX, variance > 0. SCRIM_E_LIMIT: the variance is too small to bound kappa. Free it with
 * sc_gaussian_sum_free. */
SCRIM_MUST_USE scrim_status sc_gaussian_sum_new(const sc_ratio *variance, uint64_t draws,
                                                sc_gaussian_sum **out,
                                                scrim_error *error);
void sc_gaussian_sum_free(sc_gaussian_sum *sum); /* NULL is nothing */

/* (1 + E)/(1 - E); false when E may be 1/2 or more. */
bool sc_gaussian_sum_excess(const sc_ratio *variance, uint64_t draws, long bits,
                            sc_ball *out);

/* Functions of a law whose context is an sc_gaussian_sum. */
extern const sc_law_functions sc_gaussian_sum_law;

#endif
