#include "query/answer/record.h"

#include "query/answer/key_word.h"
#include "query/language/extent.h"
#include "query/language/window.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first line: of records whose questions know NULL, and of those from before. */
#define FIRST "query 2"
#define FIRST_WITHOUT_NULL "query 1"
#define NO_NUMBER "none"
#define RUNNING "running"
#define FOUND "bounds auto"
#define CUT "cut"
#define CLAMPS "sums clamped"

static const struct {
    const char *word;
    sc_plan_keys kind;
    bool uses_ranges;
} keys_kinds[] = {{"none", SC_PLAN_NO_KEYS, false},
                  {"public", SC_PLAN_PUBLIC_KEYS, false},
                  {"range", SC_PLAN_PUBLIC_KEYS, true},
                  {"discovered", SC_PLAN_DISCOVERED, false}};
#define KEYS_KINDS (sizeof keys_kinds / sizeof *keys_kinds)

/* Writing. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_line(sc_text_sink *sink, const char *key, sc_text value)
{
    put(sink, key);
    put(sink, " ");
    sc_text_put(sink, value);
    put(sink, "\n");
}

static void put_number(sc_text_sink *sink, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_line(sink, key, sc_text_of(text));
}

static void put_or_none(sc_text_sink *sink, sc_text word, const char *behind)
{
    sc_text_put(sink, word.bytes == 0 ? sc_text_of("-") : word);
    put(sink, behind);
}

/* The places that are shown with what they hold, "17:203,18:40"; none are "-". */
static void put_bars(sc_text_sink *sink, const sc_record_bars *histogram)
{
    put(sink, histogram->count == 0 ? " -" : " ");
    for (size_t i = 0; i < histogram->count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%" PRIu64 ":%" PRId64, i > 0 ? "," : "",
                 histogram->bars[i].place, histogram->bars[i].count);
        put(sink, text);
    }
}

static void put_row(sc_text_sink *sink, const sc_record_row *row, size_t number_count,
                    size_t histogram_count)
{
    put(sink, "row ");
    sc_key_word_put(row->key, sink);
    for (size_t i = 0; i < number_count; i++) {
        char number[SC_INT128_BYTES] = NO_NUMBER;
        if (row->numbers[i] != SC_RECORD_NO_NUMBER)
            sc_int128_format(row->numbers[i], number);
        put(sink, " ");
        put(sink, number);
    }
    for (size_t i = 0; i < histogram_count; i++)
        put_bars(sink, &row->histograms[i]);
    put(sink, "\n");
}

/* Where there are histograms: how wide their buckets are. */
static void put_widths(sc_text_sink *sink, const sc_record_statement *statement)
{
    if (statement->histogram_count == 0)
        return;
    put(sink, "buckets");
    for (size_t i = 0; i < statement->histogram_count; i++) {
        char text[24];
        snprintf(text, sizeof text, " %" PRId64, statement->widths[i]);
        put(sink, text);
    }
    put(sink, "\n");
}

/* "cut 0,1,6,21,81 laplace ..." and "people 98 3 -1 0 1". */
static void put_cut(sc_text_sink *sink, const sc_record_cut *cut)
{
    char number[SC_INT128_BYTES];
    if (cut->count == 0)
        return;
    put(sink, "cut ");
    for (size_t i = 0; i < cut->count; i++) {
        put(sink, i == 0 ? "" : ",");
        sc_int128_format((sc_int128)cut->from[i], number);
        put(sink, number);
    }
    put_line(sink, "", cut->measurement);
    put(sink, "people");
    for (size_t i = 0; i < cut->count; i++) {
        sc_int128_format(cut->people[i], number);
        put(sink, " ");
        put(sink, number);
    }
    put(sink, "\n");
}

