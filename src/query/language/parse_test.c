#include "check.h"
#include "faults.h"
#include "queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text_out[SC_QUERY_BYTES];

static void check_parse(const char *text, const char *want)
{
    query_reading reading;
    query_read(&reading, sc_text_of(text));
    if (CHECK_STATUS(reading.status, SCRIM_OK))
        CHECK_STR(query_formatted(reading.tree, text_out), want);
    else
        CHECK_STR(reading.error.message, text);
    query_forget(&reading);
}

TEST(parse_operators_bind_as_in_sql)
{
    check_parse("select a+b*c-d", "SELECT ((\"a\" + (\"b\" * \"c\")) - \"d\")");
    check_parse("select a/2/b", "SELECT ((\"a\" / 2) / \"b\")");
    check_parse("select -a*b", "SELECT ((- \"a\") * \"b\")");
    check_parse("select +a - -b", "SELECT (\"a\" - (- \"b\"))");
    check_parse("select a where not b = 1 and c or d",
                "SELECT \"a\" WHERE (((NOT (\"b\" = 1)) AND \"c\") OR \"d\")");
    check_parse("select a where b and c and d or e or f",
                "SELECT \"a\" WHERE ((\"b\" AND \"c\" AND \"d\") OR \"e\" OR \"f\")");
    check_parse("select a where b between 1 + 1 and 2 and c not between 3 and 4",
                "SELECT \"a\" WHERE ((\"b\" BETWEEN (1 + 1) AND 2) AND "
                "(NOT (\"c\" BETWEEN 3 AND 4)))");
    check_parse("select a where b not in (1, 2) and c is not null and d is null",
                "SELECT \"a\" WHERE ((NOT (\"b\" IN (1, 2))) AND (NOT (\"c\" IS NULL)) "
                "AND (\"d\" IS NULL))");
    check_parse("select (a or b) = (c < d)",
                "SELECT ((\"a\" OR \"b\") = (\"c\" < \"d\"))");
}

TEST(parse_every_clause)
{
    check_parse(
        "select sex, count(*) as n from adult where age >= 18 group by sex "
        "having n > 10 order by n desc, sex asc limit 5;",
        "SELECT \"sex\", COUNT(*) AS \"n\" FROM \"adult\" WHERE (\"age\" >= 18) "
        "GROUP BY \"sex\" HAVING (\"n\" > 10) ORDER BY \"n\" DESC, \"sex\" LIMIT 5");
    check_parse("SELECT quantile(x, .25, 0.5), Sum(x) with range, count(distinct u)",
                "SELECT QUANTILE(\"x\", .25, 0.5), SUM(\"x\") WITH RANGE, "
                "COUNT(DISTINCT \"u\")");
    check_parse("SELECT case sex when 'F' then 1 when 'M' then 2 end",
                "SELECT CASE \"sex\" WHEN 'F' THEN 1 WHEN 'M' THEN 2 END");
    check_parse("SELECT date, date '2020-02-29', \"select\", range",
                "SELECT \"date\", DATE '2020-02-29', \"select\", \"range\"");
}

/* A SELECT that is named in front stands where its name does. */
TEST(parse_with_names_a_select)
{
    check_parse("with t as (select sum(a) as s group by u) select avg(s) from t",
                "SELECT AVG(\"s\") FROM (SELECT SUM(\"a\") AS \"s\" GROUP BY \"u\")");
    check_parse("WITH \"t 1\" AS (SELECT a FROM d) SELECT b FROM \"t 1\" AS x WHERE c",
                "SELECT \"b\" FROM (SELECT \"a\" FROM \"d\") WHERE \"c\"");
    check_parse("WITH d AS (SELECT a FROM d), e AS (SELECT b FROM d) SELECT c FROM e",
                "SELECT \"c\" FROM (SELECT \"b\" FROM (SELECT \"a\" FROM \"d\"))");
    check_parse("WITH t AS (SELECT a) SELECT b FROM (SELECT c FROM t)",
                "SELECT \"b\" FROM (SELECT \"c\" FROM (SELECT \"a\"))");
}

TEST(parse_names_without_as_and_top)
{
    check_parse("select top 3 sex s, count(*) \"how many\", avg(x) m from t group by 1 "
                "order by 2 desc, 1",
                "SELECT \"sex\" AS \"s\", COUNT(*) AS \"how many\", AVG(\"x\") AS \"m\" "
                "FROM \"t\" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3");
    check_parse("select count(*) n;", "SELECT COUNT(*) AS \"n\"");
    check_parse("select top, count(*) top group by top",
                "SELECT \"top\", COUNT(*) AS \"top\" GROUP BY \"top\"");
    check_parse("select count(*) n where a != 1", "SELECT COUNT(*) AS \"n\" WHERE "
                                                  "(\"a\" <> 1)");
}

