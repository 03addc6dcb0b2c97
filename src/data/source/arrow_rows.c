#include "data/source/arrow_rows.h"

#include "model/option_struct.h"

#include <stdatomic.h>

/* A dictionary of up to this many values is read once per batch, a longer one row by row. */
#define DICTIONARY_ROWS 16384

/* A dictionary whose values are read already. */
typedef struct decoded {
    sc_batch_column column;
    unsigned char *is_kept;
    char *texts;
    bool is_open;
} decoded;

/* A column of the request, or the unit. */
typedef struct bound {
    sc_text name;
    const sc_column *column; /* NULL: the unit */
    size_t place;            /* in the request */
    size_t child;            /* of the schema */
    sc_arrow_type type;
    bool has_dictionary;
    sc_arrow_type index; /* of a dictionary */
    decoded decoded;
    /* Parts of the batch that is open: */
    sc_arrow_array array;  /* values, or indices */
    sc_arrow_array values; /* of the dictionary */
    size_t value_count;
} bound;

typedef struct push_worker {
    sc_batch_room room;
    char **texts; /* by column that makes any */
} push_worker;

struct sc_arrow_rows {
    sc_batch_request request;
    bound *columns; /* the unit last, where there is one */
    size_t count;
    int64_t children; /* of the schema */
    push_worker *workers;
    unsigned worker_count;
    size_t rows;    /* of the batch that is open */
    sc_arena batch; /* memory of that */
    sc_arena arena;
};

/* The schema. */

static scrim_status fail_type(const bound *b, const char *format, scrim_error *error)
{
    static const char *const words[] = {
        [SC_COLUMN_INT] = "int",   [SC_COLUMN_DECIMAL] = "decimal",
        [SC_COLUMN_DATE] = "date", [SC_COLUMN_BOOL] = "bool",
        [SC_COLUMN_TEXT] = "text", [SC_COLUMN_TIMESTAMP] = "timestamp"};
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_UNSUPPORTED,
                       sc_text_quote(b->name, quote),
                       "the rows have '%s' as %s, which cannot be read as %s; cast it",
                       quote, sc_arrow_type_name(format),
                       b->column == NULL ? "a unit" : words[b->column->type]);
}

static scrim_status find_child(const struct ArrowSchema *schema, bound *b,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    size_t found = 0;
    for (int64_t i = 0; i < schema->n_children; i++) {
        const struct ArrowSchema *child = schema->children[i];
        if (child == NULL || child->name == NULL || !sc_text_is(b->name, child->name))
            continue;
        b->child = (size_t)i;
        found++;
    }
    if (found == 1)
        return SCRIM_OK;
    sc_text_quote(b->name, quote);
    if (found == 0)
        return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, quote,
                           "the rows have no column '%s'", quote);
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_REPEATED, quote,
                       "the rows have two columns '%s'; leave one out", quote);
}

static scrim_status bind(const struct ArrowSchema *schema, bound *b, scrim_error *error)
{
    const scrim_status status = find_child(schema, b, error);
    if (status != SCRIM_OK)
        return status;
    const struct ArrowSchema *child = schema->children[b->child];
    const struct ArrowSchema *values = child->dictionary;
    b->has_dictionary = values != NULL;
    if (child->format == NULL || (b->has_dictionary && values->format == NULL))
        return fail_type(b, "", error);
    if (b->has_dictionary &&
        (!sc_arrow_type_parse(child->format, &b->index) || b->index.kind != SC_ARROW_INT))
        return fail_type(b, child->format, error);
    const char *format = b->has_dictionary ? values->format : child->format;
    if (!sc_arrow_type_parse(format, &b->type) ||
        (values != NULL && values->dictionary != NULL))
        return fail_type(b, format, error);
    return SCRIM_OK;
}

static scrim_status check_schema(const struct ArrowSchema *schema, scrim_error *error)
{
    if (schema == NULL || schema->release == NULL)
        return sc_fail(
            error, SCRIM_E_INPUT,
            "the schema of the rows is missing, or was released: its release is "
            "NULL");
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0 ||
        schema->dictionary != NULL || schema->n_children < 0 ||
        (schema->n_children > 0 && schema->children == NULL))
        return sc_fail(error, SCRIM_E_INPUT,
                       "the schema of the rows must be a struct of columns");
    return SCRIM_OK;
}

/* Memory. */

static size_t made_bytes(const bound *b, size_t rows)
{
    const size_t bytes = sc_arrow_text_bytes(&b->type, b->column);
    return bytes == 0 ? 0 : rows * bytes + SC_FIELD_PADDING;
}

