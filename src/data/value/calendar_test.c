#include "check.h"
#include "data/value/calendar.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

TEST(calendar_counts_days)
{
    int64_t day = 7;
    CHECK(sc_calendar_parse(sc_text_of("1970-01-01"), &day));
    CHECK_INT(day, 0);
    CHECK(sc_calendar_parse(sc_text_of("0000-01-01"), &day));
    CHECK_INT(day, SC_CALENDAR_FIRST);
    CHECK(sc_calendar_parse(sc_text_of("9999-12-31"), &day));
    CHECK_INT(day, SC_CALENDAR_LAST);
    CHECK(sc_calendar_parse(sc_text_of("2000-02-29"), &day));
    CHECK_INT(day, 11016);
}

TEST(calendar_refuses_what_is_no_date)
{
    static const char *const wrong[] = {
        "",           "2020-1-1",   "2020-02-30", "2019-02-29",  "1900-02-29",
        "2020-13-01", "2020-00-01", "2020-01-00", "2020-01-32",  "2020-04-31",
        "2020/01/01", "20200101",   "-020-01-01", "2020-01-01 ", " 2020-01-01",
        "2020-01-0x", "+020-01-01"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t day = 42;
        CHECK(!sc_calendar_parse(sc_text_of(wrong[i]), &day));
        CHECK_INT(day, 42);
    }
}

/* Every day has one name, names follow each other, and the C library agrees. */
TEST(calendar_names_every_day_once)
{
    char text[SC_CALENDAR_TEXT_BYTES + 1], other[64];
    const int64_t step = (int64_t)check_count(37, 1);
    for (int64_t day = SC_CALENDAR_FIRST; day <= SC_CALENDAR_LAST; day += step) {
        int64_t again = 0;
        sc_calendar_format(day, text);
        if (!CHECK(sc_calendar_parse(sc_text_of(text), &again)) || !CHECK_INT(again, day))
            return;
        const time_t seconds = (time_t)day * 86400;
        struct tm parts;
        REQUIRE(gmtime_r(&seconds, &parts) != NULL);
        snprintf(other, sizeof other, "%04d-%02d-%02d", parts.tm_year + 1900,
                 parts.tm_mon + 1, parts.tm_mday);
        if (!CHECK_STR(text, other))
            return;
    }
}

/* 2026: summer from the 29th of March, 01:00 UTC, to the 25th of October, 01:00 UTC. */
static const char berlin[] =
    "Europe/Berlin 2025-12-30/2027-01-03 +01:00 2026-03-29T01:00:00Z+02:00 "
    "2026-10-25T01:00:00Z+01:00";
#define SUMMER INT64_C(1774746000)
#define WINTER INT64_C(1792890000)

TEST(zone_line_has_its_changes)
{
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_zone_parse(sc_text_of(berlin), &arena, &zone, NULL));
    CHECK_INT(zone->count, 3);
    CHECK_INT(zone->from[1], SUMMER);
    CHECK_INT(zone->from[2], WINTER);
    CHECK_INT(zone->offsets[0], 3600);
    CHECK_INT(zone->offsets[1], 7200);
    CHECK_INT(zone->last - zone->first, 369);
    CHECK(sc_text_is(zone->name, "Europe/Berlin"));
    CHECK_INT(sc_zone_local(zone, SUMMER - 1), SUMMER - 1 + 3600);
    CHECK_INT(sc_zone_local(zone, SUMMER), SUMMER + 7200);
    CHECK_INT(sc_zone_local(zone, WINTER - 1), WINTER - 1 + 7200);
    CHECK_INT(sc_zone_local(zone, WINTER), WINTER + 3600);
    sc_arena_clear(&arena);
}

/* Every second about the changes: back and forth, but in the hour that comes twice, where the later
 * one is meant, and in the gap, which is moved behind it. */
TEST(zone_every_local_time_has_an_instant)
{
    CLAIM("zone.total");
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_zone_parse(sc_text_of(berlin), &arena, &zone, NULL));
    for (int64_t t = -10000; t < 10000; t++) {
        const int64_t of_summer = SUMMER + t, of_winter = WINTER + t;
        CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, of_summer)), of_summer);
        CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, of_winter)),
                  t >= -3600 && t < 0 ? of_winter + 3600 : of_winter);
        /* 02:30 on the 29th of March is 03:30. */
        if (t >= 0 && t < 3600)
            CHECK_INT(sc_zone_instant(zone, of_summer + 3600), of_summer);
    }
    sc_arena_clear(&arena);
}

