#include "query/plan/measured.h"

#include "base/checked.h"
#include "query/language/condition_facts.h"
#include "query/language/lookup.h"
#include "query/language/person.h"
#include "query/language/unnest.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_cut.h"

#include <stdlib.h>
#include <string.h>

/* Words of operations and statistics. They stand in ledgers, so they never change. */
static const char *const operations[] = {[SC_OP_CONSTANT] = "constant",
                                         [SC_OP_NULL] = "null",
                                         [SC_OP_COLUMN] = "column",
                                         [SC_OP_ADD] = "add",
                                         [SC_OP_SUBTRACT] = "subtract",
                                         [SC_OP_MULTIPLY] = "multiply",
                                         [SC_OP_SCALE] = "scale",
                                         [SC_OP_ABSOLUTE] = "absolute",
                                         [SC_OP_LEAST] = "least",
                                         [SC_OP_GREATEST] = "greatest",
                                         [SC_OP_QUOTIENT] = "quotient",
                                         [SC_OP_DATE_PART] = "date-part",
                                         [SC_OP_LOCAL_DAY] = "local-day",
                                         [SC_OP_LOCAL_HOUR] = "local-hour",
                                         [SC_OP_LOCAL_START] = "local-start",
                                         [SC_OP_EQUAL] = "equal",
                                         [SC_OP_LESS] = "less",
                                         [SC_OP_LESS_EQUAL] = "less-equal",
                                         [SC_OP_NOT] = "not",
                                         [SC_OP_AND] = "and",
                                         [SC_OP_OR] = "or",
                                         [SC_OP_IN] = "in",
                                         [SC_OP_TEXT_IN] = "text-in",
                                         [SC_OP_TEXT_EQUAL] = "text-equal",
                                         [SC_OP_LIKE] = "like",
                                         [SC_OP_LENGTH] = "length",
                                         [SC_OP_TEXT_OF] = "text-of",
                                         [SC_OP_LOWER] = "lower",
                                         [SC_OP_UPPER] = "upper",
                                         [SC_OP_TRIM] = "trim",
                                         [SC_OP_PART] = "part",
                                         [SC_OP_JOINED] = "joined",
                                         [SC_OP_IS_NULL] = "is-null",
                                         [SC_OP_PRESENT] = "present",
                                         [SC_OP_COALESCE] = "coalesce",
                                         [SC_OP_CASE] = "case",
                                         [SC_OP_LOOKUP] = "lookup",
                                         [SC_OP_MATCHED] = "matched"};

static const char *const kinds[] = {[SC_STATISTIC_UNITS] = "units",
                                    [SC_STATISTIC_ROWS] = "rows",
                                    [SC_STATISTIC_SUM] = "sum",
                                    [SC_STATISTIC_SQUARES] = "squares",
                                    [SC_STATISTIC_QUANTILES] = "quantiles",
                                    [SC_STATISTIC_AROUND] = "around",
                                    [SC_STATISTIC_BARS] = "bars",
                                    [SC_STATISTIC_TOTAL] = "total",
                                    [SC_STATISTIC_PRESENT] = "cell-present",
                                    [SC_STATISTIC_MISSING] = "cell-missing",
                                    [SC_STATISTIC_VALUES] = "different-values",
                                    [SC_STATISTIC_DISJOINT] = "cell-disjoint"};

static void put(sc_text_sink *sink, const char *word)
{
    sc_text_put(sink, sc_text_of(word));
}

static void put_number(sc_text_sink *sink, sc_int128 number)
{
    char text[SC_INT128_BYTES];
    sc_int128_format(number, text);
    put(sink, " ");
    put(sink, text);
}

static void put_step(sc_text_sink *sink, sc_value_step step)
{
    put_number(sink, step.numerator);
    put(sink, "/");
    put_number(sink, step.denominator);
}

/* With its length in front, so that one text cannot be read as two. */
static void put_text(sc_text_sink *sink, sc_text text)
{
    put_number(sink, (sc_int128)text.bytes);
    put(sink, ":");
    sc_text_put(sink, text);
}

/* Expressions. */

static void put_lists(sc_text_sink *sink, const sc_typed *typed)
{
    if (typed->value_count > 0)
        put(sink, " values");
    for (size_t i = 0; i < typed->value_count; i++)
        put_number(sink, typed->values[i]);
    if (typed->text_count > 0)
        put(sink, " texts");
    for (size_t i = 0; i < typed->text_count; i++)
        put_text(sink, typed->texts[i]);
}

