#include "base/text.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(text_views_compare_by_bytes)
{
    CHECK_INT(sc_text_of(NULL).bytes, 0);
    CHECK_INT(sc_text_of("abc").bytes, 3);
    CHECK(sc_text_is(sc_text_of(NULL), ""));
    CHECK(sc_text_is((sc_text){NULL, 0}, ""));
    CHECK(sc_text_equal((sc_text){"abcd", 3}, sc_text_of("abc")));
    CHECK(!sc_text_equal(sc_text_of("abc"), sc_text_of("abd")));
    CHECK(!sc_text_equal(sc_text_of("abc"), sc_text_of("ab")));
    CHECK(!sc_text_equal((sc_text){"a\0b", 3}, (sc_text){"a\0c", 3}));
}

TEST(text_has_an_order_of_bytes)
{
    static const char *const sorted[] = {"", "A", "Aa", "B", "a", "ab", "b", "\xc3\xa4"};
    for (size_t i = 0; i < COUNT(sorted); i++)
        for (size_t j = 0; j < COUNT(sorted); j++) {
            const int order =
                sc_text_compare(sc_text_of(sorted[i]), sc_text_of(sorted[j]));
            CHECK_INT((order > 0) - (order < 0), (i > j) - (i < j));
        }
    CHECK(sc_text_compare((sc_text){NULL, 0}, sc_text_of("")) == 0);
    CHECK(sc_text_compare((sc_text){"a\0b", 3}, (sc_text){"a\0c", 3}) < 0);
}

TEST(text_trims_spaces_and_tabs_only)
{
    CHECK(sc_text_is(sc_text_trim(sc_text_of(" \t a b\t ")), "a b"));
    CHECK(sc_text_is(sc_text_trim(sc_text_of("\na\r")), "\na\r"));
    CHECK_INT(sc_text_trim(sc_text_of(" \t ")).bytes, 0);
    CHECK_INT(sc_text_trim((sc_text){NULL, 0}).bytes, 0);
}

TEST(text_takes_words_off_the_front)
{
    sc_text rest = sc_text_of(" one\t two  "), word = sc_text_of("before");
    REQUIRE(sc_text_word(&rest, &word));
    CHECK(sc_text_is(word, "one"));
    REQUIRE(sc_text_word(&rest, &word));
    CHECK(sc_text_is(word, "two"));
    CHECK(!sc_text_word(&rest, &word));
    CHECK(sc_text_is(word, "two"));
    rest = (sc_text){NULL, 0};
    CHECK(!sc_text_word(&rest, &word));
}

TEST(text_splits_at_the_first_separator)
{
    sc_text before = sc_text_of("x"), after = sc_text_of("y");
    CHECK(!sc_text_split(sc_text_of("scale"), '=', &before, &after));
    CHECK(!sc_text_split((sc_text){NULL, 0}, '=', &before, &after));
    CHECK(sc_text_is(before, "x") && sc_text_is(after, "y"));
    REQUIRE(sc_text_split(sc_text_of("a=b=c"), '=', &before, &after));
    CHECK(sc_text_is(before, "a") && sc_text_is(after, "b=c"));
    REQUIRE(sc_text_split(sc_text_of("="), '=', &before, &after));
    CHECK(before.bytes == 0 && after.bytes == 0);
}

TEST(text_items)
{
    static const struct {
        const char *list, *parts;
    } rows[] = {{"", ""},     {"a", "a|"}, {"a,b", "a|b|"},
                {"a,", "a|"}, {",", "|"},  {",,b", "||b|"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char got[32];
        sc_text rest = sc_text_of(rows[i].list), part;
        sc_text_sink sink;
        sc_text_sink_init(&sink, got, sizeof got);
        while (sc_text_item(&rest, ',', &part)) {
            sc_text_put(&sink, part);
            sc_text_put(&sink, sc_text_of("|"));
        }
        CHECK_STR(got, rows[i].parts);
    }
}

TEST(text_reads_unsigned_integers)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"7", 7},
                {"0007", 7},
                {"18446744073709551615", UINT64_MAX},
                {"00018446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"",
                                      "+1",
                                      "-1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x1",
                                      "\xd9\xa1",
                                      "18446744073709551616",
                                      "18446744073709551620",
                                      "99999999999999999999",
                                      "184467440737095516150"};
    for (size_t i = 0; i < COUNT(good); i++) {
        uint64_t value = 42;
        CHECK(sc_text_uint64(sc_text_of(good[i].text), &value));
        CHECK_INT(value, good[i].value);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t value = 42;
        if (sc_text_uint64(sc_text_of(bad[i]), &value))
            CHECK_FAIL("'%s' was read", bad[i]);
        CHECK_INT(value, 42);
    }
}