/* "disjoint 1 3": aggregates, counted from 1. */
static void put_disjoint(sc_text_sink *sink, uint64_t disjoint)
{
    char number[24];
    put(sink, disjoint == 0 ? "" : "disjoint");
    for (size_t i = 0; i < SC_DISJOINT_MOST; i++)
        if ((disjoint >> i & 1) != 0) {
            snprintf(number, sizeof number, " %zu", i + 1);
            put(sink, number);
        }
    put(sink, disjoint == 0 ? "" : "\n");
}

static void put_statement(sc_text_sink *sink, const sc_record_statement *statement)
{
    put_line(sink, "statement", statement->text);
    for (size_t i = 0; i < KEYS_KINDS; i++)
        if (keys_kinds[i].kind == statement->keys_kind &&
            keys_kinds[i].uses_ranges == statement->uses_ranges)
            put_line(sink, "keys", sc_text_of(keys_kinds[i].word));
    if (statement->rows_of == SC_ROWS_OF_ALL)
        put_number(sink, "rows-of all", statement->groups_of_all);
    else if (statement->rows_of > 0)
        put_number(sink, "rows-of", statement->rows_of);
    if (statement->set > 0)
        put_number(sink, "set", statement->set);
    if (statement->found_by > 0)
        put_number(sink, "found-by", statement->found_by);
    if (statement->cells > 0)
        put_number(sink, "cells", statement->cells);
    put_disjoint(sink, statement->disjoint);
    put(sink, statement->clamps ? CLAMPS "\n" : "");
    for (size_t i = 0; i < statement->part_count; i++) {
        char number[24] = "-", copies[24];
        if (statement->statistics[i] != SC_STATISTIC_NONE)
            snprintf(number, sizeof number, "%zu", statement->statistics[i]);
        snprintf(copies, sizeof copies, " %" PRIu64, statement->copies[i]);
        put(sink, "part ");
        put(sink, number);
        put_line(sink, copies, statement->measurements[i]);
    }
    put_cut(sink, &statement->cut);
    if (statement->cut_of > 0)
        put_number(sink, "cut-of", statement->cut_of);
    put_number(sink, "numbers", statement->number_count);
    put_widths(sink, statement);
    for (size_t i = 0; i < statement->row_count; i++)
        put_row(sink, &statement->rows[i], statement->number_count,
                statement->histogram_count);
}

static void put_schema(sc_text_sink *sink, sc_text schema)
{
    while (schema.bytes > 0) {
        sc_text line = schema, rest = {NULL, 0};
        (void)sc_text_split(schema, '\n', &line, &rest);
        if (line.bytes > 0)
            put_line(sink, "schema", line);
        schema = rest;
    }
}

static void put_series(sc_text_sink *sink, const sc_record *record)
{
    char text[32];
    if (record->series.bytes == 0)
        return;
    put(sink, "series ");
    sc_text_put(sink, record->series);
    snprintf(text, sizeof text, " %" PRIu64 " ", record->release);
    put(sink, text);
    put(sink, sc_known_keys_name(record->is_continued));
    put(sink, record->is_running ? " " RUNNING "\n" : "\n");
}

static void put_record(sc_text_sink *sink, const sc_record *record)
{
    put(sink, record->drops_missing ? FIRST_WITHOUT_NULL "\n" : FIRST "\n");
    put_line(sink, "dataset", record->dataset);
    put_number(sink, "version", record->version);
    put_series(sink, record);
    put_line(sink, "epsilon", record->epsilon);
    put_line(sink, "delta", record->delta);
    put_line(sink, "expect", record->expect);
    put_line(sink, "confidence", record->confidence);
    if (record->finds_bounds)
        put(sink, record->tells_cut ? FOUND " " CUT "\n" : FOUND "\n");
    put(sink, "cost ");
    put_or_none(sink, record->cost_epsilon, " ");
    put_or_none(sink, record->cost_delta, " ");
    put_or_none(sink, record->cost_rho, "\n");
    put_schema(sink, record->schema);
    for (size_t i = 0; i < record->statement_count; i++)
        put_statement(sink, &record->statements[i]);
}