static bool make_decoded(bound *b, sc_arena *arena)
{
    decoded *d = &b->decoded;
    if (!b->has_dictionary)
        return true;
    const size_t rows = DICTIONARY_ROWS, texts = made_bytes(b, rows);
    d->is_kept = sc_arena_allocate(arena, rows, 1);
    d->texts = texts == 0 ? NULL : sc_arena_allocate(arena, texts, 1);
    if (b->column != NULL && b->column->type != SC_COLUMN_TEXT) {
        d->column.values = sc_arena_allocate(arena, rows, sizeof *d->column.values);
        return d->is_kept != NULL && d->column.values != NULL;
    }
    d->column.texts = sc_arena_allocate(arena, rows, sizeof *d->column.texts);
    d->column.hashes = sc_arena_allocate(arena, rows, sizeof *d->column.hashes);
    return d->is_kept != NULL && d->column.texts != NULL && d->column.hashes != NULL &&
           (texts == 0 || d->texts != NULL);
}

static scrim_status make_worker(sc_arrow_rows *r, push_worker *w, scrim_error *error)
{
    scrim_status status = sc_batch_room_init(&w->room, &r->request, error);
    if (status == SCRIM_OK)
        status = sc_batch_room_reserve(&w->room, SC_ARROW_BLOCK_ROWS, error);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    w->texts = sc_arena_allocate(&r->arena, r->count, sizeof *w->texts);
    if (status == SCRIM_OK && w->texts == NULL)
        status = sc_no_memory(error, "rows");
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++) {
        const size_t bytes = made_bytes(&r->columns[i], SC_ARROW_BLOCK_ROWS);
        if (bytes > 0 && (w->texts[i] = sc_arena_allocate(&r->arena, bytes, 1)) == NULL)
            status = sc_no_memory(error, "rows");
    }
    return status;
}

static scrim_status make(sc_arrow_rows *r, const struct ArrowSchema *schema,
                         unsigned workers, scrim_error *error)
{
    const sc_schema *declared = r->request.schema;
    const bool has_unit = declared->unit.bytes > 0;
    r->columns =
        sc_arena_allocate(&r->arena, r->request.column_count + 1, sizeof *r->columns);
    r->workers = sc_arena_allocate(&r->arena, workers, sizeof *r->workers);
    if (r->columns == NULL || r->workers == NULL)
        return sc_no_memory(error, "rows");
    scrim_status status = check_schema(schema, error);
    for (; status == SCRIM_OK && r->count < r->request.column_count + has_unit;
         r->count++) {
        bound *b = &r->columns[r->count];
        if (r->count < r->request.column_count)
            b->column = &declared->columns[r->request.columns[r->count]];
        b->name = b->column == NULL ? declared->unit : b->column->name;
        b->place = r->count;
        status = bind(schema, b, error);
        if (status == SCRIM_OK && !make_decoded(b, &r->arena))
            status = sc_no_memory(error, "rows");
    }
    if (status == SCRIM_OK)
        r->children = schema->n_children;
    for (; status == SCRIM_OK && r->worker_count < workers; r->worker_count++)
        status = make_worker(r, &r->workers[r->worker_count], error);
    return status;
}

static bool copy_columns(sc_arrow_rows *r)
{
    const size_t count = r->request.column_count;
    size_t *columns = sc_arena_allocate(&r->arena, count, sizeof *columns);
    if (columns != NULL && count > 0)
        memcpy(columns, r->request.columns, count * sizeof *columns);
    r->request.columns = columns;
    return columns != NULL;
}

scrim_status sc_arrow_rows_new(const struct ArrowSchema *schema,
                               const sc_batch_request *request, unsigned workers,
                               sc_arrow_rows **out, scrim_error *error)
{
    sc_arrow_rows *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "rows");
    sc_arena_init(&r->arena);
    sc_arena_init(&r->batch);
    r->request = *request;
    const scrim_status status =
        copy_columns(r) ? make(r, schema, workers, error) : sc_no_memory(error, "rows");
    if (status == SCRIM_OK)
        *out = r;
    else
        sc_arrow_rows_free(r);
    return status;
}

void sc_arrow_rows_free(sc_arrow_rows *r)
{
    if (r == NULL)
        return;
    for (unsigned i = 0; i < r->worker_count; i++)
        sc_batch_room_clear(&r->workers[i].room);
    sc_arena_clear(&r->batch);
    sc_arena_clear(&r->arena);
    sc_free_wiped(r, sizeof *r);
}

/* A batch. */

static sc_arrow_target target_of(const sc_arrow_rows *r, const bound *b,
                                 sc_batch_room *room, char *texts)
{
    return (sc_arrow_target){.filler = b->column == NULL
                                           ? sc_batch_unit_filler(room)
                                           : sc_batch_filler_of(room, b->place),
                             .column = b->column,
                             .form = &r->request.schema->form,
                             .texts = texts};
}

