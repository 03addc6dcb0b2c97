/* Words that a query may have, for completion: those of the language, and the columns and listed keys of a dataset. All
 * of them are public: a policy says them. */
#ifndef SC_CLI_QUERY_WORDS_H
#define SC_CLI_QUERY_WORDS_H

#include "scrim.h"

typedef void sc_word_taker(void *context, const char *word);

/* SELECT, COUNT(, GROUP BY and the like. */
void sc_query_words(sc_word_taker *take, void *context);
/* Column names in a policy's text, quoted where the language asks for it, and listed keys between apostrophes. */
void sc_policy_words(const char *policy, sc_word_taker *take, void *context);

#endif
