/* What a count of successes says about a probability (Clopper and Pearson 1934).
 *
 * Claim  binomial-bounds.cover  whatever the probability p, the bound of k successes out of n is
 *                               on the wrong side of p with a probability of at most failure
 *
 * Doubles, widened by far more than they err: these are statistics, and nothing that is charged.
 */
#ifndef SC_AUDIT_BINOMIAL_BOUNDS_H
#define SC_AUDIT_BINOMIAL_BOUNDS_H

#include <stdint.h>

/* The smallest p with P(X >= k) > failure; 0 for k = 0. n >= 1, 0 < failure < 1. */
double sc_binomial_lower(uint64_t k, uint64_t n, double failure);
/* The largest p with P(X <= k) > failure; 1 for k = n. */
double sc_binomial_upper(uint64_t k, uint64_t n, double failure);
/* P(X >= k) and P(X <= k) of n trials of probability p, to about 1e-9 of themselves. */
double sc_binomial_at_least(uint64_t k, uint64_t n, double p);
double sc_binomial_at_most(uint64_t k, uint64_t n, double p);

#endif
