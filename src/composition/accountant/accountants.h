/* The list of all accountants, which `scrim compose` shows: basic, advanced, optimal (equal
 * parameters), lattice and closed (different parameters), renyi, renyi-filter, concentrated, loss (integers)
 * and fast-loss. A new accountant is one family of files and one line here. */
#ifndef SC_COMPOSITION_ACCOUNTANTS_H
#define SC_COMPOSITION_ACCOUNTANTS_H

#include "composition/accountant/accountant.h"

/* NULL past the last. */
const sc_accountant *sc_accountant_at(size_t index);
/* NULL where no accountant has this name. */
const sc_accountant *sc_accountant_find(const char *name);

/* The best bounds of a bag of releases: the smallest of all upper bounds, and the largest of all lower ones.
 *
 * A single release has a curve of its own, and no accountant has a better bound. For several releases all accountants are asked,
 * except "loss": "fast-loss" proves the same bounds apart from its rounding; and "renyi-filter", which renyi is never
 * above. "fast-loss" is not asked if privacy losses take long
 * to compute: for parts of which only a curve is known, and for noise whose shift is above 64 steps.
 *
 * Claim  joint-bound.sound  no bound is tighter than what the curve of one release, or one of the
 *                           accountants, proves
 *
 * Reference  spec/mechanisms.md 8; spec/local-and-accounting.md 5, 6, 8, 9
 */

/* How much time a bound may take. */
typedef enum sc_joint_effort {
    SC_JOINT_QUICK, /* theorems in closed form: milliseconds */
    SC_JOINT_FULL   /* privacy loss distributions, too */
} sc_joint_effort;

typedef struct sc_joint_bound {
    sc_enclosure bounds;
    const char *
        source; /* the accountant of the upper bound, or "curve"; "" without an upper bound */
} sc_joint_bound;

void sc_joint_bound_init(sc_joint_bound *bound);
void sc_joint_bound_clear(sc_joint_bound *bound);

/* delta at epsilon >= 0, and epsilon at a delta in [0, 1). An accountant that refuses because of
 * a size (SCRIM_E_LIMIT) is skipped; SCRIM_E_MEMORY is returned. out is initialised by the caller. */
SCRIM_MUST_USE scrim_status sc_joint_bound_delta(const sc_bag *bag,
                                                 const sc_ratio *epsilon,
                                                 sc_joint_effort effort,
                                                 sc_joint_bound *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_joint_bound_epsilon(const sc_bag *bag,
                                                   const sc_ratio *delta,
                                                   sc_joint_effort effort,
                                                   sc_joint_bound *out,
                                                   scrim_error *error);

#endif
