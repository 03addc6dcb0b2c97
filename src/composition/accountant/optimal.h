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
#ifndef SC_COMPOSITION_OPTIMAL_H
#define SC_COMPOSITION_OPTIMAL_H

#include "composition/accountant/accountant.h"

extern const sc_accountant sc_accountant_optimal;

#endif
