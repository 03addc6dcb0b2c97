/* Answers a question from the record of another one that measured the same (plan/measured.h), at no further cost. The two may differ
 * in the names and the order of columns, the order of keys, arithmetic, HAVING, ORDER BY, LIMIT and the order of a batch.
 *
 * The view is a record for the new question: the same noisy numbers, moved to the places where that question looks for them. So it
 * is shown by the code that shows any record.
 *
 * Claim  view-record.one  every number of a view is a number of the one record that it is made of
 */
#ifndef SC_QUERY_VIEW_RECORD_H
#define SC_QUERY_VIEW_RECORD_H

#include "query/answer/record.h"

/* Does the record belong to a question in other words, so that a view is needed? texts has one for each statement of the plan.
 * SCRIM_E_SYNTAX for a text that is no record. */
SCRIM_MUST_USE scrim_status sc_view_is_needed(sc_text record, const sc_text *texts,
                                              size_t count, bool *is_needed,
                                              scrim_error *error);
/* The view, freed by sc_free. SCRIM_E_CHECK where the record does not measure what is asked. */
SCRIM_MUST_USE scrim_status sc_view_record(sc_text record, const sc_text *texts,
                                           size_t count, char **out, scrim_error *error);

#endif
