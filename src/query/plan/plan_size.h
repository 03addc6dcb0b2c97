/* The expected size of a value, from public facts alone. A relative error is a fraction of it.
 *
 * The value itself is private and not known before it is paid for. A size is what the user has guessed
 * (column_guess.h), or the smallest that the declared range allows.
 *
 * Claim  plan-size.public  a size depends on the policy, the question and the guesses alone
 * Claim  plan-size.stated  no size is made up: one that neither a guess nor the range gives is refused,
 *                          and the refusal says which guess is missing
 */
#ifndef SC_QUERY_PLAN_SIZE_H
#define SC_QUERY_PLAN_SIZE_H

#include "query/plan/plan_model.h"

/* Leaves room in a message for the sentence in front. */
#define SC_WANTED_BYTES 160

/* Sets the size of an aggregate's value, above 0 and in its unit, and where it is from, a
 * sentence's part in the arena: "the 300 rows that are expected". SCRIM_E_PARAM with the reason
 * MISSING and the parameter "expect" where it has to be guessed, or UNSUPPORTED where the value
 * of the aggregate has no size; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_size(const scrim_plan *plan,
                                         const sc_query_aggregate *aggregate,
                                         sc_arena *arena, sc_ratio *size,
                                         const char **source, scrim_error *error);

/* The same for a formula: its value at the guessed rows, means and deviations. Each aggregate needs a guess; a
 * range will not do, since a formula need not be monotone in its aggregates. */
SCRIM_MUST_USE scrim_status sc_plan_size_formula(const scrim_plan *plan,
                                                 const sc_query *query,
                                                 const sc_formula *formula,
                                                 sc_arena *arena, sc_ratio *size,
                                                 const char **source, scrim_error *error);

/* The guesses that a question still needs, with those that were given: "300,age=40:DEVIATION". Without
 * a column the rows are missing; a mean of 0 is no size and is asked for again. */
void sc_plan_size_wanted(const scrim_plan *plan, sc_text column, bool needs_deviation,
                         char wanted[SC_WANTED_BYTES]);

/* For a view: the expected or default rows, or their sum with values at the guessed mean or at the middle of
 * the range; 0 for other aggregates. */
void sc_plan_size_view(const scrim_plan *plan, const sc_query_aggregate *aggregate,
                       sc_ratio *size);
/* The assumption of such a view, in the arena: for a sum without a guess, the middle of the range. "" if it
 * assumes nothing, NULL without memory. */
const char *sc_plan_size_assumed(const scrim_plan *plan,
                                 const sc_query_aggregate *aggregate, sc_arena *arena);

#endif
