#include "check.h"
#include "model/curve.h"
#include "plans.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_predict.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static bool is_gaussian(const plan_scene *scene)
{
    const sc_planned_statement *s = &scene->plan->statements[0];
    for (size_t i = 0; i < s->part_count; i++)
        if (strcmp(s->parts[i].measurement->mechanism->entry.name, "gaussian") == 0)
            return true;
    return false;
}

static bool read_error(plan_scene *scene, const char *query, const char *mechanism,
                       size_t output, sc_ratio *out)
{
    scrim_plan_output o;
    return plan_ask(scene, query,
                    OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = mechanism)) &&
           CHECK_STATUS(scrim_plan_output_at(scene->plan, 0, output, &o, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_ratio_parse(sc_text_of(o.error), out, NULL), SCRIM_OK);
}

/* For one number the smaller of both errors is taken: Laplace noise grows with the groups that one
 * unit can change, Gaussian with their root. */
SLOW_TEST(noise_choice_of_one_number_has_the_smaller_error)
{
    CLAIM("noise-choice.smaller");
    static const char query[] = "SELECT age + 1 AS a, COUNT(*) GROUP BY a";
    bool has_laplace = false, has_gaussian = false;
    sc_ratio laplace, gaussian, chosen;
    sc_ratio_init(&laplace);
    sc_ratio_init(&gaussian);
    sc_ratio_init(&chosen);
    for (unsigned groups = 1; groups <= 64; groups *= 2) {
        plan_scene scene;
        char lines[100];
        snprintf(lines, sizeof lines, "max-groups=%u\n", groups);
        if (plan_begin(&scene, lines) &&
            read_error(&scene, query, "laplace", 1, &laplace) && !is_gaussian(&scene) &&
            read_error(&scene, query, "gaussian", 1, &gaussian) && is_gaussian(&scene) &&
            read_error(&scene, query, NULL, 1, &chosen)) {
            CHECK(sc_ratio_compare(&chosen, sc_ratio_compare(&laplace, &gaussian) <= 0
                                                ? &laplace
                                                : &gaussian) == 0);
            has_gaussian |= is_gaussian(&scene);
            has_laplace |= !is_gaussian(&scene);
        }
        plan_end(&scene);
    }
    CHECK(has_laplace && has_gaussian);
    sc_ratio_clear(&chosen);
    sc_ratio_clear(&gaussian);
    sc_ratio_clear(&laplace);
}

/* Many numbers of one group: Laplace parts share epsilon, Gaussian ones rho. */
SLOW_TEST(noise_choice_of_many_numbers)
{
    CLAIM("noise-choice.smaller");
    char query[3000];
    plan_scene scene;
    bool was_gaussian = false;
    if (plan_begin(&scene, ""))
        for (int count = 1; count <= 64; count *= 4) {
            size_t at = (size_t)snprintf(query, sizeof query, "SELECT ");
            for (int i = 0; i < count; i++)
                at += (size_t)snprintf(query + at, sizeof query - at,
                                       "%sSUM(age + %d) AS a%d", i > 0 ? ", " : "", i, i);
            if (!plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6")))
                break;
            CHECK(is_gaussian(&scene) == (count > 4) || count == 16);
            CHECK(!was_gaussian ||
                  is_gaussian(&scene)); /* once better, better for more */
            was_gaussian = is_gaussian(&scene);
            if (was_gaussian)
                CHECK(sc_ratio_compare(&sc_bundle_total(scene.plan->bundle)->epsilon,
                                       &scene.plan->options.epsilon) == 0);
        }
    CHECK(was_gaussian);
    plan_end(&scene);
}

TEST(noise_choice_keeps_what_was_asked_for)
{
    plan_scene scene;
    if (plan_begin(&scene, "max-groups=64\n")) {
        static const char query[] = "SELECT age + 1 AS a, COUNT(*) GROUP BY a";
        if (plan_ask(&scene, query,
                     OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace")))
            CHECK(!is_gaussian(&scene));
        /* Without a delta there is nothing to choose. */
        if (plan_ask(&scene, query, OPTIONS(.epsilon = "1")))
            CHECK(!is_gaussian(&scene));
        /* One number of one group has the exact curve; people who are cut are counted by its epsilon, not by its rho. */
        if (plan_ask(&scene, "SELECT COUNT(*)",
                     OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian"))) {
            const sc_planned_statement *s = &scene.plan->statements[0];
            CHECK_STR(scrim_measurement_text(s->parts[0].measurement),
                      "gaussian sensitivity=1 epsilon=0.95 delta=0.000001 size=1 "
                      "neighbours=add-remove");
            CHECK_STR(scrim_measurement_text(s->cut_part.measurement),
                      "laplace sensitivity=1 epsilon=0.05 neighbours=add-remove");
        }
    }
    plan_end(&scene);
}

/* The exact curve is that of a single number without keys. The discrete Gaussian is not the same in all directions, so several
 * numbers have the noise of one rho, whatever groups or cells they are of (spec/query-semantics.md 2.4). */
TEST(noise_choice_takes_the_curve_of_one_number_for_one_alone)
{
    CLAIM("gaussian.privacy");
    static const struct {
        const char *query, *size;
        bool has_curve;
    } cases[] = {
        {"SELECT COUNT(*)", " size=1 ", true},
        {"SELECT SUM(age) WHERE sex = 'Male'", " size=1 ", true},
        {"SELECT age, COUNT(*) GROUP BY age", " size=121 ", false},
        {"SELECT COUNT(*), COUNT(*) FILTER (WHERE age > 3) AS f", " size=2 ", false},
        {"SELECT COUNT(age), SUM(age)", " size=1 ", false},
        {"SELECT AVG(age)", " size=1 ", false},
    };
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < COUNT(cases); i++) {
            if (!plan_ask(
                    &scene, cases[i].query,
                    OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian")))
                continue;
            const sc_planned_statement *s = scene.plan->statements;
            const sc_plan_options *options = &scene.plan->options;
            for (size_t k = 0; k < s->part_count; k++) {
                const char *text = scrim_measurement_text(s->parts[k].measurement);
                CHECK(strncmp(text, "gaussian ", 9) == 0);
                CHECK_INT(strstr(text, " rho=") == NULL, cases[i].has_curve);
                CHECK_INT(strstr(text, " epsilon=") != NULL, cases[i].has_curve);
                CHECK(strstr(text, cases[i].size) != NULL);
            }
            /* The rho of all of them keeps epsilon by its own curve. */
            if (!cases[i].has_curve) {
                CHECK(sc_bundle_total(scene.plan->bundle)->has_rho);
                SC_OWN(sc_curve, curve);
                SC_OWN(sc_ratio, epsilon);
                sc_curve_set_concentrated(&curve,
                                          &sc_bundle_total(scene.plan->bundle)->rho);
                CHECK(sc_curve_epsilon_upper(&curve, &options->delta, &epsilon) &&
                      sc_ratio_compare(&epsilon, &options->epsilon) <= 0);
            }
        }
    plan_end(&scene);
}
