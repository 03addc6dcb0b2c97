#include "data/value/number_text.h"

#include <stdio.h>
#include <string.h>

/* Writes the digits of a number so that they end before `end`; returns where they begin. */
static char *write_digits(sc_uint128 value, char *end)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    while (value > UINT64_MAX) {
        *--end = (char)('0' + (int)(value % 10));
        value /= 10;
    }
    uint64_t rest = (uint64_t)value;
    for (; rest >= 100; rest /= 100)
        memcpy(end -= 2, pairs + 2 * (rest % 100), 2);
    if (rest >= 10)
        memcpy(end -= 2, pairs + 2 * rest, 2);
    else
        *--end = (char)('0' + rest);
    return end;
}

/* Puts the sign before the digits, which end at `end`. */
static sc_text signed_text(bool is_negative, char *start, const char *end)
{
    if (is_negative)
        *--start = '-';
    return (sc_text){start, (size_t)(end - start)};
}

sc_text sc_whole_text(sc_int128 value, char room[SC_WHOLE_TEXT_BYTES])
{
    char *const end = room + SC_WHOLE_TEXT_BYTES;
    return signed_text(value < 0,
                       write_digits((sc_uint128)(value < 0 ? -value : value), end), end);
}

/* With `scale` digits after the point; a negative scale appends zeros instead. */
static sc_text plain_text(bool is_negative, sc_uint128 digits, int scale, char *room)
{
    char *const end = room + SC_NUMBER_TEXT_BYTES;
    char *start = end, *point = end - scale;
    if (scale < 0)
        memset(start -= -scale, '0', (size_t)-scale);
    start = write_digits(digits, start);
    while (scale > 0 && start > point - 1)
        *--start = '0';
    if (scale > 0) {
        memmove(start - 1, start, (size_t)(point - start));
        *--point = '.';
        start--;
    }
    return signed_text(is_negative, start, end);
}

static sc_text power_text(bool is_negative, sc_uint128 digits, int exponent, char *room)
{
    char power[16];
    const size_t bytes = (size_t)snprintf(power, sizeof power, "e%d", exponent);
    char *const end = room + SC_NUMBER_TEXT_BYTES;
    memcpy(end - bytes, power, bytes);
    return signed_text(is_negative, write_digits(digits, end - bytes), end);
}

sc_text sc_number_text(bool is_negative, sc_uint128 digits, int exponent,
                       char room[SC_NUMBER_TEXT_BYTES])
{
    for (; digits > UINT64_MAX && digits % 10 == 0; digits /= 10)
        exponent++;
    if (digits <= UINT64_MAX) {
        uint64_t word = (uint64_t)digits;
        for (; word > 0 && word % 10 == 0; word /= 10)
            exponent++;
        digits = word;
    }
    if (digits == 0)
        return plain_text(false, 0, 0, room);
    if (exponent >= -SC_NUMBER_TEXT_POWER && exponent <= SC_NUMBER_TEXT_POWER)
        return plain_text(is_negative, digits, -exponent, room);
    return power_text(is_negative, digits, exponent, room);
}

bool sc_double_text(uint64_t bits, char room[SC_NUMBER_TEXT_BYTES], sc_text *text)
{
    sc_shortest number;
    if (!sc_shortest_of_double(bits, &number))
        return false;
    *text = sc_number_text(number.is_negative, number.digits, number.exponent, room);
    return true;
}
