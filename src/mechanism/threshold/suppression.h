/* The effect of noise on a public universe that is mostly empty.
 *
 * Each of n zeros gets discrete Laplace noise, P(Z = z) proportional to x^|z|,
 * x = exp(-epsilon): the share 2x/(1 + x) of them is not 0 any more, and x/(1 + x) where what is
 * below 0 is made 0, fewer than half. No zero of n reaches T with probability (1 - x^T/(1 + x))^n.
 *
 * Claim  sparsity.smallest  T is the smallest integer from 1 on that no zero reaches, with
 *                           probability 1 - beta at least
 * Claim  sparsity.shares    both shares are those
 *
 * Reference  spec/thresholding.md F16, the source's 6.1, which has T = ln(n / beta)/epsilon
 */
#ifndef SC_MECHANISM_THRESHOLD_SUPPRESSION_H
#define SC_MECHANISM_THRESHOLD_SUPPRESSION_H

#include "base/number/ball.h"
#include "base/number/ratio.h"

/* epsilon from 2^-30 to 1000, keys an integer above 0, 0 < beta < 1. SC_THRESHOLD_MAX if no smaller one will do. */
int64_t sc_sparsity_threshold(const sc_ratio *epsilon, const sc_ratio *keys,
                              const sc_ratio *beta);
/* ln(keys / beta) / epsilon. */
void sc_sparsity_formula(const sc_ratio *epsilon, const sc_ratio *keys,
                         const sc_ratio *beta, long bits, sc_ball *out);
/* x/(1 + x); the other share is twice that. */
void sc_sparsity_positive(const sc_ratio *epsilon, long bits, sc_ball *out);

#endif
