/* Bounds of a probability from a count of successes (Clopper and Pearson 1934).
 *
 * Claim  binomial-bounds.cover  whatever the probability p, the bound of k successes out of n is
 *                               on the wrong side of p with a probability of at most failure
 *
 * Doubles, widened by far more than they err: these are statistics, and nothing that is charged.
 */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "base/number/ball.h"

#include <stdint.h>

/* The smallest p with P(X >= k) > failure; 0 for k = 0. n >= 1, 0 < failure < 1. */
double sc_binomial_lower(uint64_t k, uint64_t n, double failure);
/* The largest p with P(X <= k) > failure; 1 for k = n. */
double sc_binomial_upper(uint64_t k, uint64_t n, double failure);
/* P(X >= k) and P(X <= k) of n trials of probability p, to about 1e-9 of themselves. */
double sc_binomial_at_least(uint64_t k, uint64_t n, double p);
double sc_binomial_at_most(uint64_t k, uint64_t n, double p);

/* A number between two proved bounds: for what is unknown by nature, such as the tail of a law,
 * and not only by rounding. */

/* The true value is at least the lower end of lower and at most the upper end of upper. */
typedef struct sc_enclosure {
    sc_ball lower, upper;
    bool is_infinite; /* the true value is: then neither ball counts */
    bool is_bounded;  /* upper counts: something finite is proved */
} sc_enclosure;

void sc_bounds_init(sc_enclosure *bounds); /* 0 */
void sc_bounds_clear(sc_enclosure *bounds);
void sc_bounds_set_zero(sc_enclosure *out);
void sc_bounds_set(sc_enclosure *out, const sc_enclosure *bounds);
/* Raises a lower bound to 0, for a quantity that cannot be negative. */
void sc_bounds_cut_below(sc_enclosure *out);

/* Doubles on the safe side; infinite where there is nothing better. */
double sc_bounds_lower(const sc_enclosure *bounds);
double sc_bounds_upper(const sc_enclosure *bounds);

/* Certain comparisons. */
bool sc_bounds_is_above(const sc_enclosure *bounds, const sc_ball *limit);
bool sc_bounds_is_at_most(const sc_enclosure *bounds, const sc_ball *limit);

#endif
