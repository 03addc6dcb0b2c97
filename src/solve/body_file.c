#include "base/json_scan.h"
#include "base/memory.h"
#include "solve/body.h"

#include <stdio.h>

#define FORMAT "scrim-body-1"
#define FILE_LABEL "scrim-label"

static const char *const text_names[SC_BODY_TEXTS] = {"dataset", "neighbours",
                                                      "composition", "kind", "label"};
static const char *const count_names[] = {"version", "release", "max_rows", "units",
                                          "seed"};
#define COUNTS (sizeof count_names / sizeof *count_names)

static uint64_t *count_at(sc_body *body, size_t i)
{
    uint64_t *const all[COUNTS] = {&body->version, &body->release, &body->max_rows,
                                   &body->units, &body->seed};
    return all[i];
}

/* Writing. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_ratio(sc_text_sink *sink, const char *name, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    put(sink, "\"");
    put(sink, name);
    put(sink, "\": \"");
    put(sink, text);
    put(sink, "\"");
}

static void put_count(sc_text_sink *sink, const char *name, uint64_t value)
{
    char text[96];
    snprintf(text, sizeof text, "\"%s\": %llu", name, (unsigned long long)value);
    put(sink, text);
}

static void write_column(const sc_body_column *column, sc_text_sink *sink)
{
    put(sink, "  {\"name\": ");
    sc_json_put_string(sink, column->name);
    put(sink, ", ");
    put_ratio(sink, "low", &column->low);
    put(sink, ", ");
    put_ratio(sink, "high", &column->high);
    put(sink, ", ");
    put_ratio(sink, "step", &column->step);
    put(sink, ", ");
    put_ratio(sink, "scale", &column->scale);
    put(sink, "}");
}

static void write_row(const sc_body *body, size_t i, sc_text_sink *sink)
{
    const sc_body_row *row = &body->rows[i];
    put(sink, "  {\"a\": [");
    for (size_t j = 0; j < body->dimension; j++) {
        char text[32];
        snprintf(text, sizeof text, "%s%d", j == 0 ? "" : ", ",
                 (int)body->directions[i * body->dimension + j]);
        put(sink, text);
    }
    put(sink, "], ");
    put_ratio(sink, "origin", &row->origin);
    put(sink, ", ");
    put_ratio(sink, "step", &row->step);
    put(sink, ", ");
    put_count(sink, "cells", row->cells);
    put(sink, ", ");
    put_count(sink, "offset", row->offset);
    put(sink, "}");
}

static void write_members(const sc_body *body, sc_text_sink *sink)
{
    const uint64_t counts[COUNTS] = {body->version, body->release, body->max_rows,
                                     body->units, body->seed};
    put(sink, "{\"format\": \"" FORMAT "\",\n");
    put_count(sink, "column_count", body->dimension);
    put(sink, ",\n");
    put_count(sink, "direction_count", body->row_count);
    put(sink, ",\n");
    for (size_t i = 0; i < SC_BODY_TEXTS; i++) {
        put(sink, "\"");
        put(sink, text_names[i]);
        put(sink, "\": ");
        sc_json_put_string(sink, body->texts[i]);
        put(sink, ",\n");
    }
    put_ratio(sink, "q", &body->q);
    put(sink, ",\n");
    put_ratio(sink, "epsilon", &body->epsilon);
    put(sink, ",\n");
    put_ratio(sink, "delta", &body->delta);
    put(sink, ",\n");
    put_ratio(sink, "epsilon_each", &body->epsilon_each);
    put(sink, ",\n");
    for (size_t i = 0; i < COUNTS; i++) {
        put_count(sink, count_names[i], counts[i]);
        put(sink, ",\n");
    }
    put(sink, "\"columns\": [\n");
    for (size_t j = 0; j < body->dimension; j++) {
        write_column(&body->columns[j], sink);
        put(sink, j + 1 < body->dimension ? ",\n" : "],\n");
    }
    put(sink, "\"directions\": [\n");
    for (size_t i = 0; i < body->row_count; i++) {
        write_row(body, i, sink);
        put(sink, i + 1 < body->row_count ? ",\n" : "]");
    }
}

void sc_body_write_shown(const sc_body *body, sc_text_sink *sink)
{
    write_members(body, sink);
    put(sink, ",\n");
}

void sc_body_write(const sc_body *body, sc_text_sink *sink)
{
    if (body->file_label == NULL) {
        write_members(body, sink);
    } else {
        sc_body_write_shown(body, sink);
        put(sink, "\"" FILE_LABEL "\": ");
        sc_json_put_string(sink, body->file_label);
    }
    put(sink, "}\n");
}

/* Reading: members in the order in which they are written. */

