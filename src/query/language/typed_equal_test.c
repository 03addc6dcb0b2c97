#include "check.h"
#include "queries.h"
#include "query/language/typed_equal.h"

#include <stdio.h>

TEST(typed_equal_tells_expressions_apart)
{
    CLAIM("statistic.once");
    /* Each differs from the first in one place. */
    static const char *const others[] = {
        "CASE WHEN sex IN ('Female') AND age IN (1, 2) THEN age / 2 ELSE 7 END",
        "CASE WHEN sex IN ('Male') AND age IN (1, 2) THEN age / 2 ELSE 7 END",
        "CASE WHEN city IN ('Female') AND age IN (1, 2) THEN age / 2 ELSE 7 END",
        "CASE WHEN sex IN ('Female') OR age IN (1, 2) THEN age / 2 ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 3) THEN age / 2 ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 2, 3) THEN age / 2 ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 2) THEN age / 3 ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 2) THEN -age ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 2) THEN bucket(age, 2) ELSE 7 END",
        "CASE WHEN sex IN ('Female') AND age IN (1, 2) THEN age / 2 ELSE 8 END",
    };
    for (size_t i = 0; i < COUNT(others); i++) {
        query_asked asked;
        char text[500];
        snprintf(text, sizeof text, "SELECT AVG(%s) AS a, AVG(%s) AS b", others[0],
                 others[i]);
        query_ask(&asked, text);
        if (CHECK_STATUS(asked.status, SCRIM_OK)) {
            const sc_query_aggregate *a = asked.query->aggregates;
            CHECK(a[0].value != a[1].value);
            CHECK(sc_typed_equal(a[0].value, a[1].value) == (i == 0));
            CHECK(sc_typed_equal(a[1].value, a[0].value) == (i == 0));
        }
        query_forget_asked(&asked);
    }
}