/* The values of a dictionary that is not longer than the batch. */
static void decode(sc_arrow_rows *r, bound *b)
{
    size_t nobody = 0;
    decoded *d = &b->decoded;
    d->is_open = b->value_count <= DICTIONARY_ROWS && b->value_count <= r->rows;
    if (!d->is_open)
        return;
    sc_arrow_target to = target_of(r, b, &r->workers[0].room, d->texts);
    to.filler.column = d->column;
    to.filler.is_kept = d->is_kept;
    to.filler.missing_count = &nobody;
    memset(d->is_kept, 1, b->value_count);
    sc_arrow_put_rows(&b->values, 0, b->value_count, &to);
}

static scrim_status open_dictionary(sc_arrow_rows *r, bound *b,
                                    const struct ArrowArray *array, scrim_error *error)
{
    const struct ArrowArray *values = array->dictionary;
    if (values == NULL)
        return sc_arrow_array_fail(b->name, "has no dictionary", error);
    if (values->dictionary != NULL)
        return sc_arrow_array_fail(b->name, "has a dictionary of its dictionary", error);
    b->value_count = values->length < 0 ? 0 : (size_t)values->length;
    const scrim_status status = sc_arrow_array_open(
        values, &b->type, 0, b->value_count, b->name, &r->batch, &b->values, error);
    if (status == SCRIM_OK)
        decode(r, b);
    return status;
}

static scrim_status open_column(sc_arrow_rows *r, bound *b,
                                const struct ArrowArray *parent, scrim_error *error)
{
    const struct ArrowArray *array = parent->children[b->child];
    scrim_status status = sc_arrow_array_open(
        array, b->has_dictionary ? &b->index : &b->type, (size_t)parent->offset, r->rows,
        b->name, &r->batch, &b->array, error);
    if (status != SCRIM_OK)
        return status;
    b->array.parent = parent->n_buffers == 1 ? parent->buffers[0] : NULL;
    b->array.parent_first = (size_t)parent->offset;
    if (b->has_dictionary)
        return open_dictionary(r, b, array, error);
    if (array->dictionary != NULL)
        return sc_arrow_array_fail(b->name, "has a dictionary", error);
    return SCRIM_OK;
}

static scrim_status check_batch(const sc_arrow_rows *r, const struct ArrowArray *array,
                                scrim_error *error)
{
    if (array == NULL || array->release == NULL)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the batch is missing, or was released: its release is NULL");
    if (!sc_arrow_array_has(array, 0, 0) || array->dictionary != NULL ||
        array->n_buffers < 0 || array->n_buffers > 1 ||
        (array->n_buffers == 1 && array->buffers == NULL) ||
        array->n_children != r->children ||
        (array->n_children > 0 && array->children == NULL))
        return sc_fail(error, SCRIM_E_INPUT,
                       "the batch does not fit its schema: it must be a struct with "
                       "the columns of the schema");
    return SCRIM_OK;
}

scrim_status sc_arrow_rows_open(sc_arrow_rows *r, const struct ArrowArray *array,
                                scrim_error *error)
{
    scrim_status status = check_batch(r, array, error);
    if (status == SCRIM_OK)
        r->rows = (size_t)array->length;
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++)
        status = open_column(r, &r->columns[i], array, error);
    if (status != SCRIM_OK)
        sc_arrow_rows_close(r);
    return status;
}

void sc_arrow_rows_close(sc_arrow_rows *r)
{
    r->rows = 0;
    sc_arena_clear(&r->batch);
}

size_t sc_arrow_rows_blocks(const sc_arrow_rows *r)
{
    return r->rows / SC_ARROW_BLOCK_ROWS + (r->rows % SC_ARROW_BLOCK_ROWS > 0);
}

/* Rows. */

static inline void take_decoded(const decoded *d, size_t index, const sc_arrow_target *to,
                                size_t at, bool is_text)
{
    const sc_batch_filler *f = &to->filler;
    if (is_text) {
        f->column.texts[at] = d->column.texts[index];
        f->column.hashes[at] = d->column.hashes[index];
        f->is_kept[at] &= d->is_kept[index]; /* of texts that are no unit it is 1 */
    } else {
        f->column.values[at] = d->column.values[index];
    }
}

