#include "query/answer/suggested.h"

#include "query/language/key_text.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>

/* A query has at most so many bytes. */
#define QUERY_BYTES 65536
/* Numbers of a query have at most 18 digits. */
#define STEPS_MOST ((int64_t)100000000000000000)

size_t sc_suggested_ps(sc_suggested_kind kind, const char *const **out)
{
    static const char *const above[] = {"0.5", "0.9", "0.95", "0.99"},
                             *const below[] = {"0.01", "0.05", "0.1", "0.5"},
                             *const all[] = {"0.001", "0.01", "0.05", "0.5",
                                             "0.9",   "0.95", "0.99"};
    *out = kind == SC_SUGGESTED_VALUE      ? all
           : kind == SC_SUGGESTED_SMALLEST ? below
                                           : above;
    return kind == SC_SUGGESTED_VALUE ? sizeof all / sizeof *all
                                      : sizeof above / sizeof *above;
}

/* Names. */

static scrim_status find_column(const sc_suggested *s, sc_text name,
                                const sc_column **out, scrim_error *error)
{
    *out = sc_schema_column(s->schema, name);
    return *out != NULL ? SCRIM_OK : sc_schema_unknown(s->schema, name, "columns", error);
}

static scrim_status read_names(sc_suggested *s, const char *list, scrim_error *error)
{
    sc_text rest = sc_text_of(list == NULL ? "" : list), name;
    while (sc_text_item(&rest, ',', &name)) {
        const sc_column *column = NULL;
        const scrim_status status = find_column(s, name, &column, error);
        if (status != SCRIM_OK)
            return status;
        for (size_t i = 0; i < s->column_count; i++)
            if (s->columns[i] == column)
                return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "columns",
                                   "a column is named twice");
        if (s->column_count == SC_SUGGESTED_COLUMNS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                               "at most %d columns", SC_SUGGESTED_COLUMNS);
        s->columns[s->column_count++] = column;
    }
    return SCRIM_OK;
}

static bool is_number(const sc_column *column)
{
    return column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL;
}

static scrim_status check_columns(const sc_suggested *s, scrim_error *error)
{
    const bool has_units = s->schema->unit.bytes > 0;
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < s->column_count; i++)
        if (s->columns[i]->type == SC_COLUMN_TEXT ||
            s->columns[i]->type == SC_COLUMN_BOOL)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                               "%s has no range; name numbers and dates",
                               sc_text_quote(s->columns[i]->name, quote));
    if (!has_units && s->by.count > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "by",
                           "each row is a privacy unit here and is in one group");
    if (!has_units && s->column_count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "columns",
                           "each row is a privacy unit here, so there is nothing to "
                           "bound; name columns whose values are wanted");
    return SCRIM_OK;
}

/* How many keys a column has; 0: private. */
static uint64_t keys_of(const sc_schema *schema, const sc_column *column)
{
    const uint64_t null =
        sc_schema_may_be_null(schema, (size_t)(column - schema->columns)) ? 1 : 0;
    const uint64_t range = (uint64_t)column->grid.high - (uint64_t)column->grid.low;
    if (column->has_keys)
        return column->key_count + null;
    if (column->type == SC_COLUMN_BOOL)
        return 2 + null;
    return column->type != SC_COLUMN_TEXT && range < SC_PLAN_RANGE_KEYS ? range + 1 + null
                                                                        : 0;
}

static void count_keys(sc_suggested *s)
{
    s->keys = 1;
    for (size_t i = 0; i < s->by.count; i++) {
        const sc_column *column = s->by.keys[i].column;
        const uint64_t own = column != NULL ? keys_of(s->schema, column)
                                            : sc_plan_key_count(&s->by.query->keys[i]);
        s->keys = own > SC_SUGGESTED_MOST ? 0 : s->keys * own;
        if (s->keys > SC_SUGGESTED_MOST)
            s->keys = 0;
    }
}

/* Questions. */

typedef struct writing {
    sc_suggested *s;
    sc_text_sink sink;
    size_t outputs, quantities; /* of the statement at hand */
} writing;

static void put(writing *w, const char *text)
{
    sc_text_put(&w->sink, sc_text_of(text));
}

static void put_name(writing *w, sc_text name)
{
    sc_by_key_put_name(name, &w->sink);
}

static void put_number(writing *w, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put(w, text);
}

sc_value_step sc_suggested_step(const sc_column *column)
{
    sc_extent extent;
    return sc_extent_of_grid(&column->grid, &extent) ? extent.step
                                                     : (sc_value_step){1, 1};
}

