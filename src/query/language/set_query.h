/* A query with ROLLUP, CUBE or GROUPING SETS is one query for each of its sets, with the keys of that set. All
 * have the same columns, in which keys that a set leaves out stand for all of their values.
 *
 * Claim  set-query.columns  the outputs of a set are those of the whole query in the same order, and each key of an output is
 *                           the same expression
 */
#ifndef SC_QUERY_SET_QUERY_H
#define SC_QUERY_SET_QUERY_H

#include "base/memory.h"
#include "query/language/question.h"
#include "query/language/tree.h"

/* The most sets of consistent totals. */
#define SC_QUERY_CONSISTENT_SETS 7

/* The query of one of its sets, counted from 1, in the arena; or, for 0, the finest one, of all keys. NULL without memory. The
 * whole query lives as long. */
const sc_query *sc_query_of_set(const sc_query *whole, size_t set, sc_arena *arena);
/* The set of all keys, counted from 1; 0 where no set has all of them. */
size_t sc_query_finest_set(const sc_query *query);
/* Does an output tell each set from every other one? */
bool sc_query_has_all_keys(const sc_query *query, const sc_query_output *output);
/* Is the key of an output, of a query of one set, one that stands for all of its values? */
bool sc_query_output_is_all(const sc_query *query, const sc_query_output *output);
/* The number that GROUPING is in a row of a query of one set. */
uint64_t sc_query_grouping(const sc_query *query, const sc_query_output *output);

/* Refuses sets, of a query whose aggregates and outputs are set, where totals do not follow from parts; calls: by aggregate.
 * SCRIM_E_POLICY, SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_query_check_sets(const sc_query *query,
                                                const sc_node *const *calls,
                                                const sc_tree *tree, sc_refusal *refusal);

#endif
