/* From the record of an answer to what is shown: values with their intervals, the conditions of
 * HAVING, the order and the limit. Everything is computed from what was released, so that it costs
 * nothing and can be done again at any time and for any confidence.
 *
 * Claim  result.released  a result is a function of the record and of the confidence alone
 * Claim  result.order     rows are in the order of their keys, the first key first: numbers by size,
 *                         dates by day, texts bytewise, NULL last; or in that of ORDER BY, where
 *                         rows that are equal to it are in the order of their keys (A54)
 * Claim  result.digits    all values of a column have as many digits behind the point, and so have
 *                         their ends (A54)
 */
#ifndef SC_QUERY_RESULT_H
#define SC_QUERY_RESULT_H

#include "query/answer/record.h"

/* Facts of a ledger about the release besides its record. */
typedef struct sc_result_origin {
    uint64_t release, time;
    bool is_repeated;
    bool is_view; /* the question is in other words than the release's */
} sc_result_origin;

/* record is copied. confidence may be NULL: that of the record. SCRIM_E_PARAM for an invalid
 * confidence, SCRIM_E_LEDGER for a record that this version cannot read, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_result_new(sc_text record, const char *confidence,
                                          const sc_result_origin *origin,
                                          scrim_result **out, scrim_error *error);
#endif
