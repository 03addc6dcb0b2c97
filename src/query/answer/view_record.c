#include "query/answer/view_record.h"

#include "query/plan/asked_bounds.h"
#include "query/plan/measured.h"
#include "query/rows/key_tuple.h"

#include <stdlib.h>

/* One statement as it was recorded, or as it is asked now. */
typedef struct side {
    const sc_query *query;
    sc_statistics statistics;
    size_t cells;      /* as in sc_statistics_plan, */
    uint64_t disjoint; /* and this */
    sc_measured measured;
} side;

static scrim_status fail_view(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the recorded answer does not hold what is asked");
}

static scrim_status read_query(sc_text text, const sc_record *record,
                               const sc_schema *schema, sc_arena *arena, side *out,
                               scrim_error *error)
{
    sc_refusal refusal = {.error = error};
    *out = (side){.query = NULL};
    return sc_asked_query(text, record->dataset, schema, arena, &out->query, &schema,
                          &refusal);
}

/* Plans the numbers of a query as those of the statement were planned, but with cells and disjoint counts of other aggregates
 * (sc_statistics_plan), which out has. */
static scrim_status read_numbers(const sc_record_statement *from, sc_arena *arena,
                                 side *out, scrim_error *error)
{
    const sc_schema *own = out->query->schema;
    const sc_bounds bounds = sc_record_bounds(from, own);
    const sc_statistics_plan plan = {
        bounds, sc_plan_rows_are_units(own, &bounds, from->keys_kind), out->cells,
        from->clamps && sc_statistics_may_clamp(out->query, &bounds), out->disjoint};
    SC_TRY(sc_statistics_of(out->query, &plan, arena, &out->statistics, error));
    return sc_measured_of(out->query, &out->statistics, arena, &out->measured)
               ? SCRIM_OK
               : sc_no_memory(error, "an answer");
}

/* The permutation from one list of texts to the other: to[i] is equal to from[places[i]]. NULL if the texts are not the same, or
 * without memory. */
static const size_t *match(const sc_text *from, const sc_text *to, size_t count,
                           sc_arena *arena)
{
    size_t *places = sc_arena_allocate(arena, count, sizeof *places);
    bool *is_used = sc_arena_allocate(arena, count, sizeof *is_used);
    if (places == NULL || is_used == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < count && (is_used[at] || !sc_text_equal(from[at], to[i])))
            at++;
        if (at == count)
            return NULL;
        is_used[at] = true;
        places[i] = at;
    }
    return places;
}

/* For each key and each statistic of the new question: its index in the record. */
typedef struct places {
    const size_t *keys, *statistics;
} places;

static bool find_places(const side *old, const side *asked, sc_arena *arena, places *out)
{
    if (old->query->key_count != asked->query->key_count ||
        old->statistics.count != asked->statistics.count ||
        !sc_text_equal(old->measured.whole, asked->measured.whole))
        return false;
    out->keys =
        match(old->measured.keys, asked->measured.keys, old->query->key_count, arena);
    out->statistics = match(old->measured.statistics, asked->measured.statistics,
                            old->statistics.count, arena);
    return out->keys != NULL && out->statistics != NULL;
}

/* Rows. */

/* Hashing a key may read this many bytes past its end. */
#define PADDING 16

static bool view_key(sc_text key, const side *old, const size_t *at, sc_arena *arena,
                     sc_text *out)
{
    const size_t count = old->query->key_count;
    sc_key_part from[SC_QUERY_KEYS], to[SC_QUERY_KEYS];
    for (size_t i = 0; i < count; i++)
        from[i] = (sc_key_part){.is_text = sc_typed_is_text(old->query->keys[i].value)};
    if (!sc_key_tuple_read(key, from, count))
        return false;
    for (size_t i = 0; i < count; i++)
        to[i] = from[at[i]];
    const size_t bytes = sc_key_tuple_bytes(to, count);
    char *text = sc_arena_allocate(arena, bytes + PADDING, 1);
    if (text == NULL)
        return false;
    sc_key_tuple_write(to, count, text);
    *out = (sc_text){text, bytes};
    return true;
}

static bool view_row(const sc_record_row *row, const side *old, const side *asked,
                     const places *at, sc_arena *arena, sc_record_row *out)
{
    sc_int128 *numbers =
        sc_arena_allocate(arena, asked->statistics.number_count, sizeof *numbers);
    sc_record_bars *bars =
        sc_arena_allocate(arena, asked->statistics.histogram_count, sizeof *bars);
    if (numbers == NULL || bars == NULL ||
        !view_key(row->key, old, at->keys, arena, &out->key))
        return false;
    for (size_t i = 0; i < asked->statistics.count; i++) {
        const sc_group_statistic *to = &asked->statistics.list[i],
                                 *from = &old->statistics.list[at->statistics[i]];
        if (to->count != from->count)
            return false;
        for (size_t k = 0; k < to->count; k++)
            numbers[to->first + k] = row->numbers[from->first + k];
        if (to->kind == SC_STATISTIC_BARS)
            bars[to->histogram] = row->histograms[from->histogram];
    }
    out->numbers = numbers;
    out->histograms = bars;
    return true;
}