static void put_steps(writing *w, const sc_column *column, int64_t steps)
{
    char text[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, number);
    sc_extent_value(sc_suggested_step(column), steps, &number);
    (void)sc_ratio_format(&number, text, sizeof text);
    put(w, text);
}

/* ", QUANTILE(LADDER(a), 0.5, ...) AS name". */
static void put_quantity(writing *w, sc_suggested_kind kind, const sc_column *column,
                         uint64_t choices, const char *inner, size_t number,
                         const char *name)
{
    const char *const *ps;
    const size_t count = sc_suggested_ps(kind, &ps);
    const bool has_ladder = kind != SC_SUGGESTED_GROUPS && kind != SC_SUGGESTED_VALUE;
    w->s->quantities[w->s->count++] =
        (sc_suggested_quantity){.kind = kind,
                                .column = column,
                                .statement = w->s->query_count,
                                .first = w->outputs,
                                .number = w->quantities++,
                                .choices = choices};
    put(w, w->outputs == 0 ? "SELECT QUANTILE(" : ", QUANTILE(");
    put(w, has_ladder ? "LADDER(" : "");
    put(w, inner);
    put_number(w, number);
    put(w, has_ladder ? ")" : "");
    for (size_t i = 0; i < count; i++) {
        put(w, ", ");
        put(w, ps[i]);
    }
    put(w, ") AS ");
    put(w, name);
    if (column != NULL) {
        put(w, "_");
        put_number(w, number + 1);
    }
    w->outputs += count;
}

/* The farthest total to a side, in steps: what 10^6 rows can add, or as much as a query can say. */
static int64_t farthest(int64_t end)
{
    const int64_t most = STEPS_MOST / SC_SUGGESTED_MOST;
    return end > most ? STEPS_MOST : end < -most ? -STEPS_MOST : end * SC_SUGGESTED_MOST;
}

bool sc_suggested_cut(sc_suggested_kind kind, const sc_column *column, int64_t *end)
{
    const int64_t most = STEPS_MOST / SC_SUGGESTED_MOST;
    const bool is_largest = kind == SC_SUGGESTED_LARGEST;
    if (!is_largest && kind != SC_SUGGESTED_SMALLEST)
        return false;
    *end = farthest(is_largest ? column->grid.high : column->grid.low);
    return is_largest ? column->grid.high > most : column->grid.low < -most;
}

static bool has_largest(const sc_column *column)
{
    return is_number(column) && column->grid.high > 0;
}

static bool has_smallest(const sc_column *column)
{
    return is_number(column) && column->grid.low < 0;
}

static uint64_t most_groups(const sc_suggested *s)
{
    return s->keys == 0 ? SC_SUGGESTED_MOST : s->keys < 2 ? 2 : s->keys;
}

static void put_person_items(writing *w)
{
    sc_suggested *s = w->s;
    if (s->by.count > 0)
        put_quantity(w, SC_SUGGESTED_GROUPS, NULL, most_groups(s), "g", 0, "groups");
    put_quantity(w, SC_SUGGESTED_ROWS, NULL, (uint64_t)sc_rung_of(SC_SUGGESTED_MOST), "r",
                 0, "rows");
    for (size_t i = 0; i < s->column_count; i++) {
        const sc_column *column = s->columns[i];
        const int64_t high = farthest(column->grid.high),
                      low = farthest(column->grid.low);
        if (has_largest(column))
            put_quantity(w, SC_SUGGESTED_LARGEST, column, (uint64_t)sc_rung_of(high) + 1,
                         "t", i, "largest_total");
        if (has_smallest(column))
            put_quantity(w, SC_SUGGESTED_SMALLEST, column, (uint64_t)-sc_rung_of(low) + 1,
                         "b", i, "smallest_total");
    }
}

/* ", CLAMP(MAX(s0), 0, 1000) AS t0". */
static void put_total(writing *w, const char *fold, const char *name, size_t number,
                      int64_t low, int64_t high)
{
    const sc_column *column = w->s->columns[number];
    put(w, ", CLAMP(");
    put(w, fold);
    put(w, "(s");
    put_number(w, number);
    put(w, "), ");
    put_steps(w, column, low);
    put(w, ", ");
    put_steps(w, column, high);
    put(w, ") AS ");
    put(w, name);
    put_number(w, number);
}

