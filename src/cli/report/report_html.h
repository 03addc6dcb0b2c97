/* A label as one page of HTML that stands by itself: no script, nothing from elsewhere; light
 * or dark as the reader's screen is, and fit for paper. The label's own text is at its end,
 * where `scrim report verify` finds it. */
#ifndef SC_CLI_REPORT_HTML_H
#define SC_CLI_REPORT_HTML_H

#include "cli/report/report_values.h"
#include "cli/terminal/output.h"

/* More rows than this of a table are left to `scrim replay`. */
#define SC_REPORT_ROWS 1000

void sc_report_html_write(sc_output *output, const scrim_label *label,
                          const sc_report_values *values);

#endif
