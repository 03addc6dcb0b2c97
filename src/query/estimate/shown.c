#include "query/estimate/shown.h"

#include "data/value/calendar.h"
#include "query/language/key_text.h"

#include <string.h>

/* 10^19 is the largest power of 10 in a word. */
#define DIGITS_OF_WORD 19

/* Times 10^digits. */
static void scale_up(sc_integer *x, unsigned digits)
{
    for (unsigned left = digits; left > 0;) {
        uint64_t power = 1;
        for (unsigned i = 0; i < DIGITS_OF_WORD && left > 0; i++, left--)
            power *= 10;
        sc_integer_mul_uint64(x, x, power);
    }
}

/* x 10^digits as a whole number: below it, the nearest or above. */
static void to_steps(const sc_ratio *x, unsigned digits, sc_shown_way way,
                     sc_integer *out)
{
    SC_OWN(sc_integer, denominator, rest);
    sc_ratio_numerator(x, out);
    sc_ratio_denominator(x, &denominator);
    scale_up(out, digits);
    if (way == SC_SHOWN_NEAREST) { /* floor((2 n + d) / 2 d) */
        sc_integer_shift_left(out, out, 1);
        sc_integer_add(out, out, &denominator);
        sc_integer_shift_left(&denominator, &denominator, 1);
    }
    sc_integer_divide(out, &rest, out, &denominator);
    if (way == SC_SHOWN_UP && sc_integer_sign(&rest) != 0) {
        sc_integer_set_int128(&rest, 1);
        sc_integer_add(out, out, &rest);
    }
}

void sc_shown_round(const sc_ratio *x, unsigned digits, sc_shown_way way, sc_ratio *out)
{
    SC_OWN(sc_integer, steps, power);
    to_steps(x, digits, way, &steps);
    sc_integer_set_int128(&power, 1);
    scale_up(&power, digits);
    sc_ratio_set_fraction(out, &steps, &power);
}

const char *sc_shown_number(const sc_ratio *x, unsigned digits, sc_arena *arena)
{
    char whole[SC_RATIO_TEXT_BYTES], text[SC_RATIO_TEXT_BYTES + SC_SHOWN_DIGITS + 3];
    sc_text_sink sink;
    SC_OWN(sc_integer, count);
    SC_OWN(sc_ratio, steps);
    to_steps(x, digits, SC_SHOWN_DOWN, &count);
    sc_ratio_set_integer(&steps, &count);
    (void)sc_ratio_format(&steps, whole, sizeof whole);
    const bool is_negative = sc_ratio_sign(&steps) < 0;
    const char *number = whole + is_negative;
    const size_t length = strlen(number),
                 zeros = length > digits ? 0 : digits + 1 - length,
                 before = length + zeros - digits;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_text_put_times(&sink, '-', is_negative);
    sc_text_put_times(&sink, '0', zeros);
    sc_text_put(&sink, sc_text_of(number));
    if (digits > 0) {
        char *point = text + is_negative + before;
        memmove(point + 1, point, digits + 1);
        *point = '.';
    }
    return sc_arena_copy(arena, text, strlen(text));
}

/* A whole number within these ends. */
static int64_t whole_of(const sc_ratio *x, int64_t low, int64_t high)
{
    sc_int128 value = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(x, &whole);
    if (!sc_integer_get_int128(&whole, &value))
        value = sc_integer_sign(&whole) < 0 ? low : high;
    return value < low ? low : value > high ? high : (int64_t)value;
}

const char *sc_shown_date(const sc_ratio *x, sc_arena *arena)
{
    char text[SC_CALENDAR_TEXT_BYTES + 1];
    sc_calendar_format(whole_of(x, SC_CALENDAR_FIRST, SC_CALENDAR_LAST), text);
    return sc_arena_copy(arena, text, SC_CALENDAR_TEXT_BYTES);
}

const char *sc_shown_moment(const sc_ratio *x, const sc_zone *zone, sc_arena *arena)
{
    char text[SC_MOMENT_TEXT_BYTES];
    const int64_t day = SC_DAY_SECONDS;
    sc_moment_format(
        zone, whole_of(x, SC_CALENDAR_FIRST * day, (SC_CALENDAR_LAST + 1) * day), text);
    return sc_arena_copy(arena, text, strlen(text));
}

const char *sc_shown_rung(const sc_ratio *x, sc_value_step step, sc_arena *arena)
{
    char text[SC_RATIO_TEXT_BYTES];
    const int64_t most = sc_rung_of(SC_EXTENT_MAX);
    SC_OWN(sc_ratio, value);
    sc_extent_value(step, sc_rung_value(whole_of(x, -most, most)), &value);
    (void)sc_ratio_format(&value, text, sizeof text);
    return sc_arena_copy(arena, text, strlen(text));
}

void sc_shown_three(const sc_ratio *x, char out[SC_SHOWN_THREE_BYTES])
{
    SC_OWN(sc_ratio, scaled, ten, power);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(&power, 1);
    sc_ratio_set(&scaled, x);
    /* From 100 on, and below 1000. */
    while (sc_ratio_sign(x) > 0 && sc_ratio_compare_int64(&scaled, 1000) >= 0) {
        sc_ratio_div(&scaled, &scaled, &ten);
        sc_ratio_mul(&power, &power, &ten);
    }
    while (sc_ratio_sign(x) > 0 && sc_ratio_compare_int64(&scaled, 100) < 0) {
        sc_ratio_mul(&scaled, &scaled, &ten);
        sc_ratio_div(&power, &power, &ten);
    }
    sc_ratio_ceil(&scaled, &whole);
    sc_ratio_set_integer(&scaled, &whole);
    sc_ratio_mul(&scaled, &scaled, &power);
    sc_ratio_format(&scaled, out, SC_SHOWN_THREE_BYTES);
}
