#include "check.h"
#include "plans.h"
#include "query/plan/plan_caution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The caution of a column, or of the statement before the first one. */
static const char *caution_of(const plan_scene *scene, int column)
{
    scrim_plan_statement statement;
    scrim_plan_output output;
    if (column < 0)
        return CHECK_STATUS(scrim_plan_statement_at(scene->plan, 0, &statement, NULL),
                            SCRIM_OK)
                   ? statement.caution
                   : "";
    return CHECK_STATUS(
               scrim_plan_output_at(scene->plan, 0, (size_t)column, &output, NULL),
               SCRIM_OK)
               ? output.caution
               : "";
}

/* The epsilon that it names. */
static bool read_epsilon(const char *caution, char out[32])
{
    const char *at = strstr(caution, " epsilon ");
    if (!CHECK(at != NULL))
        return false;
    snprintf(out, 32, "%.*s", (int)strcspn(at + 9, " ;"), at + 9);
    return true;
}

SLOW_TEST(caution_says_what_tells_nothing_and_what_is_enough)
{
    CLAIM("plan-caution.enough");
    static const struct {
        const char *query, *epsilon, *expect, *words, *besides;
        int column;
    } rows[] = {
        {"SELECT COUNT(*)", "0.001", NULL, "as large as the count itself", "", 0},
        {"SELECT COUNT(*)", "1", "3", "with 3 rows",
         "or expect more rows if there are more", 0},
        {"SELECT SUM(income)", "0.001", NULL, "as large as the sum itself",
         "CLAMP(income, -100, 10000)", 0},
        {"SELECT AVG(age)", "0.001", NULL, "covers the whole range", "", 0},
        {"SELECT VAR(age)", "0.001", NULL, "covers the whole range", "", 0},
        {"SELECT STDDEV(age)", "0.001", NULL, "covers the whole range", "", 0},
        {"SELECT MEDIAN(age)", "0.0001", NULL, "covers the whole range", "", 0},
        {"SELECT city, COUNT(*) GROUP BY city", "0.1", "20",
         "most likely no group is shown", "public keys", -1},
    };
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char epsilon[32] = "1", words[2][1000];
            for (int again = 0; again < 2; again++) {
                if (!plan_ask(&scene, rows[i].query,
                              OPTIONS(.epsilon = rows[i].epsilon, .delta = "1e-6",
                                      .expect = rows[i].expect)))
                    break;
                snprintf(words[again], sizeof *words, "%s",
                         caution_of(&scene, rows[i].column));
            }
            /* The same words for the same question, and what is to be done. */
            CHECK_STR(words[0], words[1]);
            if (!CHECK(strstr(words[0], rows[i].words) != NULL &&
                       strstr(words[0], rows[i].besides) != NULL) ||
                !read_epsilon(words[0], epsilon))
                continue;
            if (plan_ask(&scene, rows[i].query,
                         OPTIONS(.epsilon = epsilon, .delta = "1e-6",
                                 .expect = rows[i].expect)))
                CHECK_STR(caution_of(&scene, rows[i].column), "");
        }
    plan_end(&scene);
}

TEST(caution_is_not_there_where_an_answer_tells_something)
{
    CLAIM("plan-caution.public");
    static const char *const queries[] = {"SELECT COUNT(*)", "SELECT AVG(age)",
                                          "SELECT SUM(income)", "SELECT STDDEV(age)",
                                          "SELECT MEDIAN(age)"};
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
            if (plan_ask(&scene, queries[i], OPTIONS(.epsilon = "1"))) {
                CHECK_STR(caution_of(&scene, 0), "");
                CHECK_STR(caution_of(&scene, -1), "");
            }
    plan_end(&scene);
}

/* No epsilon is enough for a question that bounds make coarse. */
TEST(caution_says_that_nothing_is_enough)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-rows=1000000\n") &&
        plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.epsilon = "1", .expect = "2")))
        CHECK(strstr(caution_of(&scene, 0),
                     "no epsilon up to 1000 brings it to a tenth") != NULL);
    plan_end(&scene);
}

/* A mean whose count may look as if it were 0 has the whole range for an interval now and then, also
 * where the error that is expected is smaller. */
SLOW_TEST(caution_of_a_mean_knows_that_groups_may_look_smaller)
{
    CLAIM("plan-caution.enough");
    plan_scene scene;
    int found = 0;
    if (plan_begin(&scene, ""))
        for (int thousandths = 4; thousandths < 40; thousandths++) {
            char epsilon[16];
            scrim_plan_output output;
            snprintf(epsilon, sizeof epsilon, "0.%03d", thousandths);
            if (!plan_ask(&scene, "SELECT AVG(age)", OPTIONS(.epsilon = epsilon)) ||
                !CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL),
                              SCRIM_OK))
                break;
            found += strtod(output.error, NULL) < 50 && output.caution[0] != '\0';
        }
    plan_end(&scene);
    CHECK(found > 0);
}
