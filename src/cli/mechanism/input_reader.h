/* Private values read from a descriptor as CSV, cut into cells by a public shape.
 *
 * The contents of a cell are never looked at here, and nothing in it is an error: where one
 * cell ends and the next begins follows from the form that was asked for, the header and the
 * number of lines, all of them public.
 *
 *   rows         a line is a row of a table, whose number may be private: each line one cell, or
 *                as many as a row has, whatever the line holds
 *   vectors      one value a line; or, where all is one line, values separated by commas: as
 *                many as the measurement takes where that is fixed, whatever the line holds
 *   with labels  a line is label,value: the label, which is public, ends at the first comma
 *                that stands in no quotes
 *   header       the first line. One name is that of the values; several name the values of
 *                the one line that follows; with labels there are two, of both columns
 *
 * Lines end with "\n" or "\r\n"; a byte order mark in front is skipped; spaces and tabs around
 * a cell do not count, nor do quotes around all of it, which never reach beyond its line. A
 * row with fewer values than its header has names is filled up with cells that say nothing,
 * and what it has more is left out.
 */
#ifndef SC_CLI_INPUT_READER_H
#define SC_CLI_INPUT_READER_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_input_form {
    bool is_rows;
    bool has_header;
    bool has_labels;  /* not of rows */
    size_t count;     /* of values in one line, where it is fixed; else 0 */
    size_t row_cells; /* of rows: the values of a line; 0 and 1: all of the line is one */
} sc_input_form;

typedef struct sc_input_values {
    const char **texts; /* the cells */
    size_t count;
    const char **labels;          /* as many, or NULL */
    const char *name;             /* of the values, from the header, or NULL */
    const char *label_name;       /* of the labels, likewise */
    char *bytes;                  /* what they all lie in */
    size_t byte_count, byte_room; /* read; and had */
} sc_input_values;

/* Reads to the end. SCRIM_E_INPUT when the descriptor cannot be read, when it lacks the
 * header, when a vector has no value, or when the header fits no line; SCRIM_E_LIMIT
 * above the limits, which are found out before more than SC_INPUT_BYTES are read; SCRIM_E_MEMORY. With
 * shows_progress a file that takes more than a second is counted on standard error. */
SCRIM_MUST_USE scrim_status sc_input_read(int descriptor, const sc_input_form *form,
                                          bool shows_progress, sc_input_values *out,
                                          scrim_error *error);
/* Wipes what was read; also after a failure, and of zeros. */
void sc_input_clear(sc_input_values *values);

#endif
