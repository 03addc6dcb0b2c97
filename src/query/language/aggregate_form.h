/* Aggregates as they are written: which there are, what they may be of, and the public numbers
 * that their mechanisms start from. */
#ifndef SC_QUERY_AGGREGATE_FORM_H
#define SC_QUERY_AGGREGATE_FORM_H

#include "query/language/function_list.h"
#include "query/language/question.h"
#include "query/language/typing.h"

/* The function when node calls an aggregate; else NULL. */
const sc_function *sc_aggregate_function(const sc_node *node);

/* Reads a call of an aggregate into one of them, or into one a quantile when QUANTILE is asked
 * for several. out has room for node->count, and count says how many there are; joint is left to
 * the caller. */
SCRIM_MUST_USE scrim_status sc_aggregate_read(sc_typing *typing, const sc_node *node,
                                              sc_query_aggregate *out, size_t *count);

#endif
