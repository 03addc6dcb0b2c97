/* Patterns of LIKE: _ is any one character, % any number of them, all else itself; a character behind
 * the escape is itself. Case matters.
 *
 * A pattern is public and becomes an automaton whose state is a set of its places, one bit each: every
 * character of a text takes the same steps, and there is no way back (A53).
 *
 * Claim  like.exact   a text matches as SQL says, whatever the pattern
 * Claim  like.linear  the steps are those of the pattern, once a character
 */
#ifndef SC_QUERY_LIKE_H
#define SC_QUERY_LIKE_H

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>

/* Characters of a pattern but for %. */
#define SC_LIKE_PLACES 1023

typedef struct sc_like sc_like;

typedef enum sc_like_fault {
    SC_LIKE_FINE,
    SC_LIKE_NO_MEMORY,
    SC_LIKE_TOO_LONG,
    SC_LIKE_OPEN_ESCAPE /* it ends with the escape */
} sc_like_fault;

/* In the arena. escape is empty or one character. */
sc_like_fault sc_like_compile(sc_text pattern, sc_text escape, sc_arena *arena,
                              const sc_like **out);
bool sc_like_matches(const sc_like *like, sc_text text);

#endif
