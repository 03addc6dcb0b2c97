#include "check.h"
#include "data/value/calendar.h"

#include <stdio.h>
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
