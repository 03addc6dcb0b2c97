/* Which statements of a plan count the people whose rows contribution bounds leave out (cut.h), and what for.
 *
 * All whose bounds can leave rows out, by what is declared and asked for: the unit is a column, each person does not
 * make one row, and not each unit has one row. Each pays for it with its part of the cut share, before the rest is divided.
 * Statements of a batch that cut the same people, by the same rows and the same total, have one count together, with the parts of
 * all of them.
 *
 * Claim  plan-cut.same    statements have one count only if each unit has as many rows left out in one of them as in the other
 * Claim  plan-cut.public  whether people are counted, and in which cells, depends on the question and on what is declared
 *                         alone
 *
 * Reference  spec/query-semantics.md 2.5
 */
#ifndef SC_QUERY_PLAN_CUT_H
#define SC_QUERY_PLAN_CUT_H

#include "query/plan/plan_model.h"

/* Sets the cells of the statements, which are those of the plan. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_cut_set(scrim_plan *plan,
                                            sc_planned_statement *statements,
                                            scrim_error *error);
/* Does a statement count them? Does any of the plan? */
bool sc_plan_cut_is_counted(const sc_planned_statement *statement);
bool sc_plan_cut_is_any(const scrim_plan *plan);
/* Is its count that of other statements, too? */
bool sc_plan_cut_is_shared(const scrim_plan *plan, size_t statement);
/* The share of what the plan splits that counts the people of a statement, and of those that have its count: their own shares of
 * a batch whose queries have some, else equal parts; 0 where it counts nobody. */
void sc_plan_cut_share(const scrim_plan *plan, size_t statement, sc_ratio *out);

#endif
