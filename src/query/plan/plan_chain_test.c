#include "check.h"
#include "plans.h"
#include "query/plan/plan_chain.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static void check_chain(plan_scene *scene, const char *query, uint64_t rows,
                        const char *want)
{
    char text[SC_PLAN_CHAIN_BYTES];
    uint64_t constant = 0;
    if (!plan_ask(scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6")))
        return;
    const sc_query *read = scene->plan->statements[0].query;
    sc_plan_chain_put(read, text);
    CHECK_STR(text, want);
    REQUIRE_OK(sc_plan_chain_constant(read, &constant, NULL));
    CHECK_INT(constant, rows);
    scrim_plan_statement shown;
    REQUIRE_OK(scrim_plan_statement_at(scene->plan, 0, &shown, NULL));
    CHECK_STR(shown.operations, want);
}

TEST(plan_chain_names_what_is_done_to_rows)
{
    CLAIM("plan-chain.constant");
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        check_chain(&scene, "SELECT COUNT(*)", 1, "truncate 1, together 1");
        check_chain(&scene, "SELECT sex, SUM(age) WHERE income > 3 GROUP BY sex", 1,
                    "clamp 1, filter 1, truncate 1, group 1, together 1");
        check_chain(&scene, "SELECT BUCKET(age, 50) AS b, AVG(income) GROUP BY b", 1,
                    "clamp 1, bucket 1, truncate 1, group 1, together 1");
        check_chain(&scene,
                    "SELECT SUM(CASE WHEN age + 1 > 2 THEN income ELSE 0 END) AS s", 1,
                    "clamp 1, map 1, recode 1, truncate 1, together 1");
        check_chain(&scene,
                    "SELECT part, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 5) "
                    "AS part GROUP BY part",
                    5, "clamp 1, expand 5, truncate 1, group 1, together 5");
    }
    plan_end(&scene);
}

/* The groups of a unit, times the elements, are at most 10^9. */
TEST(plan_chain_refuses_too_many_groups_of_a_unit)
{
    CLAIM("unnest.charge");
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=500000000\nmax-rows=1\n")) {
        plan_refused(&scene,
                     "SELECT p, COUNT(*) FROM adult, UNNEST(SPLIT(city, ';') LIMIT 3) "
                     "AS p GROUP BY p",
                     OPTIONS(.epsilon = "1", .delta = "1e-6"), SCRIM_E_LIMIT,
                     "one unit would be in more than 1000000000 groups");
    }
    plan_end(&scene);
}

/* A function that would look at other rows has no step: it is refused before there is a plan, with a reason
 * and what to write instead. */
TEST(plan_chain_refuses_what_looks_at_other_rows)
{
    CLAIM("plan-chain.constant");
    static const char *const queries[] = {
        "SELECT DISTINCT city",
        "SELECT COUNT(*) FROM adult UNION ALL SELECT COUNT(*)",
        "SELECT COUNT(*) FROM adult TABLESAMPLE",
        "SELECT SUM(age) OVER (ORDER BY day)",
        "SELECT COUNT(*) FROM adult JOIN adult",
        "SELECT COUNT(*) WHERE RANK() < 10",
    };
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            scrim_plan *plan = NULL;
            scrim_error error = {.message = ""};
            CHECK_STATUS(scrim_plan_new(scene.vault, "adult", &queries[i], 1,
                                        OPTIONS(.epsilon = "1", .delta = "1e-6"), &plan,
                                        NULL, &error),
                         SCRIM_E_POLICY);
            CHECK(plan == NULL && strlen(error.message) > 20);
        }
    plan_end(&scene);
}
