#include "check.h"
#include "faults.h"
#include "plans.h"
#include "query/plan.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

TEST(plan_of_the_main_job)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                 OPTIONS(.epsilon = "0.5"))) {
        const scrim_plan *plan = scene.plan;
        const sc_plan_statement *s = &plan->statements[0];
        CHECK_STR(plan->dataset, "adult");
        CHECK_INT(plan->version, 1);
        CHECK_INT(plan->neighbours, SCRIM_ADD_REMOVE);
        CHECK_STR(plan->question,
                  "query epsilon=0.5 delta=0 : SELECT sex , COUNT ( * ) , "
                  "AVG ( age ) GROUP BY sex");
        CHECK_INT(s->keys_kind, SC_PLAN_PUBLIC_KEYS);
        CHECK_INT(s->key_count, 2);
        CHECK_BYTES(s->keys[0].start, "Female", 7);
        CHECK_BYTES(s->keys[1].start, "Male", 5);
        CHECK_INT(s->max_groups, 1);
        CHECK_INT(s->max_rows, 1);
        REQUIRE(s->part_count == 2);
        CHECK_INT(s->parts[0].statistic, 0);
        CHECK_INT(s->parts[1].statistic, 1);
        CHECK(!s->parts[0].is_apart && s->parts[0].copies == 1);
        CHECK_STR(sc_bundle_cost(plan->bundle)->epsilon, "0.5");
        CHECK_STR(sc_bundle_cost(plan->bundle)->delta, "0");
        CHECK_INT(sc_bundle_count(plan->bundle), 2);
    }
    plan_end(&scene);
}

TEST(plan_measurements_by_relation)
{
    static const char *const queries[] = {"SELECT COUNT(*)", "SELECT SUM(income)",
                                          "SELECT sex, COUNT(*) GROUP BY sex",
                                          "SELECT city, COUNT(*) GROUP BY city"};
    static const char *const want[] = {
        "laplace sensitivity=2 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=20000000 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=4 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=6 epsilon=0.5 neighbours=add-remove"};
    static const char *const replaced[] = {
        "laplace sensitivity=2 epsilon=1 neighbours=replace",
        "laplace sensitivity=20200000 epsilon=1 neighbours=replace",
        "laplace sensitivity=4 epsilon=1 neighbours=replace",
        "laplace sensitivity=12 epsilon=0.5 neighbours=replace"};
    for (int relation = 0; relation < 2; relation++) {
        plan_scene scene;
        if (plan_begin(&scene, relation == 0
                                   ? "max-groups=3\nmax-rows=2\n"
                                   : "max-groups=3\nmax-rows=2\nneighbours=replace\n"))
            for (size_t i = 0; i < COUNT(queries); i++)
                if (plan_ask(&scene, queries[i],
                             OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
                    const sc_plan_statement *s = &scene.plan->statements[0];
                    CHECK_STR(
                        scrim_measurement_text(s->parts[s->part_count - 1].measurement),
                        relation == 0 ? want[i] : replaced[i]);
                }
        plan_end(&scene);
    }
}