static void put_person(writing *w)
{
    const sc_suggested *s = w->s;
    put_person_items(w);
    put(w, " FROM (SELECT CLAMP(MAX(n), 1, ");
    put_number(w, SC_SUGGESTED_MOST);
    put(w, ") AS r0");
    if (s->by.count > 0) {
        put(w, ", CLAMP(COUNT(*), 1, ");
        put_number(w, most_groups(s));
        put(w, ") AS g0");
    }
    for (size_t i = 0; i < s->column_count; i++) {
        const sc_grid *grid = &s->columns[i]->grid;
        if (has_largest(s->columns[i]))
            put_total(w, "MAX", "t", i, 0, farthest(grid->high));
        if (has_smallest(s->columns[i]))
            put_total(w, "MIN", "b", i, farthest(grid->low), 0);
    }
    put(w, " FROM (SELECT COUNT(*) AS n");
    for (size_t i = 0; i < s->column_count; i++) {
        if (!is_number(s->columns[i]))
            continue;
        put(w, ", SUM(");
        put_name(w, s->columns[i]->name);
        put(w, ") AS s");
        put_number(w, i);
    }
    put(w, " GROUP BY ");
    put_name(w, s->schema->unit);
    for (size_t i = 0; i < s->by.count; i++) {
        put(w, ", ");
        sc_by_key_put(&s->by.keys[i], &w->sink);
    }
    put(w, ") GROUP BY ");
    put_name(w, s->schema->unit);
    put(w, ")");
}

static void put_values(writing *w)
{
    const sc_suggested *s = w->s;
    for (size_t i = 0; i < s->column_count; i++)
        put_quantity(w, SC_SUGGESTED_VALUE, s->columns[i],
                     (uint64_t)s->columns[i]->grid.high -
                         (uint64_t)s->columns[i]->grid.low + 1,
                     "x", i, "value");
    put(w, " FROM (SELECT ");
    for (size_t i = 0; i < s->column_count; i++) {
        put(w, i == 0 ? "ANY_VALUE(" : ", ANY_VALUE(");
        put_name(w, s->columns[i]->name);
        put(w, ") AS x");
        put_number(w, i);
    }
    put(w, " GROUP BY ");
    put_name(w, s->schema->unit);
    put(w, ")");
}

/* Where each row is a unit the columns stand for themselves. */
static void put_row_values(writing *w)
{
    sc_suggested *s = w->s;
    for (size_t i = 0; i < s->column_count; i++) {
        const char *const *ps;
        const size_t count = sc_suggested_ps(SC_SUGGESTED_VALUE, &ps);
        s->quantities[s->count++] =
            (sc_suggested_quantity){.kind = SC_SUGGESTED_VALUE,
                                    .column = s->columns[i],
                                    .first = w->outputs,
                                    .number = w->quantities++,
                                    .choices = (uint64_t)s->columns[i]->grid.high -
                                               (uint64_t)s->columns[i]->grid.low + 1};
        put(w, i == 0 ? "SELECT QUANTILE(" : ", QUANTILE(");
        put_name(w, s->columns[i]->name);
        for (size_t k = 0; k < count; k++) {
            put(w, ", ");
            put(w, ps[k]);
        }
        put(w, ")");
        w->outputs += count;
    }
}

static scrim_status write_query(sc_suggested *s, void (*put_query)(writing *w),
                                sc_arena *arena, scrim_error *error)
{
    char *text = sc_arena_allocate(arena, QUERY_BYTES, 1);
    writing w = {.s = s};
    if (text == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a suggestion");
    sc_text_sink_init(&w.sink, text, QUERY_BYTES);
    put_query(&w);
    s->queries[s->query_count++] = text;
    return w.sink.length < QUERY_BYTES
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                             "the names are too long; ask for fewer columns");
}

scrim_status sc_suggested_read(sc_suggested *s, const char *columns, const char *by,
                               sc_arena *arena, scrim_error *error)
{
    const bool has_units = s->schema->unit.bytes > 0;
    *s = (sc_suggested){.schema = s->schema};
    scrim_status status = read_names(s, columns, error);
    if (status == SCRIM_OK)
        status = sc_by_keys_read(sc_text_of(by == NULL ? "" : by), s->schema, arena,
                                 &s->by, error);
    if (status == SCRIM_OK)
        status = check_columns(s, error);
    if (status != SCRIM_OK)
        return status;
    count_keys(s);
    if (has_units)
        status = write_query(s, put_person, arena, error);
    if (status == SCRIM_OK && s->column_count > 0)
        status = write_query(s, has_units ? put_values : put_row_values, arena, error);
    return status;
}
