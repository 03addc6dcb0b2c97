#include "data/source/csv.h"

#include "data/source/csv_index.h"
#include "data/source/csv_pieces.h"

/* Rows of a batch: what a piece has more comes in the next ones. */
#define BATCH_ROWS 16384
/* Numbers that are read together. */
#define NUMBERS 256

/* An open file: where in a record the columns lie that were asked for. */
typedef struct csv {
    const sc_batch_request *request;
    sc_csv_pieces *pieces;
    size_t fields; /* of a record */
    size_t unit;
    size_t *places; /* by column of the request */
    /* By column of the request: where a text that stands for a missing value has to be looked for. Not
     * where it cannot be read as a value either. */
    bool *has_nulls;
} csv;

/* A worker: its piece of the file, and what is made of it. */
typedef struct worker {
    csv *source;
    sc_csv_piece piece;
    sc_csv_index index;
    sc_batch_room room;
    uint32_t
        *records;     /* of those that are well formed: the mark before the first field */
    size_t capacity;  /* of records */
    size_t count, at; /* of them: those of the piece, and those that were handed out */
    size_t malformed; /* other records that were not handed out */
    size_t record_bytes;
    bool has_returns; /* there is a carriage return in the piece */
    sc_csv_quotes quotes;
} worker;

/* Opening. */

static scrim_status find_columns(csv *c, const sc_csv_header *header, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_schema *schema = c->request->schema;
    sc_text lacking = {NULL, 0};
    if (schema->unit.bytes > 0) {
        c->unit = sc_csv_header_find(header, schema->unit);
        if (c->unit == header->count)
            lacking = schema->unit;
    }
    for (size_t i = 0; i < schema->column_count; i++) {
        const size_t place = sc_csv_header_find(header, schema->columns[i].name);
        if (place == header->count)
            lacking = schema->columns[i].name;
        for (size_t j = 0; j < c->request->column_count; j++)
            if (c->request->columns[j] == i)
                c->places[j] = place;
    }
    if (lacking.bytes > 0)
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_UNKNOWN, "column",
            "the header of the source has no column '%s'; correct the policy "
            "or the file",
            sc_text_quote(lacking, quote));
    return SCRIM_OK;
}

static void csv_free(void *state)
{
    csv *c = state;
    if (c == NULL)
        return;
    sc_csv_pieces_close(c->pieces);
    sc_free(c->places);
    sc_free(c->has_nulls);
    sc_free(c);
}

static bool reads_null(const sc_schema *schema, const sc_column *column)
{
    int64_t place;
    for (size_t i = 0; i < schema->form.null_count; i++)
        if (column->type == SC_COLUMN_TEXT ||
            sc_field_read_plain(column, schema->form.nulls[i], &place))
            return true;
    return false;
}

static scrim_status csv_new(const sc_batch_request *request, void **state,
                            scrim_error *error)
{
    const sc_schema *schema = request->schema;
    sc_text record;
    csv *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    SC_OWN(sc_csv_header, header);
    c->request = request;
    c->places = sc_allocate(request->column_count, sizeof *c->places);
    c->has_nulls = sc_allocate(request->column_count, sizeof *c->has_nulls);
    scrim_status status =
        c->places == NULL || c->has_nulls == NULL
            ? sc_fail(error, SCRIM_E_MEMORY, "no memory")
            : sc_csv_pieces_open(schema->path, schema->csv.end, request->content_key,
                                 &c->pieces, &record, error);
    if (status == SCRIM_OK)
        sc_csv_pieces_expect(c->pieces, schema, request->content_key != NULL);
    for (size_t i = 0; status == SCRIM_OK && i < request->column_count; i++)
        c->has_nulls[i] = reads_null(schema, &schema->columns[request->columns[i]]);
    if (status == SCRIM_OK)
        status = sc_csv_header_parse(record, schema->csv.separator, &header, error);
    if (status == SCRIM_OK)
        status = find_columns(c, &header, error);
    c->fields = header.count;
    if (status == SCRIM_OK)
        *state = c;
    else
        csv_free(c);
    return status;
}

static sc_source_stamp csv_stamp(const void *state)
{
    return sc_csv_pieces_stamp(((const csv *)state)->pieces);
}

static sc_source_content csv_content(const void *state)
{
    return sc_csv_pieces_content(((const csv *)state)->pieces);
}

