#include "base/number/own.h"
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

TEST(reasons_are_pinned_and_named)
{
    static const struct {
        scrim_reason reason;
        int value;
        const char *name;
    } all[] = {
        {SCRIM_REASON_NONE, 0, ""},
        {SCRIM_REASON_MISSING, 1, "missing"},
        {SCRIM_REASON_UNKNOWN, 2, "unknown"},
        {SCRIM_REASON_MISSPELT, 3, "misspelt"},
        {SCRIM_REASON_SYNTAX, 4, "syntax"},
        {SCRIM_REASON_RANGE, 5, "range"},
        {SCRIM_REASON_CONFLICT, 6, "conflict"},
        {SCRIM_REASON_REPEATED, 7, "repeated"},
        {SCRIM_REASON_TAKEN, 8, "taken"},
        {SCRIM_REASON_UNSUPPORTED, 9, "unsupported"},
        {SCRIM_REASON_BUDGET, 10, "budget"},
        {SCRIM_REASON_SHARE, 11, "share"},
        {SCRIM_REASON_CAP, 12, "cap"},
        {SCRIM_REASON_OWNER, 13, "owner"},
        {SCRIM_REASON_CHANGED, 14, "changed"},
        {SCRIM_REASON_MOVED, 15, "moved"},
        {SCRIM_REASON_BUILD, 16, "build"},
        {SCRIM_REASON_DAMAGED, 17, "damaged"},
        {SCRIM_REASON_OPEN, 18, "open"},
        {SCRIM_REASON_COMPLETE, 19, "complete"},
        {SCRIM_REASON_CANCELLED, 20, "cancelled"},
        {SCRIM_REASON_LOCKED, 21, "locked"},
    };
    size_t named = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK_INT(all[i].reason, all[i].value);
        CHECK_STR(scrim_reason_name(all[i].reason), all[i].name);
    }
    for (int value = 0; value < 1000; value++)
        named += scrim_reason_name((scrim_reason)value)[0] != '\0';
    CHECK_INT(named + 1, sizeof all / sizeof *all);
}

TEST(fail_gives_a_reason_that_stays_with_its_cause)
{
    scrim_error error = {.message = ""}, outer = {.message = ""};
    CHECK_STATUS(sc_fail_for(&error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "delta",
                             "%s is missing", "delta"),
                 SCRIM_E_PARAM);
    CHECK_STATUS(error.status, SCRIM_E_PARAM);
    CHECK_INT(error.reason, SCRIM_REASON_MISSING);
    CHECK_STR(error.parameter, "delta");
    CHECK_STR(error.message, "delta is missing");
    CHECK_STATUS(
        sc_fail_again(&outer, SCRIM_E_LIMIT, &error, "part %d: %s", 2, error.message),
        SCRIM_E_LIMIT);
    CHECK_STATUS(outer.status, SCRIM_E_LIMIT);
    CHECK_INT(outer.reason, SCRIM_REASON_MISSING);
    CHECK_STR(outer.parameter, "delta");
    CHECK_STR(outer.message, "part 2: delta is missing");
    CHECK_STATUS(sc_fail_parameter(&error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "scale",
                                   "%d is too large", 7),
                 SCRIM_E_LIMIT);
    CHECK_INT(error.reason, SCRIM_REASON_RANGE);
    CHECK_STR(error.parameter, "scale");
    CHECK_STR(error.message, "scale: 7 is too large");
    /* A failure without a reason does not keep an earlier one. */
    CHECK_STATUS(sc_fail(&outer, SCRIM_E_MEMORY, "no memory"), SCRIM_E_MEMORY);
    CHECK_INT(outer.reason, SCRIM_REASON_NONE);
    CHECK_STR(outer.parameter, "");
    CHECK_STATUS(sc_fail_for(NULL, SCRIM_E_BUDGET, SCRIM_REASON_SHARE, "rho", "too dear"),
                 SCRIM_E_BUDGET);
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

/* A long path in the middle: what failed and why stay. */
TEST(fail_leaves_out_the_middle_of_whole_characters)
{
    /* A character of one to four bytes across both cuts, in each position. */
    static const char *const characters[] = {"a", "\xc3\xbc", "\xe2\x82\xac",
                                             "\xf0\x9f\x99\x82"};
    for (size_t kind = 0; kind < 4; kind++)
        for (size_t before = 0; before < 4; before++)
            for (size_t count = 60; count < 3000; count += 97) {
                char path[12100];
                scrim_error error;
                size_t used = before;
                memset(path, 'b', before);
                for (size_t i = 0; i < count; i++, used += kind + 1)
                    memcpy(path + used, characters[kind], kind + 2);
                CHECK_STATUS(sc_fail(&error, SCRIM_E_PARAM, "'%s' is not there", path),
                             SCRIM_E_PARAM);
                const bool fits = used + strlen("'' is not there") < SCRIM_MESSAGE_BYTES;
                CHECK((strstr(error.message, " ... ") == NULL) == fits);
                CHECK(strstr(error.message, "' is not there") != NULL ||
                      used > 8000); /* too long for any path */
                CHECK(strchr(error.message, '?') == NULL);
                CHECK(strlen(error.message) > SCRIM_MESSAGE_BYTES - 8 || fits);
            }
}

TEST(status_names_the_thing_without_memory)
{
    scrim_error error;
    CHECK_INT(sc_no_memory(&error, "a law"), SCRIM_E_MEMORY);
    CHECK_STR(error.message, "out of memory for a law");
    CHECK_INT(sc_no_memory(NULL, "a law"), SCRIM_E_MEMORY);
}

/* An owner that counts how often it is cleared. */
static int clears;
typedef int counted;

static void counted_init(counted *owner)
{
    *owner = 0;
}

static void counted_clear(counted *owner)
{
    clears += 1 + *owner;
}

static scrim_status leave(scrim_status status, bool *goes_on)
{
    SC_OWN(counted, owner);
    SC_TRY(status);
    *goes_on = true;
    return SCRIM_OK;
}

TEST(status_is_passed_on_and_an_owner_is_cleared)
{
    bool goes_on = false;
    CHECK_INT(leave(SCRIM_E_BUSY, &goes_on), SCRIM_E_BUSY);
    CHECK(!goes_on && clears == 1);
    CHECK_INT(leave(SCRIM_OK, &goes_on), SCRIM_OK);
    CHECK(goes_on && clears == 2);
}
