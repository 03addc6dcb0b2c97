#include "check.h"
#include "mechanism/microdata/projection.h"
#include "scrim/microdata.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static double number(const char *text)
{
    return strtod(text, NULL);
}

static bool find(const char *epsilon, const char *delta, const char *rho, uint64_t cells,
                 scrim_neighbours neighbours, scrim_microdata_plan *plan)
{
    return CHECK_STATUS(
        scrim_microdata_plan_find(
            SCRIM_OPTIONS(scrim_microdata_question, .neighbours = neighbours,
                          .cells = cells, .epsilon = epsilon, .delta = delta, .rho = rho),
            plan, NULL),
        SCRIM_OK);
}

SLOW_TEST(microdata_plan_has_the_errors_of_both_sides)
{
    CLAIM("microdata-plan.errors");
    const json_t *rows = vectors_load("microdata", "M_prime_eps_point_bound"), *row;
    scrim_microdata_plan plan;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        REQUIRE(find(vectors_text(row, "eps"), NULL, NULL, vectors_number(row, "d"),
                     SCRIM_ADD_REMOVE, &plan));
        const double bound = number(vectors_text(row, "bound_integer_noise"));
        CHECK_NEAR(number(plan.sums.cell_error), sqrt(bound), 1e-13);
        CHECK(number(plan.sums.cell_error) >= sqrt(bound) * (1 - 1e-15));
        CHECK(number(plan.sums.cell_error) > number(plan.points.cell_error));
        CHECK(number(plan.sums.sum_error) < number(plan.points.sum_error));
        CHECK(number(plan.sums.other_lower) <= number(plan.sums.cell_error));
        CHECK(number(plan.points.other_lower) <= number(plan.points.sum_error));
        CHECK_INT(plan.bound, 0);
        CHECK(!plan.sums.is_certain && !plan.points.is_certain);
    }
    REQUIRE(find("1", "1e-6", NULL, 1000000, SCRIM_ADD_REMOVE, &plan));
    CHECK_INT(plan.bound, 29);
    CHECK_STR(plan.sums.text, "sum-first epsilon=1 delta=0.000001 neighbours=add-remove");
    CHECK_STR(plan.points.text, "point-first epsilon=1 neighbours=add-remove");
    CHECK(plan.sums.is_certain);
    CHECK_STR(plan.sums.cell_radius, "87");
    CHECK_STR(plan.sums.sum_radius, "29");
    /* D = sqrt 7.8353...: 1.9195 of D = 2.83, and a delta that hardly weakens it */
    CHECK(number(plan.sums.other_lower) > 1.9 && number(plan.sums.other_lower) < 1.93);
    REQUIRE(find(NULL, NULL, "1/2", 1000, SCRIM_REPLACE, &plan));
    CHECK_STR(plan.sums.other_lower, "0");
    CHECK_NEAR(number(plan.points.cell_error), sqrt(2), 1e-6);
}

TEST(microdata_plan_of_units_with_several_rows)
{
    CLAIM("microdata-plan.errors");
    scrim_microdata_plan one, many;
    REQUIRE(find("1", NULL, NULL, 100, SCRIM_ADD_REMOVE, &one));
    REQUIRE_OK(scrim_microdata_plan_find(
        SCRIM_OPTIONS(scrim_microdata_question, .neighbours = SCRIM_ADD_REMOVE,
                      .cells = 100, .epsilon = "2", .max_rows = 2),
        &many, NULL));
    CHECK_STR(many.sums.cell_error, one.sums.cell_error);
    CHECK_STR(many.points.text, "point-first epsilon=2 max-rows=2 neighbours=add-remove");
}

