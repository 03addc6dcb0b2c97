/* Converts values of an Arrow array to those of a declared column, exactly as their texts in a CSV file would be
 * (field.h, batch.h). Numbers, dates and booleans are converted directly, without making the text.
 *
 * Claim  arrow-cell.same  a value becomes what its text becomes: clamped and rounded alike, or missing alike
 */
#ifndef SC_DATA_ARROW_CELL_H
#define SC_DATA_ARROW_CELL_H

#include "data/source/arrow_array.h"
#include "data/source/batch.h"
#include "data/source/source.h"
#include "data/value/number_text.h"

/* Where values go. */
typedef struct sc_arrow_target {
    sc_batch_filler filler;
    const sc_column *column; /* NULL: the unit */
    const sc_cell_form *form;
    char *texts; /* sc_arrow_text_bytes for each row, where numbers become texts */
} sc_arrow_target;

/* The bytes of room that the text of a value takes, if the column (NULL: the unit) needs texts of such values; else 0. After the room
 * of the last row SC_FIELD_PADDING more bytes must be readable. */
size_t sc_arrow_text_bytes(const sc_arrow_type *type, const sc_column *column);
/* Puts count rows of the array, from `from` on, to the target's rows from 0 on. */
void sc_arrow_put_rows(const sc_arrow_array *array, size_t from, size_t count,
                       const sc_arrow_target *target);
/* Puts one. */
void sc_arrow_put_row(const sc_arrow_array *array, size_t row,
                      const sc_arrow_target *target, size_t at);
void sc_arrow_put_missing(const sc_arrow_target *target, size_t at);

/* Bytes for the text of any value, with padding. */
#define SC_ARROW_RAW_BYTES (SC_NUMBER_TEXT_BYTES + SC_FIELD_PADDING)
/* A raw value, for 'dataset check': a text of the source, or the text of another value, written into room. column
 * is NULL for the unit. A text that points outside of its buffer counts as too long. */
void sc_arrow_raw(const sc_arrow_array *array, size_t row, const sc_column *column,
                  const sc_cell_form *form, char room[SC_ARROW_RAW_BYTES],
                  sc_raw_value *out);

#endif
