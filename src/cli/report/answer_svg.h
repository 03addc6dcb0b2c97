/* The drawing of a release, --svg FILE: every value that was released as a dot with its error bar,
 * one picture a column, as on the page of its label. A file that needs no other: no script, no font
 * of its own, no link. */
#ifndef SC_CLI_ANSWER_SVG_H
#define SC_CLI_ANSWER_SVG_H

#include "cli/report/report_values.h"
#include "cli/terminal/output.h"

/* title stands above: what was asked. */
void sc_answer_svg_write(sc_output *output, const char *title,
                         const sc_report_values *values);

/* Into a file, free of charge: it is there whole, or not at all. What sc_file_writer_open and
 * _close return, SCRIM_E_MEMORY, and what is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_answer_svg_file(scrim_vault *vault, uint64_t release,
                                               const char *title, const char *path,
                                               scrim_error *error);

#endif
