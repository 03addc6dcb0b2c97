#include "data/value/column.h"

#include "data/value/calendar.h"
#include "data/value/value.h"

#include <stdlib.h>
#include <string.h>

void sc_cell_form_init(sc_cell_form *form)
{
    *form = (sc_cell_form){.decimal = '.'};
}

scrim_status sc_cell_form_set_decimal(sc_cell_form *form, sc_text value,
                                      scrim_error *error)
{
    if (!sc_text_is(value, ".") && !sc_text_is(value, ","))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "decimal",
                           "the decimal mark must be . or ,");
    form->decimal = value.start[0];
    return SCRIM_OK;
}

scrim_status sc_cell_form_set_date(sc_cell_form *form, sc_text value, scrim_error *error)
{
    if (sc_date_form_parse(value, &form->date))
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "date-format",
                       "a date format needs YYYY, MM or M, and DD or D, with . / - or "
                       "blanks between them, such as DD.MM.YYYY");
}

static scrim_status add_null(sc_cell_form *form, sc_text text, sc_arena *arena,
                             scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (text.bytes == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                           "an empty cell is always missing; leave the empty text out");
    if (sc_cell_form_has_null(form, text))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "null",
                           "the text '%s' is given twice", sc_text_quote(text, quote));
    if (form->null_count == SC_CELL_FORM_NULLS)
        return sc_fail(error, SCRIM_E_LIMIT, "at most %d texts stand for missing values",
                       SC_CELL_FORM_NULLS);
    const char *copy = sc_arena_copy(arena, text.start, text.bytes);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    form->nulls[form->null_count++] = (sc_text){copy, text.bytes};
    form->null_lengths |= (uint64_t)1 << (text.bytes < 63 ? text.bytes : 63);
    return SCRIM_OK;
}

scrim_status sc_cell_form_set_nulls(sc_cell_form *form, sc_text list, sc_arena *arena,
                                    scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    char *room = sc_allocate(list.bytes + 1, 1);
    form->nulls = sc_arena_allocate(arena, SC_CELL_FORM_NULLS, sizeof *form->nulls);
    if (room == NULL || form->nulls == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
    else if (list.bytes == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                             "write a list of texts as TEXT,TEXT,...");
    while (status == SCRIM_OK && list.bytes > 0) {
        sc_text item;
        status = sc_text_list_take(&list, room, &item)
                     ? add_null(form, item, arena, error)
                     : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                                   "write texts as TEXT,TEXT,...; put a text that "
                                   "contains a comma in double quotes");
    }
    sc_free(room);
    return status;
}

bool sc_cell_form_point(const sc_cell_form *form, sc_text *text, char *room)
{
    if (form->decimal == '.' || text->bytes == 0)
        return true;
    if (memchr(text->start, '.', text->bytes) != NULL)
        return false;
    if (memchr(text->start, form->decimal, text->bytes) == NULL)
        return true;
    memcpy(room, text->start, text->bytes);
    for (size_t i = 0; i < text->bytes; i++)
        if (room[i] == form->decimal)
            room[i] = '.';
    text->start = room;
    return true;
}

bool sc_cell_form_has_null(const sc_cell_form *form, sc_text text)
{
    for (size_t i = 0; i < form->null_count; i++)
        if (sc_text_equal(form->nulls[i], text))
            return true;
    return false;
}

#define LEGAL_TYPES                                                                      \
    "a type is int[lo,hi], decimal[lo,hi], decimal[lo,hi]/STEP, date[from,to], "         \
    "timestamp[from,to], timestamp[from,to]/SECONDS, bool or text"

bool sc_column_is_name(sc_text name)
{
    if (name.bytes == 0 || name.bytes > SC_COLUMN_NAME_BYTES ||
        sc_text_trim(name).bytes != name.bytes)
        return false;
    while (name.bytes > 0) {
        const size_t bytes = sc_text_character(name);
        if (bytes == 0 || name.start[0] == '=')
            return false;
        name = (sc_text){name.start + bytes, name.bytes - bytes};
    }
    return true;
}

