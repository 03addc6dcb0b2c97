/* The drawing of one body as text, for the Python package. */
#ifndef SC_CLI_BODY_DRAWING_H
#define SC_CLI_BODY_DRAWING_H

#include "scrim.h"

/* SVG, terminated; freed by free(). columns are 2 to 6, "a,b", or NULL for all. Free of charge. SCRIM_E_PARAM, SCRIM_E_MEMORY,
 * and what is wrong with the region. The Python package enters by this function and that of label_page.h alone. */
SCRIM_MUST_USE scrim_status sc_body_drawing_text(scrim_body *body, const char *columns,
                                                 char **out, size_t *bytes,
                                                 scrim_error *error);

#endif
