/* How far an estimated frequency may be from the truth, where each person's report supports a value with probability p if they
 * hold it, and q if they do not.
 *
 * The estimate (C/n - q)/(p - q), C of n independent reports in support, is off by as many reports as C is from its mean,
 * over n (p - q). By Chernoff's bound, at any rate l > 0, that is s or more with probability at most
 * 2 exp(n m(l) - l s), m(l) the largest logarithm of the moment generating function of one centred report.
 *
 * Claim  support-radius.bound  all estimates are within the radius at once with probability 1 - beta or more, whatever
 *                              people hold; at one rate it is that of Hoeffding's inequality, so it is never wider
 */
#ifndef SC_MODEL_SUPPORT_RADIUS_H
#define SC_MODEL_SUPPORT_RADIUS_H

#include "base/number/ball.h"

typedef struct sc_support {
    sc_ratio p, q; /* q < p */
} sc_support;

void sc_support_init(sc_support *x);
void sc_support_clear(sc_support *x);
/* The radius of `estimates` frequencies at once, from count >= 1 reports. */
void sc_support_radius(const sc_support *x, int64_t estimates, const sc_ratio *beta,
                       size_t count, sc_ball *out);

#endif
