#include "check.h"
#include "plans.h"
#include "query/plan/plan_measure.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

SLOW_TEST(plan_measure_writes_lines)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=3\nmax-rows=2\nneighbours=replace\n") &&
        plan_ask(&scene, "SELECT city, MEDIAN(weight) GROUP BY city",
                 OPTIONS(.epsilon = "3", .delta = "1e-6"))) {
        const sc_drawn_part *parts = scene.plan->statements[0].parts;
        const char *text = scrim_measurement_text(parts[1].measurement);
        CHECK(strncmp(text, "quantile p=0.5 epsilon=", 23) == 0);
        CHECK(strstr(text, " lower=0 upper=1600 max-rows=2 neighbours=add-remove") !=
              NULL);
        CHECK(parts[1].is_apart && parts[1].copies == 6);
        /* Three groups, two rows, from one ring to another. */
        CHECK(strncmp(scrim_measurement_text(parts[2].measurement),
                      "laplace sensitivity=12 ", 23) == 0);
        CHECK(!parts[2].is_apart && parts[2].copies == 1);
    }
    /* The part that a quantile does not take is left. */
    if (plan_ask(&scene, "SELECT MEDIAN(age)", OPTIONS(.epsilon = "1000"))) {
        const sc_drawn_part *parts = scene.plan->statements[0].parts;
        CHECK(strncmp(scrim_measurement_text(parts[0].measurement),
                      "quantile p=0.5 epsilon=20 ", 26) == 0);
    }
    plan_end(&scene);
}

/* How many groups there will be is not known: the figures of one alone would be too good for two. */
TEST(plan_measure_A39_unknown_groups_are_never_one)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=2\nmax-rows=2\n") &&
        plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian"))) {
        const sc_drawn_part *part = &scene.plan->statements[0].parts[1];
        const char *text = scrim_measurement_text(part->measurement);
        CHECK(strstr(text, " rho=") != NULL);
        CHECK(strstr(text, " size=2 ") != NULL);
    }
    plan_end(&scene);
}

/* The rings of one group are as many values as there are: the figures of one alone are not theirs. */
TEST(plan_measure_of_rings_is_for_all_of_them)
{
    plan_scene scene;
    if (plan_begin(&scene, "neighbours=replace\n") &&
        plan_ask(&scene, "SELECT MEDIAN(age)",
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian"))) {
        const sc_drawn_part *part = &scene.plan->statements[0].parts[1];
        const char *text = scrim_measurement_text(part->measurement);
        CHECK(strncmp(text, "gaussian sensitivity=", 21) == 0);
        CHECK(strstr(text, " rho=") != NULL);
        CHECK(strstr(text, " size=17 ") != NULL);
    }
    plan_end(&scene);
}

TEST(plan_measure_names_what_is_drawn)
{
    static const char *const want[] = {
        "rows",      "sum of age",      "squares of age",  "units",
        "sum for s", "rows with range", "quantiles for m", "rows around quantiles for m"};
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(
            &scene,
            "SELECT VAR(age), COUNT(DISTINCT person_id), SUM(age * 2) AS s, COUNT(*) "
            "WITH RANGE AS c, MEDIAN(age * 3) AS m",
            OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        char what[SC_PLAN_WHAT_BYTES];
        CHECK_INT(s->statistics.count, COUNT(want));
        for (size_t i = 0; i < s->statistics.count; i++) {
            sc_plan_what(s, i, what);
            CHECK_STR(what, want[i]);
        }
        sc_plan_what(s, SC_STATISTIC_NONE, what);
        CHECK_STR(what, "keys");
    }
    plan_end(&scene);
}

/* A ladder that is filtered still stands on its rungs. */
TEST(plan_measures_a_ladder_that_is_filtered)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT MEDIAN(LADDER(age)) FILTER (WHERE married)",
                 OPTIONS(.epsilon = "1"))) {
        scrim_plan_output output;
        CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL), SCRIM_OK);
        CHECK_STR(output.high, "200");
    }
    plan_end(&scene);
}
