/* Text of others in HTML and SVG: nothing in it is ever a tag, an attribute's end or an entity,
 * and nothing steers a screen or turns the order of what stands around it (A61). */
#ifndef SC_CLI_MARKUP_H
#define SC_CLI_MARKUP_H

#include "cli/terminal/output.h"

#include <stddef.h>

/* & < > " ' are spelt out; what sc_complaint_clean takes for no text becomes '?'. */
void sc_markup_text(sc_output *output, const char *text);
/* At most so many columns of it (text_width.h), and an ellipsis where there are more. */
void sc_markup_short(sc_output *output, const char *text, size_t most);

#endif
