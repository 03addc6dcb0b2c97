#include "data/table/mock_rows.h"

#include "data/value/calendar.h"
#include "sampling/uniform.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EMPTY_IN 20 /* one cell in 20 is empty */
#define WORDS 10
#define ROWS_OF_UNIT 10
#define CELL_BYTES (SC_COLUMN_TEXT_BYTES + SC_COLUMN_NAME_BYTES + 32)

typedef struct mock {
    const sc_schema *schema;
    sc_bits *bits;
    char *line;
    size_t used, room;
    uint64_t unit, left; /* the unit whose rows these are, and how many it has yet */
    scrim_error *error;
} mock;

/* Lines. */

static scrim_status put(mock *m, const char *bytes, size_t count)
{
    if (count > m->room - m->used) {
        const size_t room = 2 * (m->used + count) + 256;
        char *line = sc_allocate(room, 1);
        if (line == NULL)
            return sc_no_memory(m->error, "a row");
        if (m->used > 0)
            memcpy(line, m->line, m->used);
        sc_free(m->line);
        m->line = line;
        m->room = room;
    }
    if (count > 0)
        memcpy(m->line + m->used, bytes, count);
    m->used += count;
    return SCRIM_OK;
}

/* Is it read as it stands only between quotes? */
static bool needs_quotes(const mock *m, sc_text cell)
{
    if (cell.bytes == 0 || cell.start[0] == ' ' || cell.start[cell.bytes - 1] == ' ' ||
        sc_cell_form_is_null(&m->schema->form, cell))
        return true;
    for (size_t i = 0; i < cell.bytes; i++)
        if (cell.start[i] == m->schema->csv.separator ||
            (cell.start[i] == '"' || cell.start[i] == '\r' || cell.start[i] == '\n'))
            return true;
    return false;
}

static scrim_status put_cell(mock *m, sc_text cell)
{
    if (!needs_quotes(m, cell))
        return put(m, cell.start, cell.bytes);
    scrim_status status = put(m, "\"", 1);
    for (size_t i = 0; i < cell.bytes && status == SCRIM_OK; i++)
        status = cell.start[i] == '"' ? put(m, "\"\"", 2) : put(m, cell.start + i, 1);
    return status == SCRIM_OK ? put(m, "\"", 1) : status;
}

static scrim_status end_line(mock *m, const sc_mock_sink *sink)
{
    const bool is_crlf = m->schema->csv.end == SC_RECORD_CRLF;
    scrim_status status = put(m, is_crlf ? "\r\n" : "\n", is_crlf ? 2 : 1);
    if (status == SCRIM_OK)
        status = sink->write(sink->context, m->line, m->used, m->error);
    m->used = 0;
    return status;
}

/* Cells. */

static scrim_status draw(mock *m, uint64_t n, uint64_t *out)
{
    return sc_uniform_fast(m->bits, n, out, m->error);
}

/* The date at the front of a timestamp, as dates are written. */
static void put_formed_day(const sc_date_form *form, char *text, size_t capacity)
{
    char date[SC_DATE_FORM_TEXT], rest[SC_MOMENT_TEXT_BYTES];
    int64_t day = 0;
    (void)sc_calendar_parse((sc_text){text, SC_CALENDAR_TEXT_BYTES}, &day);
    sc_date_form_put(form, day, date);
    snprintf(rest, sizeof rest, "%.*s", SC_MOMENT_TEXT_BYTES - 1,
             text + SC_CALENDAR_TEXT_BYTES);
    snprintf(text, capacity, "%s%s", date, rest);
}

