/* The rows of an answer: cells, order and limit. */
#include "query/answer/result_sheet.h"
#include "query/estimate/shown.h"
#include "query/language/key_text.h"
#include "query/language/set_query.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a ring, with their noise. */
#define MOST_ROWS ((sc_int128)1 << 100)

static scrim_status put_key(sc_sheet *s, sc_sheet_row *row, size_t key,
                            scrim_error *error)
{
    const sc_typed *typed = s->query->keys[key].value;
    const sc_key_part *part = &s->parts[key];
    sc_arena *arena = s->arena;
    if (sc_key_part_is_null(part)) {
        row->keys[key] = sc_null_text();
        return SCRIM_OK;
    }
    if (part->is_text) {
        const char *copy = sc_arena_copy(arena, part->text.start, part->text.bytes);
        row->keys[key] = (sc_text){copy, part->text.bytes};
        return copy == NULL ? sc_sheet_no_memory(error) : SCRIM_OK;
    }
    const size_t bytes = sc_key_text(typed, part->value, NULL, 0);
    char *text = sc_arena_allocate(arena, bytes + 1, 1);
    if (text == NULL)
        return sc_sheet_no_memory(error);
    (void)sc_key_text(typed, part->value, text, bytes + 1);
    row->keys[key] = (sc_text){text, bytes};
    return SCRIM_OK;
}

/* There is no value; the interval of a number is all that is possible. */
static void empty_cell(sc_sheet_row *row, size_t output)
{
    row->cells[output].value = "";
    row->cells[output].bytes = 0;
    row->values[output].is_empty = true;
}

/* A key that stands for all of its values comes behind NULL. */
static void put_all_cell(sc_sheet_row *row, size_t output)
{
    row->cells[output].is_null = row->cells[output].is_all = 1;
    empty_cell(row, output);
}

static scrim_status put_grouping_cell(const sc_sheet *s, sc_sheet_row *row, size_t output,
                                      scrim_error *error)
{
    sc_ratio *number = &row->values[output].number;
    const uint64_t grouping = sc_query_grouping(s->query, &s->query->outputs[output]);
    sc_ratio_set_int128(number, (sc_int128)grouping);
    const char *text = sc_shown_number(number, 0, s->arena);
    if (text == NULL)
        return sc_sheet_no_memory(error);
    row->cells[output] = (scrim_result_cell){.value = text, .bytes = strlen(text)};
    return SCRIM_OK;
}

static void put_key_cell(const sc_sheet *s, sc_sheet_row *row, size_t output)
{
    const size_t key = s->query->outputs[output].index;
    const sc_typed *typed = s->query->keys[key].value;
    if (sc_key_part_is_null(&s->parts[key])) {
        row->cells[output].is_null = 1;
        empty_cell(row, output);
        return;
    }
    row->cells[output] =
        (scrim_result_cell){.value = row->keys[key].start, .bytes = row->keys[key].bytes};
    row->values[output].text = row->keys[key];
    if (typed->type != SC_TYPE_TEXT)
        sc_extent_value(typed->extent.step, s->parts[key].value,
                        &row->values[output].number);
}

static const sc_int128 *numbers_of(const sc_sheet *s, const sc_record_row *row,
                                   size_t statistic)
{
    return statistic == SC_STATISTIC_NONE
               ? NULL
               : row->numbers + s->statistics.list[statistic].first;
}

static sc_int128 number_of(const sc_sheet *s, const sc_record_row *row, size_t statistic)
{
    const sc_int128 *numbers = numbers_of(s, row, statistic);
    return numbers == NULL ? 0 : numbers[0];
}

/* The rows of an aggregate, of one cell or of both. No draw is so large that their sum does not fit. */
static sc_int128 rows_of(const sc_sheet *s, const sc_record_row *row,
                         const sc_statistic_use *use)
{
    sc_int128 rows;
    return sc_int128_add(number_of(s, row, use->rows), number_of(s, row, use->missing),
                         &rows)
               ? rows
               : SC_RECORD_NO_NUMBER;
}

