#include "check.h"
#include "plans.h"
#include "query/plan/division.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The shares of a query's parts, "keys 0.5 rows 0.5"; numbers of a Gaussian division of their rho,
 * and the share that all of them have. */
static void check_division(const char *lines, const char *query, bool is_gaussian,
                           const char *want)
{
    static const char *const kinds[] = {"", "keys", "number", "range", "quantile"};
    plan_scene scene;
    sc_division d;
    char got[1000] = "", share[SC_RATIO_TEXT_BYTES];
    if (plan_begin(&scene, lines) &&
        plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        if (CHECK_STATUS(sc_division_make(scene.plan, is_gaussian, &d, &scene.error),
                         SCRIM_OK)) {
            size_t at = 0;
            for (size_t i = 0; i < d.count; i++) {
                sc_ratio_format(&d.slots[i].share, share, sizeof share);
                at += (size_t)snprintf(got + at, sizeof got - at, "%s%s %s",
                                       i > 0 ? " " : "", kinds[d.slots[i].kind], share);
            }
            sc_ratio_format(&d.numbers, share, sizeof share);
            snprintf(got + at, sizeof got - at, "; %s", share);
            CHECK_STR(got, want);
        }
        sc_division_clear(&d);
    }
    plan_end(&scene);
}

SLOW_TEST(division_of_what_shares_nothing)
{
    check_division("", "SELECT COUNT(*)", false, "number 1; 0");
    check_division("", "SELECT COUNT(*), SUM(size)", false, "number 0.5 number 0.5; 0");
    check_division("max-rows=2\n", "SELECT city, COUNT(*) GROUP BY city", false,
                   "keys 0.5 number 0.5; 0");
    check_division("", "SELECT city, COUNT(*) GROUP BY city", false, "keys 1; 0");
    check_division("", "SELECT COUNT(*) WITH RANGE, SUM(age)", false,
                   "range 0.5 number 0.5; 0");
    check_division("max-groups=2\n",
                   "SELECT city, COUNT(*), COUNT(DISTINCT person_id) GROUP BY city",
                   false, "keys 0.5 number 0.5; 0");
    check_division("", "SELECT COUNT(DISTINCT person_id), COUNT(*)", true,
                   "number 0.5 number 0.5; 1");
}

/* Rows that are drawn anyway make a sum better: both ratios are 1.577, not 2. */
TEST(division_of_rows_and_a_sum)
{
    plan_scene scene;
    sc_division d;
    check_division("", "SELECT COUNT(*), SUM(age)", false,
                   "number 0.634 number 0.366; 0");
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT COUNT(*), SUM(age)", OPTIONS(.epsilon = "1"))) {
        if (CHECK_STATUS(sc_division_make(scene.plan, false, &d, NULL), SCRIM_OK))
            for (size_t i = 0; i < 2; i++)
                CHECK_NEAR((double)d.ratios[i] / (1 << 20), 1.577, 0.002);
        sc_division_clear(&d);
    }
    plan_end(&scene);
}

/* The error of a mean is 2 R / s of the sum and R / s of the rows: 2^(2/3) to 1. */
SLOW_TEST(division_of_a_mean)
{
    check_division("", "SELECT AVG(age)", false, "number 0.386 number 0.614; 0");
    /* Whatever its range and how often one unit counts. */
    check_division("max-rows=7\n", "SELECT AVG(income)", false,
                   "number 0.386 number 0.614; 0");
    check_division("", "SELECT AVG(age)", true, "number 0.333 number 0.667; 1");
}

/* 8 R^2 of the squares, 16 R^2 of the sum and 11 R^2 of the rows: their roots. */
TEST(division_of_a_variance)
{
    check_division("", "SELECT VAR(age)", false,
                   "number 0.327 number 0.394 number 0.279; 0");
}

TEST(division_of_quantiles)
{
    plan_scene scene;
    sc_division d;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT MEDIAN(age)", OPTIONS(.epsilon = "1"))) {
        if (CHECK_STATUS(sc_division_make(scene.plan, false, &d, &scene.error),
                         SCRIM_OK)) {
            /* The rows around it have the larger noise, of 17 rings, and so the larger share. */
            CHECK_INT(d.count, 2);
            CHECK(d.slots[0].kind == SC_SLOT_QUANTILE &&
                  d.slots[1].kind == SC_SLOT_NUMBER);
            CHECK(sc_ratio_compare(&d.slots[1].share, &d.slots[0].share) > 0);
        }
        sc_division_clear(&d);
    }
    plan_end(&scene);
}

