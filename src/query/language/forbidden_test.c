#include "check.h"
#include "queries.h"
#include "query/language/forbidden.h"

#include <stdio.h>
#include <string.h>

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
        check_refused(one, "", " x"); /* in place of SELECT */
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
            CHECK(strlen(one->reason) < 130);
            CHECK(strchr(one->reason, '\n') == NULL);
        }
}
