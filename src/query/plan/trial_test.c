#include "check.h"
#include "plans.h"
#include "query/plan/trial.h"

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The delta that is given to a part. */
static const sc_ratio *delta_of(const sc_trial *t, size_t part)
{
    return sc_measurement_get(t->parts[part].measurement, "delta");
}

static bool is_ratio(const sc_ratio *x, const char *text)
{
    sc_ratio want;
    sc_ratio_init(&want);
    const bool is_it = sc_ratio_parse(sc_text_of(text), &want, NULL) == SCRIM_OK &&
                       x != NULL && sc_ratio_compare(x, &want) == 0;
    sc_ratio_clear(&want);
    return is_it;
}

static sc_trial *try_division(const plan_scene *scene, bool is_gaussian, bool is_sketch)
{
    sc_division d;
    sc_trial *t = NULL;
    if (CHECK_STATUS(sc_division_make(scene->plan, is_gaussian, &d, NULL), SCRIM_OK))
        CHECK_STATUS(sc_trial_new(scene->plan, &d, &scene->plan->options.epsilon,
                                  is_sketch, &t, NULL),
                     SCRIM_OK);
    sc_division_clear(&d);
    return t;
}

SLOW_TEST(trial_shares_delta)
{
    plan_scene scene;
    sc_trial *t = NULL;
    if (plan_begin(&scene, "")) {
        /* All for the selection, */
        if (plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                     OPTIONS(.epsilon = "1", .delta = "8e-6")) &&
            (t = try_division(&scene, false, false)) != NULL)
            CHECK(is_ratio(delta_of(t, 0), "8e-6"));
        sc_trial_free(t);
        t = NULL;
        /* half for it where there are others, which have the rest in equal parts. */
        if (plan_ask(
                &scene,
                "SELECT city, COUNT(*) WITH RANGE, SUM(age) WITH RANGE GROUP BY city",
                OPTIONS(.epsilon = "1", .delta = "8e-6")) &&
            (t = try_division(&scene, false, false)) != NULL) {
            CHECK(is_ratio(delta_of(t, 0), "4e-6"));
            CHECK(is_ratio(delta_of(t, 1), "2e-6"));
            CHECK(is_ratio(delta_of(t, 2), "2e-6"));
            CHECK(is_ratio(&sc_bundle_total(t->bundle)->delta, "8e-6"));
        }
        sc_trial_free(t);
        t = NULL;
        /* A part that shares a rho is one of them. */
        if (plan_ask(&scene, "SELECT SUM(age) WITH RANGE, SUM(income), COUNT(*)",
                     OPTIONS(.epsilon = "1", .delta = "8e-6")) &&
            (t = try_division(&scene, true, false)) != NULL) {
            size_t count;
            const sc_exact_cost *costs = sc_bundle_costs(t->bundle, &count);
            CHECK(is_ratio(delta_of(t, 0), "4e-6"));
            REQUIRE(count == 2);
            CHECK(is_ratio(&costs[1].delta, "4e-6"));
            CHECK(is_ratio(&sc_bundle_total(t->bundle)->epsilon, "1"));
        }
        sc_trial_free(t);
    }
    plan_end(&scene);
}

/* The rho that is shared is the largest for its epsilon and delta, but for its rounding. */
TEST(trial_rho_is_the_largest)
{
    plan_scene scene;
    if (plan_begin(&scene, "") && plan_ask(&scene, "SELECT SUM(age), COUNT(*)",
                                           OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        sc_division d;
        sc_ratio rho, more;
        sc_ratio_init(&rho);
        sc_ratio_init(&more);
        REQUIRE_OK(sc_division_make(scene.plan, true, &d, NULL));
        REQUIRE(sc_trial_rho(scene.plan, &d, &scene.plan->options.epsilon, &rho));
        CHECK(sc_ratio_bits(&rho) <= 64);
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1.00001"), &more, NULL), SCRIM_OK);
        sc_ratio_mul(&more, &rho, &more);
        sc_curve curve;
        sc_curve_init(&curve);
        sc_ratio epsilon;
        sc_ratio_init(&epsilon);
        sc_curve_set_concentrated(&curve, &rho);
        CHECK(sc_curve_epsilon_upper(&curve, &scene.plan->options.delta, &epsilon) &&
              sc_ratio_compare_int64(&epsilon, 1) <= 0);
        sc_curve_set_concentrated(&curve, &more);
        CHECK(sc_curve_epsilon_upper(&curve, &scene.plan->options.delta, &epsilon) &&
              sc_ratio_compare_int64(&epsilon, 1) > 0);
        sc_ratio_clear(&epsilon);
        sc_curve_clear(&curve);
        sc_division_clear(&d);
        sc_ratio_clear(&more);
        sc_ratio_clear(&rho);
    }
    plan_end(&scene);
}

TEST(trial_sketch_leaves_selections_out)
{
    plan_scene scene;
    sc_trial *sketch = NULL, *whole = NULL;
    if (plan_begin(&scene, "max-groups=2\nmax-rows=2\n") &&
        plan_ask(&scene, "SELECT city, COUNT(*) GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6")) &&
        (sketch = try_division(&scene, false, true)) != NULL &&
        (whole = try_division(&scene, false, false)) != NULL) {
        CHECK(sketch->is_sketch && !whole->is_sketch);
        CHECK(sketch->parts[0].measurement == NULL &&
              whole->parts[0].measurement != NULL);
        CHECK_STR(scrim_measurement_text(sketch->parts[1].measurement),
                  scrim_measurement_text(whole->parts[1].measurement));
    }
    sc_trial_free(whole);
    sc_trial_free(sketch);
    sketch = NULL;
    /* One whose counts are an answer is made. */
    if (plan_ask(&scene, "SELECT city, COUNT(DISTINCT person_id) GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6")) &&
        (sketch = try_division(&scene, false, true)) != NULL)
        CHECK(!sketch->is_sketch && sketch->parts[0].measurement != NULL);
    sc_trial_free(sketch);
    plan_end(&scene);
}
