/* A plan for people and for programs: what `scrim explain` shows. Nothing of it comes from data. */
#ifndef SC_CLI_PLAN_WRITER_H
#define SC_CLI_PLAN_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_plan_style {
    sc_format format;
    const sc_terminal *terminal;
    bool is_verbose; /* a table also has the steps between the rows and the aggregates */
    bool has_expect; /* the command takes --expect */
} sc_plan_style;

/* JSON is an object with the facts and statements; CSV and JSON lines have a row for each column of
 * the answer, with its expected error; a table is all of it in words and boxes. */
SCRIM_MUST_USE scrim_status sc_plan_write(sc_output *output, const sc_plan_style *style,
                                          scrim_vault *vault, const scrim_plan *plan,
                                          scrim_error *error);

#endif
