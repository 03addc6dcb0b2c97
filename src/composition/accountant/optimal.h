/* Exact composition of claims: of equal ones in closed form, of different ones on a lattice. */
#ifndef SC_COMPOSITION_OPTIMAL_H
#define SC_COMPOSITION_OPTIMAL_H

#include "composition/accountant/accountant.h"

/* The best that can be said of equal claims (Kairouz, Oh, Viswanath).
 *
 * k releases that are (epsilon, delta)-DP, each chosen as it may be, are together no worse than k
 * randomised responses beside a mass of 1 - (1 - delta)^k where everything is shown; and are that
 * bad where the parts are such, so that the bound is then both.
 *
 * Claim  optimal.upper  no composition of such parts has more at that delta
 * Claim  optimal.lower  where a lower bound is given, the parts have that much
 *
 * Reference  spec/mechanisms.md 8.3
 */

extern const sc_accountant sc_accountant_optimal;

/* Parts of different epsilon, exactly where all are multiples of one unit.
 *
 * The loss of a part is +epsilon or -epsilon, so those of all parts lie on the lattice of a unit of
 * which every epsilon is a multiple, and are composed there in integers: rounded up for the upper bound,
 * down for the lower. Where there is no such unit, or it is too fine, epsilons are rounded up to
 * multiples of a coarser one, and there is no lower bound.
 *
 * Claim  lattice.upper  no composition of parts with such claims has more at that delta
 * Claim  lattice.lower  where a lower bound is given, the parts have that much
 *
 * Reference  spec/mechanisms.md 8.4
 */

extern const sc_accountant sc_accountant_lattice;

#endif
