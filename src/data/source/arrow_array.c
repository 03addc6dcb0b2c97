#include "data/source/arrow_array.h"

#include <string.h>

#define DAY_MS INT64_C(86400000)
#define DIGITS 38

/* Formats of one spelling. */
static const struct {
    const char *format, *name;
    sc_arrow_type type;
} listed[] = {
    {"c", "int8", {.kind = SC_ARROW_INT, .bytes = 1, .is_signed = true}},
    {"C", "uint8", {.kind = SC_ARROW_INT, .bytes = 1}},
    {"s", "int16", {.kind = SC_ARROW_INT, .bytes = 2, .is_signed = true}},
    {"S", "uint16", {.kind = SC_ARROW_INT, .bytes = 2}},
    {"i", "int32", {.kind = SC_ARROW_INT, .bytes = 4, .is_signed = true}},
    {"I", "uint32", {.kind = SC_ARROW_INT, .bytes = 4}},
    {"l", "int64", {.kind = SC_ARROW_INT, .bytes = 8, .is_signed = true}},
    {"L", "uint64", {.kind = SC_ARROW_INT, .bytes = 8}},
    {"e", "float16", {.kind = SC_ARROW_FLOAT, .bytes = 2}},
    {"f", "float32", {.kind = SC_ARROW_FLOAT, .bytes = 4}},
    {"g", "float64", {.kind = SC_ARROW_FLOAT, .bytes = 8}},
    {"b", "bool", {.kind = SC_ARROW_BOOL}},
    {"tdD", "date32", {.kind = SC_ARROW_DATE, .bytes = 4, .is_signed = true, .unit = 1}},
    {"tdm",
     "date64",
     {.kind = SC_ARROW_DATE, .bytes = 8, .is_signed = true, .unit = DAY_MS}},
    {"u", "string", {.kind = SC_ARROW_TEXT, .bytes = 4}},
    {"U", "large_string", {.kind = SC_ARROW_TEXT, .bytes = 8}},
    {"vu", "string_view", {.kind = SC_ARROW_VIEW, .bytes = 16}},
    {"n", "null", {.kind = SC_ARROW_NULL}},
};
#define LISTED (sizeof listed / sizeof *listed)

static const struct {
    char letter;
    int64_t unit;
} clocks[] = {{'s', 1}, {'m', 1000}, {'u', 1000000}, {'n', 1000000000}};

/* "tsu:", with the name of a zone behind it or none. */
static bool parse_timestamp(const char *format, sc_arrow_type *out)
{
    if (strncmp(format, "ts", 2) != 0 || format[2] == '\0' || format[3] != ':')
        return false;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (format[2] == clocks[i].letter) {
            *out = (sc_arrow_type){.kind = SC_ARROW_TIMESTAMP,
                                   .bytes = 8,
                                   .is_signed = true,
                                   .unit = clocks[i].unit,
                                   .has_zone = format[4] != '\0'};
            return true;
        }
    return false;
}

/* A number of at most three digits. */
static bool take_number(sc_text *text, int *out)
{
    const sc_text digits = sc_text_take_digits(text);
    *out = 0;
    for (size_t i = 0; i < digits.bytes && i < 3; i++)
        *out = 10 * *out + (digits.start[i] - '0');
    return digits.bytes > 0 && digits.bytes <= 3;
}

/* "d:PRECISION,SCALE", and ",128" behind it or nothing. */
static bool parse_decimal(const char *format, sc_arrow_type *out)
{
    int precision = 0, scale = 0;
    sc_text rest = sc_text_of(format);
    if (!sc_text_take(&rest, 'd') || !sc_text_take(&rest, ':') ||
        !take_number(&rest, &precision) || !sc_text_take(&rest, ','))
        return false;
    const bool is_negative = sc_text_take(&rest, '-');
    if (!take_number(&rest, &scale) || precision < 1 || precision > DIGITS ||
        scale > SC_ARROW_SCALE_MAX || (rest.bytes > 0 && !sc_text_is(rest, ",128")))
        return false;
    *out = (sc_arrow_type){.kind = SC_ARROW_DECIMAL,
                           .bytes = 16,
                           .is_signed = true,
                           .scale = is_negative ? -scale : scale};
    return true;
}

