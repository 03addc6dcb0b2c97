/* Which counts of support are too large for a text that nobody holds: such a count is exactly binomial
 * (spec/local-additions.md 3). Tails are doubles; a millionth is added, which is far more than they err. */
#ifndef SC_LOCAL_SUPPORT_THRESHOLD_H
#define SC_LOCAL_SUPPORT_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

/* The least c with candidates x P(Bin(n, q) >= c) <= alpha; n + 1 if there is none. */
uint64_t sc_support_threshold(uint64_t n, double q, uint64_t candidates, double alpha);
/* The least count of a list by Benjamini and Yekutieli: the r largest counts are listed, r the largest with
 * P(Bin(n, q) >= the r-th) <= r alpha / (candidates (1 + 1/2 + ... + 1/candidates)). counts: falling, one a
 * candidate. n + 1: none is. */
uint64_t sc_support_threshold_rate(uint64_t n, double q, const uint64_t *counts,
                                   size_t candidates, double alpha);

#endif
