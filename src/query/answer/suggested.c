#include "query/answer/suggested.h"

#include "query/language/key_text.h"
#include "query/plan/auto_range.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>

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
    for (size_t i = 0; i < s->column_count; i++)
        if (s->columns[i]->grid.low == s->columns[i]->grid.high)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                               "%s has one possible value; name other columns",
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

/* Ladders. */

static bool is_time(const sc_column *column)
{
    return column != NULL &&
           (column->type == SC_COLUMN_DATE || column->type == SC_COLUMN_TIMESTAMP);
}

static void add_rung(sc_suggested_quantity *q, int64_t steps)
{
    q->steps[q->rungs++] = steps;
}

/* 1, 2, 5, ... most. */
static void make_counts(sc_suggested_quantity *q, int64_t most)
{
    for (int64_t rung = 1; sc_rung_value(rung) < most; rung++)
        add_rung(q, sc_rung_value(rung));
    add_rung(q, most);
}

static void make_totals(sc_suggested_quantity *q, int64_t farthest)
{
    q->rungs = sc_total_rungs(farthest, q->steps);
}

/* Equal parts of the range; single values where it has no more than parts. */
static void make_values(sc_suggested_quantity *q, const sc_grid *grid)
{
    const int64_t width = grid->high - grid->low;
    for (int64_t i = 1; i <= SC_SUGGESTED_VALUES; i++) {
        const int64_t end =
            width < SC_SUGGESTED_VALUES
                ? grid->low + i - 1
                : grid->low + (int64_t)((sc_int128)width * i / SC_SUGGESTED_VALUES);
        if (end <= grid->high)
            add_rung(q, end);
    }
}

static bool has_largest(const sc_column *column)
{
    return is_number(column) && column->grid.high > 0;
}

static bool has_smallest(const sc_column *column)
{
    return is_number(column) && column->grid.low < 0;
}

/* A key that can only be in one group is no ladder. */
static int64_t most_groups(const sc_suggested *s)
{
    return s->keys == 0 ? SC_SUGGESTED_MOST : s->keys < 2 ? 2 : (int64_t)s->keys;
}

static sc_suggested_quantity *add(sc_suggested *s, sc_suggested_kind kind,
                                  const sc_column *column)
{
    sc_suggested_quantity *q = &s->quantities[s->count++];
    *q = (sc_suggested_quantity){.kind = kind, .column = column};
    return q;
}

static void add_quantities(sc_suggested *s)
{
    const bool has_units = s->schema->unit.bytes > 0;
    if (has_units)
        make_counts(add(s, SC_SUGGESTED_ALL_ROWS, NULL), SC_SUGGESTED_MOST);
    if (has_units && s->by.count > 0) {
        make_counts(add(s, SC_SUGGESTED_GROUPS, NULL), most_groups(s));
        make_counts(add(s, SC_SUGGESTED_ROWS, NULL), SC_SUGGESTED_MOST);
    }
    for (size_t i = 0; i < s->column_count; i++) {
        const sc_column *column = s->columns[i];
        if (has_units && has_largest(column))
            make_totals(add(s, SC_SUGGESTED_LARGEST, column), column->grid.high);
        if (has_units && has_smallest(column))
            make_totals(add(s, SC_SUGGESTED_SMALLEST, column), -column->grid.low);
        make_values(add(s, SC_SUGGESTED_VALUE, column), &column->grid);
    }
}

/* Questions. */

typedef struct writing {
    const sc_suggested *s;
    const sc_suggested_quantity *q;
    sc_text_sink sink;
} writing;

static void put(writing *w, const char *text)
{
    sc_text_put(&w->sink, sc_text_of(text));
}

static void put_name(writing *w, sc_text name)
{
    sc_by_key_put_name(name, &w->sink);
}

sc_value_step sc_suggested_step(const sc_column *column)
{
    sc_extent extent;
    return sc_extent_of_grid(&column->grid, &extent) ? extent.step
                                                     : (sc_value_step){1, 1};
}

/* A rung as a constant of a query. */
static void put_rung(writing *w, int64_t steps)
{
    char text[SC_COLUMN_TEXT_BYTES];
    if (is_time(w->q->column)) {
        const size_t bytes = sc_column_format(w->q->column, steps, text, sizeof text);
        put(w, "'");
        sc_text_put(&w->sink, (sc_text){text, bytes});
        put(w, "'");
        return;
    }
    SC_OWN(sc_ratio, number);
    sc_extent_value(w->q->column == NULL ? (sc_value_step){1, 1}
                                         : sc_suggested_step(w->q->column),
                    steps, &number);
    (void)sc_ratio_format(&number, text, sizeof text);
    put(w, text);
}

static int64_t last_of(const sc_suggested_quantity *q)
{
    return q->steps[q->rungs - 1];
}

