/* Abilities of a terminal: its width, its encoding, colours. */
#ifndef SC_CLI_TERMINAL_H
#define SC_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* All colours of the program. Plots use two, on a terminal and in a file: blue and orange differ
 * for every kind of colour vision, and their shapes differ as well. On a terminal headings,
 * cautions and errors are coloured too, but their words alone are enough. */

#define SC_BLUE "\033[38;5;39m"
#define SC_ORANGE "\033[38;5;214m"
#define SC_PLAIN "\033[0m"

#define SC_HEADING "\033[1m"
#define SC_CAUTION SC_ORANGE
#define SC_FAILURE "\033[1;31m"

#define SC_BLUE_HEX "#0072b2"
#define SC_ORANGE_HEX "#d55e00"

/* Rows of a table that is not abridged on a terminal. */
#define SC_ROWS_MOST 40

typedef struct sc_terminal {
    bool is_terminal;
    bool utf8;   /* the locale is UTF-8 and TERM is not "dumb": boxes and blocks may be
                * used */
    bool colour; /* a terminal, not "dumb", and NO_COLOR is not set */
    size_t rows_most; /* of a table, where longer ones are abridged; 0: all are shown */
    bool pages;       /* a table of more rows goes through a pager (pager.h) */
    unsigned columns; /* $COLUMNS, else what the terminal says, else 80; 40 to 240 */
} sc_terminal;

/* Looks at a descriptor, the environment and, for the encoding alone, the locale. */
void sc_terminal_look(int descriptor, sc_terminal *out);
/* Does TERM name a terminal whose cursor moves, so that a line can be edited or taken away again? Not if it is "dumb", empty or not
 * set. */
bool sc_terminal_moves(void);

#endif
