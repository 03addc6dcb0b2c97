#include "check.h"
#include "data/value/calendar.h"
#include "queries.h"
#include "query/language/date_parts.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

SLOW_TEST(date_parts_are_those_of_the_calendar)
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
SLOW_TEST(date_parts_are_those_of_sqlite)
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

/* A date column of a range, and one key made of it. */
static void check_range(int64_t low, int64_t high, const char *expression,
                        sc_date_part part)
{
    char from[SC_CALENDAR_TEXT_BYTES + 1], to[SC_CALENDAR_TEXT_BYTES + 1], policy[200],
        text[200];
    const sc_schema *schema = NULL;
    const sc_query *query = NULL;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sc_arena arena;
    sc_arena_init(&arena);
    sc_calendar_format(low, from);
    sc_calendar_format(high, to);
    snprintf(policy, sizeof policy, "unit=row\ncolumn=d=date[%s,%s]\n", from, to);
    snprintf(text, sizeof text, "SELECT %s AS k, COUNT(*) GROUP BY k", expression);
    if (CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_validate(sc_text_of(text), sc_text_of("t"), schema, &arena,
                                 &query, &refusal),
                     SCRIM_OK)) {
        const sc_typed *value = query->keys[0].value;
        const sc_extent *extent = &value->extent;
        int64_t least = INT64_MAX, most = INT64_MIN, at = extent->low;
        uint64_t distinct = 0;
        bool is_sound = true;
        for (int64_t day = low; day <= high; day++) {
            const int64_t own = sc_date_part_of(part, day);
            least = own < least ? own : least;
            most = own > most ? own : most;
            is_sound &= own >= extent->low && own <= extent->high;
            if (sc_date_part_is_first(part) && (day == low || own != at)) {
                is_sound &= day == low || sc_typed_next_value(value, at) == own;
                at = own;
                distinct++;
            }
        }
        /* No wider than the days of one whole, or of several. */
        is_sound &= most == extent->high || !sc_date_part_is_first(part);
        is_sound &= least == extent->low || extent->low == 1;
        if (sc_date_part_is_first(part))
            is_sound &= sc_typed_value_count(value) == distinct;
        if (!CHECK(is_sound))
            CHECK_FAIL("%s of %s to %s", expression, from, to);
    }
    sc_schema_free(schema);
    sc_arena_clear(&arena);
}

/* Ranges hold every day's part, and truncated days are counted one by one. */
TEST(typed_date_ranges_hold_every_day)
{
    CLAIM("typed.range");
    static const struct {
        const char *expression;
        sc_date_part part;
    } cases[] = {
        {"YEAR(d)", SC_PART_YEAR},
        {"QUARTER(d)", SC_PART_QUARTER},
        {"MONTH(d)", SC_PART_MONTH},
        {"WEEK(d)", SC_PART_WEEK},
        {"WEEKDAY(d)", SC_PART_WEEKDAY},
        {"DAY(d)", SC_PART_DAY},
        {"DATE_TRUNC('year', d)", SC_PART_FIRST_OF_YEAR},
        {"DATE_TRUNC('Quarter', d)", SC_PART_FIRST_OF_QUARTER},
        {"DATE_TRUNC('MONTH', d)", SC_PART_FIRST_OF_MONTH},
        {"date_trunc('week', d)", SC_PART_FIRST_OF_WEEK},
    };
    const uint64_t count = check_count(300, 20000);
    uint64_t seed = check_seed();
    for (uint64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int64_t low = (int64_t)((seed >> 33) % 40000) - 15000;
        const int64_t length = (int64_t)((seed >> 20) % (i % 2 ? 9 : 800)) + 1;
        const size_t kind = i % (sizeof cases / sizeof *cases);
        check_range(low, low + length, cases[kind].expression, cases[kind].part);
    }
    /* Less than a year apart, and the same week of two years. */
    check_range(20149, 20149 + 358, "WEEK(d)", SC_PART_WEEK);
    /* 2020 has 53 weeks, 2019 has 52. */
    check_range(18200, 18262 + 365, "WEEK(d)", SC_PART_WEEK);
}

TEST(typed_date_truncation_is_a_date)
{
    query_asked asked;
    query_ask(&asked, "SELECT DATE_TRUNC('day', day) AS k, "
                      "MEDIAN(DATE_TRUNC('month', born)) AS m WHERE DATE_TRUNC('week', "
                      "day) >= DATE '2020-03-02' AND WEEKDAY(day) < 6 GROUP BY k");
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        CHECK_INT(asked.query->keys[0].value->operation, SC_OP_COLUMN);
        CHECK_INT(asked.query->columns[0].type, SC_TYPE_DATE);
        CHECK_INT(asked.query->columns[1].type, SC_TYPE_DATE);
    }
    query_forget_asked(&asked);
}

