/* Literals that no listed key is equal to: most likely they are misspelt. It follows from the statement
 * and the owner's lists alone, never from data.
 *
 * Claim  plan-literals.public  a caution depends on the query and the policy alone, and stands exactly
 *                              where a literal or pattern is compared with a list and fits none of it
 * Claim  plan-literals.misspelt  a question whose rows must all be equal to misspelt keys is refused before it
 *                              is charged, with a key to write instead; not one that was charged before
 */
#ifndef SC_QUERY_PLAN_LITERALS_H
#define SC_QUERY_PLAN_LITERALS_H

#include "query/language/question.h"

/* A sentence about the first of them, and how many more there are; "" where there is none. In the arena;
 * NULL without memory. */
const char *sc_plan_literals(const sc_query *query, sc_arena *arena);
/* Where WHERE leaves only rows whose text is equal to literals that are all on no list, and the first one is
 * nearly a listed key: a sentence with that key; else "". In the arena; NULL without memory. */
const char *sc_plan_misspelt(const sc_query *query, sc_arena *arena);

#endif