TEST(parse_texts)
{
    check_parse(
        "select lower(a) || '-' || b where c || 'x' not like 'a!%' escape '!' and d",
        "SELECT ((LOWER(\"a\") || '-') || \"b\") WHERE ((NOT ((\"c\" || 'x') LIKE "
        "'a!%' ESCAPE '!')) AND \"d\")");
    check_parse(
        "select a where b || c = d and 1 + 2 || e in ('f' || g)",
        "SELECT \"a\" WHERE (((\"b\" || \"c\") = \"d\") AND (((1 + 2) || \"e\") IN "
        "(('f' || \"g\"))))");
    check_parse("select escape, a like escape where escape like 'x' escape ''",
                "SELECT \"escape\", (\"a\" LIKE \"escape\") WHERE (\"escape\" LIKE 'x' "
                "ESCAPE '')");
}

TEST(parse_nodes_know_their_places)
{
    static const char text[] = "SELECT a + SUM( b ), x NOT IN (1) , - y";
    query_reading reading;
    query_read(&reading, sc_text_of(text));
    if (CHECK_STATUS(reading.status, SCRIM_OK)) {
        const sc_node *sum = reading.tree->items[0].node;
        CHECK_INT(sum->span.offset, 7);
        CHECK_INT(sum->span.bytes, 12);
        CHECK_INT(sum->list[1]->span.offset, 11);
        CHECK_INT(sum->list[1]->span.bytes, 8);
        CHECK_INT(sum->depth, 3);
        CHECK_INT(reading.tree->items[1].node->span.offset, 21);
        CHECK_INT(reading.tree->items[1].node->span.bytes, 12);
        CHECK_INT(reading.tree->items[2].node->span.offset, 36);
        CHECK_INT(reading.tree->items[2].node->span.bytes, 3);
    }
    query_forget(&reading);
}

/* Nested text: `times` times open, then middle, then `times` times close. */
static scrim_status nested(const char *open, const char *middle, const char *close,
                           size_t times)
{
    query_reading reading;
    char *text = malloc(SC_QUERY_BYTES + 64);
    size_t at = 0;
    if (text == NULL) {
        CHECK_FAIL("no memory");
        return SCRIM_E_MEMORY;
    }
    at += (size_t)sprintf(text, "SELECT ");
    for (size_t i = 0; i < times; i++)
        at += (size_t)sprintf(text + at, "%s", open);
    at += (size_t)sprintf(text + at, "%s", middle);
    for (size_t i = 0; i < times; i++)
        at += (size_t)sprintf(text + at, "%s", close);
    query_read(&reading, (sc_text){text, at});
    const scrim_status status = reading.status;
    query_forget(&reading);
    free(text);
    return status;
}

SLOW_TEST(parse_a67_depth)
{
    CLAIM("parse.bounded");
    static const struct {
        const char *open, *middle, *close;
        size_t many, few;
    } forms[] = {{"(", "x", ")", 7000, 99},
                 {"- ", "x", "", 8000, 99},
                 {"NOT ", "x", "", 8000, 99},
                 {"F(", "x", ")", 3500, 99},
                 {"CASE ", "1", " WHEN 1 THEN 1 END", 2000, 48},
                 {"CASE WHEN ", "1", " THEN 1 END", 2000, 48},
                 {"x IN ((", "1", "))", 2000, 48},
                 {"x + ", "x", "", 7000, 99},
                 {"x BETWEEN 1 AND (", "x", ")", 2000, 49}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        CHECK_STATUS(
            nested(forms[i].open, forms[i].middle, forms[i].close, forms[i].many),
            SCRIM_E_LIMIT);
        CHECK_STATUS(nested(forms[i].open, forms[i].middle, forms[i].close, 101),
                     SCRIM_E_LIMIT);
        CHECK_STATUS(nested(forms[i].open, forms[i].middle, forms[i].close, forms[i].few),
                     SCRIM_OK);
    }
    /* It ends where it is too deep, not where it is not closed. */
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strchr(forms[i].open, '+') == NULL)
            CHECK_STATUS(nested(forms[i].open, "", "", forms[i].many), SCRIM_E_LIMIT);
    /* AND, OR and lists are as long as the text may be. */
    CHECK_STATUS(nested("x OR ", "x", "", 8000), SCRIM_OK);
    CHECK_STATUS(nested("", "x IN (1", ", 1", 8000 - 8), SCRIM_E_SYNTAX);
    CHECK_STATUS(nested("x, ", "x", "", 8000), SCRIM_OK);
}

