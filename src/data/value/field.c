#include "data/value/field.h"

#include "data/value/calendar.h"
#include "data/value/value.h"
#include "model/data_number.h"

/* A decimal of DIGITS digits fits a word, and its product with as large a power of 10, or of 2,
 * fits two. */
#define DIGITS 18
#define SHIFT 60

static int64_t clamp(const sc_grid *grid, sc_int128 value)
{
    return value < grid->low    ? grid->low
           : value > grid->high ? grid->high
                                : (int64_t)value;
}

/* The plain way. */

static char mark_of(const sc_column *column)
{
    if (column->form == NULL)
        return '.';
    return column->form->decimal;
}

static bool read_number(const sc_column *column, sc_text text, int64_t *place)
{
    char room[SC_COLUMN_VALUE_BYTES];
    return (column->form == NULL || sc_cell_form_point(column->form, &text, room)) &&
           sc_data_number_read(&column->grid, text, place);
}

/* A time may stand behind a date. */
static bool is_time(sc_text text)
{
    return text.bytes > 0 && (text.start[0] == 'T' || text.start[0] == ' ');
}

static bool read_formed_date(const sc_column *column, sc_text text, int64_t *place)
{
    int64_t day;
    text = sc_text_trim(text);
    if (!sc_date_form_take(&column->form->date, &text, &day) ||
        (text.bytes > 0 && !is_time(text)))
        return false;
    *place = clamp(&column->grid, day);
    return true;
}

static bool read_date(const sc_column *column, sc_text text, int64_t *place)
{
    int64_t day;
    if (column->form != NULL && column->form->date.bytes > 0)
        return read_formed_date(column, text, place);
    text = sc_text_trim(text);
    if (text.bytes > SC_CALENDAR_TEXT_BYTES) {
        if (!is_time((sc_text){text.start + SC_CALENDAR_TEXT_BYTES, 1}))
            return false;
        text.bytes = SC_CALENDAR_TEXT_BYTES;
    }
    if (!sc_calendar_parse(text, &day))
        return false;
    *place = clamp(&column->grid, day);
    return true;
}

static bool read_moment(const sc_column *column, sc_text text, int64_t *place)
{
    sc_moment moment;
    if (!sc_moment_read(column->zone, column->form == NULL ? NULL : &column->form->date,
                        text, &moment))
        return false;
    *place = clamp(&column->grid, sc_moment_place(&moment, column->step));
    return true;
}

bool sc_field_read_plain(const sc_column *column, sc_text text, int64_t *place)
{
    if (text.bytes > SC_COLUMN_VALUE_BYTES)
        return false;
    switch (column->type) {
    case SC_COLUMN_INT:
    case SC_COLUMN_DECIMAL:
        return read_number(column, text, place);
    case SC_COLUMN_DATE:
        return read_date(column, text, place);
    case SC_COLUMN_TIMESTAMP:
        return read_moment(column, text, place);
    case SC_COLUMN_BOOL:
        return sc_boolean_read(text, place);
    case SC_COLUMN_TEXT:
        break;
    }
    return false;
}

/* The fast way. */

