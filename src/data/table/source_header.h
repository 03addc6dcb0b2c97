/* The columns that a source says it has, held against those that are declared. Of the source the
 * header is read, which is public, and no row.
 *
 * Claim  source_header.declared  a source that lacks the unit or a declared column is refused when
 *                                it is declared, not when it is asked
 * Claim  source_header.hint      what the header looks like is told in a message, and decides nothing
 */
#ifndef SC_DATA_SOURCE_HEADER_H
#define SC_DATA_SOURCE_HEADER_H

#include "data/value/schema.h"

/* SCRIM_E_INPUT when the header of a file, or the table of a database, cannot be read or lacks a
 * column. Where it lacks one, and is a single column with another separator in it, the reason is
 * SCRIM_REASON_MISSING and the parameter the line of the policy that may be meant: "separator=;".
 * A stream is not looked at. */
SCRIM_MUST_USE scrim_status sc_source_header_check(const sc_schema *schema,
                                                   scrim_error *error);
/* The names in the header of a CSV file, or of the columns of a database's table, that can be
 * declared, one a line; freed by sc_free. SCRIM_E_PARAM for another source. */
SCRIM_MUST_USE scrim_status sc_source_header_names(const sc_schema *schema, char **out,
                                                   scrim_error *error);
/* The names of the tables of a database, one a line; freed by sc_free. The schema's own table need not be
 * among them. SCRIM_E_PARAM for another source. */
SCRIM_MUST_USE scrim_status sc_source_header_tables(const sc_schema *schema, char **out,
                                                    scrim_error *error);

#endif
