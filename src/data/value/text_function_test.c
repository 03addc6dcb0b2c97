#include "check.h"
#include "data/value/text_function.h"

#include <stdlib.h>
#include <string.h>

TEST(letter_case_known_letters)
{
    CLAIM("letter-case.simple");
    static const uint32_t pairs[][2] = {
        {'A', 'a'},        {'Z', 'z'},       {0xc4, 0xe4},     {0xde, 0xfe},
        {0x100, 0x101},    {0x178, 0xff},    {0x391, 0x3b1},   {0x3a3, 0x3c3},
        {0x410, 0x430},    {0x42f, 0x44f},   {0x531, 0x561},   {0x10a0, 0x2d00},
        {0x13a0, 0xab70},  {0x1e00, 0x1e01}, {0x1f88, 0x1f80}, {0x2160, 0x2170},
        {0x24b6, 0x24d0},  {0xa640, 0xa641}, {0xff21, 0xff41}, {0x10400, 0x10428},
        {0x1e900, 0x1e922}};
    static const uint32_t none[] = {0,      '0',     '@',      '[',       '`',
                                    '{',    0xd7,    0xdf,     0x138,     0x5d0,
                                    0x627,  0x3042,  0x4e00,   0xd800,    0xfb00,
                                    0xffff, 0x1f600, 0x10ffff, 0xffffffff};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        CHECK_INT(sc_letter_case(pairs[i][0], false), pairs[i][1]);
        CHECK_INT(sc_letter_case(pairs[i][1], true), pairs[i][0]);
        CHECK_INT(sc_letter_case(pairs[i][0], true), pairs[i][0]);
        CHECK_INT(sc_letter_case(pairs[i][1], false), pairs[i][1]);
    }
    for (size_t i = 0; i < COUNT(none); i++)
        for (int is_upper = 0; is_upper < 2; is_upper++)
            CHECK_INT(sc_letter_case(none[i], is_upper != 0), none[i]);
    /* One way only: both sigmas have one capital, the dotted capital I is small without its dot. */
    CHECK_INT(sc_letter_case(0x3c2, true), 0x3a3);
    CHECK_INT(sc_letter_case(0x130, false), 'i');
    CHECK_INT(sc_letter_case(0x131, true), 'I');
    CHECK_INT(sc_letter_case(0x212a, false), 'k');
    CHECK_INT(sc_letter_case(0x1c5, true), 0x1c4);
    CHECK_INT(sc_letter_case(0x1c5, false), 0x1c6);
}

TEST(letter_case_stays_within_unicode)
{
    CLAIM("letter-case.simple");
    size_t mapped[2] = {0, 0};
    for (uint32_t c = 0; c < 0x110000; c++)
        for (int is_upper = 0; is_upper < 2; is_upper++) {
            const uint32_t to = sc_letter_case(c, is_upper != 0);
            const bool is_surrogate = to >= 0xd800 && to < 0xe000;
            mapped[is_upper] += to != c;
            if (to == c)
                continue;
            if (!CHECK(to < 0x110000 && !is_surrogate) ||
                !CHECK_INT(sc_letter_case(to, is_upper != 0), to) ||
                !CHECK((c < 0x80) == (to < 0x80) || c >= 0x80))
                return;
        }
    CHECK(mapped[0] > 1000 && mapped[1] > 1000);
    CHECK(mapped[0] < 2000 && mapped[1] < 2000);
}

static char buffer[SC_TEXT_RESULT_BYTES];

static void check_text(sc_text got, const char *want)
{
    char text[64] = "";
    if (CHECK(got.bytes < sizeof text))
        memcpy(text, got.start, got.bytes);
    CHECK_STR(text, want);
}

