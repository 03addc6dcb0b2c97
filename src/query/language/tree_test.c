#include "check.h"
#include "queries.h"

#include <string.h>

static char text_a[SC_QUERY_BYTES], text_b[SC_QUERY_BYTES];

static const char *const forms[] = {
    "SELECT COUNT(*)",
    "SELECT a AS b, \"a\"\"b\", 'it''s', DATE '2026-01-31', TRUE, FALSE, -1.5e3",
    "SELECT a - b - c * -d / 2 + (e - f) FROM \"x; DROP TABLE y\" WHERE NOT a = 1",
    "SELECT F() , F(a, b) WHERE a IN (1) OR b NOT IN ('x', 'y') AND c BETWEEN 1 AND 2",
    "SELECT SUM(x) WITH RANGE, COUNT(DISTINCT u) GROUP BY a, b HAVING n > 3",
    "SELECT CASE WHEN a < 1 THEN 2 WHEN b IS NULL THEN 3 ELSE 4 END",
    "SELECT CASE a WHEN 1 THEN 2 END ORDER BY a DESC, b ASC, c LIMIT 10;",
};

TEST(tree_text_parses_to_the_same_tree)
{
    CLAIM("tree.round-trip");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        query_reading first, second;
        query_read(&first, sc_text_of(forms[i]));
        if (!CHECK_STATUS(first.status, SCRIM_OK)) {
            CHECK_STR(first.error.message, forms[i]);
            query_forget(&first);
            continue;
        }
        query_read(&second, sc_text_of(query_formatted(first.tree, text_a)));
        if (CHECK_STATUS(second.status, SCRIM_OK)) {
            CHECK(query_tree_equal(first.tree, second.tree));
            CHECK_STR(query_formatted(second.tree, text_b), text_a);
        }
        query_forget(&first);
        query_forget(&second);
    }
}

TEST(tree_a63_names_are_quoted)
{
    CLAIM("tree.round-trip");
    query_reading reading;
    query_read(&reading, sc_text_of("SELECT \"a\"\"; DROP TABLE t; --\" AS \"x'\" FROM t "
                                    "WHERE c = '''; DROP TABLE t; --'"));
    if (CHECK_STATUS(reading.status, SCRIM_OK))
        CHECK_STR(query_formatted(reading.tree, text_a),
                  "SELECT \"a\"\"; DROP TABLE t; --\" AS \"x'\" FROM \"t\" "
                  "WHERE (\"c\" = '''; DROP TABLE t; --')");
    query_forget(&reading);
}

TEST(tree_equality_sees_every_part)
{
    static const char *const texts[] = {
        "SELECT a",
        "SELECT b",
        "SELECT a AS b",
        "SELECT a, a",
        "SELECT a FROM t",
        "SELECT a WHERE b",
        "SELECT a WHERE c",
        "SELECT a GROUP BY a",
        "SELECT a GROUP BY b",
        "SELECT a GROUP BY a, b",
        "SELECT a HAVING b",
        "SELECT a ORDER BY a",
        "SELECT a ORDER BY a DESC",
        "SELECT a ORDER BY b",
        "SELECT a LIMIT 1",
        "SELECT a LIMIT 2",
        "SELECT F(a)",
        "SELECT F(DISTINCT a)",
        "SELECT F(a) WITH RANGE",
        "SELECT G(a)",
        "SELECT a + b",
        "SELECT a - b",
        "SELECT -a",
        "SELECT 'a'",
        "SELECT DATE 'a'",
    };
    const size_t count = sizeof texts / sizeof *texts;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            query_reading a, b;
            query_read(&a, sc_text_of(texts[i]));
            query_read(&b, sc_text_of(texts[j]));
            if (CHECK_STATUS(a.status, SCRIM_OK) && CHECK_STATUS(b.status, SCRIM_OK))
                CHECK_INT(query_tree_equal(a.tree, b.tree), i == j);
            query_forget(&a);
            query_forget(&b);
        }
}
