/* What a column of the answer is called when the query does not say: a name made of the function
 * and the column, as in avg_age. */
#ifndef SC_QUERY_OUTPUT_NAME_H
#define SC_QUERY_OUTPUT_NAME_H

#include "base/memory.h"
#include "query/language/tree.h"

/* The name behind AS, or for a column its own; else the function in small letters with its column
 * behind it (count, avg_age, bucket_age), or "key". Of a quantile among several, number from 1 on,
 * and of one without AS, the name ends in its p as it is written: quantile_age_0.25. */
SCRIM_MUST_USE scrim_status sc_output_name(const sc_item *item, size_t number,
                                           sc_arena *arena, sc_text *out,
                                           sc_refusal *refusal);

/* Of a histogram, which has two columns: bucket and count, or those of its name behind AS, NAME_bucket
 * and NAME. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_output_list_names(const sc_item *item, sc_arena *arena,
                                                 sc_text *bucket, sc_text *count,
                                                 sc_refusal *refusal);

#endif
