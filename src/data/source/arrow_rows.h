/* Batches of Arrow's C data interface as batches of rows (data/source/batch.h).
 *
 *     sc_arrow_rows_new(schema, &request, workers, &rows, &error);       // refuses types, takes memory
 *     sc_arrow_rows_open(rows, array, &error);                           // refuses a batch
 *     for (size_t i = 0; i < sc_arrow_rows_blocks(rows); i++)            // by any worker, in any order
 *         sc_arrow_rows_block(rows, worker, i, &batch, &error);
 *     sc_arrow_rows_close(rows);
 *
 * Claim  arrow-rows.same     the rows are those of a CSV file with the texts of the values
 * Claim  arrow-rows.refused  a column that is missing, is there twice or has a type that it cannot have, and a
 *                            batch that contradicts its schema, are refused; no value of a row is
 */
#ifndef SC_DATA_ARROW_ROWS_H
#define SC_DATA_ARROW_ROWS_H

#include "data/source/arrow_cell.h"
#include "data/source/source.h"
#include "scrim/feed.h"

typedef struct sc_arrow_rows sc_arrow_rows;

/* The most rows of a block. */
#define SC_ARROW_BLOCK_ROWS 4096

/* For the columns of the request and the unit, which must be children of the schema. The
 * request is copied but for its schema; the rows' own schema is not used once it returns. SCRIM_E_INPUT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_arrow_rows_new(const struct ArrowSchema *schema,
                                              const sc_batch_request *request,
                                              unsigned workers, sc_arrow_rows **out,
                                              scrim_error *error);
void sc_arrow_rows_free(sc_arrow_rows *rows); /* NULL is allowed */

/* Looks at the structure of a batch, which is borrowed until it is closed. SCRIM_E_INPUT when it is
 * not that of the schema, SCRIM_E_MEMORY; then there is nothing to be closed. */
SCRIM_MUST_USE scrim_status sc_arrow_rows_open(sc_arrow_rows *rows,
                                               const struct ArrowArray *array,
                                               scrim_error *error);
void sc_arrow_rows_close(sc_arrow_rows *rows);
size_t sc_arrow_rows_blocks(const sc_arrow_rows *rows);
/* The rows of a block, which stay until the worker's next one. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_arrow_rows_block(sc_arrow_rows *rows, unsigned worker,
                                                size_t block, const sc_batch **out,
                                                scrim_error *error);
/* How many rows a block has. */
size_t sc_arrow_rows_count(const sc_arrow_rows *rows, size_t block);
/* A raw value of a block, by the place of its column in the request; the unit comes last. It may point into room, and into the batch
 * that is open. */
void sc_arrow_rows_raw(const sc_arrow_rows *rows, size_t block, size_t row, size_t place,
                       char room[SC_ARROW_RAW_BYTES], sc_raw_value *out);

#endif
