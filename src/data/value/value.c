#include "data/value/value.h"

#include <string.h>

sc_text sc_null_text(void)
{
    static const char padded[32] = "\xff";
    return (sc_text){padded, 1};
}

static bool is_word(sc_text text, const char *word)
{
    if (text.bytes != strlen(word))
        return false;
    for (size_t i = 0; i < text.bytes; i++) {
        const char c = text.start[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != word[i])
            return false;
    }
    return true;
}

bool sc_boolean_read(sc_text text, int64_t *out)
{
    static const char *const words[][5] = {{"false", "f", "no", "n", "0"},
                                           {"true", "t", "yes", "y", "1"}};
    text = sc_text_trim(text);
    for (int64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < 5; i++)
            if (is_word(text, words[value][i])) {
                *out = value;
                return true;
            }
    return false;
}

/* The bytes of the character that text begins with; 0 when it begins with none. */
static size_t character(const unsigned char *at, size_t bytes)
{
    /* The second byte has a range of its own where longer forms, surrogates or too large values
     * would begin. */
    static const struct {
        unsigned char first, last, second_low, second_high, more;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0xff, 0}, {0xc2, 0xdf, 0x80, 0xbf, 1},
        {0xe0, 0xe0, 0xa0, 0xbf, 2}, {0xe1, 0xec, 0x80, 0xbf, 2},
        {0xed, 0xed, 0x80, 0x9f, 2}, {0xee, 0xef, 0x80, 0xbf, 2},
        {0xf0, 0xf0, 0x90, 0xbf, 3}, {0xf1, 0xf3, 0x80, 0xbf, 3},
        {0xf4, 0xf4, 0x80, 0x8f, 3},
    };
    size_t form = 0;
    while (at[0] < forms[form].first || at[0] > forms[form].last)
        if (++form == sizeof forms / sizeof *forms)
            return 0;
    const size_t more = forms[form].more;
    if (more >= bytes)
        return 0;
    if (more > 0 && (at[1] < forms[form].second_low || at[1] > forms[form].second_high))
        return 0;
    for (size_t i = 2; i <= more; i++)
        if (at[i] < 0x80 || at[i] > 0xbf)
            return 0;
    return more + 1;
}

bool sc_utf8_is_valid_plain(sc_text text)
{
    const unsigned char *at = (const unsigned char *)text.start;
    size_t used = 0;
    while (used < text.bytes) {
        const size_t step = character(at + used, text.bytes - used);
        if (step == 0)
            return false;
        used += step;
    }
    return true;
}

bool sc_text_list_take(sc_text *list, char *room, sc_text *item)
{
    *item = (sc_text){room, 0};
    if (!sc_text_take(list, '"')) {
        sc_text before = *list, after = {NULL, 0};
        const bool is_last = !sc_text_split(*list, ',', &before, &after);
        *list = after;
        *item = sc_text_trim(before);
        return is_last || after.bytes > 0;
    }
    while (!sc_text_take(list, '"') || (list->bytes > 0 && list->start[0] == '"')) {
        if (list->bytes == 0)
            return false;
        room[item->bytes++] = list->start[0];
        *list = (sc_text){list->start + 1, list->bytes - 1};
    }
    *list = sc_text_trim(*list);
    return list->bytes == 0 || (sc_text_take(list, ',') && list->bytes > 0);
}

/* Up to 8 bytes, the first lowest. */
static uint64_t word_of(const char *start, size_t bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint64_t)(unsigned char)start[i] << (8 * i);
    return word;
}

uint64_t sc_value_hash_plain(const sc_value_key *key, sc_text text)
{
    uint64_t a, b = 0;
    if (text.bytes <= 8) {
        a = word_of(text.start, text.bytes);
    } else if (text.bytes <= 16) {
        a = word_of(text.start, 8);
        b = word_of(text.start + text.bytes - 8, 8); /* may overlap; the length tells */
    } else {
        const sc_hash_key inner = {key->words[8], key->words[9]};
        a = sc_hash(&inner, text.start, text.bytes);
    }
    const sc_uint128 sum = sc_value_key_part(key, 0) + sc_value_key_part(key, 1) * a +
                           sc_value_key_part(key, 2) * b +
                           sc_value_key_part(key, 3) * text.bytes;
    return (uint64_t)(sum >> 64);
}