TEST(typed_date_refuses_what_is_no_date)
{
    static const struct {
        const char *query, *message;
    } cases[] = {
        {"SELECT SUM(WEEK(age))", "WEEK needs a date, and this is a number"},
        {"SELECT SUM(YEAR('x'))", "YEAR needs a date, and this is text"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC('month', sex) IS NULL",
         "DATE_TRUNC needs a date, and this is text"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC('hours', day) IS NULL",
         "DATE_TRUNC accepts 'year', 'quarter', 'month', 'week', 'day', 'hour' and "
         "'minute'"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC(day, 'month') IS NULL",
         "DATE_TRUNC accepts 'year', 'quarter', 'month', 'week', 'day', 'hour' and "
         "'minute'"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC('hour', day) IS NULL",
         "DATE_TRUNC needs a timestamp, and this is a date"},
        {"SELECT SUM(HOUR(day))", "HOUR needs a timestamp, and this is a date"},
        {"SELECT SUM(seen)", "SUM needs a number; use t - TIMESTAMP '2026-01-01'"},
        {"SELECT COUNT(*) WHERE seen + 1 > seen", "can only be subtracted"},
        {"SELECT COUNT(*) WHERE seen > day",
         "cannot compare or combine a date with a timestamp"},
        {"SELECT COUNT(*) WHERE seen > 'x'", "not a time in whole seconds"},
        {"SELECT COUNT(*) WHERE seen > TIMESTAMP '2020-01-01 00:00:00.5'",
         "not a time in whole seconds"},
        {"SELECT BUCKET(seen, 0.5) AS b, COUNT(*) GROUP BY b",
         "width of BUCKET of a timestamp must be whole seconds"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC(day) IS NULL",
         "usage: DATE_TRUNC('month', d)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query_asked asked;
        query_ask(&asked, cases[i].query);
        CHECK_STATUS(asked.status, SCRIM_E_PARAM);
        if (!CHECK(strstr(asked.error.message, cases[i].message) != NULL))
            CHECK_STR(asked.error.message, cases[i].message);
        query_forget_asked(&asked);
    }
}

/* Keys of hours are instants: in 2020 there are as many as the year has hours, one of which looks like
 * the one before it. Days are local. */
TEST(typed_date_of_timestamps)
{
    static const struct {
        const char *expression;
        int64_t low, high;
        uint64_t count;
    } cases[] = {
        {"HOUR(seen)", 0, 23, 24},
        {"DATE_TRUNC('hour', seen)", 1577833200, 1609455600, 8784 + 1},
        {"DATE_TRUNC('day', seen)", 18262, 18628, 367},
        {"DATE_TRUNC('month', seen)", 18262, 18628, 13},
        {"WEEKDAY(seen)", 1, 7, 7},
        {"YEAR(seen)", 2020, 2021, 2},
        {"BUCKET(seen, 86400)", 18261, 18627, 367},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query_asked asked;
        char text[200];
        snprintf(text, sizeof text, "SELECT %s AS k, COUNT(*) GROUP BY k",
                 cases[i].expression);
        query_ask(&asked, text);
        if (CHECK_STATUS(asked.status, SCRIM_OK)) {
            const sc_query_key *key = &asked.query->keys[0];
            int64_t at = key->value->extent.low;
            CHECK_INT(key->value->extent.low, cases[i].low);
            CHECK_INT(key->value->extent.high, cases[i].high);
            if (!CHECK_INT(key->value_count, cases[i].count))
                CHECK_STR(text, "");
            for (uint64_t k = 1; k < key->value_count; k++)
                at = sc_typed_next_value(key->value, at);
            CHECK_INT(at, cases[i].high);
        }
        query_forget_asked(&asked);
    }
}

/* Where local time changes by half an hour, what an hour begins with is found for every instant. */
TEST(typed_date_hours_of_odd_changes)
{
    CLAIM("plan-keys.public");
    static const char policy[] =
        "unit=row\ncolumn=t=timestamp[2026-04-04,2026-04-06]/300\nzone=Australia/"
        "Lord_Howe "
        "2026-04-02/2026-04-08 +11:00 2026-04-04T15:00:00Z+10:30\n";
    const sc_schema *schema = NULL;
    const sc_query *query = NULL;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sc_arena arena;
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                     SCRIM_OK) &&
        CHECK_STATUS(
            sc_validate(
                sc_text_of("SELECT DATE_TRUNC('hour', t) AS h, COUNT(*) GROUP BY h"),
                sc_text_of("x"), schema, &arena, &query, &refusal),
            SCRIM_OK)) {
        const sc_typed *value = query->keys[0].value;
        const sc_grid *grid = &schema->columns[0].grid;
        int64_t known[100] = {value->extent.low};
        size_t count = 1;
        while (known[count - 1] < value->extent.high && count < 100) {
            known[count] = sc_typed_next_value(value, known[count - 1]);
            count++;
        }
        CHECK_INT(count, query->keys[0].value_count);
        for (int64_t at = grid->low; at <= grid->high; at++) {
            const int64_t start = sc_local_start(schema->zone, at * 300, 3600);
            size_t found = 0;
            while (found < count && known[found] != start)
                found++;
            if (!CHECK(found < count))
                break;
        }
    }
    sc_schema_free(schema);
    sc_arena_clear(&arena);
}
