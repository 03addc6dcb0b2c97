/* Plain files of places for `scrim distance`: a line is PLACE or PLACE,COUNT, where a place has as
 * many fields as there are dimensions; and of a metric, whose lines are FROM,TO,LENGTH. Fields are
 * separated by commas and are not quoted; spaces around them, empty lines and lines that begin
 * with # are skipped. */
#ifndef SC_CLI_PLACE_FILE_H
#define SC_CLI_PLACE_FILE_H

#include "cli/terminal/whole_file.h"

/* No file is larger. */
#define SC_PLACE_FILE_BYTES ((size_t)1 << 27)
#define SC_PLACE_FILE_LINES ((size_t)1 << 22)

typedef struct sc_place_file {
    sc_whole_file file; /* the texts lie in it */
    scrim_place *places;
    scrim_step *steps;
    size_t *lines; /* that each was read from, from 1 on */
    size_t count;
} sc_place_file;

/* SCRIM_E_LIMIT above the limits; SCRIM_E_INPUT with the number of the line that has too few fields or too many; errors of
 * sc_whole_file_read. Nothing is to be cleared after a failure. */
SCRIM_MUST_USE scrim_status sc_place_file_read(const char *path, unsigned dimensions,
                                               sc_place_file *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_place_file_metric(const char *path, sc_place_file *out,
                                                 scrim_error *error);
void sc_place_file_clear(sc_place_file *file);

#endif
