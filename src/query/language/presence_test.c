#include "check.h"
#include "queries.h"
#include "query/language/presence.h"

#include <stdio.h>

/* Of two means: are their values present in the same rows, by public facts? */
static void check_same(const char *a, const char *b, const char *where, bool want)
{
    char text[600];
    query_asked asked;
    snprintf(text, sizeof text, "SELECT AVG(%s) AS a, AVG(%s) AS b%s", a, b, where);
    query_ask(&asked, text);
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        const sc_query_aggregate *list = asked.query->aggregates;
        const bool *is_present = asked.query->is_present;
        const bool is = sc_presence_equal(list[0].value, list[1].value, is_present);
        if (!CHECK_INT(is, want))
            CHECK_STR(text, "");
        CHECK_INT(sc_presence_equal(list[1].value, list[0].value, is_present), is);
    }
    query_forget_asked(&asked);
}

TEST(presence_is_that_of_the_same_columns)
{
    CLAIM("statistic.present");
    check_same("age", "age * 2 + 1", "", true);
    check_same("age + weight", "weight - age", "", true);
    check_same("age", "weight", "", false);
    check_same("age", "age + weight", "", false);
    check_same("age", "age + weight", " WHERE weight > 3", true);
    check_same("age", "weight", " WHERE weight > age", true);
    check_same("age", "CLAMP(age, 1, 9)", "", true);
    check_same("age", "LEAST(age, weight)", "", false);
    check_same("age", "COALESCE(age, weight)", "", false);
    check_same("age", "NULLIF(age, 3)", "", false);
    check_same("NULLIF(age, 3)", "NULLIF(age, 3)", "", true);
    check_same("CASE WHEN married THEN age END", "CASE WHEN married THEN age * 2 END", "",
               true);
    check_same("CASE WHEN married THEN age END", "CASE WHEN NOT married THEN age END", "",
               false);
    check_same("CASE WHEN married THEN age END", "CASE WHEN married THEN weight END", "",
               false);
    check_same("CASE WHEN married THEN age END", "age", "", false);
}
