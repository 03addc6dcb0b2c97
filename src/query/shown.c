#include "query/shown.h"

#include "data/calendar.h"

#include <string.h>

static void power_of_ten(unsigned digits, sc_ratio *out)
{
    sc_ratio ten;
    sc_ratio_init(&ten);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(out, 1);
    for (unsigned i = 0; i < digits; i++)
        sc_ratio_mul(out, out, &ten);
    sc_ratio_clear(&ten);
}

static void to_integer(const sc_ratio *x, sc_shown_way way, sc_integer *out)
{
    sc_ratio half, two;
    if (way == SC_SHOWN_UP) {
        sc_ratio_ceil(x, out);
        return;
    }
    sc_ratio_init(&half);
    sc_ratio_init(&two);
    sc_ratio_set_int64(&half, way == SC_SHOWN_NEAREST);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    sc_ratio_add(&half, x, &half);
    sc_ratio_floor(&half, out);
    sc_ratio_clear(&two);
    sc_ratio_clear(&half);
}

void sc_shown_round(const sc_ratio *x, unsigned digits, sc_shown_way way, sc_ratio *out)
{
    sc_ratio power;
    sc_integer steps;
    sc_ratio_init(&power);
    sc_integer_init(&steps);
    power_of_ten(digits, &power);
    sc_ratio_mul(out, x, &power);
    to_integer(out, way, &steps);
    sc_ratio_set_integer(out, &steps);
    sc_ratio_div(out, out, &power);
    sc_integer_clear(&steps);
    sc_ratio_clear(&power);
}

const char *sc_shown_number(const sc_ratio *x, unsigned digits, sc_arena *arena)
{
    char whole[SC_RATIO_TEXT_BYTES], text[SC_RATIO_TEXT_BYTES + SC_SHOWN_DIGITS + 3];
    sc_ratio steps;
    sc_text_sink sink;
    sc_ratio_init(&steps);
    power_of_ten(digits, &steps);
    sc_ratio_mul(&steps, x, &steps);
    (void)sc_ratio_format(&steps, whole, sizeof whole);
    const bool is_negative = sc_ratio_sign(&steps) < 0;
    sc_ratio_clear(&steps);
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

const char *sc_shown_date(const sc_ratio *x, sc_arena *arena)
{
    char text[SC_CALENDAR_TEXT_BYTES + 1];
    sc_integer day;
    sc_int128 value = 0;
    sc_integer_init(&day);
    sc_ratio_floor(x, &day);
    if (!sc_integer_get_int128(&day, &value))
        value = sc_integer_sign(&day) < 0 ? SC_CALENDAR_FIRST : SC_CALENDAR_LAST;
    sc_integer_clear(&day);
    if (value < SC_CALENDAR_FIRST)
        value = SC_CALENDAR_FIRST;
    if (value > SC_CALENDAR_LAST)
        value = SC_CALENDAR_LAST;
    sc_calendar_format((int64_t)value, text);
    return sc_arena_copy(arena, text, SC_CALENDAR_TEXT_BYTES);
}