/* All that sc_typed_equal compares. */
static void put_typed(sc_text_sink *sink, const sc_typed *typed)
{
    put(sink, " (");
    put(sink, operations[typed->operation]);
    put_number(sink, typed->type);
    put_number(sink, typed->is_nullable + 2 * typed->skips_null);
    if (!sc_typed_is_text_column(typed)) {
        put_number(sink, typed->extent.low);
        put_number(sink, typed->extent.high);
        put_step(sink, typed->extent.step);
    }
    if (typed->operation == SC_OP_COLUMN)
        put_number(sink, (sc_int128)typed->column);
    if (typed->operation == SC_OP_QUOTIENT) {
        put_number(sink, typed->quotient.times);
        put_number(sink, typed->quotient.plus);
        put_number(sink, typed->quotient.by);
    }
    if (typed->operation == SC_OP_LOOKUP || typed->operation == SC_OP_MATCHED)
        put_number(sink, (sc_int128)typed->column); /* of a join of "joined" below */
    put_number(sink, typed->times);
    put_number(sink, typed->part);
    if (typed->type == SC_TYPE_RUNG) {
        put_step(sink, typed->rung);
        put_number(sink, typed->rung_type);
    }
    put_lists(sink, typed);
    for (size_t i = 0; i < typed->count; i++)
        put_typed(sink, typed->parts[i]);
    put(sink, ")");
}

/* The rows of the table, or of the people. */

/* A declared table is what its version holds; one of an analyst what its digest says. */
static void put_joined(sc_text_sink *sink, const sc_query *query)
{
    for (size_t i = 0; i < query->joined_count; i++) {
        const sc_joined *joined = &query->joined[i];
        put(sink, joined->is_left ? " joined left" : " joined");
        put_text(sink, joined->table->digest.bytes > 0 ? joined->table->digest
                                                       : joined->table->name);
        put_text(sink, joined->key->column.name);
        put_typed(sink, joined->on);
    }
}

static void put_where(sc_text_sink *sink, const sc_query *query, sc_arena *arena,
                      bool *lacks_memory)
{
    sc_text cells = {NULL, 0};
    put(sink, " where");
    if (query->where != NULL && !sc_condition_cells(query->where, arena, &cells))
        *lacks_memory = true;
    else if (query->where == NULL)
        put(sink, " cells true");
    else if (cells.bytes > 0) {
        put(sink, " cells ");
        sc_text_put(sink, cells);
    } else
        put_typed(sink, query->where);
}

static void put_person(sc_text_sink *sink, const sc_person *person, sc_arena *arena,
                       bool *lacks_memory)
{
    put(sink, " person");
    put_joined(sink, person->rows);
    put_where(sink, person->rows, arena, lacks_memory);
    put(sink, " by");
    for (size_t i = 0; i < person->rows->key_count; i++)
        put_typed(sink, person->rows->keys[i].value);
    put(sink, " values");
    for (size_t i = 0; i < person->value_count; i++)
        put_typed(sink, person->values[i]);
    put(sink, " columns");
    for (size_t i = 0; i < person->schema->column_count; i++) {
        const sc_person_column *column = &person->columns[i];
        put_number(sink, column->rows);
        put_number(sink, column->groups);
        put_number(sink, column->rows == SC_PERSON_COUNT ? 0 : (sc_int128)column->value);
        put_number(sink, column->low);
        put_number(sink, column->high);
    }
}

static void put_rows(sc_text_sink *sink, const sc_query *query, sc_arena *arena,
                     bool *lacks_memory)
{
    put(sink, "from");
    if (query->person != NULL)
        put_person(sink, query->person, arena, lacks_memory);
    if (query->unnest != NULL) {
        put(sink, " unnest");
        put_number(sink, (sc_int128)query->unnest->list);
        put_text(sink, query->unnest->separator);
        put_number(sink, (sc_int128)query->unnest->limit);
    }
    put_joined(sink, query);
    put_where(sink, query, arena, lacks_memory);
}

/* Statistics. */

/* Values that are present in the same rows have the same text (sc_presence_equal), whichever of them stands in the
 * question first. */
