/* A question with ROLLUP, CUBE or GROUPING SETS: a statement for each of its sets. All count the same rows: those that the
 * contribution bounds leave of each unit in the groups of all keys together, the source. A group of a set is the sum of groups of the source.
 *
 * A set has its own norms: with G groups of at most R rows and T rows in all in the source, and at most f groups of the source in one
 * of the set, a unit is in at most G groups of the set, with min(T, f R) rows in each and T in all. So a grand total has l1 = T and l2 = T,
 * where its parts have l2 = sqrt(G) R. Sets are charged one after the other, and together as the draws of one question.
 *
 * Sums are of bounded rows in all sets, and units are counted where each is in one group of the source alone: else one
 * would count several times in a total.
 *
 * Claim  plan-sets.reach  no unit that the source bounds moves a set further than the bounds of its statement allow (X13)
 *
 * Reference  spec/query-semantics.md 8.1
 */
#ifndef SC_QUERY_PLAN_SETS_H
#define SC_QUERY_PLAN_SETS_H

#include "query/plan/plan_model.h"

/* SCRIM_E_PARAM, in words that end with where. */
scrim_status sc_plan_sets_refuse(scrim_error *error, const char *where);
/* Can a query with sets be asked, as one of this number of queries? SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_plan_sets_check(const scrim_plan *plan,
                                               const sc_query *query, size_t queries,
                                               scrim_error *error);
/* Sets the bounds of a set that is the sum of the source. */
void sc_plan_set_reach(const sc_planned_statement *source, sc_planned_statement *s);
/* SCRIM_E_PARAM where units would count several times in a total. */
SCRIM_MUST_USE scrim_status sc_plan_sets_check_units(const sc_planned_statement *source,
                                                     scrim_error *error);
/* SCRIM_E_PARAM where totals are to be consistent, and those of a set have not all as many parts. */
SCRIM_MUST_USE scrim_status sc_plan_sets_check_consistent(
    const sc_planned_statement *statements, size_t count, scrim_error *error);
/* The names of its keys, in the arena: "sex, city", or "all rows"; NULL without memory. */
const char *sc_plan_set_words(const sc_query *query, sc_arena *arena);

#endif
