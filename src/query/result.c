#include "query/result.h"

#include "query/bar_answer.h"
#include "query/key_text.h"
#include "query/key_tuple.h"
#include "query/shown.h"

#include <stdlib.h>
#include <string.h>

typedef struct result_statement {
    const char *text;
    scrim_result_column *columns;
    size_t column_count;
    scrim_result_cell **rows; /* in the order in which they are shown */
    size_t row_count;
} result_statement;

struct scrim_result {
    scrim_result_facts facts;
    result_statement *statements;
    sc_arena arena;
};

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "no memory for the answer of a query");
}

static scrim_status unreadable(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the answer is recorded in a form that this version cannot read");
}

/* A statement on its way from record to result. */

/* A row: its outputs as they are compared, its keys as texts, its cells. */
typedef struct sheet_row {
    const struct sheet *sheet;
    sc_released_value *values;
    sc_text *keys;
    uint64_t place; /* of the bucket that it is about, where it is about one */
    scrim_result_cell *cells;
} sheet_row;

typedef struct sheet {
    scrim_result *result;
    const sc_record_statement *record;
    const sc_query *query;
    sc_statistics statistics;
    scrim_measurement **measurements; /* by part */
    sc_estimator **estimators;        /* by aggregate; NULL where it is made of bars */
    sc_bar_view *views;               /* by histogram */
    sc_key_part *parts;               /* of a key */
    uint64_t max_rows;                /* of a unit in a group */
    bool
        is_beyond; /* the confidence is above that for which quantiles' ends were drawn */
    sheet_row *rows;
    size_t row_count;
} sheet;

static const scrim_measurement *measurement_of(const sheet *s, size_t statistic)
{
    const scrim_measurement *selection = NULL;
    if (statistic == SC_STATISTIC_NONE)
        return NULL;
    for (size_t i = 0; i < s->record->part_count; i++) {
        if (s->record->statistics[i] == statistic)
            return s->measurements[i];
        if (s->record->statistics[i] == SC_STATISTIC_NONE)
            selection = s->measurements[i];
    }
    /* The counts that the selection has shown. */
    return s->statistics.list[statistic].kind == SC_STATISTIC_UNITS ? selection : NULL;
}

static scrim_status parse_measurements(sheet *s, scrim_error *error)
{
    sc_arena *arena = &s->result->arena;
    const size_t count = s->record->part_count;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    s->measurements = sc_arena_allocate(arena, count, sizeof *s->measurements);
    scrim_status status = s->measurements == NULL ? no_memory(error) : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_text text = s->record->measurements[i];
        const char *line = sc_arena_copy(arena, text.start, text.bytes);
        if (line == NULL)
            return no_memory(error);
        status = scrim_measurement_parse(line, &s->measurements[i], error);
    }
    return status;
}

/* The buckets are those of the record, since the plan may have chosen them. */
static scrim_status make_views(sheet *s, scrim_error *error)
{
    s->views = sc_arena_allocate(&s->result->arena, s->statistics.histogram_count,
                                 sizeof *s->views);
    if (s->views == NULL)
        return no_memory(error);
    for (size_t i = 0; i < s->statistics.count; i++) {
        const sc_statistic *statistic = &s->statistics.list[i];
        if (statistic->kind != SC_STATISTIC_BARS)
            continue;
        const scrim_measurement *measurement = measurement_of(s, i);
        if (measurement == NULL ||
            !sc_bar_view_set(&s->statistics, i, s->record->widths[statistic->histogram],
                             measurement, s->max_rows, &s->views[statistic->histogram]))
            return unreadable(error);
    }
    return SCRIM_OK;
}

static const sc_bar_view *view_of(const sheet *s, size_t aggregate)
{
    return &s->views[s->statistics.list[s->statistics.uses[aggregate].bars].histogram];
}

/* The ends of quantiles' intervals were drawn for the confidence of the record: for a lower one they
 * are conservative. */
