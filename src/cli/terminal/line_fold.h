/* Lines that are wider than a screen, broken at spaces: what follows goes on below the words that it
 * belongs to. */
#ifndef SC_CLI_LINE_FOLD_H
#define SC_CLI_LINE_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/* How many columns of a terminal a text takes: letters of East Asia and most emoji take two, marks
 * above and below another character none. By a table of our own (tools/width_table), so that no
 * locale and no version of the C library changes what is written. The program's own colours (palette.h)
 * take none either; in texts of others nothing looks like them once they are clean. */

/* Does a byte go on with the character before it? */
bool sc_is_continuation(char byte);
/* Columns of UTF-8; a byte that begins no character takes one column. */
size_t sc_bytes_width(const char *text, size_t bytes);
size_t sc_text_width(const char *text);
/* The bytes of as many whole characters, from the first on, as columns hold, with the marks on the
 * last of them. */
size_t sc_fitting_bytes(const char *text, size_t bytes, size_t columns);
/* Writes a text of at most `columns` columns: a longer one is cut to its beginning, three dots and its end,
 * which gets most of the room. bytes, the room of out, is above those of the text. */
void sc_cut_middle(const char *text, size_t columns, char *out, size_t bytes);
/* Makes a width as large as the text's, if it is less. */
void sc_width_widen(size_t *width, const char *text);

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
