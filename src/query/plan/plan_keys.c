#include "query/plan/plan_keys.h"

#include "query/language/lookup.h"
#include "query/rows/expression.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"rethreshold", "continue"};

const char *sc_known_keys_name(bool is_continued)
{
    return names[is_continued];
}

bool sc_known_keys_parse(sc_text word, bool *is_continued)
{
    for (size_t i = 0; i < 2; i++)
        if (sc_text_is(word, names[i])) {
            *is_continued = i == 1;
            return true;
        }
    return false;
}

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

/* The one column that a key is computed from; NULL: no column, or several. */
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
    size_t place; /* of the column in the schema */
} domain;

static domain domain_of(const sc_query *query, const sc_typed *column, bool is_bare)
{
    const sc_column *declared = &query->schema->columns[column->column];
    domain d = {.has_null = column->is_nullable, .place = column->column};
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
static scrim_status compute(const sc_query_key *key, const domain *d, sc_arena *arena,
                            rows *r, sc_key_part *parts, size_t width, scrim_error *error)
{
    const sc_expression *expression = NULL;
    const uint64_t count = d->count + d->has_null;
    const bool is_text = sc_typed_is_text(key->value);
    SC_TRY(sc_expression_compile(key->value, &d->place, 1, arena, &expression, error));
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

/* Some of the keys of a query, by their places. */
typedef struct possible_keys {
    size_t places[SC_QUERY_KEYS];
    size_t width;
    sc_key_part *parts; /* as many for each combination, in increasing order */
    uint64_t count;
} possible_keys;

/* Can a row have this combination? Not if it has NULL for a key that is never NULL. */
static bool may_be(const sc_query *query, const possible_keys *keys,
                   const sc_key_part *parts)
{
    for (size_t i = 0; i < keys->width; i++)
        if (sc_key_part_is_null(&parts[i]) && !query->keys[keys->places[i]].is_nullable)
            return false;
    return true;
}

/* Does a row with this value meet the tables that are joined by the column? Others do not count. */
static bool meets(const sc_query *query, const domain *d, uint64_t place)
{
    for (size_t i = 0; i < query->joined_count; i++) {
        const sc_joined *joined = &query->joined[i];
        if (joined->is_left || joined->on->operation != SC_OP_COLUMN ||
            joined->on->column != d->place)
            continue;
        const sc_public_index *index = &joined->index;
        const sc_column_key *listed =
            d->column != NULL && place < d->count ? &d->column->keys[place] : NULL;
        size_t at = index->count;
        if (listed != NULL && joined->as->type == SC_COLUMN_TEXT)
            at = sc_public_index_text(index, listed->text);
        else if (place < d->count)
            at = sc_public_index_value(index, listed != NULL ? listed->value
                                                             : d->low + (int64_t)place);
        if (at == index->count)
            return false;
    }
    return true;
}

/* Sorted, each once. */
static bool sort(const sc_query *query, const domain *d, sc_key_part *parts,
                 sc_arena *arena, possible_keys *keys)
{
    const uint64_t count = d->count + d->has_null;
    combination *list = sc_arena_allocate(arena, count, sizeof *list);
    sc_key_part *out = sc_arena_allocate(arena, count * keys->width, sizeof *out);
    size_t some = 0;
    if (list == NULL || out == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (may_be(query, keys, parts + i * keys->width) && meets(query, d, i))
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

/* Fills in parts and count for the places. SCRIM_E_MEMORY. */
static scrim_status find_possible_keys(const sc_query *query, sc_arena *arena,
                                       possible_keys *keys, scrim_error *error)
{
    const sc_typed *column = column_of(&query->keys[keys->places[0]]);
    const domain d = domain_of(query, column, is_bare(query, keys->places, keys->width));
    const uint64_t count = d.count + d.has_null;
    sc_key_part *parts = sc_arena_allocate(arena, count * keys->width, sizeof *parts);
    rows *r = sc_allocate(1, sizeof *r);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0;
         parts != NULL && r != NULL && status == SCRIM_OK && i < keys->width; i++)
        status = compute(&query->keys[keys->places[i]], &d, arena, r, parts + i,
                         keys->width, error);
    if (parts == NULL || r == NULL ||
        (status == SCRIM_OK && !sort(query, &d, parts, arena, keys)))
        status = sc_no_memory(error, "the keys of a query");
    sc_free(r);
    return status;
}

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
    possible_keys possible = {.width = 0};
    axis *out = &list->axes[list->count++];
    possible.width = sc_possible_places(query, key, possible.places);
    *out = (axis){.width = possible.width};
    for (size_t i = 0; i < possible.width; i++)
        out->places[i] = possible.places[i];
    if (possible.width == 1)
        return set_axis(&query->keys[key], arena, out)
                   ? SCRIM_OK
                   : sc_no_memory(error, "the keys of a query");
    const scrim_status status = find_possible_keys(query, arena, &possible, error);
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