static scrim_status make_estimators(sheet *s, const sc_ratio *confidence,
                                    const sc_ratio *recorded, scrim_error *error)
{
    const size_t count = s->query->aggregate_count;
    scrim_status status = make_views(s, error);
    if (status != SCRIM_OK)
        return status;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    s->estimators = sc_arena_allocate(&s->result->arena, count, sizeof *s->estimators);
    if (s->estimators == NULL)
        return no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_statistic_use *use = &s->statistics.uses[i];
        if (use->bars != SC_STATISTIC_NONE)
            continue;
        const sc_estimate_sources sources = {.units = measurement_of(s, use->units),
                                             .rows = measurement_of(s, use->rows),
                                             .sum = measurement_of(s, use->sum),
                                             .squares = measurement_of(s, use->squares),
                                             .quantiles =
                                                 measurement_of(s, use->quantiles),
                                             .below = measurement_of(s, use->below),
                                             .above = measurement_of(s, use->above)};
        status = sc_estimator_new(
            &s->query->aggregates[i],
            use->sum == SC_STATISTIC_NONE ? NULL : &s->statistics.list[use->sum],
            &sources, use->below == SC_STATISTIC_NONE ? confidence : recorded,
            &s->estimators[i], error);
    }
    return status;
}

/* Columns. */

static scrim_output_kind kind_of(const sc_query_output *output, sc_type type)
{
    if (!output->is_key && !output->is_bucket)
        return type == SC_TYPE_DATE ? SCRIM_OUTPUT_DATE_VALUE : SCRIM_OUTPUT_VALUE;
    switch (type) {
    case SC_TYPE_NUMBER:
        return SCRIM_OUTPUT_NUMBER;
    case SC_TYPE_DATE:
        return SCRIM_OUTPUT_DATE;
    case SC_TYPE_BOOL:
        return SCRIM_OUTPUT_BOOL;
    case SC_TYPE_TEXT:
        break;
    }
    return SCRIM_OUTPUT_TEXT;
}

/* Has a number no part of its own? Then it is what the selection of keys has shown. */
static bool is_shown_by_selection(const sheet *s, size_t statistic)
{
    for (size_t i = 0; i < s->record->part_count; i++)
        if (s->record->statistics[i] == statistic)
            return false;
    return statistic != SC_STATISTIC_NONE;
}

/* What is true of every interval, that it is about what was kept, is not said of each. */
static const char *note_of(const sheet *s, const sc_query_output *output)
{
    if (output->is_key)
        return NULL;
    switch (s->query->aggregates[output->index].kind) {
    case SC_AGGREGATE_QUANTILE:
        return "intervals of quantiles are conservative: where values repeat, wider than "
               "needed";
    case SC_AGGREGATE_VAR:
    case SC_AGGREGATE_VAR_POP:
    case SC_AGGREGATE_STDDEV:
    case SC_AGGREGATE_STDDEV_POP:
        return "intervals of variances and deviations are conservative";
    case SC_AGGREGATE_COUNT_UNITS:
        return is_shown_by_selection(s, s->statistics.uses[output->index].units)
                   ? "counts are shown where they reach a threshold: intervals hold over "
                     "all "
                     "groups, shown or not; counts that hardly reach it are too large on "
                     "average"
                   : NULL;
    case SC_AGGREGATE_COUNT:
    case SC_AGGREGATE_SUM:
        return s->query->aggregates[output->index].with_range
                   ? "intervals of WITH RANGE hold with certainty"
                   : NULL;
    case SC_AGGREGATE_AVG:
    case SC_AGGREGATE_MIN:
    case SC_AGGREGATE_MAX:
    case SC_AGGREGATE_RANGE:
    case SC_AGGREGATE_MODE:
    case SC_AGGREGATE_MAX_K:
    case SC_AGGREGATE_SUPPORT:
    case SC_AGGREGATE_HISTOGRAM:
        break;
    }
    return NULL;
}

