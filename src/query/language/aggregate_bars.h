/* Aggregates that are made of a histogram as they are written: what they may be of, and the buckets that
 * are asked for. */
#ifndef SC_QUERY_AGGREGATE_BARS_H
#define SC_QUERY_AGGREGATE_BARS_H

#include "query/language/question.h"
#include "query/language/typing.h"

/* The reading of their descriptors. SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_aggregate_bars_read(sc_typing *typing, const sc_node *node,
                                                   const sc_call_form *form,
                                                   sc_query_aggregate *out,
                                                   size_t *count);

#endif
