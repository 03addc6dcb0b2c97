#include "check.h"
#include "plans.h"
#include "query/plan_select.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char *name_of(const scrim_measurement *m)
{
    return m->mechanism->entry.name;
}

TEST(plan_select_takes_the_smallest_group)
{
    CLAIM("plan-select.smallest");
    for (unsigned groups = 1; groups <= 100; groups *= 10) {
        plan_scene scene;
        char lines[100];
        snprintf(lines, sizeof lines, "max-groups=%u\n%s", groups,
                 groups == 10 ? "neighbours=replace\n" : "");
        if (plan_begin(&scene, lines) &&
            plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                     OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
            const sc_plan_statement *s = &scene.plan->statements[0];
            const sc_plan_choice *chosen = NULL;
            CHECK_INT(s->choice_count, groups == 1 ? 1 : 3);
            for (size_t i = 0; i < s->choice_count; i++)
                if (s->choices[i].is_chosen) {
                    CHECK(chosen == NULL);
                    chosen = &s->choices[i];
                }
            REQUIRE(chosen != NULL);
            CHECK(chosen->measurement == s->parts[0].measurement);
            CHECK_INT(s->parts[0].statistic, SC_STATISTIC_NONE);
            for (size_t i = 0; i < s->choice_count; i++) {
                const scrim_measurement *m = s->choices[i].measurement;
                CHECK(s->choices[i].half >= chosen->half);
                CHECK(s->choices[i].half <= s->choices[i].most);
                CHECK_INT(m->cost.neighbours, scene.plan->neighbours);
                CHECK_INT(sc_measurement_integer(m, "max-groups", 0), groups);
            }
            if (groups == 1)
                CHECK_STR(name_of(chosen->measurement), "partition-selection");
        }
        plan_end(&scene);
    }
}

static size_t units_part(const plan_scene *scene)
{
    const sc_plan_statement *s = &scene->plan->statements[0];
    return sc_plan_part_of(s, s->statistics.uses[0].units);
}

TEST(plan_select_shows_units_where_they_are_asked_for)
{
    CLAIM("plan-select.smallest");
    static const char query[] = "SELECT city, COUNT(DISTINCT person_id) GROUP BY city";
    plan_scene scene;
    /* One group a unit: the best selection, which shows nothing, and a draw. */
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        CHECK_INT(scene.plan->statements[0].part_count, 2);
        CHECK_INT(units_part(&scene), 1);
        CHECK(!sc_plan_select_shows(&scene.plan->statements[0]));
    }
    plan_end(&scene);
    /* Two: noisy counts, which have all of the budget. */
    if (plan_begin(&scene, "max-groups=2\n") &&
        plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        const sc_plan_statement *s = &scene.plan->statements[0];
        scrim_plan_output o;
        CHECK_INT(s->part_count, 1);
        CHECK_INT(units_part(&scene), SC_STATISTIC_NONE);
        CHECK(sc_plan_select_shows(s));
        CHECK(strncmp(name_of(s->parts[0].measurement), "threshold-", 10) == 0);
        CHECK(sc_ratio_compare_int64(&s->parts[0].share, 1) == 0);
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 1, &o, NULL));
        CHECK(strcmp(o.error, "0") != 0);
    }
    plan_end(&scene);
}

TEST(plan_select_beyond_the_limits)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=1000000000\n"))
        plan_refused(
            &scene, "SELECT city, COUNT(*) GROUP BY city",
            OPTIONS(.epsilon = "1", .delta = "1e-6"), SCRIM_E_LIMIT,
            "max-groups: 1000000000 is above the limit 2^20; max-groups is the "
            "number of groups that one unit may be in, an integer from 1 to 2^20");
    plan_end(&scene);
}
