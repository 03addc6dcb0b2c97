/* Notes on a narrow terminal: lines that are too wide go on in the next, below their words.
 *
 * A note is "name        words": twelve columns of a name, then what it says. It is written like
 * anything else, and folded when it stands in the buffer.
 */
#ifndef SC_CLI_FOLD_H
#define SC_CLI_FOLD_H

#include "cli/terminal/output.h"

/* Where a note begins; there is room for it in the buffer. */
size_t sc_fold_begin(sc_output *output);
/* Folds the lines written since then that are wider than columns, at spaces behind the name. A word
 * that is wider by itself stays whole; so does everything without memory. */
void sc_fold_end(sc_output *output, size_t begin, size_t columns);
/* One line of its own, "name        text": a text that is longer than any note stays whole. */
void sc_fold_line(sc_output *output, const char *name, const char *text, size_t columns);

#endif
