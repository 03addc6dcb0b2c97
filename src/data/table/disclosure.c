#include "data/table/disclosure.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/table/raw_records.h"
#include "random/bits_system.h"

#include <stdlib.h>
#include <string.h>

#define SETS ((size_t)1 << SC_DISCLOSURE_COLUMNS)

/* Rows as hashes: the unit, the sensitive value, then the columns, row by row. */
typedef struct disclosure {
    const sc_schema *schema;
    sc_raw_watch watch;
    sc_hash_key key;
    size_t places[SC_DISCLOSURE_COLUMNS], column_count; /* in the schema */
    size_t sensitive; /* likewise; column_count of it: none */
    bool has_sensitive;
    uint64_t *cells;
    size_t rows, room, width;
} disclosure;

enum { UNIT, SENSITIVE, FIRST };

/* Columns. */

static scrim_status find_column(const disclosure *d, sc_text name, size_t *out,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < d->schema->column_count; i++)
        if (sc_text_equal(d->schema->columns[i].name, name)) {
            *out = i;
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "columns",
                       "the dataset has no column '%s'", sc_text_quote(name, quote));
}

static scrim_status add_column(disclosure *d, size_t place, scrim_error *error)
{
    if (d->column_count == SC_DISCLOSURE_COLUMNS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                           "at most %d columns; name those that others may know",
                           SC_DISCLOSURE_COLUMNS);
    d->places[d->column_count++] = place;
    return SCRIM_OK;
}

static scrim_status find_columns(disclosure *d, const sc_disclosure_request *request,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (request->sensitive != NULL) {
        SC_TRY(find_column(d, sc_text_of(request->sensitive), &d->sensitive, error));
        d->has_sensitive = true;
    }
    if (request->columns == NULL) {
        for (size_t i = 0; i < d->schema->column_count && status == SCRIM_OK; i++)
            if (!d->has_sensitive || i != d->sensitive)
                status = add_column(d, i, error);
    } else {
        sc_text rest = sc_text_of(request->columns), name;
        for (bool has_more = true; has_more && status == SCRIM_OK;) {
            size_t place = 0;
            has_more = sc_text_split(rest, ',', &name, &rest);
            status = find_column(d, has_more ? name : rest, &place, error);
            if (status == SCRIM_OK)
                status = add_column(d, place, error);
        }
    }
    if (status == SCRIM_OK && d->column_count == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "columns",
                             "the dataset has no column that others may know");
    return status;
}

/* Reading. */

static uint64_t hash_cell(const disclosure *d, const sc_raw_value *value)
{
    if (value->kind == SC_RAW_NULL || value->kind == SC_RAW_BLOB)
        return (uint64_t)value->kind;
    if (value->kind == SC_RAW_DOUBLE)
        return sc_hash(&d->key, &value->number, sizeof value->number);
    return sc_hash(&d->key, value->text.start, value->text.bytes);
}

static bool grow(disclosure *d)
{
    const size_t room = 2 * d->room + 1024;
    uint64_t *cells = sc_allocate(room * d->width, sizeof *cells);
    if (cells == NULL)
        return false;
    if (d->rows > 0)
        memcpy(cells, d->cells, d->rows * d->width * sizeof *cells);
    sc_free_wiped(d->cells, d->rows * d->width * sizeof *cells);
    d->cells = cells;
    d->room = room;
    return true;
}

static scrim_status take(void *context, const sc_raw_record *record, scrim_error *error)
{
    disclosure *d = context;
    const bool has_units = d->schema->unit.bytes > 0;
    if (record->fault != SC_RAW_WHOLE || (has_units && record->unit.text.bytes == 0))
        return SCRIM_OK; /* nobody's, or unread: no query counts it by a value */
    if (d->rows == d->room && !grow(d))
        return sc_no_memory(error, "the rows of a source");
    uint64_t *row = d->cells + d->rows * d->width;
    row[UNIT] = has_units ? hash_cell(d, &record->unit) : d->rows;
    row[SENSITIVE] = d->has_sensitive ? hash_cell(d, &record->values[d->sensitive]) : 0;
    for (size_t i = 0; i < d->column_count; i++)
        row[FIRST + i] = hash_cell(d, &record->values[d->places[i]]);
    d->rows++;
    return SCRIM_OK;
}

static scrim_status ended(void *context, uint64_t number, uint64_t records,
                          uint64_t bytes, scrim_error *error)
{
    disclosure *d = context;
    (void)number;
    (void)records;
    return sc_raw_watch_ended(&d->watch, true, bytes, error);
}

