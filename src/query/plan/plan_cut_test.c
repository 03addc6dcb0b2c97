#include "check.h"
#include "plans.h"
#include "query/plan/plan.h"
#include "query/plan/plan_cut.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char count[] = "SELECT COUNT(*)";

/* Policy and question alone decide. */
SLOW_TEST(plan_cut_is_counted_where_bounds_can_leave_rows_out)
{
    CLAIM("plan-cut.public");
    static const struct {
        const char *policy, *query;
        sc_cut_kind kind;
        size_t cells;
    } cases[] = {
        {"max-groups=3\nmax-rows=2\n", "SELECT COUNT(*)", SC_CUT_ROWS, 5},
        {"max-total-rows=7\n", "SELECT AVG(age)", SC_CUT_ROWS, 5},
        {"max-total-rows=1\n", "SELECT COUNT(*)", SC_CUT_ROWS, 5},
        {"max-total-rows=7\n", "SELECT sex, MEDIAN(age) GROUP BY sex", SC_CUT_ROWS, 5},
        /* One row of each is a bound, which cuts whoever has more; that each has one is a fact. */
        {"max-groups=1\nmax-rows=1\n", "SELECT COUNT(*)", SC_CUT_ROWS, 5},
        /* Each unit has one row, or each person makes one. */
        {"rows-per-unit=1\n", "SELECT COUNT(*)", SC_CUT_NOTHING, 0},
        {"max-groups=3\nmax-rows=2\n",
         "SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n GROUP BY person_id)",
         SC_CUT_NOTHING, 0},
        /* Each unit counts once, in all its groups or in some of them. */
        {"max-groups=3\nmax-rows=2\n", "SELECT COUNT(DISTINCT person_id)", SC_CUT_NOTHING,
         0},
        {"max-groups=3\nmax-rows=2\n",
         "SELECT sex, COUNT(DISTINCT person_id) GROUP BY sex", SC_CUT_NOTHING, 0},
        {"max-groups=1\nmax-rows=2\n",
         "SELECT sex, COUNT(DISTINCT person_id) GROUP BY sex", SC_CUT_GROUPS, 5},
        {"max-total-rows=60\n", "SELECT sex, COUNT(DISTINCT person_id) GROUP BY sex",
         SC_CUT_GROUPS, 5},
        {"max-groups=3\nmax-rows=2\n",
         "SELECT city, COUNT(DISTINCT person_id) GROUP BY city", SC_CUT_GROUPS, 5},
        /* In a bounded total all rows count, but for those of groups that go; it may be clamped. */
        {"max-groups=3\nmax-rows=2\nmax-total=age=10\n", "SELECT SUM(age)", SC_CUT_GROUPS,
         6},
        {"max-groups=3\nmax-rows=2\nmax-total=age=10\n", "SELECT SUM(age), COUNT(*)",
         SC_CUT_ROWS, 6}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        plan_scene scene;
        if (plan_begin(&scene, cases[i].policy) &&
            plan_ask(&scene, cases[i].query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
            const sc_planned_statement *s = &scene.plan->statements[0];
            if (!CHECK_INT(s->cut.kind, cases[i].kind))
                CHECK_FAIL("%s%s", cases[i].policy, cases[i].query);
            CHECK_INT(s->cut.count, cases[i].cells);
            CHECK_INT(s->cut_part.measurement != NULL, cases[i].cells > 0);
            CHECK_INT(strstr(scene.plan->line, " cut=0.05 ") != NULL, cases[i].cells > 0);
            /* It is in the charge, and the charge is what was asked for. */
            CHECK_STR(sc_bundle_cost(scene.plan->bundle)->epsilon, "1");
            if (cases[i].cells > 0)
                CHECK(sc_bundle_measurement(scene.plan->bundle, s->part_count) ==
                      s->cut_part.measurement);
        }
        plan_end(&scene);
    }
}

/* A unit that is replaced leaves one cell and enters another, as the vectors say. */
TEST(plan_cut_has_the_norms_of_the_vectors)
{
    json_t *all = vectors_load("bounds", "cut_cells"), *row;
    size_t i, looked = 0;
    json_array_foreach(all, i, row)
    {
        const char *relation = json_string_value(json_object_get(row, "relation"));
        char policy[100], want[200];
        plan_scene scene;
        if (json_object_get(row, "draw") != NULL)
            continue;
        snprintf(policy, sizeof policy, "max-total-rows=9\nneighbours=%s\n", relation);
        if (plan_begin(&scene, policy) &&
            plan_ask(&scene, count, OPTIONS(.epsilon = "1", .cut_share = "1/10"))) {
            snprintf(want, sizeof want,
                     "laplace sensitivity=%lld epsilon=0.1 neighbours=%s",
                     json_integer_value(json_object_get(row, "l1")), relation);
            CHECK_STR(
                scrim_measurement_text(scene.plan->statements[0].cut_part.measurement),
                want);
            looked++;
        }
        /* It has the same share of a rho, by the root of the squares. */
        if (plan_ask(&scene, "SELECT COUNT(*), SUM(age)",
                     OPTIONS(.rho = "1", .delta = "1e-6"))) {
            const scrim_measurement *m = scene.plan->statements[0].cut_part.measurement;
            const sc_ratio *norm = sc_measurement_get(m, "sensitivity");
            sc_ratio square;
            sc_ratio_init(&square);
            sc_ratio_mul(&square, norm, norm);
            CHECK(sc_ratio_compare_int64(&square, json_integer_value(json_object_get(
                                                      row, "l2squared"))) >= 0);
            CHECK(strstr(scrim_measurement_text(m), " rho=0.05 ") != NULL);
            CHECK_STR(sc_bundle_cost(scene.plan->bundle)->rho, "1");
            sc_ratio_clear(&square);
        }
        plan_end(&scene);
    }
    CHECK_INT(looked, 2);
}

/* Statements of a batch pay for their own people, by their shares where they have some. */
TEST(plan_cut_of_a_batch)
{
    static const char *const queries[] = {"SELECT COUNT(*)",
                                          "SELECT sex, COUNT(*) GROUP BY sex"};
    static const char *const even[] = {"0.025", "0.025"}, *const given[] = {"0.0375",
                                                                            "0.0125"};
    plan_scene scene;
    for (int turn = 0; turn < 2; turn++) {
        if (plan_begin(&scene, "max-total-rows=9\n") &&
            CHECK_STATUS(scrim_plan_new(
                             scene.vault, "adult", queries, 2,
                             OPTIONS(.epsilon = "1", .shares = turn == 0 ? NULL : "3,1"),
                             &scene.plan, NULL, &scene.error),
                         SCRIM_OK)) {
            for (size_t i = 0; i < 2; i++) {
                char want[100];
                snprintf(want, sizeof want,
                         "laplace sensitivity=1 epsilon=%s neighbours=add-remove",
                         turn == 0 ? even[i] : given[i]);
                CHECK_STR(scrim_measurement_text(
                              scene.plan->statements[i].cut_part.measurement),
                          want);
            }
            CHECK_STR(sc_bundle_cost(scene.plan->bundle)->epsilon, "1");
        }
        plan_end(&scene);
    }
}

/* The same people are cut where the same rows count and a total alone bounds them. */
SLOW_TEST(plan_cut_of_the_same_people_is_one)
{
    CLAIM("plan-cut.same");
#define TOTAL "max-total-rows=9\n"
#define BY_SEX "SELECT sex, COUNT(*) GROUP BY sex"
    static const struct {
        const char *policy, *queries[2], *shares;
        const char *epsilon; /* of the count of both; NULL: they have no count together */
    } cases[] = {
        {TOTAL, {count, "SELECT AVG(age), MEDIAN(age)"}, NULL, "0.05"},
        {TOTAL, {count, "SELECT age, COUNT(*) GROUP BY age"}, NULL, "0.05"},
        {TOTAL, {count, "SELECT age, COUNT(*) GROUP BY age"}, "3,1", "0.05"},
        {TOTAL, {BY_SEX, "SELECT sex, AVG(age) GROUP BY sex"}, NULL, "0.05"},
        {TOTAL,
         {"SELECT COUNT(*) WHERE age > 30", "SELECT AVG(age) WHERE age > 30"},
         NULL,
         "0.05"},
        /* Rows of no listed key are left out; other rows pass another WHERE. */
        {TOTAL, {count, BY_SEX}, NULL, NULL},
        {TOTAL, {count, "SELECT COUNT(*) WHERE age > 30"}, NULL, NULL},
        {TOTAL,
         {count,
          "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = 8) AVG(age)"},
         NULL,
         NULL},
        /* Totals may be clamped, and different values are other rows. */
        {TOTAL, {count, "SELECT SUM(age)"}, NULL, NULL},
        {TOTAL, {count, "SELECT COUNT(DISTINCT age)"}, NULL, NULL},
        {TOTAL "max-rows=4\n", {count, "SELECT age, COUNT(*) GROUP BY age"}, NULL, NULL},
        {"max-groups=3\nmax-rows=2\n", {count, "SELECT AVG(age)"}, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        plan_scene scene;
        if (!plan_begin(&scene, cases[i].policy))
            return;
        if (!CHECK_STATUS(
                scrim_plan_new(scene.vault, "adult", cases[i].queries, 2,
                               OPTIONS(.epsilon = "1", .shares = cases[i].shares),
                               &scene.plan, NULL, &scene.error),
                SCRIM_OK)) {
            CHECK_FAIL("%s: %s", cases[i].queries[1], scene.error.message);
        } else {
            const sc_planned_statement *own = scene.plan->statements;
            char want[100];
            snprintf(want, sizeof want,
                     "laplace sensitivity=1 epsilon=%s neighbours=add-remove",
                     cases[i].epsilon);
            const bool is_one = cases[i].epsilon != NULL;
            if (!CHECK_INT(own[1].cut_of, is_one))
                CHECK_FAIL("%s, %s", cases[i].queries[0], cases[i].queries[1]);
            CHECK_INT(own[1].cut_part.measurement == NULL, is_one);
            if (is_one && CHECK(own[0].cut_part.measurement != NULL))
                CHECK_STR(scrim_measurement_text(own[0].cut_part.measurement), want);
            CHECK_STR(sc_bundle_cost(scene.plan->bundle)->epsilon, "1");
        }
        plan_end(&scene);
    }
}

/* Whether people are counted is a part of the measurement, and old lines say nothing of it. */
TEST(plan_cut_is_in_the_line)
{
    plan_scene scene;
    scrim_plan *again = NULL;
    char line[1000], without[1000];
    if (plan_begin(&scene, "max-total-rows=9\n") &&
        plan_ask(&scene, count, OPTIONS(.epsilon = "1"))) {
        snprintf(line, sizeof line, "%s", scene.plan->line);
        CHECK_STATUS(sc_plan_of_line(scene.vault, scene.plan, sc_text_of(line), &again,
                                     &scene.error),
                     SCRIM_OK);
        if (CHECK(again != NULL))
            CHECK(sc_plan_cut_is_any(again));
        scrim_plan_free(again);
        again = NULL;
    }
    if (plan_ask(&scene, count, OPTIONS(.epsilon = "1", .cut_share = "0"))) {
        snprintf(without, sizeof without, "%s", scene.plan->line);
        CHECK(strstr(without, "cut") == NULL && strcmp(line, without) != 0);
        CHECK_STR(scrim_measurement_text(scene.plan->statements[0].parts[0].measurement),
                  "laplace sensitivity=9 epsilon=1 neighbours=add-remove");
        /* The line of a charge from before is that of no count. */
        CHECK_STATUS(sc_plan_of_line(scene.vault, scene.plan, sc_text_of(without), &again,
                                     &scene.error),
                     SCRIM_OK);
        if (CHECK(again != NULL))
            CHECK(!sc_plan_cut_is_any(again));
        scrim_plan_free(again);
    }
    plan_refused(&scene, count, OPTIONS(.epsilon = "1", .cut_share = "1"), SCRIM_E_PARAM,
                 "cut-share must be at least 0 and below 1, such as 1/20");
    plan_refused(&scene, count, OPTIONS(.epsilon = "1", .cut_share = "-1/20"),
                 SCRIM_E_PARAM, "cut-share must be at least 0 and below 1, such as 1/20");
    plan_end(&scene);
}

/* A question that finds its bounds counts people by their rows anyway. */
TEST(plan_cut_is_read_from_a_ladder)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-total-rows=9\n") &&
        plan_ask(&scene, count, OPTIONS(.epsilon = "1", .bounds = "auto"))) {
        CHECK(!sc_plan_cut_is_any(scene.plan) && scene.plan->ladder != NULL);
        CHECK(!sc_plan_cut_is_any(scene.plan->ladder));
    }
    plan_end(&scene);
}