char *sc_record_write(const sc_record *record)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_record(&sink, record);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    put_record(&sink, record);
    return text;
}

/* Reading: what is not quite right is found at the end, when the record is written again. */

typedef struct reading {
    sc_text rest;
    sc_arena *arena;
    bool lacks_memory;
} reading;

/* Is the next line of that key? Its value is then taken off. */
static bool take(reading *r, const char *key, sc_text *value)
{
    sc_text line, rest;
    const size_t bytes = strlen(key);
    if (!sc_text_split(r->rest, '\n', &line, &rest) || line.bytes < bytes + 1 ||
        memcmp(line.start, key, bytes) != 0 || line.start[bytes] != ' ')
        return false;
    *value = (sc_text){line.start + bytes + 1, line.bytes - bytes - 1};
    r->rest = rest;
    return true;
}

/* How many lines of that key are next. */
static size_t count_lines(const reading *r, const char *key)
{
    reading ahead = *r;
    sc_text value;
    size_t count = 0;
    while (take(&ahead, key, &value))
        count++;
    return count;
}

static void *get(reading *r, size_t count, size_t size)
{
    void *memory = sc_arena_allocate(r->arena, count, size);
    r->lacks_memory |= memory == NULL;
    return memory;
}

static bool take_number(reading *r, const char *key, uint64_t *value)
{
    sc_text text;
    return take(r, key, &text) && sc_text_uint64(text, value);
}

static bool take_int128(sc_text word, sc_int128 *out)
{
    const bool is_negative = sc_text_take(&word, '-');
    sc_int128 value = 0;
    bool fits = word.bytes > 0;
    if (!is_negative && sc_text_is(word, NO_NUMBER)) {
        *out = SC_RECORD_NO_NUMBER;
        return true;
    }
    for (size_t i = 0; fits && i < word.bytes; i++) {
        const char c = word.start[i];
        fits = sc_ascii_is_digit(c) && sc_int128_mul(value, 10, &value) &&
               (is_negative ? sc_int128_sub(value, c - '0', &value)
                            : sc_int128_add(value, c - '0', &value));
    }
    *out = value;
    return fits;
}

static bool read_key(reading *r, sc_text word, sc_text *key)
{
    const scrim_status status = sc_key_word_read(word, r->arena, key);
    r->lacks_memory |= status == SCRIM_E_MEMORY;
    return status == SCRIM_OK;
}

/* In one spelling, of a size that is drawn. */
static bool read_count(sc_text word, int64_t *out)
{
    sc_int128 count;
    char text[SC_INT128_BYTES];
    if (!take_int128(word, &count) || count > (sc_int128)SC_BARS_COUNT_MAX ||
        count < -(sc_int128)SC_BARS_COUNT_MAX)
        return false;
    sc_int128_format(count, text);
    *out = (int64_t)count;
    return sc_text_is(word, text);
}

static bool take_bars(reading *r, sc_text word, sc_record_bars *out)
{
    size_t count = 1;
    if (sc_text_is(word, "-")) {
        *out = (sc_record_bars){.count = 0};
        return true;
    }
    for (size_t i = 0; i < word.bytes; i++)
        count += word.start[i] == ',';
    sc_drawn_bar *bars = get(r, count, sizeof *bars);
    *out = (sc_record_bars){bars, count};
    for (size_t i = 0; bars != NULL && i < count; i++) {
        sc_text bar = word, place, height;
        if (i + 1 < count)
            (void)sc_text_split(word, ',', &bar, &word);
        if (!sc_text_split(bar, ':', &place, &height) ||
            !sc_text_uint64(place, &bars[i].place) ||
            !read_count(height, &bars[i].count) ||
            (i > 0 && bars[i].place <= bars[i - 1].place))
            return false;
    }
    return bars != NULL;
}

