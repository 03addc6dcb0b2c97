#include "query/plan/possible_keys.h"

#include "query/rows/expression.h"

#include <stdlib.h>
#include <string.h>

/* Rows computed at a time. */
#define ROWS 64

/* A column that an expression is computed from; NULL: none. */
static const sc_typed *some_column(const sc_typed *typed)
{
    const sc_typed *found = typed->operation == SC_OP_COLUMN ? typed : NULL;
    for (size_t i = 0; found == NULL && i < typed->count; i++)
        found = some_column(typed->parts[i]);
    return found;
}

static bool reads_other(const sc_typed *typed, size_t column)
{
    bool is_other = typed->operation == SC_OP_COLUMN && typed->column != column;
    for (size_t i = 0; !is_other && i < typed->count; i++)
        is_other = reads_other(typed->parts[i], column);
    return is_other;
}

/* The one column that a key is computed from; NULL: there are none, or several. */
static const sc_typed *column_of(const sc_query_key *key)
{
    const sc_typed *column = some_column(key->value);
    return column == NULL || reads_other(key->value, column->column) ? NULL : column;
}

/* The values of a column: its list, or its range. */
typedef struct domain {
    const sc_column *column; /* whose list it is; NULL: all integers from low on */
    int64_t low;
    uint64_t count; /* 0: they are not public, or too many */
    bool has_null;
} domain;

static domain domain_of(const sc_query *query, const sc_typed *column, bool is_bare)
{
    const sc_column *declared = &query->schema->columns[column->column];
    domain d = {.has_null = column->is_nullable};
    if (declared->has_keys && (is_bare || declared->type == SC_COLUMN_TEXT)) {
        d.column = declared;
        d.count = declared->key_count;
    } else if (declared->type != SC_COLUMN_TEXT) {
        const uint64_t range =
            (uint64_t)column->extent.high - (uint64_t)column->extent.low;
        d.low = column->extent.low;
        d.count = range < SC_POSSIBLE_VALUES ? range + 1 : 0;
    }
    return d;
}

static bool is_bare(const sc_query *query, const size_t *places, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (query->keys[places[i]].column != NULL)
            return true;
    return false;
}

size_t sc_possible_places(const sc_query *query, size_t key, size_t places[SC_QUERY_KEYS])
{
    const sc_typed *column = column_of(&query->keys[key]);
    size_t width = 0;
    for (size_t i = 0; column != NULL && i < query->key_count; i++) {
        const sc_typed *other = column_of(&query->keys[i]);
        if (other != NULL && other->column == column->column)
            places[width++] = i;
    }
    if (width > 1 && domain_of(query, column, is_bare(query, places, width)).count > 0)
        return width;
    places[0] = key;
    return 1;
}

/* The keys of all values. */

typedef struct rows {
    int64_t values[ROWS], results[ROWS];
    sc_text texts[ROWS], text_results[ROWS];
    char room[ROWS * SC_TEXT_RESULT_BYTES];
} rows;

static void set_row(const domain *d, uint64_t place, size_t row, rows *r)
{
    const bool is_null = place == d->count;
    r->values[row] = is_null             ? SC_NULL
                     : d->column != NULL ? d->column->keys[place].value
                                         : d->low + (int64_t)place;
    if (d->column != NULL)
        r->texts[row] = is_null ? sc_null_text() : d->column->keys[place].text;
}

/* A text outlives its room in the arena; false without memory. */
static bool keep_text(sc_arena *arena, sc_text text, sc_key_part *part)
{
    *part = (sc_key_part){.is_text = true, .text = text};
    if (sc_key_part_is_null(part))
        return true;
    part->text.start = sc_arena_copy(arena, text.start, text.bytes);
    return part->text.start != NULL;
}