/* Once for each aggregate: of a histogram's two columns the first has none. */
static scrim_status set_certificate(sheet *s, size_t output, scrim_result_column *out,
                                    scrim_error *error)
{
    const sc_query_output *own = &s->query->outputs[output];
    const sc_query_aggregate *a = own->is_key ? NULL : &s->query->aggregates[own->index];
    if (a == NULL || !sc_aggregate_is_bars(a->kind) ||
        (own->is_bucket && a->kind == SC_AGGREGATE_HISTOGRAM))
        return SCRIM_OK;
    out->certificate = sc_bar_certificate(a, view_of(s, own->index), &s->result->arena);
    return out->certificate == NULL ? no_memory(error) : SCRIM_OK;
}

static scrim_status make_columns(sheet *s, result_statement *out, scrim_error *error)
{
    sc_arena *arena = &s->result->arena;
    out->column_count = s->query->output_count;
    out->columns = sc_arena_allocate(arena, out->column_count, sizeof *out->columns);
    out->text = sc_arena_copy(arena, s->record->text.start, s->record->text.bytes);
    if (out->columns == NULL || out->text == NULL)
        return no_memory(error);
    for (size_t i = 0; i < out->column_count; i++) {
        const sc_released_output *column = &s->query->columns[i];
        scrim_result_column *shown = &out->columns[i];
        shown->name = sc_arena_copy(arena, column->name.start, column->name.bytes);
        shown->kind = kind_of(&s->query->outputs[i], column->type);
        shown->note = note_of(s, &s->query->outputs[i]);
        if (shown->name == NULL)
            return no_memory(error);
        const scrim_status status = set_certificate(s, i, shown, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* Rows. */

static scrim_status put_key(sheet *s, sheet_row *row, size_t key, scrim_error *error)
{
    const sc_typed *typed = s->query->keys[key].value;
    const sc_key_part *part = &s->parts[key];
    sc_arena *arena = &s->result->arena;
    if (part->is_text) {
        const char *copy = sc_arena_copy(arena, part->text.start, part->text.bytes);
        row->keys[key] = (sc_text){copy, part->text.bytes};
        return copy == NULL ? no_memory(error) : SCRIM_OK;
    }
    const size_t bytes = sc_key_text(typed, part->value, NULL, 0);
    char *text = sc_arena_allocate(arena, bytes + 1, 1);
    if (text == NULL)
        return no_memory(error);
    (void)sc_key_text(typed, part->value, text, bytes + 1);
    row->keys[key] = (sc_text){text, bytes};
    return SCRIM_OK;
}

static void put_key_cell(const sheet *s, sheet_row *row, size_t output)
{
    const size_t key = s->query->outputs[output].index;
    const sc_typed *typed = s->query->keys[key].value;
    row->cells[output] =
        (scrim_result_cell){.value = row->keys[key].start, .bytes = row->keys[key].bytes};
    row->values[output].text = row->keys[key];
    if (typed->type != SC_TYPE_TEXT)
        sc_extent_value(typed->extent.step, s->parts[key].value,
                        &row->values[output].number);
}

static sc_int128 number_of(const sheet *s, const sc_record_row *row, size_t statistic,
                           size_t p)
{
    return statistic == SC_STATISTIC_NONE
               ? 0
               : row->numbers[s->statistics.list[statistic].first + p];
}

/* Both ends and the value, rounded as they are shown, with their texts. */
static scrim_status put_estimate(sheet *s, sheet_row *row, size_t output,
                                 sc_estimate *estimate, unsigned digits,
                                 scrim_error *error)
{
    sc_arena *arena = &s->result->arena;
    const bool is_date = s->query->columns[output].type == SC_TYPE_DATE;
    const char *texts[3];
    sc_ratio *const numbers[] = {&estimate->value, &estimate->low, &estimate->high};
    static const sc_shown_way ways[] = {SC_SHOWN_NEAREST, SC_SHOWN_DOWN, SC_SHOWN_UP};
    digits = is_date ? 0 : digits > SC_SHOWN_DIGITS ? SC_SHOWN_DIGITS : digits;
    for (size_t i = 0; i < 3; i++) {
        sc_shown_round(numbers[i], digits, ways[i], numbers[i]);
        texts[i] = is_date ? sc_shown_date(numbers[i], arena)
                           : sc_shown_number(numbers[i], digits, arena);
        if (texts[i] == NULL)
            return no_memory(error);
    }
    row->cells[output] = (scrim_result_cell){.value = texts[0],
                                             .bytes = strlen(texts[0]),
                                             .low = texts[1],
                                             .high = texts[2],
                                             .is_open = estimate->is_open};
    sc_ratio_set(&row->values[output].number, &estimate->value);
    return SCRIM_OK;
}

/* All that is possible. */
static void open_interval(const sc_extent *extent, sc_estimate *estimate)
{
    sc_extent_value(extent->step, extent->low, &estimate->low);
    sc_extent_value(extent->step, extent->high, &estimate->high);
    estimate->is_open = true;
}

static scrim_status put_value_cell(sheet *s, sheet_row *row, const sc_record_row *from,
                                   size_t output, scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    const sc_estimator *estimator = s->estimators[aggregate];
    const sc_estimate_numbers numbers = {.units = number_of(s, from, use->units, 0),
                                         .rows = number_of(s, from, use->rows, 0),
                                         .sum = number_of(s, from, use->sum, 0),
                                         .squares = number_of(s, from, use->squares, 0),
                                         .quantile =
                                             number_of(s, from, use->quantiles, use->p),
                                         .below = number_of(s, from, use->below, use->p),
                                         .above = number_of(s, from, use->above, use->p)};
    sc_estimate estimate;
    sc_estimate_init(&estimate);
    scrim_status status = sc_estimate_of(estimator, &numbers, &estimate, error);
    if (s->is_beyond && use->below != SC_STATISTIC_NONE)
        open_interval(&s->query->aggregates[aggregate].value->extent, &estimate);
    if (status == SCRIM_OK)
        status = put_estimate(s, row, output, &estimate, sc_estimator_digits(estimator),
                              error);
    sc_estimate_clear(&estimate);
    return status;
}

/* There is no value; the interval is all that is possible. */
static void empty_cell(sheet_row *row, size_t output)
{
    row->cells[output].value = "";
    row->cells[output].bytes = 0;
    row->values[output].is_empty = true;
}

static scrim_status put_bars_cell(sheet *s, sheet_row *row, const sc_record_row *from,
                                  const sc_bar *bar, size_t output, scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const sc_bar_view *view = view_of(s, aggregate);
    const sc_statistic *statistic =
        &s->statistics.list[s->statistics.uses[aggregate].bars];
    bool is_empty = false;
    scrim_status status = SCRIM_OK;
    sc_estimate estimate;
    sc_estimate_init(&estimate);
    if (bar != NULL)
        sc_bar_count_estimate(view, bar, &estimate);
    else
        status = sc_bar_estimate(a, view, &from->histograms[statistic->histogram],
                                 &estimate, &is_empty, error);
    if (status == SCRIM_OK)
        status = put_estimate(s, row, output, &estimate,
                              bar != NULL ? 0 : sc_bar_digits(a), error);
    if (status == SCRIM_OK && is_empty)
        empty_cell(row, output);
    sc_estimate_clear(&estimate);
    return status;
}

/* Which bucket a row is about. */
static scrim_status put_bucket_cell(sheet *s, sheet_row *row, const sc_bar *bar,
                                    size_t output, scrim_error *error)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    sc_ratio *value = &row->values[output].number;
    sc_bar_bucket(a, view_of(s, aggregate), bar, value);
    const char *text = a->value->type == SC_TYPE_DATE
                           ? sc_shown_date(value, &s->result->arena)
                           : sc_shown_number(value, sc_bar_digits(a), &s->result->arena);
    if (text == NULL)
        return no_memory(error);
    row->cells[output] = (scrim_result_cell){.value = text, .bytes = strlen(text)};
    return SCRIM_OK;
}

/* bar is what the row is about, where an aggregate gives a row a bucket; else NULL. */
static scrim_status make_row(sheet *s, const sc_record_row *from, const sc_bar *bar,
                             scrim_error *error)
{
    sc_arena *arena = &s->result->arena;
    const size_t outputs = s->query->output_count, keys = s->query->key_count;
    sheet_row *row = &s->rows[s->row_count];
    row->sheet = s;
    row->place = bar == NULL ? 0 : bar->place;
    row->values = sc_arena_allocate(arena, outputs, sizeof *row->values);
    row->keys = sc_arena_allocate(arena, keys, sizeof *row->keys);
    row->cells = sc_arena_allocate(arena, outputs, sizeof *row->cells);
    if (row->values == NULL || row->keys == NULL || row->cells == NULL)
        return no_memory(error);
    for (size_t i = 0; i < outputs; i++)
        sc_ratio_init(&row->values[i].number);
    s->row_count++; /* from here on it is cleared with the others */
    if (!sc_key_tuple_read(from->key, s->parts, keys))
        return unreadable(error);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < keys; i++)
        status = put_key(s, row, i, error);
    for (size_t i = 0; status == SCRIM_OK && i < outputs; i++) {
        const sc_query_output *output = &s->query->outputs[i];
        if (output->is_key)
            put_key_cell(s, row, i);
        else if (output->is_bucket)
            status = put_bucket_cell(s, row, bar, i, error);
        else if (s->estimators[output->index] == NULL)
            status = put_bars_cell(s, row, from, bar, i, error);
        else
            status = put_value_cell(s, row, from, i, error);
    }
    return status;
}

/* The histogram whose buckets have a row each; NULL: a group has one. */
static const sc_record_bars *list_of(const sheet *s, const sc_record_row *from)
{
    if (!sc_aggregate_is_list(s->query->aggregates[0].kind))
        return NULL;
    return &from->histograms[s->statistics.list[s->statistics.uses[0].bars].histogram];
}

static scrim_status make_group(sheet *s, const sc_record_row *from, scrim_error *error)
{
    const sc_record_bars *list = list_of(s, from);
    scrim_status status = SCRIM_OK;
    if (list == NULL)
        return make_row(s, from, NULL, error);
    if (list->count > 0 && list->bars[list->count - 1].place >= s->views[0].grid.count)
        return unreadable(error);
    for (size_t i = 0; status == SCRIM_OK && i < list->count; i++)
        status = make_row(s, from, &list->bars[i], error);
    return status;
}

static size_t count_rows(const sheet *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->record->row_count; i++) {
        const sc_record_bars *list = list_of(s, &s->record->rows[i]);
        count += list == NULL ? 1 : list->count;
    }
    return count;
}

