/* Answers about values that may be NULL, from end to end. At epsilon 1000 there is no noise to speak
 * of (ask_test.c). */
#include "check.h"
#include "coverage_bar.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define EXACT OPTIONS(.epsilon = "1000", .delta = "1e-6")
#define check_values(s, query, want) query_scene_check_values(s, query, EXACT, want)
#define LARGE_BUDGET "budget=epsilon=1000000,delta=0.5\n"

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s%s", query_scene_columns, LARGE_BUDGET, lines);
    return query_scene_begin(s, policy, bytes);
}

/* COUNT(*) is one number, whatever stands beside it; a row without a unit is in none. */
SLOW_TEST(null_rows_count_whatever_is_asked)
{
    query_scene s;
    if (begin(
            &s, "",
            "person,age,sex,city,income\na,10,Female,Ulm,1\nb,x,Male,,\nc,,Other,\"\",3\n"
            ",50,Male,Ulm,4\nd,40,,Ulm,5\n")) {
        check_values(&s, "SELECT COUNT(*) AS n", "4;");
        check_values(&s, "SELECT COUNT(*) AS n, COUNT(age) AS a, COUNT(city) AS c",
                     "4,2,3;");
        check_values(&s, "SELECT COUNT(*) AS n WHERE age IS NOT NULL", "2;");
        check_values(&s, "SELECT COUNT(*) AS n WHERE NOT (age > 120)", "2;");
        check_values(&s, "SELECT COUNT(*) AS n WHERE age IS NULL OR age > 20", "3;");
        check_values(&s, "SELECT COUNT(*) AS n WHERE city <> 'Ulm'", "1;");
        check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex",
                     "Female,1;Male,1;NULL,1;");
        check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex ORDER BY sex DESC",
                     "NULL,1;Male,1;Female,1;");
        check_values(&s, "SELECT sex, COUNT(*) AS n WHERE sex IS NOT NULL GROUP BY sex",
                     "Female,1;Male,1;");
        check_values(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING sex IS NULL",
                     "NULL,1;");
        check_values(&s, "SELECT age > 20 AS o, COUNT(*) AS n GROUP BY o",
                     "false,1;true,1;NULL,2;");
    }
    query_scene_end(&s);
}

/* Every value of a declared range is a group, whatever the rows are: also of no rows at all. Values
 * beyond it are in the first and the last, and without a delta nothing is discovered. */
TEST(range_keys_are_all_shown_whatever_the_data)
{
    static const struct {
        const char *rows, *want;
    } cases[] = {
        {"a,9,1,x\nb,-5,0,\nc,2,1,x\nd,2,yes?,x\n", "-1,1;0,0;1,0;2,2;3,1;NULL,0;"},
        {"a,,1,x\nb,1,0,x\n", "-1,0;0,0;1,1;2,0;3,0;NULL,1;"},
        {"", "-1,0;0,0;1,0;2,0;3,0;NULL,0;"}};
    char table[500], text[4000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query_scene s;
        scrim_result *result = NULL;
        snprintf(table, sizeof table, "person,size,on,word\n%s", cases[i].rows);
        if (query_scene_begin(&s,
                              "unit=person\ncolumn=size=int[-1,3]\ncolumn=on=bool\n"
                              "column=word=text\n" LARGE_BUDGET,
                              table)) {
            CHECK_STATUS(query_scene_ask(&s, "SELECT size, COUNT(*) AS n GROUP BY size",
                                         OPTIONS(.epsilon = "1000", .delta = "1e-6"),
                                         &result),
                         SCRIM_OK);
            CHECK_STR(query_scene_values(result, 0, text, sizeof text), cases[i].want);
            CHECK_STR(scrim_result_column_at(result, 0, 0)->note,
                      "the first and the last key of a declared range also hold all "
                      "values beyond it");
            CHECK_STR(query_scene_left(&s, text), "999000 0.5 1");
            scrim_result_free(result);
        }
        query_scene_end(&s);
    }
}

/* NULL among keys that are discovered is selected as any other, and is not the empty text. */
TEST(null_is_a_key_that_is_discovered)
{
    static char text[20000];
    query_scene s;
    for (int many = 0; many < 2; many++) {
        size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
        for (int i = 0; i < 300; i++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%d,1,Male,%s,1\n", i,
                                 i < 100            ? "Ulm"
                                 : i < 200          ? "\"\""
                                 : many || i == 200 ? ""
                                                    : "Bonn");
        if (begin(&s, "", text))
            check_values(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                         many ? ",100;Ulm,100;NULL,100;" : ",100;Bonn,99;Ulm,100;");
        query_scene_end(&s);
    }
}

