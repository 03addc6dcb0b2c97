#include "check.h"
#include "query/language/validate.h"
#include "query/plan/kept_words.h"
#include "query/plan/plan_keys.h"

#include <stdio.h>

#define COLUMNS                                                                          \
    "column=amount=decimal[0,100]\ncolumn=age=int[-5,120]\ncolumn=shop=text\n"           \
    "keys=shop=A,B\n"

typedef struct asking {
    sc_arena arena;
    const sc_schema *schema;
    const sc_query *query;
    sc_statistics statistics;
} asking;

static bool ask(asking *a, const char *lines, const char *text)
{
    char policy[600];
    scrim_error error = {.message = ""};
    sc_refusal refusal = {.error = &error};
    snprintf(policy, sizeof policy, "%s%s", COLUMNS, lines);
    *a = (asking){.schema = NULL};
    sc_arena_init(&a->arena);
    return CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &a->schema, &error),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_validate(sc_text_of(text), sc_text_of("orders"), a->schema,
                                    &a->arena, &a->query, &refusal),
                        SCRIM_OK) &&
           CHECK_STATUS(
               sc_statistics_of(a->query,
                                &(sc_statistics_plan){.bounds = a->query->schema->bounds},
                                &a->arena, &a->statistics, &error),
               SCRIM_OK);
}

static void forget(asking *a)
{
    sc_schema_free(a->schema);
    sc_arena_clear(&a->arena);
}

static sc_kept_keys keys_of(const asking *a)
{
    bool have_ranges = false;
    for (size_t i = 0; i < a->query->key_count; i++)
        have_ranges |= sc_plan_key_is_range(&a->query->keys[i]);
    return (sc_kept_keys){sc_plan_keys_count(a->query) > 0, have_ranges, 0};
}

static sc_kept_bounds bounds_of(const asking *a, uint64_t groups)
{
    return (sc_kept_bounds){a->query->schema->bounds, groups, NULL};
}

static void check_words(const char *lines, const char *text, uint64_t groups,
                        const char *want)
{
    asking a;
    if (ask(&a, lines, text)) {
        const sc_kept_bounds bounds = bounds_of(&a, groups);
        CHECK_STR(sc_kept_words(a.query, &a.statistics, &bounds, keys_of(&a), SC_KEPT_WAS,
                                &a.arena),
                  want);
    }
    forget(&a);
}

#define FIVE "unit=customer\nmax-groups=3\nmax-rows=5\n"
#define BEYOND "; further rows were left out"
#define LISTED(names) "rows whose " names " is not a listed key are ignored"

TEST(kept_words_say_which_rows_were_used)
{
    CLAIM("kept-words.public");
    check_words(FIVE, "SELECT COUNT(*) AS n", 1, "5 rows per customer" BEYOND);
    check_words("unit=customer\nrows-per-unit=1\n", "SELECT AVG(age) AS a", 1,
                "1 row per customer, as declared");
    check_words(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 3,
                "5 rows per customer in each of 3 groups" BEYOND "; " LISTED("shop"));
    check_words(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 1,
                "5 rows per customer in one group" BEYOND "; " LISTED("shop"));
    /* People are counted whatever their rows. */
    check_words(FIVE, "SELECT COUNT(DISTINCT customer) AS n", 1, "");
    check_words(FIVE, "SELECT shop, COUNT(DISTINCT customer) AS n GROUP BY shop", 3,
                "3 groups per customer; further groups were left out; " LISTED("shop"));
    /* Nothing is left out where each row is a unit. */
    check_words("unit=row\n", "SELECT COUNT(*) AS n", 1, "");
}

#define ROWS "unit=row\ncolumn=day=int[1,7]\nkeys=day=1,2\ncolumn=town=text\n"

