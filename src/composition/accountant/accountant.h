/* Accountants: each bounds what a bag of releases costs together, by a theorem of its own.
 *
 * Every upper bound holds, so does the smallest; every lower bound holds, so does the largest. An
 * accountant is one constant descriptor; accountants.h lists them.
 *
 * Most theorems need all parts to be declared before the first release. Where an analyst chooses
 * the next parameters after seeing the last answer, only those count whose sum may be fixed in
 * advance and held by a filter (src/ledger/filter.h): of epsilons and deltas, or of rhos. The sum
 * of Renyi curves is such a filter at one order that is fixed in advance, and not at the best one,
 * so that the accountant which looks for the best one is not.
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
    sc_ball lower, upper; /* lower end of the one, upper end of the other count */
} sc_enclosure;

void sc_enclosure_init(sc_enclosure *enclosure);
void sc_enclosure_clear(sc_enclosure *enclosure);

typedef struct sc_accountant {
    const char *name;    /* "basic" */
    const char *summary; /* one line for people */
    const char *reference;
    bool is_adaptive; /* also holds, as a filter, for parameters chosen along the way */
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
/* Counts what one accountant has found. */
void sc_best_take(sc_best *best, const sc_accountant *by, const sc_enclosure *found);

#endif
