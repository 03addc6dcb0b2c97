#include "query/pass/pass_size.h"

#include "query/question/bar_grid.h"

#ifdef SCRIM_TESTING
#include "query/pass/pass_tape.h"
size_t sc_pass_most_keys;
#endif

/* The least class: all sources that are smaller, or of a size that is not known, as streams are. */
#define CLASS_LEAST ((size_t)1 << 16)
#define CLASS_STREAM ((size_t)1 << 30)
/* What a key takes: cells for its entry and its place, and some bytes of text. A row with a key has
 * more bytes in its source. */
#define KEY_CELLS 10
#define KEY_BYTES 32
#define KEYS_LEAST 256
#define KEY_SOURCE_BYTES 4
/* How many times its source the rows of units may take; what is noted of a row beside the values of
 * lists, and the least that a usual one has in its source. */
#define ROWS_TIMES 4
#define NOTE_BYTES 16
#define NOTE_SOURCE_BYTES 8
/* At least so much is reserved of a file where rows can take it, or so many times the source. */
#define FILE_BYTES ((uint64_t)1 << 30)
#define FILE_TIMES 16

sc_pass_size sc_pass_size_of(const sc_source_stamp *stamp, size_t column_count)
{
    sc_pass_size size = {CLASS_LEAST, stamp->is_file, column_count};
    if (!stamp->is_file)
        size.class = CLASS_STREAM;
    else
        while (size.class < stamp->bytes && size.class <= SIZE_MAX / 4)
            size.class *= 2;
    return size;
}

sc_pass_size sc_pass_size_expanded(const sc_pass_size *size, const sc_unnest *unnest)
{
    sc_pass_size out = *size;
    for (uint64_t rows = 1; unnest != NULL && rows < unnest->limit; rows *= 2)
        out.class = out.class > SIZE_MAX / 4 ? out.class : 2 * out.class;
    return out;
}

size_t sc_pass_size_rows(const sc_pass_size *size)
{
    return size->class / (size->column_count + 1);
}

size_t sc_pass_size_memory(const sc_pass_size *size, size_t asked)
{
    return size->class < asked / ROWS_TIMES ? ROWS_TIMES * size->class : asked;
}

uint64_t sc_pass_size_file(const sc_pass_size *size)
{
    const uint64_t much = FILE_TIMES * (uint64_t)size->class;
    return size->is_file && much > FILE_BYTES ? much : FILE_BYTES;
}

size_t sc_pass_size_lists(const sc_pass_size *size, const sc_statistics *statistics,
                          const int64_t *bar_widths)
{
    size_t lists = 0;
    for (size_t i = 0; i < statistics->value_count; i++)
        lists +=
            statistics->groups[i].has_list && (bar_widths == NULL || bar_widths[i] == 0);
    if (lists == 0)
        return 0;
    const sc_uint128 row = (sc_uint128)3 * (NOTE_BYTES + lists * sizeof(int64_t)),
                     bytes = row * sc_pass_size_rows(size),
                     usual = row * size->class / NOTE_SOURCE_BYTES,
                     most = usual > SC_GROUP_MEMORY_BYTES ? usual : SC_GROUP_MEMORY_BYTES;
    const sc_uint128 needed = bytes < most ? bytes : most;
    return needed < SIZE_MAX / 4 ? (size_t)needed : SIZE_MAX / 4;
}

static size_t key_cells(const sc_group_value *values, size_t count)
{
    size_t cells = KEY_CELLS;
    for (size_t i = 0; i < count; i++) {
        const sc_group_value *value = &values[i];
        cells += (size_t)2 + value->is_nullable + value->has_total;
        if (value->bar_width > 0)
            cells +=
                (size_t)sc_bar_grid_of(value->low, value->high, value->bar_width).count;
    }
    return cells;
}

void sc_pass_size_keys(const sc_pass_size *size, size_t key_bytes, sc_group_plan *plan)
{
    const size_t cells = key_cells(plan->values, plan->value_count),
                 most = key_bytes / (cells * sizeof(sc_uint128)),
                 class = size->class / KEY_SOURCE_BYTES;
    plan->held_keys = most < KEYS_LEAST ? KEYS_LEAST : most < class ? most : class;
#ifdef SCRIM_TESTING
    if (sc_pass_most_keys != 0)
        plan->held_keys = sc_pass_most_keys;
#endif
    plan->held_bytes = plan->held_keys * KEY_BYTES;
}
