#include "data/source/arrow_frame.h"

#include "data/source/arrow_rows.h"
#include "model/option_struct.h"

#include <stdatomic.h>

/* A worker with fewer bytes than this, as the stamp counts them, is not worth its thread. */
#define WORKER_BYTES ((size_t)2 * SC_ARROW_BLOCK_ROWS * 2 * sizeof(int64_t))

typedef struct frame_state {
    const sc_batch_request *request;
    size_t blocks;      /* of all batches */
    atomic_size_t next; /* the first that no worker has taken */
    sc_source_stamp stamp;
} frame_state;

/* Blocks are numbered through all batches. A worker takes them upwards, and opens each batch for itself. */
typedef struct frame_worker {
    frame_state *state;
    sc_arrow_rows *rows;
    size_t batch;     /* the next to be opened */
    size_t from, end; /* the blocks of the one that is open */
} frame_worker;

scrim_status sc_frame_copy(const scrim_frame *given, scrim_frame *out, scrim_error *error)
{
    return sc_option_struct_copy(given, offsetof(scrim_frame, file), out, sizeof *out,
                                 error);
}

const scrim_frame *sc_frame_with_rows(const scrim_frame *frame)
{
    return frame->schema == NULL && frame->batch_count == 0 ? NULL : frame;
}

static size_t blocks_of(const struct ArrowArray *batch)
{
    return ((size_t)batch->length + SC_ARROW_BLOCK_ROWS - 1) / SC_ARROW_BLOCK_ROWS;
}

/* Opening. */

static scrim_status check_batches(frame_state *s, sc_arrow_rows *rows, scrim_error *error)
{
    const scrim_frame *frame = s->request->frame;
    scrim_status status = SCRIM_OK;
    uint64_t count = 0;
    if (frame->batch_count > 0 && frame->batches == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "batches",
                           "the frame has no batches");
    for (size_t i = 0; status == SCRIM_OK && i < frame->batch_count; i++) {
        status = sc_arrow_rows_open(rows, frame->batches[i], error);
        if (status != SCRIM_OK)
            break;
        sc_arrow_rows_close(rows);
        s->blocks += blocks_of(frame->batches[i]);
        if (!sc_uint64_add(count, (uint64_t)frame->batches[i]->length, &count))
            status = sc_fail(error, SCRIM_E_LIMIT, "the frame has too many rows");
    }
    s->stamp = (sc_source_stamp){
        .is_file = true, .bytes = sc_schema_pushed_bytes(s->request->schema, count)};
    return status;
}

static scrim_status rows_new(const frame_state *s, sc_arrow_rows **out,
                             scrim_error *error)
{
    return sc_arrow_rows_new(s->request->frame->schema, s->request, 1, out, error);
}

static scrim_status state_init(frame_state *s, const sc_batch_request *request,
                               scrim_error *error)
{
    sc_arrow_rows *rows = NULL;
    *s = (frame_state){.request = request};
    scrim_status status = rows_new(s, &rows, error);
    if (status == SCRIM_OK)
        status = check_batches(s, rows, error);
    sc_arrow_rows_free(rows);
    return status;
}

static scrim_status state_new(const sc_batch_request *request, void **state,
                              scrim_error *error)
{
    frame_state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "rows");
    const scrim_status status = state_init(s, request, error);
    if (status == SCRIM_OK)
        *state = s;
    else
        sc_free(s);
    return status;
}

static void state_free(void *state)
{
    sc_free(state);
}

static sc_source_stamp stamp_of(const void *state)
{
    return ((const frame_state *)state)->stamp;
}

static uint64_t read_bytes(const void *state)
{
    const frame_state *s = state;
    const size_t taken = atomic_load(&s->next);
    return taken >= s->blocks
               ? s->stamp.bytes
               : (uint64_t)((sc_uint128)s->stamp.bytes * taken / s->blocks);
}

/* Rows. */

static scrim_status worker_new(void *state, void **worker, scrim_error *error)
{
    frame_worker *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_no_memory(error, "rows");
    w->state = state;
    const scrim_status status = rows_new(w->state, &w->rows, error);
    if (status == SCRIM_OK)
        *worker = w;
    else
        sc_free(w);
    return status;
}

static void worker_free(void *worker)
{
    frame_worker *w = worker;
    if (w == NULL)
        return;
    sc_arrow_rows_free(w->rows);
    sc_free(w);
}

/* The batch of a block, which is in no batch before the open one. */
static scrim_status open_batch(frame_worker *w, size_t block, scrim_error *error)
{
    const scrim_frame *frame = w->state->request->frame;
    if (block < w->end)
        return SCRIM_OK;
    sc_arrow_rows_close(w->rows);
    for (; block >= w->end; w->batch++) {
        if (w->batch == frame->batch_count)
            return sc_fail(error, SCRIM_E_INPUT,
                           "the frame was changed while it was read");
        w->from = w->end;
        w->end += blocks_of(frame->batches[w->batch]);
    }
    const scrim_status status =
        sc_arrow_rows_open(w->rows, frame->batches[w->batch - 1], error);
    if (status == SCRIM_OK && sc_arrow_rows_blocks(w->rows) != w->end - w->from)
        return sc_fail(error, SCRIM_E_INPUT, "the frame was changed while it was read");
    return status;
}