SLOW_TEST(division_counts_who_takes_of_delta)
{
    static const struct {
        const char *query;
        bool is_gaussian;
        size_t takers, selections;
    } cases[] = {
        {"SELECT COUNT(*)", false, 0, 0},
        {"SELECT COUNT(*), SUM(age)", true, 1, 0},
        {"SELECT COUNT(*) WITH RANGE, SUM(age) WITH RANGE", false, 2, 0},
        {"SELECT COUNT(*) WITH RANGE, SUM(age) WITH RANGE", true, 2, 0},
        {"SELECT COUNT(*) WITH RANGE, SUM(age)", true, 2, 0},
        {"SELECT city, COUNT(*) GROUP BY city", false, 0, 1},
        {"SELECT city, COUNT(*), MEDIAN(age) GROUP BY city", true, 1, 1},
    };
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < COUNT(cases); i++) {
            sc_division d;
            if (!plan_ask(&scene, cases[i].query,
                          OPTIONS(.epsilon = "1", .delta = "1e-6")))
                continue;
            if (CHECK_STATUS(sc_division_make(scene.plan, cases[i].is_gaussian, &d, NULL),
                             SCRIM_OK)) {
                CHECK_INT(d.takers, cases[i].takers);
                CHECK_INT(d.selections, cases[i].selections);
            }
            sc_division_clear(&d);
        }
    plan_end(&scene);
}

/* Shares that were given: the parts have them, of epsilon or of rho, and so has the question that is charged. */
static scrim_status ask_levels(plan_scene *scene, const char *shares, const char *noise)
{
    const char *const queries[] = {"SELECT COUNT(*)", "SELECT sex, COUNT(*) GROUP BY sex",
                                   "SELECT sex, size, COUNT(*) GROUP BY sex, size"};
    scrim_plan_free(scene->plan);
    scene->plan = NULL;
    return scrim_plan_new(
        scene->vault, "adult", queries, 3,
        OPTIONS(.epsilon = "1", .delta = "1e-6", .shares = shares, .mechanism = noise),
        &scene->plan, NULL, &scene->error);
}

static void check_given(plan_scene *scene, const char *noise)
{
    if (!CHECK_STATUS(ask_levels(scene, "2,1,1", noise), SCRIM_OK))
        return;
    CHECK(strstr(scene->plan->question, " shares=2,1,1") != NULL);
    const sc_planned_statement *s = scene->plan->statements;
    SC_OWN(sc_ratio, one, other);
    for (size_t i = 0; i < 3; i++) {
        char share[SC_RATIO_TEXT_BYTES];
        sc_ratio_format(&s[i].parts[0].share, share, sizeof share);
        CHECK_STR(share, i == 0 ? "0.5" : "0.25");
    }
    const sc_exact_cost *first = &s[0].parts[0].measurement->cost,
                        *last = &s[2].parts[0].measurement->cost;
    const bool is_gaussian = strcmp(noise, "gaussian") == 0;
    sc_ratio_set(&one, is_gaussian ? &first->rho : &first->epsilon);
    sc_ratio_set(&other, is_gaussian ? &last->rho : &last->epsilon);
    sc_ratio_add(&other, &other, &other);
    CHECK_INT(sc_ratio_compare(&one, &other), 0);
    CHECK_STR(sc_bundle_cost(scene->plan->bundle)->epsilon, "1");
}

TEST(division_takes_given_shares)
{
    CLAIM("plan.budget");
    plan_scene scene;
    if (plan_begin(&scene, "rows-per-unit=1\n")) {
        check_given(&scene, "laplace");
        check_given(&scene, "gaussian");
        CHECK_STATUS(ask_levels(&scene, "2,1", "laplace"), SCRIM_E_PARAM);
        CHECK_STR(scene.error.message,
                  "the batch has 3 queries and 2 shares; give one share a query");
        CHECK_STATUS(ask_levels(&scene, "2,0,1", "laplace"), SCRIM_E_PARAM);
        CHECK_STATUS(ask_levels(&scene, "2,1,1,", "laplace"), SCRIM_E_PARAM);
        CHECK_STR(scene.error.message, "shares must be integers from 1 to 1000000, one a "
                                       "query, as in 2,1,1");
        plan_refused(&scene, "SELECT COUNT(*), SUM(age)",
                     OPTIONS(.epsilon = "1", .shares = "1"), SCRIM_E_PARAM,
                     "shares are for queries that ask for one count or sum of public "
                     "groups each");
    }
    plan_end(&scene);
}