static bool take_row(reading *r, size_t number_count, size_t histogram_count,
                     sc_record_row *row)
{
    sc_text line, word;
    if (!take(r, "row", &line) || !sc_text_word(&line, &word) ||
        number_count > line.bytes || histogram_count > line.bytes)
        return false;
    sc_record_bars *histograms = get(r, histogram_count, sizeof *histograms);
    sc_int128 *numbers = get(r, number_count, sizeof *numbers);
    if (numbers == NULL || !read_key(r, word, &row->key))
        return false;
    for (size_t i = 0; i < number_count; i++)
        if (!sc_text_word(&line, &word) || !take_int128(word, &numbers[i]))
            return false;
    for (size_t i = 0; histograms != NULL && i < histogram_count; i++)
        if (!sc_text_word(&line, &word) || !take_bars(r, word, &histograms[i]))
            return false;
    row->numbers = numbers;
    row->histograms = histograms;
    return histograms != NULL;
}

static bool take_widths(reading *r, sc_record_statement *out)
{
    sc_text line, word;
    if (!take(r, "buckets", &line))
        return true;
    out->histogram_count = 1;
    for (size_t i = 0; i < line.bytes; i++)
        out->histogram_count += line.start[i] == ' ';
    int64_t *widths = get(r, out->histogram_count, sizeof *widths);
    out->widths = widths;
    for (size_t i = 0; widths != NULL && i < out->histogram_count; i++) {
        uint64_t width;
        if (!sc_text_word(&line, &word) || !sc_text_uint64(word, &width) || width == 0 ||
            width > SC_BAR_GRID_WIDTH)
            return false;
        widths[i] = (int64_t)width;
    }
    return widths != NULL;
}

static bool take_part(reading *r, sc_text *measurement, size_t *statistic,
                      uint64_t *copies)
{
    sc_text line, word, count;
    uint64_t number = 0;
    if (!take(r, "part", &line) || !sc_text_split(line, ' ', &word, &line) ||
        !sc_text_split(line, ' ', &count, measurement))
        return false;
    if (!sc_text_is(word, "-") && !sc_text_uint64(word, &number))
        return false;
    if (!sc_text_uint64(count, copies) || *copies == 0)
        return false;
    *statistic = sc_text_is(word, "-") ? SC_STATISTIC_NONE : (size_t)number;
    return true;
}

/* At least the cells of people who were not cut and of those who were. */
static bool take_cut(reading *r, sc_record_cut *out)
{
    sc_text line, list, word;
    if (!take(r, "cut", &line))
        return true;
    if (!sc_text_split(line, ' ', &list, &out->measurement))
        return false;
    for (bool is_last = false; !is_last; out->count++) {
        is_last = !sc_text_split(list, ',', &word, &list);
        if (out->count == SC_CUT_CELLS ||
            !sc_text_uint64(is_last ? list : word, &out->from[out->count]) ||
            (out->count > 0 && out->from[out->count] < out->from[out->count - 1]))
            return false;
    }
    if (!take(r, "people", &line) || out->count < 2 || out->from[0] != 0)
        return false;
    for (size_t i = 0; i < out->count; i++)
        if (!sc_text_word(&line, &word) || !take_int128(word, &out->people[i]))
            return false;
    return true;
}

static bool take_keys(reading *r, sc_record_statement *out)
{
    sc_text word;
    if (!take(r, "keys", &word))
        return false;
    for (size_t i = 0; i < KEYS_KINDS; i++)
        if (sc_text_is(word, keys_kinds[i].word)) {
            out->keys_kind = keys_kinds[i].kind;
            out->uses_ranges = keys_kinds[i].uses_ranges;
            return true;
        }
    return false;
}