/* The next block, in a batch that is open; false at the end. */
static scrim_status take_block(frame_worker *w, bool *is_there, size_t *block,
                               scrim_error *error)
{
    *block = atomic_fetch_add(&w->state->next, 1);
    *is_there = *block < w->state->blocks;
    if (*is_there)
        return open_batch(w, *block, error);
    return w->state->request->frame->has_failed == 0
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_INPUT,
                         "the source of the rows failed while it was read");
}

static scrim_status next(void *worker, const sc_batch **batch, scrim_error *error)
{
    frame_worker *w = worker;
    bool is_there;
    size_t block;
    const scrim_status status = take_block(w, &is_there, &block, error);
    *batch = NULL;
    return status == SCRIM_OK && is_there
               ? sc_arrow_rows_block(w->rows, 0, block - w->from, batch, error)
               : status;
}

/* Raw records. */

typedef struct raw_reading {
    frame_state state;
    const sc_raw_reader *reader;
    atomic_bool is_over;
} raw_reading;

/* The values of a record, and the room for those that are made. */
typedef struct raw_room {
    sc_raw_value *values; /* the unit last */
    char (*texts)[SC_ARROW_RAW_BYTES];
} raw_room;

static scrim_status take_records(raw_reading *r, frame_worker *w, const raw_room *room,
                                 size_t block, void *context, scrim_error *error)
{
    const sc_schema *schema = r->state.request->schema;
    const size_t columns = schema->column_count, all = columns + (schema->unit.bytes > 0),
                 rows = sc_arrow_rows_count(w->rows, block - w->from);
    sc_raw_record record = {.piece = block, .values = room->values};
    scrim_status status = SCRIM_OK;
    for (; status == SCRIM_OK && record.index < rows; record.index++) {
        for (size_t i = 0; i < all; i++)
            sc_arrow_rows_raw(w->rows, block - w->from, record.index, i, room->texts[i],
                              &room->values[i]);
        if (all > columns)
            record.unit = room->values[columns];
        status = r->reader->take(context, &record, error);
    }
    return status == SCRIM_OK
               ? r->reader->ended(context, block, rows,
                                  rows * sizeof(int64_t) * (columns + 1), error)
               : status;
}

static scrim_status read_blocks(raw_reading *r, frame_worker *w, const raw_room *room,
                                void *context, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    bool is_there = true;
    while (status == SCRIM_OK && is_there && !atomic_load(&r->is_over)) {
        size_t block;
        status = take_block(w, &is_there, &block, error);
        if (status == SCRIM_OK && is_there)
            status = take_records(r, w, room, block, context, error);
    }
    return status;
}

static scrim_status read_raw(void *context, unsigned number, scrim_error *error)
{
    raw_reading *r = context;
    const size_t all = r->state.request->column_count + 1;
    const raw_room room = {.values = sc_allocate(all, sizeof *room.values),
                           .texts = sc_allocate(all, sizeof *room.texts)};
    void *worker = NULL;
    scrim_status status = room.values == NULL || room.texts == NULL
                              ? sc_no_memory(error, "rows")
                              : worker_new(&r->state, &worker, error);
    if (status == SCRIM_OK)
        status = read_blocks(r, worker, &room, r->reader->contexts[number], error);
    if (status != SCRIM_OK)
        atomic_store(&r->is_over, true);
    worker_free(worker);
    sc_free_wiped(room.texts, all * sizeof *room.texts);
    sc_free_wiped(room.values, all * sizeof *room.values);
    return status;
}

scrim_status sc_frame_raw_read(const sc_schema *schema, const scrim_frame *frame,
                               const sc_raw_reader *reader, sc_source_stamp *stamp,
                               scrim_error *error)
{
    const size_t count = schema->column_count;
    size_t *columns = sc_allocate(count, sizeof *columns);
    const sc_batch_request request = {
        .schema = schema, .columns = columns, .column_count = count, .frame = frame};
    raw_reading r = {.reader = reader};
    if (columns == NULL)
        return sc_no_memory(error, "rows");
    for (size_t i = 0; i < count; i++)
        columns[i] = i;
    scrim_status status = state_init(&r.state, &request, error);
    if (status == SCRIM_OK) {
        *stamp = r.state.stamp;
        status = sc_workers_run(reader->workers, read_raw, &r, error);
    }
    sc_free(columns);
    return status;
}

const sc_source sc_frame_source = {
    .kind = &sc_source_live_kind,
    .state_new = state_new,
    .state_free = state_free,
    .stamp = stamp_of,
    .read_bytes = read_bytes,
    .worker_new = worker_new,
    .worker_free = worker_free,
    .next = next,
    .piece_bytes = WORKER_BYTES,
};
