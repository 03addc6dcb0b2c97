#include "check.h"
#include "plans.h"
#include "query/plan/target.h"

#include <stdio.h>

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

TEST(target_that_cannot_be_met)
{
    CLAIM("target.smallest");
    plan_scene scene;
    if (plan_begin(&scene, "max-rows=1000000\n")) {
        plan_refused(
            &scene, "SELECT SUM(income)", OPTIONS(.target_error = "1"), SCRIM_E_PARAM,
            "target-error: 1 cannot be had; 300000000 is what epsilon 1000 gives");
        plan_refused(&scene, "SELECT COUNT(*) WITH RANGE", OPTIONS(.target_error = "100"),
                     SCRIM_E_PARAM, "WITH RANGE needs a delta");
    }
    plan_end(&scene);
}