bool sc_arrow_type_parse(const char *format, sc_arrow_type *out)
{
    for (size_t i = 0; i < LISTED; i++)
        if (strcmp(format, listed[i].format) == 0) {
            *out = listed[i].type;
            return true;
        }
    return parse_timestamp(format, out) || parse_decimal(format, out);
}

const char *sc_arrow_type_name(const char *format)
{
    /* By how the format begins; longer ones first. */
    static const struct {
        const char *begin, *name;
    } others[] = {{"z", "binary"},
                  {"Z", "large_binary"},
                  {"vz", "binary_view"},
                  {"w:", "fixed_size_binary"},
                  {"d:", "decimal"},
                  {"tt", "time"},
                  {"tD", "duration"},
                  {"ti", "interval"},
                  {"+l", "list"},
                  {"+L", "large_list"},
                  {"+vl", "list_view"},
                  {"+vL", "large_list_view"},
                  {"+w:", "fixed_size_list"},
                  {"+s", "struct"},
                  {"+m", "map"},
                  {"+ud", "dense_union"},
                  {"+us", "sparse_union"},
                  {"+r", "run_end_encoded"}};
    sc_arrow_type type;
    for (size_t i = 0; i < LISTED; i++)
        if (strcmp(format, listed[i].format) == 0)
            return listed[i].name;
    if (parse_timestamp(format, &type))
        return type.has_zone ? "timestamp with a zone" : "timestamp";
    if (parse_decimal(format, &type))
        return "decimal128";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(format, others[i].begin, strlen(others[i].begin)) == 0)
            return others[i].name;
    return "unknown";
}

/* Places are counted up to here, in bytes of 16 each they fit a word. */
#define ROWS_MAX (INT64_C(1) << 56)
/* Readers may read SC_FIELD_PADDING bytes behind a text. A text that ends too near to the end of
 * the buffer begins within its last TAIL_BYTES, which are copied to where such reads are safe. */
#define TAIL_BYTES (SC_COLUMN_VALUE_BYTES + SC_FIELD_PADDING)
#define VIEW_BYTES 16
#define BUFFERS_MAX (1 << 20)
#define VIEW_INLINE 12

scrim_status sc_arrow_array_fail(sc_text name, const char *what, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_CONFLICT,
                       sc_text_quote(name, quote),
                       "the batch does not fit its schema: '%s' %s; no row of it was "
                       "taken",
                       quote, what);
}

bool sc_arrow_array_has(const struct ArrowArray *array, size_t from, size_t count)
{
    return array->length >= 0 && array->offset >= 0 && array->length <= ROWS_MAX &&
           array->offset <= ROWS_MAX && from <= (uint64_t)array->length &&
           count <= (uint64_t)array->length - from;
}

/* Texts. */

/* The end of bytes whose number is not trusted below 0. */
static bool set_bytes(sc_arrow_bytes *b, const void *start, int64_t count,
                      sc_arena *arena)
{
    *b = (sc_arrow_bytes){.start = start};
    b->count = start == NULL || count < 0 ? 0 : (uint64_t)count;
    b->tail_from = b->count > TAIL_BYTES ? b->count - TAIL_BYTES : 0;
    const size_t bytes = (size_t)(b->count - b->tail_from);
    char *tail = sc_arena_allocate(arena, bytes + SC_FIELD_PADDING, 1);
    if (tail != NULL && bytes > 0)
        memcpy(tail, b->start + b->tail_from, bytes);
    b->tail = tail;
    return tail != NULL;
}