/* typed is what was aggregated; NULL: a number. */
static const char *value_text(const sc_sheet *s, sc_type type, const sc_typed *typed,
                              const sc_ratio *value, unsigned digits)
{
    if (type == SC_TYPE_RUNG)
        return sc_shown_rung(value, typed->rung, s->arena);
    if (type == SC_TYPE_DATE)
        return sc_shown_date(value, s->arena);
    return type == SC_TYPE_TIMESTAMP
               ? sc_shown_moment(value, s->query->schema->zone, s->arena)
               : sc_shown_number(value, digits, s->arena);
}

/* How many digits behind the point a column of estimates or arithmetic has. */
static unsigned own_digits(const sc_sheet *s, size_t output)
{
    const sc_query_output *own = &s->query->outputs[output];
    if (own->formula != NULL)
        return sc_formula_digits(s->formulas[output]);
    return s->consistent != NULL ? sc_estimator_whole_digits(s->estimators[own->index])
                                 : sc_estimator_digits(s->estimators[own->index]);
}

static unsigned digits_of(const sc_sheet *s, size_t output)
{
    return s->digits != NULL ? s->digits[output] : own_digits(s, output);
}

/* Both ends and the value, rounded as they are shown, with their texts. */
static scrim_status put_estimate(sc_sheet *s, sc_sheet_row *row, size_t output,
                                 sc_estimate *estimate, unsigned digits,
                                 scrim_error *error)
{
    const sc_type type = s->query->columns[output].type;
    const sc_query_output *from = &s->query->outputs[output];
    const sc_typed *typed =
        from->formula == NULL ? s->query->aggregates[from->index].value : NULL;
    const bool is_whole = sc_type_is_time(type) || type == SC_TYPE_RUNG;
    const char *texts[3];
    sc_ratio *const numbers[] = {&estimate->value, &estimate->low, &estimate->high};
    static const sc_shown_way ways[] = {SC_SHOWN_NEAREST, SC_SHOWN_DOWN, SC_SHOWN_UP};
    digits = is_whole ? 0 : digits > SC_SHOWN_DIGITS ? SC_SHOWN_DIGITS : digits;
    for (size_t i = 0; i < 3; i++) {
        sc_shown_round(numbers[i], digits, ways[i], numbers[i]);
        texts[i] = value_text(s, type, typed, numbers[i], digits);
        if (texts[i] == NULL)
            return sc_sheet_no_memory(error);
    }
    row->cells[output] = (scrim_result_cell){.value = texts[0],
                                             .bytes = strlen(texts[0]),
                                             .low = texts[1],
                                             .high = texts[2],
                                             .is_open = estimate->is_open,
                                             .is_beyond = estimate->is_beyond};
    sc_ratio_set(&row->values[output].number, &estimate->value);
    return SCRIM_OK;
}

/* Could a run have drawn these numbers? No: a quantile outside of its range, more rows than
 * there can be. */
static bool is_possible(const sc_sheet *s, size_t aggregate,
                        const sc_estimate_numbers *numbers)
{
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    if (numbers->quantiles == NULL || numbers->around == NULL)
        return use->quantiles == SC_STATISTIC_NONE;
    const sc_extent *extent = &s->query->aggregates[aggregate].value->extent;
    const sc_group_statistic *list = s->statistics.list;
    bool is = true;
    for (size_t i = 0; i < list[use->quantiles].count; i++)
        is &=
            numbers->quantiles[i] >= extent->low && numbers->quantiles[i] <= extent->high;
    for (size_t i = 0; i < list[use->around].count; i++)
        is &= numbers->around[i] <= MOST_ROWS && numbers->around[i] >= -MOST_ROWS;
    return is;
}

static sc_estimate_numbers estimate_numbers(const sc_sheet *s, const sc_record_row *from,
                                            size_t aggregate)
{
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    return (sc_estimate_numbers){.units = number_of(s, from, use->units),
                                 .rows = rows_of(s, from, use),
                                 .sum = number_of(s, from, use->sum),
                                 .squares = number_of(s, from, use->squares),
                                 .quantiles = numbers_of(s, from, use->quantiles),
                                 .p = use->p,
                                 .around = numbers_of(s, from, use->around)};
}

