/* How much of the people of a source can be told apart by some of its columns, for the owner's own check and
 * for nothing else: exact counts of raw data.
 *
 * A class is all rows that have the same values in a set of columns, as they stand in the source; a
 * missing value is a value too. People are units, or rows where each row is one. k is the fewest people of
 * a class; a person is unique if some class has nobody else. With a sensitive column l is the fewest of its
 * values in a class, t the largest total variation distance of its distribution in a class from that of all
 * rows, and a person is certain if some class of theirs has one value alone.
 *
 * Values are 64-bit hashes under a key that is drawn afresh and wiped: among a million different ones two
 * are taken for one with a probability below 2^-24.
 *
 * Claim  disclosure.exact  people, classes, k, l, t and the numbers of unique and certain people are those
 *                          of the definitions, for every set of columns
 */
#ifndef SC_DATA_DISCLOSURE_H
#define SC_DATA_DISCLOSURE_H

#include "data/table/survey.h"

#define SC_DISCLOSURE_COLUMNS 8

typedef struct sc_disclosure_request {
    const sc_survey_request *reading; /* of one worker */
    const char *columns; /* names, separated by commas; NULL: all but the sensitive one */
    const char *sensitive; /* NULL: none */
} sc_disclosure_request;

/* The version is left at 0; freed by scrim_risk_clear. SCRIM_E_PARAM: an unknown column, or more than
 * SC_DISCLOSURE_COLUMNS; else as sc_survey. */
SCRIM_MUST_USE scrim_status sc_disclosure_look(const sc_disclosure_request *request,
                                               scrim_risk *out, scrim_error *error);

#endif