bool sc_column_is_text(sc_text value)
{
    return value.bytes > 0 && value.bytes <= SC_COLUMN_VALUE_BYTES &&
           sc_utf8_is_valid(value);
}

/* Types. */

/* "word[lower,upper]rest". */
static bool take_range(sc_text type, const char *word, sc_text *lower, sc_text *upper,
                       sc_text *rest)
{
    sc_text name, inside;
    if (!sc_text_split(type, '[', &name, &type) ||
        !sc_text_is(sc_text_trim(name), word) ||
        !sc_text_split(type, ']', &inside, rest) ||
        !sc_text_split(inside, ',', lower, upper))
        return false;
    *lower = sc_text_trim(*lower);
    *upper = sc_text_trim(*upper);
    *rest = sc_text_trim(*rest);
    return true;
}

/* Three exact numbers on the way to a grid. */
typedef struct bounds {
    sc_ratio lower, upper, step;
} bounds;

static void bounds_init(bounds *b)
{
    sc_ratio_init(&b->lower);
    sc_ratio_init(&b->upper);
    sc_ratio_init(&b->step);
}

static void bounds_clear(bounds *b)
{
    sc_ratio_clear(&b->lower);
    sc_ratio_clear(&b->upper);
    sc_ratio_clear(&b->step);
}

static scrim_status set_numbers(sc_column *column, sc_text lower, sc_text upper,
                                sc_text step, scrim_error *error)
{
    bounds b;
    bounds_init(&b);
    scrim_status status = sc_ratio_parse(lower, &b.lower, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(upper, &b.upper, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(step, &b.step, error);
    if (status == SCRIM_OK)
        status = sc_grid_init(&column->grid, &b.step, &b.lower, &b.upper, NULL, error);
    bounds_clear(&b);
    /* A malformed number is a wrong parameter here, not malformed input text. */
    return status == SCRIM_E_SYNTAX
               ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column", "%s",
                             LEGAL_TYPES)
               : status;
}

static scrim_status set_dates(sc_column *column, sc_text from, sc_text to,
                              scrim_error *error)
{
    sc_grid grid = {.low = 0};
    if (!sc_calendar_parse(from, &grid.low) || !sc_calendar_parse(to, &grid.high))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                           "a date must exist and be written YYYY-MM-DD, as in "
                           "date[2020-01-01,2020-12-31]");
    if (grid.low >= grid.high)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "from",
                                 "must be before to");
    grid.missing = grid.low;
    column->grid = grid;
    return SCRIM_OK;
}

/* An end of a range, or another time that the owner writes: a whole number of steps. */
static bool read_moment(const sc_column *column, sc_text text, int64_t *place)
{
    sc_moment moment;
    if (!sc_moment_read(column->zone, NULL, text, &moment) || moment.has_fraction ||
        moment.seconds % column->step != 0)
        return false;
    *place = moment.seconds / column->step;
    return true;
}

static bool is_covered(const sc_zone *zone, int64_t seconds)
{
    return seconds >= zone->first * SC_DAY_SECONDS &&
           seconds <= (zone->last + 1) * SC_DAY_SECONDS;
}

static scrim_status set_moments(sc_column *column, sc_text from, sc_text to, sc_text step,
                                scrim_error *error)
{
    sc_grid grid = {.low = 0};
    uint64_t seconds = 1;
    if (column->zone == NULL)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "zone",
            "missing; a timestamp needs UTC, an offset such as +01:00, or a name such as "
            "Europe/Berlin");
    if (step.bytes > 0 &&
        (!sc_text_uint64(step, &seconds) || seconds < 1 || seconds > SC_COLUMN_STEP_MAX))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "column",
            "the step of a timestamp must be a whole number of seconds from 1 to %d",
            SC_COLUMN_STEP_MAX);
    column->step = (int64_t)seconds;
    if (!read_moment(column, from, &grid.low) || !read_moment(column, to, &grid.high))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
            "a timestamp must be a date, or a date and a time, on a multiple of the "
            "step, as in timestamp[2020-01-01,2020-12-31 23:59:59]");
    if (grid.low >= grid.high)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "from",
                                 "must be before to");
    if (!is_covered(column->zone, grid.low * column->step) ||
        !is_covered(column->zone, grid.high * column->step))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "zone",
                           "the zone has no changes for these days; name it again");
    grid.missing = grid.low;
    column->grid = grid;
    return SCRIM_OK;
}