TEST(zone_lines_that_are_none)
{
    static const char *const wrong[] = {
        "",
        "Europe/Berlin",
        "CET",
        "utc",
        "+1",
        "+16:00",
        "01:00",
        "+01:00 x",
        "Europe/Berlin 2026-01-01/2025-01-01 +01:00",
        "Europe/Berlin 2025-01-01/2026-01-01",
        "Europe/Berlin 2025-01-01/2026-01-01 1",
        "Europe/Berlin 2025-01-01/2026-01-01 +01:00 2025-03-30T01:00:00+02:00",
        ("Europe/Berlin 2025-01-01/2026-01-01 +01:00 2025-03-30T01:00:00Z+02:00 "
         "2025-03-30T01:00:00Z+01:00"),
        "../Berlin 2025-01-01/2026-01-01 +01:00",
    };
    static const struct {
        const char *text;
        int64_t offset;
    } fixed[] = {
        {"UTC", 0}, {"+00:00", 0}, {"-03:30", -12600}, {"+05", 18000}, {"+0545", 20700}};
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!CHECK_STATUS(sc_zone_parse(sc_text_of(wrong[i]), &arena, &zone, NULL),
                          SCRIM_E_PARAM))
            CHECK_STR(wrong[i], "");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (CHECK_STATUS(sc_zone_parse(sc_text_of(fixed[i].text), &arena, &zone, NULL),
                         SCRIM_OK)) {
            CHECK_INT(zone->offsets[0], fixed[i].offset);
            CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, 12345)), 12345);
        }
    sc_arena_clear(&arena);
}