static void put_presence(sc_text_sink *sink, const sc_typed *typed, const sc_query *query)
{
    const sc_typed *condition = NULL, *value = sc_presence_value(typed, &condition);
    if (condition != NULL) {
        put(sink, " if");
        put_typed(sink, condition);
    }
    if (!sc_presence_is_of_columns(value)) {
        put_typed(sink, typed);
        return;
    }
    put(sink, " present");
    for (size_t i = 0; i < sc_cell_count(query->schema); i++)
        if (sc_presence_needs(value, i, query->is_present))
            put_number(sink, (sc_int128)i);
}

static void put_statistic(sc_text_sink *sink, const sc_query *query,
                          const sc_statistics *statistics, size_t index)
{
    const sc_group_statistic *s = &statistics->list[index];
    const bool has_value = s->value != SC_STATISTIC_NONE;
    put(sink, kinds[s->kind]);
    put_number(sink, s->centre);
    put_number(sink, s->offset);
    put_number(sink, s->most);
    put_number(sink, s->with_range);
    put_number(sink, s->width);
    if (s->kind == SC_STATISTIC_TOTAL) {
        put_number(sink, statistics->groups[s->value].total_low);
        put_number(sink, statistics->groups[s->value].total_high);
        if (statistics->groups[s->value].total_all > 0)
            put_number(sink, statistics->groups[s->value].total_all);
    }
    if (s->kind == SC_STATISTIC_VALUES)
        put(sink, statistics->has_values_alone ? " alone" : " beside");
    for (size_t i = 0; s->p != NULL && i < s->count; i++)
        put_step(sink, s->p[i]);
    if (has_value && (s->kind == SC_STATISTIC_ROWS || sc_statistic_is_cell(s)))
        put_presence(sink, statistics->values[s->value], query);
    else if (has_value)
        put_typed(sink, statistics->values[s->value]);
}

/* Texts. */

/* Each text is written twice: once to count its bytes, and once into memory of that size. */
typedef struct writing {
    const sc_query *query;
    const sc_statistics *statistics;
    sc_arena *arena;
    bool lacks_memory;
} writing;

typedef void putter(sc_text_sink *sink, writing *w, size_t index);

static void put_rows_of(sc_text_sink *sink, writing *w, size_t index)
{
    (void)index;
    put_rows(sink, w->query, w->arena, &w->lacks_memory);
}

static void put_key_of(sc_text_sink *sink, writing *w, size_t index)
{
    put(sink, "key");
    put_typed(sink, w->query->keys[index].value);
}

static void put_statistic_of(sc_text_sink *sink, writing *w, size_t index)
{
    put_statistic(sink, w->query, w->statistics, index);
}

static sc_text write(writing *w, putter *put_one, size_t index)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_one(&sink, w, index);
    const size_t bytes = sink.length + 1;
    char *text = w->lacks_memory ? NULL : sc_arena_allocate(w->arena, bytes, 1);
    w->lacks_memory |= text == NULL;
    if (text == NULL)
        return (sc_text){NULL, 0};
    sc_text_sink_init(&sink, text, bytes);
    put_one(&sink, w, index);
    return (sc_text){text, bytes - 1};
}

static const sc_text *write_all(writing *w, putter *put_one, size_t count)
{
    sc_text *texts = sc_arena_allocate(w->arena, count, sizeof *texts);
    w->lacks_memory |= texts == NULL;
    for (size_t i = 0; !w->lacks_memory && i < count; i++)
        texts[i] = write(w, put_one, i);
    return texts;
}

static int compare_texts(const void *left, const void *right)
{
    return sc_text_compare(*(const sc_text *)left, *(const sc_text *)right);
}

static void put_sorted(sc_text_sink *sink, const sc_text *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(sink, "; ");
        sc_text_put(sink, sorted[i]);
    }
}

static const sc_text *sort(const sc_text *texts, size_t count, sc_arena *arena)
{
    sc_text *sorted = sc_arena_allocate(arena, count, sizeof *sorted);
    if (sorted == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = texts[i];
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_texts);
    return sorted;
}

