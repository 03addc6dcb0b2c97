/* The parts of a joint charge, as lines that a ledger keeps with it:
 *
 *     arithmetic 1
 *     neighbours add-remove
 *     delta 0.000001
 *     concentrated 0.5 0.0000005
 *     part 1 laplace sensitivity=1 epsilon=0.1 neighbours=add-remove
 *
 * The arithmetic is that of joint.h, delta is the one that was declared for the whole,
 * `concentrated` is there where parts have a rho alone, with the epsilon and the delta that were
 * set aside for them, and a part is its copies and its measurement, in the order of the bundle.
 * The lines have one spelling, and what was charged can be computed from them again.
 *
 * Claim  declared.recomputed  the epsilon that is read from a declaration is the one that was
 *                                charged for its bundle; a declaration of other parts, another
 *                                delta or another spelling is refused or comes to another number
 */
#ifndef SC_ACCOUNT_DECLARED_H
#define SC_ACCOUNT_DECLARED_H

#include "base/text.h"
#include "ledger/bundle.h"

/* More parts are no declaration. */
#define SC_DECLARED_PARTS 4096
/* Numbers the orders in which a release takes its random bits: another order under the key of an
 * earlier one would be another answer for one charge. Raise it with every change of that order. */
#define SC_DECLARED_DRAWING "2"

/* Of a bundle that has a joint cost; freed by sc_free. SCRIM_E_MEMORY, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_declared_write(const sc_bundle *bundle, char **out,
                                              scrim_error *error);
/* The same lines of any bundle that is fixed, without the delta where it has no joint cost, behind a
 * line with the order of draws: they say which releases are alike. */
SCRIM_MUST_USE scrim_status sc_declared_parts(const sc_bundle *bundle, char **out,
                                              scrim_error *error);
/* What the parts come to jointly. Total: SCRIM_E_CHECK for what is no declaration, is of another
 * arithmetic or has no joint cost; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_declared_price(sc_text text, scrim_neighbours *neighbours,
                                              sc_ratio *epsilon, sc_ratio *delta,
                                              scrim_error *error);

#endif
