#include "check.h"
#include "queries.h"
#include "query/language/key_text.h"

#include <stdio.h>
#include <string.h>

/* The texts of the first key's values, from the lowest on, up to the last, with spaces between. */
static void check_texts(const char *key, const char *want)
{
    char query[256], text[SC_KEY_TEXT_BYTES], all[4096] = "",
                                              last[SC_KEY_TEXT_BYTES] = "";
    size_t at = 0;
    query_asked asked;
    snprintf(query, sizeof query, "SELECT %s AS k, COUNT(*) GROUP BY k", key);
    query_ask(&asked, query);
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        const sc_typed *typed = asked.query->keys[0].value;
        for (int64_t i = typed->extent.low - 1; i <= typed->extent.high + 1; i++) {
            const size_t length = sc_key_text(typed, i, text, sizeof text);
            CHECK(length < sizeof text && length == strlen(text));
            /* outside of the range it is the end of it */
            if (strcmp(text, last) == 0) {
                CHECK(i == typed->extent.low || i > typed->extent.high);
                continue;
            }
            snprintf(last, sizeof last, "%s", text);
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", at > 0 ? " " : "",
                                   text);
        }
        CHECK_STR(all, want);
    } else {
        CHECK_STR(asked.error.message, key);
    }
    query_forget_asked(&asked);
}

TEST(key_text_of_every_type)
{
    CLAIM("key-text.distinct");
    check_texts("BUCKET(age, 40)", "0 40 80 120");
    check_texts("CLAMP(ROUND(income, 1) / 2, -0.1, 0.1)", "-0.1 -0.05 0 0.05 0.1");
    check_texts("BUCKET(age - 60, 30) / 7", "-60/7 -30/7 0 30/7 60/7");
    check_texts("-MONTH(day + 31)", "-12 -11 -10 -9 -8 -7 -6 -5 -4 -3 -2 -1");
    check_texts("married", "false true");
    check_texts("LADDER(age, -3, 10, 20.5, 500)", "-3 10 20.5 500");
    check_texts("LADDER(day, '2020-02-01', DATE '2020-03-01')", "2020-02-01 2020-03-01");
    check_texts("BUCKET(day, 100)",
                "2019-10-31 2020-02-08 2020-05-18 2020-08-26 2020-12-04");
    check_texts("CASE WHEN age < 9 THEN 'b' WHEN age < 10 THEN 'aa' ELSE 'a c' END",
                "a c aa b");
}

TEST(rung_values_are_rounded_away_from_zero)
{
    static const int64_t cases[][3] = {{0, 0, 0},
                                       {1, 1, 1},
                                       {2, 2, 2},
                                       {3, 3, 5},
                                       {5, 3, 5},
                                       {6, 4, 10},
                                       {10, 4, 10},
                                       {11, 5, 20},
                                       {-1, -1, -1},
                                       {-3, -3, -5},
                                       {-11, -5, -20},
                                       {999999, 19, 1000000},
                                       {(int64_t)1 << 62, 57, 5000000000000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(sc_rung_of(cases[i][0]), cases[i][1]);
        CHECK_INT(sc_rung_value(cases[i][1]), cases[i][2]);
    }
}

TEST(rung_last_is_the_last_value_of_its_rung)
{
    for (int64_t rung = -57; rung < 57; rung++) {
        const int64_t last = sc_rung_last(rung);
        CHECK_INT(sc_rung_of(last), rung);
        CHECK_INT(sc_rung_of(last + 1), rung + 1);
    }
}
