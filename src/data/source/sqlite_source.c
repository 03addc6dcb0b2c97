#include "data/source/sqlite_source.h"

#include "base/fork_guard.h"
#include "data/source/sqlite_source_file.h"
#include "data/value/decimal_value.h"
#include "data/value/number_text.h"

#include <pthread.h>
#include <string.h>

/* A batch ends after BATCH_ROWS rows or BATCH_BYTES bytes of text. */
#define BATCH_ROWS 8192
#define BATCH_BYTES ((size_t)1 << 20)
/* A longer value is not read: no text of SC_COLUMN_VALUE_BYTES has more in any encoding. */
#define STORED_BYTES (2 * SC_COLUMN_VALUE_BYTES)

typedef struct database {
    const sc_batch_request *request;
    sqlite3 *connection;
    sc_sqlite_rows rows;
    sc_source_stamp stamp;
    sc_content_file *file; /* NULL: no digest is made */
    sc_source_content content;
    pthread_mutex_t lock; /* of rows */
    bool has_lock, is_ended;
    uint64_t sequence;
    char *names; /* of the columns, one a line, where they are asked for */
} database;

typedef struct worker {
    database *source;
    sc_batch_room room;
    char *texts; /* of the batch, each with padding behind it */
    size_t capacity, used;
} worker;

/* Asks the schema: the first column of the first row as an integer, or `missing` if there is no row. a and b are the parameters
 * of the statement; an empty b is not bound. */
static scrim_status ask(const database *d, const char *question, sc_text a, sc_text b,
                        int64_t missing, int64_t *answer, scrim_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(d->connection, question, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 1, a.start, (int)a.bytes, SQLITE_STATIC);
    if (code == SQLITE_OK && b.bytes > 0)
        code = sqlite3_bind_text(statement, 2, b.start, (int)b.bytes, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *answer = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : missing;
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SCRIM_OK
                                                     : sc_sqlite_file_fail(code, error);
}

/* Refuses a column that the table lacks, or that is computed while it is read. */
static scrim_status check_column(const database *d, sc_text column, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    int64_t hidden = -1;
    const scrim_status status =
        ask(d, "SELECT hidden FROM pragma_table_xinfo(?1) WHERE name = ?2",
            d->request->schema->table, column, -1, &hidden, error);
    if (status != SCRIM_OK)
        return status;
    if (hidden < 0)
        return sc_fail_for(
            error, SCRIM_E_INPUT, SCRIM_REASON_UNKNOWN, "column",
            "the table of the source has no column '%s'; correct the policy",
            sc_text_quote(column, quote));
    if (hidden != 0 && hidden != 3) /* 3: a generated column that is STORED */
        return sc_fail(error, SCRIM_E_INPUT,
                       "the column '%s' of the source is computed when it is read; store "
                       "it or leave it out of the policy",
                       sc_text_quote(column, quote));
    return SCRIM_OK;
}

typedef scrim_status database_step(database *d, scrim_error *error);

/* The table whose name is nearest to the declared one, in text; false if none is near. */
static bool nearest_table(const database *d, char text[SC_TEXT_QUOTE_BYTES])
{
    const sc_text wanted = d->request->schema->table;
    sqlite3_stmt *statement = NULL;
    size_t least = 3; /* a distance that is no misspelling */
    int code = sqlite3_prepare_v2(
        d->connection,
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 AND "
        "substr(name, 1, 7) <> 'sqlite_' ORDER BY name",
        -1, &statement, NULL);
    while (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        const sc_text other = sc_text_of(name != NULL ? name : "");
        const size_t distance =
            sqlite3_strnicmp(other.start, wanted.start, (int)wanted.bytes) == 0 &&
                    other.bytes == wanted.bytes
                ? 0
                : sc_text_distance(wanted, other);
        if (distance < least && distance < wanted.bytes) {
            least = distance;
            (void)sc_text_quote(other, text);
        }
    }
    (void)sqlite3_finalize(statement);
    return least < 3;
}

static scrim_status fail_table(const database *d, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], meant[SC_TEXT_QUOTE_BYTES];
    (void)sc_text_quote(d->request->schema->table, quote);
    if (nearest_table(d, meant))
        return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_MISSPELT, "table",
                           "the source has no table '%s'; did you mean '%s'?", quote,
                           meant);
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_UNKNOWN, "table",
                       "the source has no table '%s'; a view or a virtual table is not "
                       "read",
                       quote);
}

