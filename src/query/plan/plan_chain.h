/* The steps of a query before a mechanism sees the data, as steps of lipschitz.h: the planner's
 * proof that nothing but the declared bounds stands between a unit and the sensitivity.
 *
 * All that the language has acts on each row by itself, or on the rows of one unit by its own
 * coins: values are clamped to their declared ranges, rows are filtered by WHERE, expressions are
 * computed, put into buckets and recoded, rows beyond a unit's bounds are ignored, rows are grouped
 * by a key. Each addition to the language names its step here; a step that is not in the table is
 * refused.
 *
 * Claim  plan-chain.constant  the constant of a query is the product of its steps', and its
 *                             sensitivities are made for groups of that number of rows
 */
#ifndef SC_QUERY_PLAN_CHAIN_H
#define SC_QUERY_PLAN_CHAIN_H

#include "model/lipschitz.h"
#include "query/language/question.h"

#define SC_PLAN_CHAIN_STEPS 9

/* Their product. SCRIM_E_POLICY, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_plan_chain_constant(const sc_query *query, uint64_t *out,
                                                   scrim_error *error);
/* "clamp 1, filter 1, bucket 1, truncate 1, group 1: 1 together". */
#define SC_PLAN_CHAIN_BYTES 256
void sc_plan_chain_put(const sc_query *query, char out[SC_PLAN_CHAIN_BYTES]);

#endif
