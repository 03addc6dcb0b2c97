#include "base/text.h"

#include <stdio.h>
#include <string.h>

sc_text sc_text_of(const char *terminated)
{
    if (terminated == NULL)
        return (sc_text){"", 0};
    return (sc_text){terminated, strlen(terminated)};
}

bool sc_text_equal(sc_text a, sc_text b)
{
    return a.bytes == b.bytes && (a.bytes == 0 || memcmp(a.start, b.start, a.bytes) == 0);
}

bool sc_text_is(sc_text a, const char *terminated)
{
    return sc_text_equal(a, sc_text_of(terminated));
}

int sc_text_compare(sc_text a, sc_text b)
{
    const size_t bytes = a.bytes < b.bytes ? a.bytes : b.bytes;
    const int order = bytes > 0 ? memcmp(a.start, b.start, bytes) : 0;
    return order != 0 ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static void advance(sc_text *text, size_t bytes)
{
    if (bytes > 0) /* nothing is added to the NULL of an empty view */
        text->start += bytes;
    text->bytes -= bytes;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

sc_text sc_text_trim(sc_text text)
{
    while (text.bytes > 0 && is_blank(text.start[0]))
        advance(&text, 1);
    while (text.bytes > 0 && is_blank(text.start[text.bytes - 1]))
        text.bytes--;
    return text;
}

bool sc_text_word(sc_text *rest, sc_text *word)
{
    sc_text text = *rest;
    while (text.bytes > 0 && is_blank(text.start[0]))
        advance(&text, 1);
    size_t bytes = 0;
    while (bytes < text.bytes && !is_blank(text.start[bytes]))
        bytes++;
    if (bytes == 0)
        return false;
    *word = (sc_text){text.start, bytes};
    advance(&text, bytes);
    *rest = text;
    return true;
}

bool sc_text_split(sc_text text, char separator, sc_text *before, sc_text *after)
{
    const char *found = text.bytes > 0 ? memchr(text.start, separator, text.bytes) : NULL;
    if (found == NULL)
        return false;
    const size_t at = (size_t)(found - text.start);
    *before = (sc_text){text.start, at};
    *after = (sc_text){found + 1, text.bytes - at - 1};
    return true;
}

bool sc_text_item(sc_text *rest, char separator, sc_text *item)
{
    if (rest->bytes == 0)
        return false;
    if (!sc_text_split(*rest, separator, item, rest)) {
        *item = *rest;
        *rest = (sc_text){NULL, 0};
    }
    return true;
}

bool sc_text_uint64(sc_text text, uint64_t *out)
{
    uint64_t value = 0;
    if (text.bytes == 0)
        return false;
    for (size_t i = 0; i < text.bytes; i++) {
        if (!sc_ascii_is_digit(text.start[i]))
            return false;
        const unsigned digit = (unsigned)(text.start[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool sc_ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool sc_text_take(sc_text *rest, char c)
{
    if (rest->bytes == 0 || rest->start[0] != c)
        return false;
    advance(rest, 1);
    return true;
}

sc_text sc_text_take_digits(sc_text *rest)
{
    sc_text digits = {rest->start, 0};
    while (digits.bytes < rest->bytes && sc_ascii_is_digit(rest->start[digits.bytes]))
        digits.bytes++;
    advance(rest, digits.bytes);
    return digits;
}

/* UTF-8. */

/* U+2028 and U+2029 break a line; by the marks U+061C, U+200E and U+200F, from U+202A to U+202E,
 * and from U+2066 to U+2069, the text around is shown in another order than it is written. */
static bool is_layout(unsigned value)
{
    return value == 0x61c || value == 0x200e || value == 0x200f ||
           (value >= 0x2028 && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
}

size_t sc_text_character(sc_text text)
{
    /* By the number of bytes behind the first: its mark, and the least value that needs
     * them. */
    static const struct {
        unsigned mask, mark, least;
    } forms[] = {{0x80, 0x00, 0x20},
                 {0xe0, 0xc0, 0xa0},
                 {0xf0, 0xe0, 0x800},
                 {0xf8, 0xf0, 0x10000}};
    if (text.bytes == 0)
        return 0;
    const unsigned first = (unsigned char)text.start[0];
    size_t more = 0;
    while ((first & forms[more].mask) != forms[more].mark)
        if (++more == sizeof forms / sizeof *forms)
            return 0;
    if (more >= text.bytes)
        return 0;
    unsigned value = first & ~forms[more].mask;
    for (size_t i = 1; i <= more; i++) {
        const unsigned next = (unsigned char)text.start[i];
        if ((next & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (next & 0x3f);
    }
    /* Control characters (0 to 1f, 7f, 80 to 9f) lie below the least of the first two
     * forms. */
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < forms[more].least || value == 0x7f || value > 0x10ffff || surrogate ||
        is_layout(value))
        return 0;
    return more + 1;
}

const char *sc_text_quote(sc_text text, char quote[SC_TEXT_QUOTE_BYTES])
{
    static const char dots[] = "...";
    const size_t room = SC_TEXT_QUOTE_BYTES - sizeof dots;
    size_t length = 0;
    while (text.bytes > 0) {
        const size_t bytes = sc_text_character(text);
        const size_t step = bytes > 0 ? bytes : 1;
        if (length + step > room)
            break;
        if (bytes > 0)
            memcpy(quote + length, text.start, bytes);
        else
            quote[length] = '?';
        length += step;
        advance(&text, step);
    }
    memcpy(quote + length, text.bytes > 0 ? dots : "", text.bytes > 0 ? sizeof dots : 1);
    return quote;
}

const char *sc_text_quote_path(sc_text path, char quote[SC_TEXT_QUOTE_BYTES])
{
    static const char dots[] = "...";
    const size_t room = SC_TEXT_QUOTE_BYTES - sizeof dots, ahead = sizeof dots - 1;
    char end[SC_TEXT_QUOTE_BYTES];
    if (path.bytes <= room)
        return sc_text_quote(path, quote);
    while (path.bytes > room - ahead) {
        const size_t bytes = sc_text_character(path);
        advance(&path, bytes > 0 ? bytes : 1);
    }
    (void)sc_text_quote(path, end);
    memcpy(quote, dots, ahead);
    memcpy(quote + ahead, end, strlen(end) + 1);
    return quote;
}

/* The reserved words of a query, between blanks. */
static const char reserved[] =
    " AND AS ASC BETWEEN BY CASE DESC DISTINCT ELSE END FALSE FROM GROUP HAVING IN IS "
    "LIKE LIMIT NOT NULL OR ORDER SELECT THEN TRUE WHEN WHERE WITH ";

static bool is_plain_name(sc_text name)
{
    char word[32] = " ";
    for (size_t i = 0; i < name.bytes; i++) {
        const char c = name.start[i];
        const bool is_small = c >= 'a' && c <= 'z';
        if (!is_small && !(c >= 'A' && c <= 'Z') && c != '_' &&
            !(i > 0 && c >= '0' && c <= '9'))
            return false;
        if (name.bytes < sizeof word - 2)
            word[i + 1] = (char)(is_small ? c - 'a' + 'A' : c);
    }
    if (name.bytes < sizeof word - 2)
        word[name.bytes + 1] = ' ';
    return name.bytes > 0 && (word[1] == '\0' || strstr(reserved, word) == NULL);
}

const char *sc_text_name(sc_text text, char name[SC_TEXT_NAME_BYTES])
{
    char quote[SC_TEXT_QUOTE_BYTES], *at = name;
    (void)sc_text_quote(text, quote);
    if (is_plain_name(text)) {
        memcpy(name, quote, strlen(quote) + 1);
        return name;
    }
    *at++ = '"';
    for (const char *c = quote; *c != '\0'; c++) {
        if (*c == '"')
            *at++ = '"';
        *at++ = *c;
    }
    *at++ = '"';
    *at = '\0';
    return name;
}

/* Did you mean. */

#define DISTANCE_BYTES 63

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row i, column j: the distance of the first i bytes of a and the first j of b, from the
 * two rows above. A swap is one step, but a swapped pair is not edited again. */
size_t sc_text_distance(sc_text a, sc_text b)
{
    size_t rows[3][DISTANCE_BYTES + 1];
    if (a.bytes > DISTANCE_BYTES || b.bytes > DISTANCE_BYTES)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.bytes; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.bytes; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.bytes; j++) {
            const bool same = a.start[i - 1] == b.start[j - 1];
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && a.start[i - 1] == b.start[j - 2] &&
                a.start[i - 2] == b.start[j - 1])
                row[j] = least(row[j], above2[j - 2] + 1);
        }
    }
    return rows[a.bytes % 3][b.bytes];
}

const char *sc_text_nearest(sc_text word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t shortest = least(3, word.bytes);
    for (size_t i = 0; i < count; i++) {
        const size_t distance = sc_text_distance(word, sc_text_of(names[i]));
        if (distance < shortest) {
            shortest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

/* Sink. */

void sc_text_sink_init(sc_text_sink *sink, char *start, size_t capacity)
{
    *sink = (sc_text_sink){start, capacity, 0};
    if (capacity > 0)
        start[0] = '\0';
}

/* How many of these bytes still find room before the terminator. */
static size_t room_for(const sc_text_sink *sink, size_t bytes)
{
    if (sink->length + 1 >= sink->capacity)
        return 0;
    return least(bytes, sink->capacity - 1 - sink->length);
}

void sc_text_put(sc_text_sink *sink, sc_text text)
{
    const size_t bytes = room_for(sink, text.bytes);
    if (bytes > 0) {
        memcpy(sink->start + sink->length, text.start, bytes);
        sink->start[sink->length + bytes] = '\0';
    }
    sink->length += text.bytes;
}

void sc_text_put_times(sc_text_sink *sink, char c, size_t times)
{
    for (size_t i = 0; i < times; i++)
        sc_text_put(sink, (sc_text){&c, 1});
}

/* Zeros behind the point that are still read at a glance. */
#define ZEROS_READ 3

/* The bytes of a number such as 0.000015 at the start of a text, 0 where the text begins with no number; and its zeros. */
static size_t small_bytes(const char *text, size_t *zeros)
{
    static const char digits[] = "0123456789";
    if (strncmp(text, "0.", 2) != 0)
        return 0;
    *zeros = strspn(text + 2, "0");
    const size_t count = strspn(text + 2 + *zeros, digits);
    const char after = text[2 + *zeros + count];
    return *zeros > ZEROS_READ && count > 0 && after != '/' && after != 'e'
               ? 2 + *zeros + count
               : 0;
}

void sc_text_shorten_numbers(char *text)
{
    char *end = text, before = '\0';
    while (*text != '\0') {
        size_t zeros = 0;
        const bool is_start =
            !sc_ascii_is_digit(before) && before != '.' && before != '/';
        const size_t bytes = is_start ? small_bytes(text, &zeros) : 0;
        before = (char)(bytes > 0 ? '0' : *text);
        if (bytes == 0) {
            *end++ = *text++;
            continue;
        }
        /* Shorter by the zeros than what it replaces. */
        const char *digits = text + 2 + zeros;
        const size_t count = bytes - 2 - zeros;
        *end++ = digits[0];
        if (count > 1)
            *end++ = '.';
        memmove(end, digits + 1, count - 1);
        end += count - 1;
        char power[24];
        const int width = snprintf(power, sizeof power, "e-%zu", zeros + 1);
        memcpy(end, power, (size_t)width);
        end += width;
        text += bytes;
    }
    *end = '\0';
}
