/* A whole synthetic release: checked, charged, drawn and recorded, in the order of every release.
 *
 *     1  the order is checked, and memory is had, before anything is charged
 *     2  one total is charged, durably; or a charge for the same order that has no answer is joined
 *     3  only then are rows read, by the caller's function
 *     4  the method draws within the total
 *     5  the released numbers are recorded; the model and its rows are made from that text, now and later
 *
 * Claim  synth-order.charged   no row is read and no bit is drawn before the charge; whatever fails after it, the charge
 *                              stays, and the message says so
 * Claim  synth-order.recorded  what is returned is what was recorded
 */
#ifndef SC_SYNTH_ORDER_H
#define SC_SYNTH_ORDER_H

#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"

/* All of it public, and the caller's. */
typedef struct sc_synth_order {
    sc_synth_method method;
    const sc_mst_plan *mst; /* of its method; the others are not looked at */
    const sc_aim_plan *aim;
    const sc_mwem_plan *mwem; /* with marginals */
    sc_synth_columns columns;
    sc_round_unit unit;
    const sc_ratio *rho;             /* NULL: epsilon is pure, for MWEM alone */
    const sc_ratio *epsilon, *delta; /* as sc_allowance_new */
    size_t capacity;                 /* the most distinct rows */
    /* Adds the rows, with all that is random taken from the key of the charge. */
    scrim_status (*load)(void *context, const sc_bits_key *key, sc_records *records,
                         scrim_error *error);
    void (*progress)(void *context, uint64_t done, uint64_t total); /* or NULL */
    void *context;
} sc_synth_order;

/* Before a charge: SCRIM_E_PARAM for an order that is none, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_synth_order_check(const sc_synth_order *order,
                                                 scrim_error *error);
/* question is the line of the entry. key is from sc_bits_key_draw and is wiped by the caller; is_once as sc_passage_open.
 * standing is SC_ONCE_ANSWERED, and nothing is released here, where the recorded answer is to be shown. text, freed
 * by sc_free, is what was recorded. */
SCRIM_MUST_USE scrim_status sc_synth_order_release(
    scrim_ledger *ledger, const char *question, const sc_synth_order *order,
    sc_bits_key *key, bool is_once, sc_once_standing *standing, uint64_t *entry,
    char **text, scrim_error *error);

#endif
