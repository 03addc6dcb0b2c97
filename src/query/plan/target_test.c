#include "check.h"
#include "plans.h"
#include "query/plan/plan_choice.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The largest error of the plan that was asked for. */
static void worst_error(const plan_scene *scene, sc_ratio *out)
{
    scrim_plan_output o;
    sc_ratio error;
    sc_ratio_init(&error);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < scene->plan->statements[0].query->output_count; i++)
        if (CHECK_STATUS(scrim_plan_output_at(scene->plan, 0, i, &o, NULL), SCRIM_OK) &&
            !o.is_key &&
            CHECK_STATUS(sc_ratio_parse(sc_text_of(o.error), &error, NULL), SCRIM_OK) &&
            sc_ratio_compare(&error, out) > 0)
            sc_ratio_set(out, &error);
    sc_ratio_clear(&error);
}

/* At the epsilon found the target is met, at 1/1000 less it is not. */
static void check_target(plan_scene *scene, const char *query, const char *target,
                         const char *delta, const char *confidence)
{
    char epsilon[SC_RATIO_TEXT_BYTES];
    sc_ratio wanted, got, step;
    sc_ratio_init(&wanted);
    sc_ratio_init(&got);
    sc_ratio_init(&step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(target), &wanted, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("0.001"), &step, NULL), SCRIM_OK);
    if (plan_ask(
            scene, query,
            OPTIONS(.target_error = target, .delta = delta, .confidence = confidence))) {
        char question[2000];
        worst_error(scene, &got);
        CHECK(sc_ratio_compare(&got, &wanted) <= 0);
        sc_ratio_sub(&step, &scene->plan->options.epsilon, &step);
        sc_ratio_format(&scene->plan->options.epsilon, epsilon, sizeof epsilon);
        snprintf(question, sizeof question, "%s", scene->plan->question);
        /* It is the question of that epsilon. */
        if (plan_ask(
                scene, query,
                OPTIONS(.epsilon = epsilon, .delta = delta, .confidence = confidence)))
            CHECK_STR(scene->plan->question, question);
        sc_ratio_format(&step, epsilon, sizeof epsilon);
        if (CHECK(sc_ratio_sign(&step) > 0) &&
            plan_ask(
                scene, query,
                OPTIONS(.epsilon = epsilon, .delta = delta, .confidence = confidence))) {
            worst_error(scene, &got);
            CHECK(sc_ratio_compare(&got, &wanted) > 0);
        }
    }
    sc_ratio_clear(&step);
    sc_ratio_clear(&got);
    sc_ratio_clear(&wanted);
}

SLOW_TEST(target_is_met_by_the_smallest_epsilon)
{
    CLAIM("target.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=4\n")) {
        check_target(&scene, "SELECT COUNT(*)", "10", NULL, NULL);
        check_target(&scene, "SELECT COUNT(*)", "10", NULL, "0.99");
        check_target(&scene, "SELECT COUNT(*)", "500", NULL, NULL);
        check_target(&scene, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex", "2.5", NULL,
                     NULL);
        check_target(&scene, "SELECT SUM(age) WITH RANGE", "1000", "1e-6", NULL);
        check_target(&scene, "SELECT age + 1 AS a, COUNT(*), SUM(age) GROUP BY a", "400",
                     "1e-6", NULL);
    }
    plan_end(&scene);
}

TEST(target_of_one_count_is_known)
{
    CLAIM("target.smallest");
    plan_scene scene;
    /* 2 p^(t+1) / (1 + p) <= 0.05 at t = 10 and p = exp(-epsilon), from 0.284 on. */
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT COUNT(*)", OPTIONS(.target_error = "10")))
        CHECK_STR(scene.plan->question, "query epsilon=0.285 delta=0 : SELECT COUNT(*)");
    plan_end(&scene);
}

/* At a small epsilon the divisor may be 0 and the error has no end, which meets no target; the count alone
 * would meet this one at any epsilon. */
TEST(target_is_not_met_by_an_error_without_end)
{
    CLAIM("target.smallest");
    plan_scene scene;
    scrim_plan_output o;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT COUNT(*) AS n, COUNT(*) / (COUNT(*) - 10) AS share",
                 OPTIONS(.target_error = "1000000")) &&
        CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 1, &o, NULL), SCRIM_OK))
        CHECK(o.error[0] != '\0' && strcmp(o.error, "unbounded") != 0);
    plan_end(&scene);
}

