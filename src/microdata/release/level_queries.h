/* The queries of a tree: one count a level that is measured.
 *
 * The engine leaves out rows whose value of a listed column is not listed. A query of few columns would count them
 * all the same, and parts would not add up: so it has the condition that the values of all further columns are listed.
 *
 * Claim  level-queries.nested  query i groups by the first columns of the levels, so that every group of a level lies in
 *                              one group of the level above it; one unit is in one group of each
 * Claim  level-queries.same    all queries count the same rows
 */
#ifndef SC_MICRODATA_LEVEL_QUERIES_H
#define SC_MICRODATA_LEVEL_QUERIES_H

#include "base/memory.h"
#include "base/text.h"
#include "query/language/question.h"
#include "scrim/hierarchy.h"

#include <stdbool.h>

/* Levels below all rows: keys of a query. */
#define SC_LEVELS_MOST 16

typedef struct sc_level_queries {
    const char *texts[SC_LEVELS_MOST + 1];
    size_t count;       /* of queries: measured levels */
    const char *shares; /* of the queries, as scrim_query_options takes them */
} sc_level_queries;

/* Texts live in the arena. shares may be NULL: all are equal. last is the query of all columns, validated; NULL: there is none yet, and
 * the queries have no conditions. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_level_queries_make(const char *levels, const char *shares,
                                                  const sc_query *last, sc_arena *arena,
                                                  sc_level_queries *out,
                                                  scrim_error *error);

#endif