static scrim_status odd(const sc_json_scan *scan, const char *what, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "body",
                       "line %zu is not that of a body: %s is expected there", scan->line,
                       what);
}

static scrim_status read_ratio(sc_json_scan *scan, const char *name, sc_ratio *out,
                               scrim_error *error)
{
    sc_text text;
    if (!sc_json_scan_member(scan, name) || !sc_json_scan_number(scan, &text) ||
        text.bytes > SC_BODY_NUMBER_BITS)
        return odd(scan, name, error);
    return sc_ratio_parse(text, out, error);
}

static scrim_status read_count(sc_json_scan *scan, const char *name, uint64_t *out,
                               scrim_error *error)
{
    return sc_json_scan_member(scan, name) && sc_json_scan_uint64(scan, out)
               ? SCRIM_OK
               : odd(scan, name, error);
}

static scrim_status read_mark(sc_json_scan *scan, char mark, scrim_error *error)
{
    const char what[4] = {'\'', mark, '\'', '\0'};
    return sc_json_scan_mark(scan, mark) ? SCRIM_OK : odd(scan, what, error);
}

static scrim_status read_text(sc_json_scan *scan, sc_body *body, sc_body_text which,
                              scrim_error *error)
{
    char text[SC_BODY_LABEL_BYTES];
    if (!sc_json_scan_member(scan, text_names[which]) ||
        !sc_json_scan_string(scan, text, sizeof text))
        return odd(scan, text_names[which], error);
    return sc_body_set_text(body, which, text, error);
}

static scrim_status read_name(sc_json_scan *scan, sc_body *body, size_t column,
                              scrim_error *error)
{
    char text[SC_BODY_TEXT_BYTES];
    if (!sc_json_scan_member(scan, "name") ||
        !sc_json_scan_string(scan, text, sizeof text))
        return odd(scan, "name", error);
    return sc_body_set_name(body, column, text, error);
}

/* Each member with the comma behind it, or another mark. */
#define STEP(call)                                                                       \
    do {                                                                                 \
        const scrim_status step_status = (call);                                         \
        if (step_status != SCRIM_OK)                                                     \
            return step_status;                                                          \
    } while (0)

static scrim_status read_column(sc_json_scan *scan, sc_body *body, size_t j,
                                scrim_error *error)
{
    sc_body_column *column = &body->columns[j];
    STEP(read_mark(scan, '{', error));
    STEP(read_name(scan, body, j, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "low", &column->low, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "high", &column->high, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "step", &column->step, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "scale", &column->scale, error));
    return read_mark(scan, '}', error);
}

static scrim_status read_direction(sc_json_scan *scan, sc_body *body, size_t i,
                                   scrim_error *error)
{
    if (!sc_json_scan_member(scan, "a"))
        return odd(scan, "a", error);
    STEP(read_mark(scan, '[', error));
    for (size_t j = 0; j < body->dimension; j++) {
        int64_t value;
        if (!sc_json_scan_int64(scan, &value) || value > INT32_MAX || value < -INT32_MAX)
            return odd(scan, "a number of a direction", error);
        body->directions[i * body->dimension + j] = (int32_t)value;
        STEP(read_mark(scan, j + 1 < body->dimension ? ',' : ']', error));
    }
    return SCRIM_OK;
}