static int compare_rows(const void *left, const void *right)
{
    return sc_text_compare(((const sc_record_row *)left)->key,
                           ((const sc_record_row *)right)->key);
}

static bool view_rows(const sc_record_statement *from, const side *old, const side *asked,
                      const places *at, sc_arena *arena, sc_record_statement *out)
{
    sc_record_row *rows = sc_arena_allocate(arena, from->row_count, sizeof *rows);
    int64_t *widths =
        sc_arena_allocate(arena, asked->statistics.histogram_count, sizeof *widths);
    if (rows == NULL || widths == NULL)
        return false;
    for (size_t i = 0; i < from->row_count; i++)
        if (!view_row(&from->rows[i], old, asked, at, arena, &rows[i]))
            return false;
    /* A record has its rows in the order of their keys, whose parts may have changed places. */
    qsort(rows, from->row_count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < asked->statistics.count; i++)
        if (asked->statistics.list[i].kind == SC_STATISTIC_BARS)
            widths[asked->statistics.list[i].histogram] =
                from->widths[old->statistics.list[at->statistics[i]].histogram];
    out->rows = rows;
    out->widths = widths;
    return true;
}

/* Parts of the cost, in the order of a record: key selection first, then the statistics in their order, of those that are drawn
 * together the first, which may be another one than in the record. */
static bool view_parts(const sc_record_statement *from, const side *old,
                       const side *asked, const places *at, sc_arena *arena,
                       sc_record_statement *out)
{
    const size_t room = from->part_count;
    sc_text *measurements = sc_arena_allocate(arena, room, sizeof *measurements);
    size_t *statistics = sc_arena_allocate(arena, room, sizeof *statistics);
    uint64_t *copies = sc_arena_allocate(arena, room, sizeof *copies);
    size_t count = 0;
    if (measurements == NULL || statistics == NULL || copies == NULL)
        return false;
    for (size_t i = 0; i <= asked->statistics.count; i++) {
        if (i > 0 && sc_statistic_drawn_with(&asked->statistics, i - 1) != i - 1)
            continue;
        const size_t drawn =
            i == 0 ? SC_STATISTIC_NONE
                   : sc_statistic_drawn_with(&old->statistics, at->statistics[i - 1]);
        for (size_t k = 0; k < room; k++) {
            if (from->statistics[k] != drawn)
                continue;
            if (count == room)
                return false;
            measurements[count] = from->measurements[k];
            statistics[count] = i == 0 ? SC_STATISTIC_NONE : i - 1;
            copies[count++] = from->copies[k];
        }
    }
    out->measurements = measurements;
    out->statistics = statistics;
    out->copies = copies;
    return count == room;
}

/* Statements. */

static bool fits(const sc_record_statement *s, const side *old)
{
    return s->number_count == old->statistics.number_count &&
           s->histogram_count == old->statistics.histogram_count;
}

/* All but the text of the question. False: the record does not fit, or there is no memory. */
static bool view_statement(const sc_record_statement *from, const side *old,
                           const side *asked, const places *at, sc_arena *arena,
                           sc_record_statement *out)
{
    *out = *from;
    out->cells = asked->cells;
    out->disjoint = asked->disjoint;
    return fits(from, old) && view_rows(from, old, asked, at, arena, out) &&
           view_parts(from, old, asked, at, arena, out);
}

/* The rows that a statistic counts, without the word for how: "if ... present ..." */
static sc_text subject_of(sc_text statistic)
{
    sc_text word, rest = {NULL, 0};
    (void)sc_text_split(statistic, ' ', &word, &rest);
    return rest;
}

/* The aggregates of a question, of which nothing is drawn together, whose rows the record has among its disjoint counts. */
static uint64_t find_disjoint(const side *old, const side *asked)
{
    uint64_t disjoint = 0;
    for (size_t i = 0; i < asked->query->aggregate_count; i++)
        for (size_t k = 0; k < old->statistics.count; k++)
            if (old->statistics.list[k].kind == SC_STATISTIC_DISJOINT &&
                sc_statistics_may_be_disjoint(&asked->statistics, i) &&
                sc_text_equal(
                    subject_of(old->measured.statistics[k]),
                    subject_of(
                        asked->measured.statistics[asked->statistics.uses[i].rows])))
                disjoint |= (uint64_t)1 << i;
    return disjoint;
}

