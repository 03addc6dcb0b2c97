/* The text of a value that was computed: how a key is shown, and by which rows are sorted.
 *
 * Claim  key-text.distinct  two values of one expression have the same text only if they are the
 *                           same
 */
#ifndef SC_QUERY_KEY_TEXT_H
#define SC_QUERY_KEY_TEXT_H

#include "query/language/typed_node.h"

/* Writes a value of typed, which is not a text column: a number in its shortest exact text, a date
 * as YYYY-MM-DD, a timestamp with its offset (moment.h), true or false, one of the texts that CASE chooses. A value outside of the
 * extent is clamped to it. Writes at most capacity bytes with the terminator and returns the
 * length it needs without it, as snprintf does. SC_KEY_TEXT_BYTES is always enough but for text.
 */
#define SC_KEY_TEXT_BYTES 128
size_t sc_key_text(const sc_typed *typed, int64_t value, char *text, size_t capacity);

#endif
