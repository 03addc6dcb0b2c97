#include "base/status.h"
#include "base/text.h"
#include "check.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Characters that may be shown. */

TEST(complaint_cleans_a_line)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"", ""},
        {"no verb 'gr\xc3\xbcn'", "no verb 'gr\xc3\xbcn'"},
        {"a\nb\033[31m\x7f", "a?b?[31m?"},
        {"\xc2\x9b[31m", "??[31m"}, /* the one-character escape of ECMA-48 */
        {"\xff", "?"},
        {"\xe2\x82", "??"},
        {"\xe2\x80\xae[31m", "???[31m"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", cases[i].given);
        sc_complaint_clean(text);
        CHECK_STR(text, cases[i].shown);
    }
}

/* A caller may ask for the status alone. */
TEST(A102_complaint_without_an_error)
{
    CHECK_STATUS(sc_complaint_fill(NULL, SCRIM_E_INPUT, "%s", "text"), SCRIM_E_INPUT);
    sc_complaint_append(NULL, "%s", "more");
}

/* Whether one text is shown as in the library's own messages. */
static bool is_twin(const char *text)
{
    char shown[16];
    scrim_error error;
    snprintf(shown, sizeof shown, "%s", text);
    sc_complaint_clean(shown);
    return sc_fail(&error, SCRIM_E_PARAM, "%s", text) == SCRIM_E_PARAM &&
           strcmp(shown, error.message) == 0;
}

/* Every character of every length, and everything that looks like the beginning of one. */
SLOW_TEST(complaint_shows_what_the_library_shows)
{
    static const unsigned marks[] = {0, 0xc0, 0xe0, 0xf0};
    for (unsigned value = 1; value < 0x120000; value++) {
        const size_t more = value < 0x80      ? 0
                            : value < 0x800   ? 1
                            : value < 0x10000 ? 2
                                              : 3;
        char text[8] = "";
        unsigned rest = value;
        for (size_t i = more; i > 0; i--, rest >>= 6)
            text[i] = (char)(0x80 | (rest & 0x3f));
        text[0] = (char)(marks[more] | rest);
        text[more + 1] = 'x';
        if (!is_twin(text))
            CHECK_FAIL("U+%04X is shown otherwise", value);
    }
    static const unsigned char tails[][2] = {{0, 0},      {'x', 0},     {0x80, 0},
                                             {0xbf, 'x'}, {0x80, 0x80}, {0xc3, 0xbc}};
    size_t strange = 0;
    for (unsigned pair = 0; pair < 0x10000; pair++)
        for (size_t i = 0; i < COUNT(tails); i++) {
            const char text[] = {(char)(pair >> 8), (char)pair, (char)tails[i][0],
                                 (char)tails[i][1], '\0'};
            strange += !is_twin(text);
        }
    CHECK_INT(strange, 0);
}

/* The bytes that print writes to standard error. */
static size_t printed(const char *verb, const scrim_error *error, char *out, size_t size)
{
    FILE *file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    size_t length = 0;
    if (CHECK(file != NULL && kept >= 0) &&
        CHECK(dup2(fileno(file), STDERR_FILENO) >= 0)) {
        sc_complaint_print(verb, error, "; so");
        dup2(kept, STDERR_FILENO);
        rewind(file);
        length = fread(out, 1, size - 1, file);
    }
    out[length] = '\0';
    if (file != NULL)
        fclose(file);
    if (kept >= 0)
        close(kept);
    return length;
}

