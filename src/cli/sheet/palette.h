/* The two colours of every plot, on a terminal and in a file. Blue and orange differ for every
 * kind of colour vision, and the shapes that they colour differ as well. */
#ifndef SC_CLI_PALETTE_H
#define SC_CLI_PALETTE_H

#define SC_BLUE "\033[38;5;39m"
#define SC_ORANGE "\033[38;5;214m"
#define SC_PLAIN "\033[0m"

#define SC_BLUE_HEX "#0072b2"
#define SC_ORANGE_HEX "#d55e00"

#endif
