/* COUNT(DISTINCT x) from end to end. At epsilon 1000 there is no noise to speak of (ask_test.c). */
#include "check.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define EXACT OPTIONS(.epsilon = "1000", .delta = "1e-6", .cut_share = "0")
#define check_values(s, query, want) query_scene_check_values(s, query, EXACT, want)
#define LARGE_BUDGET "budget=epsilon=10000000,delta=0.9\n"

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s%s", query_scene_columns, LARGE_BUDGET, lines);
    return query_scene_begin(s, policy, bytes);
}

static const char table[] =
    "person,age,sex,city,income\n"
    "a,10,Female,Ulm,1\na,10,Female,Ulm,2\na,20,Male,Bonn,1\n"
    "b,10,Male,ulm,1\nb,,Male,Ulm,3\nb,130,Male,,3\n"
    "c,120,Female,Ulm;Kiel,5\nc,7,Other,Bonn,5\n,1,Male,Paris,9\n";

/* Values are those of GROUP BY: clamped numbers, bytes of texts; NULL is not counted. */
SLOW_TEST(different_values_are_those_of_group_by)
{
    CLAIM("statistic.values");
    query_scene s;
    if (begin(&s, "max-groups=9\nmax-rows=9\n", table)) {
        check_values(&s, "SELECT COUNT(DISTINCT age) AS n", "4;");
        check_values(&s, "SELECT COUNT(DISTINCT city) AS n", "4;");
        check_values(&s, "SELECT COUNT(DISTINCT LOWER(city)) AS n, COUNT(*) AS r",
                     "3,8;");
        check_values(&s, "SELECT COUNT(DISTINCT income) AS n WHERE income < 4", "3;");
        check_values(&s, "SELECT COUNT(DISTINCT age > 15) AS n", "2;");
        check_values(&s,
                     "SELECT COUNT(DISTINCT city) FILTER (WHERE sex = 'Male') AS m, "
                     "COUNT(DISTINCT city) AS n, COUNT(DISTINCT person) AS p",
                     "3,4,3;");
        check_values(&s, "SELECT sex, COUNT(DISTINCT city) AS n GROUP BY sex",
                     "Female,2;Male,3;NULL,0;");
        check_values(
            &s,
            "SELECT COUNT(DISTINCT city) / COUNT(*) AS q, COUNT(DISTINCT city) + "
            "COUNT(DISTINCT age) AS b",
            "0.50000000,8;");
        check_values(
            &s,
            "SELECT COUNT(DISTINCT n) AS k FROM (SELECT CLAMP(COUNT(*), 0, 9) AS "
            "n GROUP BY person)",
            "2;");
        check_values(&s, "SELECT COUNT(DISTINCT age) AS n, MAX(age) AS m", "4,120;");
    }
    query_scene_end(&s);
}

/* The public range of the one column. */
static void check_range(query_scene *s, const char *query, const char *low,
                        const char *high)
{
    scrim_plan *plan = NULL;
    scrim_plan_output output;
    if (CHECK_STATUS(
            scrim_plan_new(s->vault, "people", &query, 1, EXACT, &plan, NULL, &s->error),
            SCRIM_OK) &&
        CHECK_STATUS(scrim_plan_output_at(plan, 0, 0, &output, &s->error), SCRIM_OK)) {
        CHECK_STR(output.low, low);
        CHECK_STR(output.high, high);
    }
    scrim_plan_free(plan);
}

/* Fewer than the rows, also where each row has a value. */
SLOW_TEST(different_values_are_fewer_than_rows)
{
    query_scene s;
    if (begin(&s, "max-groups=9\nmax-rows=9\nmissing=age=0\n", table)) {
        check_values(
            &s,
            "SELECT COUNT(DISTINCT age) / COUNT(*) AS q, COUNT(*) - COUNT(DISTINCT "
            "age) AS d, COUNT(DISTINCT age) / COUNT(DISTINCT income) AS i",
            "0.62500000,3,1.25000000;");
        check_values(&s, "SELECT COUNT(DISTINCT age) AS n", "5;");
        check_range(&s, "SELECT COUNT(DISTINCT age) / COUNT(*) AS q", "0", "1");
    }
    query_scene_end(&s);
}

