/* What SQL has and scrim refuses, with the nearest thing that it does not. The list only makes
 * the refusal kinder: what is on no list at all is refused too. */
#ifndef SC_QUERY_FORBIDDEN_H
#define SC_QUERY_FORBIDDEN_H

#include "base/text.h"

/* Why this word, in any case, is refused where it stands as a part of the language, and what to
 * write instead; NULL when it is not on the list. */
const char *sc_forbidden_word(sc_text word);
/* The same of a function. */
const char *sc_forbidden_function(sc_text name);

#endif
