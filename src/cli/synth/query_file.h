/* The lines of a file of counting queries, for `scrim synth --queries`. "-" is standard input. */
#ifndef SC_CLI_QUERY_FILE_H
#define SC_CLI_QUERY_FILE_H

#include "cli/terminal/whole_file.h"

/* No file is larger. */
#define SC_QUERY_FILE_BYTES ((size_t)1 << 20)

typedef struct sc_query_file {
    sc_whole_file file;
    const char **
        lines; /* in the file; with those that say nothing, so that their number is that of the file */
    size_t count;
} sc_query_file;

/* out is for sc_query_file_clear whatever happens. SCRIM_E_MEMORY, and as sc_whole_file_read. */
SCRIM_MUST_USE scrim_status sc_query_file_read(const char *path, sc_query_file *out,
                                               scrim_error *error);
void sc_query_file_clear(sc_query_file *file);

#endif