static int by_order(const void *left, const void *right)
{
    const sheet_row *a = left, *b = right;
    const sc_query *query = a->sheet->query;
    for (size_t i = 0; i < query->order_count; i++) {
        const sc_query_order *order = &query->orders[i];
        const sc_released_value *x = &a->values[order->output],
                                *y = &b->values[order->output];
        if (x->is_empty || y->is_empty) {
            if (x->is_empty != y->is_empty)
                return x->is_empty ? 1 : -1;
            continue;
        }
        const int compared =
            sc_released_compare(query->columns[order->output].type, x, y);
        if (compared != 0)
            return order->descending ? -compared : compared;
    }
    for (size_t i = 0; i < query->key_count; i++) {
        const int compared = sc_text_compare(a->keys[i], b->keys[i]);
        if (compared != 0)
            return compared;
    }
    return (a->place > b->place) - (a->place < b->place);
}

/* HAVING, ORDER BY and LIMIT. */
static scrim_status arrange(sheet *s, result_statement *out, scrim_error *error)
{
    const sc_query *query = s->query;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    out->rows = sc_arena_allocate(&s->result->arena, s->row_count, sizeof *out->rows);
    if (out->rows == NULL)
        return no_memory(error);
    qsort(s->rows, s->row_count, sizeof *s->rows, by_order);
    for (size_t i = 0; i < s->row_count; i++) {
        if (query->has_limit && out->row_count >= query->limit)
            break;
        if (query->having == NULL || sc_released_holds(query->having, s->rows[i].values))
            out->rows[out->row_count++] = s->rows[i].cells;
    }
    return SCRIM_OK;
}

