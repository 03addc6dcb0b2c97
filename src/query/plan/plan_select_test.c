#include "check.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/stabilise.h"
#include "plans.h"
#include "query/plan/plan_select.h"
#include "scrim/threshold.h"

#include <stdio.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char *name_of(const scrim_measurement *m)
{
    return m->mechanism->entry.name;
}

static const char *const ways[] = {"partition-selection", "threshold-truncated",
                                   "threshold-laplace", "threshold-gaussian"};

/* Stabilise, then use (stabilise.h), is what a plan does with private keys: the group that
 * stabilise keeps with probability 1/2 at the same cost is no smaller. */
static void check_stabilised(const sc_key_choice *chosen)
{
    const scrim_measurement *m = chosen->measurement;
    const int64_t groups = sc_measurement_integer(m, "max-groups", 1),
                  sides = m->cost.neighbours == SCRIM_REPLACE ? 2 : 1;
    scrim_measurement *keys = NULL;
    uint64_t half = 0;
    SC_OWN(sc_ratio, one, few, sum, p);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&few, groups);
    sc_ratio_set_int64(&sum, sides * groups);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/2"), &p, NULL), SCRIM_OK);
    const sc_argument list[] = {
        {.name = "sensitivity", .values = &sum},
        {.name = "epsilon", .values = &m->cost.epsilon},
        {.name = "delta", .values = &m->cost.delta},
        {.name = "max-groups", .values = &few},
        {.name = "largest", .values = &one},
        {.name = "neighbours", .word = scrim_neighbours_name(m->cost.neighbours)}};
    REQUIRE_OK(sc_measurement_of(&sc_stabilise, list, 6, &keys, NULL));
    CHECK(sc_threshold_kept_size(keys, &p, &half));
    CHECK(half >= chosen->half);
    scrim_measurement_free(keys);
}

SLOW_TEST(plan_select_takes_the_smallest_group)
{
    CLAIM("plan-select.smallest");
    for (unsigned groups = 1; groups <= 100; groups *= 10) {
        plan_scene scene;
        char lines[100];
        snprintf(lines, sizeof lines, "max-rows=2\nmax-groups=%u\n%s", groups,
                 groups == 10 ? "neighbours=replace\n" : "");
        if (plan_begin(&scene, lines) &&
            plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                     OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
            const sc_planned_statement *s = &scene.plan->statements[0];
            const sc_key_choice *chosen = NULL;
            CHECK_INT(s->choice_count, 4);
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
                CHECK_STR(name_of(m), ways[i]);
                CHECK(!s->choices[i].shows && s->choices[i].units == NULL);
                CHECK((s->choices[i].reason[0] != '\0') == s->choices[i].is_chosen);
                /* they are held against each other at one cost */
                CHECK(sc_ratio_compare(&m->cost.epsilon,
                                       &chosen->measurement->cost.epsilon) == 0);
                CHECK(sc_ratio_compare(&m->cost.delta,
                                       &chosen->measurement->cost.delta) == 0);
            }
            check_stabilised(chosen);
            if (groups == 1)
                CHECK_STR(name_of(chosen->measurement), "partition-selection");
        }
        plan_end(&scene);
    }
}

/* Many groups a unit: Gaussian noise, whose share of them is a root; few: the table or bounded
 * noise. Half of the groups of B + 1 units are shown by noise within B. */
