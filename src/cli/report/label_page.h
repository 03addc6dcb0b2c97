/* The page of a release, --html FILE: its label with plots of what was released. `report`, `query`
 * and `replay` write the same page. */
#ifndef SC_CLI_LABEL_PAGE_H
#define SC_CLI_LABEL_PAGE_H

#include "scrim.h"

/* Free of charge. The file is there whole, or not at all. What sc_file_writer_open and _close
 * return, SCRIM_E_MEMORY, and what is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_label_page_write(scrim_vault *vault, uint64_t release,
                                                const char *path, scrim_error *error);
/* The same page of a label, as text that is terminated; freed by free(). SCRIM_E_STATE when the label has
 * no record of its values, SCRIM_E_MEMORY. The Python package enters by this function alone. */
SCRIM_MUST_USE scrim_status sc_label_page_text(const scrim_label *label, char **out,
                                               size_t *bytes, scrim_error *error);

#endif
