/* A small file read as a whole; "-" is standard input. */
#ifndef SC_CLI_WHOLE_FILE_H
#define SC_CLI_WHOLE_FILE_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_whole_file {
    char *bytes; /* terminated */
    size_t count;
} sc_whole_file;

/* SCRIM_E_INPUT when it cannot be read, SCRIM_E_LIMIT beyond most bytes, SCRIM_E_MEMORY;
 * SCRIM_E_POLICY when this process has the rights of another user than its caller, who could
 * otherwise read that user's files (borrowed_rights.h). */
SCRIM_MUST_USE scrim_status sc_whole_file_read(const char *path, size_t most,
                                               sc_whole_file *out, scrim_error *error);
void sc_whole_file_clear(sc_whole_file *file);

/* Takes the next bytes of a file. */
typedef scrim_status sc_file_taker(void *context, const char *bytes, size_t count,
                                   scrim_error *error);
/* A large file piece by piece, under the same rules. Ends with what take returns if that is not
 * SCRIM_OK. */
SCRIM_MUST_USE scrim_status sc_file_pieces(const char *path, sc_file_taker *take,
                                           void *context, scrim_error *error);

#endif
