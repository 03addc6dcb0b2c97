/* Bounds that a question finds by itself: a ladder of the rows of its units, after its WHERE and its listed keys, is
 * drawn with a share of epsilon. From its counts follows the total of rows of a unit, and the question is
 * answered with the rest of epsilon. Both shares are fixed and charged as one sum before anything is drawn, whichever
 * rung comes out.
 *
 * Claim  auto-bounds.once  the costs of the ladder and of the question add up to the epsilon that was asked for, whatever
 *                          total was found; the total is a function of the released ladder alone
 *
 * Proof. The ladder is private for its share. Given its counts, whatever they are, the total is fixed, and the question
 * is calibrated for it to the rest. So the pair is private for the sum (allowance.h).
 *
 * Reference  spec/query-semantics.md 2.7
 */
#ifndef SC_QUERY_AUTO_BOUNDS_H
#define SC_QUERY_AUTO_BOUNDS_H

#include "query/estimate/cut_reading.h"
#include "query/plan/plan_model.h"

/* Can it find its bounds: one query of a table whose unit is a column, without private keys, UNNEST or rows per
 * person? SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_auto_check(const sc_planned_statement *statements,
                                          size_t count, scrim_error *error);
/* All parts are drawn for all groups at once? SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_auto_check_parts(const scrim_plan *plan,
                                                scrim_error *error);
/* The query of the ladder: the units on each rung of 1, 2, 5, ... 10^6 rows. NULL without memory. */
const char *sc_auto_ladder_text(const sc_query *query, sc_arena *arena);
/* A policy with this total in place of its bounds of groups and rows. NULL without memory. */
const char *sc_auto_policy(const char *policy, uint64_t total, sc_arena *arena);
/* The total that released counts of the rungs propose for a plan: the one with the smallest predicted error of a
 * count at the epsilon of the question. */
uint64_t sc_auto_total(const scrim_plan *plan, const sc_int128 *counts, size_t count);
/* Units with more rows than a total, by released counts of the rungs with that noise, and the units on all rungs. */
sc_cut_reading sc_auto_cut(const scrim_measurement *noise, const sc_ratio *confidence,
                           const sc_int128 *counts, size_t count, uint64_t total,
                           int64_t *people);

#endif
