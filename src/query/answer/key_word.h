/* A key of any bytes as one visible word of a record: what is no visible ASCII character, '%' and '-' are %XX, and no
 * bytes at all are "-".
 *
 * Claim  key-word.back  what is read from a written word are the bytes that were written
 */
#ifndef SC_QUERY_KEY_WORD_H
#define SC_QUERY_KEY_WORD_H

#include "base/memory.h"
#include "base/text.h"

void sc_key_word_put(sc_text key, sc_text_sink *sink);
/* Bytes of the arena. SCRIM_E_SYNTAX where a % has no two digits behind it, SCRIM_E_MEMORY; without a message. */
SCRIM_MUST_USE scrim_status sc_key_word_read(sc_text word, sc_arena *arena, sc_text *out);

#endif