/* By the estimator. WITH RANGE there may be no value. */
static scrim_status estimate_value(const sc_sheet *s, const sc_record_row *from,
                                   size_t aggregate, const sc_estimator *estimator,
                                   sc_estimate *out, bool *is_none, scrim_error *error)
{
    const sc_estimate_numbers numbers = estimate_numbers(s, from, aggregate);
    *is_none = numbers.rows == SC_RECORD_NO_NUMBER || numbers.sum == SC_RECORD_NO_NUMBER;
    if (*is_none)
        return SCRIM_OK;
    return is_possible(s, aggregate, &numbers)
               ? sc_estimate_of(estimator, &numbers, out, error)
               : sc_sheet_unreadable(error);
}

/* By the bars of the histogram, of which there may be none. */
static scrim_status estimate_bars(const sc_sheet *s, const sc_record_row *from,
                                  size_t aggregate, sc_estimate *out, bool *is_none,
                                  scrim_error *error)
{
    const sc_group_statistic *statistic =
        &s->statistics.list[s->statistics.uses[aggregate].bars];
    const sc_record_bars *list = &from->histograms[statistic->histogram];
    const sc_bar_view *view = sc_sheet_view(s, aggregate);
    return sc_bar_is_possible(view, list->bars, list->count)
               ? sc_bar_estimate(&s->query->aggregates[aggregate], view, list->bars,
                                 list->count, out, is_none, error)
               : sc_sheet_unreadable(error);
}

/* Nothing is known. */
static void put_unknown(sc_sheet_row *row, size_t output)
{
    row->cells[output] = (scrim_result_cell){.low = "", .high = "", .is_open = 1};
    empty_cell(row, output);
}

static scrim_status put_value_cell(sc_sheet *s, sc_sheet_row *row,
                                   const sc_record_row *from, size_t output,
                                   scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_estimator *estimator = s->estimators[aggregate];
    bool is_none = false;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_estimate, estimate);
    if (s->consistent != NULL)
        sc_estimate_whole(estimator, s->consistent[aggregate][from - s->record->rows],
                          s->halves[aggregate], &estimate);
    else
        status =
            estimate_value(s, from, aggregate, estimator, &estimate, &is_none, error);
    if (status == SCRIM_OK && !is_none)
        return put_estimate(s, row, output, &estimate, digits_of(s, output), error);
    if (is_none)
        put_unknown(row, output);
    return status;
}

static scrim_status put_bars_cell(sc_sheet *s, sc_sheet_row *row,
                                  const sc_record_row *from, const sc_drawn_bar *bar,
                                  size_t output, scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    bool is_empty = false;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_estimate, estimate);
    if (bar != NULL)
        sc_bar_count_estimate(sc_sheet_view(s, aggregate), bar, &estimate);
    else
        status = estimate_bars(s, from, aggregate, &estimate, &is_empty, error);
    if (status == SCRIM_OK)
        status = put_estimate(s, row, output, &estimate,
                              bar != NULL ? 0 : sc_bar_digits(a), error);
    if (status == SCRIM_OK && is_empty)
        empty_cell(row, output);
    return status;
}

/* Arithmetic on aggregates. */

/* An end that there is not is no text. */
static scrim_status put_answer(sc_sheet *s, sc_sheet_row *row, size_t output,
                               sc_formula_answer *answer, scrim_error *error)
{
    const sc_formula_bounds *bounds = &answer->bounds;
    SC_OWN(sc_estimate, estimate);
    sc_ratio_set(&estimate.value, &answer->value.number);
    sc_ratio_set(&estimate.low, &bounds->low);
    sc_ratio_set(&estimate.high, &bounds->high);
    estimate.is_open = bounds->is_open;
    const scrim_status status =
        put_estimate(s, row, output, &estimate, digits_of(s, output), error);
    if (!bounds->has_low)
        row->cells[output].low = "";
    if (!bounds->has_high)
        row->cells[output].high = "";
    if (status == SCRIM_OK && answer->value.is_null)
        empty_cell(row, output);
    return status;
}