/* A group that is found by its people has a count of values, also where nobody has one. */
SLOW_TEST(different_values_of_groups_that_are_found)
{
    CLAIM("statistic.values");
    static char rows[60000];
    query_scene s;
    size_t length = (size_t)snprintf(rows, sizeof rows, "person,age,sex,city,income\n");
    for (int i = 0; i < 900; i++)
        length += (size_t)snprintf(rows + length, sizeof rows - length,
                                   "p%d,%s,Male,%s,%d\n", i,
                                   i % 3 == 0   ? ""
                                   : i % 2 == 0 ? "7"
                                                : "8",
                                   i % 3 == 0 ? "A" : "B", i % 11);
    if (begin(&s, "max-groups=2\nmax-rows=2\n", rows)) {
        check_values(&s, "SELECT city, COUNT(DISTINCT age) AS n GROUP BY city",
                     "A,0;B,2;");
        check_values(
            &s, "SELECT city, COUNT(DISTINCT income) AS n, COUNT(*) AS r GROUP BY city",
            "A,11,300;B,11,600;");
    }
    query_scene_end(&s);
    if (query_scene_begin(
            &s,
            "unit=row\nneighbours=replace\ncolumn=age=int[0,120]\ncolumn=city="
            "text\ncolumn=sex=text\nkeys=sex=Female,Male\n" LARGE_BUDGET,
            table)) {
        check_values(&s, "SELECT COUNT(DISTINCT city) AS n", "5;");
        check_values(&s, "SELECT sex, COUNT(DISTINCT age) AS n GROUP BY sex",
                     "Female,2;Male,4;NULL,0;");
    }
    query_scene_end(&s);
}

/* How an answer was had: charged, or a release that was charged before. */
static uint64_t release_of(query_scene *s, const char *query, const char *epsilon,
                           char *value)
{
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    if (!CHECK_STATUS(query_scene_ask(s, query,
                                      OPTIONS(.epsilon = epsilon, .cut_share = "0"),
                                      &result),
                      SCRIM_OK))
        return 0;
    scrim_result_describe(result, &facts);
    snprintf(value, 40, "%.39s", scrim_result_cell_at(result, 0, 0, 0)->value);
    scrim_result_free(result);
    return facts.release;
}

/* Rows of one city take one place where the cities stand alone, and one each beside a count of rows. So neither is an answer to
 * the other; the same question in other words is. */
SLOW_TEST(different_values_alone_and_beside_are_two_measurements)
{
    CLAIM("measured.sound");
    static char rows[4000];
    char alone[40], beside[40], again[40];
    query_scene s;
    size_t length = (size_t)snprintf(rows, sizeof rows, "person,age,sex,city,income\n");
    for (int i = 0; i < 40; i++)
        length +=
            (size_t)snprintf(rows + length, sizeof rows - length, "a,1,Male,%s%d,%d\n",
                             i < 39 ? "Ulm" : "Bonn", i < 39 ? 0 : i, i);
    if (begin(&s, "max-groups=1\nmax-rows=2\n", rows)) {
        const uint64_t first = release_of(
            &s, "SELECT COUNT(DISTINCT city) AS n, COUNT(*) AS r WHERE age = 1", "1000",
            beside);
        const uint64_t second = release_of(
            &s, "SELECT COUNT(DISTINCT city) AS n WHERE age = 1", "100", alone);
        CHECK_STR(alone, "2");
        CHECK_INT(second, first + 1);
        CHECK_INT(release_of(&s, "SELECT COUNT(DISTINCT city) AS c WHERE 1 = age", "100",
                             again),
                  second);
        CHECK_STR(again, alone);
        CHECK_INT(release_of(
                      &s, "SELECT COUNT(*) AS r, COUNT(DISTINCT city) AS n WHERE 1 = age",
                      "1000", again),
                  first);
    }
    query_scene_end(&s);
}

/* The interval: at least the lower end; never above the number of values in the range. */
SLOW_TEST(different_values_have_intervals_within_their_range)
{
    query_scene s;
    scrim_result *result = NULL;
    scrim_plan *plan = NULL;
    if (!begin(&s, "max-groups=1\nmax-rows=3\n", table))
        return;
    for (int i = 0; i < 20; i++) {
        char query[80];
        snprintf(query, sizeof query, "SELECT COUNT(DISTINCT age) AS n WHERE age < %d",
                 100 + i);
        if (!CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "0.05"), &result),
                          SCRIM_OK))
            break;
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
        const double value = strtod(cell->value, NULL), low = strtod(cell->low, NULL),
                     high = strtod(cell->high, NULL);
        CHECK(low <= value && value <= high && low >= (value < 0 ? value : 0));
        CHECK(high <= (value > 121 ? value : 121));
        scrim_result_free(result);
    }
    const char *query = "SELECT COUNT(DISTINCT age) AS n";
    scrim_plan_output output;
    if (CHECK_STATUS(
            scrim_plan_new(s.vault, "people", &query, 1, EXACT, &plan, NULL, &s.error),
            SCRIM_OK) &&
        CHECK_STATUS(scrim_plan_output_at(plan, 0, 0, &output, &s.error), SCRIM_OK)) {
        CHECK_STR(output.aggregate, "COUNT DISTINCT x");
        CHECK(strncmp(output.caution, "at least so many: ", 18) == 0);
    }
    scrim_plan_free(plan);
    query_scene_end(&s);
}
