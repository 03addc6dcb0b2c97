/* An answer for people: a box with an error bar beside each number, or a plot of them. */
#ifndef SC_CLI_ANSWER_TABLE_H
#define SC_CLI_ANSWER_TABLE_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

SCRIM_MUST_USE scrim_status sc_answer_table_write(sc_output *output,
                                                  const sc_answer_sheet *sheet,
                                                  const sc_answer_columns *columns,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);

#endif
