/* Many copies of randomised response of one epsilon: the worst of this many releases of it.
 *
 * With l of k losses negative the sum is (k - 2l) epsilon, and
 *
 *     delta(e) = sum over l with (k - 2l) epsilon > e of  p(l) (1 - exp(e - (k - 2l) epsilon)),
 *
 * p binomial of k and 1/(1 + exp(epsilon)). The terms are summed from the largest l downwards, the
 * first p(l) by logarithms of factorials, and only around where they are; what is left out above is
 * bounded by Bernstein, below by a geometric series, both relative to the sum. Between two losses
 * delta is a line in exp(e), so the inverse is exact as well.
 *
 * Claim  copies.delta    the ball holds delta(e), to about as many bits as are asked for, at any k
 *                        and any epsilon however small
 * Claim  copies.epsilon  the ball holds the smallest e >= 0 with delta(e) <= delta
 *
 * Reference  Kairouz, Oh, Viswanath 2015; spec/mechanisms.md 8.3
 */
#ifndef SC_MODEL_COPIES_H
#define SC_MODEL_COPIES_H

#include "base/number/ball.h"

/* False where more than SC_COPIES_TERMS terms would have to be summed, or epsilon is beyond
 * SC_COPIES_EPSILON; at >= 0. */
bool sc_copies_delta(const sc_ratio *epsilon, uint64_t count, const sc_ratio *at,
                     long bits, sc_ball *out);
/* delta in [0, 1]. */
bool sc_copies_epsilon(const sc_ratio *epsilon, uint64_t count, const sc_ball *delta,
                       long bits, sc_ball *out);

#define SC_COPIES_TERMS ((uint64_t)1 << 20)
#define SC_COPIES_EPSILON ((int64_t)1 << 20)

#endif
