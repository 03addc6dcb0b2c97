#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/body_distance.h"

#include <math.h>
#include <string.h>

static sc_solid *cube(size_t d, double half, const double *shift)
{
    static double a[2 * 8 * 8], b[2 * 8];
    sc_solid *solid = NULL;
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < 2 * d; i++) {
        const double sign = i % 2 == 0 ? 1 : -1;
        a[i * d + i / 2] = sign;
        b[i] = half + sign * shift[i / 2];
    }
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){d, 2 * d, a, b}, 2, &solid, NULL),
                 SCRIM_OK);
    return solid;
}

TEST(distance_of_cubes_is_that_of_their_corners)
{
    CLAIM("body-distance.bounds");
    static const double zero[8] = {0}, shift[8] = {0.5, 0.25};
    for (size_t d = 1; d <= 6; d++) {
        double direction[8];
        sc_body_distance distance = {.direction = direction};
        sc_solid *small = cube(d, 1, zero), *large = cube(d, 1.5, zero),
                 *moved = cube(d, 1, shift);
        REQUIRE(small != NULL && large != NULL && moved != NULL);
        REQUIRE_OK(sc_body_distance_find(small, large, &distance, NULL));
        CHECK_NEAR(distance.lower, 0.5 * sqrt((double)d), 1e-9);
        CHECK(distance.upper >= distance.lower);
        CHECK_NEAR(distance.upper, 0.5 * sqrt((double)d), d <= 2 ? 1e-9 : 0.6);
        REQUIRE_OK(sc_body_distance_find(moved, small, &distance, NULL));
        const double far = d == 1 ? 0.5 : hypot(0.5, 0.25);
        CHECK_NEAR(distance.lower, far, 1e-9);
        CHECK(distance.upper >= far - 1e-9);
        CHECK_NEAR(fabs(direction[0]), 0.5 / far, 1e-9);
        REQUIRE_OK(sc_body_distance_find(small, small, &distance, NULL));
        CHECK(distance.lower < 1e-12 && distance.upper < 1e-9);
        sc_solid_free(small);
        sc_solid_free(large);
        sc_solid_free(moved);
    }
}

/* No direction has a difference of support functions above the upper bound; in two columns the largest is attained. */
TEST(distance_is_the_largest_difference_of_support_functions)
{
    CLAIM("body-distance.bounds");
    for (size_t d = 2; d <= 4; d++)
        for (uint64_t seed = 1; seed <= check_count(10, 200); seed++) {
            sc_half_spaces first, second;
            sc_solid *a = NULL, *b = NULL;
            double direction[8], u[8], most = 0, one, other;
            uint64_t state = seed;
            sc_body_distance distance = {.direction = direction};
            solids_random(d, 6 * d, seed, &first);
            solids_random(d, 6 * d, seed + 1000, &second);
            REQUIRE_OK(sc_solid_of(&first, 2, &a, NULL));
            REQUIRE_OK(sc_solid_of(&second, 2, &b, NULL));
            REQUIRE_OK(sc_body_distance_find(a, b, &distance, NULL));
            for (size_t i = 0; i < 200; i++) {
                for (size_t j = 0; j < d; j++)
                    u[j] = solids_normal(&state);
                const double length = sc_norm(u, d);
                for (size_t j = 0; j < d; j++)
                    u[j] /= length;
                REQUIRE_OK(sc_solid_support(a, u, &one, NULL, NULL));
                REQUIRE_OK(sc_solid_support(b, u, &other, NULL, NULL));
                most = fmax(most, fabs(one - other));
            }
            CHECK(most <= distance.upper + 1e-9);
            CHECK(most >= 0.5 * distance.lower);
            if (d == 2)
                CHECK(most <= distance.lower + 1e-9 && most >= 0.9 * distance.lower);
            REQUIRE_OK(sc_solid_support(a, direction, &one, NULL, NULL));
            REQUIRE_OK(sc_solid_support(b, direction, &other, NULL, NULL));
            CHECK(fabs(fabs(one - other) - distance.lower) <= 1e-9);
            sc_solid_free(a);
            sc_solid_free(b);
            solids_clear(&first);
            solids_clear(&second);
        }
}

TEST(distance_survives_without_memory)
{
    static const double zero[8] = {0};
    double direction[8];
    sc_body_distance distance = {.direction = direction};
    sc_solid *a = cube(2, 1, zero), *b = cube(2, 1.5, zero);
    REQUIRE(a != NULL && b != NULL);
    FAULT_LOOP(fault)
    {
        const scrim_status status = sc_body_distance_find(a, b, &distance, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    sc_solid_free(a);
    sc_solid_free(b);
}
