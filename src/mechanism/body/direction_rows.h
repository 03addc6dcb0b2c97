/* Rows of several coordinates, each in 32 bits, as projections read them: blocks of rows, column by column. They are private.
 *
 * A row in which a coordinate is missing is not stored, only counted: it lies at the lower end of every direction.
 *
 * Claim  direction-rows.clamped  a coordinate is stored as the nearest integer from 0 to its extent; a row with a missing one is
 *                                counted and never dropped
 */
#ifndef SC_MECHANISM_BODY_DIRECTION_ROWS_H
#define SC_MECHANISM_BODY_DIRECTION_ROWS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of a block: those of ten coordinates stay in the nearest cache. */
#define SC_DIRECTION_BLOCK ((size_t)512)
#define SC_DIRECTION_MISSING INT64_MIN

typedef struct sc_direction_block {
    int32_t *columns; /* SC_DIRECTION_BLOCK numbers of each coordinate */
    size_t count;     /* of rows; numbers behind them are 0 */
} sc_direction_block;

typedef struct sc_direction_rows {
    size_t dimension;
    sc_direction_block *blocks;
    size_t block_count, capacity;
    size_t complete, missing; /* rows */
} sc_direction_rows;

/* {.dimension = d} has no rows. Adds so many copies of a row; each coordinate is clamped to its extent, below 2^31.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_direction_rows_add(sc_direction_rows *rows,
                                                  const int64_t *row,
                                                  const int64_t *extents, uint64_t copies,
                                                  scrim_error *error);
/* Moves all rows of from, which has none afterwards. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_direction_rows_join(sc_direction_rows *rows,
                                                   sc_direction_rows *from,
                                                   scrim_error *error);
void sc_direction_rows_clear(sc_direction_rows *rows); /* wipes; also of zeros */

/* All of them, missing ones among them. */
static inline size_t sc_direction_rows_count(const sc_direction_rows *rows)
{
    return rows->complete + rows->missing;
}

/* What so many complete rows take. */
size_t sc_direction_rows_bytes(size_t dimension, size_t rows);

#endif
