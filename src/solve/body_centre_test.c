#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/body_volume.h"
#include "solve/shadow.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

TEST(steiner_point_is_that_of_the_polygons)
{
    CLAIM("body-centre.steiner");
    const json_t *all = vectors_load("floating-body", "steiner_polygon");
    const json_t *cases = json_object_get(all, "cases");
    REQUIRE(json_array_size(cases) > 0);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        double corners[64], want[2], got[2];
        const size_t count =
            solids_numbers(json_object_get(row, "vertices"), corners, COUNT(corners)) / 2;
        solids_numbers(json_object_get(row, "steiner"), want, 2);
        sc_polygon_steiner(corners, count, got);
        CHECK(fabs(got[0] - want[0]) <= number(all, "tol"));
        CHECK(fabs(got[1] - want[1]) <= number(all, "tol"));
    }
}

/* The simplex conv(0, e_1, ..., e_d) as half-spaces. */
static sc_solid *simplex(size_t d)
{
    static double a[65 * 64], b[65];
    sc_solid *solid = NULL;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    for (size_t j = 0; j < d; j++) {
        a[j * d + j] = -1;
        a[d * d + j] = 1 / sqrt((double)d);
    }
    b[d] = 1 / sqrt((double)d);
    CHECK_STATUS(sc_solid_of(&(sc_half_spaces){d, d + 1, a, b}, 1, &solid, NULL),
                 SCRIM_OK);
    return solid;
}

TEST(steiner_point_is_that_of_simplices)
{
    CLAIM("body-centre.steiner");
    const json_t *cases = vectors_load("floating-body", "steiner_simplex");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i);
        const size_t d = (size_t)number(row, "d");
        double v[64];
        sc_body_centre centre = {.v = v};
        sc_solid *solid = simplex(d);
        REQUIRE(solid != NULL);
        REQUIRE_OK(sc_centre_steiner(solid, 1e-3, &centre, NULL));
        double sum = 0;
        for (size_t j = 0; j < d; j++)
            sum += (v[j] - number(row, "coord")) * (v[j] - number(row, "coord"));
        CHECK(sqrt(sum) <= (d == 2 ? 1e-9 : 4 * centre.standard_error));
        CHECK_INT(centre.frames > 0, d > 2);
        sc_solid_free(solid);
    }
}

TEST(steiner_point_knows_its_constant)
{
    const json_t *cases = vectors_load("floating-body", "steiner_lipschitz");
    for (size_t i = 0; i < json_array_size(cases); i++)
        CHECK_NEAR(sc_steiner_lipschitz((size_t)number(json_array_get(cases, i), "d")),
                   number(json_array_get(cases, i), "C"), 1e-12);
}

/* Both signs of each direction with the same offset: 0 is the centre, whatever the frames are. */
TEST(centres_of_a_symmetric_body_are_its_middle)
{
    CLAIM("body-centre.steiner");
    CLAIM("body-centre.frame");
    enum { d = 5, half = 12 };
    double a[2 * half * d] = {0}, b[2 * half], v[d];
    static const double shift[d] = {0.3, -1, 2, 0.25, 7};
    uint64_t state = 4;
    sc_solid *solid = NULL;
    sc_body_centre centre = {.v = v};
    for (size_t i = 0; i < half; i++) {
        double *row = a + i * d;
        if (i < d)
            row[i] = 1;
        for (size_t j = 0; i >= d && j < d; j++)
            row[j] = solids_normal(&state);
        const double length = sc_norm(row, d);
        for (size_t j = 0; j < d; j++) {
            row[j] /= length;
            a[(half + i) * d + j] = -row[j];
        }
        const double width = 0.5 + solids_uniform(&state);
        b[i] = width + sc_dot(row, shift, d);
        b[half + i] = width - sc_dot(row, shift, d);
    }
    REQUIRE_OK(
        sc_solid_of(&(sc_half_spaces){d, (size_t)2 * half, a, b}, 2, &solid, NULL));
    REQUIRE_OK(sc_centre_steiner(solid, 1e-3, &centre, NULL));
    for (size_t j = 0; j < d; j++)
        CHECK(fabs(v[j] - shift[j]) < 1e-9);
    CHECK(centre.standard_error < 1e-9);
    REQUIRE_OK(sc_centre_frame(solid, v, NULL));
    for (size_t j = 0; j < d; j++)
        CHECK(fabs(v[j] - shift[j]) < 1e-9);
    sc_solid_free(solid);
}

