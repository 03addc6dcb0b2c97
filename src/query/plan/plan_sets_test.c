#include "check.h"
#include "plans.h"
#include "query/plan/plan_sets.h"
#include "query/rows/sensitivity.h"
#include "vectors.h"

#include <string.h>

/* The bounds of a set with that number of groups, each of at most `parts` groups of the source. */
static sc_bounds bounds_of(const json_t *row, uint64_t groups, uint64_t parts)
{
    const uint64_t rows = parts * vectors_number(row, "R"),
                   total = vectors_number(row, "T");
    const sc_bounds said = {vectors_number(row, "G"), rows < total ? rows : total, total};
    return sc_bounds_normal(&said, groups);
}

static void check_norm(const sc_ratio *norm, const json_t *claimed, size_t place,
                       bool is_square)
{
    const int64_t expected = json_integer_value(json_array_get(claimed, place));
    SC_OWN(sc_ratio, x, grid);
    sc_ratio_set(&x, norm);
    if (!is_square) {
        CHECK(sc_ratio_compare_int64(&x, expected) == 0);
        return;
    }
    /* Rounded up, by at most 2^-20. */
    sc_ratio_mul(&x, norm, norm);
    CHECK(sc_ratio_compare_int64(&x, expected) >= 0);
    sc_ratio_set_quotient(&grid, 1, 1 << 20);
    sc_ratio_sub(&grid, norm, &grid);
    sc_ratio_mul(&x, &grid, &grid);
    CHECK(sc_ratio_compare_int64(&x, expected) < 0);
}

static void norms_of(const json_t *row, const char *relation, const sc_bounds *bounds,
                     uint64_t groups, sc_norms *out)
{
    const json_t *range = json_object_get(row, "range");
    const sc_group_value value = {.low = json_integer_value(json_array_get(range, 0)),
                                  .high = json_integer_value(json_array_get(range, 1))};
    const sc_group_statistic sum = {.kind = SC_STATISTIC_SUM,
                                    .most =
                                        value.high > -value.low ? value.high : -value.low,
                                    .count = 1};
    const sc_reach reach = {strcmp(relation, "replace") == 0 ? SCRIM_REPLACE
                                                             : SCRIM_ADD_REMOVE,
                            *bounds, groups};
    sc_sensitivity_of(&sum, &value, &reach, out);
}

TEST(a_set_of_keys_moves_as_far_as_the_vectors_say)
{
    CLAIM("plan-sets.reach");
    static const char *const relations[] = {"add-remove", "replace"};
    const json_t *rows = vectors_load("sets", "rollup");
    size_t beyond = 0;
    CHECK(json_array_size(rows) >= 20);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i),
                     *parts = json_object_get(row, "parts");
        const uint64_t groups = json_array_size(parts);
        uint64_t most = 0, all = 0;
        for (size_t k = 0; k < groups; k++) {
            const uint64_t own = (uint64_t)json_integer_value(json_array_get(parts, k));
            most = own > most ? own : most;
            all += own;
        }
        for (size_t k = 0; k < COUNT(relations); k++) {
            const json_t *claimed =
                json_object_get(json_object_get(row, "formula"), relations[k]);
            const json_t *attained =
                json_object_get(json_object_get(row, "attained"), relations[k]);
            const sc_bounds bounds = bounds_of(row, groups, most),
                            finest = bounds_of(row, all, 1);
            sc_norms norms;
            sc_norms_init(&norms);
            norms_of(row, relations[k], &bounds, groups, &norms);
            check_norm(&norms.l1, claimed, 0, false);
            check_norm(&norms.l2, claimed, 1, true);
            check_norm(&norms.largest, claimed, 2, false);
            /* X13: the norms of the parts. */
            norms_of(row, relations[k], &finest, all, &norms);
            SC_OWN(sc_ratio, square);
            sc_ratio_mul(&square, &norms.l2, &norms.l2);
            beyond += sc_ratio_compare_int64(
                          &square, json_integer_value(json_array_get(attained, 1))) < 0;
            sc_norms_clear(&norms);
        }
    }
    CHECK(beyond >= 10);
}

static const scrim_query_options one = {.size = sizeof one, .epsilon = "1"};

static sc_bounds bounds_at(const plan_scene *scene, size_t statement)
{
    return scene->plan->statements[statement].bounds;
}