TEST(text_takes_characters_and_digits)
{
    sc_text rest = sc_text_of("-12a");
    CHECK(!sc_text_take(&rest, '+'));
    CHECK(sc_text_take(&rest, '-'));
    CHECK(sc_text_is(sc_text_take_digits(&rest), "12"));
    CHECK_INT(sc_text_take_digits(&rest).bytes, 0);
    CHECK(sc_text_is(rest, "a"));
    for (int c = -128; c < 128; c++)
        CHECK(sc_ascii_is_digit((char)c) == (c >= '0' && c <= '9'));
    rest = (sc_text){NULL, 0};
    CHECK(!sc_text_take(&rest, '\0'));
    CHECK_INT(sc_text_take_digits(&rest).bytes, 0);
}

/* UTF-8. */

/* Writes the character with this number as the standard's table lays it out. */
static size_t encode(unsigned value, char out[4])
{
    const size_t more = value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    static const unsigned marks[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i > 0; i--, value >>= 6)
        out[i] = (char)(0x80 | (value & 0x3f));
    out[0] = (char)(marks[more] | value);
    return more + 1;
}

TEST(text_knows_every_printable_character)
{
    for (unsigned value = 0; value < 0x110000; value++) {
        char bytes[4];
        const size_t length = encode(value, bytes);
        const bool control = value < 0x20 || (value >= 0x7f && value < 0xa0);
        const bool surrogate = value >= 0xd800 && value < 0xe000;
        const bool breaks_line = value == 0x2028 || value == 0x2029;
        const bool turns_text = value == 0x61c || value == 0x200e || value == 0x200f ||
                                (value >= 0x202a && value <= 0x202e) ||
                                (value >= 0x2066 && value <= 0x2069);
        const bool refused = control || surrogate || breaks_line || turns_text;
        const size_t want = refused ? 0 : length;
        if (sc_text_character((sc_text){bytes, length}) != want)
            CHECK_FAIL("character %x", value);
        if (length > 1 && sc_text_character((sc_text){bytes, length - 1}) != 0)
            CHECK_FAIL("incomplete character %x", value);
    }
    CHECK_INT(sc_text_character((sc_text){NULL, 0}), 0);
}

TEST(text_refuses_overlong_characters)
{
    static const char *const overlong[] = {"\xc0\x80",
                                           "\xc1\xbf",
                                           "\xe0\x9f\xbf",
                                           "\xe0\x80\xaf",
                                           "\xf0\x8f\xbf\xbf",
                                           "\xf8\x88\x80\x80\x80",
                                           "\x80",
                                           "\xc3(",
                                           "\xe2\x82(",
                                           "\xf0\x9f\x99("};
    for (size_t i = 0; i < COUNT(overlong); i++)
        CHECK_INT(sc_text_character(sc_text_of(overlong[i])), 0);
}

TEST(text_quote_cuts_and_cleans)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"", ""},
        {"scale", "scale"},
        {"a\x1b[2Jb\n", "a?[2Jb?"},
        {"0123456789012345678901234567890123456789",
         "0123456789012345678901234567890123456789"},
        {"01234567890123456789012345678901234567890",
         "0123456789012345678901234567890123456789..."},
        /* a character of three bytes that would end at byte 41 */
        {"01234567890123456789012345678901234567\xe2\x82\xac",
         "01234567890123456789012345678901234567..."},
        {"0123456789012345678901234567890123456\xe2\x82\xac",
         "0123456789012345678901234567890123456\xe2\x82\xac"},
    };
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_STR(sc_text_quote(sc_text_of(cases[i].given), quote), cases[i].shown);
    CHECK_STR(sc_text_quote((sc_text){"a\0b", 3}, quote), "a?b");
    CHECK_STR(sc_text_quote((sc_text){NULL, 0}, quote), "");
    CHECK_STR(sc_text_quote_path(sc_text_of("data/a.csv"), quote), "data/a.csv");
    CHECK_STR(sc_text_quote_path(
                  sc_text_of("/srv/hospital/2026/November/data/patients.csv"), quote),
              "...pital/2026/November/data/patients.csv");
    CHECK_STR(sc_text_quote_path(
                  sc_text_of("/srv/hosp\xc3\xa4\xc3\xa4/2026/November/\x01/patients.csv"),
                  quote),
              "...hosp\xc3\xa4\xc3\xa4/2026/November/?/patients.csv");
}

