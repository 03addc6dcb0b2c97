/* Accountants: each bounds the total cost of a bag (multiset) of releases, by a composition theorem of its own.
 *
 * Every upper bound holds, so the smallest one does; every lower bound holds, so the largest one does. An
 * accountant is one constant descriptor; accountants.h lists them.
 *
 * Most theorems need the parameters of all releases before the first one. If an analyst chooses the
 * next parameters after seeing the last answer, only adaptive accountants hold: those whose limit can
 * be enforced by a filter (src/ledger/filter.h), a sum of epsilons and deltas, or of rhos. Renyi
 * curves have a filter for orders that are chosen beforehand, which is an accountant of its own. The Renyi
 * accountant looks for the best order afterwards, so it is not adaptive.
 *
 * Claim  accountant.sound  no upper bound is below the truth, no lower bound above it
 *
 * Reference  spec/mechanisms.md 8; spec/local-and-accounting.md 5, 6, 8, 9
 */
#ifndef SC_COMPOSITION_ACCOUNTANT_H
#define SC_COMPOSITION_ACCOUNTANT_H

#include "composition/loss/bag.h"

typedef struct sc_enclosure {
    bool has_lower, has_upper;
    sc_ball lower,
        upper; /* what is proved: the lower end of lower, the upper end of upper */
} sc_enclosure;

void sc_enclosure_init(sc_enclosure *enclosure);
void sc_enclosure_clear(sc_enclosure *enclosure);

typedef struct sc_accountant {
    const char *name;    /* "basic" */
    const char *summary; /* one line for people */
    const char *reference;
    bool is_adaptive; /* also holds if parameters are chosen after earlier answers */
    bool is_slow;     /* composes whole distributions of losses */
    /* epsilon at a delta in [0, 1), and delta at an epsilon >= 0. SCRIM_OK with neither bound when
     * the theorem does not apply; *remark then says why, in constant text. */
    scrim_status (*epsilon)(const sc_bag *bag, const sc_ratio *delta, sc_enclosure *out,
                            const char **remark, scrim_error *error);
    scrim_status (*delta)(const sc_bag *bag, const sc_ratio *epsilon, sc_enclosure *out,
                          const char **remark, scrim_error *error);
} sc_accountant;

/* The smallest upper bound and the largest lower one, and which accountant proved each; NULL
 * where no accountant did. */
typedef struct sc_best {
    sc_enclosure bounds;
    const sc_accountant *upper_by, *lower_by;
} sc_best;

void sc_best_init(sc_best *best);
void sc_best_clear(sc_best *best);
/* Keeps the bounds of one accountant where they are better than those so far. */
void sc_best_take(sc_best *best, const sc_accountant *by, const sc_enclosure *found);

#endif