/* X5: all aggregates see the same rows, which were chosen before FILTER. */
TEST(null_filters_see_the_rows_that_were_kept)
{
    char text[2000] = "person,age,sex,city,income\n";
    query_scene s;
    for (int i = 0; i < 10; i++)
        snprintf(text + strlen(text), 40, "a,%d,Male,Ulm,%d\n", 10 * i, i);
    if (begin(&s, "max-groups=1\nmax-rows=5\n", text)) {
        scrim_result *result = NULL;
        if (CHECK_STATUS(
                query_scene_ask(&s,
                                "SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE age "
                                ">= 50) AS f, COUNT(CASE WHEN age < 50 THEN 1 END) "
                                "AS g",
                                EXACT, &result),
                SCRIM_OK)) {
            const int all = atoi(scrim_result_cell_at(result, 0, 0, 0)->value),
                      with = atoi(scrim_result_cell_at(result, 0, 0, 1)->value),
                      without = atoi(scrim_result_cell_at(result, 0, 0, 2)->value);
            CHECK_INT(all, 5);
            CHECK_INT(with + without, 5);
        }
        scrim_result_free(result);
        check_values(&s, "SELECT COUNT(*) AS n WHERE age >= 50", "5;");
    }
    query_scene_end(&s);
}

/* And the same groups: each person keeps one of two, and FILTER is true in one of them alone. */
TEST(null_filters_see_the_groups_that_were_kept)
{
    char text[4000] = "person,age,sex,city,income\n";
    query_scene s;
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), 80, "%d,10,Male,Ulm,1\n%d,60,Female,Ulm,1\n", i, i);
    if (begin(&s, "max-groups=1\nmax-rows=1\n", text)) {
        scrim_result *result = NULL;
        if (CHECK_STATUS(query_scene_ask(&s,
                                         "SELECT sex, COUNT(*) AS n, COUNT(*) FILTER "
                                         "(WHERE age >= 50) AS f GROUP BY sex",
                                         EXACT, &result),
                         SCRIM_OK)) {
            const char *women = scrim_result_cell_at(result, 0, 0, 1)->value;
            CHECK_STR(scrim_result_cell_at(result, 0, 0, 2)->value, women);
            CHECK(atoi(women) > 0 && atoi(women) < 40);
            CHECK_STR(scrim_result_cell_at(result, 0, 1, 2)->value, "0");
        }
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

/* People for whom FILTER is true in a row are counted once, by all of their rows in the groups that were
 * kept, whatever the bound of rows. Beside keys that are discovered they have a part of their own. */
SLOW_TEST(null_filters_count_people_by_any_row)
{
    static char text[20000];
    query_scene s;
    if (begin(&s, "max-groups=2\nmax-rows=1\n",
              "person,age,sex,city,income\na,10,Male,Ulm,1\na,60,Male,Ulm,1\na,70,Male,"
              "Ulm,1\n"
              "a,x,Female,Ulm,1\nb,20,Male,Ulm,1\nb,,Male,Ulm,1\n,60,Male,Ulm,1\n"
              "c,60,Female,Ulm,1\n")) {
        check_values(&s,
                     "SELECT sex, COUNT(DISTINCT person) AS u, COUNT(DISTINCT person) "
                     "FILTER (WHERE age > 50) AS f GROUP BY sex",
                     "Female,2,1;Male,2,1;NULL,0,0;");
        check_values(&s,
                     "SELECT COUNT(DISTINCT person) FILTER (WHERE age > 50) AS f, "
                     "COUNT(DISTINCT person) FILTER (WHERE age IS NULL) AS m, "
                     "COUNT(DISTINCT person) FILTER (WHERE age IS NULL OR TRUE) AS u, "
                     "100 * COUNT(DISTINCT person) FILTER (WHERE age > 50) / "
                     "COUNT(DISTINCT person) AS share",
                     "2,2,3,66.666667;");
        check_values(&s,
                     "SELECT COUNT(DISTINCT person) FILTER (WHERE t > 2) AS f FROM "
                     "(SELECT CLAMP(COUNT(*), 0, 9) AS t GROUP BY person)",
                     "1;");
    }
    query_scene_end(&s);
    size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d,Male,%s,1\n", i,
                                 i % 100, i < 100 ? "Ulm" : "Bonn");
    if (begin(&s, "max-groups=1\nmax-rows=1\n", text))
        check_values(&s,
                     "SELECT city, COUNT(DISTINCT person) AS u, COUNT(DISTINCT person) "
                     "FILTER (WHERE age < 30) AS f GROUP BY city",
                     "Bonn,200,60;Ulm,100,30;");
    query_scene_end(&s);
}

