#include "base/status.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

TEST(status_codes_are_pinned_and_named)
{
    static const struct {
        scrim_status status;
        int value;
        const char *name;
    } all[] = {
        {SCRIM_OK, 0, "SCRIM_OK"},
        {SCRIM_E_INTERNAL, 10, "SCRIM_E_INTERNAL"},
        {SCRIM_E_ENTROPY, 11, "SCRIM_E_ENTROPY"},
        {SCRIM_E_MEMORY, 12, "SCRIM_E_MEMORY"},
        {SCRIM_E_PARAM, 20, "SCRIM_E_PARAM"},
        {SCRIM_E_LIMIT, 21, "SCRIM_E_LIMIT"},
        {SCRIM_E_STATE, 22, "SCRIM_E_STATE"},
        {SCRIM_E_SYNTAX, 23, "SCRIM_E_SYNTAX"},
        {SCRIM_E_POLICY, 30, "SCRIM_E_POLICY"},
        {SCRIM_E_BUDGET, 40, "SCRIM_E_BUDGET"},
        {SCRIM_E_LEDGER, 50, "SCRIM_E_LEDGER"},
        {SCRIM_E_BUSY, 51, "SCRIM_E_BUSY"},
        {SCRIM_E_INPUT, 60, "SCRIM_E_INPUT"},
        {SCRIM_E_CHECK, 70, "SCRIM_E_CHECK"},
    };
    size_t named = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK_INT(all[i].status, all[i].value);
        CHECK_STR(scrim_status_name(all[i].status), all[i].name);
    }
    for (int value = 0; value < 1000; value++)
        named += strcmp(scrim_status_name((scrim_status)value), "SCRIM_E_UNKNOWN") != 0;
    CHECK_INT(named, sizeof all / sizeof *all);
}

TEST(status_version_agrees_with_its_parts)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SCRIM_VERSION_MAJOR, SCRIM_VERSION_MINOR,
             SCRIM_VERSION_PATCH);
    CHECK_STR(scrim_version(), text);
    CHECK_STR(scrim_version(), SCRIM_VERSION);
}

TEST(fail_fills_the_error_and_returns_the_status)
{
    scrim_error error = {.status = SCRIM_OK};
    const scrim_status status = sc_fail(&error, SCRIM_E_PARAM, "%s: %d is not %zu%c%%",
                                        "scale", -1, (size_t)7, '!');
    CHECK_STATUS(status, SCRIM_E_PARAM);
    CHECK_STATUS(error.status, SCRIM_E_PARAM);
    CHECK_STR(error.message, "scale: -1 is not 7!%");
    CHECK_STATUS(sc_fail(NULL, SCRIM_E_BUSY, "%s", "nobody listens"), SCRIM_E_BUSY);
}

TEST(fail_lets_nothing_through_that_steers_a_terminal)
{
    scrim_error error;
    const struct {
        const char *given, *shown;
    } cases[] = {
        {"one\ntwo\r\tthree", "one?two??three"},
        {"\x1b[31mred\x7f", "?[31mred?"},
        {"\xc2\x9b"
         "31m", /* the one-character escape of ECMA-48 */
         "??31m"},
        {"one\xe2\x80\xa8two\xe2\x80\xa9", "one???two???"}, /* separators of lines */
        {"\xe2\x80\xae"
         "drawkcab\xe2\x80\xac",
         "???drawkcab???"},
        {"\xe2\x81\xa6isolated\xe2\x81\xa9", "???isolated???"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"\xe2\x82\xac \xf0\x9f\x99\x82", "\xe2\x82\xac \xf0\x9f\x99\x82"},
        {"\xff\xfe", "??"},
        {"\xc0\xaf", "??"},           /* overlong */
        {"\xed\xa0\x80", "???"},      /* surrogate */
        {"\xf4\x90\x80\x80", "????"}, /* beyond Unicode */
        {"cut \xe2\x82", "cut ??"},   /* incomplete at the end, but not by us */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STATUS(sc_fail(&error, SCRIM_E_PARAM, "%s", cases[i].given), SCRIM_E_PARAM);
        CHECK_STR(error.message, cases[i].shown);
    }
}

TEST(fail_cuts_at_a_whole_character)
{
    /* A character of two, three and four bytes across the end, in each position. */
    static const char *const characters[] = {"\xc3\xbc", "\xe2\x82\xac",
                                             "\xf0\x9f\x99\x82"};
    for (size_t kind = 0; kind < 3; kind++) {
        const size_t width = kind + 2;
        for (size_t before = SCRIM_MESSAGE_BYTES - 8; before < SCRIM_MESSAGE_BYTES;
             before++) {
            char text[SCRIM_MESSAGE_BYTES + 8];
            scrim_error error;
            memset(text, 'a', before);
            memcpy(text + before, characters[kind], width + 1);
            CHECK_STATUS(sc_fail(&error, SCRIM_E_PARAM, "%s", text), SCRIM_E_PARAM);
            const bool fits = before + width < SCRIM_MESSAGE_BYTES;
            CHECK_INT(strlen(error.message), fits ? before + width : before);
            CHECK(strchr(error.message, '?') == NULL);
        }
    }
}