/* By indices into values that are read already. The type is a constant of each caller. */
__attribute__((always_inline)) static inline void
put_decoded(const bound *b, size_t from, size_t count, const sc_arrow_target *to,
            bool is_text, const sc_arrow_type *type)
{
    const bool has_nulls = b->array.present != NULL || b->array.parent != NULL;
    sc_arrow_array array = b->array;
    array.type = type;
    for (size_t i = 0; i < count; i++) {
        /* A negative offset, as an unsigned number, is beyond every length. */
        const uint64_t index = sc_arrow_word(&array, from + i);
        if ((has_nulls && !sc_arrow_is_present(&array, from + i)) ||
            index >= b->value_count)
            sc_arrow_put_missing(to, i);
        else
            take_decoded(&b->decoded, (size_t)index, to, i, is_text);
    }
}

/* Texts, which most dictionaries are of, by the indices that most have. */
static void put_texts(const bound *b, size_t from, size_t count,
                      const sc_arrow_target *to)
{
    static const sc_arrow_type one = {.bytes = 1, .is_signed = true},
                               two = {.bytes = 2, .is_signed = true},
                               four = {.bytes = 4, .is_signed = true};
    const sc_arrow_type *type = &b->index;
    if (type->is_signed && type->bytes == one.bytes)
        put_decoded(b, from, count, to, true, &one);
    else if (type->is_signed && type->bytes == two.bytes)
        put_decoded(b, from, count, to, true, &two);
    else if (type->is_signed && type->bytes == four.bytes)
        put_decoded(b, from, count, to, true, &four);
    else
        put_decoded(b, from, count, to, true, type);
}

static void put_indexed(const bound *b, size_t from, size_t count,
                        const sc_arrow_target *to)
{
    if (b->decoded.is_open && b->decoded.column.values == NULL) {
        put_texts(b, from, count, to);
        return;
    }
    if (b->decoded.is_open) {
        put_decoded(b, from, count, to, false, &b->index);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t index = sc_arrow_word(&b->array, from + i);
        if (!sc_arrow_is_present(&b->array, from + i) || index >= b->value_count)
            sc_arrow_put_missing(to, i);
        else
            sc_arrow_put_row(&b->values, (size_t)index, to, i);
    }
}

/* How many rows a block has. */
static size_t arrow_rows_count(const sc_arrow_rows *r, size_t block)
{
    const size_t rest = r->rows - block * SC_ARROW_BLOCK_ROWS;
    return rest < SC_ARROW_BLOCK_ROWS ? rest : SC_ARROW_BLOCK_ROWS;
}

/* A value of a block as it stands, by the place of its column in the request; the unit is behind them. It is good while
 * the text's room is, which is room where it was made. */
static void arrow_rows_raw(const sc_arrow_rows *r, size_t block, size_t row, size_t place,
                           char room[SC_ARROW_RAW_BYTES], sc_raw_value *out)
{
    const bound *b = &r->columns[place];
    const sc_arrow_array *array = &b->array;
    size_t at = block * SC_ARROW_BLOCK_ROWS + row;
    if (b->has_dictionary) {
        const uint64_t index = sc_arrow_word(&b->array, at);
        if (!sc_arrow_is_present(&b->array, at) || index >= b->value_count) {
            *out = (sc_raw_value){.kind = SC_RAW_NULL};
            return;
        }
        array = &b->values;
        at = (size_t)index;
    }
    sc_arrow_raw(array, at, b->column, &r->request.schema->form, room, out);
}

scrim_status sc_arrow_rows_block(sc_arrow_rows *r, unsigned number, size_t block,
                                 const sc_batch **out, scrim_error *error)
{
    push_worker *w = &r->workers[number];
    const size_t from = block * SC_ARROW_BLOCK_ROWS, count = arrow_rows_count(r, block);
    const scrim_status status = sc_batch_room_begin(&w->room, count, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < r->count; i++) {
        const bound *b = &r->columns[i];
        const sc_arrow_target to = target_of(r, b, &w->room, w->texts[i]);
        if (b->has_dictionary)
            put_indexed(b, from, count, &to);
        else
            sc_arrow_put_rows(&b->array, from, count, &to);
    }
    sc_batch_room_end(&w->room, count, 0);
    *out = &w->room.batch;
    return SCRIM_OK;
}

/* A worker is not worth its thread with fewer bytes, as the stamp counts them. */
#define WORKER_BYTES ((size_t)2 * SC_ARROW_BLOCK_ROWS * 2 * sizeof(int64_t))

typedef struct frame_state {
    const sc_batch_request *request;
    size_t blocks;      /* of all batches */
    atomic_size_t next; /* that nobody has taken */
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

/* Records, as they stand. */

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
                 rows = arrow_rows_count(w->rows, block - w->from);
    sc_raw_record record = {.piece = block, .values = room->values};
    scrim_status status = SCRIM_OK;
    for (; status == SCRIM_OK && record.index < rows; record.index++) {
        for (size_t i = 0; i < all; i++)
            arrow_rows_raw(w->rows, block - w->from, record.index, i, room->texts[i],
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
