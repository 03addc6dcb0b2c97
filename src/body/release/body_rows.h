/* The rows of a dataset as coordinates of a body: the pass of the query engine, bounded by unit. They are private. */
#ifndef SC_BODY_ROWS_H
#define SC_BODY_ROWS_H

#include "body/release/body_plan.h"

typedef struct sc_body_rows {
    sc_pass_statement statement;
    sc_pass *pass;
    int64_t *coordinates; /* row by row */
    size_t count;         /* of rows */
    size_t dimension;
} sc_body_rows;

/* Takes the source; no row is looked at. rows is of zeros, and may not move. As sc_pass_open. */
SCRIM_MUST_USE scrim_status sc_body_rows_open(sc_body_rows *rows,
                                              const scrim_body_fit *fit,
                                              const sc_pass_options *options,
                                              sc_bits *bits, scrim_error *error);
/* Reads all rows, and closes the source. Where the number of rows is public and 0 there is one, at the lower end of each
 * direction. As sc_pass_run. */
SCRIM_MUST_USE scrim_status sc_body_rows_read(sc_body_rows *rows,
                                              const scrim_body_fit *fit,
                                              scrim_error *error);
/* Wipes. Also of zeros. */
void sc_body_rows_close(sc_body_rows *rows);

#endif
