/* Computes the expressions of a statement on rows, a block at a time: its condition, its keys and its values.
 *
 * Plain columns are passed on without a copy. If the only key is a column of text, its texts
 * are the keys, with the hashes that the source has made: they are key tuples (key_tuple.h) without the terminator.
 *
 * A value of text is its keyed hash (SC_TEXT_TOKEN_MAX), and NULL where it is NULL.
 *
 * Claim  row-program.rows  keys and values are those of the query; `where` is 1 only for rows that count. If some keys are
 *                          discovered, a row with an unlisted value in a column with public keys does not count
 */
#ifndef SC_QUERY_ROW_PROGRAM_H
#define SC_QUERY_ROW_PROGRAM_H

#include "data/source/batch.h"
#include "query/rows/expression.h"
#include "query/rows/key_tuple.h"
#include "query/rows/statistic.h"

typedef struct sc_row_program sc_row_program;

/* A program to compile. The query, the statistics and the columns must live as long as the program. */
typedef struct sc_row_plan {
    const sc_query *query;
    const sc_statistics *statistics;
    const size_t
        *columns; /* places in the schema of the columns of a batch, in their order */
    size_t column_count;
    bool has_public_keys;
} sc_row_plan;

/* In the arena. SCRIM_E_INTERNAL for a column that no batch has, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_row_program_compile(const sc_row_plan *plan,
                                                   sc_arena *arena,
                                                   const sc_row_program **out,
                                                   scrim_error *error);
/* Is the one key a column of text? */
bool sc_row_program_is_text(const sc_row_program *program);

/* The memory of one thread, reused for every block. It is in the arena, except key_rows. */
typedef struct sc_row_workspace {
    int64_t *where, *where_scratch;
    int64_t **key_values, **key_scratch;
    sc_text **key_texts; /* keys that are computed texts, and their bytes */
    char **key_bytes;
    int64_t **values, **value_scratch;
    sc_text *value_texts; /* one value's, before they are hashed, and their bytes */
    char *value_bytes;
    sc_key_column *key_columns;
    const int64_t **value_columns;
    sc_row_column *columns;
    sc_key_rows key_rows;
} sc_row_workspace;

/* False without memory. */
bool sc_row_workspace_init(sc_row_workspace *space, const sc_row_program *program,
                           sc_arena *arena);
void sc_row_workspace_clear(sc_row_workspace *space); /* also for zeros */

/* Computes `count` rows of a batch, at most SC_EXPRESSION_ROWS, from row `from` on. out is valid until the next call.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_row_program_run(const sc_row_program *program,
                                               sc_row_workspace *space,
                                               const sc_batch *batch, size_t from,
                                               size_t count, const sc_value_key *hash_key,
                                               sc_group_rows *out, scrim_error *error);

#endif
