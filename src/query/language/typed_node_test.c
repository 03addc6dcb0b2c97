#include "check.h"
#include "queries.h"
#include "query/language/typed_node.h"

#include <stdio.h>

TEST(typed_nodes_of_text_are_columns_or_not)
{
    const sc_typed column = {.operation = SC_OP_COLUMN, .type = SC_TYPE_TEXT},
                   constant = {.operation = SC_OP_CONSTANT, .type = SC_TYPE_TEXT},
                   number = {.operation = SC_OP_COLUMN, .type = SC_TYPE_NUMBER};
    CHECK(sc_typed_is_text_column(&column));
    CHECK(!sc_typed_is_text_column(&constant));
    CHECK(!sc_typed_is_text_column(&number));
    CHECK_STR(sc_type_text(SC_TYPE_NUMBER), "a number");
    CHECK_STR(sc_type_text(SC_TYPE_DATE), "a date");
    CHECK_STR(sc_type_text(SC_TYPE_BOOL), "true or false");
    CHECK_STR(sc_type_text(SC_TYPE_TEXT), "text");
}

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
