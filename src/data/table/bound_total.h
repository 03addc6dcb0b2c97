/* What bounds of a person's total keep of a sum: for the owner's table of bounds. Exact sums of raw rows,
 * for nobody else.
 *
 * A unit adds clamp(t, low, high) to each group that is kept, where t is the sum of all its rows there. Of a
 * unit in g groups, min(G, g)/g of them are kept on average.
 *
 * Reference  spec/query-semantics.md 2.3
 */
#ifndef SC_DATA_BOUND_TOTAL_H
#define SC_DATA_BOUND_TOTAL_H

#include "data/table/unit_count.h"
#include "data/value/column.h"
#include "scrim/inspection.h"

/* The declared one, and 1, 2, 3, 4, 5, 10, 20, ... steps up to 2^62. */
#define SC_BOUND_TOTALS 96

/* What all pairs of a unit and a group have together, and what is kept of it; without signs. */
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

/* Of that number of the rows, which is the column's, with at most so many groups; after
 * sc_unit_count_runs. */
void sc_bound_totals_count(const sc_unit_count *units, size_t number,
                           const sc_column *column, uint64_t max_groups,
                           sc_bound_totals *out);

/* As max-total takes it: "500" where one number says it, else "-100,500". */
void sc_bound_total_format(const sc_column *column, const sc_bound_total *total,
                           char text[SCRIM_TOTAL_BYTES]);

#endif
