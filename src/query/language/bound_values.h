/* Values that a program gives beside the text of a query, where ? stands for them.
 *
 * Claim  bound_values.tokens  the bound text has the tokens of the query, in their order, with the literal of
 *                           each value in place of its ?: one token, two for a negative number, a date or a
 *                           time. No value adds, ends or changes another token
 */
#ifndef SC_QUERY_BOUND_VALUES_H
#define SC_QUERY_BOUND_VALUES_H

#include "query/language/lex.h"
#include "scrim/query.h"

/* The canonical text of the query, or of a part of one, with its values; in the arena. Fails as scrim_query_bind. */
SCRIM_MUST_USE scrim_status sc_values_bind(sc_text query, const scrim_query_value *values,
                                           size_t count, sc_arena *arena, sc_text *out,
                                           sc_refusal *refusal);

#endif
