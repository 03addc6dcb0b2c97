#include "check.h"
#include "plans.h"
#include "query/plan/plan_spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* Against the certificate that the measurement itself gives. */
static void check_ranks(const plan_scene *scene, double p, double rows)
{
    scrim_plan_output output;
    scrim_certificate certificate;
    double radius, low, high;
    const sc_drawn_part *part = &scene->plan->statements[0].parts[0];
    if (!CHECK_STATUS(scrim_plan_output_at(scene->plan, 0, 0, &output, NULL), SCRIM_OK) ||
        !CHECK_STATUS(
            scrim_measurement_certify(part->measurement, "0.95", 1, &certificate, NULL),
            SCRIM_OK) ||
        !CHECK(sscanf(output.ranks,
                      "between the quantiles %lf and %lf of the expected rows with "
                      "probability 0.95 (at most %lf rows from the true rank)",
                      &low, &high, &radius) == 3))
        return;
    const double share = strtod(certificate.radius, NULL) / rows;
    CHECK_STR(output.rank_error, certificate.radius);
    CHECK_NEAR(radius, strtod(certificate.radius, NULL), 1e-9);
    CHECK_NEAR(low, p - share < 0 ? 0 : p - share, 1e-2);
    CHECK_NEAR(high, p + share > 1 ? 1 : p + share, 1e-2);
}

TEST(ranks_are_those_of_the_certificate)
{
    CLAIM("plan-ranks.holds");
    plan_scene scene;
    scrim_plan_output output;
    if (plan_begin(&scene, "")) {
        if (plan_ask(&scene, "SELECT MEDIAN(age)", OPTIONS(.epsilon = "1")))
            check_ranks(&scene, 0.5, 1000);
        if (plan_ask(&scene, "SELECT QUANTILE(age, 0.9)",
                     OPTIONS(.epsilon = "0.1", .expect = "700")))
            check_ranks(&scene, 0.9, 700);
        if (plan_ask(&scene, "SELECT AVG(age)", OPTIONS(.epsilon = "1")) &&
            CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL), SCRIM_OK))
            CHECK_STR(output.ranks, "");
    }
    plan_end(&scene);
}

/* Where the rows that are expected say nothing, it is said, and that many rows as are named are enough for
 * the quantiles that are named. */
TEST(ranks_say_how_many_rows_are_needed)
{
    CLAIM("plan-ranks.holds");
    plan_scene scene;
    scrim_plan_output output;
    double rows = 0, low = 0, high = 0;
    char expect[40];
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT QUANTILE(age, 0.9)",
                 OPTIONS(.epsilon = "0.1", .expect = "200")) &&
        CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL), SCRIM_OK) &&
        CHECK(sscanf(output.ranks,
                     "with 200 rows it could be any value of its range; about %lf rows "
                     "are needed for a value between the quantiles %lf and %lf with "
                     "probability 0.95",
                     &rows, &low, &high) == 3)) {
        CHECK_NEAR(low, 0.85, 1e-9);
        CHECK_NEAR(high, 0.95, 1e-9);
        snprintf(expect, sizeof expect, "%.0f", rows);
        if (plan_ask(&scene, "SELECT QUANTILE(age, 0.9)",
                     OPTIONS(.epsilon = "0.1", .expect = expect)))
            check_ranks(&scene, 0.9, rows);
        if (CHECK_STATUS(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL),
                         SCRIM_OK) &&
            CHECK(sscanf(output.ranks, "between the quantiles %lf and %lf", &low,
                         &high) == 2)) {
            CHECK_NEAR(low, 0.85, 2e-3);
            CHECK_NEAR(high, 0.95, 2e-3);
        }
    }
    plan_end(&scene);
}

/* The error of the first column, or "unknown". */
static const char *error_of(plan_scene *scene, const char *query, const char *expect)
{
    static scrim_plan_output output;
    if (!plan_ask(scene, query, OPTIONS(.epsilon = "1", .expect = expect)) ||
        !CHECK_STATUS(scrim_plan_output_at(scene->plan, 0, 0, &output, NULL), SCRIM_OK))
        return "";
    return output.is_unknown && output.error[0] == '\0' ? "unknown" : output.error;
}

TEST(ranks_are_all_that_is_known_without_a_guess)
{
    CLAIM("plan-ranks.unknown");
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        CHECK_STR(error_of(&scene, "SELECT MEDIAN(age)", "1000"), "unknown");
        CHECK_STR(error_of(&scene, "SELECT MEDIAN(age)", "1000,age=40"), "unknown");
        CHECK_STR(error_of(&scene, "SELECT MEDIAN(age) / 2", NULL), "unknown");
        CHECK_STR(error_of(&scene, "SELECT 1 + MEDIAN(age) - AVG(age)", NULL), "unknown");
        CHECK(atof(error_of(&scene, "SELECT MEDIAN(age)", "1000,age=40:15")) > 0);
        CHECK(atof(error_of(&scene, "SELECT MEDIAN(age) / 2", "1000,age=40:15")) > 0);
        CHECK(atof(error_of(&scene, "SELECT AVG(age)", NULL)) > 0);
        plan_refused(&scene, "SELECT COUNT(*), MEDIAN(age)",
                     OPTIONS(.target_error = "10", .expect = "1000,age=40"),
                     SCRIM_E_PARAM,
                     "the error of MEDIAN depends on the spread of its values, which is "
                     "private; guess it: 1000,age=40:DEVIATION");
        plan_refused(&scene, "SELECT MEDIAN(age + 1)", OPTIONS(.target_error = "10"),
                     SCRIM_E_PARAM,
                     "target-error: the error of MEDIAN depends on the spread of its "
                     "values, which is private and can be guessed only for a column");
        CHECK(plan_ask(&scene, "SELECT MEDIAN(age)",
                       OPTIONS(.target_error = "10", .expect = "1000,age=40:15")));
    }
    plan_end(&scene);
}