/* "/STEP" behind a range. */
static bool take_step(sc_text rest, sc_text *step)
{
    if (!sc_text_take(&rest, '/'))
        return rest.bytes == 0;
    *step = sc_text_trim(rest);
    return step->bytes > 0;
}

/* A word for a type, without its range or from another language. */
static scrim_status refuse_type(sc_text type, scrim_error *error)
{
    static const struct {
        const char *word, *form;
    } meant[] = {{"int", "int[lo,hi]"},
                 {"integer", "int[lo,hi]"},
                 {"bigint", "int[lo,hi]"},
                 {"decimal", "decimal[lo,hi]"},
                 {"number", "decimal[lo,hi]"},
                 {"numeric", "decimal[lo,hi]"},
                 {"float", "decimal[lo,hi]"},
                 {"double", "decimal[lo,hi]"},
                 {"real", "decimal[lo,hi]"},
                 {"date", "date[from,to]"},
                 {"datetime", "timestamp[from,to]"},
                 {"timestamp", "timestamp[from,to]"},
                 {"boolean", "bool"},
                 {"string", "text"},
                 {"varchar", "text"},
                 {"char", "text"}};
    sc_text name = type, range;
    sc_text_split(type, '[', &name, &range);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (sc_text_is(sc_text_trim(name), meant[i].word))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                               "did you mean %s?", meant[i].form);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column", "%s",
                       LEGAL_TYPES);
}

scrim_status sc_column_set_type(sc_column *column, sc_text type, scrim_error *error)
{
    sc_text lower, upper, rest, step = sc_text_of("0.01"), seconds = {NULL, 0};
    scrim_status status = SCRIM_OK;
    column->grid = (sc_grid){.high = 1};
    if (sc_text_is(type, "text")) {
        column->type = SC_COLUMN_TEXT;
    } else if (sc_text_is(type, "bool")) {
        column->type = SC_COLUMN_BOOL;
    } else if (take_range(type, "int", &lower, &upper, &rest) && rest.bytes == 0) {
        column->type = SC_COLUMN_INT;
        status = set_numbers(column, lower, upper, sc_text_of("1"), error);
    } else if (take_range(type, "date", &lower, &upper, &rest) && rest.bytes == 0) {
        column->type = SC_COLUMN_DATE;
        status = set_dates(column, lower, upper, error);
    } else if (take_range(type, "timestamp", &lower, &upper, &rest) &&
               take_step(rest, &seconds)) {
        column->type = SC_COLUMN_TIMESTAMP;
        status = set_moments(column, lower, upper, seconds, error);
    } else if (take_range(type, "decimal", &lower, &upper, &rest) &&
               (rest.bytes == 0 || rest.start[0] == '/')) {
        column->type = SC_COLUMN_DECIMAL;
        if (rest.bytes > 0)
            step = sc_text_trim((sc_text){rest.start + 1, rest.bytes - 1});
        status = set_numbers(column, lower, upper, step, error);
    } else {
        status = refuse_type(type, error);
    }
    return status;
}

/* Values that the owner writes: exact, on the grid and in the range, or refused. */

static scrim_status fail_value(const sc_column *column, sc_text value, scrim_error *error)
{
    static const char *const legal[] = {
        [SC_COLUMN_INT] = "a whole number in the column's range",
        [SC_COLUMN_DECIMAL] = "a multiple of the column's step in its range",
        [SC_COLUMN_DATE] = "a date YYYY-MM-DD in the column's range",
        [SC_COLUMN_BOOL] = "true, t, yes, y, 1, false, f, no, n or 0",
        [SC_COLUMN_TIMESTAMP] =
            ("a time in the column's range on a multiple of its step, such as 2026-01-31 "
             "12:00"),
        [SC_COLUMN_TEXT] = "UTF-8 of 1 to 4096 bytes without NUL",
    };
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                       "'%s' is not %s", sc_text_quote(value, quote),
                       legal[column->type]);
}