SLOW_TEST(microdata_plan_finds_the_epsilon_of_a_radius)
{
    CLAIM("microdata-plan.inverse");
    static const struct {
        const char *sum, *all;
    } list[] = {{"6", NULL}, {"100", NULL}, {NULL, "30"}, {NULL, "1000"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char epsilon[SCRIM_NUMBER_BYTES];
        scrim_microdata_plan plan;
        REQUIRE_OK(scrim_microdata_epsilon_for(
            SCRIM_OPTIONS(scrim_microdata_question, .neighbours = SCRIM_ADD_REMOVE,
                          .cells = 50),
            list[i].sum, list[i].all, epsilon, NULL));
        REQUIRE(find(epsilon, NULL, NULL, 50, SCRIM_ADD_REMOVE, &plan));
        const double wanted = number(list[i].sum != NULL ? list[i].sum : list[i].all),
                     found = number(list[i].sum != NULL ? plan.sums.sum_radius
                                                        : plan.sums.all_radius);
        CHECK(found <= wanted);
        /* a little less does not do */
        char less[40];
        snprintf(less, sizeof less, "%.12f",
                 number(epsilon) * (list[i].sum != NULL ? 0.999 : 0.95));
        REQUIRE(find(less, NULL, NULL, 50, SCRIM_ADD_REMOVE, &plan));
        CHECK(number(list[i].sum != NULL ? plan.sums.sum_radius : plan.sums.all_radius) >
              wanted);
    }
}

TEST(microdata_plan_refuses_what_is_none)
{
    CLAIM("microdata-plan.errors");
    const scrim_microdata_question wrong[] = {
        {0},
        {.size = sizeof *wrong, .cells = 5, .epsilon = "1"},
        {.size = sizeof *wrong, .neighbours = SCRIM_LOCAL, .cells = 5, .epsilon = "1"},
        {.size = sizeof *wrong, .neighbours = SCRIM_REPLACE, .epsilon = "1"},
        {.size = sizeof *wrong, .neighbours = SCRIM_REPLACE, .cells = 5},
        {.size = sizeof *wrong, .neighbours = SCRIM_REPLACE, .cells = 5, .epsilon = "0"},
        {.size = sizeof *wrong,
         .neighbours = SCRIM_REPLACE,
         .cells = 5,
         .epsilon = "1",
         .rho = "1"},
        {.size = sizeof *wrong,
         .neighbours = SCRIM_REPLACE,
         .cells = 5,
         .epsilon = "1",
         .confidence = "1"}};
    scrim_microdata_plan plan = {.bound = 77};
    char epsilon[SCRIM_NUMBER_BYTES] = "?";
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK_STATUS(scrim_microdata_plan_find(&wrong[i], &plan, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_plan_find(
                     SCRIM_OPTIONS(scrim_microdata_question, .neighbours = SCRIM_REPLACE,
                                   .cells = 134217729, .epsilon = "1"),
                     &plan, NULL),
                 SCRIM_E_LIMIT);
    CHECK_INT(plan.bound, 77);
    const scrim_microdata_question good = {
        .size = sizeof good, .neighbours = SCRIM_REPLACE, .cells = 5};
    CHECK_STATUS(scrim_microdata_epsilon_for(&good, "3", "4", epsilon, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_epsilon_for(&good, "-3", NULL, epsilon, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_epsilon_for(&good, "x", NULL, epsilon, NULL),
                 SCRIM_E_SYNTAX);
    CHECK_STR(epsilon, "?");
}

TEST(microdata_project_is_the_projection)
{
    CLAIM("projection.integer");
    const int64_t noisy[] = {7, 7, 1, 1, 1}, want[] = {8, 8, 2, 1, 1};
    int64_t table[5] = {-1, -1, -1, -1, -1}, far[] = {SC_PROJECTION_VALUE + 1};
    REQUIRE_OK(scrim_microdata_project(noisy, 5, 20, 0, table, NULL));
    CHECK_BYTES(table, want, sizeof want);
    REQUIRE_OK(scrim_microdata_project(noisy, 5, 20, 9, table, NULL));
    CHECK_INT(table[0] + table[1] + table[2] + table[3] + table[4], 20);
    CHECK(table[0] >= 7 && table[0] <= 8 && table[4] >= 1 && table[4] <= 2);
    CHECK_STATUS(scrim_microdata_project(noisy, 0, 20, 0, table, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_project(noisy, 5, -1, 0, table, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_microdata_project(far, 1, 5, 0, far, NULL), SCRIM_E_PARAM);
}
