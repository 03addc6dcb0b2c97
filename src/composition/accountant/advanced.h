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
#ifndef SC_COMPOSITION_ADVANCED_H
#define SC_COMPOSITION_ADVANCED_H

#include "composition/accountant/accountant.h"

extern const sc_accountant sc_accountant_advanced;
extern const sc_accountant sc_accountant_closed;

#endif