static bool take_rows_of(reading *r, size_t statements, sc_record_statement *out)
{
    sc_text word, first, rest;
    uint64_t number;
    if (!take(r, "rows-of", &word))
        return true;
    if (sc_text_split(word, ' ', &first, &rest)) {
        out->rows_of = SC_ROWS_OF_ALL;
        return sc_text_is(first, "all") && sc_text_uint64(rest, &out->groups_of_all) &&
               out->groups_of_all > 0;
    }
    if (!sc_text_uint64(word, &number) || number == 0 || number > statements)
        return false;
    out->rows_of = (size_t)number;
    return true;
}

/* Without the line every count is drawn by itself, as all were. Numbers increase, so that there is one spelling. */
static bool take_disjoint(reading *r, sc_record_statement *out)
{
    sc_text rest, word;
    uint64_t number, before = 0;
    if (!take(r, "disjoint", &rest))
        return true;
    if (rest.bytes > 0 && rest.start[rest.bytes - 1] == ' ')
        return false;
    while (rest.bytes > 0) {
        if (!sc_text_item(&rest, ' ', &word) || !sc_text_uint64(word, &number) ||
            number <= before || number > SC_DISJOINT_MOST)
            return false;
        out->disjoint |= (uint64_t)1 << (number - 1);
        before = number;
    }
    return out->disjoint != 0;
}

/* Without the line, sums without a declared bound of totals are of bounded rows. */
static bool take_clamps(reading *r, sc_record_statement *out)
{
    sc_text word;
    out->clamps = take(r, "sums", &word);
    return !out->clamps || sc_text_is(word, "clamped");
}

/* A number from least to most; 0 without the line. */
static bool take_place(reading *r, const char *key, uint64_t least, size_t most,
                       size_t *out)
{
    sc_text word;
    uint64_t number = 0;
    if (take(r, key, &word) &&
        (!sc_text_uint64(word, &number) || number < least || number > most))
        return false;
    *out = (size_t)number;
    return true;
}

static bool take_statement(reading *r, size_t statements, sc_record_statement *out)
{
    uint64_t number_count;
    if (!take(r, "statement", &out->text) || !take_keys(r, out) ||
        !take_rows_of(r, statements, out) ||
        /* The statements of a question with several sets of keys are these sets, in their order. */
        !take_place(r, "set", 1, statements, &out->set) ||
        /* A ladder stands behind the statements whose bounds it finds. */
        !take_place(r, "found-by", 2, statements, &out->found_by) ||
        /* A record without the line counts rows one by one, as all did before there were cells. */
        !take_place(r, "cells", 1, SIZE_MAX, &out->cells) || !take_disjoint(r, out) ||
        !take_clamps(r, out))
        return false;
    out->part_count = count_lines(r, "part");
    sc_text *measurements = get(r, out->part_count, sizeof *measurements);
    size_t *statistics = get(r, out->part_count, sizeof *statistics);
    uint64_t *copies = get(r, out->part_count, sizeof *copies);
    if (measurements == NULL || statistics == NULL || copies == NULL)
        return false;
    for (size_t i = 0; i < out->part_count; i++)
        if (!take_part(r, &measurements[i], &statistics[i], &copies[i]))
            return false;
    if (!take_cut(r, &out->cut) ||
        !take_place(r, "cut-of", 1, statements, &out->cut_of) ||
        !take_number(r, "numbers", &number_count) || !take_widths(r, out))
        return false;
    out->number_count = (size_t)number_count;
    out->row_count = count_lines(r, "row");
    sc_record_row *rows = get(r, out->row_count, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < out->row_count; i++)
        if (!take_row(r, out->number_count, out->histogram_count, &rows[i]))
            return false;
    out->measurements = measurements;
    out->statistics = statistics;
    out->copies = copies;
    out->rows = rows;
    return rows != NULL;
}

/* The lines together, each with its end. */
static bool take_schema(reading *r, sc_text *out)
{
    const size_t count = count_lines(r, "schema");
    char *text = get(r, r->rest.bytes, 1);
    size_t length = 0;
    if (text == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        sc_text line = {NULL, 0};
        (void)take(r, "schema", &line);
        if (line.bytes > 0)
            memcpy(text + length, line.start, line.bytes);
        length += line.bytes;
        text[length++] = '\n';
    }
    *out = (sc_text){text, length};
    return true;
}

