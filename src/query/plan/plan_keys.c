#include "query/plan/plan_keys.h"

#include "query/pass/key_tuple.h"

#include <stdlib.h>

/* Readable bytes behind the last key, as hashing wants them. */
#define PADDING 16

/* The values of one key, in increasing order. */
typedef struct axis {
    sc_key_part *parts; /* NULL: all integers from low on */
    int64_t low;
    uint64_t count;
    bool has_null; /* the last one */
    bool is_text;
} axis;

static bool is_listed(const sc_query_key *key)
{
    return key->texts != NULL ||
           (key->column != NULL &&
            (key->column->has_keys || key->column->type == SC_COLUMN_BOOL));
}

bool sc_plan_key_is_range(const sc_query_key *key)
{
    return key->column != NULL && !key->column->has_keys &&
           (key->column->type == SC_COLUMN_INT || key->column->type == SC_COLUMN_DATE ||
            key->column->type == SC_COLUMN_TIMESTAMP) &&
           key->value_count <= SC_PLAN_RANGE_KEYS;
}

/* 0: not known, or of a range that is not used. */
static uint64_t count_of(const sc_query_key *key, bool discovers_ranges)
{
    uint64_t count = key->column == NULL || is_listed(key) ? key->value_count : 0;
    if (!discovers_ranges && sc_plan_key_is_range(key))
        count = key->value_count;
    if (key->column != NULL && key->column->has_keys)
        count = key->column->key_count;
    if (key->texts != NULL)
        count = key->text_count;
    return count == 0 ? 0 : count + key->is_nullable;
}

/* The combinations; 0 when groups are discovered. */
static uint64_t combinations(const sc_query *query, bool discovers_ranges)
{
    uint64_t most = SC_PLAN_LISTED_KEYS, product = 1;
    for (size_t i = 0; i < query->key_count; i++)
        if (!is_listed(&query->keys[i]))
            most = SC_PLAN_COMPUTED_KEYS;
    for (size_t i = 0; i < query->key_count; i++) {
        const uint64_t count = count_of(&query->keys[i], discovers_ranges);
        if (count == 0 || count > most / product)
            return 0;
        product *= count;
    }
    return product;
}

uint64_t sc_plan_key_count(const sc_query_key *key)
{
    return count_of(key, false);
}

uint64_t sc_plan_keys_count(const sc_query *query)
{
    return combinations(query, false);
}

static int compare_parts(const void *a, const void *b)
{
    const sc_key_part *x = a, *y = b;
    if (x->is_text)
        return sc_text_compare(x->text, y->text);
    return (x->value > y->value) - (x->value < y->value);
}

/* All values from the lowest on; those of truncated dates are not next to one another. */
static bool set_values(const sc_query_key *key, sc_arena *arena, axis *out)
{
    const sc_extent *extent = &key->value->extent;
    int64_t at = extent->low;
    out->low = at;
    if (key->value_count > (uint64_t)extent->high - (uint64_t)extent->low)
        return true;
    out->parts = sc_arena_allocate(arena, key->value_count, sizeof *out->parts);
    for (uint64_t i = 0; out->parts != NULL && i < key->value_count; i++) {
        out->parts[i] = (sc_key_part){.value = at};
        at = sc_typed_next_value(key->value, at);
    }
    return out->parts != NULL;
}

static bool set_axis(const sc_query_key *key, sc_arena *arena, axis *out)
{
    const sc_column *column = key->column;
    out->count = count_of(key, false);
    out->has_null = key->is_nullable;
    out->is_text = sc_typed_is_text(key->value);
    if (key->texts == NULL && (column == NULL || !column->has_keys))
        return set_values(key, arena, out);
    const size_t count = key->texts != NULL ? key->text_count : column->key_count;
    out->parts = sc_arena_allocate(arena, count, sizeof *out->parts);
    if (out->parts == NULL)
        return false;
    for (size_t i = 0; i < key->text_count; i++)
        out->parts[i] = (sc_key_part){.is_text = true, .text = key->texts[i]};
    if (key->texts != NULL)
        return true;
    for (size_t i = 0; i < column->key_count; i++)
        out->parts[i] = (sc_key_part){.is_text = column->type == SC_COLUMN_TEXT,
                                      .value = column->keys[i].value,
                                      .text = column->keys[i].text};
    qsort(out->parts, column->key_count, sizeof *out->parts, compare_parts);
    return true;
}

/* The combination of that number: the last key turns fastest. */
static void set_parts(const axis *axes, size_t count, uint64_t number, sc_key_part *parts)
{
    for (size_t i = count; i-- > 0; number /= axes[i].count) {
        const uint64_t at = number % axes[i].count;
        if (axes[i].has_null && at + 1 == axes[i].count)
            parts[i] = (sc_key_part){axes[i].is_text, SC_NULL, sc_null_text()};
        else
            parts[i] = axes[i].parts != NULL
                           ? axes[i].parts[at]
                           : (sc_key_part){.value = axes[i].low + (int64_t)at};
    }
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the keys of a query");
}

static scrim_status write_keys(const axis *axes, size_t axis_count, uint64_t count,
                               sc_arena *arena, sc_planned_statement *out,
                               scrim_error *error)
{
    sc_key_part parts[SC_QUERY_KEYS];
    size_t bytes = PADDING;
    for (uint64_t i = 0; i < count; i++) {
        set_parts(axes, axis_count, i, parts);
        bytes += sc_key_tuple_bytes(parts, axis_count);
    }
    sc_text *keys = sc_arena_allocate(arena, count, sizeof *keys);
    char *at = sc_arena_allocate(arena, bytes, 1);
    if (keys == NULL || at == NULL)
        return no_memory(error);
    for (uint64_t i = 0; i < count; i++) {
        set_parts(axes, axis_count, i, parts);
        keys[i] = (sc_text){at, sc_key_tuple_bytes(parts, axis_count)};
        sc_key_tuple_write(parts, axis_count, at);
        at += keys[i].bytes;
    }
    out->keys = keys;
    out->key_count = count;
    return SCRIM_OK;
}

scrim_status sc_plan_keys_of(sc_planned_statement *statement, sc_arena *arena,
                             scrim_error *error)
{
    const sc_query *query = statement->query;
    axis axes[SC_QUERY_KEYS] = {{.count = 0}};
    uint64_t without_null = 1;
    if (query->key_count == 0) {
        statement->keys_kind = SC_PLAN_NO_KEYS;
        return SCRIM_OK;
    }
    const uint64_t count = combinations(query, statement->discovers_ranges);
    statement->keys_kind = count == 0 ? SC_PLAN_DISCOVERED : SC_PLAN_PUBLIC_KEYS;
    if (count == 0)
        return SCRIM_OK;
    for (size_t i = 0; i < query->key_count; i++) {
        statement->uses_ranges |= sc_plan_key_is_range(&query->keys[i]);
        if (!set_axis(&query->keys[i], arena, &axes[i]))
            return no_memory(error);
        without_null *= axes[i].count - axes[i].has_null;
    }
    statement->null_count = count - without_null;
    return write_keys(axes, query->key_count, count, arena, statement, error);
}