static bool read_number(const sc_grid *grid, sc_text text, int64_t *out)
{
    SC_OWN(sc_ratio, value, step);
    bool is_right = sc_ratio_parse(text, &value, NULL) == SCRIM_OK;
    if (is_right) {
        /* On the grid and inside when the way there and back loses nothing. */
        const int64_t place = sc_grid_of_ratio(grid, &value);
        SC_OWN(sc_ratio, back);
        sc_grid_step(grid, &step);
        sc_ratio_set_int64(&back, place);
        sc_ratio_mul(&back, &back, &step);
        is_right = sc_ratio_compare(&back, &value) == 0;
        if (is_right)
            *out = place;
    }
    return is_right;
}

bool sc_column_read(const sc_column *column, sc_text text, int64_t *out)
{
    int64_t value = 0;
    switch (column->type) {
    case SC_COLUMN_INT:
    case SC_COLUMN_DECIMAL:
        if (!read_number(&column->grid, text, &value))
            return false;
        break;
    case SC_COLUMN_DATE:
        if (!sc_calendar_parse(text, &value))
            return false;
        break;
    case SC_COLUMN_TIMESTAMP:
        if (!read_moment(column, text, &value))
            return false;
        break;
    case SC_COLUMN_BOOL:
        if (text.bytes > SC_COLUMN_VALUE_BYTES || !sc_boolean_read(text, &value))
            return false;
        break;
    case SC_COLUMN_TEXT:
        return false;
    }
    if (value < column->grid.low || value > column->grid.high)
        return false;
    *out = value;
    return true;
}

scrim_status sc_column_set_missing(sc_column *column, sc_text value, sc_arena *arena,
                                   scrim_error *error)
{
    if (column->type == SC_COLUMN_TEXT) {
        if (!sc_column_is_text(value))
            return fail_value(column, value, error);
        const char *copy = sc_arena_copy(arena, value.start, value.bytes);
        if (copy == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "no memory");
        column->missing = (sc_text){copy, value.bytes};
    } else if (!sc_column_read(column, value, &column->grid.missing)) {
        return fail_value(column, value, error);
    }
    column->has_missing = true;
    return SCRIM_OK;
}

scrim_status sc_column_set_total(sc_column *column, sc_text value, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const int64_t most = (int64_t)1 << SC_GRID_BITS;
    sc_grid wide = column->grid;
    sc_text low, high;
    int64_t from = 0, to = 0;
    if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "column",
                           "only int and decimal columns have totals");
    wide.low = -most;
    wide.high = most;
    const bool is_pair = sc_text_split(value, ',', &low, &high);
    if (!is_pair)
        high = value;
    if (!read_number(&wide, sc_text_trim(high), &to) ||
        (is_pair && !read_number(&wide, sc_text_trim(low), &from)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                           "'%s' is not valid; write one or two multiples of the "
                           "column's step, as in COLUMN=500 or COLUMN=-100,500",
                           sc_text_quote(value, quote));
    from = is_pair ? from : -to;
    column->total_low = column->grid.low < 0 ? from : 0;
    column->total_high = column->grid.high > 0 ? to : 0;
    if (from > 0 || to < 0 || column->total_low == column->total_high)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "column",
            "the bounds of a total must contain 0 and overlap the possible totals");
    column->has_total = true;
    return SCRIM_OK;
}

