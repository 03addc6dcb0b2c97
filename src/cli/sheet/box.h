/* A table of text in a box, for people; listing.h has the other formats. */
#ifndef SC_CLI_BOX_H
#define SC_CLI_BOX_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#define SC_BOX_COLUMNS 288 /* more than a query can select */

typedef struct sc_box {
    const char *const *columns; /* names; at most SC_BOX_COLUMNS */
    size_t column_count;
    const char *const *cells; /* row after row */
    size_t row_count;
} sc_box;

/* It is made to fit: long cells are broken at spaces. Where words or intervals would have to be
 * broken, a terminal gets a block of lines for each row in place of the box, "column  value". What
 * is written elsewhere keeps its form: words are broken behind a bar or a hyphen, or else anywhere. */
void sc_box_write(sc_output *output, const sc_box *box, const sc_terminal *terminal);

/* A name of a column, or what stands above a table; coloured where the terminal has colours. */
void sc_heading_write(sc_output *output, const char *text, size_t bytes,
                      const sc_terminal *terminal);

/* The parts of a box, for a table that is written while it is made. */
typedef enum sc_box_rule {
    SCRIM_RULE_TOP,
    SCRIM_RULE_MIDDLE,
    SCRIM_RULE_BOTTOM
} sc_box_rule;
void sc_box_rule_write(sc_output *output, sc_box_rule rule, const size_t *widths,
                       size_t column_count, bool utf8);
const char *sc_box_upright(bool utf8);

#endif
