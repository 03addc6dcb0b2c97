/* Pages of HTML: all of one style, each a file that needs no other. */
#ifndef SC_CLI_PAGE_H
#define SC_CLI_PAGE_H

#include "cli/terminal/output.h"

typedef struct sc_page_head {
    const char *kind; /* "Privacy label", in front of the title in the browser's window */
    const char *title; /* text of others may be in it */
    const char *more;  /* rules of this page alone; NULL: none */
} sc_page_head;

/* Write the page up to the beginning of <main>, and from its end on. */
void sc_page_open(sc_output *output, const sc_page_head *head);
void sc_page_close(sc_output *output);

#endif
