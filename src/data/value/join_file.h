/* From a CSV file with a public table to the lines that declare it (join_table.h).
 *
 * The file is public, so messages name its lines and cells, and its types may be read from it: a column is of
 * whole numbers, decimals, dates, true and false if all its cells are, else of text. Whole numbers have no
 * leading zeros, so that "01067" stays text. Numbers and dates have the range that the table shows.
 *
 * Fields are between , ; | or tab, whichever the header has (a comma first); quotes as in RFC 4180; an empty
 * field without quotes is NULL. A byte order mark is passed over.
 *
 * Claim  public-file.refused  a file that is not such a table is refused with the line that is not: no other
 *                             bytes than UTF-8 without control characters, no second column of a name, no
 *                             record with another number of fields
 */
#ifndef SC_DATA_JOIN_FILE_H
#define SC_DATA_JOIN_FILE_H

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

/* Types as the caller says them: "NAME=TYPE", with a range or without; "NAME=none" leaves the column out. */
typedef struct sc_public_types {
    const char *const *list;
    size_t count;
} sc_public_types;

/* The lines join-column and join-cells of all columns, each with its end; freed by sc_free. SCRIM_E_INPUT for a
 * file that is no such table, SCRIM_E_PARAM for a type that does not fit, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_public_file_lines(sc_text name, sc_text content,
                                                 const sc_public_types *types,
                                                 char **lines, scrim_error *error);

#endif