/* Plans the new question as the recorded statement was planned. A statement that counts its rows in the cells of an aggregate knows
 * it by its number, which may differ in the new question: try every aggregate until the measurements are equal. Disjoint counts
 * are found by what they count. */
static scrim_status read_asked(const sc_record_statement *from, const side *old,
                               sc_arena *arena, side *out, places *at, bool *is_same,
                               scrim_error *error)
{
    *is_same = false;
    SC_TRY(read_numbers(from, arena, out, error));
    if (from->disjoint != 0) {
        out->disjoint = find_disjoint(old, out);
        SC_TRY(read_numbers(from, arena, out, error));
    }
    if (from->cells == 0) {
        *is_same = find_places(old, out, arena, at);
        return SCRIM_OK;
    }
    const sc_statistics without_cells = out->statistics;
    for (size_t i = 0; !*is_same && i < out->query->aggregate_count; i++)
        if (sc_statistics_may_have_cells(out->query, &without_cells, i)) {
            out->cells = i + 1;
            SC_TRY(read_numbers(from, arena, out, error));
            *is_same = find_places(old, out, arena, at);
        }
    return SCRIM_OK;
}

/* Views so far: which of them each statement of the record has become, counted from 1; 0: none. */
typedef struct views {
    size_t *numbers, count;
} views;

/* The view of the first statement of the record that measures the same and has not been used for another text. */
static scrim_status find_statement(const sc_record *record, const sc_schema *schema,
                                   sc_text text, views *so_far, sc_arena *arena,
                                   sc_record_statement *out, scrim_error *error)
{
    for (size_t i = 0; i < record->statement_count; i++) {
        const sc_record_statement *from = &record->statements[i];
        side old, asked;
        places at;
        if (so_far->numbers[i] > 0)
            continue;
        SC_TRY(read_query(from->text, record, schema, arena, &old, error));
        old.cells = from->cells;
        old.disjoint = from->disjoint;
        SC_TRY(read_numbers(from, arena, &old, error));
        SC_TRY(read_query(text, record, schema, arena, &asked, error));
        bool is_same = false;
        SC_TRY(read_asked(from, &old, arena, &asked, &at, &is_same, error));
        if (!is_same)
            continue;
        so_far->numbers[i] = ++so_far->count;
        const char *copy = sc_arena_copy(arena, text.start, text.bytes);
        if (copy == NULL || !view_statement(from, &old, &asked, &at, arena, out))
            return fail_view(error);
        out->text = (sc_text){copy, text.bytes};
        return SCRIM_OK;
    }
    return fail_view(error);
}

static scrim_status view(const sc_record *record, const sc_text *texts, size_t count,
                         sc_arena *arena, char **out, scrim_error *error)
{
    const sc_schema *schema = NULL;
    sc_record made = *record;
    sc_record_statement *statements = sc_arena_allocate(arena, count, sizeof *statements);
    views so_far = {sc_arena_allocate(arena, count, sizeof *so_far.numbers), 0};
    if (statements == NULL || so_far.numbers == NULL)
        return sc_no_memory(error, "an answer");
    if (record->statement_count != count)
        return fail_view(error);
    scrim_status status = sc_record_schema(record, &schema, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = find_statement(record, schema, texts[i], &so_far, arena, &statements[i],
                                error);
    sc_schema_free(schema);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (statements[i].cut_of > 0)
            statements[i].cut_of = so_far.numbers[statements[i].cut_of - 1];
    made.statements = statements;
    *out = sc_record_write(&made);
    return *out == NULL ? sc_no_memory(error, "an answer") : SCRIM_OK;
}

scrim_status sc_view_record(sc_text record, const sc_text *texts, size_t count,
                            char **out, scrim_error *error)
{
    sc_arena arena;
    sc_record read;
    sc_arena_init(&arena);
    scrim_status status = sc_record_read(record, &arena, &read, error);
    if (status == SCRIM_OK)
        status = view(&read, texts, count, &arena, out, error);
    /* Whatever else fails, parsing and planning included, means that record and question do not match. */
    if (status != SCRIM_OK && status != SCRIM_E_MEMORY)
        status = fail_view(error);
    sc_arena_clear(&arena);
    return status;
}

scrim_status sc_view_is_needed(sc_text record, const sc_text *texts, size_t count,
                               bool *is_needed, scrim_error *error)
{
    sc_arena arena;
    sc_record read;
    sc_arena_init(&arena);
    const scrim_status status = sc_record_read(record, &arena, &read, error);
    if (status == SCRIM_OK) {
        *is_needed = read.statement_count != count;
        for (size_t i = 0; !*is_needed && i < count; i++)
            *is_needed = !sc_text_equal(read.statements[i].text, texts[i]);
    }
    sc_arena_clear(&arena);
    return status;
}
