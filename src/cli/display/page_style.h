/* One style of every page and drawing: light or dark as the reader's screen is, fit for a phone and for
 * paper. A page and a drawing need no other file: no script, no font of their own, no link. */
#ifndef SC_CLI_PAGE_STYLE_H
#define SC_CLI_PAGE_STYLE_H

#include "cli/terminal/output.h"

/* The rules of a page, between <style> and its end. */
void sc_page_style_write(sc_output *output);
/* The style of a drawing that is a file by itself. Attributes name the light colours, for programs
 * that know no style; rules give each of them its dark one. */
void sc_drawing_style_write(sc_output *output);

#endif
