#include "check.h"
#include "plans.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_select.h"
#include "scrim/threshold.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char units_alone[] = "SELECT city, COUNT(DISTINCT person_id) GROUP BY city";

static const char *name_of(const scrim_measurement *m)
{
    return m->mechanism->entry.name;
}

/* The part that draws the units of a statement; SC_STATISTIC_NONE: none does. */
static size_t units_part(const sc_planned_statement *s)
{
    return sc_plan_part_of(s, s->statistics.uses[0].units);
}

/* The choice is smallest, is drawn, and has units from one place alone. */
static void check_statement(const sc_planned_statement *s)
{
    const sc_key_choice *chosen = sc_plan_select_chosen(s->choices, s->choice_count);
    size_t shown = 0, drawn = 0;
    REQUIRE(chosen != NULL);
    CHECK(chosen->measurement == s->parts[0].measurement);
    CHECK_INT(chosen->shows, !s->draws_units);
    CHECK((units_part(s) == SC_STATISTIC_NONE) == chosen->shows);
    for (size_t i = 0; i < s->choice_count; i++) {
        const sc_key_choice *c = &s->choices[i];
        CHECK(c->half >= chosen->half);
        /* of equals the one that draws less */
        CHECK(chosen->shows || !c->shows || c->half > chosen->half);
        CHECK_INT(c->shows, c->units == NULL);
        CHECK((c->reason[0] != '\0') == c->is_chosen);
        (*(c->shows ? &shown : &drawn))++;
    }
    CHECK(shown > 0 && drawn > 0);
}

/* One group a unit: the table at half of epsilon and a draw keep larger groups than bounded noise
 * with all of it, whose counts are the answer. */
TEST(units_choice_shows_units_where_that_is_better)
{
    CLAIM("units-choice.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, units_alone, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        const sc_key_choice *last = &s->choices[s->choice_count - 1];
        scrim_measurement *alone = NULL;
        uint64_t half = 0;
        check_statement(s);
        CHECK_INT(s->part_count, 1);
        CHECK_STR(name_of(s->parts[0].measurement), "threshold-truncated");
        CHECK(sc_ratio_compare_int64(&s->parts[0].share, 1) == 0);
        CHECK_INT(s->choice_count, 4);
        /* the other way, with what would be left for it */
        CHECK_STR(name_of(last->measurement), "partition-selection");
        REQUIRE_OK(scrim_measurement_parse("partition-selection epsilon=1/2 delta=1e-6 "
                                           "max-groups=1 neighbours=add-remove",
                                           &alone, NULL));
        REQUIRE_OK(scrim_group_size(alone, "1/2", &half, NULL));
        CHECK_STR(scrim_measurement_text(last->measurement),
                  scrim_measurement_text(alone));
        CHECK_INT(last->half, half);
        CHECK_STR(scrim_measurement_text(last->units),
                  "laplace sensitivity=1 epsilon=0.5 neighbours=add-remove");
        scrim_measurement_free(alone);
        scrim_plan_choice shown;
        REQUIRE_OK(scrim_plan_choice_at(scene.plan, 0, 3, &shown, NULL));
        CHECK_STR(shown.cost.epsilon, "0.5");
        CHECK_STR(shown.units_cost.epsilon, "0.5");
        CHECK(!shown.shows_units && !shown.is_chosen);
        REQUIRE_OK(scrim_plan_choice_at(scene.plan, 0, 0, &shown, NULL));
        CHECK_STR(shown.cost.epsilon, "1");
        CHECK_STR(shown.units, "");
        CHECK(shown.shows_units && shown.is_chosen);
        CHECK(strstr(shown.reason, "no second draw") != NULL);
    }
    plan_end(&scene);
}

#define SUMS 12
#define QUERY_BYTES 1000

