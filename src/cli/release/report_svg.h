/* The drawings of a label, for the inside of a page whose style sheet names their colours:
 * error bars of what was released, and how much of a budget is spent. Each says in words what
 * it shows. */
#ifndef SC_CLI_REPORT_SVG_H
#define SC_CLI_REPORT_SVG_H

#include "cli/release/report_values.h"
#include "cli/terminal/output.h"

/* More rows than this are in the table alone. */
#define SC_REPORT_BARS 40

/* One column of a sheet. number is that of the drawing on the page, from 1 on. */
void sc_report_bars_write(sc_output *output, const sc_report_sheet *sheet, size_t column,
                          unsigned number);
void sc_report_budget_write(sc_output *output, const scrim_label *label);

/* The drawing of a release, --svg FILE: every value that was released as a dot with its error bar,
 * one picture a column, as on the page of its label. A file that needs no other: no script, no font
 * of its own, no link. */

/* title stands above: what was asked. */
void sc_answer_svg_write(sc_output *output, const char *title,
                         const sc_report_values *values);

/* Into a file, free of charge: it is there whole, or not at all. What sc_file_writer_open and
 * _close return, SCRIM_E_MEMORY, and what is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_answer_svg_file(scrim_vault *vault, uint64_t release,
                                               const char *title, const char *path,
                                               scrim_error *error);

#endif
