/* Cautions: warnings about answers that would be useless, with a question that would be useful. They
 * follow from public facts alone.
 *
 * A count or a sum is useless where its error is as large as what is expected of it (plan_size.h), a value
 * within a range where its interval covers the range, and discovered keys where a group of the rows that
 * are expected is kept with probability below 1/2. The epsilon to use instead is the least of 1, 2, 5,
 * 10, ... at which the error is a tenth, the interval covers a half, and such a group is kept with
 * probability 0.95. A caution warns and never refuses.
 *
 * Claim  plan-caution.public  a caution depends on the policy, the question and its options alone
 * Claim  plan-caution.enough  at the epsilon that a caution names, the same question has no caution
 */
#ifndef SC_QUERY_PLAN_CAUTION_H
#define SC_QUERY_PLAN_CAUTION_H

#include "query/language/question.h"
#include "query/plan/plan_model.h"

/* A sentence without an end for each, or "": of all aggregates of all statements, and of statements. */
typedef struct sc_plan_cautions {
    const char **aggregates, **statements;
} sc_plan_cautions;

/* Aggregates that no output column uses have no caution. Texts are in the plan's arena. SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_cautions_of(scrim_plan *plan, sc_plan_cautions *out,
                                                scrim_error *error);

/* Literals that equal no listed key, so they are probably misspelt. This follows from the statement and
 * the owner's lists alone, never from data.
 *
 * Claim  plan-literals.public  a caution depends on the query and the policy alone, and stands exactly
 *                              where a literal or pattern is compared with a list and fits no key of it
 * Claim  plan-literals.misspelt  a question whose rows must all be equal to misspelt keys is refused before it
 *                              is charged, with keys to write instead; not one that was charged before
 */

/* A sentence about the first such literal and the number of others; "" if every literal is
 * listed. In the arena; NULL without memory. */
const char *sc_plan_literals(const sc_query *query, sc_arena *arena);
/* If WHERE keeps only rows whose text equals literals that are on no list: a sentence with the listed key that the first of
 * them resembles, or with the first few; else "". In the arena; NULL without memory. */
const char *sc_plan_misspelt(const sc_query *query, sc_arena *arena);

#endif
