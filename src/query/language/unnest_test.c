#include "check.h"
#include "queries.h"
#include "query/language/unnest.h"

#include <string.h>

#define ASKED                                                                            \
    "SELECT part, COUNT(*), AVG(age) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 5) AS "   \
    "part GROUP BY part"

TEST(unnest_makes_a_column_and_more_groups)
{
    CLAIM("unnest.charge");
    query_asked asked;
    if (query_ask_well(&asked, ASKED)) {
        const sc_query *query = asked.query;
        const sc_schema *table = asked.schema;
        REQUIRE(query->unnest != NULL);
        CHECK_INT(query->unnest->limit, 5);
        CHECK(sc_text_is(query->unnest->separator, ";"));
        CHECK(sc_text_is(table->columns[query->unnest->list].name, "city"));
        CHECK_INT(query->unnest->column, table->column_count);
        CHECK_INT(query->schema->column_count, table->column_count + 1);
        CHECK(sc_text_is(query->schema->columns[table->column_count].name, "part"));
        CHECK_INT(query->schema->bounds.groups, (sc_int128)5 * table->bounds.groups);
        CHECK_INT(query->schema->bounds.rows, table->bounds.rows);
        /* the list is read, and its element is made */
        CHECK_INT(query->read_count, 2);
        for (size_t i = 0; i < query->read_count; i++)
            CHECK(query->reads[i] < table->column_count);
        CHECK(!query->keys[0].is_nullable);
    }
    query_forget_asked(&asked);
}

TEST(unnest_is_written_in_several_ways)
{
    static const char *const ways[] = {
        "SELECT part, COUNT(*) FROM adult, unnest(string_to_array(city, ', ') limit 1) "
        "part GROUP BY part",
        "SELECT COUNT(*), sex, part FROM adult, UNNEST(SPLIT(city, ';') LIMIT 64) AS "
        "part WHERE part LIKE 'a%' AND age > 3 GROUP BY sex, part HAVING part <> 'x'",
        "SELECT \"a b\", SUM(income) FROM adult, UNNEST(SPLIT(\"home town\", 'ä') LIMIT "
        "2) \"a b\" GROUP BY 1 ORDER BY 2 LIMIT 3",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        query_asked asked;
        CHECK(query_ask_well(&asked, ways[i]));
        query_forget_asked(&asked);
    }
}

TEST(unnest_refuses_what_has_no_bound_or_no_key)
{
    static const struct {
        const char *query;
        scrim_status status;
        const char *message;
    } list[] = {
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';')) AS p GROUP BY p",
         SCRIM_E_POLICY, "UNNEST needs the most elements"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(city LIMIT 2) AS p GROUP BY p",
         SCRIM_E_POLICY, "UNNEST takes the elements of a text"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, sex) LIMIT 2) AS p GROUP BY "
         "p",
         SCRIM_E_POLICY, "UNNEST takes the elements of a text"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(age, ';') LIMIT 2) AS p GROUP BY p",
         SCRIM_E_PARAM, "takes a column of text"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(LOWER(city), ';') LIMIT 2) AS p "
         "GROUP BY p",
         SCRIM_E_PARAM, "takes a column of text"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, '') LIMIT 2) AS p GROUP BY p",
         SCRIM_E_PARAM, "a separator must have 1 to 64 bytes"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 0) AS p GROUP BY "
         "p",
         SCRIM_E_PARAM, "above 0"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 65) AS p GROUP BY "
         "p",
         SCRIM_E_LIMIT, "at most 64"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) AS age GROUP "
         "BY "
         "age",
         SCRIM_E_PARAM, "age is a column"},
        {"SELECT COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) AS p",
         SCRIM_E_POLICY, "must be a key; add GROUP BY p"},
        {"SELECT sex, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) AS p GROUP "
         "BY "
         "sex",
         SCRIM_E_POLICY, "must be a key; add GROUP BY p"},
        {"SELECT LOWER(p) AS l, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) AS "
         "p GROUP BY l",
         SCRIM_E_POLICY, "a key cannot be computed from an element"},
        {"SELECT AVG(n) FROM (SELECT LEAST(COUNT(*), 9) AS n FROM adult, "
         "UNNEST(SPLIT(city, ';') LIMIT 2) AS p GROUP BY person_id)",
         SCRIM_E_POLICY, "UNNEST cannot be in a SELECT in FROM"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) AS p, other "
         "GROUP BY p",
         SCRIM_E_POLICY, "a join follows the dataset"},
        {"SELECT p, COUNT(*) FROM other, UNNEST(SPLIT(city, ';') LIMIT 2) AS p GROUP BY "
         "p",
         SCRIM_E_PARAM, "FROM must name adult"},
        {"SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 2) GROUP BY p",
         SCRIM_E_SYNTAX, "a name after UNNEST"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        query_asked asked;
        query_ask(&asked, list[i].query);
        if (!CHECK_STATUS(asked.status, list[i].status) ||
            !CHECK(strstr(asked.error.message, list[i].message) != NULL))
            CHECK_FAIL("%s: %s", list[i].query, asked.error.message);
        query_forget_asked(&asked);
    }
}
