#include "data/source/arrow_cell.h"

#include "data/value/calendar.h"
#include "data/value/decimal_value.h"
#include "data/value/number_text.h"

#include <inttypes.h>
#include <stdio.h>

/* Texts. */

static const char padding[SC_FIELD_PADDING];

/* The absolute value, at most 2^127 - 1: no decimal of 38 digits is larger. */
static sc_uint128 size_of(sc_int128 value)
{
    if (value == SC_INT128_MIN)
        return (sc_uint128)SC_INT128_MAX;
    return (sc_uint128)(value < 0 ? -value : value);
}

static bool day_of(const sc_arrow_array *a, size_t row, int64_t *day)
{
    const int64_t value = (int64_t)sc_arrow_int(a, row), unit = a->type->unit;
    *day = value / unit - (value % unit < 0);
    return *day >= SC_CALENDAR_FIRST && *day <= SC_CALENDAR_LAST;
}

/* The bits of a floating-point number of 8, 4 or 2 bytes. */
static uint64_t bits_of_float(const sc_arrow_array *a, size_t row)
{
    const size_t at = a->first + row;
    uint64_t bits;
    uint32_t single;
    uint16_t half;
    if (a->type->bytes == sizeof bits) {
        memcpy(&bits, a->values + sizeof bits * at, sizeof bits);
        return bits;
    }
    if (a->type->bytes == sizeof single) {
        memcpy(&single, a->values + sizeof single * at, sizeof single);
        return single;
    }
    memcpy(&half, a->values + sizeof half * at, sizeof half);
    return half;
}

/* False for infinity and NaN, which are missing. */
static bool shortest_of(const sc_arrow_array *a, size_t row, sc_shortest *out)
{
    const uint64_t bits = bits_of_float(a, row);
    if (a->type->bytes == sizeof bits)
        return sc_shortest_of_double(bits, out);
    return a->type->bytes == sizeof(uint32_t) ? sc_shortest_of_single((uint32_t)bits, out)
                                              : sc_shortest_of_half((uint16_t)bits, out);
}

static sc_text float_text(const sc_arrow_array *a, size_t row, char *room)
{
    sc_shortest number;
    return shortest_of(a, row, &number)
               ? sc_number_text(number.is_negative, number.digits, number.exponent, room)
               : (sc_text){padding, 0};
}

/* "2026-03-29 02:30:00", followed by ".25" if there is a fraction, and by "Z" if the type has a zone, since it then counts in UTC. */
static sc_text moment_text(const sc_arrow_array *a, size_t row, char *room)
{
    const int64_t value = (int64_t)sc_arrow_int(a, row), unit = a->type->unit,
                  part = value % unit, seconds = value / unit - (part < 0),
                  late = seconds % SC_DAY_SECONDS,
                  day = seconds / SC_DAY_SECONDS - (late < 0);
    const int in_day = (int)(late < 0 ? late + SC_DAY_SECONDS : late);
    if (day < SC_CALENDAR_FIRST || day > SC_CALENDAR_LAST)
        return (sc_text){padding, 0};
    sc_calendar_format(day, room);
    size_t used = SC_CALENDAR_TEXT_BYTES;
    used += (size_t)snprintf(room + used, SC_NUMBER_TEXT_BYTES - used, " %02d:%02d:%02d",
                             in_day / 3600, in_day / 60 % 60, in_day % 60);
    if (part != 0) {
        used += (size_t)snprintf(room + used, SC_NUMBER_TEXT_BYTES - used, ".%09" PRId64,
                                 (part < 0 ? part + unit : part) *
                                     (INT64_C(1000000000) / unit));
        while (room[used - 1] == '0')
            used--;
    }
    if (a->type->has_zone)
        room[used++] = 'Z';
    return (sc_text){room, used};
}

/* The text of a value that is not a text. Equal values have equal texts, whatever their types. Empty for a number that is not
 * finite, and for a date outside of the calendar. */
