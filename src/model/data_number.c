#include "model/data_number.h"

#include <string.h>

/* No grid reaches beyond 2^62 steps of 10^330 or 2^1100, and no step is finer than a half of
 * 10^-330 or 2^-1100: outside of these powers of 10 the digits do not matter. */
#define LARGE 400
#define SMALL (-500)
/* The border between two places, (n + 1/2) step, has fewer digits than this; so digits beyond
 * them only say on which side of a border a value lies, and one digit keeps that. */
#define DIGITS 1300

/* A decimal in parts: digits before and behind the point, and the power of 10 that follows. */
typedef struct decimal {
    bool is_negative;
    sc_text whole, part;
    int64_t exponent;
} decimal;

static bool is_word(sc_text text, const char *word)
{
    if (text.bytes != strlen(word))
        return false;
    for (size_t i = 0; i < text.bytes; i++)
        if ((text.start[i] | 32) != word[i])
            return false;
    return true;
}

/* The exponent behind e or E; one of more digits than matter stays far. */
static bool take_exponent(sc_text *rest, int64_t *out)
{
    const int64_t far = INT64_C(1) << 40;
    if (!sc_text_take(rest, 'e') && !sc_text_take(rest, 'E'))
        return true;
    const bool is_negative = sc_text_take(rest, '-');
    if (!is_negative)
        sc_text_take(rest, '+');
    sc_text digits = sc_text_take_digits(rest);
    if (digits.bytes == 0)
        return false;
    int64_t value = 0;
    for (size_t i = 0; i < digits.bytes && value < far; i++)
        value = 10 * value + (digits.start[i] - '0');
    *out = is_negative ? -value : value;
    return true;
}

/* False when the text is no decimal. */
static bool take_decimal(sc_text text, decimal *out)
{
    *out = (decimal){.is_negative = sc_text_take(&text, '-')};
    if (!out->is_negative)
        sc_text_take(&text, '+');
    out->whole = sc_text_take_digits(&text);
    if (sc_text_take(&text, '.'))
        out->part = sc_text_take_digits(&text);
    if (out->whole.bytes + out->part.bytes == 0)
        return is_word(text, "inf") || is_word(text, "infinity");
    return take_exponent(&text, &out->exponent) && text.bytes == 0;
}

static char digit_at(const decimal *d, size_t i)
{
    if (i < d->whole.bytes)
        return d->whole.start[i];
    return d->part.start[i - d->whole.bytes];
}

/* Digits go into a word before they go into an integer. */
#define WORD_DIGITS 18

static uint64_t power_of_10(int64_t power)
{
    uint64_t value = 1;
    for (; power > 0; power--)
        value *= 10;
    return value;
}

/* value = value 10^power + digits, power <= WORD_DIGITS. */
static void push_digits(sc_integer *value, uint64_t digits, int64_t power)
{
    SC_OWN(sc_integer, low);
    sc_integer_set_uint128(&low, digits);
    sc_integer_mul_uint64(value, value, power_of_10(power));
    sc_integer_add(value, value, &low);
}

/* value = value 10^power, power >= 0 and small. */
static void scale(sc_integer *value, int64_t power)
{
    for (; power > WORD_DIGITS; power -= WORD_DIGITS)
        sc_integer_mul_uint64(value, value, power_of_10(WORD_DIGITS));
    sc_integer_mul_uint64(value, value, power_of_10(power));
}

/* The digits from first on, DIGITS at most and one for the rest; the value is n 10^power. */
static void take_digits(const decimal *d, size_t first, sc_integer *n, int64_t *power)
{
    const size_t count = d->whole.bytes + d->part.bytes;
    size_t used = first;
    bool has_rest = false;
    while (used < count && used - first < DIGITS) {
        uint64_t digits = 0;
        int64_t held = 0;
        for (; held < WORD_DIGITS && used < count && used - first < DIGITS; used++) {
            digits = 10 * digits + (uint64_t)(digit_at(d, used) - '0');
            held++;
        }
        push_digits(n, digits, held);
    }
    for (size_t i = used; i < count; i++)
        has_rest = has_rest || digit_at(d, i) != '0';
    *power = d->exponent + (int64_t)d->whole.bytes - (int64_t)used;
    if (has_rest) {
        push_digits(n, 1, 1);
        --*power;
    }
}