TEST(plan_select_changes_with_the_number_of_groups)
{
    CLAIM("plan-select.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "max-rows=2\n") &&
        plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        const sc_key_choice *c = scene.plan->statements[0].choices;
        CHECK(c[0].is_chosen && c[0].half <= c[1].half && c[1].half <= c[2].half);
        CHECK_INT(c[1].half, (uint64_t)sc_threshold_of(c[1].measurement));
    }
    plan_end(&scene);
    if (plan_begin(&scene, "max-rows=2\nmax-groups=100\n") &&
        plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6")))
        CHECK(scene.plan->statements[0].choices[3].is_chosen);
    plan_end(&scene);
}

TEST(plan_select_puts_others_of_the_same_cost)
{
    CLAIM("plan-select.smallest");
    scrim_measurement *taken = NULL;
    char text[200], want[200];
    sc_text_sink sink;
    REQUIRE_OK(scrim_measurement_parse("threshold-gaussian epsilon=1/2 delta=1e-6 "
                                       "max-groups=3 neighbours=replace",
                                       &taken, NULL));
    sc_text_sink_init(&sink, text, sizeof text);
    sc_plan_select_put_others(taken, &sink);
    size_t at = 0;
    for (size_t i = 0; i < 3; i++) {
        scrim_measurement *other = NULL;
        uint64_t half = 0;
        char line[200];
        snprintf(line, sizeof line,
                 "%s epsilon=1/2 delta=1e-6 max-groups=3 neighbours=replace", ways[i]);
        REQUIRE_OK(scrim_measurement_parse(line, &other, NULL));
        REQUIRE_OK(scrim_group_size(other, "1/2", &half, NULL));
        at += (size_t)snprintf(want + at, sizeof want - at, "%s%s %llu",
                               i > 0 ? ", " : "", ways[i], (unsigned long long)half);
        scrim_measurement_free(other);
    }
    CHECK_STR(text, want);
    scrim_measurement_free(taken);
    REQUIRE_OK(scrim_measurement_parse("laplace sensitivity=1 epsilon=1 "
                                       "neighbours=replace",
                                       &taken, NULL));
    sc_text_sink_init(&sink, text, sizeof text);
    sc_plan_select_put_others(taken, &sink);
    CHECK_STR(text, "");
    scrim_measurement_free(taken);
}

TEST(plan_select_beyond_the_limits)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=1000000000\n"))
        plan_refused(
            &scene, "SELECT city, COUNT(*) GROUP BY city",
            OPTIONS(.epsilon = "1", .delta = "1e-6"), SCRIM_E_LIMIT,
            "max-groups: 1000000000 is above the limit 1048576; max-groups is the "
            "number of contribution bound: groups per unit, an integer from 1 to "
            "1048576");
    plan_end(&scene);
}

TEST(plan_select_keeps_groups_by_the_number_of_having)
{
    CLAIM("plan-select.least");
    static const struct {
        const char *lines, *query;
        int64_t threshold, groups, sum; /* threshold 0: that of delta */
    } list[] = {
        {"max-groups=2\nmax-rows=3\n",
         "SELECT city, SUM(age) AS s GROUP BY city HAVING COUNT(DISTINCT person_id) > "
         "299",
         300, 2, 2},
        {"max-groups=2\nmax-rows=3\nneighbours=replace\n",
         "SELECT city, SUM(age) AS s GROUP BY city HAVING COUNT(DISTINCT person_id) >= "
         "500",
         500, 2, 4},
        {"max-groups=1\nmax-rows=1\n",
         "SELECT city, SUM(age) AS s GROUP BY city HAVING COUNT(DISTINCT person_id) >= 2",
         0, 1, 1},
        {"max-groups=1\nmax-rows=1\n",
         "SELECT p, SUM(age) AS s FROM adult, UNNEST(SPLIT(city, ';') LIMIT 3) AS p "
         "GROUP "
         "BY p HAVING COUNT(DISTINCT person_id) >= 400",
         400, 3, 3},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        plan_scene scene;
        if (plan_begin(&scene, list[i].lines) &&
            plan_ask(&scene, list[i].query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
            const sc_planned_statement *s = &scene.plan->statements[0];
            CHECK_INT(s->choice_count, 1);
            const scrim_measurement *m = s->choices[0].measurement;
            CHECK(s->choices[0].is_chosen && !s->choices[0].shows);
            CHECK_STR(name_of(m), "stabilise");
            CHECK_INT(sc_measurement_integer(m, "threshold", 0), list[i].threshold);
            CHECK_INT(sc_measurement_integer(m, "max-groups", 0), list[i].groups);
            CHECK_INT(sc_measurement_integer(m, "sensitivity", 0), list[i].sum);
            CHECK_INT(sc_measurement_integer(m, "largest", 0), 1);
            CHECK_INT(s->choices[0].half, sc_threshold_of(m));
            CHECK(sc_ratio_compare(&m->cost.delta, &scene.plan->options.delta) <= 0);
            CHECK((sc_ratio_compare(&m->cost.delta, &scene.plan->options.delta) < 0) ==
                  (list[i].threshold > 0));
        }
        plan_end(&scene);
    }
}

/* Public keys are not selected: what HAVING compares must be released. */
TEST(plan_select_refuses_having_of_a_count_that_is_not_shown)
{
    plan_scene scene;
    if (plan_begin(&scene, ""))
        plan_refused(
            &scene,
            "SELECT sex, SUM(age) AS s GROUP BY sex HAVING COUNT(DISTINCT person_id) >= "
            "2",
            OPTIONS(.epsilon = "1", .delta = "1e-6"), SCRIM_E_POLICY,
            "HAVING needs a name from SELECT; put this count into SELECT with AS and a "
            "name");
    plan_end(&scene);
}
