/* Which rows of a unit an answer is about, in a sentence for people: "at most 5 rows per customer were
 * used; rows beyond are not in these numbers". Explain, answers and labels say the same.
 *
 * All of it follows from the policy and the question. Where each row is a unit nothing is left out, and
 * there is nothing to say.
 *
 * Claim  kept-words.public  the sentence depends on the question and on what is declared alone
 */
#ifndef SC_QUERY_KEPT_WORDS_H
#define SC_QUERY_KEPT_WORDS_H

#include "query/pass/statistic.h"

typedef enum sc_kept_tense {
    SC_KEPT_WILL_BE, /* of a plan */
    SC_KEPT_WAS
} sc_kept_tense;

/* Of one question, of which a unit is in at most max_groups groups. In the arena; "" where the unit is the
 * row or nothing is left out; NULL without memory. */
const char *sc_kept_words(const sc_query *query, const sc_statistics *statistics,
                          uint64_t max_groups, sc_kept_tense tense, sc_arena *arena);
/* Bounds hold for all questions. One with more groups than a unit is used in, and one without groups where
 * a unit is used in several, misses rows that others have: this says so, since no interval shows it, or is "".
 * groups are the public ones; 0 where there are none. In the arena; NULL without memory. */
const char *sc_missing_words(const sc_query *query, const sc_statistics *statistics,
                             size_t groups, sc_arena *arena);

#endif
