/* Which statements of a plan count the people whose rows contribution bounds leave out (cut.h), and what for.
 *
 * All whose bounds can leave rows out, by what is declared and asked for: the unit is a column, each person does not
 * make one row, and not each unit has one row. Each pays for it with its part of the cut share, before the rest is divided.
 *
 * Claim  plan-cut.public  whether people are counted, and in which cells, depends on the question and on what is declared
 *                         alone
 *
 * Reference  spec/query-semantics.md 2.5
 */
#ifndef SC_QUERY_PLAN_CUT_H
#define SC_QUERY_PLAN_CUT_H

#include "query/plan/plan_model.h"

/* Sets the cells of the statements, which are those of the plan. */
void sc_plan_cut_set(const scrim_plan *plan, sc_planned_statement *statements);
/* Does a statement count them? Does any of the plan? */
bool sc_plan_cut_is_counted(const sc_planned_statement *statement);
bool sc_plan_cut_is_any(const scrim_plan *plan);
/* The share of what the plan splits that counts the people of a statement: its own share of a batch whose queries have
 * some, else an equal part; 0 where it counts nobody. */
void sc_plan_cut_share(const scrim_plan *plan, size_t statement, sc_ratio *out);

#endif
