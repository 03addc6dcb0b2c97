/* The questions of a suggestion: the quantities of a person, their ladders, and the queries that are made of them. By
 * the schema alone, all of it public.
 *
 * A quantity is one number of each person. A question counts the people on each rung of its ladder, so that a
 * person is in one group of it. Every question has the same share of epsilon. Counts of rows and groups stand on
 * 1, 2, 5, ... 10^6, and groups only up to the number of public keys; totals on 0 and 18 rungs from a thousandth of the
 * range on; values on 16 equal parts of the declared range.
 */
#ifndef SC_QUERY_SUGGESTED_H
#define SC_QUERY_SUGGESTED_H

#include "base/memory.h"
#include "data/value/schema.h"
#include "query/answer/by_keys.h"
#include "query/estimate/ladder_reading.h"
#include "query/language/extent.h"
#include "scrim/suggestion.h"

#define SC_SUGGESTED_COLUMNS 16
#define SC_SUGGESTED_QUANTITIES (3 + 3 * SC_SUGGESTED_COLUMNS)
#define SC_SUGGESTED_MOST 1000000
/* Equal parts of the range of values. */
#define SC_SUGGESTED_VALUES 16

typedef enum sc_suggested_kind {
    SC_SUGGESTED_ALL_ROWS = 1,
    SC_SUGGESTED_GROUPS,
    SC_SUGGESTED_ROWS, /* in the fullest group */
    SC_SUGGESTED_LARGEST,
    SC_SUGGESTED_SMALLEST, /* by its distance from 0 */
    SC_SUGGESTED_VALUE
} sc_suggested_kind;

typedef struct sc_suggested_quantity {
    sc_suggested_kind kind;
    const sc_column *column;       /* NULL: of rows */
    int64_t steps[SC_LADDER_MOST]; /* the rungs: numbers, or steps of the column */
    size_t rungs;
} sc_suggested_quantity;

typedef struct sc_suggested {
    const sc_schema *schema;
    const sc_column *columns[SC_SUGGESTED_COLUMNS];
    size_t column_count;
    sc_by_keys by;
    uint64_t keys; /* groups there can be; 1 without keys, 0: not known */
    sc_suggested_quantity quantities[SC_SUGGESTED_QUANTITIES];
    const char *queries[SC_SUGGESTED_QUANTITIES]; /* by quantity */
    size_t count;
} sc_suggested;

/* The step of a column's grid. */
sc_value_step sc_suggested_step(const sc_column *column);

/* Sets all but the schema, which lives as long. columns is a list of names, by one of keys (by_keys.h);
 * NULL: none. All in the arena, but for these texts. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; of by
 * as sc_by_keys_read. */
SCRIM_MUST_USE scrim_status sc_suggested_read(sc_suggested *s, const char *columns,
                                              const char *by, sc_arena *arena,
                                              scrim_error *error);

#endif
