/* A label as one self-contained page of HTML: without scripts or links to other files, light
 * or dark like the reader's screen, and printable. The label's text stands at its end,
 * where `scrim report verify` reads it. */
#ifndef SC_CLI_REPORT_HTML_H
#define SC_CLI_REPORT_HTML_H

#include "cli/release/report_values.h"
#include "cli/terminal/output.h"
#include "scrim.h"

void sc_report_html_write(sc_output *output, const scrim_label *label,
                          const sc_report_values *values);

/* The end of a page of another kind, with the label of all before it. */
void sc_label_page_seal(sc_output *output, const scrim_label *label);

/* The page of a release, --html FILE: its label with plots of what was released. `report`, `query`
 * and `replay` write the same page. */

/* Charges nothing. The file is written as a whole or not at all. Fails as sc_file_writer_open and _close do, as reading the vault
 * does, or with SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release,
                                                const char *path, scrim_error *error);
/* The same page of a label, as a terminated text; freed by free(). SCRIM_E_STATE if the label has
 * no record of its values, SCRIM_E_MEMORY. The Python package calls this function. */
SCRIM_MUST_USE scrim_status sc_label_page_text(const scrim_label *label, char **out,
                                               size_t *bytes, scrim_error *error);

#endif