static scrim_status check_table(database *d, scrim_error *error)
{
    const sc_schema *schema = d->request->schema;
    int64_t page = 0;
    /* A view and a virtual table have no page of their own. */
    scrim_status status =
        ask(d,
            "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND name = ?1 "
            "AND substr(name, 1, 7) <> 'sqlite_'",
            schema->table, (sc_text){NULL, 0}, 0, &page, error);
    if (status == SCRIM_OK && page <= 0)
        return fail_table(d, error);
    if (status == SCRIM_OK && schema->unit.bytes > 0)
        status = check_column(d, schema->unit, error);
    for (size_t i = 0; status == SCRIM_OK && i < schema->column_count; i++)
        status = check_column(d, schema->columns[i].name, error);
    return status;
}

static scrim_status prepare(database *d, scrim_error *error)
{
    const int code = sc_sqlite_rows_prepare(&d->rows, d->connection, d->request);
    return code == SQLITE_OK ? SCRIM_OK : sc_sqlite_file_fail(code, error);
}

static void database_free(void *state)
{
    database *d = state;
    if (d == NULL)
        return;
    sc_fork_guard_enter();
    sc_sqlite_rows_clear(&d->rows);
    (void)sqlite3_close(d->connection);
    sc_fork_guard_leave();
    sc_free(d->names);
    sc_content_file_free(d->file);
    if (d->has_lock)
        pthread_mutex_destroy(&d->lock);
    sc_free(d);
}

