/* The items of SELECT: calls of aggregates, arithmetic on them, and the names of output columns.
 *
 * Claim  formula-read.allow-list  a formula has aggregates that give one number, constants, + - * / and the
 *                                 functions of sc_formula_kind; all else is refused by its name
 */
#ifndef SC_QUERY_SELECT_LIST_H
#define SC_QUERY_SELECT_LIST_H

#include "base/memory.h"
#include "query/language/aggregate.h"
#include "query/language/question.h"
#include "query/language/tree.h"
#include "query/language/typed.h"
#include "query/language/typed_node.h"

/* Aggregates. */

/* The aggregate that node calls; NULL when it calls none. */
const sc_aggregate *sc_aggregate_called(const sc_node *node);
/* Does the expression contain an aggregate? */
bool sc_aggregate_within(const sc_node *node);

/* Reads a call of an aggregate into out[0]; QUANTILE with several p gives one aggregate each. out has
 * room for node->count; *count is how many were read. The caller sets joint. */
SCRIM_MUST_USE scrim_status sc_aggregate_read(sc_typing *typing, const sc_node *node,
                                              sc_query_aggregate *out, size_t *count);
/* For the read member of descriptors. Reads an aggregate of a number. */
SCRIM_MUST_USE scrim_status sc_aggregate_read_number(sc_typing *typing,
                                                     const sc_node *node,
                                                     const sc_call_form *form,
                                                     sc_query_aggregate *out,
                                                     size_t *count);

/* The same for an aggregate that is read from a histogram, with the buckets that the call asks for.
 * SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_aggregate_bars_read(sc_typing *typing, const sc_node *node,
                                                   const sc_call_form *form,
                                                   sc_query_aggregate *out,
                                                   size_t *count);

/* Arithmetic on aggregates (question.h). take adds a call to the aggregates of the question and gives its
 * place among them. */
typedef struct sc_formula_reading {
    sc_typing *typing;
    void *context;
    scrim_status (*take)(void *context, const sc_node *call, size_t *aggregate);
} sc_formula_reading;

/* SCRIM_E_POLICY, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_formula_read(const sc_formula_reading *reading,
                                            const sc_node *node, const sc_formula **out);

/* Names of output columns. */

/* The name behind AS, or of the column itself; else the function in small letters with its column
 * (count, avg_age, bucket_age), or "key". A quantile among several (number from 1 on), and one without
 * AS, has its p behind the name, as it was written: quantile_age_0.25. */
SCRIM_MUST_USE scrim_status sc_output_name(const sc_item *item, size_t number,
                                           sc_arena *arena, sc_text *out,
                                           sc_refusal *refusal);

/* The two columns of a histogram: bucket and count, or with AS NAME, NAME_bucket and NAME.
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_output_list_names(const sc_item *item, sc_arena *arena,
                                                 sc_text *bucket, sc_text *count,
                                                 sc_refusal *refusal);

#endif
