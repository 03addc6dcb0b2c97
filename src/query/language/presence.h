/* Are two values present in the same rows? By public facts alone: what is not certain is no. */
#ifndef SC_QUERY_PRESENCE_H
#define SC_QUERY_PRESENCE_H

#include "query/language/typed_node.h"

/* In rows where columns are present as is_present says, by their places in the schema; it may be NULL.
 * Yes for the same expression; and for operations that pass NULL on, of the same columns that may be
 * NULL, under the same condition where both are CASE WHEN condition THEN value END, which FILTER is. */
bool sc_presence_equal(const sc_typed *a, const sc_typed *b, const bool *is_present);

#endif
