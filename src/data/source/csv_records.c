#include "data/source/csv.h"
#include "data/source/csv_index.h"
#include "data/source/csv_pieces.h"
#include "data/source/source_content.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void sc_csv_header_init(sc_csv_header *header)
{
    *header = (sc_csv_header){0};
    sc_arena_init(&header->arena);
}

void sc_csv_header_clear(sc_csv_header *header)
{
    sc_arena_clear(&header->arena);
    sc_csv_header_init(header);
}

/* The text of a field; a quoted one is written over itself. */
static sc_text unquote(char *start, size_t bytes)
{
    size_t length = 0;
    if (bytes < 2 || start[0] != '"')
        return (sc_text){start, bytes};
    for (size_t i = 1; i + 1 < bytes; i++) {
        start[length++] = start[i];
        i += start[i] == '"';
    }
    return (sc_text){start, length};
}

static int by_text(const void *left, const void *right)
{
    const sc_text a = *(const sc_text *)left, b = *(const sc_text *)right;
    const size_t both = a.bytes < b.bytes ? a.bytes : b.bytes;
    const int order = both > 0 ? memcmp(a.start, b.start, both) : 0;
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

/* Columns without a name may be many: nobody can ask for them. */
static scrim_status check_distinct(const sc_csv_header *header, scrim_error *error)
{
    bool is_twice = false;
    sc_text *sorted = sc_allocate(header->count, sizeof *sorted);
    if (sorted == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    memcpy(sorted, header->names, header->count * sizeof *sorted);
    qsort(sorted, header->count, sizeof *sorted, by_text);
    for (size_t i = 1; i < header->count; i++)
        is_twice =
            is_twice || (sorted[i].bytes > 0 && by_text(&sorted[i - 1], &sorted[i]) == 0);
    sc_free(sorted);
    if (is_twice)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the header of the source has two columns of the same name; "
                       "rename one");
    return SCRIM_OK;
}

const char *sc_csv_header_hint(sc_text text, const char *behind, char separator)
{
    static const struct {
        char byte;
        const char *line;
    } all[] = {{';', "separator=;"},
               {'\t', "separator=tab"},
               {'|', "separator=|"},
               {',', "separator=,"}};
    char wanted[8];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const int count = snprintf(wanted, sizeof wanted, "%s%c", behind, all[i].byte);
        if (all[i].byte != separator && text.bytes > 0 &&
            memmem(text.start, text.bytes, wanted, (size_t)count) != NULL)
            return all[i].line;
    }
    return NULL;
}

/* A quote in front of another separator is out of place, too. */
static scrim_status fail_quote(sc_text record, char separator, scrim_error *error)
{
    const char *hint = sc_csv_header_hint(record, "\"", separator);
    if (hint == NULL)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the header of the source has a quote out of place");
    return sc_fail_for(
        error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, hint,
        "the header of the source has a quote out of place, with %s behind "
        "it",
        hint + strlen("separator="));
}

/* Copies the fields that the index has found. */
static scrim_status take_names(char *bytes, const sc_csv_index *index, char separator,
                               sc_csv_header *header, scrim_error *error)
{
    if (index->record_count != 1)
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, "records",
            "the header of the source has a line break in it; check what ends a "
            "record");
    if (index->bad_count > 0)
        return fail_quote((sc_text){bytes, index->newlines[0]}, separator, error);
    header->count = index->mark_count - 1;
    header->names =
        sc_arena_allocate(&header->arena, header->count, sizeof *header->names);
    if (header->names == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (size_t i = 0; i < header->count; i++) {
        const uint32_t from = index->marks[i] + 1, to = index->marks[i + 1];
        header->names[i] = sc_text_trim(unquote(bytes + from, to - from));
    }
    return check_distinct(header, error);
}

scrim_status sc_csv_header_parse(sc_text record, char separator, sc_csv_header *header,
                                 scrim_error *error)
{
    sc_csv_header new;
    sc_csv_index index;
    sc_csv_header_init(&new);
    sc_csv_index_init(&index);
    char *bytes = sc_arena_allocate(&new.arena, record.bytes + 1 + SC_CSV_PADDING, 1);
    scrim_status status = bytes == NULL
                              ? sc_fail(error, SCRIM_E_MEMORY, "no memory")
                              : sc_csv_index_reserve(&index, record.bytes + 1, error);
    if (status == SCRIM_OK) {
        if (record.bytes > 0)
            memcpy(bytes, record.start, record.bytes);
        bytes[record.bytes] = '\n';
        sc_csv_index_build(&index, bytes, record.bytes + 1,
                           (sc_csv_form){SC_RECORD_LF, separator});
        status = take_names(bytes, &index, separator, &new, error);
    }
    sc_csv_index_clear(&index);
    if (status == SCRIM_OK) {
        sc_csv_header_clear(header);
        *header = new;
    } else {
        sc_csv_header_clear(&new);
    }
    return status;
}

