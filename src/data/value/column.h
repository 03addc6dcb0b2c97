/* One column as the owner has declared it: its type with the public range, what stands for a
 * missing value, its public keys.
 *
 *     int[0,120]   decimal[0,100000]   decimal[-1,1]/2^-10   date[2020-01-01,2020-12-31]   bool   text
 *     timestamp[2020-01-01,2020-12-31 23:59:59]   timestamp[2020-01-01 00:00,2020-12-31 23:00]/3600
 *
 * A type is declared, never inferred. Its values are integers: steps of the column's grid, days, so
 * many seconds from 1970 UTC, 0 and 1; those of a text column are bytes.
 *
 * Claim  column.exact  ranges, defaults and keys are exact multiples of the column's step, within
 *                      2^62 steps; a range is never empty
 */
#ifndef SC_DATA_COLUMN_H
#define SC_DATA_COLUMN_H

#include "base/memory.h"
#include "data/value/cell_form.h"
#include "data/value/zone.h"
#include "model/grid.h"

#define SC_COLUMN_NAME_BYTES 128
#define SC_COLUMN_STEP_MAX 86400
#define SC_COLUMN_KEYS (1 << 22)
/* The longest value that is read: a longer one, of any type, is unreadable. */
#define SC_COLUMN_VALUE_BYTES 4096

typedef enum sc_column_type {
    SC_COLUMN_INT = 1, /* the step is 1 */
    SC_COLUMN_DECIMAL,
    SC_COLUMN_DATE,     /* days from 1970-01-01 */
    SC_COLUMN_BOOL,     /* 0 and 1 */
    SC_COLUMN_TEXT,     /* UTF-8 without NUL, compared as bytes; it has no grid */
    SC_COLUMN_TIMESTAMP /* steps of whole seconds from 1970 UTC */
} sc_column_type;

/* A public key: its text, and for other types than text its place on the grid. The text of a
 * number is the shortest, of a date YYYY-MM-DD, of a timestamp moment.h, of a bool true or false. */
typedef struct sc_column_key {
    sc_text text;
    int64_t value;
} sc_column_key;

typedef struct sc_column {
    sc_text name;
    sc_column_type type;
    sc_grid grid; /* grid.missing has a meaning when has_missing */
    bool
        has_missing; /* a default: the column is NOT NULL; else a missing value is NULL */
    sc_text missing; /* of a text column */
    /* One unit's sum of it in a group is clamped to total_low <= 0 <= total_high, in steps, where has_total. */
    bool has_total;
    int64_t total_low, total_high;
    bool has_keys;       /* else groups are discovered */
    size_t key_count;    /* at least 1 when has_keys */
    sc_column_key *keys; /* distinct, in bytewise order of their texts */

    const sc_cell_form *form; /* of its cells; NULL: the plain one */
    int64_t step;             /* of a timestamp: seconds */
    const sc_zone *zone;      /* of a timestamp */
} sc_column;

/* Reads a type into column, which keeps its name, form and zone. SCRIM_E_PARAM or SCRIM_E_LIMIT; the message
 * says what is legal. */
SCRIM_MUST_USE scrim_status sc_column_set_type(sc_column *column, sc_text type,
                                               scrim_error *error);
/* Reads the default. A text column copies it into arena. */
SCRIM_MUST_USE scrim_status sc_column_set_missing(sc_column *column, sc_text value,
                                                  sc_arena *arena, scrim_error *error);
/* Reads a bound of one unit's total: one number B for -B to B, or "LOW,HIGH" that holds 0; both are cut at
 * 0 on a side where the column has no values. */
SCRIM_MUST_USE scrim_status sc_column_set_total(sc_column *column, sc_text value,
                                                scrim_error *error);
/* Reads a list of keys: separated by commas, one that holds a comma between double quotes; or, as
 * lines, one a line with blank ones passed over. They live in arena. */
SCRIM_MUST_USE scrim_status sc_column_set_keys(sc_column *column, sc_text list,
                                               bool as_lines, sc_arena *arena,
                                               scrim_error *error);

/* Is it a legal name: 1 to SC_COLUMN_NAME_BYTES of visible UTF-8 without '=', no blank at an
 * end? */
bool sc_column_is_name(sc_text name);
/* Is it a legal value of a text column: 1 to SC_COLUMN_VALUE_BYTES of UTF-8 without NUL? */
bool sc_column_is_text(sc_text value);

/* Writes the text of a value of a column that has a grid; returns the length it needs, as
 * snprintf does. SC_COLUMN_TEXT_BYTES is always enough. */
#define SC_COLUMN_TEXT_BYTES SC_RATIO_TEXT_BYTES
size_t sc_column_format(const sc_column *column, int64_t value, char *text,
                        size_t capacity);

#endif
