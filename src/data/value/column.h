/* Columns as the owner declares them, and the ways in which their cells may be written. */
#ifndef SC_DATA_COLUMN_H
#define SC_DATA_COLUMN_H

#include "base/memory.h"
#include "base/status.h"
#include "data/value/calendar.h"
#include "model/grid.h"

/* How the cells of a source are written, where the owner declares that it is not the plain way:
 *
 *     decimal=,               the mark in front of decimals; '.' if left out
 *     date-format=DD.MM.YYYY  calendar.h; YYYY-MM-DD if left out
 *     null=NA,NULL,-          texts that stand for a missing value; "a,b" is one with a comma in it
 *
 * Marks of thousands are not read: under decimal=, a cell with a point in it is no number, and so is
 * one with a comma under decimal=. (the plain way). The texts are compared byte by byte, with all of
 * a cell that is not quoted, before its type is looked at; they hold for ids as well.
 *
 * Ranges, defaults, keys and questions are written the plain way whatever is declared here.
 */

#define SC_CELL_FORM_NULLS 64

typedef struct sc_cell_form {
    char decimal;      /* '.' or ',' */
    sc_date_form date; /* empty: YYYY-MM-DD */
    sc_text *nulls;    /* distinct and not empty */
    size_t null_count;
    uint64_t null_lengths; /* bit n: one of them has n bytes; bit 63: or more */
} sc_cell_form;

/* The plain way. */
void sc_cell_form_init(sc_cell_form *form);

/* The value of each line. They live in arena. SCRIM_E_PARAM says what is legal; SCRIM_E_LIMIT for
 * more than SC_CELL_FORM_NULLS texts; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cell_form_set_decimal(sc_cell_form *form, sc_text value,
                                                     scrim_error *error);
SCRIM_MUST_USE scrim_status sc_cell_form_set_date(sc_cell_form *form, sc_text value,
                                                  scrim_error *error);
SCRIM_MUST_USE scrim_status sc_cell_form_set_nulls(sc_cell_form *form, sc_text list,
                                                   sc_arena *arena, scrim_error *error);

/* The text of a number with a point in front of its decimals, written to room if it has to be, which
 * has as many bytes. False when it has a point already and should not. */
bool sc_cell_form_point(const sc_cell_form *form, sc_text *text, char *room);

/* Is it one of the texts for a missing value? Use sc_cell_form_is_null, which looks at the length first. */
bool sc_cell_form_has_null(const sc_cell_form *form, sc_text text);

/* Does the text of a cell that is not quoted stand for a missing value? */
static inline bool sc_cell_form_is_null(const sc_cell_form *form, sc_text text)
{
    const size_t length = text.bytes < 63 ? text.bytes : 63;
    return __builtin_expect((form->null_lengths >> length & 1) != 0, 0) &&
           sc_cell_form_has_null(form, text);
}

/* One column as the owner has declared it: its type with the public range, what stands for a
 * missing value, its public keys.
 *
 *     int[0,120]   decimal[0,100000]   decimal[-1,1]/2^-10   date[2020-01-01,2020-12-31]   bool   text
 *     timestamp[2020-01-01,2020-12-31 23:59:59]   timestamp[2020-01-01 00:00,2020-12-31 23:00]/3600
 *
 * A type is declared, never inferred. Its values are integers: steps of the column's grid, days,
 * multiples of the declared seconds from 1970 UTC on, 0 and 1; those of a text column are bytes.
 *
 * Claim  column.exact  ranges, defaults and keys are exact multiples of the column's step, within
 *                      2^62 steps; a range is never empty
 */

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
 * number is the shortest, of a date YYYY-MM-DD, of a timestamp calendar.h, of a bool true or false. */
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

/* Reads a value that somebody writes down, for a column that has a grid: false unless it is exactly a value of
 * its grid and range. */
bool sc_column_read(const sc_column *column, sc_text text, int64_t *out);

/* Writes the text of a value of a column that has a grid; returns the length it needs, as
 * snprintf does. SC_COLUMN_TEXT_BYTES is always enough. */
#define SC_COLUMN_TEXT_BYTES SC_RATIO_TEXT_BYTES
size_t sc_column_format(const sc_column *column, int64_t value, char *text,
                        size_t capacity);

#endif