/* COUNT(DISTINCT unit) and `sums` sums, each of its own value. */
static void write_query(char query[QUERY_BYTES], int sums)
{
    size_t at = (size_t)snprintf(query, QUERY_BYTES,
                                 "SELECT city, COUNT(DISTINCT person_id) AS n");
    for (int i = 0; i < sums; i++)
        at += (size_t)snprintf(query + at, QUERY_BYTES - at, ", SUM(age + %d) AS s%d", i,
                               i);
    snprintf(query + at, QUERY_BYTES - at, " GROUP BY city");
}

/* A draw of the units takes a thirteenth of the budget, and the table keeps a group of a unit
 * less. */
SLOW_TEST(units_choice_draws_units_where_that_is_better)
{
    CLAIM("units-choice.smallest");
    char query[QUERY_BYTES];
    plan_scene scene;
    write_query(query, SUMS);
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, query,
                 OPTIONS(.epsilon = "12", .delta = "0.01", .mechanism = "laplace"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        check_statement(s);
        CHECK(s->draws_units);
        CHECK_STR(name_of(s->parts[0].measurement), "partition-selection");
        CHECK_INT(s->part_count, SUMS + 2);
        CHECK_INT(s->choices[0].half + 1, s->choices[s->choice_count - 1].half);
    }
    plan_end(&scene);
}

SLOW_TEST(units_choice_takes_the_smallest_group)
{
    CLAIM("units-choice.smallest");
    static const char *const lines[] = {"", "neighbours=replace\n", "max-groups=5\n"};
    static const char *const epsilons[] = {"1/2", "10"}, *const deltas[] = {"1e-5",
                                                                            "0.07"};
    char query[QUERY_BYTES];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        plan_scene scene;
        if (plan_begin(&scene, lines[i]))
            for (unsigned k = 0; k < 8; k += (unsigned)check_count(3, 1)) {
                write_query(query, k & 4 ? SUMS : 0);
                if (plan_ask(
                        &scene, query,
                        OPTIONS(.epsilon = epsilons[k & 1], .delta = deltas[k >> 1 & 1])))
                    check_statement(&scene.plan->statements[0]);
            }
        plan_end(&scene);
    }
}

/* The epsilon for a target is that of the way that is taken. */
SLOW_TEST(units_choice_meets_a_target)
{
    CLAIM("units-choice.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, units_alone, OPTIONS(.target_error = "10", .delta = "1e-6"))) {
        scrim_plan_output o;
        check_statement(&scene.plan->statements[0]);
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 1, &o, NULL));
        CHECK_STR(o.error, "10");
    }
    plan_end(&scene);
}

/* Where a group has as many rows as units, one draw serves COUNT(*) as it serves COUNT(DISTINCT
 * unit). */
SLOW_TEST(units_choice_takes_rows_for_units_where_they_are)
{
    CLAIM("units-choice.smallest");
    static const char *const lines[] = {"", "max-groups=20\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        plan_scene scene;
        char units[200] = "", error[SCRIM_NUMBER_BYTES] = "";
        scrim_plan_output output;
        if (!plan_begin(&scene, lines[i]))
            continue;
        if (plan_ask(&scene, units_alone, OPTIONS(.epsilon = "4", .delta = "1e-5"))) {
            REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 1, &output, NULL));
            snprintf(error, sizeof error, "%s", output.error);
            snprintf(
                units, sizeof units, "%s",
                scrim_measurement_text(scene.plan->statements[0].parts[0].measurement));
        }
        if (plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                     OPTIONS(.epsilon = "4", .delta = "1e-5"))) {
            const sc_planned_statement *s = &scene.plan->statements[0];
            REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 1, &output, NULL));
            CHECK_INT(s->part_count, 1);
            CHECK(s->choices[0].shows);
            CHECK_STR(scrim_measurement_text(s->parts[0].measurement), units);
            CHECK_STR(output.error, error);
        }
        /* A statement with a use for rows has rows of its own. */
        if (plan_ask(&scene, "SELECT city, COUNT(*), AVG(age) GROUP BY city",
                     OPTIONS(.epsilon = "4", .delta = "1e-5")))
            CHECK_INT(scene.plan->statements[0].part_count, 3);
        plan_end(&scene);
    }
}
