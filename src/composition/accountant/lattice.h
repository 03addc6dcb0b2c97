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
#ifndef SC_COMPOSITION_LATTICE_H
#define SC_COMPOSITION_LATTICE_H

#include "composition/accountant/accountant.h"

extern const sc_accountant sc_accountant_lattice;

#endif
