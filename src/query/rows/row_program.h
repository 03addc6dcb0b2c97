/* The values that a statement computes of rows: its condition, its keys and its values, some rows at a time.
 *
 * A column as it stands is handed on and not copied. Where the one key is a column of text, keys are
 * its texts, with the hashes that the source has made: the tuple (key_tuple.h) but for its end.
 *
 * Claim  row-program.rows  the rows that it makes have what the query says of them: where is not 1 for
 *                          those that do not count, whose columns with public keys hold
 *                          something else among them where other keys are discovered
 */
#ifndef SC_QUERY_ROW_PROGRAM_H
#define SC_QUERY_ROW_PROGRAM_H

#include "data/source/batch.h"
#include "query/rows/expression.h"
#include "query/rows/key_tuple.h"
#include "query/rows/statistic.h"

typedef struct sc_row_program sc_row_program;

/* columns are the places in the schema of those that batches bring, in their order. All in the
 * arena; query and statistics must live as long. SCRIM_E_INTERNAL for a column that is not among
 * them, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status
sc_row_program_compile(const sc_query *query, const sc_statistics *statistics,
                       bool has_public_keys, const size_t *columns, size_t column_count,
                       sc_arena *arena, const sc_row_program **out, scrim_error *error);
/* Is the one key a column of text? */
bool sc_row_program_is_text(const sc_row_program *program);

/* The memory of one thread, used again for every block: in the arena but for key_rows. */
typedef struct sc_row_bench {
    int64_t *where, *where_scratch;
    int64_t **key_values, **key_scratch;
    sc_text **key_texts; /* of keys that are computed texts, and the bytes of these */
    char **key_bytes;
    int64_t **values, **value_scratch;
    sc_key_column *key_columns;
    const int64_t **value_columns;
    sc_row_column *columns;
    sc_key_rows key_rows;
} sc_row_bench;

/* False without memory. */
bool sc_row_bench_init(sc_row_bench *bench, const sc_row_program *program,
                       sc_arena *arena);
void sc_row_bench_clear(sc_row_bench *bench); /* also for zeros */

/* At most SC_EXPRESSION_ROWS rows of a batch, from one on. out is good until the next call.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_row_program_run(const sc_row_program *program,
                                               sc_row_bench *bench, const sc_batch *batch,
                                               size_t from, size_t count,
                                               const sc_value_key *hash_key,
                                               sc_group_rows *out, scrim_error *error);

#endif
