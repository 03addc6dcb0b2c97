/* MIN, MAX, RANGE, MODE, MAX_K, SUPPORT and HISTOGRAM as they are written: what they may be of, and
 * the buckets that are asked for. */
#ifndef SC_QUERY_AGGREGATE_BARS_H
#define SC_QUERY_AGGREGATE_BARS_H

#include "query/language/function_list.h"
#include "query/language/question.h"
#include "query/language/typing.h"

/* The aggregate that a function is; 0 where it is not made of a histogram. */
sc_aggregate_kind sc_aggregate_bars_kind(sc_function_kind kind);
/* Reads a call whose number of arguments is right. SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_aggregate_bars_read(sc_typing *typing, const sc_node *node,
                                                   const sc_function *function,
                                                   sc_query_aggregate *out);

#endif