/* One key for all values; parts[i * width + at] is that of value i. */
static scrim_status compute(const sc_query_key *key, const domain *d, size_t column,
                            sc_arena *arena, rows *r, sc_key_part *parts, size_t width,
                            scrim_error *error)
{
    const sc_expression *expression = NULL;
    const uint64_t count = d->count + d->has_null;
    const bool is_text = sc_typed_is_text(key->value);
    scrim_status status =
        sc_expression_compile(key->value, &column, 1, arena, &expression, error);
    if (status != SCRIM_OK)
        return status;
    int64_t *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression) + 1, sizeof *scratch);
    if (scratch == NULL)
        return sc_no_memory(error, "the keys of a query");
    sc_expression_prepare(expression, scratch);
    for (uint64_t from = 0; from < count; from += ROWS) {
        const size_t now = count - from < ROWS ? (size_t)(count - from) : ROWS;
        const sc_row_column values = {r->values, r->texts};
        for (size_t i = 0; i < now; i++)
            set_row(d, from + i, i, r);
        if (is_text)
            sc_expression_texts(expression, &values, now, scratch, r->text_results,
                                r->room);
        else
            sc_expression_evaluate(expression, &values, now, scratch, r->results);
        for (size_t i = 0; i < now; i++) {
            sc_key_part *part = &parts[(from + i) * width];
            if (!is_text)
                *part = (sc_key_part){.value = r->results[i]};
            else if (!keep_text(arena, r->text_results[i], part))
                return sc_no_memory(error, "the keys of a query");
        }
    }
    return SCRIM_OK;
}

/* Sorting. */

static int compare_part(const sc_key_part *x, const sc_key_part *y)
{
    const bool a = sc_key_part_is_null(x), b = sc_key_part_is_null(y);
    if (a || b)
        return a - b;
    if (x->is_text)
        return sc_text_compare(x->text, y->text);
    return (x->value > y->value) - (x->value < y->value);
}

typedef struct combination {
    const sc_key_part *parts;
    size_t width;
} combination;

static int compare_combinations(const void *a, const void *b)
{
    const combination *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; order == 0 && i < x->width; i++)
        order = compare_part(&x->parts[i], &y->parts[i]);
    return order;
}

/* NULL where the query says that there is none cannot be in a row that counts. */
static bool may_be(const sc_query *query, const sc_possible_keys *keys,
                   const sc_key_part *parts)
{
    for (size_t i = 0; i < keys->width; i++)
        if (sc_key_part_is_null(&parts[i]) && !query->keys[keys->places[i]].is_nullable)
            return false;
    return true;
}

/* Sorted, each once. */
static bool sort(const sc_query *query, sc_key_part *parts, uint64_t count,
                 sc_arena *arena, sc_possible_keys *keys)
{
    combination *list = sc_arena_allocate(arena, count, sizeof *list);
    sc_key_part *out = sc_arena_allocate(arena, count * keys->width, sizeof *out);
    size_t some = 0;
    if (list == NULL || out == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (may_be(query, keys, parts + i * keys->width))
            list[some++] = (combination){parts + i * keys->width, keys->width};
    qsort(list, some, sizeof *list, compare_combinations);
    keys->count = 0;
    for (size_t i = 0; i < some; i++)
        if (i == 0 || compare_combinations(&list[i - 1], &list[i]) != 0)
            memcpy(out + keys->count++ * keys->width, list[i].parts,
                   keys->width * sizeof *out);
    keys->parts = out;
    return true;
}

scrim_status sc_possible_keys_find(const sc_query *query, sc_arena *arena,
                                   sc_possible_keys *keys, scrim_error *error)
{
    const sc_typed *column = column_of(&query->keys[keys->places[0]]);
    const domain d = domain_of(query, column, is_bare(query, keys->places, keys->width));
    const uint64_t count = d.count + d.has_null;
    sc_key_part *parts = sc_arena_allocate(arena, count * keys->width, sizeof *parts);
    rows *r = sc_allocate(1, sizeof *r);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0;
         parts != NULL && r != NULL && status == SCRIM_OK && i < keys->width; i++)
        status = compute(&query->keys[keys->places[i]], &d, column->column, arena, r,
                         parts + i, keys->width, error);
    if (parts == NULL || r == NULL ||
        (status == SCRIM_OK && !sort(query, parts, count, arena, keys)))
        status = sc_no_memory(error, "the keys of a query");
    sc_free(r);
    return status;
}
