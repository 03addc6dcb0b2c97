/* Functions of texts in questions: letters of one case, parts, trimmed ends, joined texts. */
#ifndef SC_DATA_TEXT_FUNCTION_H
#define SC_DATA_TEXT_FUNCTION_H

#include "base/text.h"
#include "data/value/column.h"

#include <stdbool.h>
#include <stdint.h>

/* Capital and small letters: one character to one, by the simple mappings of Unicode 14.0, which are a
 * part of the program. No locale has a say, so that a recorded question keeps its meaning.
 *
 * Claim  letter-case.simple  each character becomes one character, and what has been mapped stays
 */

/* The letter in that case, or the character itself if it has no such letter. */
uint32_t sc_letter_case(uint32_t character, bool is_upper);

/* Functions of a text: letters of one case, a part, its ends trimmed, two in one. All of it is
 * about UTF-8 characters and is total; nothing depends on a locale.
 *
 * No result is longer than a cell may be: what does not fit is cut off behind the last whole
 * character.
 *
 * Claim  text-function.total  whatever the bytes, no result is longer than SC_TEXT_RESULT_BYTES, and
 *                             results of UTF-8 are UTF-8
 */

#define SC_TEXT_RESULT_BYTES SC_COLUMN_VALUE_BYTES

/* Takes the character that a text of at least one byte begins with; of bytes that are no UTF-8 each is
 * one. */
uint32_t sc_text_take_letter(sc_text *rest);
/* In characters. */
size_t sc_text_length(sc_text text);
/* The characters at positions from first on and before behind that exist; the first is at 1. */
sc_text sc_text_part(sc_text text, int64_t first, int64_t behind);
/* Without the spaces, U+0020, at its ends. */
sc_text sc_text_trimmed(sc_text text, bool at_start, bool at_end);
/* Capital or small letters (sc_letter_case), written to out. */
sc_text sc_text_cased(sc_text text, bool is_upper, char out[SC_TEXT_RESULT_BYTES]);
sc_text sc_text_joined(sc_text a, sc_text b, char out[SC_TEXT_RESULT_BYTES]);

#endif
