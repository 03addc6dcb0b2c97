#include "data/source/arrow_rows.h"

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
        values, &b->type, &(sc_arrow_part){b->name, 0, b->value_count}, &r->batch,
        &b->values, error);
    if (status == SCRIM_OK)
        decode(r, b);
    return status;
}

static scrim_status open_column(sc_arrow_rows *r, bound *b,
                                const struct ArrowArray *parent, scrim_error *error)
{
    const struct ArrowArray *array = parent->children[b->child];
    scrim_status status =
        sc_arrow_array_open(array, b->has_dictionary ? &b->index : &b->type,
                            &(sc_arrow_part){b->name, (size_t)parent->offset, r->rows},
                            &r->batch, &b->array, error);
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

size_t sc_arrow_rows_count(const sc_arrow_rows *r, size_t block)
{
    const size_t rest = r->rows - block * SC_ARROW_BLOCK_ROWS;
    return rest < SC_ARROW_BLOCK_ROWS ? rest : SC_ARROW_BLOCK_ROWS;
}

void sc_arrow_rows_raw(const sc_arrow_rows *r, size_t block, size_t row, size_t place,
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
    const size_t from = block * SC_ARROW_BLOCK_ROWS,
                 count = sc_arrow_rows_count(r, block);
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
