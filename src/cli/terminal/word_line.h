/* The words of a command line as the one line of text that names a distribution or a
 * mechanism, "NAME key=value ...". */
#ifndef SC_CLI_WORD_LINE_H
#define SC_CLI_WORD_LINE_H

#include <stddef.h>

/* The words with a space between them; NULL without memory. The caller frees it. */
char *sc_word_line(char *const *words, size_t count);

#endif
