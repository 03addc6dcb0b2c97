#include "check.h"
#include "data/value/calendar.h"
#include "queries.h"

#include <stdio.h>
#include <string.h>

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
        {"SELECT SUM(WEEK(age))", "WEEK asks for a date, and this is a number"},
        {"SELECT SUM(YEAR('x'))", "YEAR asks for a date, and this is text"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC('month', sex) IS NULL",
         "DATE_TRUNC asks for a date, and this is text"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC('hours', day) IS NULL",
         "DATE_TRUNC knows 'year', 'quarter', 'month', 'week' and 'day'"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC(day, 'month') IS NULL",
         "DATE_TRUNC knows 'year', 'quarter', 'month', 'week' and 'day'"},
        {"SELECT COUNT(*) WHERE DATE_TRUNC(day) IS NULL",
         "it is called as DATE_TRUNC('month', d)"},
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