static scrim_status put_formula_cell(sc_sheet *s, sc_sheet_row *row,
                                     const sc_record_row *from, size_t output,
                                     scrim_error *error)
{
    const sc_formula_estimator *formula = s->formulas[output];
    const size_t count = sc_formula_apart_count(formula);
    sc_formula_known *apart = sc_allocate(count, sizeof *apart);
    scrim_status status = apart == NULL ? sc_sheet_no_memory(error) : SCRIM_OK;
    SC_OWN(sc_formula_answer, answer);
    for (size_t i = 0; apart != NULL && i < count; i++) {
        const sc_formula_apart *of = sc_formula_apart_at(formula, i);
        sc_estimate_init(&apart[i].estimate);
        if (status != SCRIM_OK)
            continue;
        status = of->estimator == NULL
                     ? estimate_bars(s, from, of->aggregate, &apart[i].estimate,
                                     &apart[i].is_null, error)
                     : estimate_value(s, from, of->aggregate, of->estimator,
                                      &apart[i].estimate, &apart[i].is_null, error);
    }
    if (status == SCRIM_OK)
        status = sc_formula_estimate_of(formula, from->numbers, apart, &answer, error);
    if (status == SCRIM_OK)
        status = put_answer(s, row, output, &answer, error);
    for (size_t i = 0; apart != NULL && i < count; i++)
        sc_estimate_clear(&apart[i].estimate);
    sc_free(apart);
    return status;
}

/* Which bucket a row is about. */
static scrim_status put_bucket_cell(sc_sheet *s, sc_sheet_row *row, size_t output,
                                    scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    sc_ratio *value = &row->values[output].number;
    sc_bar_bucket(a, sc_sheet_view(s, aggregate), row->place, value);
    const char *text = value_text(s, a->value->type, a->value, value, sc_bar_digits(a));
    if (text == NULL)
        return sc_sheet_no_memory(error);
    row->cells[output] = (scrim_result_cell){.value = text, .bytes = strlen(text)};
    return SCRIM_OK;
}

/* The values of a new row. Numbers of any size take much memory, and are kept only where rows are
 * chosen or ordered by them. */
static bool take_values(const sc_sheet *s, sc_sheet_row *row)
{
    const sc_query *query = s->query;
    const bool is_kept = query->having != NULL || query->order_count > 0;
    row->values =
        !is_kept && row != s->rows
            ? s->rows[0].values
            : sc_arena_allocate(s->arena, query->output_count, sizeof *row->values);
    return row->values != NULL;
}

static void clear_values(const sc_sheet *s, const sc_sheet_row *row)
{
    const bool is_new = row == s->rows || row->values != s->rows[0].values;
    for (size_t i = 0; i < s->query->output_count; i++) {
        row->values[i].is_empty = false;
        if (is_new)
            sc_ratio_init(&row->values[i].number);
    }
}

/* Keys in the order of GROUP BY, each behind a sign that puts one that stands for all of its values last. */
static scrim_status set_tuple(const sc_sheet *s, sc_sheet_row *row, scrim_error *error)
{
    const sc_query *query = s->query;
    size_t bytes = query->all_key_count, at = 0;
    for (size_t i = 0; i < query->key_count; i++)
        bytes += sc_key_tuple_bytes(&s->parts[i], 1);
    char *tuple = sc_arena_allocate(s->arena, bytes, 1);
    if (tuple == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < query->all_key_count; i++) {
        const size_t place = query->key_places[i];
        const bool is_all = place >= query->key_count;
        tuple[at++] = is_all;
        if (is_all)
            continue;
        sc_key_tuple_write(&s->parts[place], 1, tuple + at);
        at += sc_key_tuple_bytes(&s->parts[place], 1);
    }
    row->tuple = (sc_text){tuple, bytes};
    return SCRIM_OK;
}