TEST(parse_without_memory)
{
    static const char text[] =
        "SELECT a, CASE a WHEN 1 THEN 2 ELSE F(b, c, d, e, f, g) END AS x FROM t WHERE a "
        "BETWEEN 1 AND 2 AND b IN (1, 2, 3, 4, 5) OR NOT -c = 1 GROUP BY a, b HAVING n > "
        "1 "
        "ORDER BY n, m DESC LIMIT 3";
    FAULT_LOOP(fault)
    {
        query_reading reading;
        query_read(&reading, sc_text_of(text));
        CHECK_STATUS(reading.status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        query_forget(&reading);
    }
}

/* Half of the refusals is here, those of the grammar; the other half is in validate_refusals_test.c. */
TEST(parse_refusals_name_a_rewrite)
{
    CLAIM("parse.refusals");
    static const struct {
        const char *text;
        scrim_status status;
        size_t place;
        const char *says;
    } refusals[] = {
        {"", SCRIM_E_SYNTAX, 0, "the query ends here; expected SELECT"},
        {"SELCT a", SCRIM_E_SYNTAX, 0, "did you mean SELECT?"},
        {"SELECT", SCRIM_E_SYNTAX, 6, "expected a column, a value or a function"},
        {"SELECT a GRUOP BY a", SCRIM_E_SYNTAX, 9, "did you mean GROUP?"},
        {"SELECT a WHERE b BETWEN 1 AND 2", SCRIM_E_SYNTAX, 17, "did you mean BETWEEN?"},
        {"SELECT a b c", SCRIM_E_SYNTAX, 9, "a name with blanks needs double quotes"},
        {"SELECT order", SCRIM_E_SYNTAX, 7, "as \"order\""},
        {"SELECT a FROM", SCRIM_E_SYNTAX, 13, "the name of the dataset"},
        {"SELECT a,", SCRIM_E_SYNTAX, 9, "ends here"},
        {"SELECT (a", SCRIM_E_SYNTAX, 9, "closing parenthesis"},
        {"SELECT a)", SCRIM_E_SYNTAX, 8, "): expected"},
        {"SELECT F(a", SCRIM_E_SYNTAX, 10, "a comma or a closing"},
        {"SELECT COUNT(* FROM t", SCRIM_E_SYNTAX, 15, "FROM: expected a closing"},
        {"SELECT COUNT(*, a)", SCRIM_E_SYNTAX, 14, "expected a closing parenthesis"},
        {"SELECT a WHERE b IN 3", SCRIM_E_SYNTAX, 20, "a list in parentheses"},
        {"SELECT a WHERE b IN ()", SCRIM_E_SYNTAX, 21, "expected a column, a value"},
        {"SELECT a WHERE b NOT 3", SCRIM_E_SYNTAX, 21, "BETWEEN, IN or LIKE after NOT"},
        {"SELECT a WHERE b IS 3", SCRIM_E_SYNTAX, 20, "DISTINCT FROM after IS"},
        {"SELECT a WHERE b IS DISTINCT 3", SCRIM_E_SYNTAX, 29, "FROM after DISTINCT"},
        {"SELECT a WHERE 1 < b < 2", SCRIM_E_SYNTAX, 21, "x BETWEEN a AND b"},
        {"SELECT a GROUP a", SCRIM_E_SYNTAX, 15, "BY after GROUP"},
        {"SELECT a ORDER a", SCRIM_E_SYNTAX, 15, "BY after ORDER"},
        {"SELECT a LIMIT x", SCRIM_E_SYNTAX, 15, "a number after LIMIT"},
        {"SELECT a LIMIT 1 1", SCRIM_E_SYNTAX, 17, "nothing after LIMIT"},
        {"SELECT a LIMIT 1; x", SCRIM_E_SYNTAX, 18, "nothing after the semicolon"},
        {"SELECT a AS 3", SCRIM_E_SYNTAX, 12, "a name after AS"},
        {"SELECT CASE END", SCRIM_E_SYNTAX, 12, "expected a column, a value"},
        {"SELECT CASE a END", SCRIM_E_SYNTAX, 14, "WHEN"},
        {"SELECT CASE WHEN a END", SCRIM_E_SYNTAX, 19, "THEN"},
        {"SELECT CASE WHEN a THEN 1", SCRIM_E_SYNTAX, 25, "WHEN, ELSE or END"},
        {"SELECT SUM(x) WITH TIES", SCRIM_E_SYNTAX, 19, "RANGE after WITH"},
        {"SELECT a WHERE b == 1", SCRIM_E_SYNTAX, 18, "unknown comparison"},
        {"SELECT *", SCRIM_E_POLICY, 7, "SELECT COUNT(*)"},
        {"SELECT DISTINCT a", SCRIM_E_POLICY, 7, "GROUP BY x"},
        {"SELECT a FROM (SELECT b FROM (SELECT c FROM (SELECT d)))", SCRIM_E_POLICY, 44,
         "subqueries are not supported"},
        {"SELECT a FROM t, u", SCRIM_E_POLICY, 15, "a join follows"},
        {"SELECT a FROM t JOIN u", SCRIM_E_POLICY, 22, "needs its columns"},
        {"SELECT a FROM t NATURAL JOIN u", SCRIM_E_POLICY, 16, "USING (city)"},
        {"SELECT a FROM t x", SCRIM_E_POLICY, 16, "no other name"},
        {"SELECT a FROM t AS x WHERE b", SCRIM_E_POLICY, 16, "no other name"},
        {"SELECT x.a FROM t x RIGHT JOIN u y ON x.i = y.i", SCRIM_E_POLICY, 20,
         "LEFT JOIN"},
        {"SELECT a FROM t JOIN u USING (i, j)", SCRIM_E_POLICY, 31, "by one column"},
        {"SELECT a FROM t JOIN u ON i + 1 = j", SCRIM_E_POLICY, 26, "one column of each"},
        {"SELECT a FROM t JOIN u ON i = j AND k", SCRIM_E_POLICY, 26,
         "one column of each"},
        {"SELECT a FROM t JOIN (SELECT b) USING (i)", SCRIM_E_POLICY, 21, "by its name"},
        {"SELECT a FROM t JOIN u USING i", SCRIM_E_SYNTAX, 29, "(column) after USING"},
        {"SELECT a FROM t LEFT OUTER u", SCRIM_E_POLICY, 16, "a join follows"},
        {"SELECT x.a FROM t", SCRIM_E_POLICY, 8, "without its table"},
        {"SELECT a FROM t x, u", SCRIM_E_POLICY, 17, "a join follows"},
        {"SELECT a WHERE b > ALL (SELECT a)", SCRIM_E_POLICY, 19, "subqueries"},
        {"SELECT a INTERSECT SELECT b", SCRIM_E_POLICY, 9, "set operations"},
        {"SELECT a GROUP BY GROUPING SETS (a", SCRIM_E_SYNTAX, 34, "closing parenthesis"},
        {"SELECT a GROUP BY GROUPING SETS a", SCRIM_E_SYNTAX, 32, "GROUPING SETS"},
        {"SELECT a GROUP BY ROLLUP (a, b", SCRIM_E_SYNTAX, 30, "closing parenthesis"},
        {"SELECT a GROUP BY CUBE(a, a)", SCRIM_E_PARAM, 18, "is there twice"},
        {"SELECT a GROUP BY CUBE(a, b, c, d, e, f)", SCRIM_E_LIMIT, 18,
         "at most 32 sets"},
        {"SELECT a GROUP BY CUBE(a, b, c), CUBE(d, e, f)", SCRIM_E_LIMIT, 33,
         "at most 32 sets"},
        {"SELECT a::int", SCRIM_E_POLICY, 8, "casts"},
        {"UPDATE t SET a = 1", SCRIM_E_POLICY, 0, "a query only reads"},
        {"DELETE FROM t", SCRIM_E_POLICY, 0, "a query only reads"},
        {"SELECT RANK() OVER (PARTITION BY a)", SCRIM_E_POLICY, 7, "window functions"},
        {"SELECT (SELECT a)", SCRIM_E_POLICY, 8, "subqueries are not supported"},
        {"SELECT a WHERE b IN (SELECT a)", SCRIM_E_POLICY, 21,
         "subqueries are not supported"},
        {"SELECT a WHERE EXISTS (SELECT a)", SCRIM_E_POLICY, 15,
         "subqueries are not supported"},
        {"SELECT a UNION SELECT b", SCRIM_E_POLICY, 9, "one batch"},
        {"SELECT a; SELECT b", SCRIM_E_POLICY, 10, "one batch"},
        {"SELECT a; DROP TABLE t", SCRIM_E_POLICY, 10, "a query only reads"},
        {"DROP TABLE t", SCRIM_E_POLICY, 0, "a query only reads"},
        {"INSERT INTO t VALUES (1)", SCRIM_E_POLICY, 0, "a query only reads"},
        {"WITH t AS (SELECT a) SELECT b", SCRIM_E_SYNTAX, 5, "nothing reads t"},
        {"WITH t AS (SELECT a), t AS (SELECT b) SELECT c FROM t", SCRIM_E_SYNTAX, 22,
         "twice"},
        {"WITH t AS SELECT a SELECT b FROM t", SCRIM_E_SYNTAX, 10,
         "its SELECT in parentheses"},
        {"WITH t (x) AS (SELECT a) SELECT b FROM t", SCRIM_E_SYNTAX, 7, "AS after"},
        {"WITH RECURSIVE t AS (SELECT a FROM t) SELECT b FROM t", SCRIM_E_SYNTAX, 15,
         "AS after"},
        {"SELECT a WITH t AS (SELECT a)", SCRIM_E_POLICY, 9, "in front of"},
        {"WITH t AS (SELECT a FROM (SELECT b FROM (SELECT c))) SELECT a FROM t",
         SCRIM_E_POLICY, 40, "SELECT in FROM"},
        {"WITH t AS (SELECT a FROM (SELECT b)) SELECT a FROM (SELECT d FROM t)",
         SCRIM_E_POLICY, 66, "SELECT in FROM"},
        {"WITH t AS (SELECT a), u AS (SELECT b FROM t), v AS (SELECT c FROM u) SELECT d "
         "FROM v",
         SCRIM_E_POLICY, 66, "SELECT in FROM"},
        {"EXPLAIN SELECT a", SCRIM_E_POLICY, 0, "a plan is free"},
        {"PRAGMA x", SCRIM_E_POLICY, 0, "a query only reads"},
        {"SELECT SUM(a) OVER (ORDER BY b)", SCRIM_E_POLICY, 14, "BUCKET(x, width)"},
        {"SELECT SUM(a) FILTER (b)", SCRIM_E_SYNTAX, 22, "WHERE after FILTER"},
        {"SELECT ROW_NUMBER()", SCRIM_E_POLICY, 7, "other rows"},
        {"SELECT random()", SCRIM_E_POLICY, 7, "does not come from the row"},
        {"SELECT CAST(a AS int)", SCRIM_E_POLICY, 7, "the owner declares the types"},
        {"SELECT EXTRACT(YEAR FROM d)", SCRIM_E_POLICY, 7, "YEAR(d)"},
        {"SELECT a WHERE b ILIKE 'x%'", SCRIM_E_POLICY, 17, "LOWER(x) LIKE"},
        {"SELECT a WHERE b NOT ILIKE 'x%'", SCRIM_E_POLICY, 21, "LOWER(x) LIKE"},
        {"SELECT a WHERE b LIKE 'x%' ESCAPE 3", SCRIM_E_POLICY, 27, "must follow LIKE"},
        {"SELECT a WHERE d > INTERVAL '1 day'", SCRIM_E_POLICY, 19, "DATE '2026-01-31'"},
        {"SELECT a WHERE (a, b) = (1, 2)", SCRIM_E_POLICY, 15, "one column at a time"},
        {"SELECT a LIMIT 1 OFFSET 1", SCRIM_E_POLICY, 17, "LIMIT alone"},
        {"SELECT ROLLUP (a)", SCRIM_E_POLICY, 7, "behind GROUP BY"},
        {"SELECT a INTO u", SCRIM_E_POLICY, 9, "cannot write a table"},
        {"SELECT a TABLESAMPLE x", SCRIM_E_POLICY, 9, "about all rows"},
        {"SELECT a FOR UPDATE", SCRIM_E_POLICY, 9, "locks"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        query_reading reading;
        query_read(&reading, sc_text_of(refusals[i].text));
        if (!CHECK_STATUS(reading.status, refusals[i].status) ||
            !CHECK_INT(reading.refusal.place.offset, refusals[i].place) ||
            !CHECK(strstr(reading.error.message, refusals[i].says) != NULL))
            CHECK_STR(reading.error.message, refusals[i].text);
        query_forget(&reading);
    }
}