/* Errors of offsets along two tight frames move the frame centre by at most sqrt(d/M) times their length. */
TEST(frame_centre_keeps_its_bound)
{
    CLAIM("body-centre.frame");
    enum { d = 4, rows = 2 * d };
    double a[rows * d] = {0}, b[rows], v[d], moved[d];
    uint64_t state = 9;
    for (size_t i = 0; i < rows; i++) {
        a[i * d + i / 2] = i % 2 == 0 ? 1 : -1;
        b[i] = 1;
    }
    for (unsigned turn = 0; turn < 20; turn++) {
        double errors = 0, sum = 0, shifted[rows];
        sc_solid *solid = NULL, *other = NULL;
        for (size_t i = 0; i < rows; i++) {
            const double e = 0.5 * solids_normal(&state);
            shifted[i] = b[i] + e;
            errors += e * e;
        }
        REQUIRE_OK(sc_solid_of(&(sc_half_spaces){d, rows, a, b}, 1, &solid, NULL));
        REQUIRE_OK(sc_solid_of(&(sc_half_spaces){d, rows, a, shifted}, 1, &other, NULL));
        REQUIRE_OK(sc_centre_frame(solid, v, NULL));
        REQUIRE_OK(sc_centre_frame(other, moved, NULL));
        for (size_t j = 0; j < d; j++)
            sum += (v[j] - moved[j]) * (v[j] - moved[j]);
        CHECK(sqrt(sum) <= sqrt((double)d / rows * errors) + 1e-12);
        sc_solid_free(solid);
        sc_solid_free(other);
    }
}

TEST(shadow_of_a_cube_is_a_square_and_of_a_diamond_a_diamond)
{
    enum { d = 4 };
    double a[16 * d] = {0}, b[16];
    sc_solid *solid = NULL;
    sc_shadow shadow;
    for (size_t i = 0; i < 2 * (size_t)d; i++) {
        a[i * d + i / 2] = i % 2 == 0 ? 1 : -1;
        b[i] = 1;
    }
    REQUIRE_OK(sc_solid_of(&(sc_half_spaces){d, (size_t)2 * d, a, b}, 2, &solid, NULL));
    REQUIRE_OK(sc_shadow_find(solid, 1, 3, &shadow, NULL));
    CHECK_INT((int64_t)shadow.count, 4);
    CHECK_NEAR(sc_polygon_area(shadow.corners, shadow.count), 4, 1e-12);
    sc_shadow_clear(&shadow);
    sc_solid_free(solid);
    for (size_t i = 0; i < 16; i++) {
        for (size_t j = 0; j < d; j++)
            a[i * d + j] = i >> j & 1 ? 0.5 : -0.5;
        b[i] = 0.5;
    }
    REQUIRE_OK(sc_solid_of(&(sc_half_spaces){d, 16, a, b}, 2, &solid, NULL));
    REQUIRE_OK(sc_shadow_find(solid, 0, 2, &shadow, NULL));
    CHECK_INT((int64_t)shadow.count, 4);
    CHECK_NEAR(sc_polygon_area(shadow.corners, shadow.count), 2, 1e-12);
    sc_shadow_clear(&shadow);
    sc_solid_free(solid);
}

TEST(centres_survive_without_memory)
{
    sc_solid *solid = simplex(3);
    double v[3];
    sc_body_centre centre = {.v = v};
    REQUIRE(solid != NULL);
    FAULT_LOOP(fault)
    {
        const scrim_status status = sc_centre_steiner(solid, 0.1, &centre, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    FAULT_LOOP(again)
    {
        sc_shadow shadow;
        const scrim_status status = sc_shadow_find(solid, 0, 1, &shadow, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_shadow_clear(&shadow);
    }
    sc_solid_free(solid);
}
