/* Lines of text from a person or a script.
 *
 * On a terminal a line is edited with arrows and a history, and Tab completes words; Ctrl-C drops the line and Ctrl-D at
 * its start ends the input. Lines of a pipe, of a file and of a terminal that cannot move its cursor (TERM=dumb) are read as
 * they are. Prompts and the line itself go to standard error. The file of the history holds what was remembered, one text
 * a line, and only its user can read it.
 */
#ifndef SC_CLI_LINE_EDITOR_H
#define SC_CLI_LINE_EDITOR_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a line at most, so that an endless line takes no endless memory. */
#define SC_LINE_BYTES ((size_t)1 << 20)

typedef struct sc_line_editor sc_line_editor;

/* The candidates for a word. */
typedef struct sc_line_words sc_line_words;
/* Takes a candidate that begins as the word does, upper and lower case alike; others are left out. */
void sc_line_words_offer(sc_line_words *words, const char *candidate);
/* The files of the folder that the word names, as far as it goes. A user who has the rights of another sees none. */
void sc_line_words_offer_files(sc_line_words *words);
/* Offers candidates for the word that ends where the cursor stands: line up to there, in which the word begins at
 * start. */
typedef void sc_line_completer(void *context, const char *line, size_t start,
                               sc_line_words *words);

/* Reads standard input. is_edited: on a terminal. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_line_editor_open(bool is_edited,
                                                sc_line_completer *completer,
                                                void *context, sc_line_editor **out,
                                                scrim_error *error);
void sc_line_editor_close(sc_line_editor *editor); /* NULL is allowed */
/* From now on a line is completed as a whole: it is an answer, such as a name with blanks. */
void sc_line_editor_take_answers(sc_line_editor *editor);
/* Can this process edit lines: standard input and standard error are a terminal that moves its cursor? */
bool sc_line_editor_is_possible(void);

typedef enum sc_line_end {
    SC_LINE_READ,
    SC_LINE_DROPPED, /* by Ctrl-C */
    SC_LINE_LAST,    /* the input has ended */
    SC_LINE_WRONG    /* too long, or with a NUL byte: it is skipped */
} sc_line_end;

/* The line without its end lives until the next call. prompt is shown to a person only. */
sc_line_end sc_line_editor_read(sc_line_editor *editor, const char *prompt,
                                const char **line);

/* The history is kept in this file, from now on: its last lines are read, and each text that is remembered is added to
 * it. A file that cannot be made or read is done without. */
void sc_line_editor_keep(sc_line_editor *editor, const char *path);
/* Blanks stand for line breaks. Without a person nothing is remembered. */
void sc_line_editor_remember(sc_line_editor *editor, const char *text);

#endif