static scrim_status read_row(sc_json_scan *scan, sc_body *body, size_t i,
                             scrim_error *error)
{
    sc_body_row *row = &body->rows[i];
    STEP(read_mark(scan, '{', error));
    STEP(read_direction(scan, body, i, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "origin", &row->origin, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_ratio(scan, "step", &row->step, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_count(scan, "cells", &row->cells, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_count(scan, "offset", &row->offset, error));
    return read_mark(scan, '}', error);
}

static scrim_status read_numbers(sc_json_scan *scan, sc_body *body, scrim_error *error)
{
    sc_ratio *const ratios[] = {&body->q, &body->epsilon, &body->delta,
                                &body->epsilon_each};
    static const char *const names[] = {"q", "epsilon", "delta", "epsilon_each"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        STEP(read_ratio(scan, names[i], ratios[i], error));
        STEP(read_mark(scan, ',', error));
    }
    for (size_t i = 0; i < COUNTS; i++) {
        STEP(read_count(scan, count_names[i], count_at(body, i), error));
        STEP(read_mark(scan, ',', error));
    }
    return SCRIM_OK;
}

/* No longer than what is left of the file. */
static scrim_status read_file_label(sc_json_scan *scan, sc_body *body, scrim_error *error)
{
    const size_t bytes = scan->rest.bytes + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a body");
    const scrim_status status =
        sc_json_scan_member(scan, FILE_LABEL) && sc_json_scan_string(scan, text, bytes)
            ? sc_body_set_file_label(body, text, error)
            : odd(scan, FILE_LABEL, error);
    sc_free(text);
    return status;
}

static scrim_status read_lists(sc_json_scan *scan, sc_body *body, scrim_error *error)
{
    if (!sc_json_scan_member(scan, "columns"))
        return odd(scan, "columns", error);
    STEP(read_mark(scan, '[', error));
    for (size_t j = 0; j < body->dimension; j++) {
        STEP(read_column(scan, body, j, error));
        STEP(read_mark(scan, j + 1 < body->dimension ? ',' : ']', error));
    }
    STEP(read_mark(scan, ',', error));
    if (!sc_json_scan_member(scan, "directions"))
        return odd(scan, "directions", error);
    STEP(read_mark(scan, '[', error));
    for (size_t i = 0; i < body->row_count; i++) {
        STEP(read_row(scan, body, i, error));
        STEP(read_mark(scan, i + 1 < body->row_count ? ',' : ']', error));
    }
    if (sc_json_scan_mark(scan, ','))
        STEP(read_file_label(scan, body, error));
    return read_mark(scan, '}', error);
}

static scrim_status read_sizes(sc_json_scan *scan, sc_body **out, scrim_error *error)
{
    char format[sizeof FORMAT];
    uint64_t dimension, row_count;
    STEP(read_mark(scan, '{', error));
    if (!sc_json_scan_member(scan, "format") ||
        !sc_json_scan_string(scan, format, sizeof format) ||
        !sc_text_is(sc_text_of(format), FORMAT))
        return odd(scan, "the format " FORMAT, error);
    STEP(read_mark(scan, ',', error));
    STEP(read_count(scan, "column_count", &dimension, error));
    STEP(read_mark(scan, ',', error));
    STEP(read_count(scan, "direction_count", &row_count, error));
    STEP(read_mark(scan, ',', error));
    return sc_body_new((size_t)dimension, (size_t)row_count, out, error);
}

static scrim_status read_rest(sc_json_scan *scan, sc_body *body, scrim_error *error)
{
    for (size_t i = 0; i < SC_BODY_TEXTS; i++) {
        STEP(read_text(scan, body, (sc_body_text)i, error));
        STEP(read_mark(scan, ',', error));
    }
    STEP(read_numbers(scan, body, error));
    STEP(read_lists(scan, body, error));
    if (!sc_json_scan_is_end(scan))
        return odd(scan, "the end", error);
    return sc_body_check(body, error);
}

scrim_status sc_body_read(sc_text text, sc_body **out, scrim_error *error)
{
    sc_json_scan scan;
    sc_body *body = NULL;
    sc_json_scan_init(&scan, text);
    if (text.bytes > SC_BODY_FILE_BYTES)
        return sc_fail(error, SCRIM_E_LIMIT, "a body has at most %zu bytes",
                       SC_BODY_FILE_BYTES);
    scrim_status status = read_sizes(&scan, &body, error);
    if (status == SCRIM_OK)
        status = read_rest(&scan, body, error);
    if (status == SCRIM_OK)
        *out = body;
    else
        sc_body_free(body);
    return status;
}
