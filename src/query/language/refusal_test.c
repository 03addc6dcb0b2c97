#include "check.h"
#include "queries.h"
#include "query/language/refusal.h"

#include <stdio.h>
#include <string.h>

static const char *caret(const char *text, size_t offset, size_t bytes)
{
    static char out[SC_CARET_BYTES];
    const size_t length =
        sc_refusal_caret(sc_text_of(text), sc_span_at(offset, bytes), out, sizeof out);
    CHECK(length < sizeof out);
    CHECK_INT(length, strlen(out));
    return out;
}

TEST(refusal_keeps_place_and_line)
{
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    CHECK_STATUS(sc_refuse(&refusal, sc_span_at(3, 2), SCRIM_E_POLICY, "%s: no\n", "x"),
                 SCRIM_E_POLICY);
    CHECK_INT(refusal.place.offset, 3);
    CHECK_INT(refusal.place.bytes, 2);
    CHECK_STATUS(error.status, SCRIM_E_POLICY);
    CHECK_STR(error.message, "x: no?");
    refusal.error = NULL;
    CHECK_STATUS(sc_refuse_memory(&refusal), SCRIM_E_MEMORY);
    CHECK_INT(sc_span_join(sc_span_at(2, 3), sc_span_at(7, 4)).bytes, 9);
}

TEST(refusal_caret_stands_under_the_place)
{
    CLAIM("refusal.caret");
    CHECK_STR(caret("SELECT sx", 7, 2), "SELECT sx\n       ^^");
    CHECK_STR(caret("SELECT", 6, 0), "SELECT\n      ^");
    CHECK_STR(caret("", 0, 0), "\n^");
    CHECK_STR(caret("", 9, 9), "\n^");
    /* the line of the place, and no more carets than it has characters */
    CHECK_STR(caret("SELECT\n  sx\nGROUP", 9, 2), "  sx\n  ^^");
    CHECK_STR(caret("SELECT\r\nsx", 8, 2), "sx\n^^");
    CHECK_STR(caret("ab\ncd", 1, 4), "ab\n ^");
    /* a character is one column, a tab is shown as a space */
    CHECK_STR(caret("'\xc3\xa4\xc3\xb6' x", 7, 1), "'\xc3\xa4\xc3\xb6' x\n     ^");
    CHECK_STR(caret("\tx", 1, 1), " x\n ^");
    /* what would steer a terminal, or turn its text, or is no character */
    CHECK_STR(caret("a\x1b[2Jb", 1, 1), "a?[2Jb\n ^");
    CHECK_STR(caret("a\xff", 1, 1), "a?\n ^");
    CHECK_STR(caret("\xe2\x80\xaez", 3, 1), "???z\n   ^");
}

TEST(refusal_caret_shows_a_part_of_a_long_line)
{
    char text[401], want[2 * SC_CARET_COLUMNS + 2];
    memset(text, 'x', 400);
    text[400] = '\0';
    text[200] = 'y';
    memset(want, 'x', SC_CARET_COLUMNS);
    want[SC_CARET_COLUMNS / 2] = 'y';
    want[SC_CARET_COLUMNS] = '\n';
    memset(want + SC_CARET_COLUMNS + 1, ' ', SC_CARET_COLUMNS / 2);
    memcpy(want + SC_CARET_COLUMNS + 1 + SC_CARET_COLUMNS / 2, "^", 2);
    CHECK_STR(caret(text, 200, 1), want);
    /* near its end, all that there is room for */
    CHECK_INT(strlen(caret(text, 399, 1)), 2 * (sc_int128)SC_CARET_COLUMNS + 1);
    CHECK_INT(strlen(caret(text, 400, 0)), 2 * (sc_int128)SC_CARET_COLUMNS);
    CHECK_STR(caret("SELECT sex, COUNT(*) AS n GROUP BY sex HAVING cnt > 3", 46, 3),
              "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING cnt > 3\n"
              "                                              ^^^");
    /* carets end with the line that is shown */
    const char *shown = caret(text, 200, 200);
    CHECK_INT(strlen(shown), 2 * (sc_int128)SC_CARET_COLUMNS + 1);
    CHECK_INT(shown[strlen(shown) - 1], '^');
    /* the widest of all */
    for (size_t i = 0; i < 400; i += 4)
        memcpy(text + i, "\xf0\x9f\x98\x80", 4);
    CHECK_INT(strlen(caret(text, 0, 400)), 5 * SC_CARET_COLUMNS + 1);
}

TEST(forbidden_words_in_any_case)
{
    CHECK(sc_forbidden_word(sc_text_of("join")) != NULL);
    CHECK(sc_forbidden_word(sc_text_of("UnIoN")) != NULL);
    CHECK(sc_forbidden_word(sc_text_of("unions")) == NULL);
    CHECK(sc_forbidden_word(sc_text_of("")) == NULL);
    CHECK(sc_forbidden_function(sc_text_of("row_number")) != NULL);
    CHECK(sc_forbidden_function(sc_text_of("SUM")) == NULL);
    CHECK(sc_forbidden_function(sc_text_of("join")) == NULL);
}

/* The text is refused at the word, in one line that begins with it. */
static void check_refused(const sc_forbidden *one, const char *before, const char *behind)
{
    char text[100], want[400];
    query_reading reading;
    snprintf(text, sizeof text, "%s%s%s", before, one->word, behind);
    snprintf(want, sizeof want, "%s: %s", one->word, one->reason);
    query_read(&reading, sc_text_of(text));
    if (!CHECK_STATUS(reading.status, SCRIM_E_POLICY) ||
        !CHECK_STR(reading.error.message, want) ||
        !CHECK_STR(reading.error.parameter, one->word) ||
        !CHECK_INT(reading.refusal.place.offset, strlen(before)) ||
        !CHECK_INT(reading.refusal.place.bytes, strlen(one->word)))
        CHECK_STR(text, one->word);
    query_forget(&reading);
}

TEST(forbidden_words_are_refused_where_they_stand)
{
    const sc_forbidden *one;
    CLAIM("parse.refusals");
    for (one = sc_forbidden_words; one->word != NULL; one++) {
        const bool is_word =
            strspn(one->word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(one->word);
        if (!is_word || strcmp(one->word, "SELECT") == 0)
            continue;
        if (strcmp(one->word, "WITH") != 0) /* it may stand in place of SELECT */
            check_refused(one, "", " x");
        if (strcmp(one->word, "JOIN") != 0) /* it may stand there */
            check_refused(one, "SELECT COUNT(*) n FROM t ", " x");
        check_refused(one, "SELECT a WHERE b = 1 ", "");
    }
    for (one = sc_forbidden_functions; one->word != NULL; one++)
        check_refused(one, "SELECT a, ", "(a)");
}

/* Messages say what to do, in few words; lists are in order, each word once. */
TEST(forbidden_lists_are_well_formed)
{
    static const sc_forbidden *const lists[] = {sc_forbidden_words,
                                                sc_forbidden_functions};
    for (size_t i = 0; i < COUNT(lists); i++)
        for (const sc_forbidden *one = lists[i]; one->word != NULL; one++) {
            CHECK(one == lists[i] || strcmp(one[-1].word, one->word) < 0);
            CHECK(strlen(one->reason) < 150);
            CHECK(strchr(one->reason, '\n') == NULL);
        }
}