static sc_text made_text(const sc_arrow_array *a, size_t row, char *room)
{
    int64_t day;
    switch (a->type->kind) {
    case SC_ARROW_INT:
        return sc_whole_text(sc_arrow_int(a, row), room);
    case SC_ARROW_DECIMAL: {
        const sc_int128 value = sc_arrow_int(a, row);
        return sc_number_text(value < 0, size_of(value), -a->type->scale, room);
    }
    case SC_ARROW_FLOAT:
        return float_text(a, row, room);
    case SC_ARROW_BOOL: {
        const bool is_true = sc_arrow_bit(a->values, a->first + row);
        memcpy(room, is_true ? "true" : "false", 6 - is_true);
        return (sc_text){room, (size_t)(5 - is_true)};
    }
    case SC_ARROW_DATE:
        if (!day_of(a, row, &day))
            break;
        sc_calendar_format(day, room);
        return (sc_text){room, SC_CALENDAR_TEXT_BYTES};
    case SC_ARROW_TIMESTAMP:
        return moment_text(a, row, room);
    case SC_ARROW_TEXT:
    case SC_ARROW_VIEW:
    case SC_ARROW_NULL:
        break;
    }
    return (sc_text){padding, 0};
}

static bool is_text(const sc_arrow_type *type)
{
    return type->kind == SC_ARROW_TEXT || type->kind == SC_ARROW_VIEW;
}

size_t sc_arrow_text_bytes(const sc_arrow_type *type, const sc_column *column)
{
    if (is_text(type) || (column != NULL && column->type != SC_COLUMN_TEXT))
        return 0;
    return type->kind == SC_ARROW_DECIMAL || type->kind == SC_ARROW_FLOAT ||
                   type->kind == SC_ARROW_TIMESTAMP
               ? SC_NUMBER_TEXT_BYTES
               : SC_WHOLE_TEXT_BYTES;
}

static void put_text(const sc_arrow_target *to, size_t at, sc_text text)
{
    if (to->column == NULL)
        sc_batch_put_unit(&to->filler, at, text);
    else if (to->column->type == SC_COLUMN_TEXT)
        sc_batch_put_text(&to->filler, at, text);
    else
        sc_batch_put_value(&to->filler, at, text);
}

void sc_arrow_put_missing(const sc_arrow_target *to, size_t at)
{
    if (to->filler.column.values != NULL) {
        to->filler.column.values[at] = to->filler.missing_value;
        ++*to->filler.missing_count;
    } else if (to->column == NULL) {
        sc_batch_put_unit(&to->filler, at, (sc_text){padding, 0});
    } else {
        sc_batch_put_text(&to->filler, at, (sc_text){padding, 0});
    }
}

static void put_its_text(const sc_arrow_array *a, size_t row, const sc_arrow_target *to,
                         size_t at)
{
    sc_text text;
    if (!sc_arrow_text(a, row, &text) || sc_cell_form_is_null(to->form, text))
        sc_arrow_put_missing(to, at);
    else if (text.bytes == 0 && to->column != NULL && to->column->type == SC_COLUMN_TEXT)
        sc_batch_put_empty_text(&to->filler, at);
    else
        put_text(to, at, text);
}

/* Values. */

static bool place_of_float(const sc_arrow_array *a, size_t row, const sc_grid *grid,
                           int64_t *place)
{
    const uint64_t bits = bits_of_float(a, row);
    if (a->type->bytes == sizeof bits)
        return sc_decimal_place_of_double(grid, bits, place);
    return a->type->bytes == sizeof(uint32_t)
               ? sc_decimal_place_of_single(grid, (uint32_t)bits, place)
               : sc_decimal_place_of_half(grid, (uint16_t)bits, place);
}

static bool place_of_number(const sc_arrow_array *a, size_t row, const sc_column *column,
                            int64_t *place)
{
    const sc_int128 value = sc_arrow_int(a, row);
    *place =
        a->type->scale == 0 && column->grid.exponent == 0
            ? sc_grid_clamp(&column->grid, value)
            : sc_decimal_place(&column->grid, value < 0, size_of(value), -a->type->scale);
    return true;
}

/* A day, or midnight of it. */
static bool place_of_date(const sc_arrow_array *a, size_t row, const sc_column *column,
                          int64_t *place)
{
    int64_t day;
    if (!day_of(a, row, &day))
        return false;
    if (column->type == SC_COLUMN_TIMESTAMP) {
        const sc_moment moment = {
            .seconds = sc_zone_instant(column->zone, day * SC_DAY_SECONDS)};
        day = sc_moment_place(&moment, column->step);
    }
    *place = sc_grid_clamp(&column->grid, day);
    return true;
}

