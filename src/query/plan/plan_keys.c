#include "query/plan/plan_keys.h"

#include "query/plan/possible_keys.h"

#include <stdlib.h>

/* Readable bytes behind the last key, as hashing wants them. */
#define PADDING 16

/* The values of one key, in increasing order, or the combinations of several that are computed from one column. */
typedef struct axis {
    size_t places[SC_QUERY_KEYS]; /* of its keys in the query */
    size_t width;
    sc_key_part *parts; /* width of them for each; NULL: all integers from low on */
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

/* The most combinations. */
static uint64_t most_of(const sc_query *query)
{
    uint64_t most = SC_PLAN_LISTED_KEYS;
    for (size_t i = 0; i < query->key_count; i++)
        if (!is_listed(&query->keys[i]))
            most = SC_PLAN_COMPUTED_KEYS;
    return most;
}

/* The product of all values; 0 where some are not known, or there are more than most. */
static uint64_t combinations(const sc_query *query, bool discovers_ranges, uint64_t most)
{
    uint64_t product = 1;
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
    return combinations(query, false, most_of(query));
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

/* The combination of that number: the last axis turns fastest. */
static void set_parts(const axis *axes, size_t count, uint64_t number, sc_key_part *parts)
{
    for (size_t i = count; i-- > 0; number /= axes[i].count) {
        const axis *a = &axes[i];
        const uint64_t at = number % a->count;
        for (size_t k = 0; k < a->width; k++)
            if (a->has_null && at + 1 == a->count)
                parts[a->places[k]] = (sc_key_part){a->is_text, SC_NULL, sc_null_text()};
            else
                parts[a->places[k]] = a->parts != NULL
                                          ? a->parts[at * a->width + k]
                                          : (sc_key_part){.value = a->low + (int64_t)at};
    }
}

static bool has_null(const sc_key_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sc_key_part_is_null(&parts[i]))
            return true;
    return false;
}

static int compare_keys(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

/* All axes, of which the first has the first key; they have the keys of the query. */
typedef struct axis_list {
    axis axes[SC_QUERY_KEYS];
    size_t count;
    uint64_t combinations;
    bool is_product; /* each axis is one key */
} axis_list;

static scrim_status write_keys(const axis_list *list, size_t key_count, sc_arena *arena,
                               sc_planned_statement *out, scrim_error *error)
{
    sc_key_part parts[SC_QUERY_KEYS];
    size_t bytes = PADDING;
    const uint64_t count = list->combinations;
    for (uint64_t i = 0; i < count; i++) {
        set_parts(list->axes, list->count, i, parts);
        bytes += sc_key_tuple_bytes(parts, key_count);
        out->null_count += has_null(parts, key_count);
    }
    sc_text *keys = sc_arena_allocate(arena, count, sizeof *keys);
    char *at = sc_arena_allocate(arena, bytes, 1);
    if (keys == NULL || at == NULL)
        return sc_no_memory(error, "the keys of a query");
    for (uint64_t i = 0; i < count; i++) {
        set_parts(list->axes, list->count, i, parts);
        keys[i] = (sc_text){at, sc_key_tuple_bytes(parts, key_count)};
        sc_key_tuple_write(parts, key_count, at);
        at += keys[i].bytes;
    }
    if (!list->is_product)
        qsort(keys, count, sizeof *keys, compare_keys);
    out->keys = keys;
    out->key_count = count;
    return SCRIM_OK;
}

static bool is_placed(const axis_list *list, size_t key)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->axes[i].width; k++)
            if (list->axes[i].places[k] == key)
                return true;
    return false;
}

/* The axis of a key, with the others of its column. */
static scrim_status add_axis(const sc_query *query, size_t key, sc_arena *arena,
                             axis_list *list, scrim_error *error)
{
    sc_possible_keys possible = {.width = 0};
    axis *out = &list->axes[list->count++];
    possible.width = sc_possible_places(query, key, possible.places);
    *out = (axis){.width = possible.width};
    for (size_t i = 0; i < possible.width; i++)
        out->places[i] = possible.places[i];
    if (possible.width == 1)
        return set_axis(&query->keys[key], arena, out)
                   ? SCRIM_OK
                   : sc_no_memory(error, "the keys of a query");
    const scrim_status status = sc_possible_keys_find(query, arena, &possible, error);
    out->parts = possible.parts;
    out->count = possible.count;
    list->is_product = false;
    return status;
}

/* Sets combinations to 0 where there are too many. */
static scrim_status make_axes(const sc_query *query, uint64_t most, sc_arena *arena,
                              axis_list *list, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *list = (axis_list){.combinations = 1, .is_product = true};
    for (size_t i = 0; status == SCRIM_OK && i < query->key_count; i++) {
        if (is_placed(list, i))
            continue;
        size_t places[SC_QUERY_KEYS];
        uint64_t count = count_of(&query->keys[i], false);
        if (count > most && sc_possible_places(query, i, places) == 1) {
            list->combinations = 0;
            return SCRIM_OK;
        }
        status = add_axis(query, i, arena, list, error);
        count = list->axes[list->count - 1].count;
        if (status == SCRIM_OK)
            list->combinations = count > most / (list->combinations + !list->combinations)
                                     ? 0
                                     : list->combinations * count;
    }
    return status;
}

scrim_status sc_plan_keys_of(sc_planned_statement *statement, sc_arena *arena,
                             scrim_error *error)
{
    const sc_query *query = statement->query;
    axis_list list;
    if (query->key_count == 0) {
        statement->keys_kind = SC_PLAN_NO_KEYS;
        return SCRIM_OK;
    }
    statement->keys_kind = SC_PLAN_DISCOVERED;
    if (combinations(query, statement->discovers_ranges, UINT64_MAX) == 0)
        return SCRIM_OK;
    const scrim_status status = make_axes(query, most_of(query), arena, &list, error);
    if (status != SCRIM_OK || list.combinations == 0)
        return status;
    statement->keys_kind = SC_PLAN_PUBLIC_KEYS;
    for (size_t i = 0; i < query->key_count; i++)
        statement->uses_ranges |= sc_plan_key_is_range(&query->keys[i]);
    return write_keys(&list, query->key_count, arena, statement, error);
}