static bool take_cost(reading *r, sc_record *out)
{
    sc_text *const words[3] = {&out->cost_epsilon, &out->cost_delta, &out->cost_rho};
    sc_text line;
    if (!take(r, "cost", &line))
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!sc_text_word(&line, words[i]))
            return false;
        if (sc_text_is(*words[i], "-"))
            words[i]->bytes = 0;
    }
    return true;
}

/* Statements begin with a line of their own; nothing else begins like it. */
static size_t count_statements(sc_text rest)
{
    size_t count = 0;
    sc_text line;
    while (sc_text_split(rest, '\n', &line, &rest))
        count += line.bytes > strlen("statement ") &&
                 memcmp(line.start, "statement ", strlen("statement ")) == 0;
    return count;
}

static bool take_series(reading *r, sc_record *out)
{
    sc_text line, number, keys, word;
    if (!take(r, "series", &line))
        return true;
    if (!sc_text_word(&line, &out->series) || !sc_text_word(&line, &number) ||
        !sc_text_word(&line, &keys) || !sc_text_uint64(number, &out->release))
        return false;
    out->is_running = sc_text_word(&line, &word) && sc_text_is(word, RUNNING) &&
                      out->release > 0 && out->release <= SC_WINDOWS;
    return sc_known_keys_parse(keys, &out->is_continued);
}

static bool take_found(reading *r, sc_record *out)
{
    sc_text word;
    out->finds_bounds = take(r, "bounds", &word);
    out->tells_cut = out->finds_bounds && sc_text_is(word, "auto " CUT);
    return !out->finds_bounds || out->tells_cut || sc_text_is(word, "auto");
}

static bool take_record(reading *r, sc_record *out)
{
    sc_text first;
    if (!sc_text_split(r->rest, '\n', &first, &r->rest))
        return false;
    out->drops_missing = sc_text_is(first, FIRST_WITHOUT_NULL);
    if ((!out->drops_missing && !sc_text_is(first, FIRST)) ||
        !take(r, "dataset", &out->dataset) || !take_number(r, "version", &out->version) ||
        !take_series(r, out) || !take(r, "epsilon", &out->epsilon) ||
        !take(r, "delta", &out->delta) || !take(r, "expect", &out->expect) ||
        !take(r, "confidence", &out->confidence) || !take_found(r, out) ||
        !take_cost(r, out) || !take_schema(r, &out->schema))
        return false;
    out->statement_count = count_statements(r->rest);
    sc_record_statement *statements = get(r, out->statement_count, sizeof *statements);
    for (size_t i = 0; statements != NULL && i < out->statement_count; i++)
        if (!take_statement(r, out->statement_count, &statements[i]))
            return false;
    for (size_t i = 0; statements != NULL && i < out->statement_count; i++)
        if (statements[i].cut_of > 0 &&
            statements[statements[i].cut_of - 1].cut.count == 0)
            return false;
    out->statements = statements;
    return statements != NULL && out->statement_count > 0 && r->rest.bytes == 0;
}

scrim_status sc_record_read(sc_text text, sc_arena *arena, sc_record *out,
                            scrim_error *error)
{
    reading r = {.rest = text, .arena = arena};
    sc_record record = {.version = 0};
    char *again = NULL;
    bool is_good = take_record(&r, &record);
    if (is_good) {
        again = sc_record_write(&record);
        r.lacks_memory |= again == NULL;
        is_good = again != NULL && sc_text_equal(sc_text_of(again), text);
        sc_free(again);
    }
    if (r.lacks_memory)
        return sc_no_memory(error, "the answer of a query");
    if (!is_good)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "record",
                           "this is not a record of a query's answer");
    *out = record;
    return SCRIM_OK;
}