size_t sc_column_format(const sc_column *column, int64_t value, char *text,
                        size_t capacity)
{
    char date[SC_CALENDAR_TEXT_BYTES + 1], moment[SC_MOMENT_TEXT_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    switch (column->type) {
    case SC_COLUMN_DATE:
        sc_calendar_format(value, date);
        sc_text_put(&sink, sc_text_of(date));
        return sink.length;
    case SC_COLUMN_TIMESTAMP:
        sc_moment_format(column->zone, value * column->step, moment);
        sc_text_put(&sink, sc_text_of(moment));
        return sink.length;
    case SC_COLUMN_BOOL:
        sc_text_put(&sink, sc_text_of(value != 0 ? "true" : "false"));
        return sink.length;
    case SC_COLUMN_TEXT:
        return 0;
    case SC_COLUMN_INT:
    case SC_COLUMN_DECIMAL:
        break;
    }
    SC_OWN(sc_ratio, number, step);
    sc_ratio_set_int64(&number, value);
    sc_grid_step(&column->grid, &step);
    sc_ratio_mul(&number, &number, &step);
    return sc_ratio_format(&number, text, capacity);
}

/* Keys. */

static bool take_line(sc_text *list, sc_text *item)
{
    if (!sc_text_split(*list, '\n', item, list)) {
        *item = *list;
        *list = (sc_text){NULL, 0};
    }
    if (item->bytes > 0 && item->start[item->bytes - 1] == '\r')
        item->bytes--;
    return item->bytes > 0;
}

static size_t count_of(sc_text text, char separator)
{
    size_t count = 0;
    for (size_t i = 0; i < text.bytes; i++)
        count += text.start[i] == separator;
    return count;
}

/* The key that an item says, in its canonical text. */
static scrim_status set_key(const sc_column *column, sc_text item, sc_arena *arena,
                            sc_column_key *key, scrim_error *error)
{
    char text[SC_COLUMN_TEXT_BYTES];
    if (item.bytes == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "keys",
                           "a key is empty; leave it out");
    if (column->type == SC_COLUMN_TEXT ? !sc_column_is_text(item)
                                       : !sc_column_read(column, item, &key->value))
        return fail_value(column, item, error);
    if (column->type != SC_COLUMN_TEXT)
        item = (sc_text){text, sc_column_format(column, key->value, text, sizeof text)};
    const char *copy = sc_arena_copy(arena, item.start, item.bytes);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    key->text = (sc_text){copy, item.bytes};
    return SCRIM_OK;
}

static int by_text(const void *left, const void *right)
{
    const sc_text a = ((const sc_column_key *)left)->text,
                  b = ((const sc_column_key *)right)->text;
    const int order = memcmp(a.start, b.start, a.bytes < b.bytes ? a.bytes : b.bytes);
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static scrim_status sort_keys(sc_column *column, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    qsort(column->keys, column->key_count, sizeof *column->keys, by_text);
    for (size_t i = 1; i < column->key_count; i++)
        if (sc_text_equal(column->keys[i - 1].text, column->keys[i].text))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "keys",
                               "the key '%s' is given twice",
                               sc_text_quote(column->keys[i].text, quote));
    if (column->key_count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "keys",
                           "write a list of keys as KEY,KEY,... or @FILE");
    column->has_keys = true;
    return SCRIM_OK;
}

scrim_status sc_column_set_keys(sc_column *column, sc_text list, bool as_lines,
                                sc_arena *arena, scrim_error *error)
{
    const size_t most = count_of(list, as_lines ? '\n' : ',') + 1;
    scrim_status status = SCRIM_OK;
    char *room = NULL;
    if (most > SC_COLUMN_KEYS)
        return sc_fail(error, SCRIM_E_LIMIT, "a column has at most %d keys",
                       SC_COLUMN_KEYS);
    column->keys = sc_arena_allocate(arena, most, sizeof *column->keys);
    column->key_count = 0;
    room = sc_allocate(list.bytes + 1, 1);
    if (column->keys == NULL || room == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
    while (status == SCRIM_OK && list.bytes > 0) {
        sc_text item = {NULL, 0};
        if (as_lines && !take_line(&list, &item))
            continue;
        if (!as_lines && !sc_text_list_take(&list, room, &item))
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "keys",
                                 "write keys as KEY,KEY,... or @FILE; put a key that "
                                 "contains a comma in double quotes");
        if (status == SCRIM_OK)
            status =
                set_key(column, item, arena, &column->keys[column->key_count], error);
        column->key_count += status == SCRIM_OK;
    }
    sc_free(room);
    return status == SCRIM_OK ? sort_keys(column, error) : status;
}
