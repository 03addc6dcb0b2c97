#include "check.h"
#include "data/value/utf8.h"

#include <string.h>

/* By the definition: the value of the bytes, and whether that value has this spelling. */
static bool is_character(const unsigned char *at, size_t bytes, size_t *length)
{
    unsigned value = at[0];
    *length = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (*length > bytes || (at[0] >= 0x80 && at[0] < 0xc0) || at[0] >= 0xf8)
        return false;
    if (*length > 1)
        value &= (1u << (7 - *length)) - 1;
    for (size_t i = 1; i < *length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return false;
        value = value << 6 | (at[i] & 0x3f);
    }
    const unsigned least[] = {0, 1, 0x80, 0x800, 0x10000};
    return value >= least[*length] && value <= 0x10ffff &&
           !(value >= 0xd800 && value <= 0xdfff);
}

static bool is_text(const unsigned char *at, size_t bytes)
{
    size_t length = 0;
    for (size_t used = 0; used < bytes; used += length)
        if (!is_character(at + used, bytes - used, &length))
            return false;
    return true;
}

static void compare(const unsigned char *at, size_t bytes)
{
    const sc_text text = {(const char *)at, bytes};
    const bool want = is_text(at, bytes);
    char room[32];
    memset(room, '\xff', sizeof room);
    memcpy(room, at, bytes);
    if (sc_utf8_is_valid(text) != want || sc_utf8_is_valid_plain(text) != want ||
        sc_utf8_is_valid_padded((sc_text){room, bytes}) != want)
        CHECK_FAIL("%zu bytes that begin with %02x %02x", bytes, at[0], at[1]);
}

/* All sequences of 2 bytes behind 0 to 9 letters, and of 3 or 4 with every lead byte. */
TEST(utf8_is_what_the_standard_says)
{
    static const unsigned char edges[] = {0x00, 0x01, 0x7f, 0x80, 0x8f, 0x90,
                                          0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    const size_t count = sizeof edges;
    for (size_t letters = 0; letters < 10; letters++) {
        unsigned char text[14];
        memset(text, 'a', sizeof text);
        for (unsigned first = 0; first < 256; first++)
            for (unsigned second = 0; second < 256; second++) {
                text[letters] = (unsigned char)first;
                text[letters + 1] = (unsigned char)second;
                compare(text, letters + 1);
                compare(text, letters + 2);
                compare(text, letters + 3);
            }
    }
    for (unsigned first = 0xc0; first < 256; first++)
        for (size_t i = 0; i < count * count * count; i++) {
            const unsigned char text[] = {(unsigned char)first, edges[i % count],
                                          edges[i / count % count],
                                          edges[i / count / count]};
            compare(text, 3);
            compare(text, 4);
        }
    CHECK(sc_utf8_is_valid((sc_text){"", 0}));
}
