/* A plan for people and for programs: what `scrim explain` shows. Nothing of it comes from data. */
#ifndef SC_CLI_PLAN_WRITER_H
#define SC_CLI_PLAN_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* JSON is an object with the facts and statements; CSV and JSON lines have a row for each column of
 * the answer, with its expected error; a table is all of it in words and boxes, is_verbose: with the
 * steps between the rows and the aggregates; has_expect: the command takes --expect. */
SCRIM_MUST_USE scrim_status sc_plan_write(sc_output *output, scrim_vault *vault,
                                          const scrim_plan *plan, sc_format format,
                                          const sc_terminal *terminal, bool is_verbose,
                                          bool has_expect, scrim_error *error);

#endif
