#include "check.h"
#include "query/language/like.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -1: the pattern is refused. */
static int matches(const char *text, const char *pattern, const char *escape)
{
    sc_arena arena;
    const sc_like *like = NULL;
    int result = -1;
    sc_arena_init(&arena);
    if (sc_like_compile(sc_text_of(pattern), sc_text_of(escape), &arena, &like) ==
        SC_LIKE_FINE)
        result = sc_like_matches(like, sc_text_of(text));
    sc_arena_clear(&arena);
    return result;
}

TEST(like_by_hand)
{
    CLAIM("like.exact");
    static const struct {
        const char *text, *pattern, *escape;
        int want;
    } cases[] = {
        {"", "", "\\", 1},
        {"a", "", "\\", 0},
        {"", "%", "\\", 1},
        {"", "_", "\\", 0},
        {"abc", "abc", "\\", 1},
        {"abc", "ABC", "\\", 0},
        {"abc", "a%", "\\", 1},
        {"abc", "%c", "\\", 1},
        {"abc", "%b%", "\\", 1},
        {"abc", "%b", "\\", 0},
        {"abc", "b%", "\\", 0},
        {"abc", "___", "\\", 1},
        {"abc", "__", "\\", 0},
        {"abc", "_%_", "\\", 1},
        {"a%c", "a\\%c", "\\", 1},
        {"abc", "a\\%c", "\\", 0},
        {"a_c", "a!_c", "!", 1},
        {"abc", "a!_c", "!", 0},
        {"a\\c", "a\\c", "", 1},
        {"abc", "a\\_c", "", 0},
        {"a!", "a!!", "!", 1},
        {"aaab", "%a%ab", "\\", 1},
        {"ab\n", "ab%", "\\", 1},
        {"abc", "abc\\", "\\", -1},
        {"\xc3\xa4x", "_x", "\\", 1},
        {"\xc3\xa4x", "__x", "\\", 0},
        {"a\xc3\xa4", "a\xc3\xa4", "\xc3\xa4", -1},
        {"aab", "%aab", "\\", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!CHECK_INT(matches(cases[i].text, cases[i].pattern, cases[i].escape),
                       cases[i].want))
            CHECK_STR(cases[i].text, cases[i].pattern);
}

/* As SQL defines it, by trying all ways. */
static bool tries(const char *text, const char *pattern)
{
    if (*pattern == '\0')
        return *text == '\0';
    if (*pattern == '%')
        return tries(text, pattern + 1) || (*text != '\0' && tries(text + 1, pattern));
    if (*pattern == '\\')
        pattern++;
    else if (*pattern == '_')
        return *text != '\0' && tries(text + 1, pattern + 1);
    return *text == *pattern && tries(text + 1, pattern + 1);
}

SLOW_TEST(like_against_all_ways)
{
    CLAIM("like.exact");
    static const char letters[] = "ab%_ab%_\\";
    srand(11);
    for (size_t round = 0; round < 40000; round++) {
        char text[9] = "", pattern[11] = "";
        const size_t length = (size_t)rand() % 8, size = (size_t)rand() % 9;
        for (size_t i = 0; i < length; i++)
            text[i] = letters[rand() % (rand() % 3 == 0 ? 4 : 2)];
        for (size_t i = 0; i < size; i++) {
            pattern[i] = letters[(size_t)rand() % (sizeof letters - 1)];
            if (pattern[i] == '\\')
                pattern[++i] = letters[rand() % 4];
        }
        if (!CHECK_INT(matches(text, pattern, "\\"), tries(text, pattern)))
            CHECK_STR(text, pattern);
    }
}

/* Over the borders of words, and what a way back would take years for. */
TEST(like_of_long_patterns)
{
    CLAIM("like.linear");
    static char text[4097], pattern[3000];
    memset(text, 'a', 4096);
    for (size_t length = 1; length <= SC_LIKE_PLACES; length += 61) {
        memset(pattern, 'a', length);
        pattern[length] = '\0';
        text[length] = '\0';
        CHECK_INT(matches(text, pattern, "\\"), 1);
        pattern[length - 1] = 'b';
        CHECK_INT(matches(text, pattern, "\\"), 0);
        text[length] = 'a';
        CHECK_INT(matches(text, pattern, "\\"), 0);
    }
    for (size_t i = 0; i < 1000; i++)
        memcpy(pattern + 2 * i, "a%", 2);
    memcpy(pattern + 2000, "b", 2);
    CHECK_INT(matches(text, pattern, "\\"), 0);
    text[4095] = 'b';
    CHECK_INT(matches(text, pattern, "\\"), 1);
    memset(pattern, '_', SC_LIKE_PLACES + 1);
    pattern[SC_LIKE_PLACES + 1] = '\0';
    CHECK_INT(matches(text, pattern, "\\"), -1);
}
