#include "arrow_batch.h"

#include "check.h"
#include "data/value/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GARBAGE 0xa5

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

/* Values. */

typedef struct buffer {
    unsigned char *bytes;
    size_t count;
} buffer;

static void *grow(buffer *b, size_t bytes)
{
    unsigned char *memory = realloc(b->bytes, b->count + bytes);
    if (memory == NULL)
        abort();
    b->bytes = memory;
    b->count += bytes;
    return memory + b->count - bytes;
}

static void put(buffer *b, const void *value, size_t bytes)
{
    if (bytes > 0)
        memcpy(grow(b, bytes), value, bytes);
}

static void set_bit(buffer *b, size_t at, bool is_set)
{
    while (b->count <= at / 8)
        *(unsigned char *)grow(b, 1) = 0;
    b->bytes[at / 8] |= (unsigned char)(is_set << (at % 8));
}

/* Seconds of "2020-01-02 03:04:05" and what is behind, without a zone. */
static int64_t seconds_of(const char *text)
{
    int64_t day = 0;
    int hour = 0, minute = 0, second = 0;
    CHECK(sc_calendar_parse((sc_text){text, 10}, &day));
    if (strlen(text) > 10)
        CHECK_INT(sscanf(text + 11, "%d:%d:%d", &hour, &minute, &second), 3);
    return day * 86400 + (int64_t)hour * 3600 + (int64_t)minute * 60 + second;
}

/* Nanoseconds behind a point. */
static int64_t fraction_of(const char *text)
{
    const char *point = strchr(text, '.');
    int64_t value = 0, unit = 100000000;
    for (; point != NULL && point[1] >= '0' && point[1] <= '9'; point++, unit /= 10)
        value += unit * (point[1] - '0');
    return value;
}

static sc_int128 digits_of(const char *text, int scale)
{
    const bool is_negative = text[0] == '-';
    bool is_behind = false;
    sc_int128 value = 0;
    for (const char *at = text + is_negative; *at != '\0'; at++) {
        if (*at == '.') {
            is_behind = true;
            continue;
        }
        value = 10 * value + (*at - '0');
        scale -= is_behind;
    }
    for (; scale > 0; scale--)
        value *= 10;
    for (; scale < 0; scale++)
        value /= 10;
    return is_negative ? -value : value;
}

/* The bits of the nearest half, of a number that is one. */
static uint16_t half_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t sign = bits >> 31 << 15, exponent = bits >> 23 & 0xff;
    const uint32_t rounded = (bits & 0x7fffff) + 0xfff + (bits >> 13 & 1);
    return (uint16_t)(exponent < 113
                          ? sign
                          : sign | (((exponent - 112) << 10) + (rounded >> 13)));
}

static void put_value(buffer *b, const char *format, const char *text)
{
    static const char widths[] = "cCsSiIlL";
    const char *at = format[1] == '\0' ? strchr(widths, format[0]) : NULL;
    if (at != NULL) {
        const int64_t value = format[0] == 'L' ? (int64_t)strtoull(text, NULL, 10)
                                               : strtoll(text, NULL, 10);
        put(b, &value, (size_t)1 << (at - widths) / 2);
    } else if (format[0] == 'e') {
        const uint16_t half = half_of(strtof(text, NULL));
        put(b, &half, sizeof half);
    } else if (format[0] == 'f') {
        const float x = strtof(text, NULL);
        put(b, &x, sizeof x);
    } else if (format[0] == 'g') {
        const double x = strtod(text, NULL);
        put(b, &x, sizeof x);
    } else if (format[0] == 'd') {
        const sc_int128 value = digits_of(text, atoi(strchr(format, ',') + 1));
        put(b, &value, sizeof value);
    } else if (strcmp(format, "tdD") == 0) {
        const int32_t day = (int32_t)(seconds_of(text) / 86400);
        put(b, &day, sizeof day);
    } else {
        int64_t unit = 1;
        for (const char *letter = "smun"; *letter != format[2]; letter++)
            unit *= 1000;
        const int64_t value =
            seconds_of(text) * unit + fraction_of(text) / (1000000000 / unit);
        put(b, &value, sizeof value);
    }
}

static size_t width_of(const char *format)
{
    buffer b = {NULL, 0};
    put_value(&b, format, strncmp(format, "t", 1) == 0 ? "2020-01-01" : "0");
    free(b.bytes);
    return b.count;
}

/* Arrays. */

static void put_text(buffer offsets[1], buffer *bytes, bool is_large, const char *text)
{
    put(bytes, text, strlen(text));
    const int64_t end = (int64_t)bytes->count;
    put(offsets, &end, is_large ? 8 : 4);
}

static void put_view(buffer *views, buffer *bytes, const char *text)
{
    unsigned char view[16] = {0};
    const uint32_t length = (uint32_t)strlen(text), offset = (uint32_t)bytes->count;
    memcpy(view, &length, sizeof length);
    memcpy(view + 4, text, length < 12 ? length : length > 12 ? 4 : 12);
    if (length > 12) {
        memcpy(view + 12, &offset, sizeof offset);
        put(bytes, text, length);
    }
    put(views, view, sizeof view);
}

static bool is_text(const char *format)
{
    return strchr("uUv", format[0]) != NULL;
}