TEST(date_form_is_one_of_few)
{
    CLAIM("date-form.total");
    static const struct {
        const char *text;
        bool is_form;
    } rows[] = {
        {"DD.MM.YYYY", true},   {"YYYY-MM-DD", true},       {"M/D/YYYY", true},
        {"YYYYMMDD", true},     {"DD. MM. YYYY", true},     {"DD MM YYYY", true},
        {"D.M.YYYY", true},     {"YYYYMMD", true},          {"", false},
        {"DD.MM", false},       {"DD.MM.YY", false},        {"DD.MM.YYYYY", false},
        {"DD.MMM.YYYY", false}, {"DDD.MM.YYYY", false},     {"dd.mm.yyyy", true},
        {"dd.mm.yy", false},    {"%d.%m.%Y", false},        {"DD.MM.YYYY.", false},
        {".DD.MM.YYYY", false}, {"DD,MM,YYYY", false},      {"DDMYYYY", false},
        {"DMMYYYY", false},     {"DD.DD.YYYY", false},      {"DD.MM.YYYY.DD", false},
        {"DD1MM1YYYY", false},  {"DD. . . .MM.YYYY", true}, {"DD. . . . MM.YYYY", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_date_form form = {.bytes = 0};
        if (sc_date_form_parse(sc_text_of(rows[i].text), &form) != rows[i].is_form)
            CHECK_FAIL("'%s'", rows[i].text);
        CHECK_INT(form.bytes > 0, rows[i].is_form);
    }
}

TEST(date_form_reads_what_is_written_so)
{
    CLAIM("date-form.total");
    static const struct {
        const char *form, *text, *day, *rest; /* day is NULL: the text is invalid */
    } rows[] = {
        {"DD.MM.YYYY", "31.12.2023", "2023-12-31", ""},
        {"DD.MM.YYYY", "29.02.2024 10:00", "2024-02-29", " 10:00"},
        {"DD.MM.YYYY", "29.02.2023", NULL, NULL},
        {"DD.MM.YYYY", "1.12.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.1.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.01.23", NULL, NULL},
        {"DD.MM.YYYY", "01/01/2023", NULL, NULL},
        {"DD.MM.YYYY", "2023-01-01", NULL, NULL},
        {"DD.MM.YYYY", "00.01.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.13.2023", NULL, NULL},
        {"DD.MM.YYYY", "01.01.20234", "2023-01-01", "4"}, /* the reader refuses a rest */
        {"DD.MM.YYYY", "", NULL, NULL},
        {"DD.MM.YYYY", "31.12.", NULL, NULL},
        {"MM/DD/YYYY", "12/31/2023", "2023-12-31", ""},
        {"MM/DD/YYYY", "31/12/2023", NULL, NULL},
        {"D.M.YYYY", "1.2.2023", "2023-02-01", ""},
        {"D.M.YYYY", "01.02.2023", "2023-02-01", ""},
        {"D.M.YYYY", "001.2.2023", NULL, NULL},
        {"D.M.YYYY", ".2.2023", NULL, NULL},
        {"YYYY/M/D", "2023/2/1T", "2023-02-01", "T"},
        {"YYYYMMDD", "20230201", "2023-02-01", ""},
        {"YYYYMMDD", "2023021", NULL, NULL},
        {"YYYYMMD", "2023021", "2023-02-01", ""},
        {"DD. MM. YYYY", "01. 02. 0000", "0000-02-01", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_date_form form;
        char text[SC_CALENDAR_TEXT_BYTES + 1] = "";
        sc_text rest = sc_text_of(rows[i].text);
        int64_t day = 0;
        REQUIRE(sc_date_form_parse(sc_text_of(rows[i].form), &form));
        const bool is_read = sc_date_form_take(&form, &rest, &day);
        if (is_read)
            sc_calendar_format(day, text);
        if (is_read != (rows[i].day != NULL) ||
            (is_read && (!sc_text_is(sc_text_of(text), rows[i].day) ||
                         !sc_text_is(rest, rows[i].rest))))
            CHECK_FAIL("%s of '%s': %s", rows[i].form, rows[i].text, text);
        if (!is_read)
            CHECK(sc_text_is(rest, rows[i].text));
    }
}

/* Every day comes back, by its form and by no day else. */
TEST(date_form_knows_every_day)
{
    CLAIM("date-form.total");
    sc_date_form form;
    REQUIRE(sc_date_form_parse(sc_text_of("D.MM/YYYY"), &form));
    for (int64_t day = SC_CALENDAR_FIRST; day <= SC_CALENDAR_LAST; day += 97) {
        char plain[SC_CALENDAR_TEXT_BYTES + 1], text[32];
        int64_t back = 0;
        sc_calendar_format(day, plain);
        const int of_month = (plain[8] - '0') * 10 + plain[9] - '0';
        snprintf(text, sizeof text, "%d.%.2s/%.4s", of_month, plain + 5, plain);
        sc_text rest = sc_text_of(text);
        if (!sc_date_form_take(&form, &rest, &back) || back != day || rest.bytes > 0)
            CHECK_FAIL("'%s'", text);
    }
}

/* Whatever is written is read as the same day. */
TEST(date_form_reads_what_it_writes)
{
    static const char *const forms[] = {"DD.MM.YYYY", "D.M.YYYY", "MM/DD/YYYY",
                                        "YYYYMMDD",   "YYYY M-D", "M/D/YYYY"};
    static const int64_t days[] = {SC_CALENDAR_FIRST, -1, 0, 18321, 19999,
                                   SC_CALENDAR_LAST};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        sc_date_form form;
        if (!CHECK(sc_date_form_parse(sc_text_of(forms[i]), &form)))
            continue;
        for (size_t k = 0; k < sizeof days / sizeof *days; k++) {
            char text[SC_DATE_FORM_TEXT];
            int64_t day = 1;
            sc_date_form_put(&form, days[k], text);
            sc_text rest = sc_text_of(text);
            CHECK(sc_date_form_take(&form, &rest, &day) && rest.bytes == 0);
            CHECK_INT(day, days[k]);
        }
    }
    sc_date_form form;
    char text[SC_DATE_FORM_TEXT];
    CHECK(sc_date_form_parse(sc_text_of("D.M.YYYY"), &form));
    sc_date_form_put(&form, 0, text);
    CHECK_STR(text, "1.1.1970");
}

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

/* A written moment is read as itself, also where a local time comes twice. */
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
    CHECK(sc_date_form_parse(sc_text_of("dd.mm.yyyy"), &form));
    CHECK(sc_moment_read(zone, &form, sc_text_of("02.01.1970 00:00:07"), &moment));
    CHECK_INT(moment.seconds, 86407);
    CHECK(!sc_moment_read(zone, &form, sc_text_of("1970-01-02 00:00"), &moment));
    sc_arena_clear(&arena);
}
