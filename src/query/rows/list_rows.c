#include "query/rows/list_rows.h"

#include "query/rows/text_value.h"

#include <string.h>

static const sc_text nothing = {
    "                ", 0}; /* no bytes; readers may look at the padding behind a text */
_Static_assert(SC_FIELD_PADDING <= 16, "the padding of nothing");

bool sc_list_rows_init(sc_list_rows *rows, const sc_unnest *unnest, const size_t *columns,
                       size_t column_count, sc_arena *arena)
{
    const size_t count = SC_EXPRESSION_ROWS;
    *rows = (sc_list_rows){.unnest = unnest, .column_count = column_count};
    while (rows->place < column_count && columns[rows->place] != unnest->list)
        rows->place++;
    rows->batch.columns =
        sc_arena_allocate(arena, column_count + 1, sizeof *rows->batch.columns);
    rows->found = sc_arena_allocate(arena, unnest->limit * count, sizeof *rows->found);
    rows->next = sc_arena_allocate(arena, count, sizeof *rows->next);
    rows->where = sc_arena_allocate(arena, count, sizeof *rows->where);
    uint64_t *hashes = sc_arena_allocate(arena, count, sizeof *hashes);
    if (rows->batch.columns == NULL || rows->found == NULL || rows->next == NULL ||
        rows->where == NULL || hashes == NULL)
        return false;
    rows->batch.columns[column_count].hashes = hashes;
    return true;
}

static sc_batch_column column_from(const sc_batch_column *column, size_t from)
{
    return (sc_batch_column){column->values == NULL ? NULL : column->values + from,
                             column->texts == NULL ? NULL : column->texts + from,
                             column->hashes == NULL ? NULL : column->hashes + from};
}

void sc_list_rows_begin(sc_list_rows *rows, const sc_batch *batch, size_t from,
                        size_t count)
{
    rows->turn = 0;
    rows->batch.rows = count;
    rows->batch.sequence = batch->sequence;
    rows->batch.unit = column_from(&batch->unit, from);
    for (size_t i = 0; i < rows->column_count; i++)
        rows->batch.columns[i] = column_from(&batch->columns[i], from);
    memset(rows->next, 0, count * sizeof *rows->next);
}

/* Takes the text up to the next separator off the front of a list. */
static sc_text take_text(const sc_unnest *unnest, sc_text list, size_t *next)
{
    const sc_text separator = unnest->separator;
    size_t end = *next;
    while (end + separator.bytes <= list.bytes &&
           memcmp(list.start + end, separator.start, separator.bytes) != 0)
        end++;
    const bool is_last = end + separator.bytes > list.bytes;
    const sc_text text = {list.start + *next, (is_last ? list.bytes : end) - *next};
    *next = is_last ? SIZE_MAX : end + separator.bytes;
    return text;
}

static bool is_new(const sc_list_rows *rows, size_t row, sc_text text)
{
    bool is = text.bytes > 0;
    for (size_t i = 0; i < rows->turn; i++)
        is &= !sc_text_equal(rows->found[i * SC_EXPRESSION_ROWS + row], text);
    return is;
}

/* The next element of a row that it does not have already; no text after the last. */
static sc_text take_element(sc_list_rows *rows, size_t row)
{
    const sc_text list = rows->batch.columns[rows->place].texts[row];
    size_t *next = &rows->next[row];
    if (sc_text_is_null(list))
        *next = SIZE_MAX;
    while (*next != SIZE_MAX) {
        const sc_text text = take_text(rows->unnest, list, next);
        if (is_new(rows, row, text))
            return text;
    }
    return nothing;
}

void sc_list_rows_next(sc_list_rows *rows, const sc_value_key *key)
{
    sc_text *found = rows->found + rows->turn * SC_EXPRESSION_ROWS;
    sc_batch_column *element = &rows->batch.columns[rows->column_count];
    for (size_t i = 0; i < rows->batch.rows; i++) {
        found[i] = take_element(rows, i);
        element->hashes[i] = sc_value_hash(key, found[i]);
        rows->where[i] = found[i].bytes > 0;
    }
    element->texts = found;
    rows->turn++;
}

void sc_list_rows_select(sc_list_rows *rows, sc_group_rows *made)
{
    for (size_t i = 0; made->where != NULL && i < made->count; i++)
        rows->where[i] &= made->where[i] == 1;
    made->where = rows->where;
}
