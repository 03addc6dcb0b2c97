#include "base/memory.h"
#include "body_scene.h"
#include "check.h"
#include "faults.h"
#include "solve/body.h"

#include <stdio.h>
#include <string.h>

static char text[8192];

static const char *format(const sc_body *body)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_body_write(body, &sink);
    CHECK(sink.length < sizeof text);
    return text;
}

TEST(body_file_gives_the_same_body)
{
    CLAIM("body.file");
    sc_body *body = scene_square(), *again = NULL;
    SC_OWN(sc_ratio, bound);
    char first[sizeof text];
    REQUIRE(body != NULL);
    REQUIRE_OK(sc_body_set_text(body, SC_BODY_LABEL, "two\nlines \"\xc3\xa9\"", NULL));
    memcpy(first, format(body), sizeof first);
    REQUIRE_OK(sc_body_read(sc_text_of(first), &again, NULL));
    CHECK_STR(format(again), first);
    CHECK_STR(again->texts[SC_BODY_LABEL], "two\nlines \"\xc3\xa9\"");
    sc_body_bound(again, 1, &bound);
    CHECK_INT(sc_ratio_sign(&bound), -1);
    sc_body_free(body);
    sc_body_free(again);
}

/* A file with one place changed. */
static void check_refused(const char *whole, const char *old, const char *fresh,
                          scrim_status want)
{
    static char changed[sizeof text + 64];
    sc_body *body = NULL;
    const char *at = strstr(whole, old);
    REQUIRE(at != NULL);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, fresh,
             at + strlen(old));
    if (!CHECK_STATUS(sc_body_read(sc_text_of(changed), &body, NULL), want))
        CHECK_FAIL("%s for %s", fresh, old);
    CHECK(body == NULL);
    sc_body_free(body);
}

TEST(body_file_refuses_hostile_texts)
{
    CLAIM("body.file");
    sc_body *body = scene_square();
    static char whole[sizeof text];
    REQUIRE(body != NULL);
    memcpy(whole, format(body), sizeof whole);
    sc_body_free(body);
    static const struct {
        const char *old, *fresh;
        scrim_status want;
    } cases[] = {
        {"scrim-body-1", "scrim-body-2", SCRIM_E_SYNTAX},
        {"\"column_count\": 2", "\"column_count\": 3", SCRIM_E_SYNTAX},
        {"\"column_count\": 2", "\"column_count\": 65", SCRIM_E_PARAM},
        {"\"column_count\": 2", "\"column_count\": 0", SCRIM_E_PARAM},
        {"\"direction_count\": 4", "\"direction_count\": 5", SCRIM_E_SYNTAX},
        {"\"direction_count\": 4", "\"direction_count\": 18446744073709551615",
         SCRIM_E_PARAM},
        {"\"q\": \"0.9\"", "\"q\": \"1\"", SCRIM_E_PARAM},
        {"\"q\": \"0.9\"", "\"q\": \"0\"", SCRIM_E_PARAM},
        {"\"q\": \"0.9\"", "\"q\": \"nan\"", SCRIM_E_SYNTAX},
        {"\"q\": \"0.9\"", "\"q\": \"1e-400\"", SCRIM_E_PARAM},
        {"\"epsilon\": \"1\"", "\"epsilon\": \"-1\"", SCRIM_E_PARAM},
        {"\"name\": \"x\"", "\"name\": \"y\"", SCRIM_E_PARAM},
        {"\"name\": \"x\"", "\"name\": \"\"", SCRIM_E_PARAM},
        {"\"name\": \"x\"", "\"name\": \"a\\nb\"", SCRIM_E_PARAM},
        {"\"low\": \"0\"", "\"low\": \"1000000\"", SCRIM_E_PARAM},
        {"\"step\": \"1\"", "\"step\": \"0\"", SCRIM_E_PARAM},
        {"\"scale\": \"10\"", "\"scale\": \"-10\"", SCRIM_E_PARAM},
        {"\"scale\": \"10\"", "\"scale\": \"1e-300\"", SCRIM_E_LIMIT},
        {"\"step\": \"1\"", "\"step\": \"1e300\"", SCRIM_E_LIMIT},
        {"[1073741824, 0]", "[1073741824, 1073741824]", SCRIM_E_PARAM},
        {"[1073741824, 0]", "[0, 0]", SCRIM_E_PARAM},
        {"[1073741824, 0]", "[4294967296, 0]", SCRIM_E_SYNTAX},
        {"[1073741824, 0]", "[1073741824, 0, 0]", SCRIM_E_SYNTAX},
        {"[1073741824, 0]", "[1.0, 0]", SCRIM_E_SYNTAX},
        {"\"cells\": 64", "\"cells\": 0", SCRIM_E_PARAM},
        {"\"offset\": 48", "\"offset\": 65", SCRIM_E_PARAM},
        {"\"offset\": 48", "\"offset\": -1", SCRIM_E_SYNTAX},
        {"]}", "]} x", SCRIM_E_SYNTAX},
        {"]}", "]", SCRIM_E_SYNTAX},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_refused(whole, cases[i].old, cases[i].fresh, cases[i].want);
}

TEST(body_survives_without_memory)
{
    sc_body *body = scene_square();
    static char whole[sizeof text];
    REQUIRE(body != NULL);
    memcpy(whole, format(body), sizeof whole);
    sc_body_free(body);
    FAULT_LOOP(fault)
    {
        sc_body *again = NULL;
        const scrim_status status = sc_body_read(sc_text_of(whole), &again, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        CHECK((again != NULL) == (status == SCRIM_OK));
        sc_body_free(again);
    }
}
