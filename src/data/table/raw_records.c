#include "data/table/raw_records.h"

#include "base/checked.h"
#include "data/source/arrow_frame.h"
#include "data/source/source.h"
#include "data/value/calendar.h"
#include "data/value/decimal_value.h"
#include "data/value/field.h"
#include "data/value/text_function.h"
#include "data/value/value.h"
#include "model/vector_loss.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scrim_status read_frame(const sc_schema *schema, const scrim_frame *frame,
                               const sc_raw_reader *reader, sc_source_stamp *stamp,
                               scrim_error *error)
{
    const scrim_status status = sc_source_want_pushed(schema, error);
    return status == SCRIM_OK ? sc_frame_raw_read(schema, frame, reader, stamp, error)
                              : status;
}

scrim_status sc_raw_records_read(const sc_schema *schema, const scrim_frame *frame,
                                 const sc_raw_reader *reader, sc_source_stamp *stamp,
                                 uint64_t *before, scrim_error *error)
{
    const sc_source *source = NULL;
    *before = 0;
    if (frame != NULL)
        return read_frame(schema, frame, reader, stamp, error);
    const scrim_status status = sc_source_of(schema, &source, error);
    if (status != SCRIM_OK)
        return status;
    *before = source->header_records;
    return source->raw_read(schema, reader, stamp, error);
}

scrim_status sc_raw_watch_init(sc_raw_watch *watch, scrim_error *error)
{
    return sc_process_mark_init(&watch->here)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_MEMORY, "out of memory to look at a source");
}

void sc_raw_watch_clear(sc_raw_watch *watch)
{
    sc_process_mark_clear(&watch->here);
}

scrim_status sc_raw_watch_ended(sc_raw_watch *watch, bool is_own_thread, uint64_t bytes,
                                scrim_error *error)
{
    const uint64_t done = atomic_fetch_add(&watch->bytes, bytes) + bytes;
    if (is_own_thread && watch->progress != NULL && watch->stamp.is_file &&
        done <= watch->stamp.bytes)
        watch->progress(watch->context, done, watch->stamp.bytes);
    if (is_own_thread && watch->is_cancelled != NULL &&
        watch->is_cancelled(watch->context) != 0)
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_CANCELLED, "",
                           "the check was cancelled");
    if (!sc_process_mark_is_here(&watch->here)) /* it has forked */
        return sc_fail(error, SCRIM_E_STATE,
                       "a source is read by the process that opened it; open it again");
    return SCRIM_OK;
}

static int by_text(const void *left, const void *right)
{
    return sc_text_compare(((const sc_column_key *)left)->text,
                           ((const sc_column_key *)right)->text);
}

/* LOWER(TRIM(text)), as queries compute it. */
static sc_text fold(sc_text text, char room[SC_TEXT_RESULT_BYTES])
{
    return sc_text_cased(sc_text_trimmed(text, true, true), false, room);
}

