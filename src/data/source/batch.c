#include "data/source/batch.h"

static const sc_column *column_at(const sc_batch_request *request, size_t i)
{
    return &request->schema->columns[request->columns[i]];
}

/* Defaults with padding behind them, in the room's arena. */
static bool set_defaults(sc_batch_room *room)
{
    static const char padding[SC_FIELD_PADDING];
    const sc_batch_request *request = room->request;
    for (size_t i = 0; i <= request->column_count; i++)
        room->defaults[i] =
            i < request->column_count ? sc_null_text() : (sc_text){padding, 0};
    for (size_t i = 0; i < request->column_count; i++) {
        const sc_column *column = column_at(request, i);
        sc_field_reader_init(&room->readers[i], column);
        if (column->type != SC_COLUMN_TEXT || !column->has_missing)
            continue;
        const size_t bytes = column->missing.bytes;
        char *copy = sc_arena_allocate(&room->arena, bytes + SC_FIELD_PADDING, 1);
        if (copy == NULL)
            return false;
        memcpy(copy, column->missing.start, bytes);
        room->defaults[i] = (sc_text){copy, bytes};
    }
    return true;
}

scrim_status sc_batch_room_init(sc_batch_room *room, const sc_batch_request *request,
                                scrim_error *error)
{
    const size_t count = request->column_count;
    *room = (sc_batch_room){.request = request};
    sc_arena_init(&room->arena);
    room->batch.columns =
        sc_arena_allocate(&room->arena, count + 1, sizeof *room->batch.columns);
    room->readers = sc_arena_allocate(&room->arena, count + 1, sizeof *room->readers);
    room->defaults = sc_arena_allocate(&room->arena, count + 1, sizeof *room->defaults);
    room->batch.tally.missing =
        sc_arena_allocate(&room->arena, count + 1, sizeof *room->batch.tally.missing);
    if (room->batch.columns == NULL || room->readers == NULL || room->defaults == NULL ||
        room->batch.tally.missing == NULL || !set_defaults(room)) {
        sc_batch_room_clear(room);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    return SCRIM_OK;
}

/* Memory that was never used is still zero; do not touch it. */
static void release_column(sc_batch_column *column, size_t rows)
{
    sc_free_wiped(column->values, rows * sizeof *column->values);
    sc_free_wiped(column->texts, rows * sizeof *column->texts);
    sc_free_wiped(column->hashes, rows * sizeof *column->hashes);
    *column = (sc_batch_column){NULL, NULL, NULL};
}

static void release_rows(sc_batch_room *room)
{
    const size_t count = room->batch.columns == NULL ? 0 : room->request->column_count;
    for (size_t i = 0; i < count; i++)
        release_column(&room->batch.columns[i], room->most);
    release_column(&room->batch.unit, room->most);
    sc_free(room->is_kept);
    room->is_kept = NULL;
    room->capacity = room->most = 0;
}

void sc_batch_room_clear(sc_batch_room *room)
{
    release_rows(room);
    sc_arena_clear(&room->arena);
    room->batch.columns = NULL;
}

static bool reserve_texts(sc_batch_column *column, size_t rows)
{
    column->texts = sc_allocate_raw(rows * sizeof *column->texts);
    column->hashes = sc_allocate_raw(rows * sizeof *column->hashes);
    return column->texts != NULL && column->hashes != NULL;
}

static bool reserve_rows(sc_batch_room *room, size_t rows)
{
    const sc_batch_request *request = room->request;
    release_rows(room);
    room->capacity = rows;
    room->is_kept = sc_allocate(rows, 1);
    bool is_had = room->is_kept != NULL;
    if (is_had && request->schema->unit.bytes > 0)
        is_had = reserve_texts(&room->batch.unit, rows);
    for (size_t i = 0; is_had && i < request->column_count; i++) {
        sc_batch_column *column = &room->batch.columns[i];
        if (column_at(request, i)->type == SC_COLUMN_TEXT)
            is_had = reserve_texts(column, rows);
        else
            is_had =
                (column->values = sc_allocate_raw(rows * sizeof *column->values)) != NULL;
    }
    return is_had;
}

scrim_status sc_batch_room_reserve(sc_batch_room *room, size_t rows, scrim_error *error)
{
    if (rows >= room->capacity && !reserve_rows(room, rows + rows / 4 + 1)) {
        release_rows(room);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    return SCRIM_OK;
}

scrim_status sc_batch_room_begin(sc_batch_room *room, size_t rows, scrim_error *error)
{
    room->batch.rows = 0;
    const scrim_status status = sc_batch_room_reserve(room, rows, error);
    if (status != SCRIM_OK)
        return status;
    room->most = rows > room->most ? rows : room->most;
    memset(room->is_kept, 1, rows);
    room->batch.tally = (sc_batch_tally){.missing = room->batch.tally.missing};
    memset(room->batch.tally.missing, 0,
           room->request->column_count * sizeof *room->batch.tally.missing);
    return SCRIM_OK;
}

sc_batch_filler sc_batch_filler_of(sc_batch_room *room, size_t column)
{
    const sc_column *declared = column_at(room->request, column);
    return (sc_batch_filler){.column = room->batch.columns[column],
                             .is_kept = room->is_kept,
                             .reader = room->readers[column],
                             .missing_value =
                                 declared->has_missing ? declared->grid.missing : SC_NULL,
                             .missing = room->defaults[column],
                             .missing_count = &room->batch.tally.missing[column],
                             .hasher = sc_value_hasher_of(&room->request->key)};
}

sc_batch_filler sc_batch_unit_filler(sc_batch_room *room)
{
    return (sc_batch_filler){.column = room->batch.unit,
                             .is_kept = room->is_kept,
                             .missing = room->defaults[room->request->column_count],
                             .missing_count = &room->batch.tally.no_unit,
                             .hasher = sc_value_hasher_of(&room->request->key)};
}

void sc_batch_put_any_text(const sc_batch_filler *filler, size_t row, sc_text text)
{
    if (text.bytes - 1 >= SC_COLUMN_VALUE_BYTES || !sc_utf8_is_valid_padded(text)) {
        text = filler->missing;
        ++*filler->missing_count;
    }
    filler->column.texts[row] = text;
    filler->column.hashes[row] = sc_value_hash(&filler->hasher.key, text);
}

void sc_batch_put_empty_text(const sc_batch_filler *filler, size_t row)
{
    static const char padding[SC_FIELD_PADDING];
    const sc_text empty = {padding, 0};
    filler->column.texts[row] = empty;
    filler->column.hashes[row] = sc_value_hash(&filler->hasher.key, empty);
}

void sc_batch_put_any_unit(const sc_batch_filler *filler, size_t row, sc_text text)
{
    if (text.bytes - 1 >= SC_COLUMN_VALUE_BYTES) {
        text = filler->missing;
        filler->is_kept[row] = 0;
        ++*filler->missing_count;
    }
    filler->column.texts[row] = text;
    filler->column.hashes[row] = sc_value_hash(&filler->hasher.key, text);
}

static void put_defaults(sc_batch_room *room, size_t row)
{
    for (size_t i = 0; i < room->request->column_count; i++) {
        size_t nobody = 0;
        sc_batch_filler filler = sc_batch_filler_of(room, i);
        const sc_text nothing = {room->defaults[i].start, 0};
        filler.missing_count = &nobody;
        if (filler.column.texts != NULL)
            sc_batch_put_text(&filler, row, nothing);
        else
            sc_batch_put_value(&filler, row, nothing);
    }
}

static void move_row(sc_batch_column *column, size_t from, size_t to)
{
    if (column->values != NULL)
        column->values[to] = column->values[from];
    if (column->texts != NULL) {
        column->texts[to] = column->texts[from];
        column->hashes[to] = column->hashes[from];
    }
}

void sc_batch_room_end(sc_batch_room *room, size_t rows, size_t malformed)
{
    room->batch.tally.records = rows + malformed;
    room->batch.tally.malformed = malformed;
    const bool is_unit = room->request->schema->unit.bytes == 0;
    for (; is_unit && malformed > 0; malformed--)
        put_defaults(room, rows++);
    const unsigned char *hole = rows > 0 ? memchr(room->is_kept, 0, rows) : NULL;
    size_t kept = rows;
    if (hole != NULL) {
        kept = (size_t)(hole - room->is_kept);
        for (size_t row = kept + 1; row < rows; row++) {
            if (!room->is_kept[row])
                continue;
            for (size_t i = 0; i < room->request->column_count; i++)
                move_row(&room->batch.columns[i], row, kept);
            move_row(&room->batch.unit, row, kept);
            kept++;
        }
    }
    room->batch.rows = kept;
}
