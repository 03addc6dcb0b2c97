/* Rows made up from a declaration alone, as a CSV file of the declared form: to try out tools
 * without asking the data anything.
 *
 * A value is drawn evenly from the declared range, or from the public keys; text without keys is one of
 * ten made-up words. One cell in twenty of a column without a default is empty. A unit has
 * at least one row and at most its contribution bound per group, but never more than ten. The source is never looked at,
 * not even its size.
 *
 * Claim  mock.public    rows follow from the declaration and random bits alone; no source is opened
 * Claim  mock.declared  the rows can be read by the declaration they are made from: no record is broken
 *                       and no value is changed by reading
 */
#ifndef SC_DATA_MOCK_ROWS_H
#define SC_DATA_MOCK_ROWS_H

#include "data/value/schema.h"
#include "random/bits.h"

/* Takes a line, with its end; returns a failure to stop. */
typedef struct sc_mock_sink {
    scrim_status (*write)(void *context, const char *bytes, size_t count,
                          scrim_error *error);
    void *context;
} sc_mock_sink;

/* Writes the header and `rows` rows. Fails as bits and the sink do; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_mock_rows(const sc_schema *schema, uint64_t rows,
                                         sc_bits *bits, const sc_mock_sink *sink,
                                         scrim_error *error);

#endif
