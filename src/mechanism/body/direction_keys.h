/* Private rows and their places in each direction. Rows of several coordinates, each in 32 bits, as
 * projections read them: blocks of rows, column by column. They are private.
 *
 * A row in which a coordinate is missing is not stored, only counted: it lies at the lower end of every direction.
 *
 * Claim  direction-rows.clamped  a coordinate is stored as the nearest integer from 0 to its extent; a row with a missing one is
 *                                counted and never dropped
 */
#ifndef SC_MECHANISM_BODY_DIRECTION_KEYS_H
#define SC_MECHANISM_BODY_DIRECTION_KEYS_H

#include "base/status.h"
#include "mechanism/body/directions.h"

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

/* {.dimension = d} has no rows. Adds `copies` copies of a row; each coordinate is clamped to its
 * extent, below 2^31.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_direction_rows_add(sc_direction_rows *rows,
                                                  const int64_t *row,
                                                  const int64_t *extents, uint64_t copies,
                                                  scrim_error *error);
/* Moves all rows of from, which is empty afterwards. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_direction_rows_join(sc_direction_rows *rows,
                                                   sc_direction_rows *from,
                                                   scrim_error *error);
void sc_direction_rows_clear(sc_direction_rows *rows); /* wipes; also of zeros */

/* All of them, missing ones among them. */
static inline size_t sc_direction_rows_count(const sc_direction_rows *rows)
{
    return rows->complete + rows->missing;
}

/* The bytes that `rows` complete rows take. */
size_t sc_direction_rows_bytes(size_t dimension, size_t rows);

/* Rows of several numbers to their places in a direction: exact integers, a function of one row and public numbers.
 *
 * A coordinate is an integer c_j from 0 to its extent, at most 2^24. Along a direction a, in units of 2^-30, the row
 * lies at P = sum a_j c_j, an exact integer below 2^57 in size; lo and hi are the least and the largest P that the
 * extents allow. Cells have a width of 2^shift, the least that leaves at most this many of them and is not finer than the
 * places that there are:
 *
 *     key = floor((P - lo)/2^shift + 1/2), from 0 to last
 *
 * so that a cell stands for origin + key 2^shift, origin = lo. A direction that is the negative of one before it has the keys
 * of that one, counted from the other end: last - key, origin = -(lo + last 2^shift).
 *
 * A row in which a number is missing has key 0 in every direction: it is not left out, as that would change how many rows
 * there are.
 *
 * Claim  direction-keys.exact    keys are those of exact arithmetic, for every row in the extents
 * Claim  direction-keys.own-row  a key depends on its row alone: rows that are changed, added or taken away change no other
 * Claim  direction-keys.same     the implementation with vectors gives the keys of the plain one
 * Time   2 n d m operations for m directions, on all workers; it does not depend on the rows but by how many there are
 *
 * Reference  spec/floating-body.md 3
 */

#define SC_DIRECTION_EXTENT ((int64_t)1 << 24)
/* The most cells of a direction. */
#define SC_DIRECTION_CELLS ((uint64_t)1000000000000)

typedef struct sc_direction_axis {
    sc_int128 origin; /* in units of 2^-30 of a coordinate's */
    int64_t low;      /* lo of the direction, or of the one that it mirrors */
    unsigned shift;
    uint64_t last; /* keys are from 0 to last */
} sc_direction_axis;

typedef struct sc_direction_keys {
    const sc_directions *directions;
    int64_t extents[SC_DIRECTION_DIMENSIONS];
    sc_direction_axis *axes; /* by direction */
} sc_direction_keys;

/* extents are from 1 to SC_DIRECTION_EXTENT, by coordinate; cells from 1 to SC_DIRECTION_CELLS. The directions are borrowed.
 * SCRIM_E_PARAM for a direction of zeros, or cells out of range; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_direction_keys_init(sc_direction_keys *projection,
                                                   const sc_directions *directions,
                                                   const int64_t *extents, uint64_t cells,
                                                   scrim_error *error);
void sc_direction_keys_clear(sc_direction_keys *projection); /* also of zeros */

/* The key of one row: dimension numbers, each clamped to its extent, or SC_DIRECTION_MISSING. */
int64_t sc_direction_key(const sc_direction_keys *projection, const int64_t *row,
                         size_t direction);

/* The keys of many rows in some directions at once: those that mirror one another share their sums. keys[i] has the keys in the
 * direction which[i], first of the complete rows in the order of their blocks, then 0 for each that has a number missing. */
#define SC_DIRECTION_AT_ONCE 64
typedef struct sc_direction_task {
    const sc_direction_rows *rows;
    const size_t *which;
    size_t which_count; /* at most SC_DIRECTION_AT_ONCE */
    int64_t **keys;
    unsigned workers; /* from 1 on */
} sc_direction_task;
SCRIM_MUST_USE scrim_status sc_direction_keys_run(const sc_direction_keys *projection,
                                                  const sc_direction_task *task,
                                                  scrim_error *error);

/* The same without the processor's wider registers: the reference, for tests. */
SCRIM_MUST_USE scrim_status sc_direction_keys_plain(const sc_direction_keys *projection,
                                                    const sc_direction_task *task,
                                                    scrim_error *error);

#endif
