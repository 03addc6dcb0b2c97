/* What SQL has and scrim refuses: each construct by its name, with the nearest thing that scrim has.
 * The list only makes the refusal kinder: what is on no list at all is refused too. */
#ifndef SC_QUERY_FORBIDDEN_H
#define SC_QUERY_FORBIDDEN_H

#include "query/language/refusal.h"

typedef struct sc_forbidden {
    const char *word;   /* in capitals, or a sign: the parameter of the error */
    const char *reason; /* why it is refused, and what to write instead */
} sc_forbidden;

/* By the alphabet; the last has no word. */
extern const sc_forbidden sc_forbidden_words[], sc_forbidden_functions[];

/* This word, in any case, which is refused where it stands as a part of the language; NULL when it
 * is not on the list. */
const sc_forbidden *sc_forbidden_word(sc_text word);
/* The same of a function. */
const sc_forbidden *sc_forbidden_function(sc_text name);
/* Is it a function of no row, which SQL calls without parentheses: CURRENT_DATE? */
bool sc_forbidden_is_value(sc_text name);

/* Refuses with SCRIM_E_POLICY; the line begins with what was typed, unless that is empty. */
scrim_status sc_refuse_forbidden(sc_refusal *refusal, sc_span place, sc_text typed,
                                 const sc_forbidden *found);
/* The same of a word that is on the list. */
scrim_status sc_refuse_form(sc_refusal *refusal, sc_span place, const char *typed,
                            const char *word);

#endif