/* Opens the file and takes two steps: check the table, then prepare what is to be read. */
static scrim_status open_table(const sc_batch_request *request, database_step *check,
                               database_step *then, void **state, scrim_error *error)
{
    database *d = sc_allocate(1, sizeof *d);
    if (d == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    d->request = request;
    d->has_lock = pthread_mutex_init(&d->lock, NULL) == 0;
    /* A fork now would copy SQLite's mutexes into the child while they are held. */
    sc_fork_guard_enter();
    scrim_status status =
        d->has_lock
            ? sc_sqlite_file_open(request->schema->path, &d->connection, &d->stamp, error)
            : sc_fail(error, SCRIM_E_INTERNAL, "a lock could not be made");
    if (status == SCRIM_OK && request->content_key != NULL)
        status = sc_content_file_new(request->content_key, &d->file, error);
    if (status == SCRIM_OK)
        status = check(d, error);
    if (status == SCRIM_OK)
        status = then(d, error);
    sc_fork_guard_leave();
    if (status == SCRIM_OK)
        *state = d;
    else
        database_free(d);
    return status;
}

static scrim_status database_new(const sc_batch_request *request, void **state,
                                 scrim_error *error)
{
    return open_table(request, check_table, prepare, state, error);
}

/* For batches, which treat long values as missing: SQLite refuses to load them. raw_read has no such limit: 'dataset check' must
 * see them. */
static scrim_status database_new_short(const sc_batch_request *request, void **state,
                                       scrim_error *error)
{
    const scrim_status status = database_new(request, state, error);
    if (status == SCRIM_OK)
        (void)sqlite3_limit(((database *)*state)->connection, SQLITE_LIMIT_LENGTH,
                            STORED_BYTES);
    return status;
}

static sc_source_stamp database_stamp(const void *state)
{
    return ((const database *)state)->stamp;
}

static sc_source_content database_content(const void *state)
{
    return ((const database *)state)->content;
}

/* Workers. */

static void worker_free(void *memory)
{
    worker *w = memory;
    if (w == NULL)
        return;
    sc_batch_room_clear(&w->room);
    sc_free_wiped(w->texts, w->capacity);
    sc_free(w);
}

static scrim_status worker_new(void *state, void **out, scrim_error *error)
{
    database *d = state;
    worker *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    w->source = d;
    /* The last row may begin just below BATCH_BYTES and have the longest texts. */
    w->capacity = BATCH_BYTES + (d->request->column_count + 1) *
                                    (SC_COLUMN_VALUE_BYTES + SC_FIELD_PADDING);
    scrim_status status = sc_batch_room_init(&w->room, d->request, error);
    w->texts = sc_allocate(w->capacity, 1);
    if (status == SCRIM_OK && w->texts == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (status == SCRIM_OK)
        status = sc_batch_room_reserve(&w->room, BATCH_ROWS, error);
    if (status == SCRIM_OK)
        *out = w;
    else
        worker_free(w);
    return status;
}

/* Values. */

/* Is it one of the texts that the policy declares to mean a missing value? Texts and numbers can be. */
static bool is_null(const database *d, int type, sc_text text)
{
    return type != SQLITE_BLOB && sc_cell_form_is_null(&d->request->schema->form, text);
}

static uint64_t bits_of(sc_sqlite_cell cell)
{
    const double x = sqlite3_column_double(cell.statement, cell.column);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The text of a value that is there, good until the next step; of a real number in room, and empty if that is infinite.
 * start is NULL without memory. */
static sc_text text_of(sc_sqlite_cell cell, int type, char room[SC_NUMBER_TEXT_BYTES])
{
    sc_text text = {"", 0};
    if (type == SQLITE_FLOAT) {
        (void)sc_double_text(bits_of(cell), room, &text);
        return text;
    }
    const void *bytes = type == SQLITE_BLOB
                            ? sqlite3_column_blob(cell.statement, cell.column)
                            : sqlite3_column_text(cell.statement, cell.column);
    const size_t count = (size_t)sqlite3_column_bytes(cell.statement, cell.column);
    if (bytes == NULL && type == SQLITE_BLOB && count == 0) /* an empty blob */
        return text;
    return (sc_text){bytes, count};
}

/* The text of a value, in the worker's memory; empty when it is missing, too long to be read, or a
 * blob where none is legal. False without memory. */
static bool take_text(worker *w, sc_sqlite_cell cell, bool is_blob_legal, sc_text *text)
{
    char room[SC_NUMBER_TEXT_BYTES];
    const int type = sc_sqlite_cell_type(cell);
    *text = (sc_text){w->texts + w->used, 0};
    if (type == SQLITE_NULL || (type == SQLITE_BLOB && !is_blob_legal))
        return true;
    const sc_text found = text_of(cell, type, room);
    if (found.start == NULL)
        return false;
    if (found.bytes > SC_COLUMN_VALUE_BYTES || is_null(w->source, type, found))
        return true;
    memcpy(w->texts + w->used, found.start, found.bytes);
    text->bytes = found.bytes;
    w->used += found.bytes + SC_FIELD_PADDING;
    return true;
}

static bool is_empty_text(sc_sqlite_cell cell)
{
    return sc_sqlite_cell_type(cell) == SQLITE_TEXT &&
           sqlite3_column_bytes(cell.statement, cell.column) == 0;
}

/* An infinity, the only real number that is not finite in SQLite, is clamped to an end of the grid. */
static int64_t place_of_real(const sc_grid *grid, uint64_t bits)
{
    int64_t place;
    if (!sc_decimal_place_of_double(grid, bits, &place))
        place = bits >> 63 != 0 ? grid->low : grid->high;
    return place;
}

static bool is_of_numbers(const sc_column *column)
{
    return column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL;
}

/* Is the text of a real number one that means a missing value? */
static bool is_null_real(const database *d, uint64_t bits)
{
    char room[SC_NUMBER_TEXT_BYTES];
    sc_text text;
    return d->request->schema->form.null_count > 0 && sc_double_text(bits, room, &text) &&
           is_null(d, SQLITE_FLOAT, text);
}

static bool put_value(worker *w, size_t column, size_t row)
{
    const sc_batch_filler filler = sc_batch_filler_of(&w->room, column);
    const sc_column *declared = filler.reader.column;
    const sc_sqlite_cell cell = sc_sqlite_rows_cell(&w->source->rows, column + 1);
    sc_text text;
    if (sc_sqlite_cell_type(cell) == SQLITE_FLOAT && is_of_numbers(declared) &&
        !is_null_real(w->source, bits_of(cell))) {
        filler.column.values[row] = place_of_real(&declared->grid, bits_of(cell));
        return true;
    }
    if (!take_text(w, cell, false, &text))
        return false;
    sc_batch_put_value(&filler, row, text);
    return true;
}

static bool put_row(worker *w, size_t row)
{
    const sc_batch_request *request = w->source->request;
    const sc_sqlite_rows *rows = &w->source->rows;
    sc_text text;
    if (request->schema->unit.bytes > 0) {
        if (!take_text(w, sc_sqlite_rows_cell(rows, 0), true, &text))
            return false;
        const sc_batch_filler filler = sc_batch_unit_filler(&w->room);
        sc_batch_put_unit(&filler, row, text);
    }
    for (size_t i = 0; i < request->column_count; i++) {
        if (w->room.batch.columns[i].texts == NULL) {
            if (!put_value(w, i, row))
                return false;
            continue;
        }
        if (!take_text(w, sc_sqlite_rows_cell(rows, i + 1), false, &text))
            return false;
        const sc_batch_filler filler = sc_batch_filler_of(&w->room, i);
        if (is_empty_text(sc_sqlite_rows_cell(rows, i + 1)))
            sc_batch_put_empty_text(&filler, row);
        else
            sc_batch_put_text(&filler, row, text);
    }
    return true;
}

/* Batches. */

static scrim_status read_bytes(void *context, uint64_t offset, void *to, size_t bytes,
                               scrim_error *error)
{
    const int code = sc_sqlite_file_read(context, offset, to, bytes);
    return code == SQLITE_OK                 ? SCRIM_OK
           : code == SQLITE_IOERR_SHORT_READ ? sc_source_fail_rewritten(error)
                                             : sc_sqlite_file_fail(code, error);
}

/* SQLite reads pages, not the whole file: read its bytes once more after the rows. The stamp is looked at before the
 * first reading and after the second, so it shows whether somebody has written in between. */
static scrim_status end_rows(database *d, scrim_error *error)
{
    sc_source_stamp now;
    scrim_status status = d->file == NULL
                              ? SCRIM_OK
                              : sc_content_file_read(d->file, d->stamp.bytes, read_bytes,
                                                     d->connection, &d->content, error);
    sc_sqlite_rows_end(&d->rows);
    if (status == SCRIM_OK)
        status = sc_source_stamp_look(d->request->schema->path, &now, error);
    if (status == SCRIM_OK && !sc_source_stamp_same(&now, &d->stamp))
        return sc_source_fail_rewritten(error);
    return status;
}

static scrim_status fill(worker *w, scrim_error *error)
{
    database *d = w->source;
    size_t row = 0;
    int code = SQLITE_ROW;
    w->used = 0;
    scrim_status status = sc_batch_room_begin(&w->room, BATCH_ROWS, error);
    while (status == SCRIM_OK && row < BATCH_ROWS && w->used < BATCH_BYTES &&
           !d->is_ended) {
        code = sc_sqlite_rows_step(&d->rows);
        if (code == SQLITE_DONE) {
            d->is_ended = true;
            status = end_rows(d, error);
        } else if (code != SQLITE_ROW) {
            status = sc_sqlite_file_fail(code, error);
        } else if (!put_row(w, row++)) {
            status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
        }
    }
    if (status == SCRIM_OK)
        sc_batch_room_end(&w->room, row, 0);
    w->room.batch.sequence = d->sequence++;
    return status;
}

static scrim_status next(void *memory, const sc_batch **batch, scrim_error *error)
{
    worker *w = memory;
    database *d = w->source;
    scrim_status status = SCRIM_OK;
    *batch = NULL;
    if (pthread_mutex_lock(&d->lock) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a lock failed");
    if (!d->is_ended) {
        sc_fork_guard_enter();
        status = fill(w, error);
        sc_fork_guard_leave();
        if (status == SCRIM_OK)
            *batch = &w->room.batch;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* Raw records, for 'dataset check': values as they are stored, not yet clamped or read as numbers. */

/* column is NULL for the unit. room is for the text of a real number where the column is not one of numbers. */
static bool take_raw(const database *d, sc_sqlite_cell cell, const sc_column *column,
                     char room[SC_NUMBER_TEXT_BYTES], sc_raw_value *value)
{
    const int type = sc_sqlite_cell_type(cell);
    *value = (sc_raw_value){.kind = SC_RAW_TEXT};
    if (type == SQLITE_NULL || (type == SQLITE_BLOB && column != NULL)) {
        value->kind = type == SQLITE_NULL ? SC_RAW_NULL : SC_RAW_BLOB;
        return true;
    }
    value->text = text_of(cell, type, room);
    if (value->text.start == NULL)
        return false;
    if (is_null(d, type, value->text))
        *value = (sc_raw_value){.kind = SC_RAW_NULL};
    else if (type == SQLITE_FLOAT && column != NULL && is_of_numbers(column))
        *value =
            (sc_raw_value){.kind = SC_RAW_DOUBLE,
                           .number = sqlite3_column_double(cell.statement, cell.column)};
    else if (type == SQLITE_FLOAT && value->text.bytes == 0) /* infinite */
        value->kind = SC_RAW_NULL;
    return true;
}

/* texts: SC_NUMBER_TEXT_BYTES for the unit and for each value. */
static bool take_record(const database *d, sc_raw_value *values, char *texts,
                        sc_raw_record *record)
{
    const sc_schema *schema = d->request->schema;
    bool is_read =
        schema->unit.bytes == 0 ||
        take_raw(d, sc_sqlite_rows_cell(&d->rows, 0), NULL, texts, &record->unit);
    for (size_t i = 0; i < schema->column_count && is_read; i++)
        is_read = take_raw(d, sc_sqlite_rows_cell(&d->rows, i + 1), &schema->columns[i],
                           texts += SC_NUMBER_TEXT_BYTES, &values[i]);
    return is_read;
}

static scrim_status read_records(database *d, const sc_raw_reader *reader,
                                 sc_raw_value *values, char *texts, scrim_error *error)
{
    sc_raw_record record = {.values = values};
    scrim_status status = SCRIM_OK;
    int code = SQLITE_ROW;
    sc_fork_guard_enter();
    while (status == SCRIM_OK && (code = sc_sqlite_rows_step(&d->rows)) == SQLITE_ROW) {
        status = take_record(d, values, texts, &record)
                     ? reader->take(reader->contexts[0], &record, error)
                     : sc_fail(error, SCRIM_E_MEMORY, "no memory");
        if (++record.index % BATCH_ROWS == 0) { /* let a waiting fork go ahead */
            sc_fork_guard_leave();
            sc_fork_guard_enter();
        }
    }
    if (status == SCRIM_OK && code != SQLITE_DONE)
        status = sc_sqlite_file_fail(code, error);
    if (status == SCRIM_OK)
        status = end_rows(d, error);
    sc_fork_guard_leave();
    return status == SCRIM_OK ? reader->ended(reader->contexts[0], 0, record.index,
                                              d->stamp.bytes, error)
                              : status;
}

/* One statement reads all records in the order of the table, so the first worker takes them all, as one piece. */
static scrim_status raw_read(const sc_schema *schema, const sc_raw_reader *reader,
                             sc_source_stamp *stamp, scrim_error *error)
{
    const size_t count = schema->column_count;
    size_t *columns = sc_allocate(count, sizeof *columns);
    sc_raw_value *values = sc_allocate(count, sizeof *values);
    char *texts = sc_allocate(count + 1, SC_NUMBER_TEXT_BYTES);
    const sc_batch_request request = {.schema = schema,
                                      .columns = columns,
                                      .column_count = count,
                                      .content_key = reader->content_key};
    void *state = NULL;
    scrim_status status = columns == NULL || values == NULL || texts == NULL
                              ? sc_fail(error, SCRIM_E_MEMORY, "no memory")
                              : SCRIM_OK;
    for (size_t i = 0; i < count && status == SCRIM_OK; i++)
        columns[i] = i;
    if (status == SCRIM_OK)
        status = database_new(&request, &state, error);
    if (status == SCRIM_OK) {
        *stamp = database_stamp(state);
        status = read_records(state, reader, values, texts, error);
    }
    if (status == SCRIM_OK && reader->content_key != NULL)
        *reader->content = database_content(state);
    database_free(state);
    sc_free_wiped(texts, (count + 1) * SC_NUMBER_TEXT_BYTES);
    sc_free_wiped(values, count * sizeof *values);
    sc_free(columns);
    return status;
}

static scrim_status content_read(const sc_schema *schema, const sc_source_key *key,
                                 const sc_content_watch *watch, sc_source_stamp *stamp,
                                 sc_source_content *content, scrim_error *error)
{
    const sc_batch_request request = {.schema = schema, .content_key = key};
    void *state = NULL;
    scrim_status status = database_new(&request, &state, error);
    if (status != SCRIM_OK)
        return status;
    database *d = state;
    sc_content_file_watch(d->file, watch);
    sc_fork_guard_enter();
    status = end_rows(d, error);
    sc_fork_guard_leave();
    if (status == SCRIM_OK) {
        *stamp = d->stamp;
        *content = d->content;
    }
    database_free(d);
    return status;
}

/* Names. */

static scrim_status list_names(database *d, scrim_error *error)
{
    const int code = sc_sqlite_names(d->connection, d->request->schema->table, &d->names);
    return code == SQLITE_OK ? SCRIM_OK : sc_sqlite_file_fail(code, error);
}

static scrim_status list_tables(database *d, scrim_error *error)
{
    const int code = sc_sqlite_tables(d->connection, &d->names);
    return code == SQLITE_OK ? SCRIM_OK : sc_sqlite_file_fail(code, error);
}

static scrim_status check_nothing(database *d, scrim_error *error)
{
    (void)d;
    (void)error;
    return SCRIM_OK;
}

static scrim_status read_list(const sc_schema *schema, database_step *check,
                              database_step *list, char **out, scrim_error *error)
{
    const sc_batch_request request = {.schema = schema};
    void *state = NULL;
    const scrim_status status = open_table(&request, check, list, &state, error);
    if (status != SCRIM_OK)
        return status;
    database *d = state;
    *out = d->names;
    d->names = NULL;
    database_free(d);
    return SCRIM_OK;
}

static scrim_status names_read(const sc_schema *schema, char **out, scrim_error *error)
{
    return read_list(schema, check_table, list_names, out, error);
}

static scrim_status tables_read(const sc_schema *schema, char **out, scrim_error *error)
{
    return read_list(schema, check_nothing, list_tables, out, error);
}

const sc_source sc_sqlite_source = {
    .kind = &sc_source_sqlite_kind,
    .state_new = database_new_short,
    .state_free = database_free,
    .stamp = database_stamp,
    .content = database_content,
    .content_read = content_read,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .next = next,
    .raw_read = raw_read,
    .names_read = names_read,
    .tables_read = tables_read,
};
