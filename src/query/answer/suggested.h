/* What a suggestion asks: the quantities of a person, and the questions that are made of them. By the schema
 * alone, all of it public.
 *
 * Each quantity has its own quantiles, and by the plan an equal share of epsilon. The number of groups is
 * chosen from 1 to 10^6, or to the number of public keys; rows and totals from a ladder (key_text.h) up to 10^6
 * times what one row can add; values from the declared range.
 */
#ifndef SC_QUERY_SUGGESTED_H
#define SC_QUERY_SUGGESTED_H

#include "base/memory.h"
#include "data/value/schema.h"
#include "query/answer/by_keys.h"
#include "query/language/extent.h"
#include "scrim/suggestion.h"

#define SC_SUGGESTED_COLUMNS 16
#define SC_SUGGESTED_QUANTITIES (2 + 3 * SC_SUGGESTED_COLUMNS)
#define SC_SUGGESTED_MOST 1000000

typedef enum sc_suggested_kind {
    SC_SUGGESTED_GROUPS = 1,
    SC_SUGGESTED_ROWS,
    SC_SUGGESTED_LARGEST,
    SC_SUGGESTED_SMALLEST,
    SC_SUGGESTED_VALUE
} sc_suggested_kind;

typedef struct sc_suggested_quantity {
    sc_suggested_kind kind;
    const sc_column *column; /* NULL: of rows */
    size_t statement, first; /* where its quantiles stand among the outputs */
    size_t number;           /* among the quantities of its statement */
    uint64_t choices;        /* values that a quantile is chosen from */
} sc_suggested_quantity;

typedef struct sc_suggested {
    const sc_schema *schema;
    const sc_column *columns[SC_SUGGESTED_COLUMNS];
    size_t column_count;
    sc_by_keys by;
    uint64_t keys; /* groups there can be; 1 without keys, 0: not known */
    sc_suggested_quantity quantities[SC_SUGGESTED_QUANTITIES];
    size_t count;
    const char *queries[2];
    size_t query_count;
} sc_suggested;

/* The quantiles of a quantity, in increasing order; returns how many. */
size_t sc_suggested_ps(sc_suggested_kind kind, const char *const **out);

/* The step of a column's grid. */
sc_value_step sc_suggested_step(const sc_column *column);

/* Where the totals of a quantity are chosen from less than 10^6 rows can add: the end of that range, in
 * steps. */
bool sc_suggested_cut(sc_suggested_kind kind, const sc_column *column, int64_t *end);

/* Sets all but the schema, which lives as long. columns is a list of names, by one of keys (by_keys.h);
 * NULL: none. All in the arena, but for these texts. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; of by
 * as sc_by_keys_read. */
SCRIM_MUST_USE scrim_status sc_suggested_read(sc_suggested *s, const char *columns,
                                              const char *by, sc_arena *arena,
                                              scrim_error *error);

#endif