TEST(text_name_is_as_a_query_has_it)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {{"age", "age"},
                 {"_a1", "_a1"},
                 {"Cost EUR", "\"Cost EUR\""},
                 {"1st", "\"1st\""},
                 {"a\"b", "\"a\"\"b\""},
                 {"order", "\"order\""},
                 {"With", "\"With\""},
                 {"orders", "orders"},
                 {"", "\"\""},
                 {"gr\xc3\xb6\xc3\x9f"
                  "e",
                  "\"gr\xc3\xb6\xc3\x9f"
                  "e\""}};
    char name[SC_TEXT_NAME_BYTES];
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_STR(sc_text_name(sc_text_of(cases[i].given), name), cases[i].shown);
}

/* Did you mean. */

TEST(text_distance_counts_single_edits)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},           {"", "abc", 3},
        {"scale", "scale", 0}, {"scael", "scale", 1},
        {"scal", "scale", 1},  {"sscale", "scale", 1},
        {"skale", "scale", 1}, {"ab", "ba", 1},
        {"abc", "cba", 2},     {"kitten", "sitting", 3},
        {"ca", "abc", 3}, /* not 2: no edit inside a swap */
        {"flaw", "lawn", 2},   {"abcdef", "badcfe", 3},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_INT(sc_text_distance(sc_text_of(cases[i].a), sc_text_of(cases[i].b)),
                  cases[i].distance);
        CHECK_INT(sc_text_distance(sc_text_of(cases[i].b), sc_text_of(cases[i].a)),
                  cases[i].distance);
    }
}

TEST(text_distance_is_for_short_texts)
{
    char long_text[64];
    memset(long_text, 'a', sizeof long_text);
    CHECK_INT(sc_text_distance((sc_text){long_text, 63}, sc_text_of("")), 63);
    CHECK_INT(sc_text_distance((sc_text){long_text, 63}, (sc_text){long_text, 63}), 0);
    CHECK(sc_text_distance((sc_text){long_text, 64}, sc_text_of("")) == SIZE_MAX);
    CHECK(sc_text_distance(sc_text_of(""), (sc_text){long_text, 64}) == SIZE_MAX);
}

TEST(text_nearest_is_close_or_nothing)
{
    static const char *const names[] = {"scale", "sigma", "bound", "n"};
    const struct {
        const char *word, *nearest;
    } cases[] = {{"scael", "scale"}, {"scla", "scale"}, {"sgima", "sigma"},
                 {"bond", "bound"},  {"delta", NULL},   {"x", NULL},
                 {"", NULL},         {"scxyz", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *nearest =
            sc_text_nearest(sc_text_of(cases[i].word), names, COUNT(names));
        CHECK(nearest == NULL
                  ? cases[i].nearest == NULL
                  : cases[i].nearest != NULL && strcmp(nearest, cases[i].nearest) == 0);
    }
    CHECK(sc_text_nearest(sc_text_of("scale"), NULL, 0) == NULL);
    /* The nearest, not the first that is near enough; of equals the first. */
    static const char *const close[] = {"scabe", "scabb", "scale", "scald"};
    CHECK_STR(sc_text_nearest(sc_text_of("scalf"), close, COUNT(close)), "scale");
}

/* Sink. */

TEST(text_sink_cuts_but_goes_on_counting)
{
    static const char whole[] = "abc---de";
    for (size_t capacity = 0; capacity < 12; capacity++) {
        char buffer[16];
        sc_text_sink sink;
        memset(buffer, '#', sizeof buffer);
        sc_text_sink_init(&sink, capacity > 0 ? buffer : NULL, capacity);
        sc_text_put(&sink, sc_text_of("abc"));
        sc_text_put_times(&sink, '-', 3);
        sc_text_put(&sink, sc_text_of(NULL));
        sc_text_put(&sink, sc_text_of("de"));
        CHECK_INT(sink.length, 8);
        const size_t kept = capacity == 0 ? 0 : capacity - 1 < 8 ? capacity - 1 : 8;
        CHECK_BYTES(buffer, whole, kept);
        if (capacity > 0)
            CHECK_INT(buffer[kept], '\0');
        CHECK_INT(buffer[capacity], '#');
    }
}

TEST(text_shortens_small_numbers)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"0", "0"},
        {"0.001", "0.001"},
        {"0.0001", "0.0001"},
        {"0.00001", "1e-5"},
        {"0.000015", "1.5e-5"},
        {"epsilon=2,delta=0.000001", "epsilon=2,delta=1e-6"},
        {"delta 0.0000000000012 left, 0.0000008 asked", "delta 1.2e-12 left, 8e-7 asked"},
        {"10.000001", "10.000001"},
        {"1/0.000001", "1/0.000001"},
        {"0.00000", "0.00000"},
        {"0.00001e5 0.00001/3", "0.00001e5 0.00001/3"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].text);
        sc_text_shorten_numbers(text);
        CHECK_STR(text, cases[i].shown);
    }
}