TEST(target_that_cannot_be_met)
{
    CLAIM("target.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "max-rows=1000000\n")) {
        plan_refused(&scene, "SELECT COUNT(*), SUM(income)", OPTIONS(.target_error = "1"),
                     SCRIM_E_PARAM,
                     "target-error: 1 cannot be reached for sum_income; epsilon 1000 "
                     "gives 486000000");
        plan_refused(&scene, "SELECT COUNT(*) WITH RANGE", OPTIONS(.target_error = "100"),
                     SCRIM_E_PARAM, "WITH RANGE needs a delta");
    }
    plan_end(&scene);
}

/* 5 % of 300 rows are 15, and of a mean of 40 they are 2: the epsilon is that of the absolute one. */
SLOW_TEST(target_in_percent_is_that_of_what_was_guessed)
{
    CLAIM("target.smallest");
    CLAIM("plan-size.public");
    plan_scene scene;
    char question[2000];
    static const struct {
        const char *query, *expect, *relative, *absolute, *reference;
    } rows[] = {
        {"SELECT COUNT(*)", "300", "5%", "15", "the 300 rows that are expected"},
        {"SELECT COUNT(*)", "1000", "1 %", "10", "the 1000 rows that are expected"},
        {"SELECT AVG(age)", "300,age=40", "5%", "2", "the mean 40 that is expected"},
        {"SELECT SUM(age)", "300,age=40", "5%", "600",
         "300 rows that are expected, times the mean 40 that is expected"},
        {"SELECT STDDEV(age)", "300,age=40:20", "10%", "2",
         "the deviation 20 that is expected"},
        {"SELECT VAR(age)", "3000,age=40:20", "5%", "20",
         "the deviation 20 that is expected"},
        {"SELECT AVG(age + 20)", "300", "5%", "1", "20, the smallest value of its range"},
        {"SELECT AVG(-20 - age)", "300", "5%", "1",
         "20, the smallest value of its range"},
        {"SELECT QUANTILE(height, 0.9)", "300,height=170:10", "50%", "10",
         "20, the smallest value of its range"},
        {"SELECT COUNT(*) / 2", "300", "10%", "15",
         "150, what it is of the rows and values that are expected"},
        {"SELECT SUM(age) / COUNT(*) * 2 + AVG(age)", "300,age=40", "10%", "12",
         "120, what it is of the rows and values that are expected"},
        {"SELECT 0 - SUM(income)", "300,income=-50", "10%", "1500",
         "15000, what it is of the rows and values that are expected"},
        {"SELECT STDDEV(age) / AVG(age)", "3000,age=40:20", "50%", "0.25",
         "0.5, what it is of the rows and values that are expected"},
        {"SELECT 1 + MEDIAN(age)", "300,age=39:20", "10%", "4",
         "40, what it is of the rows and values that are expected"},
        {"SELECT SUM(age + 20)", "300", "5%", "300",
         "300 rows that are expected, times 20, the smallest value of its range"},
    };
    if (plan_begin(&scene, "column=height=int[20,250]\n"))
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            scrim_plan_output o;
            if (!plan_ask(
                    &scene, rows[i].query,
                    OPTIONS(.target_error = rows[i].relative, .expect = rows[i].expect)))
                continue;
            snprintf(question, sizeof question, "%s", scene.plan->question);
            if (CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &o, NULL), SCRIM_OK))
                CHECK_STR(o.reference, rows[i].reference);
            if (plan_ask(
                    &scene, rows[i].query,
                    OPTIONS(.target_error = rows[i].absolute, .expect = rows[i].expect)))
                CHECK_STR(question, scene.plan->question);
            if (CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &o, NULL), SCRIM_OK))
                /* In parts of what a sum is shown is another matter. */
                CHECK_STR(o.reference, strcmp(rows[i].query, "SELECT SUM(age + 20)") == 0
                                           ? "300 rows times 80, the middle of the range"
                                           : "");
        }
    plan_end(&scene);
}