/* The names of columns are compared as bytes, and cells of text are UTF-8 or unreadable: a file in
 * another encoding would be half read. */
static scrim_status check_encoding(sc_text record, scrim_error *error)
{
    const char *encoding = sc_source_encoding(record);
    if (encoding == NULL)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_INPUT,
                   "the header of the source is not UTF-8 but likely %s; convert the "
                   "file with iconv -f %s -t UTF-8",
                   encoding, encoding);
}

scrim_status sc_csv_header_read(sc_text path, sc_csv_form form, sc_csv_header *header,
                                scrim_error *error)
{
    sc_csv_pieces *pieces = NULL;
    sc_text record;
    scrim_status status =
        sc_csv_pieces_open(path, form.end, NULL, &pieces, &record, error);
    if (status == SCRIM_OK)
        status = check_encoding(record, error);
    if (status == SCRIM_OK)
        status = sc_csv_header_parse(record, form.separator, header, error);
    sc_csv_pieces_close(pieces);
    return status;
}

size_t sc_csv_header_find(const sc_csv_header *header, sc_text name)
{
    size_t place = 0;
    while (place < header->count && !sc_text_equal(header->names[place], name))
        place++;
    return place;
}

/* CSV files as records: the rules of csv.h, one record after another. */

typedef struct csv {
    const sc_schema *schema;
    const sc_raw_reader *reader;
    sc_csv_pieces *pieces;
    size_t fields; /* of a record */
    size_t unit;
    size_t *places; /* by column of the schema */
    atomic_bool is_over;
} csv;

typedef struct worker {
    csv *source;
    void *context; /* of the reader */
    sc_csv_piece piece;
    sc_csv_index index;
    sc_raw_value *values;
    sc_csv_quotes quotes;
} worker;

/* Opening. */

static scrim_status place_of(const sc_csv_header *header, sc_text name, size_t *place,
                             scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    *place = sc_csv_header_find(header, name);
    if (*place < header->count)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_INPUT,
        "the header of the source has no column '%s'; correct the policy or the "
        "file",
        sc_text_quote(name, quote));
}

