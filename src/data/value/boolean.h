/* The words of a bool: true, t, yes, y, 1 and false, f, no, n, 0, in small or large letters.
 *
 * Data and declarations are read by the same words.
 *
 * Claim  boolean.words  these words have the values 1 and 0, blanks around them do not count, and
 *                       every other text is refused
 */
#ifndef SC_DATA_BOOLEAN_H
#define SC_DATA_BOOLEAN_H

#include "base/text.h"

#include <stdint.h>

/* Writes 1 or 0; false, with out as it was, for any other text. */
bool sc_boolean_read(sc_text text, int64_t *out);

#endif