TEST(target_in_percent_of_what_nobody_knows)
{
    CLAIM("plan-size.stated");
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        plan_refused(&scene, "SELECT COUNT(*)", OPTIONS(.target_error = "5%"),
                     SCRIM_E_PARAM,
                     "a percentage of COUNT needs its size, which is private; guess "
                     "the number of rows");
        CHECK_INT(scene.error.reason, SCRIM_REASON_MISSING);
        CHECK_STR(scene.error.parameter, "expect");
        plan_refused(&scene, "SELECT AVG(age)",
                     OPTIONS(.target_error = "5%", .expect = "300"), SCRIM_E_PARAM,
                     "a percentage of AVG needs its size, which is private; guess "
                     "it: 300,age=MEAN");
        plan_refused(&scene, "SELECT AVG(age)",
                     OPTIONS(.target_error = "5%", .expect = "age=0"), SCRIM_E_PARAM,
                     "a percentage of AVG needs its size, which is private; guess "
                     "it: age=MEAN");
        plan_refused(&scene, "SELECT STDDEV(age)",
                     OPTIONS(.target_error = "5%", .expect = "age=40"), SCRIM_E_PARAM,
                     "a percentage of STDDEV needs its size, which is private; guess "
                     "it: age=40:DEVIATION");
        plan_refused(&scene, "SELECT AVG(age * 2)",
                     OPTIONS(.target_error = "5%", .expect = "age=40"), SCRIM_E_PARAM,
                     "a percentage of AVG needs its size, which can be guessed only "
                     "for a column");
        plan_refused(&scene, "SELECT QUANTILE(age, 0.9)",
                     OPTIONS(.target_error = "5%", .expect = "age=40"), SCRIM_E_PARAM,
                     "a percentage of QUANTILE needs its size, and its range contains "
                     "0");
        plan_refused(&scene, "SELECT COUNT(*) * 2", OPTIONS(.target_error = "5%"),
                     SCRIM_E_PARAM,
                     "a percentage of COUNT needs its size, which is private; guess "
                     "the number of rows");
        plan_refused(&scene, "SELECT SUM(age) / COUNT(*)",
                     OPTIONS(.target_error = "5%", .expect = "300"), SCRIM_E_PARAM,
                     "a percentage of SUM needs its size, which is private; guess "
                     "it: 300,age=MEAN");
        plan_refused(&scene, "SELECT STDDEV(age) / AVG(age)",
                     OPTIONS(.target_error = "5%", .expect = "300,age=40"), SCRIM_E_PARAM,
                     "a percentage of STDDEV needs its size, which is private; guess "
                     "it: 300,age=40:DEVIATION");
        plan_refused(&scene, "SELECT COUNT(*) FILTER (WHERE age > 3) / COUNT(*)",
                     OPTIONS(.target_error = "5%", .expect = "300"), SCRIM_E_PARAM,
                     "a percentage of an expression needs the size of each part, and "
                     "COUNT has none: how many rows it counts is private; give the "
                     "error as a number");
        plan_refused(
            &scene, "SELECT MAX(age) / 2",
            OPTIONS(.target_error = "5%", .delta = "1e-6", .expect = "300,age=40"),
            SCRIM_E_PARAM,
            "a percentage of an expression needs the size of each part, and MAX "
            "has none: only counts, sums, means, medians and deviations have; "
            "give the error as a number");
        plan_refused(&scene, "SELECT AVG(age) - 40",
                     OPTIONS(.target_error = "5%", .expect = "300,age=40"), SCRIM_E_PARAM,
                     "a percentage of an expression needs its size, and by the "
                     "guesses it is 0; give the error as a number");
        plan_refused(&scene, "SELECT RANGE(age)",
                     OPTIONS(.target_error = "5%", .delta = "1e-6"), SCRIM_E_PARAM,
                     "the error of RANGE cannot be a percentage");
    }
    plan_end(&scene);
    /* Neither a day nor an instant has a size. */
    if (plan_begin(&scene, "")) {
        plan_refused(&scene, "SELECT MEDIAN(day)", OPTIONS(.target_error = "5%"),
                     SCRIM_E_PARAM, "the error of MEDIAN cannot be a percentage");
        plan_refused(&scene, "SELECT MEDIAN(seen)", OPTIONS(.target_error = "5%"),
                     SCRIM_E_PARAM, "the error of MEDIAN cannot be a percentage");
    }
    plan_end(&scene);
}