static bool place_of_moment(const sc_arrow_array *a, size_t row, const sc_column *column,
                            int64_t *place)
{
    const int64_t value = (int64_t)sc_arrow_int(a, row), unit = a->type->unit,
                  part = value % unit; /* negative where the value is */
    const int64_t seconds = value / unit - (part < 0),
                  day = seconds / SC_DAY_SECONDS - (seconds % SC_DAY_SECONDS < 0);
    if (day < SC_CALENDAR_FIRST || day > SC_CALENDAR_LAST)
        return false;
    if (column->type == SC_COLUMN_DATE) {
        *place = sc_grid_clamp(&column->grid, day);
        return true;
    }
    const int64_t rest = part < 0 ? part + unit : part;
    const sc_moment moment = {
        .seconds = a->type->has_zone ? seconds : sc_zone_instant(column->zone, seconds),
        .has_fraction = rest > 0,
        .is_half = rest > 0 && rest >= unit - rest};
    *place = sc_grid_clamp(&column->grid, sc_moment_place(&moment, column->step));
    return true;
}

static bool place_of(const sc_arrow_array *a, size_t row, const sc_column *column,
                     int64_t *place)
{
    switch (a->type->kind) {
    case SC_ARROW_INT:
    case SC_ARROW_DECIMAL:
        return place_of_number(a, row, column, place);
    case SC_ARROW_FLOAT:
        return place_of_float(a, row, &column->grid, place);
    case SC_ARROW_DATE:
        return place_of_date(a, row, column, place);
    case SC_ARROW_TIMESTAMP:
        return place_of_moment(a, row, column, place);
    case SC_ARROW_BOOL:
        *place = sc_arrow_bit(a->values, a->first + row);
        return true;
    case SC_ARROW_TEXT:
    case SC_ARROW_VIEW:
    case SC_ARROW_NULL:
        break;
    }
    return false;
}

/* Can the value be read directly, without its text? */
static bool has_place(const sc_arrow_type *type, const sc_column *column)
{
    switch (type->kind) {
    case SC_ARROW_INT:
    case SC_ARROW_FLOAT:
    case SC_ARROW_DECIMAL:
        return column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL;
    case SC_ARROW_DATE:
    case SC_ARROW_TIMESTAMP:
        return column->type == SC_COLUMN_DATE || column->type == SC_COLUMN_TIMESTAMP;
    case SC_ARROW_BOOL:
        return column->type == SC_COLUMN_BOOL;
    case SC_ARROW_TEXT:
    case SC_ARROW_VIEW:
    case SC_ARROW_NULL:
        break;
    }
    return false;
}

/* Is the text of the value one that the policy declares to mean missing? */
static bool is_null_text(const sc_arrow_array *a, size_t row, const sc_cell_form *form)
{
    char room[SC_NUMBER_TEXT_BYTES];
    return form->null_count > 0 && sc_cell_form_is_null(form, made_text(a, row, room));
}

void sc_arrow_put_row(const sc_arrow_array *a, size_t row, const sc_arrow_target *to,
                      size_t at)
{
    char room[SC_NUMBER_TEXT_BYTES + SC_FIELD_PADDING];
    int64_t place;
    const size_t bytes = sc_arrow_text_bytes(a->type, to->column);
    if (!sc_arrow_is_present(a, row) ||
        (!is_text(a->type) && is_null_text(a, row, to->form))) {
        sc_arrow_put_missing(to, at);
        return;
    }
    if (is_text(a->type)) {
        put_its_text(a, row, to, at);
    } else if (bytes > 0) {
        put_text(to, at, made_text(a, row, to->texts + bytes * at));
    } else if (!has_place(a->type, to->column)) {
        memset(room, 0, sizeof room);
        put_text(to, at, made_text(a, row, room));
    } else if (place_of(a, row, to->column, &place)) {
        to->filler.column.values[at] = place;
    } else {
        sc_arrow_put_missing(to, at);
    }
}

/* Fast ways for many rows. */

/* Whole numbers of 64 bits, all of them there, on a grid of whole numbers. */
static bool is_plain(const sc_arrow_array *a, const sc_arrow_target *to)
{
    return a->type->kind == SC_ARROW_INT && a->type->bytes == 8 && a->type->is_signed &&
           a->present == NULL && a->parent == NULL && to->column != NULL &&
           (to->column->type == SC_COLUMN_INT || to->column->type == SC_COLUMN_DECIMAL) &&
           to->column->grid.exponent == 0 && to->form->null_count == 0;
}