/* Classes. */

typedef struct entry {
    uint64_t class, second; /* a unit, or a sensitive value */
} entry;

static int compare_words(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    return a->class != b->class ? (a->class > b->class) - (a->class < b->class)
                                : (a->second > b->second) - (a->second < b->second);
}

typedef struct sorting {
    entry *entries;
    uint64_t *people; /* of classes that are looked for */
    uint64_t *values; /* sensitive ones of all rows, in order */
} sorting;

static void fill_entries(const disclosure *d, size_t set, size_t second, entry *out)
{
    for (size_t i = 0; i < d->rows; i++) {
        const uint64_t *row = d->cells + i * d->width;
        uint64_t class = 0;
        for (size_t c = 0; c < d->column_count; c++)
            if ((set >> c & 1) != 0) {
                const uint64_t pair[] = {class, row[FIRST + c]};
                class = sc_hash(&d->key, pair, sizeof pair);
            }
        out[i] = (entry){class, row[second]};
    }
    qsort(out, d->rows, sizeof *out, compare_entries);
}

static size_t count_different(uint64_t *words, size_t count)
{
    size_t different = 0;
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || words[i] != words[i - 1];
    return different;
}

/* The end of the run of equal entries, or of entries of one class. */
static size_t end_of_run(const entry *entries, size_t from, size_t count, bool is_class)
{
    size_t to = from;
    while (to < count && entries[to].class == entries[from].class &&
           (is_class || entries[to].second == entries[from].second))
        to++;
    return to;
}

static void count_people(const disclosure *d, size_t set, sorting *s, scrim_risk_set *out)
{
    size_t alone = 0;
    fill_entries(d, set, UNIT, s->entries);
    out->classes = 0;
    out->k = UINT64_MAX;
    for (size_t from = 0, to; from < d->rows; from = to) {
        uint64_t people = 0;
        to = end_of_run(s->entries, from, d->rows, true);
        for (size_t i = from; i < to; i = end_of_run(s->entries, i, to, false))
            people++;
        out->classes++;
        out->k = people < out->k ? people : out->k;
        if (people == 1)
            s->people[alone++] = s->entries[from].second;
    }
    out->k = d->rows == 0 ? 0 : out->k;
    out->unique = count_different(s->people, alone);
}

/* How many of the sensitive values, which are in order, are this one. */
static size_t occurrences(const disclosure *d, const uint64_t *values, uint64_t value)
{
    size_t ends[2];
    for (size_t which = 0; which < 2; which++) {
        size_t low = 0, high = d->rows;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (which == 0 ? values[middle] < value : values[middle] <= value)
                low = middle + 1;
            else
                high = middle;
        }
        ends[which] = low;
    }
    return ends[1] - ends[0];
}

/* Classes with one sensitive value; their people follow from a second sorting. */
static size_t measure_values(const disclosure *d, size_t set, sorting *s,
                             scrim_risk_set *out)
{
    size_t certain = 0;
    fill_entries(d, set, SENSITIVE, s->entries);
    out->l = UINT64_MAX;
    for (size_t from = 0, to; from < d->rows; from = to) {
        uint64_t values = 0;
        double apart = 0;
        to = end_of_run(s->entries, from, d->rows, true);
        for (size_t i = from, next; i < to; i = next) {
            next = end_of_run(s->entries, i, to, false);
            const double share = (double)(next - i) / (double)(to - from);
            const double whole =
                (double)occurrences(d, s->values, s->entries[i].second) / (double)d->rows;
            apart += share > whole ? share - whole : 0;
            values++;
        }
        out->l = values < out->l ? values : out->l;
        out->t = apart > out->t ? apart : out->t;
        if (values == 1)
            s->people[certain++] = s->entries[from].class;
    }
    out->l = d->rows == 0 ? 0 : out->l;
    qsort(s->people, certain, sizeof *s->people, compare_words);
    return certain;
}

static scrim_status count_certain(const disclosure *d, size_t set, sorting *s,
                                  scrim_risk_set *out, scrim_error *error)
{
    for (size_t i = 0; i < d->rows; i++)
        s->values[i] = d->cells[i * d->width + SENSITIVE];
    qsort(s->values, d->rows, sizeof *s->values, compare_words);
    const size_t classes = measure_values(d, set, s, out);
    uint64_t *units = sc_allocate(d->rows, sizeof *units);
    size_t count = 0;
    if (units == NULL)
        return sc_no_memory(error, "the rows of a source");
    fill_entries(d, set, UNIT, s->entries);
    for (size_t i = 0; i < d->rows; i++)
        if (bsearch(&s->entries[i].class, s->people, classes, sizeof *s->people,
                    compare_words) != NULL)
            units[count++] = s->entries[i].second;
    out->certain = count_different(units, count);
    sc_free_wiped(units, d->rows * sizeof *units);
    return SCRIM_OK;
}

