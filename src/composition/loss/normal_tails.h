/* Tails of the normal law at equally spaced points, many for the price of few.
 *
 * Around a centre c, with f its density,
 *
 *     P(N > c + d) = P(N > c) - f(c) I(d),    I(d) = integral of exp(-c s - s^2/2) from 0 to d
 *                                                  = sum over n >= 0 of c_n d^(n + 1) / (n + 1),
 *     c_0 = 1,  (n + 1) c_(n+1) = -(c c_n + c_(n-1)).
 *
 * exp(|c| s + s^2/2) has coefficients that are no smaller, so that what follows the first N terms is
 * at most |d| (|d| / R)^N exp(|c| R + R^2/2) for every R >= |d|. One error function serves all points
 * up to a quarter from its centre.
 *
 * Claim  normal-tails.hold  the balls hold the tails, and are as accurate as asked
 */
#ifndef SC_COMPOSITION_NORMAL_TAILS_H
#define SC_COMPOSITION_NORMAL_TAILS_H

#include "base/number/ball.h"

/* above[i] = P(N > first + i step) and below[i] = P(N <= that), i < count, step > 0: each to about so
 * many bits of itself, the smaller one too. False, and no guarantee: no memory. */
bool sc_normal_tails(const sc_ball *first, const sc_ball *step, size_t count, long bits,
                     sc_ball *above, sc_ball *below);

#endif
