/* Files that the caller names: read whole, in pieces, or as JSON. */
#ifndef SC_CLI_WHOLE_FILE_H
#define SC_CLI_WHOLE_FILE_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* A small file read as a whole; "-" is standard input. */

typedef struct sc_whole_file {
    char *bytes; /* terminated */
    size_t count;
} sc_whole_file;

/* SCRIM_E_INPUT when it cannot be read, SCRIM_E_LIMIT if it has more than `most` bytes, SCRIM_E_MEMORY;
 * SCRIM_E_POLICY when this process has the rights of another user than its caller, who could
 * otherwise read that user's files (borrowed_rights.h). */
SCRIM_MUST_USE scrim_status sc_whole_file_read(const char *path, size_t most,
                                               sc_whole_file *out, scrim_error *error);
void sc_whole_file_clear(sc_whole_file *file);

/* Receives the next bytes of a file. */
typedef scrim_status sc_file_taker(void *context, const char *bytes, size_t count,
                                   scrim_error *error);
/* Reads a large file piece by piece, under the same rules. Stops at the first failure of take and returns it. */
SCRIM_MUST_USE scrim_status sc_file_pieces(const char *path, sc_file_taker *take,
                                           void *context, scrim_error *error);

/* A small JSON file, read token by token in the order in which its reader expects them.
 *
 * Numbers are returned as their text, so that 0.1 stays exact. Strings have no escapes, and need no quotes if
 * they have only letters, digits and _ + - . and /. Results point into the buffer, which the reader changes.
 */

typedef struct sc_json_reader {
    char *start, *at; /* terminated */
    size_t line;      /* the current line, counted from 1 */
} sc_json_reader;

void sc_json_reader_init(sc_json_reader *reader, char *text);
/* Skips this character, one of []{},: behind spaces; false, with nothing skipped, if another one is
 * next. */
bool sc_json_skip(sc_json_reader *reader, char what);
/* The next string or number, terminated; NULL if neither is next. */
const char *sc_json_scalar(sc_json_reader *reader);
/* Is all of it read? */
bool sc_json_is_end(sc_json_reader *reader);

#endif