/* Reads the source as the workers of a pass do, and hands on no rows. */
static scrim_status csv_content_read(const sc_schema *schema, const sc_source_key *key,
                                     const sc_content_watch *watch,
                                     sc_source_stamp *stamp, sc_source_content *content,
                                     scrim_error *error)
{
    sc_csv_pieces *pieces = NULL;
    sc_csv_piece piece;
    sc_text header;
    scrim_status status =
        sc_csv_pieces_open(schema->path, schema->csv.end, key, &pieces, &header, error);
    if (status != SCRIM_OK)
        return status;
    sc_csv_pieces_expect(pieces, schema, false);
    sc_csv_piece_init(&piece);
    const uint64_t total = sc_csv_pieces_stamp(pieces).bytes;
    do {
        status = sc_csv_pieces_next(pieces, &piece, error);
        sc_content_watch_tell(watch, sc_csv_pieces_read_bytes(pieces), total);
    } while (status == SCRIM_OK && piece.bytes > 0);
    if (status == SCRIM_OK) {
        *stamp = sc_csv_pieces_stamp(pieces);
        *content = sc_csv_pieces_content(pieces);
    }
    sc_csv_piece_clear(&piece);
    sc_csv_pieces_close(pieces);
    return status;
}

static uint64_t csv_read_bytes(const void *state)
{
    return sc_csv_pieces_read_bytes(((const csv *)state)->pieces);
}

/* Workers. */

static void worker_free(void *memory)
{
    worker *w = memory;
    if (w == NULL)
        return;
    sc_csv_piece_clear(&w->piece);
    sc_csv_index_clear(&w->index);
    sc_batch_room_clear(&w->room);
    sc_free(w->records);
    sc_csv_quotes_clear(&w->quotes);
    sc_free(w);
}

/* All memory that any piece needs, before there is one. */
static scrim_status reserve_all(worker *w, scrim_error *error)
{
    size_t most = 0;
    scrim_status status =
        sc_csv_piece_reserve(&w->piece, w->source->pieces, &most, error);
    if (status == SCRIM_OK)
        status = sc_csv_index_reserve(&w->index, most, error);
    if (status == SCRIM_OK)
        status = sc_csv_quotes_reserve(&w->quotes, most, error);
    if (status == SCRIM_OK)
        status = sc_batch_room_reserve(&w->room, BATCH_ROWS, error);
    if (status != SCRIM_OK)
        return status;
    w->records = sc_allocate_raw(most * sizeof *w->records);
    w->capacity = most;
    return w->records == NULL ? sc_fail(error, SCRIM_E_MEMORY, "no memory") : SCRIM_OK;
}

static scrim_status worker_new(void *state, void **out, scrim_error *error)
{
    worker *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    w->source = state;
    sc_csv_piece_init(&w->piece);
    sc_csv_index_init(&w->index);
    w->record_bytes = sc_csv_pieces_record_bytes(w->source->pieces);
    scrim_status status = sc_batch_room_init(&w->room, w->source->request, error);
    if (status == SCRIM_OK)
        status = reserve_all(w, error);
    if (status == SCRIM_OK)
        *out = w;
    else
        worker_free(w);
    return status;
}

/* Records. */

/* An empty line is not a record. */
static bool is_record(const worker *w, uint32_t from, uint32_t to)
{
    return from != to && (from + 1 != to || w->piece.start[from] != '\r');
}

static bool is_too_long(const worker *w, uint32_t from, uint32_t to)
{
    const size_t bytes = to - from;
    return bytes > w->record_bytes + 1 ||
           (bytes == w->record_bytes + 1 && w->piece.start[to - 1] != '\r');
}

/* Lists the records if all of them have as many fields as they should and nothing else is odd, which
 * is the usual case and needs no look at each; else false. */
static bool list_regular(worker *w)
{
    const sc_csv_index *index = &w->index;
    const size_t fields = w->source->fields;
    uint32_t wrong = 0;
    if (fields < 2 || index->bad_count > 0 || w->piece.bytes > w->record_bytes ||
        index->mark_count != 1 + fields * index->record_count)
        return false;
    for (size_t r = 0; r < index->record_count; r++) {
        wrong |= index->marks[(r + 1) * fields] ^ index->newlines[r];
        w->records[r] = (uint32_t)(r * fields);
    }
    return wrong == 0;
}