TEST(complaint_is_one_line)
{
    scrim_error error;
    char line[2 * SCRIM_MESSAGE_BYTES];
    CHECK_STATUS(sc_complaint_fill(&error, SCRIM_E_LIMIT, "%s\n%d", "two", 2),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(error.status, SCRIM_E_LIMIT);
    printed("sample", &error, line, sizeof line);
    CHECK_STR(line, "scrim-test sample: two?2; so\n");
    CHECK_STR(error.message, "two\n2"); /* as it was */
    printed(NULL, &error, line, sizeof line);
    CHECK_STR(line, "scrim-test: two?2; so\n");

    char word[2 * SCRIM_MESSAGE_BYTES];
    memset(word, 'a', sizeof word);
    word[sizeof word - 1] = '\0';
    CHECK_STATUS(sc_complaint_fill(&error, SCRIM_E_PARAM, "%s", word), SCRIM_E_PARAM);
    CHECK_INT(printed(NULL, &error, line, sizeof line),
              strlen("scrim-test: ; so\n") + SCRIM_MESSAGE_BYTES - 1);
}

TEST(complaint_is_appended_to_whole)
{
    scrim_error error;
    char room[SCRIM_MESSAGE_BYTES];
    CHECK_STATUS(sc_complaint_fill(&error, SCRIM_E_BUDGET, "too dear"), SCRIM_E_BUDGET);
    sc_complaint_append(&error, "; ask for less");
    CHECK_STR(error.message, "too dear; ask for less");
    CHECK_STATUS(error.status, SCRIM_E_BUDGET);

    const size_t left = sizeof error.message - 1 - strlen(error.message);
    memset(room, 'x', sizeof room);
    room[left + 1] = '\0';
    sc_complaint_append(&error, "%s", room);
    CHECK_STR(error.message, "too dear; ask for less");
    room[left] = '\0';
    sc_complaint_append(&error, "%s", room);
    CHECK_INT(strlen(error.message), sizeof error.message - 1);
}

/* Did you mean. */

static const char *fruit_at(size_t index)
{
    static const char *const fruit[] = {"apple", "--pear", "-n"};
    return index < COUNT(fruit) ? fruit[index] : NULL;
}

TEST(nearest_name_is_near)
{
    CHECK_STR(sc_nearest_name("aple", fruit_at), "apple");
    CHECK_STR(sc_nearest_name("paple", fruit_at), "apple");
    CHECK_STR(sc_nearest_name("--paer", fruit_at), "--pear");
    CHECK_STR(sc_nearest_name("paer", fruit_at), "--pear");
    CHECK(sc_nearest_name("grape", fruit_at) == NULL);
    CHECK(sc_nearest_name("-x", fruit_at) == NULL);
    CHECK(sc_nearest_name("", fruit_at) == NULL);
}

/* Names of three letters only, so that many are near and equally near; the last is too
 * long to be near to anything, the one before it is not. */
static const char *const names[] = {
    "abc",
    "abcabc",
    "cab",
    "bb",
    "aabbcc",
    "cabbac",
    "a",
    "bacbacbac",
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccca",
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"};

static const char *name_at(size_t index)
{
    return index < COUNT(names) ? names[index] : NULL;
}

TEST(nearest_of_names_that_come_one_by_one)
{
    sc_nearest nearest;
    sc_nearest_init(&nearest, "adlut");
    CHECK(!sc_nearest_offer(&nearest, "people"));
    CHECK_STR(nearest.name, "");
    CHECK(sc_nearest_offer(&nearest, "adults"));
    CHECK(sc_nearest_offer(&nearest, "adult"));
    CHECK(!sc_nearest_offer(&nearest, "adul"));
    CHECK_STR(nearest.name, "adult");
    char many[100];
    snprintf(many, sizeof many, "%099d", 0);
    CHECK(!sc_nearest_offer(&nearest, many));
    sc_nearest_init(&nearest, many);
    CHECK(!sc_nearest_offer(&nearest, many));
}

SLOW_TEST(nearest_name_is_that_of_the_library)
{
    size_t found = 0, words = 0;
    for (unsigned number = 0; number < 3 * 6561; number++, words++) {
        char word[16] = ""; /* the digits of the number, in base 3 */
        size_t length = 0;
        for (unsigned rest = number; rest > 0; rest /= 3)
            word[length++] = (char)('a' + rest % 3);
        const char *nearest = sc_nearest_name(word, name_at);
        found += nearest != NULL;
        if (nearest != sc_text_nearest(sc_text_of(word), names, COUNT(names)))
            CHECK_FAIL("near to '%s' is %s", word, nearest == NULL ? "nothing" : nearest);
    }
    CHECK(found > 0 && found < words);

    for (size_t length = 60; length <= 66; length++) {
        char word[72] = "";
        memset(word, 'c', length);
        CHECK(sc_nearest_name(word, name_at) ==
              sc_text_nearest(sc_text_of(word), names, COUNT(names)));
    }
}
