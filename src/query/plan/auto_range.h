/* Bounds of a person's total of a column that a question finds (auto_bounds.h), where it asks for them: max-total amount=auto.
 *
 * A ladder counts people by their largest total of a group, after WHERE, and another one by their smallest, where values may be
 * below 0. Each person stands on one rung of each.
 *
 * Reference  spec/query-semantics.md 2.7 and 5
 */
#ifndef SC_QUERY_AUTO_RANGE_H
#define SC_QUERY_AUTO_RANGE_H

#include "query/estimate/bound_proposal.h"
#include "query/plan/plan_model.h"

/* 0, then 1, 2, 5, ... from a thousandth of the farthest value on; at most SC_LADDER_MOST, in steps of a column. Returns how
 * many there are. */
size_t sc_total_rungs(int64_t farthest, int64_t steps[SC_LADDER_MOST]);

/* The columns whose bounds a plan finds, in its arena. SCRIM_E_PARAM for one that is not a number or not named by a sum,
 * SCRIM_E_LIMIT for too many. */
SCRIM_MUST_USE scrim_status sc_auto_ranges_read(const scrim_plan *plan, sc_arena *arena,
                                                sc_auto_range **out, size_t *count,
                                                scrim_error *error);
/* The query of a ladder of totals. NULL without memory. */
const char *sc_auto_range_text(const sc_query *query, const sc_column *column,
                               bool is_largest, sc_arena *arena);
/* Released counts of a ladder. */
typedef struct sc_auto_counts {
    const sc_int128 *counts;
    size_t count;
} sc_auto_counts;
/* All bounds that the ladders of a plan propose, of rows and of totals, none beyond the most. */
void sc_auto_propose(const scrim_plan *plan, const sc_auto_counts *ladders,
                     const sc_auto_bounds *most, sc_auto_bounds *out);
/* The columns whose bound of a total the plan finds, "amount, tax"; "" without any. NULL without memory. */
const char *sc_auto_range_names(const scrim_plan *plan, sc_arena *arena);
/* The first column that a query which finds its bounds sums up, and whose bound of a total is neither declared, given nor
 * found; "" without any. NULL without memory. */
const char *sc_auto_unfound(const scrim_plan *plan, sc_arena *arena);
/* The lines of a policy with bounds that were found; rungs by column, the largest total first. NULL without memory. */
const char *sc_auto_range_lines(const scrim_plan *plan, const size_t (*rungs)[2],
                                sc_arena *arena);

#endif
