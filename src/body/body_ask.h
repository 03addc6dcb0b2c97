/* The rows of a dataset as coordinates of a body: the pass of the query engine, bounded by unit. They are private.
 *
 * A row is kept in 32 bits a column, as 2^24 coordinates need; one in which a value is missing is only counted. How much memory that
 * can take follows from the declared size of the source and the columns, and is asked for before the charge.
 *
 * Claim  body-rows.room  the memory that is asked for depends on the declared size of the source and its columns, never on rows
 */
#ifndef SC_BODY_ASK_H
#define SC_BODY_ASK_H

#include "body/body_plan.h"

typedef struct sc_body_rows {
    const scrim_body_fit *fit;
    sc_pass_statement statement;
    sc_pass *pass;
    unsigned workers;
    sc_direction_rows *kept; /* by worker; all of them are the first's after reading */
} sc_body_rows;

/* Takes the source; no row is looked at. rows is of zeros, and may not move. As sc_pass_open. */
SCRIM_MUST_USE scrim_status sc_body_rows_open(sc_body_rows *rows,
                                              const scrim_body_fit *fit,
                                              const sc_pass_options *options,
                                              sc_bits *bits, scrim_error *error);
/* The most memory that the pass, the rows and `each` bytes for every row can take. False: more than memory can be. */
bool sc_body_rows_room(const sc_body_rows *rows, size_t each, size_t *bytes);

/* Wipes. Also of zeros. */
void sc_body_rows_close(sc_body_rows *rows);

#endif
