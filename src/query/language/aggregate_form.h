/* Aggregates as they are written, and what they may be of. */
#ifndef SC_QUERY_AGGREGATE_FORM_H
#define SC_QUERY_AGGREGATE_FORM_H

#include "query/language/function_list.h"
#include "query/language/question.h"
#include "query/language/typing.h"

/* The aggregate that node calls; NULL when it calls none. */
const sc_aggregate *sc_aggregate_called(const sc_node *node);
/* Is there an aggregate somewhere in it? */
bool sc_aggregate_within(const sc_node *node);

/* Reads a call of an aggregate into one of them, or into one a quantile when QUANTILE is asked
 * for several. out has room for node->count, and count says how many there are; joint is left to
 * the caller. */
SCRIM_MUST_USE scrim_status sc_aggregate_read(sc_typing *typing, const sc_node *node,
                                              sc_query_aggregate *out, size_t *count);
/* For the descriptors: reads the number that an aggregate is of. */
SCRIM_MUST_USE scrim_status sc_aggregate_read_number(sc_typing *typing,
                                                     const sc_node *node,
                                                     const sc_call_form *form,
                                                     sc_query_aggregate *out,
                                                     size_t *count);

#endif
