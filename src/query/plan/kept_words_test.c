#include "check.h"
#include "query/language/validate.h"
#include "query/plan/kept_words.h"

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
               sc_statistics_of(a->query, false, &a->arena, &a->statistics, &error),
               SCRIM_OK);
}

static void forget(asking *a)
{
    sc_schema_free(a->schema);
    sc_arena_clear(&a->arena);
}

static void check_words(const char *lines, const char *text, uint64_t groups,
                        const char *want)
{
    asking a;
    if (ask(&a, lines, text))
        CHECK_STR(sc_kept_words(a.query, &a.statistics, groups, SC_KEPT_WAS, &a.arena),
                  want);
    forget(&a);
}

#define FIVE "unit=customer\nmax-groups=3\nmax-rows=5\n"
#define BEYOND "; rows beyond are not in these numbers"

TEST(kept_words_say_which_rows_were_used)
{
    CLAIM("kept-words.public");
    check_words(FIVE, "SELECT COUNT(*) AS n", 1,
                "at most 5 rows per customer were used" BEYOND);
    check_words("unit=customer\nrows-per-unit=1\n", "SELECT AVG(age) AS a", 1,
                "at most 1 row per customer was used" BEYOND);
    check_words(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 3,
                "at most 5 rows per customer in each of at most 3 groups were "
                "used" BEYOND);
    check_words(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 1,
                "at most 5 rows per customer in one group were used" BEYOND);
    /* People are counted whatever their rows. */
    check_words(FIVE, "SELECT COUNT(DISTINCT customer) AS n", 1, "");
    check_words(FIVE, "SELECT shop, COUNT(DISTINCT customer) AS n GROUP BY shop", 3,
                "at most 3 groups per customer were used; groups beyond are not in these "
                "numbers");
    /* Nothing is left out where each row is a unit. */
    check_words("unit=row\n", "SELECT COUNT(*) AS n", 1, "");
}

TEST(kept_words_of_totals)
{
    CLAIM("kept-words.public");
    check_words(FIVE "max-total=amount=200.5\n", "SELECT SUM(amount) AS s", 1,
                "for s all rows per customer were used, and their total is clamped to 0 "
                "to 200.5");
    check_words(
        FIVE "max-total=age=-30,90\n",
        "SELECT shop, SUM(age) AS s, COUNT(*) AS n GROUP BY shop", 2,
        "at most 5 rows per customer in each of at most 2 groups were used" BEYOND
        "; for s all rows per customer in each of at most 2 groups were used, and "
        "their total is clamped to -30 to 90");
    /* Arithmetic is about the rows of its sums, and a share of counts about none of them. */
    check_words(FIVE "max-total=amount=200\n",
                "SELECT SUM(amount) / COUNT(*) AS mean, 100 * COUNT(age) / COUNT(*) AS "
                "share, SUM(amount) AS s, 2 * SUM(amount) AS twice",
                1,
                "at most 5 rows per customer were used" BEYOND
                "; for mean, s and twice all rows per customer were used, and their "
                "total is clamped to 0 to 200");
    /* The bound of rows is the better one. */
    check_words(FIVE "max-total=amount=501\n", "SELECT SUM(amount) AS s", 1,
                "at most 5 rows per customer were used" BEYOND);
}

TEST(kept_words_of_a_plan_are_of_what_will_be)
{
    asking a;
    if (ask(&a, FIVE "max-total=amount=200\n",
            "SELECT COUNT(*) AS n, SUM(amount) AS s")) {
        CHECK_STR(
            sc_kept_words(a.query, &a.statistics, 1, SC_KEPT_WILL_BE, &a.arena),
            "at most 5 rows per customer are used" BEYOND
            "; for s all rows per customer are used, and their total is clamped to 0 to "
            "200");
    }
    forget(&a);
}

static void check_missing(const char *lines, const char *text, size_t groups,
                          const char *want)
{
    asking a;
    if (ask(&a, lines, text))
        CHECK_STR(sc_missing_words(a.query, &a.statistics, groups, &a.arena), want);
    forget(&a);
}

TEST(kept_words_say_what_bounds_by_group_miss)
{
    CLAIM("kept-words.public");
    check_missing(
        FIVE, "SELECT COUNT(*) AS n", 0,
        "max-rows 5 is per group: without GROUP BY each customer counts with at "
        "most 5 rows in all, so totals may be far too low; add up the groups "
        "instead");
    check_missing(
        FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 4,
        "max-groups 3 is for the whole query: each customer counts in at most 3 "
        "of the 4 groups, so totals may be far too low; ask for fewer groups "
        "instead");
    check_missing(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 3, "");
    check_missing(FIVE, "SELECT shop, COUNT(*) AS n GROUP BY shop", 0, "");
    check_missing(FIVE, "SELECT COUNT(DISTINCT customer) AS n", 0, "");
    check_missing(FIVE "max-total=amount=200\n", "SELECT SUM(amount) AS s", 0, "");
    check_missing("unit=customer\nrows-per-unit=1\n", "SELECT COUNT(*) AS n", 0, "");
    check_missing("unit=row\n", "SELECT COUNT(*) AS n", 0, "");
}
