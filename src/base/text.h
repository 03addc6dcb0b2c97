/* Views of text that somebody else owns, and plain byte-wise operations on them. Nothing here
 * looks at the locale. */
#ifndef SC_BASE_TEXT_H
#define SC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc_text {
    const char *start;
    size_t bytes;
} sc_text;

sc_text sc_text_of(const char *terminated); /* NULL gives the empty view */
bool sc_text_equal(sc_text a, sc_text b);
bool sc_text_is(sc_text a, const char *terminated);
/* Below 0, 0 or above 0: by the bytes, and the beginning of a text before the text. */
int sc_text_compare(sc_text a, sc_text b);
/* Without spaces and tabs at both ends. */
sc_text sc_text_trim(sc_text text);
/* Takes the next word (separated by spaces and tabs) off the front of rest; false at the end
 * of rest. */
bool sc_text_word(sc_text *rest, sc_text *word);
/* Splits at the first separator; false, with both outputs untouched, when it does not occur. */
bool sc_text_split(sc_text text, char separator, sc_text *before, sc_text *after);
/* Takes what is in front of the next separator, or all of it, off the front of rest; false when rest is empty. */
bool sc_text_item(sc_text *rest, char separator, sc_text *item);
/* Decimal digits only, no sign, no space; false when that is not what it is, or above 2^64-1. */
bool sc_text_uint64(sc_text text, uint64_t *out);
bool sc_ascii_is_digit(char c);
/* Takes one character off the front of rest when it is this one. */
bool sc_text_take(sc_text *rest, char c);
/* Takes the decimal digits off the front of rest: all of them, perhaps none. */
sc_text sc_text_take_digits(sc_text *rest);
/* The bytes of the UTF-8 character that text begins with; 0 for no text and for what has no
 * place in a line that somebody reads: control characters, line and paragraph separators, what
 * turns the direction of the text around it (U+202A to U+202E, U+2066 to U+2069), and bytes
 * that are not UTF-8. */
size_t sc_text_character(sc_text text);

/* The edit distance (insert, delete, replace, swap neighbours) of two texts of at most 63
 * bytes, for did-you-mean; SIZE_MAX for longer ones. */
size_t sc_text_distance(sc_text a, sc_text b);
/* The name nearest to word, at a distance of at most 2 and below the length of word, the first
 * of equals; NULL when no name is so near. */
const char *sc_text_nearest(sc_text word, const char *const *names, size_t count);

/* Somebody else's text made fit for a message: cut after at most 40 bytes, at a whole character
 * and with "..." behind it; the bytes of what is no character to sc_text_character become '?'.
 * Returns quote. */
#define SC_TEXT_QUOTE_BYTES 44
const char *sc_text_quote(sc_text text, char quote[SC_TEXT_QUOTE_BYTES]);
/* The same of the path of a file, which is cut in front: its end says more. */
const char *sc_text_quote_path(sc_text path, char quote[SC_TEXT_QUOTE_BYTES]);
/* The name of a column as a query has it: a word that is not reserved as it is, any other name in double quotes, each of
 * its own doubled. Made fit for a message and cut as by sc_text_quote. Returns name. */
#define SC_TEXT_NAME_BYTES (2 * SC_TEXT_QUOTE_BYTES + 2)
const char *sc_text_name(sc_text text, char name[SC_TEXT_NAME_BYTES]);

/* Text on its way into a buffer of the caller. It is cut where the buffer ends, terminated
 * after each step (unless capacity is 0), and length goes on counting, as the result of
 * snprintf does. */
typedef struct sc_text_sink {
    char *start;
    size_t capacity;
    size_t length;
} sc_text_sink;

void sc_text_sink_init(sc_text_sink *sink, char *start, size_t capacity);
void sc_text_put(sc_text_sink *sink, sc_text text);
void sc_text_put_times(sc_text_sink *sink, char c, size_t times);

/* For people: every "0.000001" in a text becomes "1e-6", exactly; 0.001 stays. */
void sc_text_shorten_numbers(char *text);

#endif
