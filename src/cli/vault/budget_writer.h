/* Writing what is left in every format. */
#ifndef SC_CLI_BUDGET_WRITER_H
#define SC_CLI_BUDGET_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "cli/vault/budget_rows.h"

/* CSV has a row for each population, analyst and unit; JSON is an object with rows, populations
 * (with the forecast), datasets (with their caps) and refusals; a table has a bar in each row
 * that shows how much is spent, never too little. */
SCRIM_MUST_USE scrim_status sc_budget_write(sc_output *output, const sc_budget_rows *rows,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);
/* What the rows do not say: how a budget is counted, shares and caps, and the forecast. */
void sc_budget_note_write(sc_output *output, const sc_budget_rows *rows);

#endif
