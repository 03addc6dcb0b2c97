#include "query/rows/pass_size.h"

#include "data/value/source_kind.h"
#include "query/language/extent.h"

#ifdef SCRIM_TESTING
#include "query/rows/pass_tape.h"
size_t sc_pass_most_keys;
#endif

/* The size that is assumed for a stream. */
#define STREAM_BYTES ((size_t)1 << 30)
/* The least cell of a page of SQLite, with its pointer. */
#define SQLITE_ROW_BYTES 6
/* The room of a key: cells for its entry and its place, and some bytes of text. A row with a key has
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
/* Bytes that are reserved for the temporary file of rows: FILE_BYTES, or FILE_TIMES the declared
 * size of the source if that is more. */
#define FILE_BYTES ((uint64_t)1 << 30)
#define FILE_TIMES 16

static size_t end_bytes(const sc_schema *schema)
{
    return schema->csv.end == SC_RECORD_CRLF ? 2 : 1;
}

static bool is_text(const sc_schema *schema)
{
    return schema->source == NULL || schema->source == &sc_source_csv_kind;
}

/* A record with all its fields. */
static size_t formed_bytes(const sc_schema *schema)
{
    if (!is_text(schema))
        return schema->source->is_pushed ? (size_t)sc_schema_pushed_bytes(schema, 1)
                                         : SQLITE_ROW_BYTES;
    if (schema->unit.bytes > 0)
        return schema->column_count + 1 + end_bytes(schema);
    return (schema->column_count > 2 ? schema->column_count - 1 : 1) + end_bytes(schema);
}

/* Any record that counts. */
static size_t row_bytes(const sc_schema *schema)
{
    return is_text(schema) && schema->unit.bytes == 0 ? 1 + end_bytes(schema)
                                                      : formed_bytes(schema);
}

static bool has_default(const sc_schema *schema)
{
    for (size_t i = 0; i < schema->column_count; i++)
        if (schema->columns[i].has_missing)
            return true;
    return false;
}

static sc_pass_size of_bytes(const sc_schema *schema, size_t bytes)
{
    const size_t rows = bytes / row_bytes(schema);
    return (sc_pass_size){.bytes = bytes,
                          .rows = rows,
                          .formed =
                              has_default(schema) ? rows : bytes / formed_bytes(schema)};
}

sc_pass_size sc_pass_size_of(const sc_schema *schema)
{
    sc_pass_size size = of_bytes(schema, (size_t)schema->max_bytes);
    size.is_declared = true;
    return size;
}

sc_pass_size sc_pass_size_stream(const sc_schema *schema)
{
    return of_bytes(schema, STREAM_BYTES);
}

static size_t doubled(size_t size)
{
    return size > SIZE_MAX / 4 ? size : 2 * size;
}

sc_pass_size sc_pass_size_expanded(const sc_pass_size *size, const sc_unnest *unnest)
{
    sc_pass_size out = *size;
    for (uint64_t rows = 1; unnest != NULL && rows < unnest->limit; rows *= 2) {
        out.bytes = doubled(out.bytes);
        out.rows = doubled(out.rows);
        out.formed = doubled(out.formed);
    }
    return out;
}

size_t sc_pass_size_full_rows(const sc_pass_size *size, const sc_schema *schema,
                              const size_t *columns, size_t count)
{
    size_t present = 0;
    for (size_t i = 0; i < count; i++)
        present += !schema->columns[columns[i]].has_missing;
    if (!is_text(schema))
        return size->rows;
    /* A record of which nothing can be read has the defaults of all columns. */
    if (present == 0)
        return size->rows;
    return size->bytes / (formed_bytes(schema) + present);
}

size_t sc_pass_size_memory(const sc_pass_size *size, size_t asked)
{
    return size->bytes < asked / ROWS_TIMES ? ROWS_TIMES * size->bytes : asked;
}

uint64_t sc_pass_size_file(const sc_pass_size *size)
{
    const uint64_t much = FILE_TIMES * (uint64_t)size->bytes;
    return size->is_declared && much > FILE_BYTES ? much : FILE_BYTES;
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
                     bytes = row * size->rows,
                     usual = row * size->bytes / NOTE_SOURCE_BYTES,
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
                 all = size->bytes / KEY_SOURCE_BYTES;
    plan->held_keys = most < KEYS_LEAST ? KEYS_LEAST : most < all ? most : all;
#ifdef SCRIM_TESTING
    if (sc_pass_most_keys != 0 && plan->held_keys > sc_pass_most_keys)
        plan->held_keys = sc_pass_most_keys;
#endif
    plan->held_bytes = plan->held_keys * KEY_BYTES;
}