/* A value of a column that has a grid, as its cells are written. */
static scrim_status put_value(mock *m, const sc_column *column, int64_t value)
{
    char text[SC_COLUMN_TEXT_BYTES];
    const sc_cell_form *form = &m->schema->form;
    if (column->type == SC_COLUMN_DATE && form->date.bytes > 0)
        sc_date_form_put(&form->date, value, text);
    else
        (void)sc_column_format(column, value, text, sizeof text);
    if (column->type == SC_COLUMN_TIMESTAMP && form->date.bytes > 0)
        put_formed_day(&form->date, text, sizeof text);
    char *point = column->type == SC_COLUMN_DECIMAL ? strchr(text, '.') : NULL;
    if (point != NULL)
        *point = form->decimal;
    return put_cell(m, sc_text_of(text));
}

static scrim_status put_word(mock *m, const sc_column *column)
{
    char text[CELL_BYTES];
    uint64_t word;
    const scrim_status status = draw(m, WORDS, &word);
    if (status != SCRIM_OK)
        return status;
    snprintf(text, sizeof text, "%.*s %" PRIu64, (int)column->name.bytes,
             column->name.start, word + 1);
    return put_cell(m, sc_text_of(text));
}

static scrim_status put_drawn(mock *m, const sc_column *column)
{
    uint64_t drawn = 0;
    scrim_status status;
    if (column->has_keys) {
        status = draw(m, column->key_count, &drawn);
        if (status != SCRIM_OK)
            return status;
        return column->type == SC_COLUMN_TEXT
                   ? put_cell(m, column->keys[drawn].text)
                   : put_value(m, column, column->keys[drawn].value);
    }
    if (column->type == SC_COLUMN_TEXT)
        return put_word(m, column);
    status =
        draw(m, (uint64_t)column->grid.high - (uint64_t)column->grid.low + 1, &drawn);
    return status == SCRIM_OK
               ? put_value(m, column, (int64_t)((uint64_t)column->grid.low + drawn))
               : status;
}

static scrim_status put_column(mock *m, size_t index)
{
    uint64_t chance = 1;
    scrim_status status = SCRIM_OK;
    if (sc_schema_may_be_null(m->schema, index))
        status = draw(m, EMPTY_IN, &chance);
    if (status != SCRIM_OK || chance == 0)
        return status;
    return put_drawn(m, &m->schema->columns[index]);
}

/* Rows. */

static scrim_status put_unit(mock *m)
{
    const sc_schema *schema = m->schema;
    const uint64_t rows = sc_bounds_normal(&schema->bounds, 0).rows,
                   kept = rows < ROWS_OF_UNIT ? rows : ROWS_OF_UNIT;
    char text[32];
    if (m->left == 0) {
        const scrim_status status = draw(m, kept, &m->left);
        if (status != SCRIM_OK)
            return status;
        m->left++;
        m->unit++;
    }
    m->left--;
    snprintf(text, sizeof text, "u%" PRIu64, m->unit);
    return put_cell(m, sc_text_of(text));
}

/* The names where bits are not wanted. */
static scrim_status put_row(mock *m, bool is_header, const sc_mock_sink *sink)
{
    const sc_schema *schema = m->schema;
    const bool has_unit = schema->unit.bytes > 0;
    scrim_status status = SCRIM_OK;
    if (has_unit)
        status = is_header ? put_cell(m, schema->unit) : put_unit(m);
    for (size_t i = 0; i < schema->column_count && status == SCRIM_OK; i++) {
        if (i > 0 || has_unit)
            status = put(m, &schema->csv.separator, 1);
        if (status == SCRIM_OK)
            status = is_header ? put_cell(m, schema->columns[i].name) : put_column(m, i);
    }
    return status == SCRIM_OK ? end_line(m, sink) : status;
}

scrim_status sc_mock_rows(const sc_schema *schema, uint64_t rows, sc_bits *bits,
                          const sc_mock_sink *sink, scrim_error *error)
{
    mock m = {.schema = schema, .bits = bits, .error = error};
    scrim_status status = put_row(&m, true, sink);
    for (uint64_t i = 0; i < rows && status == SCRIM_OK; i++)
        status = put_row(&m, false, sink);
    sc_free(m.line);
    return status;
}
