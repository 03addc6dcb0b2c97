/* What bounds of a unit's contribution keep of a table, and what noise they need: for the owner's own
 * choice. Exact counts of raw rows, for nobody else.
 *
 * For max-groups G and max-rows R, of a unit that is in g groups and has n rows in one of them,
 * min(G, g)/g min(R, n)/n of these rows is kept on average over the secret choice. What is missing
 * of all groups, divided by their number, is the bias of one. Totals of a person are bounded in place of
 * rows as bound_total.h says.
 *
 * Claim  bound-table.kept  what is kept is the mean of what bounding keeps, over its choices
 *
 * Reference  spec/query-semantics.md 0 and 5
 */
#ifndef SC_DATA_BOUND_TABLE_H
#define SC_DATA_BOUND_TABLE_H

#include "data/value/schema.h"
#include "scrim/inspection.h"

typedef struct sc_bound_request {
    const sc_schema *schema;
    sc_text by;              /* columns to group by, separated by commas; may be empty */
    const sc_ratio *epsilon; /* of one number; NULL: no noise is told */
    unsigned workers;        /* 0: one a processor */
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *context;
} sc_bound_request;

/* Freed by scrim_bound_choices_clear; the version is left at 0. SCRIM_E_PARAM where each row is a
 * unit, no source is named or there is no such column; SCRIM_E_INPUT, SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_bound_table(const sc_bound_request *request,
                                           scrim_bound_choices *out, scrim_error *error);

#endif
