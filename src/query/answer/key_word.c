#include "query/answer/key_word.h"

#include <stdio.h>

static bool is_plain(char c)
{
    return c > ' ' && c <= '~' && c != '%' && c != '-';
}

void sc_key_word_put(sc_text key, sc_text_sink *sink)
{
    if (key.bytes == 0)
        sc_text_put(sink, sc_text_of("-"));
    for (size_t i = 0; i < key.bytes; i++) {
        char escaped[4];
        if (is_plain(key.start[i])) {
            sc_text_put(sink, (sc_text){key.start + i, 1});
            continue;
        }
        snprintf(escaped, sizeof escaped, "%%%02X", (unsigned char)key.start[i]);
        sc_text_put(sink, sc_text_of(escaped));
    }
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

scrim_status sc_key_word_read(sc_text word, sc_arena *arena, sc_text *out)
{
    char *bytes = sc_arena_allocate(arena, word.bytes, 1);
    size_t count = 0;
    if (bytes == NULL)
        return SCRIM_E_MEMORY;
    for (size_t i = 0; !sc_text_is(word, "-") && i < word.bytes; i++) {
        if (word.start[i] != '%') {
            bytes[count++] = word.start[i];
            continue;
        }
        if (word.bytes - i < 3)
            return SCRIM_E_SYNTAX;
        const int high = digit_of(word.start[i + 1]), low = digit_of(word.start[i + 2]);
        if (high < 0 || low < 0)
            return SCRIM_E_SYNTAX;
        bytes[count++] = (char)(unsigned char)(high * 16 + low);
        i += 2;
    }
    *out = (sc_text){bytes, count};
    return SCRIM_OK;
}