TEST(text_functions_are_about_characters)
{
    CHECK_INT(sc_text_length(sc_text_of("")), 0);
    CHECK_INT(sc_text_length(sc_text_of("h\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80")), 4);
    /* The vectors of PostgreSQL: positions that exist, from before the first on. */
    check_text(sc_text_part(sc_text_of("hello"), -1, 2), "h");
    check_text(sc_text_part(sc_text_of("hello"), 0, INT64_MAX), "hello");
    check_text(sc_text_part(sc_text_of("hello"), 2, 4), "el");
    check_text(sc_text_part(sc_text_of("hello"), 5, 9), "o");
    check_text(sc_text_part(sc_text_of("hello"), 6, 9), "");
    check_text(sc_text_part(sc_text_of("hello"), 3, 3), "");
    check_text(sc_text_part(sc_text_of("\xc3\xa4\xc3\xb6u"), 2, 4), "\xc3\xb6u");
    check_text(sc_text_trimmed(sc_text_of("  a b  "), true, true), "a b");
    check_text(sc_text_trimmed(sc_text_of("  a b  "), true, false), "a b  ");
    check_text(sc_text_trimmed(sc_text_of("  a b  "), false, true), "  a b");
    check_text(sc_text_trimmed(sc_text_of("   "), true, true), "");
    check_text(sc_text_trimmed(sc_text_of("\ta\n"), true, true), "\ta\n");
    check_text(sc_text_cased(sc_text_of("Stra\xc3\x9f"
                                        "e \xc3\x84\xc3\xb6"),
                             true, buffer),
               "STRA\xc3\x9f"
               "E \xc3\x84\xc3\x96");
    check_text(sc_text_cased(sc_text_of("\xc3\x84\xc3\x96 \xe2\x84\xaa"), false, buffer),
               "\xc3\xa4\xc3\xb6 k");
    check_text(sc_text_joined(sc_text_of("ab"), sc_text_of(""), buffer), "ab");
    check_text(sc_text_joined(sc_text_of(""), sc_text_of("c\xc3\xa4"), buffer),
               "c\xc3\xa4");
}

/* Nothing is longer than a cell, and no character is cut. */
TEST(text_functions_cut_whole_characters)
{
    CLAIM("text-function.total");
    static char many[SC_TEXT_RESULT_BYTES];
    /* U+023A has two bytes, its small letter three. */
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = i % 2 == 0 ? '\xc8' : '\xba';
    const sc_text all = {many, sizeof many};
    const sc_text small = sc_text_cased(all, false, buffer);
    CHECK_INT(small.bytes, SC_TEXT_RESULT_BYTES - SC_TEXT_RESULT_BYTES % 3);
    CHECK_INT(sc_text_length(small), SC_TEXT_RESULT_BYTES / 3);
    const sc_text two = sc_text_joined(sc_text_of("a"), all, buffer);
    CHECK_INT(two.bytes, SC_TEXT_RESULT_BYTES - 1);
    CHECK_INT(sc_text_length(two), SC_TEXT_RESULT_BYTES / 2);
    CHECK_INT(sc_text_joined(all, all, buffer).bytes, SC_TEXT_RESULT_BYTES);
}

TEST(text_functions_take_any_bytes)
{
    CLAIM("text-function.total");
    char bytes[24];
    srand(7);
    for (size_t round = 0; round < 20000; round++) {
        const size_t count = (size_t)rand() % sizeof bytes;
        for (size_t i = 0; i < count; i++)
            bytes[i] = (char)(rand() % 3 == 0 ? rand() % 128 : 128 + rand() % 128);
        /* An end that must not be passed: exactly as long. */
        char *own = malloc(count + 1);
        if (!CHECK(own != NULL))
            return;
        memcpy(own, bytes, count);
        const sc_text text = {own, count};
        CHECK(sc_text_length(text) <= count);
        CHECK(sc_text_part(text, 2, 5).bytes <= count);
        CHECK(sc_text_cased(text, round % 2 == 0, buffer).bytes <= 2 * count);
        CHECK_INT(sc_text_joined(text, text, buffer).bytes, count + count);
        free(own);
    }
}
