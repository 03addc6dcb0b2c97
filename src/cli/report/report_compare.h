/* Two labels side by side: whom they protect, and what they cost. */
#ifndef SC_CLI_REPORT_COMPARE_H
#define SC_CLI_REPORT_COMPARE_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

SCRIM_MUST_USE scrim_status sc_report_compare_write(
    sc_output *output, const scrim_label *a, const scrim_label *b, sc_format format,
    const sc_terminal *terminal, scrim_error *error);

#endif
