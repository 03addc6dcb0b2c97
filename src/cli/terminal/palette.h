/* Every colour that there is. Plots have two, on a terminal and in a file: blue and orange differ for
 * every kind of colour vision, and the shapes that they colour differ as well. On a terminal headings,
 * cautions and errors have one too; each is known by its words alone. */
#ifndef SC_CLI_PALETTE_H
#define SC_CLI_PALETTE_H

#define SC_BLUE "\033[38;5;39m"
#define SC_ORANGE "\033[38;5;214m"
#define SC_PLAIN "\033[0m"

#define SC_HEADING "\033[1m"
#define SC_CAUTION SC_ORANGE
#define SC_FAILURE "\033[1;31m"

#define SC_BLUE_HEX "#0072b2"
#define SC_ORANGE_HEX "#d55e00"

#endif