bool sc_measured_of(const sc_query *query, const sc_statistics *statistics,
                    sc_arena *arena, sc_measured *out)
{
    writing w = {.query = query, .statistics = statistics, .arena = arena};
    out->rows = write(&w, put_rows_of, 0);
    out->keys = write_all(&w, put_key_of, query->key_count);
    out->statistics = write_all(&w, put_statistic_of, statistics->count);
    if (w.lacks_memory)
        return false;
    const sc_text *keys = sort(out->keys, query->key_count, arena);
    const sc_text *numbers = sort(out->statistics, statistics->count, arena);
    char *text = NULL;
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    for (size_t i = 0; keys != NULL && numbers != NULL && i < 2; i++) {
        sc_text_put(&sink, out->rows);
        put_sorted(&sink, keys, query->key_count);
        /* Groups are kept by a selection with this threshold, instead of one without a
         * threshold. */
        put(&sink, "; units");
        put_number(&sink, (sc_int128)query->least.count);
        put_sorted(&sink, numbers, statistics->count);
        if (i == 1)
            break;
        const size_t bytes = sink.length + 1;
        text = sc_arena_allocate(arena, bytes, 1);
        if (text == NULL)
            return false;
        sc_text_sink_init(&sink, text, bytes);
    }
    out->whole = (sc_text){text, sink.length};
    return text != NULL;
}

/* Plans. */

static void put_options(sc_text_sink *sink, const scrim_plan *plan)
{
    const sc_plan_options *options = &plan->options;
    const char *noise = sc_plan_noise_name(options->noise);
    put(sink, "measured 1");
    if (options->version[0] != '\0') {
        put(sink, " version=");
        put(sink, options->version);
    }
    sc_ratio_put(sink, " epsilon=", &options->epsilon);
    sc_ratio_put(sink, " delta=", &options->delta);
    if (sc_ratio_sign(&options->rho) > 0)
        sc_ratio_put(sink, " rho=", &options->rho);
    if (noise != NULL) {
        put(sink, " mechanism=");
        put(sink, noise);
    }
    /* The cells follow from bounds and statistics. */
    if (sc_plan_cut_is_any(plan))
        sc_ratio_put(sink, " cut=", &options->cut_share);
}

static void put_bounds(sc_text_sink *sink, const scrim_plan *plan, size_t index)
{
    const sc_planned_statement *s = &plan->statements[index];
    put(sink, "statement");
    if (plan->options.share_count > 0)
        put_number(sink, plan->options.shares[index]);
    put(sink, " bounds");
    put_number(sink, (sc_int128)s->bounds.groups);
    put_number(sink, (sc_int128)s->bounds.rows);
    put_number(sink, (sc_int128)s->bounds.total);
    put_number(sink, s->keys_kind);
    put_number(sink, s->uses_ranges);
    put(sink, sc_plan_bars_word(plan, s));
    put(sink, " ");
}

static bool write_statement(const scrim_plan *plan, size_t index, sc_arena *arena,
                            sc_text *out)
{
    const sc_planned_statement *s = &plan->statements[index];
    sc_measured measured;
    sc_text_sink sink;
    if (!sc_measured_of(s->query, &s->statistics, arena, &measured))
        return false;
    sc_text_sink_init(&sink, NULL, 0);
    put_bounds(&sink, plan, index);
    const size_t bytes = sink.length + measured.whole.bytes + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return false;
    sc_text_sink_init(&sink, text, bytes);
    put_bounds(&sink, plan, index);
    sc_text_put(&sink, measured.whole);
    *out = (sc_text){text, bytes - 1};
    return true;
}

scrim_status sc_measured_plan(scrim_plan *plan, sc_text *out, scrim_error *error)
{
    const size_t count = plan->statement_count;
    sc_arena *arena = &plan->arena;
    sc_text_sink sink;
    *out = (sc_text){NULL, 0};
    /* Releases of a series, counts that are sums of one another and questions that find their
     * bounds are compared by their own words, not by what they measure. */
    if (!plan->is_once || plan->has_series || plan->source > 0 || plan->ladder != NULL)
        return SCRIM_OK;
    sc_text *texts = sc_arena_allocate(arena, count, sizeof *texts);
    if (texts == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < count; i++)
        if (!write_statement(plan, i, arena, &texts[i]))
            return sc_no_memory(error, "a plan");
    qsort(texts, count, sizeof *texts, compare_texts);
    sc_text_sink_init(&sink, NULL, 0);
    put_options(&sink, plan);
    put_sorted(&sink, texts, count);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a plan");
    sc_text_sink_init(&sink, text, bytes);
    put_options(&sink, plan);
    put_sorted(&sink, texts, count);
    *out = (sc_text){text, bytes - 1};
    return SCRIM_OK;
}