static void check_bounds(sc_bounds bounds, uint64_t groups, uint64_t rows, uint64_t total)
{
    CHECK_INT(bounds.groups, groups);
    CHECK_INT(bounds.rows, rows);
    CHECK_INT(bounds.total, total);
}

TEST(each_set_of_keys_has_its_own_bounds)
{
    CLAIM("plan-sets.reach");
    plan_scene scene;
    REQUIRE(plan_begin(&scene, "max-groups=4\nmax-rows=3\nmax-total-rows=9\n"));
    REQUIRE(plan_ask(&scene,
                     "SELECT sex, married, COUNT(*) AS n GROUP BY ROLLUP(sex, married)",
                     &one));
    CHECK_INT(scene.plan->statement_count, 3);
    CHECK_INT(scene.plan->source, 1);
    check_bounds(bounds_at(&scene, 0), 4, 3, 9);
    check_bounds(bounds_at(&scene, 1), 2, 6, 9); /* two groups of 3 rows each */
    check_bounds(bounds_at(&scene, 2), 1, 9, 9);
    CHECK_STR(scene.plan->statements[0].set, "sex, married");
    CHECK_STR(scene.plan->statements[1].set, "sex");
    CHECK_STR(scene.plan->statements[2].set, "all rows");
    /* Each is charged, and all of epsilon is. */
    size_t count;
    const sc_exact_cost *costs = sc_plan_costs(scene.plan, &count);
    SC_OWN(sc_ratio, sum);
    CHECK_INT(count, 4); /* with the people who are cut */
    for (size_t i = 0; i < count; i++)
        sc_ratio_add(&sum, &sum, &costs[i].epsilon);
    CHECK(sc_ratio_compare_int64(&sum, 1) == 0);
    /* The charged line makes the same plan again, to finish an answer that was interrupted. */
    scrim_plan *again = NULL;
    CHECK_STATUS(sc_plan_of_line(scene.vault, scene.plan, sc_text_of(scene.plan->line),
                                 &again, NULL),
                 SCRIM_OK);
    if (CHECK(again != NULL))
        CHECK_INT(again->statement_count, 3);
    scrim_plan_free(again);
    /* Without the finest set nothing of it is drawn. */
    REQUIRE(plan_ask(&scene,
                     "SELECT sex, BUCKET(age, 10) AS b, SUM(age) AS n GROUP BY GROUPING "
                     "SETS ((sex), (2))",
                     &one));
    CHECK_INT(scene.plan->statement_count, 2);
    CHECK(scene.plan->unreleased != NULL);
    check_bounds(bounds_at(&scene, 0), 2, 9, 9);
    check_bounds(bounds_at(&scene, 1), 4, 6, 9);
    plan_end(&scene);
}

TEST(sets_of_keys_are_refused_where_totals_do_not_follow)
{
    plan_scene scene;
    REQUIRE(plan_begin(&scene, "max-groups=2\nmax-rows=3\n"));
    plan_refused(&scene, "SELECT city, COUNT(*) GROUP BY ROLLUP(city)", &one,
                 SCRIM_E_PARAM,
                 "totals need public keys, and those of city are private; the owner can "
                 "list them; or ask with one grouping at a time");
    plan_refused(&scene,
                 "SELECT sex, COUNT(DISTINCT person_id) AS p GROUP BY ROLLUP(sex)", &one,
                 SCRIM_E_PARAM,
                 "people who are in several groups would count several times in a total; "
                 "ask for COUNT(DISTINCT ...) with one grouping at a time, or with "
                 "max-groups 1");
    scrim_query_options found = one;
    found.bounds = "auto";
    plan_refused(&scene, "SELECT sex, COUNT(*) GROUP BY ROLLUP(sex)", &found,
                 SCRIM_E_PARAM,
                 "several sets of keys cannot be asked with bounds that are found; ask "
                 "with one grouping at a time");
    plan_refused(
        &scene, "SELECT age, day, MONTH(born) AS m, COUNT(*) GROUP BY CUBE(1, 2, 3)",
        &one, SCRIM_E_LIMIT,
        "the keys of all sets together have too many combinations: at most 65536, "
        "or 4194304 if all keys are listed");
    plan_end(&scene);
}
