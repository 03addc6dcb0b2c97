/* Running totals: a release of a series that shows the sum of all its windows so far.
 *
 * The windows 1 to T are the steps of a continual counter (mechanism/linear/counter.h). Release t draws
 * node t, the windows t - low(t) + 1 to t, and adds the numbers of release t - low(t), which were
 * released before: no node is drawn twice, and what is added is public. So the numbers of release t are
 * the true totals and as many noises as t has ones in binary. One row is in at most L = floor(log2 T) + 1
 * nodes, so that each part of the plan has L copies, and one release is charged what all of them cost.
 *
 * Claim  running.law    the totals have the distribution of the counter's answers
 * Claim  running.error  the interval of a total is that of the exact tail of its noises
 * Claim  running.cost   all releases of one version cost as much as was declared for one
 */
#ifndef SC_QUERY_RUNNING_H
#define SC_QUERY_RUNNING_H

#include "query/answer/noisy.h"

/* Adds the plan's base to the numbers of the rows, by key; the new ones lie in the arena. Nothing
 * happens without one. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_running_add(const scrim_plan *plan, sc_noisy *noisy,
                                           sc_arena *arena, scrim_error *error);
/* The rows of the record as a base, in the arena. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_running_base(const sc_record *record, sc_arena *arena,
                                            const sc_plan_base **out, size_t *count,
                                            scrim_error *error);
/* Does the plan draw the same numbers of the same groups by the same mechanisms? */
bool sc_running_fits(const scrim_plan *plan, const sc_record *record,
                     const sc_plan_base *base, size_t count);

#endif