static int64_t end_of_texts(const sc_arrow_array *a, size_t rows)
{
    int32_t narrow;
    int64_t wide;
    if (a->type->bytes == sizeof narrow) {
        memcpy(&narrow, a->values + sizeof narrow * rows, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, a->values + sizeof wide * rows, sizeof wide);
    return wide;
}

static scrim_status open_views(const struct ArrowArray *array, size_t rows, sc_text name,
                               sc_arena *arena, sc_arrow_array *out, scrim_error *error)
{
    const unsigned char *sizes = array->buffers[array->n_buffers - 1];
    out->view_count = (size_t)array->n_buffers - 3;
    if (out->view_count > 0 && sizes == NULL)
        return sc_arrow_array_fail(name, "has no sizes of its buffers", error);
    sc_arrow_bytes *all = sc_arena_allocate(arena, out->view_count + 1, sizeof *all);
    if (all == NULL ||
        !set_bytes(&out->bytes, out->values, (int64_t)(VIEW_BYTES * rows), arena))
        return sc_no_memory(error, "a batch");
    for (size_t i = 0; i < out->view_count; i++) {
        int64_t size;
        memcpy(&size, sizes + sizeof size * i, sizeof size);
        if (!set_bytes(&all[i], array->buffers[2 + i], size, arena))
            return sc_no_memory(error, "a batch");
    }
    out->view_bytes = all;
    return SCRIM_OK;
}

bool sc_arrow_view_text(const sc_arrow_array *a, size_t row, sc_text *out)
{
    const uint64_t at = VIEW_BYTES * (uint64_t)(a->first + row);
    uint32_t parts[4]; /* length, prefix, buffer, offset */
    memcpy(parts, a->values + at, sizeof parts);
    if (parts[0] <= VIEW_INLINE)
        return sc_arrow_bytes_text(&a->bytes, at + sizeof *parts, parts[0], out);
    return parts[2] < a->view_count &&
           sc_arrow_bytes_text(&a->view_bytes[parts[2]], parts[3], parts[0], out);
}

/* Any array. */

static int64_t buffers_of(const sc_arrow_type *type)
{
    if (type->kind == SC_ARROW_NULL)
        return 0;
    return type->kind == SC_ARROW_TEXT || type->kind == SC_ARROW_VIEW ? 3 : 2;
}

/* A view has as many as it likes beside its own. Some libraries give nulls a bitmap. */
static bool has_buffers(const struct ArrowArray *array, const sc_arrow_type *type)
{
    const int64_t wanted = buffers_of(type);
    return array->n_buffers == wanted ||
           (type->kind == SC_ARROW_VIEW && array->n_buffers > wanted &&
            array->n_buffers <= BUFFERS_MAX) ||
           (type->kind == SC_ARROW_NULL && array->n_buffers == 1);
}

static scrim_status check(const struct ArrowArray *array, const sc_arrow_type *type,
                          size_t from, size_t count, sc_text name, scrim_error *error)
{
    if (array == NULL)
        return sc_arrow_array_fail(name, "is missing", error);
    if (!sc_arrow_array_has(array, from, count))
        return sc_arrow_array_fail(name, "has too few rows", error);
    if (!has_buffers(array, type))
        return sc_arrow_array_fail(name, "has another number of buffers", error);
    if (array->n_children != 0)
        return sc_arrow_array_fail(name, "has children", error);
    if (type->kind != SC_ARROW_NULL &&
        (array->buffers == NULL || (count > 0 && array->buffers[1] == NULL)))
        return sc_arrow_array_fail(name, "has no values", error);
    return SCRIM_OK;
}

scrim_status sc_arrow_array_open(const struct ArrowArray *array,
                                 const sc_arrow_type *type, const sc_arrow_part *part,
                                 sc_arena *arena, sc_arrow_array *out, scrim_error *error)
{
    const scrim_status status =
        check(array, type, part->from, part->count, part->name, error);
    if (status != SCRIM_OK)
        return status;
    const size_t rows = (size_t)array->offset + (size_t)array->length;
    *out = (sc_arrow_array){.type = type, .first = (size_t)array->offset + part->from};
    if (type->kind == SC_ARROW_NULL)
        return SCRIM_OK;
    out->present = array->buffers[0];
    out->values = array->buffers[1];
    if (part->count == 0)
        return SCRIM_OK;
    if (type->kind == SC_ARROW_VIEW)
        return open_views(array, rows, part->name, arena, out, error);
    if (type->kind == SC_ARROW_TEXT &&
        !set_bytes(&out->bytes, array->buffers[2], end_of_texts(out, rows), arena))
        return sc_no_memory(error, "a batch");
    return SCRIM_OK;
}