static void put_cell(buffer b[3], const char *format, size_t at, const char *text)
{
    const bool is_missing = text == NULL;
    set_bit(&b[0], at, !is_missing);
    if (format[0] == 'b')
        set_bit(&b[1], at, !is_missing && text[0] == 't');
    else if (format[0] == 'v')
        put_view(&b[1], &b[2], is_missing ? "missing, and long enough" : text);
    else if (is_text(format))
        put_text(&b[1], &b[2], format[0] == 'U', is_missing ? "?" : text);
    else if (is_missing)
        memset(grow(&b[1], width_of(format)), GARBAGE, width_of(format));
    else
        put_value(&b[1], format, text);
}

static void make_buffers(struct ArrowArray *array, buffer b[3], const char *format)
{
    const bool is_view = format[0] == 'v';
    array->n_buffers = is_view ? 4 : is_text(format) ? 3 : 2;
    array->buffers = calloc((size_t)array->n_buffers, sizeof *array->buffers);
    if (array->buffers == NULL)
        abort();
    for (int64_t i = 0; i < array->n_buffers && i < 3; i++)
        array->buffers[i] = b[i].bytes;
    if (is_view) {
        int64_t *size = malloc(sizeof *size);
        if (size == NULL)
            abort();
        *size = (int64_t)b[2].count;
        array->buffers[3] = size;
    }
}

/* The texts of the rows; rows in front are missing. */
static void make_array(struct ArrowArray *array, const char *format,
                       const char *const *texts, size_t count, size_t before)
{
    buffer b[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const int64_t zero = 0;
    *array = (struct ArrowArray){.length = (int64_t)count,
                                 .null_count = -1,
                                 .offset = (int64_t)before,
                                 .release = release_array};
    if (format[0] == 'u' || format[0] == 'U')
        put(&b[1], &zero, format[0] == 'U' ? 8 : 4);
    for (size_t i = 0; i < before + count; i++)
        put_cell(b, format, i, i < before ? NULL : texts[i - before]);
    make_buffers(array, b, format);
}

static void make_dictionary(struct ArrowArray *array, const arrow_cells *column,
                            size_t from, size_t count, size_t before)
{
    const char **values = calloc(count + 1, sizeof *values);
    char(*indices)[24] = calloc(count + 1, sizeof *indices);
    const char **texts = calloc(count + 1, sizeof *texts);
    struct ArrowArray *dictionary = calloc(1, sizeof *dictionary);
    size_t found = 0;
    if (values == NULL || indices == NULL || texts == NULL || dictionary == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const char *text = column->texts[from + i];
        size_t at = 0;
        /* Some of many values stand there twice, as they may. */
        while (text != NULL && at < found && at < 64 && strcmp(values[at], text) != 0)
            at++;
        at = at == 64 ? found : at;
        if (text != NULL && at == found)
            values[found++] = text;
        snprintf(indices[i], sizeof *indices, "%zu", at);
        texts[i] = text == NULL ? NULL : indices[i];
    }
    make_array(array, column->index, texts, count, before);
    make_array(dictionary, column->format, values, found, before);
    array->dictionary = dictionary;
    free(values);
    free(indices);
    free(texts);
}

bool arrow_batch_make(arrow_batch *batch, const arrow_cells *columns, size_t column_count,
                      size_t from, size_t count, size_t before)
{
    *batch = (arrow_batch){
        .schema = {.format = "+s",
                   .n_children = (int64_t)column_count,
                   /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
                   .children = calloc(column_count + 1, sizeof *batch->schema.children),
                   .release = release_schema},
        .array = {.length = (int64_t)count,
                  .offset = (int64_t)before,
                  .n_buffers = 1,
                  .n_children = (int64_t)column_count,
                  .buffers = calloc(1, sizeof *batch->array.buffers),
                  /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
                  .children = calloc(column_count + 1, sizeof *batch->array.children),
                  .release = release_array}};
    for (size_t i = 0; i < column_count; i++) {
        const arrow_cells *column = &columns[i];
        struct ArrowSchema *schema = calloc(1, sizeof *schema),
                           *values = calloc(1, sizeof *values);
        struct ArrowArray *array = calloc(1, sizeof *array);
        /* The rows in front are those of the batch, and as many of the array itself. */
        const char **texts = calloc(before + count + 1, sizeof *texts);
        if (schema == NULL || values == NULL || array == NULL || texts == NULL) {
            free(schema);
            free(values);
            free(array);
            free(texts);
            batch->schema.n_children = batch->array.n_children = (int64_t)i;
            return CHECK(false);
        }
        if (count > 0)
            memcpy(texts + before, column->texts + from, count * sizeof *texts);
        schema->name = column->name;
        schema->format = column->index == NULL ? column->format : column->index;
        values->format = column->format;
        schema->dictionary = column->index == NULL ? NULL : values;
        if (column->index == NULL)
            free(values);
        arrow_cells shifted = *column;
        shifted.texts = texts;
        if (column->index == NULL)
            make_array(array, column->format, texts, before + count, before);
        else
            make_dictionary(array, &shifted, 0, before + count, before);
        free(texts);
        batch->schema.children[i] = schema;
        batch->array.children[i] = array;
    }
    return true;
}

static void free_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_buffers; i++)
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): made here, and const in the interface */
        free((void *)(uintptr_t)array->buffers[i]);
    free(array->buffers);
}

void arrow_batch_clear(arrow_batch *batch)
{
    for (int64_t i = 0; i < batch->schema.n_children; i++) {
        struct ArrowArray *array = batch->array.children[i];
        free(batch->schema.children[i]->dictionary);
        free(batch->schema.children[i]);
        if (array->dictionary != NULL)
            free_array(array->dictionary);
        free(array->dictionary);
        free_array(array);
        free(array);
    }
    free(batch->schema.children);
    free(batch->array.children);
    free_array(&batch->array);
}
