#include "check.h"
#include "data/value/text_function.h"

#include <stdlib.h>
#include <string.h>

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
