/* A histogram in the terminal: what was drawn as bars, the exact law as a mark on each,
 * and below them how well the two agree. */
#ifndef SC_CLI_PLOT_H
#define SC_CLI_PLOT_H

#include "cli/plot/histogram.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* text names the distribution. */
void sc_plot_write(sc_output *output, const sc_drawn_histogram *histogram,
                   const char *text, const sc_terminal *terminal);

#endif