TEST(kept_words_name_keys_that_are_listed)
{
    CLAIM("kept-words.public");
    check_words(ROWS, "SELECT shop, COUNT(*) AS n GROUP BY shop", 1, LISTED("shop"));
    check_words(ROWS, "SELECT day, COUNT(*) AS n, shop AS s GROUP BY 1, 3", 1,
                LISTED("day or s"));
    /* Some rows are left out all the same where a function is applied to a list. */
    check_words(ROWS, "SELECT LOWER(shop) AS low, COUNT(*) AS n GROUP BY 1", 1,
                LISTED("low"));
    check_words(
        ROWS, "SELECT CASE WHEN age < 9 THEN shop ELSE 'x' END AS k, COUNT(*) GROUP BY 1",
        1, LISTED("k"));
    /* A condition holds or not for every row, and so do ranges. */
    check_words(ROWS,
                "SELECT CASE WHEN shop = 'A' THEN 'a' ELSE 'x' END AS k, COUNT(*) GROUP "
                "BY 1",
                1, "");
    check_words(ROWS, "SELECT BUCKET(age, 10) AS b, COUNT(*) AS n GROUP BY 1", 1, "");
    check_words(ROWS, "SELECT age, COUNT(*) AS n GROUP BY age", 1, "");
    check_words(ROWS, "SELECT age, shop, day, COUNT(*) AS n GROUP BY 1, 2, 3", 1,
                LISTED("shop or day"));
    /* Keys that are found in the data are on no list. */
    check_words(ROWS, "SELECT shop, town, COUNT(*) AS n GROUP BY 1, 2", 1, "");
}

/* Records have the columns of a policy, and not its lists. */
TEST(kept_words_name_listed_keys_without_their_lists)
{
    asking a;
    if (ask(&a, ROWS, "SELECT UPPER(town) AS t, COUNT(*) AS n, town GROUP BY 1, 3")) {
        const sc_kept_bounds bounds = bounds_of(&a, 1);
        CHECK_STR(sc_kept_words(a.query, &a.statistics, &bounds,
                                (sc_kept_keys){true, false, 0}, SC_KEPT_WAS, &a.arena),
                  LISTED("t or town"));
        CHECK_INT(sc_query_listed_keys(a.query, (sc_kept_keys){true, false, 0}), 2);
        CHECK_INT(sc_query_listed_keys(a.query, (sc_kept_keys){false, false, 0}), 0);
    }
    forget(&a);
    if (ask(&a, ROWS, "SELECT age, COUNT(*) AS n GROUP BY age")) {
        CHECK_INT(sc_query_listed_keys(a.query, (sc_kept_keys){true, false, 0}), 1);
        CHECK_INT(sc_query_listed_keys(a.query, (sc_kept_keys){true, true, 0}), 0);
    }
    forget(&a);
}

TEST(kept_words_of_a_total_of_rows)
{
    CLAIM("kept-words.public");
    check_words("unit=customer\nmax-total-rows=60\n", "SELECT COUNT(*) AS n", 1,
                "60 rows per customer" BEYOND);
    check_words("unit=customer\nmax-total-rows=60\n",
                "SELECT shop, COUNT(*) AS n GROUP BY shop", 2,
                "60 rows per customer" BEYOND "; " LISTED("shop"));
    check_words("unit=customer\nmax-total-rows=60\nmax-groups=3\nmax-rows=30\n",
                "SELECT shop, COUNT(*) AS n GROUP BY shop", 2,
                "60 rows per customer, 30 in a group and in at most 2 groups" BEYOND
                "; " LISTED("shop"));
    check_words("unit=customer\nmax-total-rows=60\nmax-groups=3\n",
                "SELECT shop, COUNT(*) AS n GROUP BY shop", 2,
                "60 rows per customer in at most 2 groups" BEYOND "; " LISTED("shop"));
}

TEST(kept_words_of_totals)
{
    CLAIM("kept-words.public");
    check_words(FIVE "max-total=amount=200.5\n", "SELECT SUM(amount) AS s", 1,
                "for s, all rows per customer, their total clamped to 0 to 200.5");
    check_words(FIVE "max-total=age=-30,90\n",
                "SELECT shop, SUM(age) AS s, COUNT(*) AS n GROUP BY shop", 2,
                "5 rows per customer in each of 2 groups; for s, all rows per customer "
                "in each of 2 "
                "groups, their total clamped to -30 to 90" BEYOND "; " LISTED("shop"));
    /* Arithmetic is about the rows of its sums, and a share of counts is not about rows. */
    check_words(
        FIVE "max-total=amount=200\n",
        "SELECT SUM(amount) / COUNT(*) AS mean, 100 * COUNT(age) / COUNT(*) AS "
        "share, SUM(amount) AS s, 2 * SUM(amount) AS twice",
        1,
        "5 rows per customer; for mean, s and twice, all rows per customer, their total "
        "clamped to 0 to 200" BEYOND);
    /* The bound of rows is the better one. */
    check_words(FIVE "max-total=amount=501\n", "SELECT SUM(amount) AS s", 1,
                "5 rows per customer" BEYOND);
}

