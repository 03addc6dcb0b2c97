#include "cli/terminal/text_width.h"

#include "cli/terminal/width_table.h"

#include <stdio.h>
#include <string.h>

bool sc_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static bool is_among(const sc_width_range *ranges, size_t count, uint32_t value)
{
    size_t first = 0, behind = count;
    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;
        if (value > ranges[middle].last)
            first = middle + 1;
        else
            behind = middle;
    }
    return first < count && value >= ranges[first].first;
}

static size_t value_width(uint32_t value)
{
    if (value < sc_width_none[0].first)
        return 1;
    if (is_among(sc_width_none, sizeof sc_width_none / sizeof *sc_width_none, value))
        return 0;
    return is_among(sc_width_two, sizeof sc_width_two / sizeof *sc_width_two, value) ? 2
                                                                                     : 1;
}

/* The bytes of a colour, "ESC [ 38 ; 5 ; 39 m"; 0: the text begins with none. */
static size_t colour_bytes(const char *text, size_t bytes)
{
    size_t taken = 2;
    if (bytes < 3 || text[0] != '\x1b' || text[1] != '[')
        return 0;
    while (taken < bytes &&
           (text[taken] == ';' || (text[taken] >= '0' && text[taken] <= '9')))
        taken++;
    return taken < bytes && text[taken] == 'm' ? taken + 1 : 0;
}

/* The bytes of the first character, with what goes on with it, or of a colour. */
static size_t character_bytes(const char *text, size_t bytes)
{
    size_t taken = colour_bytes(text, bytes);
    if (taken > 0)
        return taken;
    taken = 1;
    while (taken < bytes && sc_is_continuation(text[taken]))
        taken++;
    return taken;
}

/* Of a character of so many bytes; of one that is none, a column for its first byte. */
static size_t character_width(const char *text, size_t bytes)
{
    const unsigned char first = (unsigned char)text[0];
    if (colour_bytes(text, bytes) == bytes)
        return 0;
    const size_t wanted = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (wanted != bytes)
        return 1;
    uint32_t value = wanted == 1 ? first : first & (0x7fU >> wanted);
    for (size_t i = 1; i < bytes; i++)
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    return value_width(value);
}

size_t sc_bytes_width(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t at = 0, taken; at < bytes; at += taken) {
        taken = character_bytes(text + at, bytes - at);
        width += character_width(text + at, taken);
    }
    return width;
}

size_t sc_text_width(const char *text)
{
    return sc_bytes_width(text, strlen(text));
}

size_t sc_fitting_bytes(const char *text, size_t bytes, size_t columns)
{
    size_t at = 0;
    for (size_t taken, width = 0; at < bytes; at += taken) {
        taken = character_bytes(text + at, bytes - at);
        width += character_width(text + at, taken);
        if (width > columns)
            break;
    }
    return at;
}

void sc_cut_middle(const char *text, size_t columns, char *out, size_t bytes)
{
    const size_t length = strlen(text);
    size_t head = length, tail = length;
    if (sc_text_width(text) > columns && columns > 3) {
        head = sc_fitting_bytes(text, length, (columns - 3) / 4);
        const size_t room = columns - 3 - sc_bytes_width(text, head);
        tail = head;
        while (sc_text_width(text + tail) > room)
            tail += character_bytes(text + tail, length - tail);
    }
    snprintf(out, bytes, "%.*s%s%s", (int)head, text, tail < length ? "..." : "",
             text + tail);
}

void sc_width_widen(size_t *width, const char *text)
{
    const size_t needed = sc_text_width(text);
    *width = needed > *width ? needed : *width;
}
