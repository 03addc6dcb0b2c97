/* Basic and advanced composition: sums of epsilons and deltas, and the bounds that save on them
 * for many small parts. */
#ifndef SC_COMPOSITION_BASIC_H
#define SC_COMPOSITION_BASIC_H

#include "composition/accountant/accountant.h"

/* Basic composition: epsilons add up, and so do deltas.
 *
 * The sum E of the epsilons is had with the sum of the deltas, also where the next parameters are
 * chosen after seeing answers: 1 - prod(1 - delta_i) would hold for declared ones alone. What more
 * delta is allowed buys a smaller epsilon, as of one randomised response of E. A part of which only a curve
 * is known gets an equal share of the delta that the others leave, and costs its epsilon there.
 *
 * Claim  basic.upper  no composition of such parts has more at that delta
 *
 * Reference  spec/mechanisms.md 8.1, 8.6
 */

extern const sc_accountant sc_accountant_basic;

/* Advanced composition, and the closed bound for parts of different epsilon.
 *
 * With q = sum eps_i^2, b = sum eps_i tanh(eps_i/2), and d what delta leaves beside 1 - prod(1 -
 * delta_i), the parts together have at most
 *
 *     advanced   b + sqrt(2 q ln(1/d))
 *     closed     the smaller of that and b + sqrt(2 q ln(e + sqrt(q)/d))
 *
 * and never more than by basic composition. The survey's eps (exp(eps) - 1) is true and larger than
 * eps tanh(eps/2).
 *
 * Claim  advanced.upper  no composition of such parts has more at that delta
 *
 * Reference  spec/mechanisms.md 8.2, 8.4
 */

extern const sc_accountant sc_accountant_advanced;
extern const sc_accountant sc_accountant_closed;

#endif
