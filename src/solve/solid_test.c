#include "body_scene.h"
#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/solid.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

/* The vectors name the least radius; ours is a part of the side. */
TEST(solid_repairs_as_the_vectors_say)
{
    CLAIM("solid.repair");
    static double a[64], b[64];
    const json_t *cases = vectors_load("floating-body", "repair");
    REQUIRE(json_array_size(cases) > 0);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        const double least = number(row, "smin");
        sc_solid *solid = NULL;
        solids_numbers(json_object_get(row, "A"), a, COUNT(a));
        const size_t count = solids_numbers(json_object_get(row, "b"), b, COUNT(b));
        const sc_half_spaces spaces = {2, count, a, b};
        const double side = fmax(least, 1e-9) / SC_SOLID_THIN;
        REQUIRE_OK(sc_solid_of(&spaces, side, &solid, NULL));
        CHECK(fabs(solid->radius - number(row, "cheb_radius")) <= 1e-9);
        CHECK(fabs(solid->inflation - number(row, "inflation")) <= 2e-9);
        for (size_t k = 0; k < count; k++) /* the centre has that distance of each row */
            CHECK(solid->offsets[k] - sc_dot(solid->rows + 2 * k, solid->centre, 2) >=
                  fmax(solid->radius, least) - 1e-9);
        sc_solid_free(solid);
    }
}

TEST(solid_has_the_balls_of_the_vectors)
{
    static double a[4096], b[512];
    const json_t *cases =
        json_object_get(vectors_load("floating-body", "projection"), "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        sc_solid *solid = NULL;
        if (json_object_get(row, "cheb_radius") == NULL)
            continue;
        solids_numbers(json_object_get(row, "A"), a, COUNT(a));
        const size_t count = solids_numbers(json_object_get(row, "b"), b, COUNT(b));
        const sc_half_spaces spaces = {(size_t)number(row, "d"), count, a, b};
        REQUIRE_OK(sc_solid_of(&spaces, 1, &solid, NULL));
        CHECK(fabs(solid->radius - number(row, "cheb_radius")) <= 1e-9);
        CHECK(solid->inflation <= 0);
        sc_solid_free(solid);
    }
}

TEST(solid_refuses_half_spaces_without_bounds)
{
    CLAIM("solid.bounded");
    static const double strip[] = {1, 0, -1, 0, 0, 1}, line[] = {1, 0, -1, 0};
    static const double half[] = {0.6, 0.8, 0.8, 0.6, -0.6, 0.8, -0.8, 0.6};
    static const double good[] = {1, 0, -0.6, 0.8, -0.6, -0.8}, ones[] = {1, 1, 1, 1};
    sc_solid *solid = NULL;
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){2, 3, strip, ones}, 1, &solid, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){2, 2, line, ones}, 1, &solid, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){2, 4, half, ones}, 1, &solid, NULL),
                 SCRIM_E_PARAM);
    CHECK(solid == NULL);
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){2, 3, good, ones}, 1, &solid, NULL),
                 SCRIM_OK);
    sc_solid_free(solid);
    sc_body *body = scene_square();
    REQUIRE(body != NULL);
    CHECK_STATUS(sc_body_check_bounded(body, NULL), SCRIM_OK);
    body->directions[0] = -SC_BODY_ONE;
    CHECK_STATUS(sc_body_check_bounded(body, NULL), SCRIM_E_PARAM);
    sc_body_free(body);
}

