/* Bounds that a question finds by itself: a ladder of the rows of its units, after its WHERE and its listed keys, is
 * drawn with a share of the cost. From its counts follows the total of rows of a unit, and the question is
 * answered with the rest. Both shares are fixed and charged as one sum before anything is drawn, whichever
 * rung comes out. Queries of a batch each find a total of their own; those that count the same rows share a ladder.
 *
 * Where keys are private, selecting them is charged by group: the groups of a unit stay those that are declared or said.
 *
 * Claim  auto-bounds.once  the costs of the ladders and of the question add up to at most the epsilon and the delta, or
 *                          the rho, that were asked for, which are charged, whatever totals were found; each total is a
 *                          function of the released ladder alone
 *
 * Proof. The ladders are private for their share. Given their counts, whatever they are, the totals are fixed, and the question
 * is calibrated for them to the rest, delta included, by any mechanism. So the pair is private for the sum (allowance.h).
 *
 * Reference  spec/query-semantics.md 2.7
 */
#ifndef SC_QUERY_AUTO_BOUNDS_H
#define SC_QUERY_AUTO_BOUNDS_H

#include "query/estimate/cut_reading.h"
#include "query/plan/plan_model.h"

/* Rungs: 1, 2, 5, ... 10^6. */
#define SC_AUTO_RUNGS 19

/* WHERE of a question, and that keys of text are listed; the name of a column. */
void sc_auto_put_where(sc_text_sink *sink, const sc_query *query);
void sc_auto_put_name(sc_text_sink *sink, sc_text name);
/* The query of a ladder: the units on each rung. NULL without memory. */
const char *sc_auto_ladder_text(const sc_query *query, sc_arena *arena);

/* Released counts of the rungs with that noise; rungs has SC_AUTO_RUNGS. */
void sc_auto_read(const scrim_measurement *noise, const sc_ratio *confidence,
                  const sc_int128 *counts, size_t count, int64_t *rungs,
                  sc_ladder_reading *out);
/* The epsilon of one number: each of a group has about an equal part of what the ladders leave to its query. */
void sc_auto_epsilon(const scrim_plan *plan, const sc_planned_statement *statement,
                     sc_ratio *out);

/* The total that released counts of the rungs propose for a statement: the one with the smallest predicted error of a
 * count at its epsilon. */
uint64_t sc_auto_total(const scrim_plan *plan, size_t statement, const sc_int128 *counts,
                       size_t count);
/* Does the ladder tell who is cut? Only where exactly the units with more rows than the total lose some: not with a bound
 * of groups too, where totals are clamped or units counted, or where rows leave for a computed key that is on no list. Else
 * people are counted by a draw of their own (plan_cut.h). */
bool sc_auto_tells_cut(const sc_query *query, const sc_statistics *statistics,
                       const sc_bounds *said);
/* Units with more rows than a total, by released counts of the rungs with that noise, and the units on all rungs. */
sc_cut_reading sc_auto_cut(const scrim_measurement *noise, const sc_ratio *confidence,
                           const sc_int128 *counts, size_t count, uint64_t total,
                           int64_t *people);

#endif
