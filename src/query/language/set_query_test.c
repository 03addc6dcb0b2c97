#include "check.h"
#include "queries.h"
#include "query/language/set_query.h"

#include <stdio.h>
#include <string.h>

/* The sets of a text as digits of bits, "3 1 0"; "" for one grouping. */
static void check_sets(const char *groups, size_t keys, const char *expected)
{
    query_reading reading;
    char text[300], sets[300] = "";
    snprintf(text, sizeof text, "SELECT a GROUP BY %s", groups);
    query_read(&reading, sc_text_of(text));
    if (CHECK_STATUS(reading.status, SCRIM_OK)) {
        for (size_t i = 0; i < reading.tree->set_count; i++)
            snprintf(sets + strlen(sets), sizeof sets - strlen(sets), "%s%u",
                     i == 0 ? "" : " ", (unsigned)reading.tree->sets[i]);
        CHECK_STR(sets, expected);
        CHECK_INT(reading.tree->group_count, keys);
    }
    query_forget(&reading);
}

TEST(rollup_cube_and_grouping_sets_are_lists_of_keys)
{
    CLAIM("set-query.columns");
    check_sets("a, b", 2, "");
    check_sets("ROLLUP(a, b)", 2, "3 1 0");
    check_sets("rollup(a)", 1, "1 0");
    check_sets("CUBE(a, b)", 2, "3 1 2 0");
    check_sets("CUBE(a, b, c)", 3, "7 3 5 1 6 2 4 0");
    check_sets("ROLLUP((a, b), c)", 3, "7 3 0");
    check_sets("a, ROLLUP(b, c)", 3, "7 3 1");
    check_sets("ROLLUP(a, b), c", 3, "7 5 4");
    check_sets("ROLLUP(a), ROLLUP(b)", 2, "3 1 2 0");
    check_sets("GROUPING SETS ((a, b), (a), ())", 2, "3 1 0");
    check_sets("GROUPING SETS (a, (b), (b, a))", 2, "1 2 3");
    check_sets("Grouping Sets (ROLLUP(a, b), (c))", 3, "3 1 0 4");
    check_sets("GROUPING SETS ((a, b))", 2, "");
    check_sets("GROUPING SETS ((a + 1) * 2, (a))", 2, "1 2");
    check_sets("ROLLUP((a))", 1, "1 0");
    check_sets("\"ROLLUP\"", 1, "");
}

TEST(the_query_of_a_set_has_all_columns)
{
    CLAIM("set-query.columns");
    query_asked asked;
    query_ask(&asked, "SELECT age, sex, COUNT(*) AS n, GROUPING(sex) AS g, "
                      "married GROUP BY CUBE(sex, married), ROLLUP(age)");
    if (!CHECK_STATUS(asked.status, SCRIM_OK)) {
        query_forget_asked(&asked);
        return;
    }
    const sc_query *whole = asked.query;
    CHECK_INT(whole->set_count, 8);
    CHECK_INT(whole->output_count, 6); /* with the column that is added */
    CHECK_INT(sc_query_finest_set(whole), 1);
    for (size_t set = 0; set <= whole->set_count; set++) {
        const sc_query *query = sc_query_of_set(whole, set, &asked.arena);
        const uint64_t keys = set == 0 ? 7 : whole->sets[set - 1];
        REQUIRE(query != NULL);
        size_t count = 0;
        for (size_t i = 0; i < 3; i++)
            count += keys >> i & 1;
        CHECK_INT(query->key_count, count);
        for (size_t i = 0; i < whole->output_count; i++) {
            const sc_query_output *a = &whole->outputs[i], *b = &query->outputs[i];
            CHECK(a->is_key == b->is_key && a->grouping_count == b->grouping_count);
            if (!a->is_key || a->grouping_count > 0)
                continue;
            CHECK(whole->keys[a->index].value == query->keys[b->index].value);
            CHECK(sc_query_output_is_all(query, b) == !(keys >> a->index & 1));
        }
        CHECK_INT(sc_query_grouping(query, &query->outputs[3]), !(keys & 1));
        /* The first key has the highest bit: sex, married, age. */
        CHECK_INT(sc_query_grouping(query, &query->outputs[5]),
                  4 * !(keys & 1) + 2 * !(keys & 2) + !(keys & 4));
    }
    query_forget_asked(&asked);
}
