/* Lines that are wider than a screen, broken at spaces: what follows goes on below the words that it
 * belongs to. */
#ifndef SC_CLI_LINE_FOLD_H
#define SC_CLI_LINE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_line_fold {
    size_t columns;
    size_t
        indent; /* of what follows; its words begin there in the first line, too. 0: behind
                        * the first two spaces in a line ("name        words"), or as the line is */
    bool breaks_words; /* that are wider than a line; else they stay whole */
    bool
        has_colour; /* "caution" and "warning" are coloured where a line begins with them */
} sc_line_fold;

typedef void (*sc_line_put)(void *context, const char *bytes, size_t count);

/* The lines of a text, the last one perhaps without an end. Those that fit are put as they are. */
void sc_lines_fold(const sc_line_fold *fold, const char *text, size_t bytes,
                   sc_line_put put, void *context);

#endif
