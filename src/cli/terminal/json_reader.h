/* A small JSON file, read token by token in the order in which its reader expects them.
 *
 * Numbers are not converted: a number is the text that stands there, so that 0.1 is exact. Strings
 * have no escapes, and need no quotes where they have only letters, digits and _ + - . and /. Texts
 * lie in the buffer, which is changed.
 */
#ifndef SC_CLI_JSON_READER_H
#define SC_CLI_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_json_reader {
    char *start, *at; /* terminated */
    size_t line;      /* that is being read, from 1 on */
} sc_json_reader;

void sc_json_reader_init(sc_json_reader *reader, char *text);
/* Skips this character, one of []{},: behind spaces; false, with nothing skipped, if another one is
 * next. */
bool sc_json_skip(sc_json_reader *reader, char what);
/* The next string or number, terminated; NULL if neither is next. */
const char *sc_json_scalar(sc_json_reader *reader);
/* Is all of it read? */
bool sc_json_is_end(sc_json_reader *reader);

#endif