TEST(solid_of_a_body_has_its_places)
{
    sc_body *body = scene_square();
    sc_solid *solid = NULL;
    double x[2], v[2], value;
    size_t row = 99;
    REQUIRE(body != NULL);
    REQUIRE_OK(sc_solid_new(body, &solid, NULL));
    CHECK_NEAR(solid->radius, 0.25, 1e-12);
    sc_solid_columns(solid, solid->centre, x);
    CHECK_NEAR(x[0], 5, 1e-12);
    CHECK(fabs(x[1]) < 1e-12);
    REQUIRE_OK(sc_solid_support(solid, (const double[]){1, 0}, &value, v, NULL));
    CHECK_NEAR(value, 0.25, 1e-12);
    sc_solid_columns(solid, v, x);
    CHECK_NEAR(x[0], 7.5, 1e-12);
    x[0] = 9;
    x[1] = -1;
    sc_solid_place(solid, x, v);
    CHECK_NEAR(sc_solid_excess(solid, v, &row), 0.15, 1e-12);
    CHECK_INT((int64_t)row, 0);
    REQUIRE_OK(sc_solid_nearest(solid, v, v, NULL));
    sc_solid_columns(solid, v, x);
    CHECK_NEAR(x[0], 7.5, 1e-12);
    CHECK_NEAR(x[1], -1, 1e-12);
    sc_solid_free(solid);
    sc_body_free(body);
}

/* Rows that do not touch, and one of two copies. */
TEST(solid_finds_redundant_rows)
{
    static const double a[] = {1, 0, -1, 0, 0, 1, 0, -1, 0.6, 0.8, 0.6, 0.8, 1, 0};
    static const double b[] = {1, 1, 1, 1, 1.39, 1.41, 1};
    sc_solid *solid = NULL;
    unsigned char is_redundant[7];
    double value;
    REQUIRE_OK(sc_solid_of(&(sc_half_spaces){2, 7, a, b}, 2, &solid, NULL));
    REQUIRE_OK(sc_solid_redundant(solid, is_redundant, NULL));
    CHECK_INT(is_redundant[0] + is_redundant[6], 1);
    CHECK(!is_redundant[1] && !is_redundant[2] && !is_redundant[3] && !is_redundant[4]);
    CHECK_INT(is_redundant[5], 1);
    REQUIRE_OK(sc_solid_support(solid, (const double[]){1, 0}, &value, NULL, NULL));
    CHECK_NEAR(value, 1, 1e-12);
    sc_solid_free(solid);
}

/* The q-quantile of <x, theta> for x uniform in the triangle of the vectors. */
static double triangle_quantile(double q, const double *theta)
{
    double low = fmin(0, fmin(theta[0], theta[1])),
           high = fmax(0, fmax(theta[0], theta[1]));
    const double middle = theta[0] + theta[1] - low - high, width = high - low;
    return q * width <= middle - low ? low + sqrt(q * width * (middle - low))
                                     : high - sqrt((1 - q) * width * (high - middle));
}

/* The body of a uniform triangle, cut by many directions: its support function is below the quantile. */
TEST(solid_has_the_support_function_of_a_triangle)
{
    enum { rows = 1440 };
    static double a[2 * rows], b[rows];
    const json_t *cases = json_object_get(
        json_object_get(vectors_load("floating-body", "population"), "triangle_body"),
        "cases");
    REQUIRE(json_array_size(cases) > 0);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        const double q = number(row, "q");
        double theta[2], value = 0;
        sc_solid *solid = NULL;
        solids_numbers(json_object_get(row, "theta"), theta, 2);
        CHECK(fabs(triangle_quantile(q, theta) - number(row, "Q")) < 1e-9);
        for (size_t k = 0; k < rows; k++) {
            const double angle = 2 * acos(-1) * (double)k / rows;
            a[2 * k] = cos(angle);
            a[2 * k + 1] = sin(angle);
            b[k] = triangle_quantile(q, a + 2 * k);
        }
        REQUIRE_OK(sc_solid_of(&(sc_half_spaces){2, rows, a, b}, 1, &solid, NULL));
        CHECK(solid->inflation <= 0);
        REQUIRE_OK(sc_solid_support(solid, theta, &value, NULL, NULL));
        CHECK(fabs(value - number(row, "h")) < 2e-5);
        sc_solid_free(solid);
    }
}

TEST(solid_survives_without_memory)
{
    sc_body *body = scene_square();
    REQUIRE(body != NULL);
    FAULT_LOOP(fault)
    {
        sc_solid *solid = NULL;
        const scrim_status status = sc_solid_new(body, &solid, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_solid_free(solid);
    }
    FAULT_LOOP(again)
    {
        const scrim_status status = sc_body_check_bounded(body, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    sc_body_free(body);
}
