/* Keys that are computed from one and the same column: only the combinations that some value of it gives.
 *
 *     GROUP BY SUBSTR(county, 1, 2), county       a county is in one state alone
 *     GROUP BY BUCKET(age, 20), BUCKET(age, 5)    a bucket of 5 is in one of 20
 *
 * Others cannot be in any row, and would be empty groups with noise. Which there are is found by computing the keys for all
 * values that the column may have: those that the owner has listed, or those of its declared range.
 *
 * Claim  possible-keys.all  every combination that a row with a value of the column's list or range can have is
 *                           there, and no other; they depend on the query and the policy alone (A55)
 */
#ifndef SC_QUERY_POSSIBLE_KEYS_H
#define SC_QUERY_POSSIBLE_KEYS_H

#include "query/plan/plan_model.h"
#include "query/rows/key_tuple.h"

/* A range with more values is not gone through. */
#define SC_POSSIBLE_VALUES ((uint64_t)1 << 16)

/* Some of the keys of a query, by their places. */
typedef struct sc_possible_keys {
    size_t places[SC_QUERY_KEYS];
    size_t width;
    sc_key_part *parts; /* as many for each combination, in increasing order */
    uint64_t count;
} sc_possible_keys;

/* The keys that are computed from the column of one of them alone, with it. 1: there are no others, or the values of the
 * column are not public, or are too many. */
size_t sc_possible_places(const sc_query *query, size_t key,
                          size_t places[SC_QUERY_KEYS]);
/* Fills in parts and count for the places. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_possible_keys_find(const sc_query *query, sc_arena *arena,
                                                  sc_possible_keys *keys,
                                                  scrim_error *error);

#endif
