/* The groups of a query, as far as they are public.
 *
 * Public are the values that the owner has listed, true and false, all values of an int or date
 * column whose declared range has few of them, and the values of what is computed from a row
 * (BUCKET, CASE, YEAR ...), whose range is derived from the policy. When all keys of a query are of
 * these kinds, and their combinations are not too many, all combinations that can be (possible_keys.h)
 * are the groups, and each is shown. Else groups are discovered.
 *
 * Claim  plan-keys.public  the groups are all combinations that can be, each once, in increasing order, and
 *                          depend on query and policy alone (A55)
 */
#ifndef SC_QUERY_PLAN_KEYS_H
#define SC_QUERY_PLAN_KEYS_H

#include "query/plan/plan_model.h"

/* The most combinations: of lists only, and where some key is computed. */
#define SC_PLAN_LISTED_KEYS ((uint64_t)1 << 22)
#define SC_PLAN_COMPUTED_KEYS ((uint64_t)1 << 16)
/* A column with at most so many declared values is a public key by itself. */
#define SC_PLAN_RANGE_KEYS ((uint64_t)10000)

/* Are the keys of a query, when they are public, those of its range: a column without a list? */
bool sc_plan_key_is_range(const sc_query_key *key);
/* How many values a key has, NULL among them; 0: they are not public. */
uint64_t sc_plan_key_count(const sc_query_key *key);
/* How many groups a query has: 1 without keys, 0 where they are discovered. */
uint64_t sc_plan_keys_count(const sc_query *query);
/* Sets keys_kind, keys, key_count, null_count and uses_ranges of a statement whose query and
 * discovers_ranges are set. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_keys_of(sc_planned_statement *statement,
                                            sc_arena *arena, scrim_error *error);

#endif