/* "SELECT LADDER(n, 1, 2) AS name, COUNT(*) AS people": the people on each rung. */
static void put_select(writing *w, const char *value, const char *name)
{
    put(w, "SELECT LADDER(");
    put(w, value);
    for (size_t i = 0; i < w->q->rungs; i++) {
        put(w, ", ");
        put_rung(w, w->q->steps[i]);
    }
    put(w, ") AS ");
    put(w, name);
    put(w, ", COUNT(*) AS people FROM (SELECT ");
}

static void put_unit(writing *w, bool has_keys)
{
    put(w, " GROUP BY ");
    put_name(w, w->s->schema->unit);
    for (size_t i = 0; has_keys && i < w->s->by.count; i++) {
        put(w, ", ");
        sc_by_key_put(&w->s->by.keys[i], &w->sink);
    }
}

/* "CLAMP(what, first, last) AS n". */
static void put_clamped(writing *w, const char *what)
{
    put(w, "CLAMP(");
    put(w, what);
    put(w, ", ");
    put_rung(w, w->q->steps[0]);
    put(w, ", ");
    put_rung(w, last_of(w->q));
    put(w, ") AS n");
}

static void put_all_rows(writing *w)
{
    put_select(w, "n", "rows");
    put_clamped(w, "COUNT(*)");
    put_unit(w, false);
    put(w, ") GROUP BY rows");
}

/* The groups of a person. */
static void put_groups(writing *w)
{
    const bool is_groups = w->q->kind == SC_SUGGESTED_GROUPS;
    const char *name = is_groups ? "groups" : "fullest";
    put_select(w, "n", name);
    put_clamped(w, is_groups ? "COUNT(*)" : "MAX(m)");
    put(w, " FROM (SELECT COUNT(*) AS m");
    put_unit(w, true);
    put(w, ")");
    put_unit(w, false);
    put(w, ") GROUP BY ");
    put(w, name);
}

static void put_total(writing *w)
{
    const bool is_largest = w->q->kind == SC_SUGGESTED_LARGEST;
    const char *name = is_largest ? "largest_total" : "smallest_total";
    put_select(w, is_largest ? "n" : "-n", name);
    if (is_largest) {
        put_clamped(w, "MAX(t)");
    } else {
        put(w, "CLAMP(MIN(t), ");
        put_rung(w, -last_of(w->q));
        put(w, ", 0) AS n");
    }
    put(w, " FROM (SELECT SUM(");
    put_name(w, w->q->column->name);
    put(w, ") AS t");
    put_unit(w, true);
    put(w, ")");
    put_unit(w, false);
    put(w, ") WHERE n IS NOT NULL GROUP BY ");
    put(w, name);
}

static void put_value(writing *w)
{
    put_select(w, "n", "value");
    put(w, "ANY_VALUE(");
    put_name(w, w->q->column->name);
    put(w, ") AS n");
    put_unit(w, false);
    put(w, ") WHERE n IS NOT NULL GROUP BY value");
}

/* Where each row is a unit the column stands for itself. */
static void put_row_value(writing *w)
{
    put(w, "SELECT LADDER(");
    put_name(w, w->q->column->name);
    for (size_t i = 0; i < w->q->rungs; i++) {
        put(w, ", ");
        put_rung(w, w->q->steps[i]);
    }
    put(w, "), COUNT(*) WHERE ");
    put_name(w, w->q->column->name);
    put(w, " IS NOT NULL GROUP BY 1");
}

static void put_query(writing *w)
{
    switch (w->q->kind) {
    case SC_SUGGESTED_ALL_ROWS:
        put_all_rows(w);
        return;
    case SC_SUGGESTED_GROUPS:
    case SC_SUGGESTED_ROWS:
        put_groups(w);
        return;
    case SC_SUGGESTED_LARGEST:
    case SC_SUGGESTED_SMALLEST:
        put_total(w);
        return;
    case SC_SUGGESTED_VALUE:
        break;
    }
    if (w->s->schema->unit.bytes > 0)
        put_value(w);
    else
        put_row_value(w);
}

static scrim_status write_query(sc_suggested *s, size_t quantity, sc_arena *arena,
                                scrim_error *error)
{
    writing w = {.s = s, .q = &s->quantities[quantity]};
    sc_text_sink_init(&w.sink, NULL, 0);
    put_query(&w);
    const size_t bytes = w.sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a suggestion");
    sc_text_sink_init(&w.sink, text, bytes);
    put_query(&w);
    s->queries[quantity] = text;
    return SCRIM_OK;
}

scrim_status sc_suggested_read(sc_suggested *s, const char *columns, const char *by,
                               sc_arena *arena, scrim_error *error)
{
    *s = (sc_suggested){.schema = s->schema};
    SC_TRY(read_names(s, columns, error));
    SC_TRY(sc_by_keys_read(sc_text_of(by == NULL ? "" : by), s->schema, arena, &s->by,
                           error));
    SC_TRY(check_columns(s, error));
    count_keys(s);
    add_quantities(s);
    for (size_t i = 0; i < s->count; i++)
        SC_TRY(write_query(s, i, arena, error));
    return SCRIM_OK;
}
