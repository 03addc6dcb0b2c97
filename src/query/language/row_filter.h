/* Which rows of the dataset a SELECT counts. */
#ifndef SC_QUERY_ROW_FILTER_H
#define SC_QUERY_ROW_FILTER_H

#include "query/language/question.h"

/* Those for which WHERE is true and that meet the joined tables that are not LEFT. Fills in where,
 * is_present and joined of a query. SCRIM_E_PARAM where no row can. */
SCRIM_MUST_USE scrim_status sc_row_filter_read(sc_typing *typing, const sc_tree *tree,
                                               sc_query *out);

#endif
