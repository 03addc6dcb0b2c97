#include "check.h"
#include "data/value/moment.h"

#include <stdio.h>
#include <string.h>

static const char berlin[] =
    "Europe/Berlin 2025-12-30/2027-01-03 +01:00 2026-03-29T01:00:00Z+02:00 "
    "2026-10-25T01:00:00Z+01:00";

static const sc_zone *zone_of(const char *line, sc_arena *arena)
{
    const sc_zone *zone = NULL;
    CHECK_STATUS(sc_zone_parse(sc_text_of(line), arena, &zone, NULL), SCRIM_OK);
    return zone;
}

/* In Europe/Berlin: the values that were verified for the specification, and other forms. */
TEST(moment_is_read_in_its_zone)
{
    CLAIM("moment.total");
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"2026-10-25 02:30", "2026-10-25 02:30:00+01:00"},
        {"2026-03-29 02:30", "2026-03-29 03:30:00+02:00"},
        {"2026-06-30 23:59:60", "2026-07-01 00:00:00+02:00"},
        {"2026-10-25 02:30+02", "2026-10-25 02:30:00+02:00"},
        {"2026-10-25T02:30:00+0200", "2026-10-25 02:30:00+02:00"},
        {"2026-10-25 00:30Z", "2026-10-25 02:30:00+02:00"},
        {"2026-10-25 01:30:00 UTC", "2026-10-25 02:30:00+01:00"},
        {"2026-01-01", "2026-01-01 00:00:00+01:00"},
        {"  2026-01-01 5:07 ", "2026-01-01 05:07:00+01:00"},
        {"2026-01-01 24:00", "2026-01-02 00:00:00+01:00"},
        {"2026-07-01t12:00:00.999-08:00", "2026-07-01 22:00:00+02:00"},
        {"2026-07-01 12:00:00.5 +05:45", "2026-07-01 08:15:00+02:00"},
        {"0001-01-01 00:00:00", "0001-01-01 00:00:00+01:00"},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    const sc_zone *zone = zone_of(berlin, &arena);
    for (size_t i = 0; zone != NULL && i < sizeof cases / sizeof *cases; i++) {
        sc_moment moment;
        char text[SC_MOMENT_TEXT_BYTES];
        if (!CHECK(sc_moment_read(zone, NULL, sc_text_of(cases[i].text), &moment))) {
            CHECK_STR(cases[i].text, "");
            continue;
        }
        sc_moment_format(zone, moment.seconds, text);
        CHECK_STR(text, cases[i].want);
        CHECK_INT(moment.has_fraction, strchr(cases[i].text, '.') != NULL);
    }
    sc_arena_clear(&arena);
}

TEST(moment_is_none_otherwise)
{
    CLAIM("moment.total");
    static const char *const wrong[] = {
        "",
        "now",
        "2026-02-29",
        "2026-13-01 00:00",
        "2026-01-01T",
        "2026-01-01 12",
        "2026-01-01 12:60",
        "2026-01-01 25:00",
        "2026-01-01 24:00:01",
        "2026-01-01 12:00:61",
        "2026-01-01 12:00:00.",
        "2026-01-01 12:0",
        "2026-01-01 12:00 pm",
        "2026-01-01 12:00+",
        "2026-01-01 12:00+16",
        "2026-01-01 12:00+01:60",
        "2026-01-01 12:00 CET",
        "2026-01-0112:00",
        "1767225600",
        "01.01.2026",
    };
    sc_arena arena;
    sc_arena_init(&arena);
    const sc_zone *zone = zone_of(berlin, &arena);
    for (size_t i = 0; zone != NULL && i < sizeof wrong / sizeof *wrong; i++) {
        sc_moment moment;
        if (!CHECK(!sc_moment_read(zone, NULL, sc_text_of(wrong[i]), &moment)))
            CHECK_STR(wrong[i], "");
    }
    sc_arena_clear(&arena);
}

/* What is written is read as itself, also where a local time comes twice. */
TEST(moment_written_is_read_again)
{
    CLAIM("moment.total");
    sc_arena arena;
    sc_arena_init(&arena);
    const sc_zone *zone = zone_of(berlin, &arena);
    for (int64_t t = INT64_C(1792880000); zone != NULL && t < 1792900000; t += 7) {
        char text[SC_MOMENT_TEXT_BYTES];
        sc_moment moment = {.seconds = 0};
        sc_moment_format(zone, t, text);
        CHECK(sc_moment_read(zone, NULL, sc_text_of(text), &moment));
        if (!CHECK_INT(moment.seconds, t))
            break;
    }
    sc_arena_clear(&arena);
}

TEST(moment_is_rounded_half_up_to_steps)
{
    static const struct {
        sc_moment moment;
        int64_t step, want;
    } cases[] = {
        {{10, false, false}, 1, 10},      {{10, true, false}, 1, 10},
        {{10, true, true}, 1, 11},        {{-11, true, true}, 1, -10},
        {{1799, true, true}, 3600, 0},    {{1800, false, false}, 3600, 1},
        {{-1800, false, false}, 3600, 0}, {{-1801, false, false}, 3600, -1},
        {{1, true, true}, 3, 1},          {{1, true, false}, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_INT(sc_moment_place(&cases[i].moment, cases[i].step), cases[i].want);
}

TEST(moment_takes_other_forms_of_dates)
{
    sc_arena arena;
    sc_date_form form;
    sc_moment moment = {.seconds = 0};
    sc_arena_init(&arena);
    const sc_zone *zone = zone_of("UTC", &arena);
    CHECK(sc_date_form_parse(sc_text_of("DD.MM.YYYY"), &form));
    CHECK(sc_moment_read(zone, &form, sc_text_of("02.01.1970 00:00:07"), &moment));
    CHECK_INT(moment.seconds, 86407);
    CHECK(!sc_moment_read(zone, &form, sc_text_of("1970-01-02 00:00"), &moment));
    sc_arena_clear(&arena);
}
