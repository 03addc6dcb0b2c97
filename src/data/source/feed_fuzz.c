/* A batch whose struct members are any bytes: it is refused, or every row of it is read, and nothing is read
 * outside of its buffers. Buffers are as long as the members say, which is all that a producer owes; what is in
 * them is anything. The first bytes choose the type and the column. */
#include "corpus.h"
#include "data/source/arrow_rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct input {
    const unsigned char *bytes;
    size_t count;
} input;

static unsigned take(input *in)
{
    if (in->count == 0)
        return 0;
    in->count--;
    return *in->bytes++;
}

/* A number of rows: mostly small, sometimes more than memory holds or negative. */
static int64_t take_number(input *in)
{
    static const int64_t odd[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 1, 16384, 40};
    const unsigned kind = take(in);
    return kind < 0xf0 ? kind % 32 : odd[kind % COUNT(odd)];
}

/* Exactly `count` bytes of the input, in memory of their own; zeros behind the input's end. */
static void *take_bytes(input *in, size_t count)
{
    unsigned char *memory = calloc(count + (count == 0), 1);
    const size_t there = count < in->count ? count : in->count;
    if (memory == NULL)
        abort();
    if (there > 0)
        memcpy(memory, in->bytes, there);
    in->bytes += there;
    in->count -= there;
    return memory;
}

typedef struct format {
    const char *text;
    size_t bits; /* of a value */
} format;

static const format formats[] = {
    {"c", 8},    {"C", 8},    {"s", 16},      {"S", 16},        {"i", 32},
    {"I", 32},   {"l", 64},   {"L", 64},      {"e", 16},        {"f", 32},
    {"g", 64},   {"b", 1},    {"d:9,3", 128}, {"d:38,38", 128}, {"d:5,-38", 128},
    {"tdD", 32}, {"tdm", 64}, {"tss:", 64},   {"tsn:", 64},     {"tsu:UTC", 64},
    {"u", 32},   {"U", 64},   {"vu", 128}};

/* As long as the interface promises for this many rows. */
static size_t length_of(const struct ArrowArray *array, size_t bits, size_t more)
{
    const bool is_small = array->length >= 0 && array->offset >= 0 &&
                          array->length < 100000 && array->offset < 100000;
    const size_t rows = is_small ? (size_t)(array->length + array->offset) + more : more;
    return (rows * bits + 7) / 8;
}

static void make_texts(input *in, struct ArrowArray *array, const format *f)
{
    const size_t width = f->bits / 8, rows = length_of(array, 8, 0);
    unsigned char *ends = take_bytes(in, width * (rows + 1));
    const int64_t last = (int64_t)(take(in) % 64);
    memcpy(ends + width * rows, &last, width); /* the one that is not checked */
    array->buffers[1] = ends;
    array->buffers[2] = take_bytes(in, (size_t)last);
}

static void make_views(input *in, struct ArrowArray *array)
{
    const size_t rows = length_of(array, 8, 0), count = (size_t)array->n_buffers - 3;
    array->buffers[1] = take_bytes(in, 16 * rows);
    int64_t *sizes = take_bytes(in, 8 * count);
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = (size_t)take(in) % 64;
        sizes[i] = take(in) % 8 == 0 ? -1 : (int64_t)bytes;
        array->buffers[2 + i] = take_bytes(in, bytes);
    }
    array->buffers[2 + count] = sizes;
}

static void release(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

/* n_buffers of what is made; the struct may then say otherwise. */
static void make_array(input *in, struct ArrowArray *array, const format *f, size_t *made)
{
    const bool is_view = strcmp(f->text, "vu") == 0,
               is_text = f->text[0] == 'u' || f->text[0] == 'U';
    *array = (struct ArrowArray){.length = take_number(in), .offset = take_number(in)};
    *made = is_view ? 3 + take(in) % 3 : is_text ? 3 : 2;
    array->n_buffers = (int64_t)*made;
    array->buffers = calloc(*made, sizeof *array->buffers);
    if (array->buffers == NULL)
        abort();
    if (take(in) % 2 == 0)
        array->buffers[0] = take_bytes(in, length_of(array, 1, 0));
    if (is_view)
        make_views(in, array);
    else if (is_text)
        make_texts(in, array, f);
    else
        array->buffers[1] = take_bytes(in, length_of(array, f->bits, 0));
    array->null_count = take_number(in);
}

/* One lie, or none. */
static void lie(input *in, struct ArrowArray *array, struct ArrowArray *other)
{
    switch (take(in) % 16) {
    case 1:
        array->n_buffers = take_number(in) % 3;
        break;
    case 2:
        array->n_children = take_number(in);
        break;
    case 3:
        array->dictionary = array->dictionary == NULL ? other : NULL;
        break;
    case 4: /* less than there is; of texts the last offset would be another */
        array->length /= array->n_buffers == 2 ? 2 : 1;
        break;
    case 5:
        array->buffers = NULL;
        break;
    default:
        break;
    }
}

static void free_array(const void **buffers, size_t made)
{
    for (size_t i = 0; i < made; i++)
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): made here, and const in the interface */
        free((void *)(uintptr_t)buffers[i]);
    free(buffers);
}