static scrim_status make_rows(sheet *s, result_statement *out, scrim_error *error)
{
    sc_arena *arena = &s->result->arena;
    scrim_status status = SCRIM_OK;
    s->parts = sc_arena_allocate(arena, s->query->key_count, sizeof *s->parts);
    s->rows = sc_arena_allocate(arena, count_rows(s), sizeof *s->rows);
    if (s->parts == NULL || s->rows == NULL)
        return no_memory(error);
    for (size_t i = 0; i < s->query->key_count; i++)
        s->parts[i].is_text = sc_typed_is_text_column(s->query->keys[i].value);
    for (size_t i = 0; status == SCRIM_OK && i < s->record->row_count; i++)
        status = make_group(s, &s->record->rows[i], error);
    if (status == SCRIM_OK)
        status = arrange(s, out, error);
    return status;
}

/* Does the record have what the statement needs? */
static bool fits(const sheet *s)
{
    if (s->record->number_count != s->statistics.number_count ||
        s->record->histogram_count != s->statistics.histogram_count)
        return false;
    for (size_t i = 0; i < s->record->part_count; i++)
        if (s->record->statistics[i] != SC_STATISTIC_NONE &&
            s->record->statistics[i] >= s->statistics.count)
            return false;
    return true;
}

static scrim_status make_statement(scrim_result *result, const sc_record *record,
                                   const sc_record_statement *from,
                                   const sc_schema *schema, const sc_ratio *confidence,
                                   const sc_ratio *recorded, result_statement *out,
                                   scrim_error *error)
{
    sheet s = {.result = result,
               .record = from,
               .max_rows = schema->unit.bytes > 0 ? schema->max_rows : 1,
               .is_beyond = sc_ratio_compare(confidence, recorded) > 0};
    sc_refusal refusal = {.error = error};
    scrim_status status = sc_validate(from->text, record->dataset, schema, &result->arena,
                                      &s.query, &refusal);
    if (status == SCRIM_OK)
        status = sc_statistics_of(s.query, &result->arena, &s.statistics, error);
    if (status == SCRIM_OK && !fits(&s))
        status = unreadable(error);
    if (status == SCRIM_OK)
        status = parse_measurements(&s, error);
    if (status == SCRIM_OK)
        status = make_estimators(&s, confidence, recorded, error);
    if (status == SCRIM_OK)
        status = make_columns(&s, out, error);
    if (status == SCRIM_OK)
        status = make_rows(&s, out, error);
    for (size_t i = 0; i < s.row_count; i++)
        for (size_t k = 0; k < s.query->output_count; k++)
            sc_ratio_clear(&s.rows[i].values[k].number);
    for (size_t i = 0; s.estimators != NULL && i < s.query->aggregate_count; i++)
        sc_estimator_free(s.estimators[i]);
    for (size_t i = 0; s.measurements != NULL && i < from->part_count; i++)
        scrim_measurement_free(s.measurements[i]);
    return status;
}

