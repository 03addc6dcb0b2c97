/* What can be shown where output goes. */
#ifndef SC_CLI_TERMINAL_H
#define SC_CLI_TERMINAL_H

#include <stdbool.h>

typedef struct sc_terminal {
    bool is_terminal;
    bool utf8;   /* the locale is UTF-8 and TERM is not "dumb": boxes and blocks may be
                * used */
    bool colour; /* a terminal, not "dumb", and NO_COLOR is not set */
    unsigned columns; /* $COLUMNS, else what the terminal says, else 80; 40 to 240 */
} sc_terminal;

/* Looks at a descriptor, the environment and, for the encoding alone, the locale. */
void sc_terminal_look(int descriptor, sc_terminal *out);

#endif
