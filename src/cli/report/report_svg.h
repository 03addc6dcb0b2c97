/* The drawings of a label, for the inside of a page whose style sheet names their colours:
 * error bars of what was released, and how much of a budget is spent. Each says in words what
 * it shows. */
#ifndef SC_CLI_REPORT_SVG_H
#define SC_CLI_REPORT_SVG_H

#include "cli/report/report_values.h"
#include "cli/terminal/output.h"

/* More rows than this are in the table alone. */
#define SC_REPORT_BARS 40

/* One column of a sheet. number is that of the drawing on the page, from 1 on. */
void sc_report_bars_write(sc_output *output, const sc_report_sheet *sheet, size_t column,
                          unsigned number);
/* The contents of that drawing, for a larger one, and its size. */
#define SC_REPORT_BARS_WIDTH 680
double sc_report_bars_height(const sc_report_sheet *sheet);
void sc_report_bars_inside(sc_output *output, const sc_report_sheet *sheet, size_t column,
                           unsigned number);
void sc_report_budget_write(sc_output *output, const scrim_label *label);

#endif
