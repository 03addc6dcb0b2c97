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
#ifndef SC_COMPOSITION_BASIC_H
#define SC_COMPOSITION_BASIC_H

#include "composition/accountant/accountant.h"

extern const sc_accountant sc_accountant_basic;

#endif