/* Intervals of means of the values that are there: a third of them is not. */
SLOW_TEST(null_means_are_covered)
{
    static char text[20000];
    const uint64_t count = check_count_whole(40, 2000);
    uint64_t covered = 0, asked = 0;
    double sum = 0;
    int present = 0;
    query_scene s;
    size_t used = (size_t)snprintf(text, sizeof text, "person,age,sex,city,income\n");
    for (int i = 0; i < 600; i++) {
        const int age = 20 + i * 7 % 60;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 i % 3 == 0 ? "%d,x,Male,Ulm,1\n" : "%d,%d,Male,Ulm,1\n",
                                 i, age);
        sum += i % 3 == 0 ? 0 : age;
        present += i % 3 != 0;
    }
    if (begin(&s, "", text))
        for (; asked < count; asked++) {
            char epsilon[32]; /* another question each time */
            scrim_result *result = NULL;
            snprintf(epsilon, sizeof epsilon, "0.5%010llu", (unsigned long long)asked);
            if (!CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n, AVG(age) AS a",
                                              OPTIONS(.epsilon = epsilon), &result),
                              SCRIM_OK))
                break;
            const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 1);
            covered +=
                atof(cell->low) <= sum / present && sum / present <= atof(cell->high);
            scrim_result_free(result);
        }
    query_scene_end(&s);
    CHECK(covers_enough(covered, count));
    if (check_is_long())
        CHECK((double)covered <= 0.995 * (double)count);
}

/* A row whose key is on no public list is in no group, nor in those of a person. */
TEST(person_has_no_groups_beyond_public_keys)
{
    query_scene s;
    char policy[1000];
    snprintf(policy, sizeof policy, "%sbudget=epsilon=1000000,delta=0.5\nmax-groups=2\n",
             query_scene_columns);
    if (query_scene_begin(&s, policy,
                          "person,age,sex,city,income\n"
                          "a,1,Male,x,1\na,1,Other,x,1\na,1,Strange,x,1\n"
                          "b,1,Female,x,1\nb,1,Male,x,1\nc,1,Other,x,1\n"))
        check_values(&s,
                     "SELECT SUM(n) AS s FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n FROM "
                     "(SELECT COUNT(*) AS k GROUP BY person, sex) GROUP BY person)",
                     "3;");
    query_scene_end(&s);
}

/* In a range that lies off 0, a sum is made of distances from an end, and NULL has no distance. */
TEST(null_values_of_a_range_off_zero_add_nothing)
{
    query_scene s;
    if (query_scene_begin(&s,
                          "unit=person\ncolumn=x=int[10,12]\ncolumn=y=int[-9,-5]\n"
                          "max-groups=1\nmax-rows=1\n" LARGE_BUDGET,
                          "person,x,y\na,10,-6\nb,,\nc,11,-9\nd,no,\ne,12,-5\n"
                          "f,,-7\ng,NA,x\n")) {
        check_values(&s, "SELECT SUM(x) AS s", "33;");
        check_values(&s, "SELECT SUM(y) AS s", "-27;");
        check_values(&s, "SELECT SUM(x) AS s, COUNT(*) AS n", "33,7;");
        check_values(&s, "SELECT SUM(x) FILTER (WHERE y < -5) AS s", "21;");
    }
    query_scene_end(&s);
}

/* A value of a person's rows is within the range that was given, at both ends. */
TEST(person_columns_are_clamped_at_both_ends)
{
    query_scene s;
    if (query_scene_begin(
            &s,
            "unit=person\ncolumn=x=int[-50,50]\nmax-groups=1\nmax-rows=1\n" LARGE_BUDGET,
            "person,x\na,-50\na,-40\nb,50\nb,3\nc,1\n"))
        check_values(&s,
                     "SELECT t, COUNT(*) AS n FROM (SELECT CLAMP(SUM(x), -1, 2) AS t "
                     "GROUP BY person) GROUP BY t",
                     "-1,1;0,0;1,1;2,1;NULL,0;");
    query_scene_end(&s);
}
