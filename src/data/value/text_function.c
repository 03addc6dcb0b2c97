#include "data/value/text_function.h"

#include "data/value/letter_case.h"

#include <string.h>

/* Bytes of the character that begins with this one, as UTF-8 has it. */
static size_t letter_bytes(unsigned char first)
{
    return first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

uint32_t sc_text_take_letter(sc_text *rest)
{
    const unsigned char *at = (const unsigned char *)rest->start;
    size_t bytes = letter_bytes(at[0]);
    uint32_t letter = bytes == 1 ? at[0] : at[0] & (0x7fU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (i == rest->bytes || (at[i] & 0xc0) != 0x80) {
            bytes = 1;
            letter = at[0];
            break;
        }
        letter = letter << 6 | (at[i] & 0x3f);
    }
    *rest = (sc_text){rest->start + bytes, rest->bytes - bytes};
    return letter;
}

size_t sc_text_length(sc_text text)
{
    size_t length = 0;
    for (; text.bytes > 0; length++)
        (void)sc_text_take_letter(&text);
    return length;
}

sc_text sc_text_part(sc_text text, int64_t first, int64_t behind)
{
    int64_t position = 1;
    for (; text.bytes > 0 && position < first; position++)
        (void)sc_text_take_letter(&text);
    sc_text rest = text;
    for (; rest.bytes > 0 && position < behind; position++)
        (void)sc_text_take_letter(&rest);
    return (sc_text){text.start, text.bytes - rest.bytes};
}

sc_text sc_text_trimmed(sc_text text, bool at_start, bool at_end)
{
    while (at_start && text.bytes > 0 && text.start[0] == ' ')
        text = (sc_text){text.start + 1, text.bytes - 1};
    while (at_end && text.bytes > 0 && text.start[text.bytes - 1] == ' ')
        text.bytes--;
    return text;
}

static size_t put_letter(uint32_t letter, char out[4])
{
    const size_t bytes = letter < 0x80      ? 1
                         : letter < 0x800   ? 2
                         : letter < 0x10000 ? 3
                                            : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes; i-- > 1; letter >>= 6)
        out[i] = (char)(unsigned char)(0x80 | (letter & 0x3f));
    out[0] = (char)(unsigned char)(marks[bytes] | letter);
    return bytes;
}

sc_text sc_text_cased(sc_text text, bool is_upper, char out[SC_TEXT_RESULT_BYTES])
{
    size_t written = 0;
    while (text.bytes > 0) {
        char letter[4];
        const char *from = text.start;
        const uint32_t own = sc_text_take_letter(&text),
                       other = sc_letter_case(own, is_upper);
        size_t bytes = (size_t)(text.start - from);
        if (other != own) {
            bytes = put_letter(other, letter);
            from = letter;
        }
        if (bytes > SC_TEXT_RESULT_BYTES - written)
            break;
        memcpy(out + written, from, bytes);
        written += bytes;
    }
    return (sc_text){out, written};
}

/* As many whole characters as fit into so many bytes. */
static size_t fitting(sc_text text, size_t room)
{
    if (text.bytes <= room)
        return text.bytes;
    while (room > 0 && ((unsigned char)text.start[room] & 0xc0) == 0x80)
        room--;
    return room;
}

sc_text sc_text_joined(sc_text a, sc_text b, char out[SC_TEXT_RESULT_BYTES])
{
    const size_t first = fitting(a, SC_TEXT_RESULT_BYTES),
                 second = fitting(b, first < a.bytes ? 0 : SC_TEXT_RESULT_BYTES - first);
    if (first > 0)
        memcpy(out, a.start, first);
    if (second > 0)
        memcpy(out + first, b.start, second);
    return (sc_text){out, first + second};
}