static uint64_t power_of_10(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

void sc_field_reader_init(sc_field_reader *reader, const sc_column *column)
{
    const sc_grid *grid = &column->grid;
    *reader = (sc_field_reader){
        .column = column, .low = grid->low, .high = grid->high, .decimals = -1};
    if ((column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL) &&
        (grid->is_decimal || grid->exponent == 0) && grid->exponent <= 0 &&
        grid->exponent >= -SC_FIELD_DECIMALS)
        reader->decimals = -grid->exponent;
    for (int i = 0; i <= reader->decimals; i++)
        reader->scale[i] = power_of_10((unsigned)(reader->decimals - i));
    reader->points = UINT64_C(0x0101010101010101) * (unsigned char)mark_of(column);
    reader->point = 1; /* is in no word where no byte is looked at */
    if (reader->decimals >= 1 && reader->decimals <= 7) {
        const unsigned at = 8 * (7 - (unsigned)reader->decimals);
        reader->point_byte = (uint64_t)0xff << at;
        reader->point = (uint64_t)(unsigned char)mark_of(column) << at;
        reader->below = ((uint64_t)1 << at) - 1;
        reader->above = ~(reader->below | reader->point_byte);
    }
}

/* A decimal, +-(digits + e) 10^-behind with 0 <= e < 1: e is 0 unless is_cut. */
typedef struct number {
    bool is_negative, is_cut,
        is_huge;     /* huge: of 10^18 or more, the digits are not all there */
    uint64_t digits; /* below 10^18 */
    int64_t behind;
} number;

/* Takes the digits off the front of text, with a point among them or none. The first DIGITS that
 * count are kept. False when there is no digit. */
static bool take_digits(sc_text *text, char point, number *n)
{
    size_t seen = 0, kept = 0, i = 0;
    bool has_point = false;
    for (; i < text->bytes; i++) {
        const unsigned digit = (unsigned)(unsigned char)text->start[i] - '0';
        if (digit > 9) {
            if (text->start[i] != point || has_point)
                break;
            has_point = true;
            continue;
        }
        seen++;
        if (kept < DIGITS) {
            n->digits = 10 * n->digits + digit;
            kept += n->digits != 0;
            n->behind += has_point;
        } else {
            n->is_cut = n->is_cut || digit != 0;
            n->is_huge = n->is_huge || !has_point;
        }
    }
    *text = (sc_text){text->start + i, text->bytes - i};
    return seen > 0;
}

/* "e-05". False for anything but an exponent of at most four digits. */
static bool take_exponent(sc_text *text, int64_t *exponent)
{
    uint64_t size = 0;
    if (!sc_text_take(text, 'e') && !sc_text_take(text, 'E'))
        return true;
    const bool is_negative = sc_text_take(text, '-');
    if (!is_negative)
        (void)sc_text_take(text, '+');
    const sc_text digits = sc_text_take_digits(text);
    if (digits.bytes > 4 || !sc_text_uint64(digits, &size))
        return false;
    *exponent = is_negative ? -(int64_t)size : (int64_t)size;
    return true;
}

/* Brings behind into 0 .. DIGITS. False when the digits then are too many. */
static bool settle(number *n)
{
    for (; n->behind < 0; n->behind++) {
        if (n->digits >= UINT64_C(100000000000000000))
            return false;
        n->digits *= 10;
    }
    for (; n->behind > DIGITS && n->digits > 0; n->behind--) {
        n->is_cut = n->is_cut || n->digits % 10 != 0;
        n->digits /= 10;
    }
    if (n->digits == 0)
        n->behind = n->behind > DIGITS ? DIGITS : n->behind;
    return true;
}

static bool take_number(sc_text text, char point, number *n)
{
    int64_t exponent = 0;
    text = sc_text_trim(text);
    *n = (number){.is_negative = sc_text_take(&text, '-')};
    if (!n->is_negative)
        (void)sc_text_take(&text, '+');
    if (!take_digits(&text, point, n) || !take_exponent(&text, &exponent) ||
        text.bytes > 0 || (n->is_huge && exponent != 0))
        return false;
    n->behind -= exponent;
    return n->is_huge || settle(n);
}

/* floor(+-x + 1/2) of x = whole + rest/d: a half goes up, also below 0. */
static sc_int128 round_half_up(bool is_negative, sc_uint128 whole, uint64_t rest,
                               uint64_t d)
{
    const uint64_t up = is_negative ? rest > d - rest : rest >= d - rest;
    const sc_int128 value = (sc_int128)(whole + up);
    return is_negative ? -value : value;
}

/* Steps of 2^-places; the product is below 2^120. */
static sc_int128 on_binary(unsigned places, bool is_negative, uint64_t digits, uint64_t d)
{
    const sc_uint128 n = (sc_uint128)digits << places, whole = n / d;
    return round_half_up(is_negative, whole, (uint64_t)(n - whole * d), d);
}

static sc_int128 on_grid(const sc_grid *grid, bool is_negative, uint64_t digits,
                         unsigned behind)
{
    const unsigned places = (unsigned)-grid->exponent;
    if (grid->exponent != 0 && !grid->is_decimal)
        return on_binary(places, is_negative, digits, power_of_10(behind));
    if (behind > places) {
        const uint64_t d = power_of_10(behind - places);
        return round_half_up(is_negative, digits / d, digits % d, d);
    }
    const sc_int128 value =
        (sc_int128)((sc_uint128)digits * power_of_10(places - behind));
    return is_negative ? -value : value;
}

/* The place of a number on a grid whose step is 1 or less; false when the digits that were cut off
 * may matter. Places grow with the number, so they do not when both ends have the same. */
static bool place_of(const sc_grid *grid, const number *n, int64_t *place)
{
    const int64_t huge = (int64_t)power_of_10(DIGITS);
    if (n->is_huge) {
        *place = n->is_negative ? grid->low : grid->high;
        return grid->high <= huge && grid->low >= -huge;
    }
    const unsigned behind = (unsigned)n->behind;
    const int64_t from = clamp(grid, on_grid(grid, n->is_negative, n->digits, behind));
    *place = from;
    return !n->is_cut ||
           from == clamp(grid, on_grid(grid, n->is_negative, n->digits + 1, behind));
}

bool sc_field_read_longer(const sc_field_reader *reader, sc_text text, int64_t *place)
{
    const sc_column *column = reader->column;
    const sc_grid *grid = &column->grid;
    const int finest = grid->is_decimal ? -DIGITS : -SHIFT;
    number n;
    if ((column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL) &&
        grid->exponent <= 0 && grid->exponent >= finest &&
        text.bytes <= SC_COLUMN_VALUE_BYTES && take_number(text, mark_of(column), &n) &&
        place_of(grid, &n, place))
        return true;
    return sc_field_read_plain(column, text, place);
}
