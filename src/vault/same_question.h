/* Questions that measure the same, in other words: the digest of what is measured stands in the line of the charge,
 *
 *     query epsilon=0.5 delta=0 same=DIGEST : SELECT COUNT(*)
 *
 * and finds the release whatever the rest of the line says. A line without it, as earlier versions wrote them and as
 * other releases have, is found by all of its words.
 *
 * Claim  same-question.word  a line has the word in one place only, behind the options and before the query: no query and no
 *                            name can pretend to be it
 */
#ifndef SC_VAULT_SAME_QUESTION_H
#define SC_VAULT_SAME_QUESTION_H

#include "base/digest.h"

/* The word for a text that says what is measured; "" where text is empty. Behind the options of a line, before " : ". */
#define SC_SAME_BYTES (sizeof " same=" + 2 * (size_t)SC_DIGEST_BYTES)
SCRIM_MUST_USE scrim_status sc_same_write(sc_text measured, char word[SC_SAME_BYTES],
                                          scrim_error *error);

/* The word of a line, with its blank; empty if the line lacks it. */
sc_text sc_same_word(sc_text line);
/* The line without it, as earlier versions wrote it; freed by sc_free, NULL without memory. */
char *sc_same_without(sc_text line);
/* Is the charge with the line of body for the question of line? */
bool sc_same_is(sc_text body, sc_text line);

#endif
