#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/nearest_point.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

/* The point is in the body, and the multipliers prove that it is the nearest. */
static void check_proof(const sc_half_spaces *spaces, const double *x, const double *y,
                        const sc_nearest_point *nearest)
{
    const size_t d = spaces->dimension;
    double rest[SOLIDS_DIMENSIONS];
    for (size_t i = 0; i < spaces->count; i++)
        CHECK(sc_dot(spaces->a + i * d, y, d) <= spaces->b[i] + 1e-9);
    for (size_t j = 0; j < d; j++)
        rest[j] = x[j] - y[j];
    for (size_t k = 0; k < sc_nearest_point_active_count(nearest); k++) {
        const size_t i = sc_nearest_point_active(nearest)[k];
        const double multiplier = sc_nearest_point_multipliers(nearest)[k];
        CHECK(multiplier >= 0);
        CHECK(fabs(sc_dot(spaces->a + i * d, y, d) - spaces->b[i]) <= 1e-9);
        sc_add_times(rest, -multiplier, spaces->a + i * d, d);
    }
    CHECK(sc_norm(rest, d) <= 1e-9);
}

SLOW_TEST(nearest_point_proves_itself)
{
    CLAIM("nearest-point.multipliers");
    static const size_t sizes[][2] = {{1, 2},   {2, 12},   {3, 30},  {5, 60},
                                      {10, 80}, {20, 200}, {64, 400}};
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (uint64_t seed = 1; seed <= check_count(40, 2000) / 10; seed++) {
            const size_t d = sizes[s][0];
            double x[SOLIDS_DIMENSIONS] = {0}, y[SOLIDS_DIMENSIONS];
            uint64_t state = seed;
            sc_half_spaces spaces;
            sc_nearest_point *nearest = sc_nearest_point_new(d, sizes[s][1]);
            REQUIRE(nearest != NULL);
            solids_random(d, sizes[s][1], seed, &spaces);
            for (size_t i = 0; i < 10; i++) {
                for (size_t j = 0; j < d; j++)
                    x[j] = (0.2 + (double)i) * solids_normal(&state);
                if (CHECK_STATUS(sc_nearest_point_find(nearest, &spaces, x, y, NULL),
                                 SCRIM_OK))
                    check_proof(&spaces, x, y, nearest);
            }
            sc_nearest_point_free(nearest);
            solids_clear(&spaces);
        }
}

TEST(nearest_point_is_that_of_the_vectors)
{
    CLAIM("nearest-point.multipliers");
    static double a[4096], b[512], x[64], y[64], want[64];
    const json_t *all = vectors_load("floating-body", "projection");
    const json_t *cases = json_object_get(all, "cases");
    const double tolerance = json_number_value(json_object_get(all, "tol"));
    size_t d = 0, rows = 0;
    REQUIRE(json_array_size(cases) > 0);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        if (json_object_get(row, "A") != NULL) {
            solids_numbers(json_object_get(row, "A"), a, COUNT(a));
            rows = solids_numbers(json_object_get(row, "b"), b, COUNT(b));
        }
        d = solids_numbers(json_object_get(row, "x"), x, COUNT(x));
        solids_numbers(json_object_get(row, "y"), want, COUNT(want));
        const sc_half_spaces spaces = {d, rows, a, b};
        sc_nearest_point *nearest = sc_nearest_point_new(d, rows);
        REQUIRE(nearest != NULL);
        CHECK_STATUS(sc_nearest_point_find(nearest, &spaces, x, y, NULL), SCRIM_OK);
        double sum = 0;
        for (size_t j = 0; j < d; j++) {
            CHECK(fabs(y[j] - want[j]) <= tolerance);
            sum += (y[j] - x[j]) * (y[j] - x[j]);
        }
        CHECK(fabs(sqrt(sum) - json_number_value(json_object_get(row, "dist"))) <=
              tolerance);
        if (json_object_get(row, "active") != NULL)
            CHECK_INT((int64_t)sc_nearest_point_active_count(nearest),
                      (int64_t)json_array_size(json_object_get(row, "active")));
        sc_nearest_point_free(nearest);
    }
}

TEST(nearest_point_says_that_a_body_is_empty)
{
    static const double a[] = {1, -1}, b[] = {-1, -1}, x[] = {0};
    const sc_half_spaces spaces = {1, 2, a, b};
    double y[1] = {7};
    sc_nearest_point *nearest = sc_nearest_point_new(1, 2);
    REQUIRE(nearest != NULL);
    CHECK_STATUS(sc_nearest_point_find(nearest, &spaces, x, y, NULL), SCRIM_E_PARAM);
    CHECK(fabs(y[0] - 7) < 1e-15);
    sc_nearest_point_free(nearest);
    FAULT_LOOP(fault)
    {
        nearest = sc_nearest_point_new(3, 8);
        CHECK((nearest == NULL) == fault_hit());
        sc_nearest_point_free(nearest);
    }
}
