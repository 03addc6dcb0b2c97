/* Answers that would tell nothing, and the question that would tell something: from public things alone.
 *
 * A count or a sum is useless where its error is as large as what is expected of it (plan_size.h), a value
 * within a range where its interval covers the range, and discovered keys where a group of the rows that
 * are expected is kept with probability below 1/2. What is enough is the least epsilon of 1, 2, 5, 10, ...
 * at which the error is a tenth, the interval covers a half, and such a group is kept with probability
 * 0.95. A caution warns and never refuses.
 *
 * Claim  plan-caution.public  a caution depends on the policy, the question and its options alone
 * Claim  plan-caution.enough  at the epsilon that a caution names, the same question has no caution
 */
#ifndef SC_QUERY_PLAN_CAUTION_H
#define SC_QUERY_PLAN_CAUTION_H

#include "query/plan/plan_model.h"

/* A sentence without an end for each, or "": of all aggregates of all statements, and of statements. */
typedef struct sc_plan_cautions {
    const char **aggregates, **statements;
} sc_plan_cautions;

/* Aggregates of which no column is made have none. Texts are in the plan's arena. SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_cautions_of(scrim_plan *plan, sc_plan_cautions *out,
                                                scrim_error *error);

#endif
