#include "check.h"
#include "queries.h"

#include <string.h>

#define SELECTED "SELECT city, SUM(age) AS s, COUNT(*) AS n GROUP BY city HAVING "

static void check_taken(const char *query, uint64_t least, bool has_rest)
{
    query_asked asked;
    if (query_ask_well(&asked, query)) {
        CHECK_INT(asked.query->least.count, least);
        if (!CHECK((asked.query->having != NULL) == has_rest))
            CHECK_FAIL("%s", query);
    }
    query_forget_asked(&asked);
}

TEST(least_units_are_taken_out_of_having)
{
    CLAIM("least-units.taken");
    check_taken(SELECTED "COUNT(DISTINCT person_id) >= 20", 20, false);
    check_taken(SELECTED "COUNT(DISTINCT person_id) > 20", 21, false);
    check_taken(SELECTED "20 <= COUNT(DISTINCT person_id)", 20, false);
    check_taken(SELECTED "20 < count(distinct person_id)", 21, false);
    check_taken(SELECTED "s > 3 AND COUNT(DISTINCT person_id) >= 20", 20, true);
    check_taken(SELECTED "s > 3 AND COUNT(DISTINCT person_id) >= 20 AND n < 9 AND 30 <= "
                         "COUNT(DISTINCT person_id)",
                30, true);
    check_taken(SELECTED "n > 3", 0, true);
    check_taken(SELECTED "COUNT(*) > 3", 0, true);
    /* the count is in the answer: HAVING is about what is released */
    check_taken("SELECT city, COUNT(DISTINCT person_id) AS u GROUP BY city HAVING "
                "COUNT(DISTINCT person_id) >= 20",
                0, true);
}

TEST(least_units_are_refused_where_they_are_none)
{
    CLAIM("least-units.taken");
    static const char *const refused[] = {
        SELECTED "COUNT(DISTINCT person_id) <= 20",
        SELECTED "COUNT(DISTINCT person_id) = 20",
        SELECTED "COUNT(DISTINCT person_id) >= 20.5",
        SELECTED "COUNT(DISTINCT person_id) >= 20 OR n > 3",
        SELECTED "NOT COUNT(DISTINCT person_id) >= 20",
        SELECTED "COUNT(DISTINCT person_id) FILTER (WHERE married) >= 20",
        SELECTED "COUNT(age) >= 20",
        "SELECT SUM(age) AS s HAVING COUNT(DISTINCT person_id) >= 20",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        query_asked asked;
        query_ask(&asked, refused[i]);
        if (!CHECK_STATUS(asked.status, SCRIM_E_POLICY) ||
            !CHECK(strstr(asked.error.message, "needs a name from SELECT") != NULL))
            CHECK_FAIL("%s: %s", refused[i], asked.error.message);
        query_forget_asked(&asked);
    }
}