/* The whole. */

static bool put_word(char to[SCRIM_NUMBER_BYTES], sc_text word)
{
    if (word.bytes >= SCRIM_NUMBER_BYTES)
        return false;
    if (word.bytes > 0)
        memcpy(to, word.start, word.bytes);
    to[word.bytes] = '\0';
    return true;
}

static scrim_status make_facts(scrim_result *result, const sc_record *record,
                               const sc_schema *schema, const sc_ratio *confidence,
                               const sc_result_origin *origin, scrim_error *error)
{
    scrim_result_facts *facts = &result->facts;
    char text[SC_RATIO_TEXT_BYTES];
    const size_t length = sc_ratio_format(confidence, text, sizeof text);
    facts->release = origin->release;
    facts->time = origin->time;
    facts->is_repeated = origin->is_repeated;
    facts->version = record->version;
    facts->statements = record->statement_count;
    facts->dataset =
        sc_arena_copy(&result->arena, record->dataset.start, record->dataset.bytes);
    facts->confidence = sc_arena_copy(&result->arena, text, length);
    facts->unit =
        schema->unit.bytes == 0
            ? "row"
            : sc_arena_copy(&result->arena, schema->unit.start, schema->unit.bytes);
    facts->max_groups = schema->max_groups;
    facts->max_rows = schema->max_rows;
    facts->cost.neighbours = schema->neighbours;
    if (!put_word(facts->cost.epsilon, record->cost_epsilon) ||
        !put_word(facts->cost.delta, record->cost_delta) ||
        !put_word(facts->cost.rho, record->cost_rho))
        return unreadable(error);
    result->statements = sc_arena_allocate(&result->arena, record->statement_count,
                                           sizeof *result->statements);
    return facts->dataset == NULL || facts->confidence == NULL || facts->unit == NULL ||
                   result->statements == NULL
               ? no_memory(error)
               : SCRIM_OK;
}