/* bar is what the row is about, where an aggregate gives a row a bucket; else NULL. */
static scrim_status make_row(sc_sheet *s, const sc_record_row *from,
                             const sc_drawn_bar *bar, scrim_error *error)
{
    sc_arena *arena = s->arena;
    const size_t outputs = s->query->output_count, keys = s->query->key_count;
    sc_sheet_row *row = &s->rows[s->row_count];
    row->sheet = s;
    row->place = bar == NULL ? 0 : bar->place;
    row->tuple = from->key;
    row->keys = sc_arena_allocate(arena, keys, sizeof *row->keys);
    row->cells = sc_arena_allocate(arena, outputs, sizeof *row->cells);
    if (row->keys == NULL || row->cells == NULL || !take_values(s, row))
        return sc_sheet_no_memory(error);
    clear_values(s, row);
    s->row_count++; /* from here on it is cleared with the others */
    if (!sc_key_tuple_read(from->key, s->parts, keys))
        return sc_sheet_unreadable(error);
    scrim_status status = SCRIM_OK;
    if (s->query->set > 0)
        status = set_tuple(s, row, error);
    for (size_t i = 0; status == SCRIM_OK && i < keys; i++)
        status = put_key(s, row, i, error);
    for (size_t i = 0; status == SCRIM_OK && i < outputs; i++) {
        const sc_query_output *output = &s->query->outputs[i];
        if (sc_query_output_is_grouping(output))
            status = put_grouping_cell(s, row, i, error);
        else if (sc_query_output_is_all(s->query, output))
            put_all_cell(row, i);
        else if (output->is_key)
            put_key_cell(s, row, i);
        else if (output->is_bucket)
            status = put_bucket_cell(s, row, i, error);
        else if (output->formula != NULL)
            status = put_formula_cell(s, row, from, i, error);
        else if (s->estimators[output->index] == NULL)
            status = put_bars_cell(s, row, from, bar, i, error);
        else
            status = put_value_cell(s, row, from, i, error);
    }
    return status;
}

/* The histogram whose buckets have a row each; NULL: a group has one. */
static const sc_record_bars *list_of(const sc_sheet *s, const sc_record_row *from)
{
    if (s->query->aggregates[0].kind->shape == SC_SHAPE_VALUE)
        return NULL;
    return &from->histograms[s->statistics.list[s->statistics.uses[0].bars].histogram];
}

static bool is_shown(const sc_sheet *s, const sc_drawn_bar *bar)
{
    return sc_bar_is_shown(&s->query->aggregates[0], sc_sheet_view(s, 0), bar);
}

static scrim_status make_group(sc_sheet *s, const sc_record_row *from, scrim_error *error)
{
    const sc_record_bars *list = list_of(s, from);
    scrim_status status = SCRIM_OK;
    if (list == NULL)
        return make_row(s, from, NULL, error);
    if (!sc_bar_is_possible(sc_sheet_view(s, 0), list->bars, list->count))
        return sc_sheet_unreadable(error);
    for (size_t i = 0; status == SCRIM_OK && i < list->count; i++)
        if (is_shown(s, &list->bars[i]))
            status = make_row(s, from, &list->bars[i], error);
    return status;
}

static size_t count_rows(const sc_sheet *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->record->row_count; i++) {
        const sc_record_bars *list = list_of(s, &s->record->rows[i]);
        count += list == NULL;
        for (size_t k = 0; list != NULL && k < list->count; k++)
            count += is_shown(s, &list->bars[k]);
    }
    return count;
}

/* A value that noise alone decides is not shown, and its row comes last, either way: else "ORDER BY x DESC" would begin with
 * noise. This follows from released numbers. */
static bool sets_apart(const sc_sheet_row *row, size_t output)
{
    return !row->sheet->query->outputs[output].is_key && !row->values[output].is_empty &&
           sc_result_is_unusable(&row->cells[output]);
}