static scrim_status fold_keys(sc_oddity_eye *eye, scrim_error *error)
{
    const sc_column *column = eye->column;
    char room[SC_TEXT_RESULT_BYTES];
    size_t bytes = 0, used = 0;
    for (size_t i = 0; i < column->key_count; i++)
        bytes += fold(column->keys[i].text, room).bytes;
    eye->folded = sc_allocate(column->key_count + 1, sizeof *eye->folded);
    eye->room = sc_allocate(bytes + 1, 1);
    if (eye->folded == NULL || eye->room == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (size_t i = 0; i < column->key_count; i++) {
        const sc_text folded = fold(column->keys[i].text, room);
        memcpy(eye->room + used, folded.start, folded.bytes);
        eye->folded[i].text = (sc_text){eye->room + used, folded.bytes};
        used += folded.bytes;
    }
    qsort(eye->folded, column->key_count, sizeof *eye->folded, by_text);
    return SCRIM_OK;
}

scrim_status sc_oddity_eye_init(sc_oddity_eye *eye, const sc_column *column,
                                scrim_error *error)
{
    *eye = (sc_oddity_eye){.column = column, .wide = *column};
    /* Take any date that can be written, so that one outside of the declared range is still read as a date. */
    const int64_t steps = column->type == SC_COLUMN_TIMESTAMP ? SC_DAY_SECONDS : 1;
    eye->wide.grid.low = SC_CALENDAR_FIRST * steps;
    eye->wide.grid.high = (SC_CALENDAR_LAST + 1) * steps;
    eye->plain = *column;
    eye->plain_wide = eye->wide;
    eye->plain.form = eye->plain_wide.form = NULL;
    for (size_t i = 0; i < SC_ODDITY_DATE_FORMS; i++) {
        eye->forms[i].decimal = '.';
        (void)sc_date_form_parse(sc_text_of(sc_oddity_date_form(i)), &eye->forms[i].date);
    }
    if (!column->has_keys)
        return SCRIM_OK;
    if (column->type == SC_COLUMN_TEXT)
        return fold_keys(eye, error);
    eye->keys = sc_allocate(column->key_count, sizeof *eye->keys);
    if (eye->keys == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (size_t i = 0; i < column->key_count; i++)
        eye->keys[i] = column->keys[i].value;
    qsort(eye->keys, column->key_count, sizeof *eye->keys, sc_int64_order);
    return SCRIM_OK;
}

void sc_oddity_eye_clear(sc_oddity_eye *eye)
{
    sc_free(eye->keys);
    sc_free(eye->folded);
    sc_free(eye->room);
    *eye = (sc_oddity_eye){.column = NULL};
}

bool sc_oddity_is_read(scrim_finding finding)
{
    return finding == SCRIM_FINDING_READABLE || finding == SCRIM_FINDING_BELOW ||
           finding == SCRIM_FINDING_ABOVE || finding == SCRIM_FINDING_ROUNDED;
}

static scrim_finding finding_of(const sc_landing *landing, int64_t *place)
{
    *place = landing->place;
    return landing->is_below     ? SCRIM_FINDING_BELOW
           : landing->is_above   ? SCRIM_FINDING_ABOVE
           : landing->is_rounded ? SCRIM_FINDING_ROUNDED
                                 : SCRIM_FINDING_READABLE;
}

/* A decimal as most are: a sign, a few digits, no more of them behind the point than the grid has.
 * It is on the grid. False for all others. */
static bool land_short(const sc_grid *grid, sc_text text, sc_landing *out)
{
    sc_int128 steps = 0;
    size_t digits = 0;
    int behind = -1; /* no point yet */
    if ((!grid->is_decimal && grid->exponent != 0) || grid->exponent > 0 ||
        grid->exponent < -18 || text.bytes > 19)
        return false;
    const bool is_negative = sc_text_take(&text, '-');
    for (size_t i = 0; i < text.bytes; i++) {
        if (sc_ascii_is_digit(text.start[i])) {
            steps = 10 * steps + (text.start[i] - '0');
            digits++;
            behind += behind >= 0;
        } else if (text.start[i] == '.' && behind < 0) {
            behind = 0;
        } else {
            return false;
        }
    }
    behind = behind < 0 ? 0 : behind;
    if (digits == 0 || behind > -grid->exponent)
        return false;
    for (; behind < -grid->exponent; behind++)
        steps *= 10;
    steps = is_negative ? -steps : steps;
    *out = (sc_landing){.place = sc_grid_clamp(grid, steps),
                        .is_below = grid->low > steps,
                        .is_above = steps > grid->high};
    return true;
}

static bool land(const sc_column *column, const sc_cell_form *form, sc_text text,
                 sc_landing *landing)
{
    char room[SC_COLUMN_VALUE_BYTES];
    return sc_cell_form_point(form, &text, room) &&
           (land_short(&column->grid, text, landing) ||
            sc_landing_of_text(&column->grid, text, landing));
}

static scrim_finding of_number(const sc_column *column, sc_text text, int64_t *place)
{
    const bool is_comma = column->form != NULL && column->form->decimal == ',';
    const sc_cell_form form = {.decimal = is_comma ? ',' : '.'},
                       other = {.decimal = is_comma ? '.' : ','};
    sc_landing landing;
    if (land(column, &form, text, &landing))
        return finding_of(&landing, place);
    if (!land(column, &other, text, &landing))
        return SCRIM_FINDING_UNREADABLE;
    return is_comma ? SCRIM_FINDING_DECIMAL_POINT : SCRIM_FINDING_DECIMAL_COMMA;
}

const char *sc_oddity_date_form(size_t place)
{
    static const char *const forms[SC_ODDITY_DATE_FORMS] = {
        "YYYY-M-D", "YYYY/M/D", "YYYYMMDD", "D.M.YYYY",
        "D/M/YYYY", "M/D/YYYY", "D-M-YYYY"};
    return place < SC_ODDITY_DATE_FORMS ? forms[place] : NULL;
}

/* Tries the usual forms of dates, each with the other settings of the column. */
unsigned sc_oddity_date_forms(const sc_oddity_eye *eye, sc_text text)
{
    sc_column column = eye->wide;
    unsigned forms = 0;
    for (size_t i = 0; i < SC_ODDITY_DATE_FORMS; i++) {
        int64_t day;
        column.form = &eye->forms[i];
        if (sc_field_read_plain(&column, text, &day))
            forms |= 1u << i;
    }
    return forms;
}

static scrim_finding of_date(const sc_oddity_eye *eye, const sc_column *wide,
                             sc_text text, int64_t *place)
{
    const sc_grid *grid = &eye->column->grid;
    int64_t day = 0;
    if (!sc_field_read_plain(wide, text, &day))
        return sc_oddity_date_forms(eye, text) != 0 ? SCRIM_FINDING_OTHER_DATE
                                                    : SCRIM_FINDING_UNREADABLE;
    const sc_landing landing = {.place = sc_grid_clamp(grid, day),
                                .is_below = grid->low > day,
                                .is_above = day > grid->high};
    return finding_of(&landing, place);
}

static scrim_finding of_words(const sc_oddity_eye *eye, sc_text text, bool is_typed,
                              int64_t *place)
{
    const sc_column *column = is_typed ? &eye->plain : eye->column;
    const sc_text seen = column->type == SC_COLUMN_TEXT ? text : sc_text_trim(text);
    if (text.bytes > SC_COLUMN_VALUE_BYTES)
        return SCRIM_FINDING_TOO_LONG;
    if (seen.bytes == 0 && column->type != SC_COLUMN_TEXT)
        return SCRIM_FINDING_MISSING;
    switch (column->type) {
    case SC_COLUMN_INT:
    case SC_COLUMN_DECIMAL:
        return of_number(column, text, place);
    case SC_COLUMN_DATE:
    case SC_COLUMN_TIMESTAMP:
        return of_date(eye, is_typed ? &eye->plain_wide : &eye->wide, text, place);
    case SC_COLUMN_BOOL:
        return sc_field_read_plain(column, text, place) ? SCRIM_FINDING_READABLE
                                                        : SCRIM_FINDING_UNREADABLE;
    case SC_COLUMN_TEXT:
        break;
    }
    return sc_utf8_is_valid(text) ? SCRIM_FINDING_READABLE : SCRIM_FINDING_NOT_UTF8;
}

/* Goes through the shortest decimal, as the reading of rows does. Infinity is outside of every range. */
static sc_landing landing_of_double(const sc_grid *grid, double x)
{
    char text[64];
    uint64_t bits;
    sc_shortest number;
    sc_landing landing = {.place = 0};
    memcpy(&bits, &x, sizeof bits);
    if (sc_shortest_of_double(bits, &number))
        snprintf(text, sizeof text, "%s%" PRIu64 "e%d", number.is_negative ? "-" : "",
                 number.digits, number.exponent);
    else
        snprintf(text, sizeof text, bits >> 63 != 0 ? "-inf" : "inf");
    (void)sc_landing_of_text(grid, sc_text_of(text), &landing);
    return landing;
}

scrim_finding sc_oddity_of(const sc_oddity_eye *eye, const sc_raw_value *value,
                           int64_t *place)
{
    const sc_column *column = eye->column;
    sc_landing landing;
    switch (value->kind) {
    case SC_RAW_NULL:
        return SCRIM_FINDING_MISSING;
    case SC_RAW_BLOB:
        return SCRIM_FINDING_UNREADABLE;
    case SC_RAW_DOUBLE:
        if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
            return SCRIM_FINDING_UNREADABLE;
        landing = landing_of_double(&column->grid, value->number);
        return finding_of(&landing, place);
    case SC_RAW_TEXT:
    case SC_RAW_TYPED:
        break;
    }
    return of_words(eye, value->text, value->kind == SC_RAW_TYPED, place);
}

bool sc_oddity_has_mark(const sc_oddity_eye *eye, const sc_raw_value *value)
{
    const sc_column *column = eye->column;
    const int mark = column->form == NULL ? '.' : column->form->decimal;
    return (column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL) &&
           value->kind == SC_RAW_TEXT && value->text.bytes > 0 &&
           memchr(value->text.start, mark, value->text.bytes) != NULL;
}

bool sc_oddity_is_other_key(const sc_oddity_eye *eye, const sc_raw_value *value,
                            bool is_read, int64_t place)
{
    const sc_column *column = eye->column;
    if (!column->has_keys || (!is_read && !column->has_missing))
        return false;
    if (column->type == SC_COLUMN_TEXT) {
        const sc_column_key key = {.text = is_read ? value->text : column->missing};
        return bsearch(&key, column->keys, column->key_count, sizeof key, by_text) ==
               NULL;
    }
    if (!is_read)
        place = column->grid.missing;
    return bsearch(&place, eye->keys, column->key_count, sizeof place, sc_int64_order) ==
           NULL;
}

bool sc_oddity_is_key_folded(const sc_oddity_eye *eye, const sc_raw_value *value)
{
    char room[SC_TEXT_RESULT_BYTES];
    if (eye->folded == NULL || value->text.bytes > SC_COLUMN_VALUE_BYTES)
        return false;
    const sc_column_key key = {.text = fold(value->text, room)};
    const bool is_there =
        bsearch(&key, eye->folded, eye->column->key_count, sizeof key, by_text) != NULL;
    sc_wipe(room, key.text.bytes);
    return is_there;
}