TEST(kept_words_of_a_plan_are_of_what_will_be)
{
    asking a;
    if (ask(&a, FIVE "max-total=amount=200\n",
            "SELECT COUNT(*) AS n, SUM(amount) AS s")) {
        const sc_kept_bounds bounds = bounds_of(&a, 1);
        CHECK_STR(sc_kept_words(a.query, &a.statistics, &bounds, keys_of(&a),
                                SC_KEPT_WILL_BE, &a.arena),
                  "5 rows per customer; for s, all rows per customer, their total "
                  "clamped to 0 to "
                  "200; further rows are left out");
    }
    forget(&a);
}

/* People who were counted stand in place of the rows that nobody counted. */
TEST(kept_words_tell_how_many_people_were_cut)
{
    CLAIM("kept-words.public");
    asking a;
    if (ask(&a, FIVE "max-total=amount=200\n",
            "SELECT shop, COUNT(*) AS n, SUM(amount) AS s GROUP BY shop")) {
        sc_kept_bounds bounds = bounds_of(&a, 2);
        bounds.cut = "about 4 % of customers [3, 5] had rows left out";
        CHECK_STR(
            sc_kept_words(a.query, &a.statistics, &bounds, keys_of(&a), SC_KEPT_WAS,
                          &a.arena),
            "5 rows per customer in each of 2 groups; for s, all rows per customer in "
            "each of 2 groups, their total clamped to 0 to 200; about 4 % of "
            "customers [3, 5] had rows left out; " LISTED("shop"));
    }
    forget(&a);
}

static void check_missing(const char *lines, const char *text, size_t groups,
                          const char *want)
{
    asking a;
    if (ask(&a, lines, text))
        CHECK_STR(sc_missing_words(a.query, &a.statistics, &a.query->schema->bounds,
                                   groups, keys_of(&a), &a.arena),
                  want);
    forget(&a);
}

TEST(kept_words_say_what_bounds_by_group_miss)
{
    CLAIM("kept-words.public");
    check_missing(
        FIVE, "SELECT COUNT(*) AS n", 0,
        "max-rows 5 is per group: without GROUP BY each customer counts with at "
        "most 5 rows in all, so totals may be far too low; ask with a total of rows "
        "instead, such as max-total-rows");
    check_missing(
        FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 4,
        "max-groups 3 is for the whole query: each customer counts in at most 3 "
        "of the 4 groups, so totals may be far too low; ask with a total of rows "
        "instead, such as max-total-rows");
    /* Averages and medians are not too low because rows are left out. */
    check_missing(FIVE, "SELECT shop, AVG(amount) AS a GROUP BY shop", 4, "");
    check_missing(FIVE, "SELECT MEDIAN(amount) AS m, MAX(amount) AS x", 0, "");
    check_missing(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 3, "");
    check_missing(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 0, "");
    check_missing(FIVE, "SELECT COUNT(DISTINCT customer) AS n", 0, "");
    check_missing(FIVE "max-total=amount=200\n", "SELECT SUM(amount) AS s", 0, "");
    check_missing("unit=customer\nrows-per-unit=1\n", "SELECT COUNT(*) AS n", 0, "");
    check_missing("unit=row\n", "SELECT COUNT(*) AS n", 0, "");
}

TEST(kept_words_of_totals_are_not_those_of_quotients)
{
    static const struct {
        const char *query;
        bool adds_up;
    } asked[] = {{"SELECT COUNT(*) AS n", true},
                 {"SELECT shop, SUM(amount) AS s GROUP BY shop", true},
                 {"SELECT AVG(amount) AS a", false},
                 {"SELECT SUM(amount) / COUNT(*) AS a", false},
                 {"SELECT ROUND(100 * SUM(amount) / COUNT(*), 1) AS a", false},
                 {"SELECT SUM(amount) / COUNT(*) AS a, COUNT(*) AS n", true},
                 {"SELECT SUM(amount) / 12 AS a", true},
                 {"SELECT AVG(age) * COUNT(*) AS a", true}};
    for (size_t i = 0; i < COUNT(asked); i++) {
        asking a;
        if (ask(&a, "unit=row\n", asked[i].query))
            CHECK_INT(sc_kept_adds_up(a.query), asked[i].adds_up);
        forget(&a);
    }
}