static void put_plain(const sc_arrow_array *a, size_t from, size_t count,
                      const sc_arrow_target *to)
{
    const unsigned char *values = a->values + sizeof(int64_t) * (a->first + from);
    const int64_t low = to->column->grid.low, high = to->column->grid.high;
    for (size_t i = 0; i < count; i++) {
        int64_t value;
        memcpy(&value, values + sizeof value * i, sizeof value);
        value = value < low ? low : value;
        to->filler.column.values[i] = value > high ? high : value;
    }
}

/* Whole numbers, all of them there, as texts. */
static bool is_name(const sc_arrow_array *a, const sc_arrow_target *to)
{
    return a->type->kind == SC_ARROW_INT && a->present == NULL && a->parent == NULL &&
           (to->column == NULL || to->column->type == SC_COLUMN_TEXT) &&
           to->form->null_count == 0;
}

/* The digits of a number below 10^8 in a word, the first in its lowest byte, zeros in front among them:
 * halves, pairs and digits are divided side by side. */
static uint64_t eight_digits(uint64_t value)
{
    const uint64_t high = value / 10000, halves = high | (value - 10000 * high) << 32;
    const uint64_t hundreds = halves * 10486 >> 20 & UINT64_C(0x7f0000007f),
                   pairs = hundreds | (halves - 100 * hundreds) << 16;
    const uint64_t tens = pairs * 103 >> 10 & UINT64_C(0x000f000f000f000f);
    return tens | (pairs - 10 * tens) << 8;
}

static void put_names(const sc_arrow_array *a, size_t from, size_t count,
                      const sc_arrow_target *to)
{
    for (size_t i = 0; i < count; i++) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        const uint64_t value = sc_arrow_word(a, from + i);
        if (__builtin_expect(value < 100000000, 1)) {
            char *text = to->texts + SC_WHOLE_TEXT_BYTES * i;
            uint64_t word = eight_digits(value);
            /* Zeros in front go, but for the last digit. */
            const unsigned zeros =
                (unsigned)__builtin_ctzll(word | UINT64_C(1) << 56) & ~7u;
            word = (word | UINT64_C(0x3030303030303030)) >> zeros;
            memcpy(text, &word, sizeof word);
            sc_batch_put_word(&to->filler, i, (sc_text){text, sizeof word - zeros / 8},
                              word);
            continue;
        }
#endif
        sc_arrow_put_row(a, from + i, to, i);
    }
}

void sc_arrow_put_rows(const sc_arrow_array *a, size_t from, size_t count,
                       const sc_arrow_target *to)
{
    if (is_plain(a, to)) {
        put_plain(a, from, count, to);
    } else if (is_name(a, to)) {
        put_names(a, from, count, to);
    } else {
        for (size_t i = 0; i < count; i++)
            sc_arrow_put_row(a, from + i, to, i);
    }
}

/* Raw values. */

/* All zeros, and never written; a constant would take its bytes in the library's file. */
static char too_long[SC_COLUMN_VALUE_BYTES + 1];

static void take_text(const sc_arrow_array *a, size_t row, const sc_cell_form *form,
                      sc_raw_value *out)
{
    sc_text text;
    if (!sc_arrow_text(a, row, &text))
        text = (sc_text){too_long, sizeof too_long};
    else if (sc_cell_form_is_null(form, text))
        return;
    *out = (sc_raw_value){.kind = SC_RAW_TEXT, .text = text};
}

void sc_arrow_raw(const sc_arrow_array *a, size_t row, const sc_column *column,
                  const sc_cell_form *form, char room[SC_ARROW_RAW_BYTES],
                  sc_raw_value *out)
{
    *out = (sc_raw_value){.kind = SC_RAW_NULL};
    if (!sc_arrow_is_present(a, row))
        return;
    if (is_text(a->type)) {
        take_text(a, row, form, out);
        return;
    }
    sc_text text = made_text(a, row, room);
    if (text.bytes == 0) { /* no number, or a day that no calendar has */
        out->kind = a->type->kind == SC_ARROW_FLOAT ? SC_RAW_NULL : SC_RAW_BLOB;
        return;
    }
    if (sc_cell_form_is_null(form, text))
        return;
    if (a->type->kind == SC_ARROW_TIMESTAMP && column != NULL &&
        column->type == SC_COLUMN_DATE)
        text.bytes = SC_CALENDAR_TEXT_BYTES;
    const bool is_typed =
        column == NULL || column->type == SC_COLUMN_TEXT || has_place(a->type, column);
    *out = (sc_raw_value){.kind = is_typed ? SC_RAW_TYPED : SC_RAW_TEXT, .text = text};
}
