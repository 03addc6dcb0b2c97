/* A label as one page of HTML that stands by itself: no script, nothing from elsewhere; light
 * or dark as the reader's screen is, and fit for paper. The label's own text is at its end,
 * where `scrim report verify` finds it. */
#ifndef SC_CLI_REPORT_HTML_H
#define SC_CLI_REPORT_HTML_H

#include "cli/release/report_values.h"
#include "cli/terminal/output.h"
#include "scrim.h"

void sc_report_html_write(sc_output *output, const scrim_label *label,
                          const sc_report_values *values);

/* The page of a release, --html FILE: its label with plots of what was released. `report`, `query`
 * and `replay` write the same page. */

/* Free of charge. The file is there whole, or not at all. What sc_file_writer_open and _close
 * return, SCRIM_E_MEMORY, and what is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release,
                                                const char *path, scrim_error *error);
/* The same page of a label, as text that is terminated; freed by free(). SCRIM_E_STATE when the label has
 * no record of its values, SCRIM_E_MEMORY. The Python package enters by this function alone. */
SCRIM_MUST_USE scrim_status sc_label_page_text(const scrim_label *label, char **out,
                                               size_t *bytes, scrim_error *error);

#endif
