/* A recorded answer in the words of another question that measures the same (plan/measured.h): names and order of columns, order of
 * keys, arithmetic, HAVING, ORDER BY, LIMIT and the order of a batch are those of the question that is asked.
 *
 * The view is a record again, with the same noisy numbers in the places where that question looks for them. So it is shown by
 * the code that shows any record.
 *
 * Claim  view-record.one  every number of a view is a number of the one record that it is made of
 */
#ifndef SC_QUERY_VIEW_RECORD_H
#define SC_QUERY_VIEW_RECORD_H

#include "query/answer/record.h"

/* Is the record in these very words? texts has one for each statement of the plan. SCRIM_E_SYNTAX for a text that is no
 * record. */
SCRIM_MUST_USE scrim_status sc_view_is_needed(sc_text record, const sc_text *texts,
                                              size_t count, bool *is_needed,
                                              scrim_error *error);
/* The view, freed by sc_free. SCRIM_E_CHECK where the record does not measure what is asked. */
SCRIM_MUST_USE scrim_status sc_view_record(sc_text record, const sc_text *texts,
                                           size_t count, char **out, scrim_error *error);

#endif
