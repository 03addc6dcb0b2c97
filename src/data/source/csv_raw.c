/* CSV files as records: the rules of csv.h, one record after another. */
#include "data/source/csv.h"
#include "data/source/csv_index.h"
#include "data/source/csv_pieces.h"
#include "data/source/csv_quotes.h"

#include <stdatomic.h>

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

/* A line with nothing on it is none. */
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
        status = w->source->reader->ended(w->context, w->piece.sequence,
                                          index->record_count, w->piece.bytes, error);
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
