#include "check.h"
#include "plans.h"
#include "query/aggregate/aggregates.h"
#include "query/plan/plan_predict.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

#define ROWS 1000

/* Numbers, without noise, of a group as a prediction takes it. */
static void set_numbers(const sc_query_aggregate *a, const sc_group_statistic *sum,
                        sc_estimate_numbers *out)
{
    const sc_int128 radius = a->radius;
    *out = (sc_estimate_numbers){.units = ROWS, .rows = ROWS};
    if (sum == NULL || a->kind == &sc_aggregate_sum)
        return;
    out->sum = radius * ROWS / 2;
    if (a->kind != &sc_aggregate_avg)
        out->squares = (radius * radius * (4 + 1) / 16 - a->offset) * ROWS;
}

static void check_predicted(const scrim_plan *plan, size_t aggregate)
{
    const sc_planned_statement *s = &plan->statements[0];
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const size_t sum = s->statistics.uses[aggregate].sum;
    const sc_group_statistic *centred =
        sum == SC_STATISTIC_NONE ? NULL : &s->statistics.list[sum];
    sc_ratio *errors = sc_plan_errors_new(sc_plan_aggregates(plan));
    sc_estimate_sources sources;
    sc_estimator *estimator = NULL;
    sc_estimate_numbers numbers;
    sc_estimate got;
    sc_ratio ten;
    sc_estimate_init(&got);
    sc_ratio_init(&ten);
    REQUIRE(errors != NULL);
    REQUIRE_OK(
        sc_plan_predict(plan, plan->trial, &plan->options.confidence, errors, NULL));
    sc_plan_sources(s, &plan->trial->statements[0], aggregate, &sources);
    REQUIRE_OK(sc_estimator_new(a, centred, &sources, &plan->options.confidence,
                                &estimator, NULL));
    set_numbers(a, centred, &numbers);
    REQUIRE_OK(sc_estimate_of(estimator, &numbers, &got, NULL));
    /* |predicted - half the width| <= predicted / 10 */
    sc_ratio_sub(&got.high, &got.high, &got.low);
    sc_ratio_set_int64(&ten, 2);
    sc_ratio_div(&got.high, &got.high, &ten);
    sc_ratio_div(&got.high, &got.high, &errors[aggregate]);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_mul(&got.high, &got.high, &ten);
    if (!CHECK(sc_ratio_compare_int64(&got.high, 9) >= 0 &&
               sc_ratio_compare_int64(&got.high, 11) <= 0)) {
        char text[SC_RATIO_TEXT_BYTES];
        sc_ratio_format(&got.high, text, sizeof text);
        CHECK_FAIL("aggregate %zu: %s tenths", aggregate, text);
    }
    sc_ratio_clear(&ten);
    sc_estimate_clear(&got);
    sc_estimator_free(estimator);
    sc_plan_errors_free(errors, sc_plan_aggregates(plan));
}

SLOW_TEST(plan_predict_is_near_the_width_of_an_answer)
{
    CLAIM("plan-predict.near");
    static const char *const policies[] = {"", "max-groups=13\nmax-rows=2\n",
                                           "neighbours=replace\n"};
    static const char *const noises[] = {"laplace", "gaussian"};
    for (size_t i = 0; i < COUNT(policies); i++)
        for (size_t j = 0; j < COUNT(noises); j++) {
            plan_scene scene;
            if (plan_begin(&scene, policies[i]) &&
                plan_ask(
                    &scene,
                    "SELECT bucket(age, 10) AS b, COUNT(*), COUNT(DISTINCT person_id), "
                    "SUM(income), AVG(age), SUM(age), VAR(weight), COUNT(*) WITH RANGE "
                    "AS c GROUP BY b",
                    OPTIONS(.epsilon = "8", .delta = "1e-6", .mechanism = noises[j],
                            .expect = "1000,weight=150:25")))
                for (size_t k = 0; k < 7; k++)
                    check_predicted(scene.plan, k);
            plan_end(&scene);
        }
}

TEST(plan_predict_finds_the_sources)
{
    plan_scene scene;
    sc_estimate_sources sources;
    if (plan_begin(&scene, "max-groups=2\n") &&
        plan_ask(&scene,
                 "SELECT city, COUNT(DISTINCT person_id), VAR(age), MEDIAN(age) GROUP BY "
                 "city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        const sc_trial_statement *t = &scene.plan->trial->statements[0];
        CHECK_INT(sc_plan_aggregates(scene.plan), 3);
        sc_plan_sources(s, t, 0, &sources);
        /* Units are those that the selection shows. */
        CHECK(sources.units == s->parts[0].measurement && sources.rows == NULL);
        sc_plan_sources(s, t, 1, &sources);
        CHECK(sources.units == NULL && sources.rows == s->parts[1].measurement);
        CHECK(sources.sum == s->parts[2].measurement);
        CHECK(sources.squares == s->parts[3].measurement);
        CHECK(sources.quantiles == NULL);
        sc_plan_sources(s, t, 2, &sources);
        CHECK(sources.rows == NULL && sources.sum == NULL);
        CHECK(sources.quantiles == s->parts[4].measurement);
        CHECK(sources.around == s->parts[5].measurement);
    }
    plan_end(&scene);
}
