/* The joint cost of several draws: the parts of one release, fixed before it is charged.
 *
 * Epsilons and deltas add up. Parts that promise a rho and no epsilon of their own, which is what
 * a Gaussian of a given variance does, are added up as rho first and turned into one (epsilon,
 * delta) at a delta that is set aside for them (spec/local-and-accounting.md 5, 6). A part whose
 * draws are made for each group by itself costs as many of them as one unit can change: its
 * copies.
 *
 * Copies and relations. In the bundle's own relation, copies draws cost copies times one. A part
 * for add-remove in a bundle for replace counts comings and goings: one unit that is replaced
 * leaves some draws and enters others, `copies` in all: 2k where it reaches k groups. It may
 * leave and enter the same draw, which then sees a group of two, at twice the epsilon and four
 * times the rho; k such draws cost at least as much as 2k that see one change each, in every
 * notion. So such a part costs copies / 2, rounded up, draws with a group of two each, and a
 * caller doubles nothing but the copies.
 *
 * A bundle is declared in advance, so its joint loss may be charged where that is less than the sum:
 * see joint.h. It is charged at a delta that was declared for the whole.
 *
 * Claim  bundle.sum       the epsilon and the delta are the sums over the parts, as rationals
 * Claim  bundle.rho       what is concentrated is charged its exact rho, and an epsilon at which
 *                         that rho has at most the delta that was set aside
 * Claim  bundle.relation  a replaced unit is charged as one that leaves and one that enters, in
 *                         one draw or in two, whichever is more
 * Claim  bundle.joint     what is charged jointly is never below what all parts cost together at
 *                         that delta, and is less than their sum by a twentieth, or, where the
 *                         parts have the whole of that delta anyway, by a thousandth
 */
#ifndef SC_LEDGER_BUNDLE_H
#define SC_LEDGER_BUNDLE_H

#include "base/text.h"
#include "model/measurement.h"

typedef struct sc_bundle sc_bundle;

SCRIM_MUST_USE scrim_status sc_bundle_new(scrim_neighbours neighbours, sc_bundle **out,
                                          scrim_error *error);
void sc_bundle_free(
    sc_bundle *bundle); /* NULL is allowed; measurements stay the caller's */

/* Adds a part and gives its number, from 0 on; copies >= 1. The measurement must live as long.
 * SCRIM_E_STATE once it is fixed. */
SCRIM_MUST_USE scrim_status sc_bundle_add(sc_bundle *bundle,
                                          const scrim_measurement *measurement,
                                          uint64_t copies, size_t *part,
                                          scrim_error *error);
/* After the last part: delta is for those that promise a rho alone; without any it is not
 * charged. SCRIM_E_PARAM when it is needed and 0, and for a part that promises neither epsilon
 * nor rho; SCRIM_E_POLICY for one that says nothing in the bundle's relation. */
SCRIM_MUST_USE scrim_status sc_bundle_fix(sc_bundle *bundle, const sc_ratio *delta,
                                          scrim_error *error);
/* The same, but what is concentrated is charged this epsilon, for which its rho was chosen, and no
 * digit more: SCRIM_E_PARAM when it does not keep delta there. */
SCRIM_MUST_USE scrim_status sc_bundle_fix_at(sc_bundle *bundle, const sc_ratio *epsilon,
                                             const sc_ratio *delta, scrim_error *error);
/* For a bundle that is fixed: looks for what the parts cost jointly at a delta, 0 <= delta < 1, for
 * all of them, and keeps it where it is worth it. No joint cost is kept for a delta
 * with more bits than a charge may have. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_bundle_join(sc_bundle *bundle, const sc_ratio *delta,
                                           scrim_error *error);
bool sc_bundle_is_fixed(const sc_bundle *bundle);

/* All that follows is for a bundle that is fixed. The costs to be charged, each priced by itself
 * and then added up: one of each part that is pure or has its own (epsilon, delta), and one of all
 * that is concentrated; in the relation of the bundle. */
const sc_exact_cost *sc_bundle_costs(const sc_bundle *bundle, size_t *count);
/* The sum: what is shown. It has a rho where every part has. */
const sc_exact_cost *sc_bundle_total(const sc_bundle *bundle);
const scrim_cost *sc_bundle_cost(const sc_bundle *bundle);
/* (epsilon, delta) of all of them, jointly; NULL: the sum is charged. */
const sc_exact_cost *sc_bundle_joint(const sc_bundle *bundle);

size_t sc_bundle_count(const sc_bundle *bundle);
const scrim_measurement *sc_bundle_measurement(const sc_bundle *bundle, size_t part);
uint64_t sc_bundle_copies(const sc_bundle *bundle, size_t part);
scrim_neighbours sc_bundle_neighbours(const sc_bundle *bundle);
/* The joint cost of the parts that are priced in rho; NULL: no part is. */
const sc_exact_cost *sc_bundle_concentrated(const sc_bundle *bundle);

/* The parts of a joint charge (declared_parts.c), as lines that a ledger keeps with it:
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

/* More parts are no declaration. */
#define SC_DECLARED_PARTS 4096
/* Numbers the orders in which a release takes its random bits: another order under the key of an
 * earlier one would be another answer for one charge. Raise it with every change of that order. */
#define SC_DECLARED_DRAWING "2"

/* Writes a bundle that has a joint cost; freed by sc_free. SCRIM_E_MEMORY, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_declared_write(const sc_bundle *bundle, char **out,
                                              scrim_error *error);
/* The same lines of any bundle that is fixed, without the delta where it has no joint cost, behind a
 * line with the order of draws: they say which releases are alike. */
SCRIM_MUST_USE scrim_status sc_declared_parts(const sc_bundle *bundle, char **out,
                                              scrim_error *error);
/* The joint cost of the parts. Total: SCRIM_E_CHECK for a text that is no declaration, is of another
 * arithmetic or has no joint cost; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_declared_price(sc_text text, scrim_neighbours *neighbours,
                                              sc_ratio *epsilon, sc_ratio *delta,
                                              scrim_error *error);

#endif
