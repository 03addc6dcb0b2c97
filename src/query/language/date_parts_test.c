#include "check.h"
#include "data/value/calendar.h"
#include "query/language/date_parts.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

TEST(date_parts_are_those_of_the_calendar)
{
    const int64_t stride = (int64_t)check_count(7, 1);
    for (int64_t day = SC_CALENDAR_FIRST; day <= SC_CALENDAR_LAST; day += stride) {
        char text[SC_CALENDAR_TEXT_BYTES + 1], want[64];
        const sc_date_parts parts = sc_date_parts_of(day);
        sc_calendar_format(day, text);
        snprintf(want, sizeof want, "%04d-%02d-%02d", (int)parts.year, (int)parts.month,
                 (int)parts.day);
        if (!CHECK_STR(text, want))
            return;
    }
    CHECK_INT(sc_date_parts_of(SC_CALENDAR_FIRST).year, 0);
    CHECK_INT(sc_date_parts_of(SC_CALENDAR_LAST).year, 9999);
}

/* Every day of 1900 to 2100, by SQLite's own calendar: the week is that of the Thursday. */
TEST(date_parts_are_those_of_sqlite)
{
    CLAIM("date-parts.iso");
    static const char question[] =
        "SELECT strftime('%Y', d) + 0, (strftime('%m', d) + 2) / 3, strftime('%m', d) + "
        "0,"
        " (strftime('%j', date(d, '-3 days', 'weekday 4')) - 1) / 7 + 1,"
        " (strftime('%w', d) + 6) % 7 + 1, strftime('%d', d) + 0,"
        " date(d, 'start of year'), date(d, 'start of month', '-' || ((strftime('%m', d)"
        " + 2) % 3) || ' months'), date(d, 'start of month'), date(d, '-6 days', 'weekday"
        " 1') FROM (SELECT date('1970-01-01', ? || ' days') AS d)";
    sqlite3 *database = NULL;
    sqlite3_stmt *query = NULL;
    int64_t first = 0, last = 0;
    bool is_same = sc_calendar_parse(sc_text_of("1900-01-01"), &first) &&
                   sc_calendar_parse(sc_text_of("2100-12-31"), &last);
    CHECK_INT(sqlite3_open(":memory:", &database), SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(database, question, -1, &query, NULL), SQLITE_OK);
    for (int64_t day = first; is_same && day <= last; day += check_every(5)) {
        sqlite3_bind_int64(query, 1, day);
        CHECK_INT(sqlite3_step(query), SQLITE_ROW);
        for (int part = SC_PART_YEAR; part <= SC_PART_FIRST_OF_WEEK; part++) {
            const int64_t got = sc_date_part_of((sc_date_part)part, day);
            const char *want = (const char *)sqlite3_column_text(query, part - 1);
            char text[24];
            snprintf(text, sizeof text, "%d", (int)got);
            if (sc_date_part_is_first((sc_date_part)part))
                sc_calendar_format(got, text);
            is_same &= CHECK_STR(text, want);
        }
        sqlite3_reset(query);
    }
    CHECK_INT(last - first + 1, 73414);
    sqlite3_finalize(query);
    sqlite3_close(database);
}

TEST(date_parts_go_from_one_first_day_to_the_next)
{
    for (int part = SC_PART_FIRST_OF_YEAR; part <= SC_PART_FIRST_OF_WEEK; part++) {
        const sc_date_part own = (sc_date_part)part;
        int64_t first = sc_date_part_of(own, 0);
        for (int64_t day = 0; day < 40000; day++) {
            if (day == sc_date_part_next(own, first))
                first = day;
            if (!CHECK_INT(sc_date_part_of(own, day), first))
                return;
        }
    }
}