/* Lists the records that are well formed and returns their number; malformed counts the others. */
static size_t list_records(worker *w, size_t *malformed)
{
    const sc_csv_index *index = &w->index;
    const uint32_t *marks = index->marks;
    const size_t fields = w->source->fields;
    const bool is_long = w->piece.bytes > w->record_bytes;
    size_t count = 0, bad = 0;
    uint32_t first = 0; /* the mark before the record */
    *malformed = 0;
    if (list_regular(w))
        return index->record_count;
    for (size_t r = 0; r < index->record_count; r++) {
        const uint32_t newline = index->newlines[r], from = marks[first] + 1;
        size_t last = first + fields;
        bool is_right = last < index->mark_count && marks[last] == newline;
        if (!is_right)
            for (last = first + 1; marks[last] != newline;)
                last++;
        if (bad < index->bad_count && index->bad[bad] == r) {
            is_right = false;
            bad++;
        }
        is_right = is_right && !(is_long && is_too_long(w, from, newline)) &&
                   (fields > 1 || is_record(w, from, newline));
        w->records[count] = first;
        count += is_right;
        *malformed += !is_right && is_record(w, from, newline);
        first = (uint32_t)last;
    }
    return count;
}

/* Fields. */

/* Where a column's fields are, held in one place so that a loop need not look again. */
typedef struct fields {
    const char *bytes;
    const uint32_t *marks, *records;
    bool is_last; /* of records that may end with a carriage return */
    bool has_quotes, has_doubled;
    const sc_cell_form *nulls; /* NULL: none is looked for */
} fields;

static fields fields_at(const worker *w, size_t place, bool has_nulls)
{
    const sc_cell_form *form = &w->source->request->schema->form;
    return (fields){.bytes = w->piece.start,
                    .marks = w->index.marks + place,
                    .records = w->records + w->at,
                    .is_last = place + 1 == w->source->fields && w->has_returns,
                    .has_quotes = w->index.has_quotes,
                    .has_doubled = w->index.has_doubled,
                    .nulls = has_nulls && form->null_count > 0 ? form : NULL};
}

/* The field of a row, without its quotes; without bytes where it stands for a missing value. */
static inline sc_text field_of(worker *w, const fields *f, size_t row)
{
    const uint32_t *marks = f->marks + f->records[row];
    const uint32_t from = marks[0] + 1;
    uint32_t to = marks[1];
    if (f->is_last && to > from && f->bytes[to - 1] == '\r')
        to--;
    sc_text field = {f->bytes + from, to - from};
    if (f->has_quotes && field.bytes >= 2 && field.start[0] == '"') {
        field = (sc_text){field.start + 1, field.bytes - 2};
        if (f->has_doubled && field.bytes > 0 &&
            memchr(field.start, '"', field.bytes) != NULL)
            return sc_csv_quotes_take(&w->quotes, field);
    } else if (f->nulls != NULL && sc_cell_form_is_null(f->nulls, field)) {
        field.bytes = 0;
    }
    return field;
}

/* Does it stand between quotes? */
static bool is_quoted(const fields *f, size_t row)
{
    return f->has_quotes && f->bytes[f->marks[f->records[row]] + 1] == '"';
}

/* Where nothing can be around the fields, nobody looks for it. */
static inline sc_text plain_field(const fields *f, size_t row)
{
    const uint32_t *marks = f->marks + f->records[row];
    const uint32_t from = marks[0] + 1;
    return (sc_text){f->bytes + from, marks[1] - from};
}

static bool is_plain(const fields *f)
{
    return !f->has_quotes && !f->is_last && f->nulls == NULL;
}

static void put_units(worker *w, size_t count)
{
    const fields f = fields_at(w, w->source->unit, true);
    const sc_batch_filler filler = sc_batch_unit_filler(&w->room);
    if (is_plain(&f))
        for (size_t row = 0; row < count; row++)
            sc_batch_put_unit(&filler, row, plain_field(&f, row));
    else
        for (size_t row = 0; row < count; row++)
            sc_batch_put_unit(&filler, row, field_of(w, &f, row));
}

static void put_texts(worker *w, size_t column, size_t count)
{
    const fields f =
        fields_at(w, w->source->places[column], w->source->has_nulls[column]);
    const sc_batch_filler filler = sc_batch_filler_of(&w->room, column);
    if (is_plain(&f))
        for (size_t row = 0; row < count; row++)
            sc_batch_put_text(&filler, row, plain_field(&f, row));
    else
        for (size_t row = 0; row < count; row++) {
            const sc_text text = field_of(w, &f, row);
            if (text.bytes == 0 && is_quoted(&f, row))
                sc_batch_put_empty_text(&filler, row);
            else
                sc_batch_put_text(&filler, row, text);
        }
}