static scrim_status parse_confidence(sc_text text, sc_ratio *out, scrim_error *error)
{
    const scrim_status status = sc_ratio_parse(text, out, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(out) <= 0 || sc_ratio_compare_int64(out, 1) >= 0))
        return sc_fail(error, SCRIM_E_PARAM, "confidence: above 0 and below 1");
    return status;
}

static scrim_status make_result(scrim_result *result, sc_text text, const sc_ratio *asked,
                                const sc_result_origin *origin, scrim_error *error)
{
    const sc_schema *schema = NULL;
    sc_record record;
    sc_ratio recorded;
    const char *copy = sc_arena_copy(&result->arena, text.start, text.bytes);
    if (copy == NULL)
        return no_memory(error);
    sc_ratio_init(&recorded);
    scrim_status status =
        sc_record_read((sc_text){copy, text.bytes}, &result->arena, &record, error);
    if (status == SCRIM_OK)
        status = parse_confidence(record.confidence, &recorded, error);
    const sc_ratio *confidence = asked == NULL ? &recorded : asked;
    if (status == SCRIM_OK)
        status = sc_schema_parse(record.schema, NULL, &schema, error);
    if (status == SCRIM_OK)
        status = make_facts(result, &record, schema, confidence, origin, error);
    for (size_t i = 0; status == SCRIM_OK && i < record.statement_count; i++)
        status = make_statement(result, &record, &record.statements[i], schema,
                                confidence, &recorded, &result->statements[i], error);
    sc_schema_free(schema);
    sc_ratio_clear(&recorded);
    return status;
}

scrim_status sc_result_new(sc_text record, const char *confidence,
                           const sc_result_origin *origin, scrim_result **out,
                           scrim_error *error)
{
    sc_ratio asked;
    sc_ratio_init(&asked);
    scrim_result *result = NULL;
    scrim_status status = confidence == NULL
                              ? SCRIM_OK
                              : parse_confidence(sc_text_of(confidence), &asked, error);
    if (status != SCRIM_OK)
        goto done;
    result = sc_allocate(1, sizeof *result);
    if (result == NULL) {
        status = no_memory(error);
        goto done;
    }
    sc_arena_init(&result->arena);
    status =
        make_result(result, record, confidence == NULL ? NULL : &asked, origin, error);
    if (status == SCRIM_OK)
        *out = result;
    else if (status != SCRIM_E_MEMORY)
        status = unreadable(error);
    if (status != SCRIM_OK)
        scrim_result_free(result);
done:
    sc_ratio_clear(&asked);
    return status;
}

void scrim_result_free(scrim_result *result)
{
    if (result == NULL)
        return;
    sc_arena_clear(&result->arena);
    sc_release(result);
}

void scrim_result_describe(const scrim_result *result, scrim_result_facts *out)
{
    *out = result->facts;
}

const char *scrim_result_text(const scrim_result *result, size_t statement)
{
    return result->statements[statement].text;
}

size_t scrim_result_columns(const scrim_result *result, size_t statement)
{
    return result->statements[statement].column_count;
}

size_t scrim_result_rows(const scrim_result *result, size_t statement)
{
    return result->statements[statement].row_count;
}

const scrim_result_column *scrim_result_column_at(const scrim_result *result,
                                                  size_t statement, size_t column)
{
    return &result->statements[statement].columns[column];
}

const scrim_result_cell *scrim_result_cell_at(const scrim_result *result,
                                              size_t statement, size_t row, size_t column)
{
    return &result->statements[statement].rows[row][column];
}
