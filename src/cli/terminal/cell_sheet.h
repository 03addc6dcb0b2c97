/* A table of texts that is filled cell by cell and written in the format that was asked for: a box
 * on a terminal and CSV otherwise, unless the options say so. */
#ifndef SC_CLI_CELL_SHEET_H
#define SC_CLI_CELL_SHEET_H

#include "cli/terminal/options.h"

typedef struct sc_cell_sheet { /* begins with the columns' names, and zeros */
    const char *const *columns;
    size_t column_count;
    unsigned numbers; /* as sc_box_write_numbers has them */
    const char *
        heading; /* a line above the box, of which other formats know nothing; NULL: none */
    char **cells; /* row after row, each a copy of its own */
    size_t count, room;
} sc_cell_sheet;

/* The next cells. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cell_sheet_add(sc_cell_sheet *sheet,
                                              const char *const *texts, size_t count,
                                              scrim_error *error);
void sc_cell_sheet_clear(sc_cell_sheet *sheet);
/* Will it be a box? */
SCRIM_MUST_USE scrim_status sc_cell_sheet_is_table(const sc_options *options, bool *out,
                                                   scrim_error *error);
/* To standard output. In a box, what could steer a terminal is cleaned away. */
SCRIM_MUST_USE scrim_status sc_cell_sheet_write(const sc_cell_sheet *sheet,
                                                const sc_options *options,
                                                scrim_error *error);

#endif
