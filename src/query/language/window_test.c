#include "check.h"
#include "faults.h"
#include "queries.h"
#include "query/language/date_parts.h"
#include "query/language/window.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static scrim_status divide(const char *text, uint64_t count, sc_arena *arena,
                           sc_windows *out, scrim_error *error)
{
    const sc_schema *schema = query_schema();
    const scrim_status status =
        sc_windows_parse(sc_text_of(text), schema, count, arena, out, error);
    sc_schema_free(schema);
    return status;
}

static void check_windows(const char *text, uint64_t count, const char *want)
{
    char shown[1000] = "";
    sc_arena arena;
    sc_windows windows;
    scrim_error error;
    sc_arena_init(&arena);
    if (!CHECK_STATUS(divide(text, count, &arena, &windows, &error), SCRIM_OK))
        CHECK_STR(error.message, text);
    else
        for (size_t i = 0; i < windows.count; i++)
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s..%s ",
                     windows.list[i].low.start, windows.list[i].high.start);
    CHECK_STR(shown, want);
    sc_arena_clear(&arena);
}

static void check_refused(const char *text, uint64_t count, scrim_status want,
                          const char *word)
{
    sc_arena arena;
    sc_windows windows;
    scrim_error error = {.message = ""};
    sc_arena_init(&arena);
    CHECK_STATUS(divide(text, count, &arena, &windows, &error), want);
    if (strstr(error.message, word) == NULL)
        CHECK_STR(error.message, word);
    sc_arena_clear(&arena);
}

TEST(window_divides_a_range_without_gaps)
{
    CLAIM("window.disjoint");
    check_windows("age", 1, "0..120 ");
    check_windows("age", 4, "0..29 30..59 60..89 90..120 ");
    check_windows("day", 3,
                  "2020-01-01..2020-05-01 2020-05-02..2020-08-31 "
                  "2020-09-01..2020-12-31 ");
    check_windows("weight", 2, "0..99.875 100..200 ");
    check_windows("income", 2, "-1000..49499.99 49500..100000 ");
    /* the widest range there is */
    check_windows("big", 2, "-4611686018427387904..-1 0..4611686018427387904 ");
}

TEST(window_begins_where_it_is_told)
{
    CLAIM("window.disjoint");
    check_windows("age=18,65", 0, "18..64 65..120 ");
    check_windows("age=0, 18,65", 3, "0..17 18..64 65..120 ");
    check_windows("day=2020-01-01,2020-02-01,2020-03-01", 0,
                  "2020-01-01..2020-01-31 2020-02-01..2020-02-29 "
                  "2020-03-01..2020-12-31 ");
    check_windows("age=100", 1, "100..120 ");
}

TEST(window_follows_the_calendar)
{
    CLAIM("window.disjoint");
    check_windows("day=quarter", 0,
                  "2020-01-01..2020-03-31 2020-04-01..2020-06-30 "
                  "2020-07-01..2020-09-30 2020-10-01..2020-12-31 ");
    check_windows(
        "day=month", 12,
        "2020-01-01..2020-01-31 2020-02-01..2020-02-29 2020-03-01..2020-03-31 "
        "2020-04-01..2020-04-30 2020-05-01..2020-05-31 2020-06-01..2020-06-30 "
        "2020-07-01..2020-07-31 2020-08-01..2020-08-31 2020-09-01..2020-09-30 "
        "2020-10-01..2020-10-31 2020-11-01..2020-11-30 2020-12-01..2020-12-31 ");
    check_windows("day= year ", 0, "2020-01-01..2020-12-31 ");
    check_refused("day=month", 11, SCRIM_E_PARAM, "12 windows, and 11 releases");
    check_refused("day=months", 0, SCRIM_E_PARAM, "months");
    check_refused("age=month", 0, SCRIM_E_PARAM, "month");
    check_refused("day=", 0, SCRIM_E_PARAM, "missing start");
}

