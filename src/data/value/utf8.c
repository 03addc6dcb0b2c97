#include "data/value/utf8.h"

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
