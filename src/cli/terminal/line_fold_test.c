#include "check.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

#include <locale.h>
#include <stdio.h>
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

static char made[4096];

static void append(void *context, const char *bytes, size_t count)
{
    (void)context;
    strncat(made, bytes, count);
}

static const char *folded(const char *text, sc_line_fold fold)
{
    made[0] = '\0';
    sc_lines_fold(&fold, text, strlen(text), append, NULL);
    return made;
}

/* As a screen of `columns` columns has it. */
static const char *shown(const char *text, size_t columns)
{
    return folded(text, (sc_line_fold){.columns = columns, .breaks_words = true});
}

TEST(lines_are_folded_below_their_words)
{
    CHECK_STR(shown("one two three\n", 8), "one two\nthree\n");
    CHECK_STR(shown("  one two three", 9), "  one two\n  three");
    CHECK_STR(shown("a  one two three four", 11), "a  one two\n   three\n   four");
    CHECK_STR(shown("a  one two\n\nb  x\n", 10), "a  one two\n\nb  x\n");
    /* the indent is too much for the screen */
    CHECK_STR(shown("a name  one two three", 10), "a name\none two\nthree");
    CHECK_STR(shown("a  one    two three", 10), "a  one\n   two\n   three");
    CHECK_STR(shown("", 10), "");
    CHECK_STR(shown("          \n", 4), "\n");
}

TEST(words_wider_than_a_line_are_broken_on_a_screen)
{
    CHECK_STR(shown("a  0123456789 b", 8), "a  01234\n   56789\n   b");
    CHECK_STR(shown("0123456789", 8), "01234567\n89");
    CHECK_STR(shown("東京都東京都", 5), "東京\n都東\n京都");
    CHECK_STR(folded("a  0123456789 b", (sc_line_fold){.columns = 8, .indent = 3}),
              "a  0123456789\n   b");
    CHECK_STR(shown("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
}

/* Where a line begins with the word, and nowhere else; it takes no column. */
TEST(cautions_are_coloured)
{
    const sc_line_fold fold = {.columns = 16, .breaks_words = true, .has_colour = true};
    CHECK_STR(folded("caution  one two\nwarning: x\n", fold), SC_CAUTION
              "caution" SC_PLAIN "  one two\n" SC_CAUTION "warning" SC_PLAIN ": x\n");
    CHECK_STR(folded("a\ncaution  one two three\n", fold),
              "a\n" SC_CAUTION "caution" SC_PLAIN "  one two\nthree\n");
    CHECK_STR(folded("cautions\ncaution\n caution x\n| caution |\n", fold),
              "cautions\ncaution\n caution x\n| caution |\n");
    CHECK_STR(shown("caution  one two\n", 16), "caution  one two\n");
}

/* Whatever the text: no line is wider than the screen, no word is lost, and words of others that fit
 * stay whole. */
TEST(lines_are_folded_whatever_they_are)
{
    static const char *const parts[] = {" ",  "  ",        "x",  "word",
                                        "東", "u\xcc\x88", "\n", "0123456789abcdef"};
    uint64_t state = 7;
    for (size_t round = 0; round < 2000; round++) {
        char text[512] = "", words[2][512] = {"", ""};
        const size_t columns = 6 + round % 20;
        for (size_t i = 0; i < 24; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
                     parts[(state >> 40) % COUNT(parts)]);
        }
        const char *got = shown(text, columns);
        for (size_t side = 0; side < 2; side++)
            for (const char *at = side == 0 ? text : got; *at != '\0'; at++)
                if (*at != ' ' && *at != '\n')
                    strncat(words[side], at, 1);
        CHECK_STR(words[1], words[0]);
        for (const char *line = got; *line != '\0';) {
            const size_t bytes = strcspn(line, "\n");
            if (strspn(line, " ") < bytes && sc_bytes_width(line, bytes) > columns)
                CHECK_FAIL("%zu columns: '%.*s' of '%s'", columns, (int)bytes, line,
                           text);
            line += bytes + (line[bytes] != '\0');
        }
    }
}

/* A line is folded as one, also where its beginning was at the end of the buffer. */
TEST(output_is_folded_across_its_buffer)
{
    static sc_output output;
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    output.columns = 40;
    for (size_t i = 0; i < 20000; i++)
        sc_output_text(&output, i % 30 == 29 ? "words\n" : "words ");
    CHECK_STATUS(sc_output_finish(&output, NULL), SCRIM_OK);
    char line[80];
    size_t words = 0, short_lines = 0;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t width = strcspn(line, "\n");
        CHECK(width <= 40);
        words += (width + 1) / 6;
        short_lines += width < 35;
    }
    CHECK_INT(words, 20000);
    CHECK(short_lines < 4 + 20000 / 30); /* the ends of lines, and no others */
    fclose(file);
}