static int by_order(const void *left, const void *right)
{
    const sc_sheet_row *a = left, *b = right;
    const sc_query *query = a->sheet->query;
    for (size_t i = 0; i < query->order_count; i++) {
        const sc_query_order *order = &query->orders[i];
        const sc_released_value *x = &a->values[order->output],
                                *y = &b->values[order->output];
        if (x->is_empty || y->is_empty) {
            /* Missing numbers come last, either way. */
            const bool turns = order->descending && query->outputs[order->output].is_key;
            if (x->is_empty != y->is_empty)
                return x->is_empty == turns ? -1 : 1;
            continue;
        }
        if (sets_apart(a, order->output) != sets_apart(b, order->output))
            return sets_apart(a, order->output) ? 1 : -1;
        const int compared =
            sc_released_compare(query->columns[order->output].type, x, y);
        if (compared != 0)
            return order->descending ? -compared : compared;
    }
    const int compared = sc_text_compare(a->tuple, b->tuple);
    if (compared != 0)
        return compared;
    return (a->place > b->place) - (a->place < b->place);
}

/* HAVING, ORDER BY and LIMIT. */
static scrim_status arrange(sc_sheet_row *rows, size_t count, sc_arena *arena,
                            sc_result_statement *out, scrim_error *error)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    out->rows = sc_arena_allocate(arena, count, sizeof *out->rows);
    if (out->rows == NULL)
        return sc_sheet_no_memory(error);
    qsort(rows, count, sizeof *rows, by_order);
    for (size_t i = 0; i < count; i++) {
        const sc_query *query = rows[i].sheet->query;
        if (query->having != NULL && !sc_released_holds(query->having, rows[i].values))
            continue;
        if (query->has_limit && out->row_count >= query->limit) {
            out->next = rows[i].cells;
            break;
        }
        out->rows[out->row_count++] = rows[i].cells;
    }
    return SCRIM_OK;
}

static scrim_status make_rows(sc_sheet *s, scrim_error *error)
{
    sc_arena *arena = s->arena;
    scrim_status status = SCRIM_OK;
    s->parts = sc_arena_allocate(arena, s->query->key_count, sizeof *s->parts);
    s->rows = sc_arena_allocate(arena, count_rows(s), sizeof *s->rows);
    if (s->parts == NULL || s->rows == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < s->query->key_count; i++)
        s->parts[i].is_text = sc_typed_is_text(s->query->keys[i].value);
    for (size_t i = 0; status == SCRIM_OK && i < s->record->row_count; i++)
        status = make_group(s, &s->record->rows[i], error);
    return status;
}

/* A column has as many digits in all sets as in the one that has most. */
static scrim_status share_digits(sc_sheet *sheets, size_t count, scrim_error *error)
{
    const sc_query *query = sheets[0].query;
    unsigned *digits =
        sc_arena_allocate(sheets[0].arena, query->output_count, sizeof *digits);
    if (digits == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < query->output_count; k++) {
            const unsigned own = query->outputs[k].is_key ? 0 : own_digits(&sheets[i], k);
            digits[k] = own > digits[k] ? own : digits[k];
        }
    for (size_t i = 0; i < count; i++)
        sheets[i].digits = digits;
    return SCRIM_OK;
}

scrim_status sc_sheet_rows(sc_sheet *sheets, size_t count, sc_result_statement *out,
                           scrim_error *error)
{
    sc_arena *arena = sheets[0].arena;
    scrim_status status = count > 1 ? share_digits(sheets, count, error) : SCRIM_OK;
    size_t all = 0;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = make_rows(&sheets[i], error);
        all += sheets[i].row_count;
    }
    if (status != SCRIM_OK || count == 1)
        return status == SCRIM_OK ? arrange(sheets[0].rows, all, arena, out, error)
                                  : status;
    sc_sheet_row *rows = sc_arena_allocate(arena, all, sizeof *rows);
    if (rows == NULL)
        return sc_sheet_no_memory(error);
    for (size_t i = 0, at = 0; i < count; at += sheets[i++].row_count)
        if (sheets[i].row_count > 0)
            memcpy(rows + at, sheets[i].rows, sheets[i].row_count * sizeof *rows);
    return arrange(rows, all, arena, out, error);
}