static int64_t day_of(sc_text date)
{
    struct tm tm = {.tm_mday = 0};
    CHECK(sscanf(date.start, "%d-%d-%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday) == 3);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return timegm(&tm) / 86400;
}

static sc_column dates_of(int64_t low, int64_t high)
{
    return (sc_column){.name = sc_text_of("d"),
                       .type = SC_COLUMN_DATE,
                       .grid = {.low = low, .high = high}};
}

/* Whatever the range is, each day is in one window, and a window is of one week, month, quarter or year. */
TEST(window_of_the_calendar_has_each_day_once)
{
    CLAIM("window.disjoint");
    static const char *const words[] = {"d=week", "d=month", "d=quarter", "d=year"};
    static const sc_date_part parts[] = {SC_PART_FIRST_OF_WEEK, SC_PART_FIRST_OF_MONTH,
                                         SC_PART_FIRST_OF_QUARTER, SC_PART_FIRST_OF_YEAR};
    for (int64_t low = 18990; low < 19400; low += 13)
        for (int64_t days = 1; days < 800; days = days * 3 + 1)
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                sc_column column = dates_of(low, low + days - 1);
                const sc_schema schema = {.columns = &column, .column_count = 1};
                sc_arena arena;
                sc_windows windows;
                int64_t next = low;
                sc_arena_init(&arena);
                CHECK_STATUS(sc_windows_parse(sc_text_of(words[i]), &schema, 0, &arena,
                                              &windows, NULL),
                             SCRIM_OK);
                CHECK(!windows.is_partial);
                for (size_t k = 0; k < windows.count; k++) {
                    const int64_t first = day_of(windows.list[k].low),
                                  last = day_of(windows.list[k].high);
                    CHECK_INT(first, next);
                    CHECK_INT(sc_date_part_of(parts[i], last),
                              sc_date_part_of(parts[i], first));
                    CHECK(k == 0 || first == sc_date_part_of(parts[i], first));
                    next = last + 1;
                }
                CHECK_INT(next, low + days);
                sc_arena_clear(&arena);
            }
}

TEST(window_refuses_what_cannot_be_divided)
{
    check_refused("age", 0, SCRIM_E_PARAM, "missing number of windows");
    check_refused("age", 122, SCRIM_E_PARAM, "fewer values");
    check_refused("agee", 2, SCRIM_E_PARAM, "did you mean 'age'");
    check_refused("sex", 2, SCRIM_E_PARAM, "holds neither numbers nor dates");
    check_refused("married", 2, SCRIM_E_PARAM, "holds neither numbers nor dates");
    check_refused("big", SC_WINDOWS + 1, SCRIM_E_LIMIT, "at most");
    check_refused("age=1,2", 3, SCRIM_E_PARAM, "2 windows, and 3 releases");
    check_refused("age=1,121", 0, SCRIM_E_PARAM, "");
    check_refused("age=1,3,3", 0, SCRIM_E_PARAM,
                  "starts must increase; 3 is not after 3");
    check_refused("age=5,3", 0, SCRIM_E_PARAM, "3 is not after 5");
    check_refused("age=", 0, SCRIM_E_PARAM, "missing start; write COLUMN=START");
    check_refused("age=1,,3", 0, SCRIM_E_PARAM, "missing start");
    check_refused("age=1,", 0, SCRIM_E_PARAM, "missing start");
}

static void check_query(const char *query, const char *want)
{
    const sc_window window = {sc_text_of("1"), sc_text_of("602")};
    const char *text = NULL;
    query_asked asked;
    sc_arena arena;
    sc_arena_init(&arena);
    CHECK_STATUS(sc_window_query(sc_text_of(query), sc_text_of("age"), false, &window,
                                 &arena, &text, NULL),
                 SCRIM_OK);
    CHECK_STR(text, want);
    /* it is a query as well */
    query_ask(&asked, text);
    CHECK_STATUS(asked.status, SCRIM_OK);
    query_forget_asked(&asked);
    sc_arena_clear(&arena);
}

TEST(window_is_one_more_condition)
{
    CLAIM("window.filter");
    check_query("SELECT COUNT(*)", "SELECT COUNT(*) WHERE \"age\" BETWEEN 1 AND 602 ");
    check_query("select sex, count(*) AS n from adult group by sex having n > 3 limit 2;",
                "SELECT sex, COUNT(*) AS n FROM adult  WHERE \"age\" BETWEEN 1 AND 602 "
                "GROUP BY sex HAVING n > 3 LIMIT 2");
    check_query("SELECT sex, COUNT(*) WHERE married OR age > 3 GROUP BY sex",
                "SELECT sex, COUNT(*) WHERE ( married OR age > 3 ) AND \"age\" "
                "BETWEEN 1 AND 602 GROUP BY sex");
    /* neither a comment nor words in quotes hide it */
    check_query("SELECT COUNT(*) -- WHERE",
                "SELECT COUNT(*) WHERE \"age\" BETWEEN 1 AND 602 ");
    check_query("SELECT COUNT(*) WHERE city = 'GROUP BY' -- x",
                "SELECT COUNT(*) WHERE ( city = 'GROUP BY') AND \"age\" BETWEEN 1 AND "
                "602 ");
    check_query("SELECT COUNT(*) WHERE (age > 1) OR (age > 2) ORDER BY count",
                "SELECT COUNT(*) WHERE ( (age > 1) OR (age > 2) ) AND \"age\" "
                "BETWEEN 1 AND 602 ORDER BY count");
}

TEST(window_of_dates_and_strange_names)
{
    const sc_window window = {sc_text_of("2020-01-01"), sc_text_of("2020-01-31")};
    const char *text = NULL;
    sc_arena arena;
    sc_arena_init(&arena);
    CHECK_STATUS(sc_window_query(sc_text_of("SELECT COUNT(*)"), sc_text_of("a \"day\""),
                                 true, &window, &arena, &text, NULL),
                 SCRIM_OK);
    CHECK_STR(text, "SELECT COUNT(*) WHERE \"a \"\"day\"\"\" BETWEEN DATE "
                    "'2020-01-01' AND DATE '2020-01-31' ");
    /* parentheses that do not fit could let rows in that are in no window */
    static const char *const none[] = {"SELECT COUNT(*) WHERE age > 1) OR (age < 9",
                                       "SELECT COUNT(*", "SELECT 'x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        text = NULL;
        CHECK(sc_window_query(sc_text_of(none[i]), sc_text_of("day"), true, &window,
                              &arena, &text, NULL) != SCRIM_OK);
        CHECK(text == NULL);
    }
    sc_arena_clear(&arena);
}

TEST(window_query_has_its_window_whatever_memory_there_is)
{
    CLAIM("window.filter");
    const sc_window window = {sc_text_of("1"), sc_text_of("10")};
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        const char *text = NULL;
        sc_arena_init(&arena);
        const scrim_status status =
            sc_window_query(sc_text_of("SELECT COUNT(*)"), sc_text_of("day"), false,
                            &window, &arena, &text, NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        CHECK((status == SCRIM_OK) == (text != NULL && strstr(text, "BETWEEN") != NULL));
        sc_arena_clear(&arena);
    }
}
