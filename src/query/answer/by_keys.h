/* The keys of later questions, as an option names them: what GROUP BY takes, separated by commas.
 *
 *     club, MONTH(visited_at)
 *
 * A part is a column by its name, also one that a query would have to quote, or an expression of the
 * query language. By the schema alone, all of it public.
 *
 * Claim  by-keys.language  a part that is no column means what it means after GROUP BY, and what a query
 *                          refuses there is refused
 */
#ifndef SC_QUERY_BY_KEYS_H
#define SC_QUERY_BY_KEYS_H

#include "base/memory.h"
#include "query/language/question.h"

typedef struct sc_by_key {
    sc_text text;            /* as it was given */
    const sc_column *column; /* NULL: an expression */
} sc_by_key;

typedef struct sc_by_keys {
    sc_by_key keys[SC_QUERY_KEYS];
    size_t count;
    const sc_query *query; /* COUNT(*) by these keys; NULL without keys */
} sc_by_keys;

/* list may be empty, and lives as long as what is made of it, which is in the arena. SCRIM_E_PARAM for a
 * name that is no column, and for a timestamp as it stands, which would make a group of every second;
 * SCRIM_E_SYNTAX, SCRIM_E_POLICY, SCRIM_E_LIMIT as sc_validate; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_by_keys_read(sc_text list, const sc_schema *schema,
                                            sc_arena *arena, sc_by_keys *out,
                                            scrim_error *error);
/* How many groups there can be: 1 without keys, 0 where they are not public. */
uint64_t sc_by_keys_groups(const sc_by_keys *keys);

/* A key as a query has it: a column in quotes. */
void sc_by_key_put(const sc_by_key *key, sc_text_sink *sink);
/* The name of a column in quotes. */
void sc_by_key_put_name(sc_text name, sc_text_sink *sink);

#endif
