/* A program that shows a long text on a terminal page by page: $PAGER, or less where that is installed. A user who has
 * the rights of another gets none: it could start other programs with them. */
#ifndef SC_CLI_PAGER_H
#define SC_CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* Shows the text on standard output and waits until its reader leaves. False: nothing was shown, because there is no
 * pager, standard input or output is no terminal, or TERM is "dumb". */
bool sc_pager_show(const char *text, size_t bytes);

#endif