/* value = n 10^power, below 0 when that is so. */
static void set_scaled(bool is_negative, sc_integer *n, int64_t power, sc_ratio *value)
{
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    scale(power > 0 ? n : &one, power > 0 ? power : -power);
    sc_ratio_set_fraction(value, n, &one);
    if (is_negative) {
        SC_OWN(sc_ratio, zero);
        sc_ratio_sub(value, &zero, value);
    }
}

static void set_digits(const decimal *d, size_t first, sc_ratio *value)
{
    int64_t power = 0;
    SC_OWN(sc_integer, n);
    take_digits(d, first, &n, &power);
    set_scaled(d->is_negative, &n, power, value);
}

/* A whole number of few digits on a grid of whole numbers is its own place. */
static bool is_plain(const sc_grid *grid, const decimal *d)
{
    return grid->exponent == 0 && d->exponent == 0 && d->part.bytes == 0 &&
           d->whole.bytes <= WORD_DIGITS;
}

static int64_t plain_place(const sc_grid *grid, const decimal *d)
{
    int64_t value = 0;
    for (size_t i = 0; i < d->whole.bytes; i++)
        value = 10 * value + (d->whole.start[i] - '0');
    return sc_grid_clamp(grid, d->is_negative ? -value : value);
}

static int64_t place_of(const sc_grid *grid, const decimal *d, size_t first)
{
    if (is_plain(grid, d))
        return plain_place(grid, d);
    SC_OWN(sc_ratio, value);
    set_digits(d, first, &value);
    return sc_grid_of_ratio(grid, &value);
}

/* Where 0 lies. */
static int64_t place_of_zero(const sc_grid *grid)
{
    return grid->low > 0 ? grid->low : grid->high < 0 ? grid->high : 0;
}

/* How large a decimal is: the digits from first on matter when it is near to what grids hold. */
typedef enum size { ZERO, SMALLER, NEAR, LARGER } size;

static size size_of(const decimal *d, size_t *first)
{
    const size_t count = d->whole.bytes + d->part.bytes;
    *first = 0;
    while (*first < count && digit_at(d, *first) == '0')
        ++*first;
    if (count > 0 && *first == count)
        return ZERO;
    /* The value is 0.ddd 10^top; infinity has no digits. */
    const int64_t top = d->exponent + (int64_t)d->whole.bytes - (int64_t)*first;
    return count == 0 || top > LARGE ? LARGER : top < SMALL ? SMALLER : NEAR;
}

static int64_t place_of_decimal(const sc_grid *grid, const decimal *d)
{
    size_t first = 0;
    switch (size_of(d, &first)) {
    case LARGER:
        return d->is_negative ? grid->low : grid->high;
    case NEAR:
        return place_of(grid, d, first);
    case ZERO:
    case SMALLER:
        break;
    }
    return place_of_zero(grid);
}

bool sc_data_number_value(sc_text text, sc_ratio *value)
{
    decimal d;
    size_t first = 0;
    if (!take_decimal(sc_text_trim(text), &d))
        return false;
    const size kind = size_of(&d, &first);
    if (kind == NEAR) {
        set_digits(&d, first, value);
        return true;
    }
    if (kind == ZERO) {
        sc_ratio_set_int64(value, 0);
        return true;
    }
    SC_OWN(sc_integer, n);
    sc_integer_set_int128(&n, 1);
    set_scaled(d.is_negative, &n, kind == LARGER ? LARGE : SMALL, value);
    return true;
}

bool sc_data_number_exact(sc_text text, sc_ratio *value)
{
    return sc_data_number_value(text, value) ||
           sc_ratio_parse(sc_text_trim(text), value, NULL) == SCRIM_OK;
}

bool sc_data_number_read(const sc_grid *grid, sc_text text, int64_t *place)
{
    decimal d;
    if (!take_decimal(sc_text_trim(text), &d))
        return false;
    *place = place_of_decimal(grid, &d);
    return true;
}

int64_t sc_data_number_place(const sc_grid *grid, sc_text text)
{
    int64_t place = grid->missing;
    if (sc_data_number_read(grid, text, &place))
        return place;
    SC_OWN(sc_ratio, value);
    if (sc_ratio_parse(sc_text_trim(text), &value, NULL) == SCRIM_OK)
        place = sc_grid_of_ratio(grid, &value);
    return place;
}
