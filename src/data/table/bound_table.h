/* The owner's table of bounds: how much of a table each contribution bound keeps, and the noise
 * that it needs. */
#ifndef SC_DATA_BOUND_TABLE_H
#define SC_DATA_BOUND_TABLE_H

#include "data/source/batch.h"
#include "data/table/unit_count.h"
#include "data/value/column.h"
#include "scrim/inspection.h"

/* The part of a sum that bounds of a person's total keep: for the owner's table of bounds. Exact sums of raw rows,
 * for nobody else.
 *
 * A unit adds clamp(t, low, high) to each group that is kept, where t is the sum of all its rows there. Of a
 * unit in g groups, min(G, g)/g of them are kept on average.
 *
 * Reference  spec/query-semantics.md 2.3
 */

/* The declared one, and 1, 2, 3, 4, 5, 10, 20, ... steps up to 2^62. */
#define SC_BOUND_TOTALS 96

/* The total of all pairs of a unit and a group, and the part that is kept; without signs. */
typedef struct sc_bound_tally {
    double all, kept;
} sc_bound_tally;

typedef struct sc_bound_total {
    int64_t low, high;           /* in steps: low <= 0 <= high */
    sc_bound_tally above, below; /* of totals above and below 0 */
} sc_bound_total;

typedef struct sc_bound_totals {
    sc_bound_total totals[SC_BOUND_TOTALS];
    size_t count;
    bool has_declared; /* the first one */
} sc_bound_totals;

/* How much of a table the bounds of a unit's contribution keep, and which noise they need: for the owner's own
 * choice. Exact counts of raw rows, for nobody else.
 *
 * For max-groups G and max-rows R, of a unit that is in g groups and has n rows in one of them,
 * min(G, g)/g min(R, n)/n of these rows is kept on average over the secret choice. A sum by itself keeps its total
 * there, clamped to that of R rows, in place of chosen rows. What is missing
 * of all groups, divided by their number, is the bias of one. Totals of a person are bounded in place of
 * rows as bound_table.h says.
 *
 * Claim  bound-table.kept  what is kept is the mean of what bounding keeps, over its choices
 *
 * Reference  spec/query-semantics.md 0 and 5
 */

/* Who knows the groups of rows: those of a query, which are the business of a higher layer. */
typedef struct sc_bound_groups {
    const void *context;
    const size_t *columns; /* places in the schema of those that keys are made of */
    size_t column_count;
    uint64_t count; /* groups there can be; 0: it is not public */
    /* The state of one worker, for batches with these columns. SCRIM_E_MEMORY. */
    scrim_status (*begin)(const void *context, const size_t *columns, size_t column_count,
                          void **state, scrim_error *error);
    void (*end)(void *state); /* NULL is allowed */
    /* The groups of at most SC_BOUND_ROWS rows of a batch, good until the next call. is_in is 1 where a row
     * is in one; NULL: all are. SCRIM_E_MEMORY. */
    scrim_status (*find)(void *state, const sc_batch *batch, size_t from, size_t count,
                         const sc_text **groups, const int64_t **is_in,
                         scrim_error *error);
} sc_bound_groups;
#define SC_BOUND_ROWS 1024

typedef struct sc_bound_request {
    const sc_schema *schema;
    const sc_bound_groups *groups; /* NULL: all rows are one */
    const sc_ratio *epsilon;       /* of one number; NULL: no noise is told */
    const struct scrim_frame
        *frame; /* the rows of a dataset that are pushed; NULL: those of its source */
    unsigned workers; /* 0: one a processor */
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    void *context;
} sc_bound_request;

/* Freed by scrim_bound_choices_clear; the version is left at 0. SCRIM_E_PARAM where each row is a
 * unit, no source is named or there is no such column; SCRIM_E_INPUT, SCRIM_E_MEMORY,
 * SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_bound_table(const sc_bound_request *request,
                                           scrim_bound_choices *out, scrim_error *error);

#endif
