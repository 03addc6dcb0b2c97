#include "check.h"
#include "cli/terminal/text_width.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

TEST(text_width_is_that_of_the_characters)
{
    static const struct {
        const char *text;
        size_t width;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"gr\xc3\xbcn", 4},
        {"gru\xcc\x88n", 4},                         /* u, and two dots above it */
        {"\xe2\x94\x9c\xe2\x97\x8f", 2},             /* what boxes are made of */
        {"\xe6\x9d\xb1\xe4\xba\xac", 4},             /* Tokyo */
        {"\xed\x95\x9c", 2},                         /* a syllable of Korean */
        {"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 2}, /* the same by its letters */
        {"\xef\xbc\xa1", 2},                         /* A of full width */
        {"\xef\xbd\xb1", 1},                         /* and one of half of it */
        {"\xf0\x9f\x99\x82", 2},                     /* a face */
        {"a\xe2\x80\x8b"
         "b",
         2},             /* a space of no width */
        {"\xc2\xad", 1}, /* a soft hyphen */
        {"\xe6\x9d", 1}, /* half a character */
        {"\xff", 1},
        {"\x1b[38;5;39ma\x1b[0m", 1}, /* a colour */
        {"\x1b[5na", 5},              /* and none */
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_INT(sc_text_width(cases[i].text), cases[i].width);
    CHECK_INT(sc_bytes_width("gr\xc3\xbcn", 4), 3);
    CHECK(!sc_is_continuation('a') && !sc_is_continuation('\xc3'));
    CHECK(sc_is_continuation('\xbc'));
    size_t width = 2;
    sc_width_widen(&width, "\xc3\xbc");
    CHECK_INT(width, 2);
    sc_width_widen(&width, "gr\xc3\xbcn");
    CHECK_INT(width, 4);
}

TEST(text_is_cut_between_characters)
{
    static const struct {
        const char *text;
        size_t columns, bytes;
    } cases[] = {{"abc", 2, 2},
                 {"abc", 9, 3},
                 {"abc", 0, 0},
                 {"\xe6\x9d\xb1\xe4\xba\xac", 3, 3}, /* half of the second does not fit */
                 {"\xe6\x9d\xb1\xe4\xba\xac", 4, 6},
                 {"u\xcc\x88n", 1, 3}, /* the mark stays with its letter */
                 {"\xc3\xbcn", 1, 2}};
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_INT(
            sc_fitting_bytes(cases[i].text, strlen(cases[i].text), cases[i].columns),
            cases[i].bytes);
}

static size_t encode(uint32_t value, char text[4])
{
    const size_t bytes = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes; i-- > 0; value >>= 6)
        text[i] = (char)(i > 0 ? 0x80 | (value & 0x3f) : lead[bytes] | value);
    return bytes;
}

/* The C library has a table of its own, of an older or a newer Unicode: where both know a character,
 * few may differ. Without the locale, of which Debian always has this one, it knows none. */
TEST(text_width_is_what_the_c_library_says)
{
    static const char *const locales[] = {"C.UTF-8", "en_US.UTF-8"};
    locale_t locale = (locale_t)0;
    size_t known = 0, differ = 0;
    for (size_t i = 0; i < COUNT(locales) && locale == (locale_t)0; i++)
        locale = newlocale(LC_CTYPE_MASK, locales[i], (locale_t)0);
    if (!CHECK(locale != (locale_t)0))
        return;
    const locale_t before = uselocale(locale);
    for (uint32_t value = 0xa0; value < 0x110000; value++) {
        char text[4];
        const int want = wcwidth((wchar_t)value);
        if (want < 0 || (value >= 0xd800 && value < 0xe000))
            continue;
        known++;
        if (sc_bytes_width(text, encode(value, text)) != (size_t)want)
            differ++;
    }
    uselocale(before);
    freelocale(locale);
    CHECK(known > 200000);
    if (differ > 200)
        CHECK_FAIL("%zu of %zu differ", differ, known);
}

TEST(text_is_cut_in_the_middle)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *cut;
    } cases[] = {
        {"/data/adult.csv", 15, "/data/adult.csv"},
        {"/data/2026/adult.csv", 15, "/da...adult.csv"},
        {"/\xe6\x9d\xb1\xe4\xba\xac/long/\xe6\x9d\xb1.csv", 12, "/...g/\xe6\x9d\xb1.csv"},
        {"", 8, ""},
    };
    char cut[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_cut_middle(cases[i].text, cases[i].columns, cut, sizeof cut);
        CHECK_STR(cut, cases[i].cut);
        CHECK(sc_text_width(cut) <= cases[i].columns);
    }
}
