/* Texts that are computed from rows, one row at a time: what is kept of them is a number, their length or
 * whether they match, but for keys. So there need be room for the texts of one row alone.
 *
 * Claim  text-value.total  whatever columns hold, a text is there or NULL, no longer than a cell may be
 */
#ifndef SC_QUERY_TEXT_VALUE_H
#define SC_QUERY_TEXT_VALUE_H

#include "query/language/key_text.h"

/* Rows computed at a time. */
#define SC_EXPRESSION_ROWS 1024

/* A column of some rows: values, or for one of text texts. */
typedef struct sc_row_column {
    const int64_t *values;
    const sc_text *texts;
} sc_row_column;

/* Where integers are: in a column, or in a block of SC_EXPRESSION_ROWS of them in scratch memory. */
typedef struct sc_value_place {
    bool is_column;
    size_t index;
} sc_value_place;

typedef struct sc_text_value sc_text_value;
struct sc_text_value {
    const sc_typed *typed;
    size_t column;               /* of SC_OP_COLUMN: among those of the rows */
    const sc_text_value **parts; /* as many as typed has; NULL for one of integers, */
    sc_value_place *places; /* which is here: a condition, the place on a list, a key */
    size_t room;            /* where it is written, if it is */
};

/* The rows that texts are computed from. */
typedef struct sc_text_rows {
    const sc_row_column *columns;
    const int64_t *scratch;
    char *rooms; /* SC_TEXT_RESULT_BYTES each */
} sc_text_rows;

/* Is what typed makes written to a room of its own, and not a view of another text? */
bool sc_text_value_is_written(const sc_typed *typed);
/* The text of a row, or NULL (value.h), for as long as no other row is asked for. */
sc_text sc_text_value_at(const sc_text_value *value, const sc_text_rows *rows,
                         size_t row);

#endif
