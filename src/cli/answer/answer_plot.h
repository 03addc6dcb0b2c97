/* Released numbers in the terminal: a bar each, from 0, with its error bar over it. */
#ifndef SC_CLI_ANSWER_PLOT_H
#define SC_CLI_ANSWER_PLOT_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* There is something to draw. */
bool sc_answer_plot_is_possible(const sc_answer_sheet *sheet);
void sc_answer_plot_write(sc_output *output, const sc_answer_sheet *sheet,
                          const sc_terminal *terminal);

#endif
