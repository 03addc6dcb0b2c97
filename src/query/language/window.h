/* Windows of a column: a public division of its declared range, and a query of one of them.
 *
 * Claim  window.disjoint   no two windows share a value of the column's grid; of a range that is
 *                          divided every value is in one
 * Claim  window.filter     the query of a window is the query with one more condition of a row, and
 *                          all else as it was
 */
#ifndef SC_QUERY_WINDOW_H
#define SC_QUERY_WINDOW_H

#include "data/value/schema.h"
#include "query/language/refusal.h"

/* Beyond this many a series is SCRIM_E_LIMIT. */
#define SC_WINDOWS 4096

/* Both ends are in it; texts of values of the column. */
typedef struct sc_window {
    sc_text low, high;
} sc_window;

typedef struct sc_windows {
    const sc_column *column;
    sc_window *list;
    size_t count;
    bool is_partial; /* values below the first are in none */
} sc_windows;

/* "speech", divided into count windows, or "speech=1,1000,5000", the starts of windows in order, or "day=month" (week,
 * quarter, year), the calendar's, of which the first and the last may be a part. Of the last two there are count, or
 * with a count of 0 any number. In the arena. SCRIM_E_PARAM,
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_windows_parse(sc_text text, const sc_schema *schema,
                                             uint64_t count, sc_arena *arena,
                                             sc_windows *out, scrim_error *error);

/* The text of the query with the condition that column lies in window; terminated, in the arena.
 * Whatever fails, there is no text without that condition: a release of all rows would be charged
 * as one of a window. SCRIM_E_SYNTAX and SCRIM_E_POLICY for what is no query, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_window_query(sc_text query, sc_text column, bool is_date,
                                            const sc_window *window, sc_arena *arena,
                                            const char **out, scrim_error *error);

#endif