static void put_values(worker *w, size_t column, size_t count)
{
    const fields f =
        fields_at(w, w->source->places[column], w->source->has_nulls[column]);
    const sc_batch_filler filler = sc_batch_filler_of(&w->room, column);
    const sc_csv_column many = {f.bytes, f.marks, f.records, f.is_last};
    const bool can =
        !f.has_quotes && f.nulls == NULL && sc_csv_numbers_can(&filler.reader);
    uint32_t others[NUMBERS];
    for (size_t from = 0, rows; from < count; from += rows) {
        rows = count - from < NUMBERS ? count - from : NUMBERS;
        const size_t left = can ? sc_csv_numbers_read(&many, &filler.reader, from, rows,
                                                      filler.column.values, others)
                                : rows;
        for (size_t i = 0; i < left; i++) {
            const size_t row = can ? others[i] : from + i;
            sc_batch_put_value(&filler, row, field_of(w, &f, row));
        }
    }
}

/* Batches. */

static scrim_status reserve(worker *w, scrim_error *error)
{
    const size_t records = w->index.record_count;
    if (records > w->capacity) {
        sc_free(w->records);
        w->capacity = 0;
        w->records = sc_allocate_raw((records + records / 4) * sizeof *w->records);
        if (w->records == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "no memory");
        w->capacity = records + records / 4;
    }
    return w->index.has_doubled ? sc_csv_quotes_reserve(&w->quotes, w->piece.bytes, error)
                                : SCRIM_OK;
}

/* Reads the next piece and finds its records; none at the end. */
static scrim_status next_piece(worker *w, scrim_error *error)
{
    const csv *c = w->source;
    scrim_status status = sc_csv_pieces_next(c->pieces, &w->piece, error);
    w->count = w->at = w->malformed = 0;
    if (status != SCRIM_OK || w->piece.bytes == 0)
        return status;
    status = sc_csv_index_reserve(&w->index, w->piece.bytes, error);
    if (status != SCRIM_OK)
        return status;
    sc_csv_index_build(&w->index, w->piece.start, w->piece.bytes,
                       c->request->schema->csv);
    status = reserve(w, error);
    if (status != SCRIM_OK)
        return status;
    w->has_returns = memchr(w->piece.start, '\r', w->piece.bytes) != NULL;
    w->count = list_records(w, &w->malformed);
    return SCRIM_OK;
}

/* Makes a batch of the next rows of the piece. */
static scrim_status fill(worker *w, scrim_error *error)
{
    const csv *c = w->source;
    const size_t left = w->count - w->at, rows = left < BATCH_ROWS ? left : BATCH_ROWS,
                 room = BATCH_ROWS - rows,
                 malformed = w->malformed < room ? w->malformed : room;
    const scrim_status status = sc_batch_room_begin(&w->room, rows + malformed, error);
    if (status != SCRIM_OK)
        return status;
    if (c->request->schema->unit.bytes > 0)
        put_units(w, rows);
    for (size_t i = 0; i < c->request->column_count; i++)
        if (w->room.batch.columns[i].texts != NULL)
            put_texts(w, i, rows);
        else
            put_values(w, i, rows);
    sc_batch_room_end(&w->room, rows, malformed);
    w->room.batch.sequence = w->piece.sequence;
    w->at += rows;
    w->malformed -= malformed;
    return SCRIM_OK;
}

static scrim_status next(void *memory, const sc_batch **batch, scrim_error *error)
{
    worker *w = memory;
    scrim_status status = SCRIM_OK;
    *batch = NULL;
    if (w->at == w->count && w->malformed == 0)
        status = next_piece(w, error);
    if (status != SCRIM_OK || w->piece.bytes == 0)
        return status;
    status = fill(w, error);
    if (status == SCRIM_OK)
        *batch = &w->room.batch;
    return status;
}

/* A file that is not there is told by its name. */
static scrim_status csv_header_read(const sc_schema *schema, sc_csv_header *header,
                                    scrim_error *error)
{
    sc_source_stamp stamp;
    const scrim_status status = sc_source_stamp_look(schema->path, &stamp, error);
    return status == SCRIM_OK
               ? sc_csv_header_read(schema->path, schema->csv, header, error)
               : status;
}

const sc_source sc_csv_source = {
    .kind = &sc_source_csv_kind,
    .state_new = csv_new,
    .state_free = csv_free,
    .stamp = csv_stamp,
    .content = csv_content,
    .content_read = csv_content_read,
    .read_bytes = csv_read_bytes,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .next = next,
    .raw_read = sc_csv_raw_read,
    .header_read = csv_header_read,
    .header_records = 1,
    .piece_bytes = SC_CSV_PIECE_BYTES,
};
