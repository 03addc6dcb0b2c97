/* What SQL has and scrim refuses, with the nearest thing that it does not. The list only makes
 * the refusal kinder: what is on no list at all is refused too. */
#ifndef SC_QUERY_FORBIDDEN_H
#define SC_QUERY_FORBIDDEN_H

#include "base/text.h"

typedef struct sc_forbidden {
    const char *word;   /* in capitals: the parameter of the error */
    const char *reason; /* why it is refused, and what to write instead */
} sc_forbidden;

/* This word, in any case, which is refused where it stands as a part of the language; NULL when it
 * is not on the list. */
const sc_forbidden *sc_forbidden_word(sc_text word);
/* The same of a function. */
const sc_forbidden *sc_forbidden_function(sc_text name);

#endif
