/* Lines on standard error, for people: on a terminal they are broken where it would break them. */
#ifndef SC_CLI_TALK_H
#define SC_CLI_TALK_H

#include <stddef.h>

/* As printf has it, at most 8191 bytes. */
__attribute__((format(printf, 1, 2))) void sc_talk(const char *format, ...);
/* A colour of palette.h to put into it; "" where standard error has none. */
const char *sc_talk_colour(const char *colour);
/* The same text as a terminal has it, broken in place; it is as long as its capacity at most. */
void sc_talk_fold(char *text, size_t capacity);
/* A line of a query, and below it a line of spaces and carets of as many characters: columns of the
 * terminal for characters, and as much of both around the first caret as it has room for. */
void sc_talk_caret(const char *text);

#endif