/* Every row has a value of its column. */
static void check_block(const sc_batch *block, const sc_column *column)
{
    for (size_t row = 0; row < block->rows; row++) {
        if (column->type == SC_COLUMN_TEXT) {
            const sc_text text = block->columns[0].texts[row];
            CHECK(text.bytes <= SC_COLUMN_VALUE_BYTES &&
                  (sc_text_is_null(text) || sc_utf8_is_valid(text)));
        } else {
            const int64_t value = block->columns[0].values[row];
            CHECK(value == SC_NULL ||
                  (value >= column->grid.low && value <= column->grid.high));
        }
    }
}

static void read_batch(const struct ArrowSchema *schema, const struct ArrowArray *batch,
                       const sc_schema *declared)
{
    static const size_t first = 0;
    const sc_batch_request request = {
        .schema = declared, .columns = &first, .column_count = 1};
    sc_arrow_rows *rows = NULL;
    const sc_batch *block = NULL;
    scrim_status status = sc_arrow_rows_new(schema, &request, 1, &rows, NULL);
    CHECK(status == SCRIM_OK || status == SCRIM_E_INPUT);
    if (status == SCRIM_OK)
        status = sc_arrow_rows_open(rows, batch, NULL);
    CHECK(status == SCRIM_OK || status == SCRIM_E_INPUT);
    const size_t blocks = status == SCRIM_OK ? sc_arrow_rows_blocks(rows) : 0;
    for (size_t i = 0; i < blocks; i++)
        if (CHECK_STATUS(sc_arrow_rows_block(rows, 0, i, &block, NULL), SCRIM_OK))
            check_block(block, &declared->columns[0]);
    sc_arrow_rows_free(rows);
}

FUZZ(feed)
{
    static const char *const policies[] = {
        "unit=row\ncolumn=x=int[-5,1000]",
        "unit=x\nrows-per-unit=1\ncolumn=y=decimal[-1,1]/0.001",
        "unit=row\ncolumn=x=text\nnull=0,true",
        "unit=row\ncolumn=x=date[2020-01-01,2021-01-01]\nmissing=x=2020-05-05",
        "unit=row\ncolumn=x=timestamp[2020-01-01,2021-01-01]\nzone=+02:00",
        "unit=row\ncolumn=x=bool",
        "unit=y\nrows-per-unit=1\ncolumn=x=decimal[0,9]/2^-10"};
    input in = {bytes, count};
    const sc_schema *declared = NULL;
    const format *own = &formats[take(&in) % COUNT(formats)],
                 *index = &formats[take(&in) % 8];
    const bool has_dictionary = take(&in) % 3 == 0;
    struct ArrowArray arrays[2], values, batch = {.n_children = 2, .n_buffers = 1},
                                         *children[] = {&arrays[0], &arrays[1]};
    struct ArrowSchema dictionary = {.format = own->text},
                       types[2] = {{.format = own->text, .name = "x"},
                                   {.format = own->text, .name = "y"}},
                       *both[] = {&types[0], &types[1]},
                       schema = {.format = "+s",
                                 .n_children = 2,
                                 .children = both,
                                 .release = release_schema};
    const void *present[1] = {NULL};
    size_t made[3] = {0};
    const char *policy = policies[take(&in) % COUNT(policies)];
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &declared, NULL),
                      SCRIM_OK))
        return;
    batch.length = take_number(&in);
    batch.offset = take_number(&in);
    batch.release = release;
    batch.buffers = present;
    batch.children = children;
    if (take(&in) % 4 == 0)
        present[0] = take_bytes(&in, length_of(&batch, 1, 0));
    make_array(&in, &values, own, &made[2]);
    for (size_t i = 0; i < 2; i++) {
        make_array(&in, &arrays[i], has_dictionary ? index : own, &made[i]);
        if (has_dictionary) {
            types[i].format = index->text;
            types[i].dictionary = &dictionary;
            arrays[i].dictionary = &values;
        }
    }
    const void **kept[] = {arrays[0].buffers, arrays[1].buffers, values.buffers};
    lie(&in, &arrays[0], &values);
    lie(&in, &values, &arrays[1]);
    read_batch(&schema, &batch, declared);
    for (size_t i = 0; i < 3; i++)
        free_array(kept[i], made[i]);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): made here, and const in the interface */
    free((void *)(uintptr_t)present[0]);
    sc_schema_free(declared);
}
