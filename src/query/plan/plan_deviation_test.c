#include "base/number/ball_double.h"
#include "check.h"
#include "plans.h"
#include "query/plan/plan_spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static double number(const scrim_measurement *m, const char *name)
{
    return sc_ball_near(sc_measurement_get(m, name));
}

/* The deviation as doubles have it, in steps. */
static double deviation_of(const scrim_measurement *m)
{
    if (strcmp(m->mechanism->entry.name, "gaussian") == 0)
        return number(m, "sensitivity") / sqrt(2 * sc_ball_near(&m->cost.rho));
    return 1 / (sqrt(2) * sinh(number(m, "epsilon") / (2 * number(m, "sensitivity"))));
}

/* Three digits, rounded up: at least the deviation, and within a hundredth of it. */
static void check_parts(plan_scene *scene, const char *query, const char *noise,
                        double step)
{
    if (!plan_ask(scene, query,
                  OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = noise)))
        return;
    const sc_planned_statement *s = &scene->plan->statements[0];
    const sc_drawn_part *part = &s->parts[s->part_count - 1];
    char text[SC_SHOWN_THREE_BYTES];
    sc_plan_put_deviation(s, part, text);
    const double want = step * deviation_of(part->measurement), got = atof(text);
    CHECK(got >= want * (1 - 1e-12) && got <= want * 1.01);
}

TEST(plan_deviation_is_that_of_the_noise_in_the_columns_unit)
{
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        check_parts(&scene, "SELECT COUNT(*)", "laplace", 1);
        check_parts(&scene, "SELECT COUNT(*)", "gaussian", 1);
        check_parts(&scene, "SELECT SUM(age)", "laplace", 1);
        check_parts(&scene, "SELECT SUM(income)", "gaussian", 0.01);
    }
    plan_end(&scene);
}

/* A histogram is no number. */
TEST(plan_deviation_is_empty_without_noise)
{
    plan_scene scene;
    char text[SC_SHOWN_THREE_BYTES] = "?";
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT MAX(age)",
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        sc_plan_put_deviation(s, &s->parts[0], text);
        CHECK_STR(text, "");
    }
    plan_end(&scene);
}
