/* The joint cost of repeated counts from a threshold on: the noise of known groups is composed,
 * and that a new group is shown is added up. */
#include "check.h"
#include "scrim/composition.h"
#include "scrim/threshold.h"
#include "vectors.h"

#include <stdio.h>

/* The epsilon of a number of releases at a delta for the noise, the masses of new groups beside
 * it. */
static void check_forecast(const json_t *row)
{
    const char *epsilon = json_string_value(json_object_get(row, "eps_per_release"));
    const char *finite = json_string_value(json_object_get(row, "delta_finite"));
    const int64_t releases = json_integer_value(json_object_get(row, "releases"));
    char line[200], parts[260], delta[40];
    scrim_measurement *m = NULL;
    scrim_composition *all = NULL;
    scrim_threshold_facts facts;
    scrim_bounds bounds;
    snprintf(line, sizeof line, "threshold-laplace epsilon=%s delta=1e-14", epsilon);
    snprintf(parts, sizeof parts, "%s x%lld", line, (long long)releases);
    REQUIRE_OK(scrim_measurement_parse_model(line, &m, NULL));
    REQUIRE_OK(scrim_threshold_describe(m, &facts, NULL));
    CHECK(facts.new_groups_upper > 0 && facts.new_groups_upper <= 1e-14);
    snprintf(delta, sizeof delta, "%.16e",
             strtod(finite, NULL) + (double)releases * facts.new_groups_upper);
    REQUIRE_OK(scrim_composition_parse(parts, &all, NULL));
    /* A year of daily releases needs more steps than the road over integers allows. */
    REQUIRE_OK(scrim_composition_epsilon(
        all, delta,
        SCRIM_OPTIONS(scrim_composition_options,
                      .accountant = releases > 100 ? "fast-loss" : "loss"),
        &bounds, NULL));
    /* never below it, and by no more above than the discretisation of a curve takes */
    const double joint = strtod(json_string_value(json_object_get(row, "eps_pld")), NULL);
    CHECK_NEAR(bounds.best.upper_view, joint, 1e-3);
    CHECK(bounds.best.upper_view >= joint * (1 - 1e-6));
    scrim_bounds_clear(&bounds);
    REQUIRE_OK(scrim_composition_epsilon(
        all, delta, SCRIM_OPTIONS(scrim_composition_options, .accountant = "basic"),
        &bounds, NULL));
    CHECK_NEAR(bounds.best.upper_view,
               strtod(json_string_value(json_object_get(row, "eps_basic")), NULL), 1e-7);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(all);
    scrim_measurement_free(m);
}

SLOW_TEST(release_forecast_has_the_printed_epsilons)
{
    CLAIM("threshold-laplace.curve");
    json_t *rows = vectors_load("thresholding", "release_composition"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        if (check_is_long() ||
            json_integer_value(json_object_get(row, "releases")) <= 100)
            check_forecast(row);
    }
    CHECK_INT(r, 4);
}
