/* Rows of the elements of a list, made of a block of rows of the table (unnest.h): one turn for each
 * element that a row may have, in which every row of the block is there, with its next element or as
 * one that does not count.
 *
 * Claim  list-rows.elements  over all turns a row comes with each of its first different elements
 *                            once, as far as they are used, and otherwise does not count; texts
 *                            between separators that are empty are no elements
 */
#ifndef SC_QUERY_LIST_ROWS_H
#define SC_QUERY_LIST_ROWS_H

#include "data/source/batch.h"
#include "query/language/unnest.h"
#include "query/rows/group_plan.h"

/* The memory of one thread, used again for every block: in the arena. */
typedef struct sc_list_rows {
    const sc_unnest *unnest;
    size_t place;        /* of the list among the columns of a batch */
    size_t column_count; /* of a batch, without the element's */
    size_t turn;         /* of the block */
    sc_batch batch;      /* the block in this turn; the last column is the element's */
    sc_text *found;      /* by turn and row */
    size_t *next;        /* by row: where the rest of its list begins */
    int64_t *where;      /* by row */
} sc_list_rows;

/* columns are the places in the table's schema of those that batches bring. False without memory. */
bool sc_list_rows_init(sc_list_rows *rows, const sc_unnest *unnest, const size_t *columns,
                       size_t column_count, sc_arena *arena);
/* Begins a block of at most SC_EXPRESSION_ROWS rows of a batch. */
void sc_list_rows_begin(sc_list_rows *rows, const sc_batch *batch, size_t from,
                        size_t count);
/* The next turn, of as many as elements are used; hashes are under the key. */
void sc_list_rows_next(sc_list_rows *rows, const sc_value_key *key);
/* Rows of this turn that were computed from the batch: those without an element do not count. */
void sc_list_rows_select(sc_list_rows *rows, sc_group_rows *made);

#endif