static scrim_status find_columns(csv *c, const sc_csv_header *header, scrim_error *error)
{
    const sc_schema *schema = c->schema;
    scrim_status status = SCRIM_OK;
    c->fields = header->count;
    c->places = sc_allocate(schema->column_count, sizeof *c->places);
    if (c->places == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (schema->unit.bytes > 0)
        status = place_of(header, schema->unit, &c->unit, error);
    for (size_t i = 0; i < schema->column_count && status == SCRIM_OK; i++)
        status = place_of(header, schema->columns[i].name, &c->places[i], error);
    return status;
}

static scrim_status open_file(csv *c, scrim_error *error)
{
    sc_csv_header header;
    sc_text record;
    scrim_status status =
        sc_csv_pieces_open(c->schema->path, c->schema->csv.end, c->reader->content_key,
                           &c->pieces, &record, error);
    if (status != SCRIM_OK)
        return status;
    sc_csv_pieces_expect(c->pieces, c->schema, false);
    sc_csv_header_init(&header);
    status = sc_csv_header_parse(record, c->schema->csv.separator, &header, error);
    if (status == SCRIM_OK)
        status = find_columns(c, &header, error);
    sc_csv_header_clear(&header);
    return status;
}

/* Records. */

/* A record: its marks are first and those behind it, up to last, which ends it. */
typedef struct span {
    size_t first, last;
    uint32_t from, to; /* its bytes, without the newline */
} span;

/* An empty line is not a record. */
static bool is_blank(const worker *w, const span *s)
{
    return s->from == s->to || (s->from + 1 == s->to && w->piece.start[s->from] == '\r');
}

static bool is_too_long(const worker *w, const span *s)
{
    const size_t bytes = s->to - s->from;
    const size_t most = sc_csv_pieces_record_bytes(w->source->pieces);
    return bytes > most + 1 || (bytes == most + 1 && w->piece.start[s->to - 1] != '\r');
}

/* The field at a place of a record that is whole, without its quotes. */
static sc_raw_value value_at(worker *w, const span *s, size_t place)
{
    const uint32_t *marks = w->index.marks + s->first + place;
    const uint32_t from = marks[0] + 1;
    uint32_t to = marks[1];
    if (place + 1 == w->source->fields && to > from && w->piece.start[to - 1] == '\r')
        to--;
    sc_text field = {w->piece.start + from, to - from};
    if (field.bytes == 0)
        return (sc_raw_value){.kind = SC_RAW_NULL, .text = field};
    if (field.bytes >= 2 && field.start[0] == '"') {
        field = (sc_text){field.start + 1, field.bytes - 2};
        if (field.bytes > 0 && memchr(field.start, '"', field.bytes) != NULL)
            field = sc_csv_quotes_take(&w->quotes, field);
    } else if (sc_cell_form_is_null(&w->source->schema->form, field)) {
        return (sc_raw_value){.kind = SC_RAW_NULL};
    }
    return (sc_raw_value){.kind = SC_RAW_TEXT, .text = field};
}

static scrim_status take_record(worker *w, const span *s, bool is_bad, uint64_t index,
                                scrim_error *error)
{
    const csv *c = w->source;
    sc_raw_record record = {.piece = w->piece.sequence, .index = index};
    if (is_bad || is_too_long(w, s))
        record.fault = SC_RAW_BROKEN;
    else if (s->last - s->first != c->fields)
        record.fault = SC_RAW_FIELDS;
    if (record.fault == SC_RAW_WHOLE) {
        if (c->schema->unit.bytes > 0)
            record.unit = value_at(w, s, c->unit);
        for (size_t i = 0; i < c->schema->column_count; i++)
            w->values[i] = value_at(w, s, c->places[i]);
        record.values = w->values;
    }
    return c->reader->take(w->context, &record, error);
}

static scrim_status take_piece(worker *w, scrim_error *error)
{
    const sc_csv_index *index = &w->index;
    span s = {.first = 0};
    size_t bad = 0;
    scrim_status status = index->has_doubled
                              ? sc_csv_quotes_reserve(&w->quotes, w->piece.bytes, error)
                              : SCRIM_OK;
    for (size_t r = 0; r < index->record_count && status == SCRIM_OK; r++) {
        const bool is_bad = bad < index->bad_count && index->bad[bad] == r;
        bad += is_bad;
        s.from = index->marks[s.first] + 1;
        s.to = index->newlines[r];
        for (s.last = s.first + 1; index->marks[s.last] != s.to;)
            s.last++;
        if (!is_blank(w, &s))
            status = take_record(w, &s, is_bad, r, error);
        s.first = s.last;
    }
    if (status == SCRIM_OK)
        status =
            w->source->reader->ended(w->context, w->piece.sequence, index->record_count,
                                     w->piece.file_bytes, error);
    return status;
}

/* Workers. */

static scrim_status next_piece(worker *w, scrim_error *error)
{
    scrim_status status = sc_csv_pieces_next(w->source->pieces, &w->piece, error);
    if (status != SCRIM_OK || w->piece.bytes == 0)
        return status;
    status = sc_csv_index_reserve(&w->index, w->piece.bytes, error);
    if (status != SCRIM_OK)
        return status;
    sc_csv_index_build(&w->index, w->piece.start, w->piece.bytes, w->source->schema->csv);
    return take_piece(w, error);
}

static scrim_status work(void *context, unsigned number, scrim_error *error)
{
    csv *c = context;
    worker w = {.source = c, .context = c->reader->contexts[number]};
    sc_csv_piece_init(&w.piece);
    sc_csv_index_init(&w.index);
    w.values = sc_allocate(c->schema->column_count, sizeof *w.values);
    scrim_status status =
        w.values == NULL ? sc_fail(error, SCRIM_E_MEMORY, "no memory") : SCRIM_OK;
    while (status == SCRIM_OK && !atomic_load(&c->is_over)) {
        status = next_piece(&w, error);
        if (w.piece.bytes == 0)
            break;
    }
    if (status != SCRIM_OK)
        atomic_store(&c->is_over, true);
    sc_csv_piece_clear(&w.piece);
    sc_csv_index_clear(&w.index);
    sc_free(w.values);
    sc_csv_quotes_clear(&w.quotes);
    return status;
}

scrim_status sc_csv_raw_read(const sc_schema *schema, const sc_raw_reader *reader,
                             sc_source_stamp *stamp, scrim_error *error)
{
    csv c = {.schema = schema, .reader = reader};
    scrim_status status = open_file(&c, error);
    if (status == SCRIM_OK) {
        *stamp = sc_csv_pieces_stamp(c.pieces);
        status = sc_workers_run(reader->workers, work, &c, error);
    }
    if (status == SCRIM_OK && reader->content_key != NULL)
        *reader->content = sc_csv_pieces_content(c.pieces);
    sc_csv_pieces_close(c.pieces);
    sc_free(c.places);
    return status;
}
