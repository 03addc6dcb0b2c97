/* The public groups of a query.
 *
 * Public are the values that the owner has listed, true and false, all values of an int or date
 * column whose declared range has few of them, and the values of expressions of a row (BUCKET, CASE,
 * YEAR ...), whose range is derived from the policy. If all keys of a query are of these kinds, and have
 * few enough combinations, all possible combinations are the groups, and each is shown. Otherwise
 * partition selection finds the groups.
 *
 * Claim  plan-keys.public  the groups are all combinations that can be, each once, in increasing order, and
 *                          depend on query and policy alone (A55)
 */
#ifndef SC_QUERY_PLAN_KEYS_H
#define SC_QUERY_PLAN_KEYS_H

#include "base/text.h"
#include "query/plan/plan_model.h"
#include "query/rows/key_tuple.h"

/* The most combinations: of lists only, and where some key is computed. */
#define SC_PLAN_LISTED_KEYS ((uint64_t)1 << 22)
#define SC_PLAN_COMPUTED_KEYS ((uint64_t)1 << 16)
/* A column with at most this many declared values is a public key by itself. */
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

/* Keys that are computed from the same column: only combinations that a value of the column gives.
 *
 *     GROUP BY SUBSTR(county, 1, 2), county       a county is in one state alone
 *     GROUP BY BUCKET(age, 20), BUCKET(age, 5)    a bucket of 5 is in one of 20
 *
 * No row has another combination, which would be an empty group with noise. The combinations are found by
 * computing the keys for all values of the column: those of the owner's list or of the declared range.
 *
 * Claim  possible-keys.all  every combination that a row with a value of the column's list or range can have is
 *                           there, and no other; they depend on the query and the policy alone (A55)
 */

/* A range with more values is not enumerated. */
#define SC_POSSIBLE_VALUES ((uint64_t)1 << 16)

/* The places of all keys that are computed from the same single column as `key`, itself included; returns
 * how many. 1: there are no others, or the values of the column are not public, or too many. */
size_t sc_possible_places(const sc_query *query, size_t key,
                          size_t places[SC_QUERY_KEYS]);

/* Keys that an earlier release of a series has shown: "continue" shows them again without a selection,
 * "rethreshold" selects anew. */
const char *sc_known_keys_name(bool is_continued);
/* False for any other word; no error is set. */
bool sc_known_keys_parse(sc_text word, bool *is_continued);

#endif