static void name_set(const disclosure *d, size_t set, scrim_risk_set *out)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out->columns, sizeof out->columns);
    for (size_t c = 0; c < d->column_count; c++)
        if ((set >> c & 1) != 0) {
            sc_text_put(&sink, sc_text_of(sink.length > 0 ? "," : ""));
            sc_text_put(&sink, d->schema->columns[d->places[c]].name);
            out->column_count++;
        }
}

/* For each number of columns the set that leaves most people unique, the first one on a tie. */
static scrim_status measure(const disclosure *d, sorting *s, scrim_risk *out,
                            scrim_error *error)
{
    for (size_t i = 0; i < d->rows; i++)
        s->people[i] = d->cells[i * d->width + UNIT];
    out->people = count_different(s->people, d->rows);
    out->rows = d->rows;
    out->count = d->column_count;
    out->has_sensitive = d->has_sensitive;
    for (size_t set = 1; set < (size_t)1 << d->column_count; set++) {
        scrim_risk_set seen = {.column_count = 0};
        count_people(d, set, s, &seen);
        scrim_risk_set *best = &out->sets[__builtin_popcountll(set) - 1];
        if (best->column_count > 0 && seen.unique <= best->unique)
            continue;
        name_set(d, set, &seen);
        seen.set = set;
        *best = seen;
    }
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < out->count && d->has_sensitive && status == SCRIM_OK; i++)
        status = count_certain(d, (size_t)out->sets[i].set, s, &out->sets[i], error);
    return status;
}

static scrim_status measure_all(const disclosure *d, scrim_risk *out, scrim_error *error)
{
    sorting s = {.entries = sc_allocate(d->rows + 1, sizeof *s.entries),
                 .people = sc_allocate(d->rows + 1, sizeof *s.people),
                 .values = sc_allocate(d->rows + 1, sizeof *s.values)};
    scrim_risk found = {.count = 0};
    scrim_status status = s.entries == NULL || s.people == NULL || s.values == NULL
                              ? sc_no_memory(error, "the rows of a source")
                              : measure(d, &s, &found, error);
    sc_free_wiped(s.entries, (d->rows + 1) * sizeof *s.entries);
    sc_free_wiped(s.people, (d->rows + 1) * sizeof *s.people);
    sc_free_wiped(s.values, (d->rows + 1) * sizeof *s.values);
    if (status == SCRIM_OK)
        *out = found;
    sc_wipe(&found, sizeof found);
    return status;
}

static scrim_status draw_key(sc_hash_key *key, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status = sc_bits_word(bits, &key->k0, error);
    if (status == SCRIM_OK)
        status = sc_bits_word(bits, &key->k1, error);
    sc_bits_system_close(bits);
    return status;
}

scrim_status sc_disclosure_look(const sc_disclosure_request *request, scrim_risk *out,
                                scrim_error *error)
{
    const sc_survey_request *reading = request->reading;
    uint64_t before = 0;
    disclosure d = {.schema = reading->schema,
                    .watch = {.progress = reading->progress,
                              .is_cancelled = reading->is_cancelled,
                              .context = reading->context}};
    void *contexts[] = {&d};
    const sc_raw_reader reader = {
        .take = take, .ended = ended, .contexts = contexts, .workers = 1};
    scrim_status status = sc_raw_watch_init(&d.watch, error);
    if (status == SCRIM_OK)
        status = find_columns(&d, request, error);
    d.width = FIRST + d.column_count;
    if (status == SCRIM_OK)
        status = draw_key(&d.key, error);
    if (status == SCRIM_OK)
        status = sc_raw_records_read(reading->schema, reading->frame, &reader,
                                     &d.watch.stamp, &before, error);
    if (status == SCRIM_OK)
        status = measure_all(&d, out, error);
    sc_free_wiped(d.cells, d.rows * d.width * sizeof *d.cells);
    sc_wipe(&d.key, sizeof d.key);
    sc_raw_watch_clear(&d.watch);
    return status;
}

void scrim_risk_clear(scrim_risk *risk)
{
    sc_wipe(risk, sizeof *risk);
}
