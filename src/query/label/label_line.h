/* The words of a charge's line that is no query: "synth method=mst epsilon=1 ... : "age" cut 17:5:15, "sex"", and "floating-body
 * q=0.9 epsilon=1 ... : "age", "hours"". Words with their values, a colon, and columns in quotes.
 */
#ifndef SC_QUERY_LABEL_LINE_H
#define SC_QUERY_LABEL_LINE_H

#include "query/label/label_part.h"

/* The value of KEY=VALUE behind the first word and in front of the columns; empty if the line
 * lacks that key. */
sc_text sc_label_told(const char *line, const char *key);
/* Is a column named behind the colon? Its quotes are doubled there. */
bool sc_label_is_named(const char *line, sc_text column);
/* Sets epsilon, delta and schema by the line, and one part that costs as much as all of the release. SCRIM_E_MEMORY,
 * SCRIM_E_LEDGER. */
SCRIM_MUST_USE scrim_status sc_label_line_read(sc_label_maker *maker, scrim_error *error);

#endif
