#include "check.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "solids.h"
#include "solve/body_volume.h"
#include "solve/body_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define D_MOST 20

typedef struct scene {
    sc_tape *tape;
    sc_solid *solid;
    sc_walk_ways *ways;
} scene;

static bool scene_open(scene *s, const sc_half_spaces *spaces, double side)
{
    *s = (scene){0};
    return CHECK_STATUS(sc_tape_seeded(check_seed(), &s->tape, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_solid_of(spaces, side, &s->solid, NULL), SCRIM_OK) &&
           CHECK_STATUS(
               sc_walk_ways_new(s->solid, sc_tape_bits_of(s->tape), &s->ways, NULL),
               SCRIM_OK);
}

static void scene_close(scene *s)
{
    sc_walk_ways_free(s->ways);
    sc_solid_free(s->solid);
    sc_tape_free(s->tape);
}

/* Means of x_0, x_0^2 and x_0 x_1 over `points` points, all of them inside. */
static void walk_moments(scene *s, const sc_walk_options *options, uint64_t points,
                         double *moments)
{
    double v[D_MOST];
    size_t row;
    sc_body_walk *walk = NULL;
    memset(moments, 0, 3 * sizeof *moments);
    if (!CHECK_STATUS(sc_body_walk_new(s->solid, s->ways, options,
                                       sc_tape_bits_of(s->tape), &walk, NULL),
                      SCRIM_OK))
        return;
    for (uint64_t i = 0; i < points; i++) {
        if (!CHECK_STATUS(sc_body_walk_next(walk, v, NULL), SCRIM_OK))
            break;
        CHECK(sc_solid_excess(s->solid, v, &row) <= 1e-9);
        moments[0] += v[0] / (double)points;
        moments[1] += v[0] * v[0] / (double)points;
        moments[2] += v[0] * v[s->solid->dimension > 1] / (double)points;
    }
    sc_body_walk_free(walk);
}

/* Five deviations of a mean of independent points; the walk's are nearly so. */
static bool is_near(double got, double want, double deviation, uint64_t points)
{
    return fabs(got - want) <= 6 * deviation / sqrt((double)points);
}

static void cube(size_t d, double *a, double *b)
{
    memset(a, 0, 2 * d * d * sizeof *a);
    for (size_t i = 0; i < 2 * d; i++) {
        a[i * d + i / 2] = i % 2 == 0 ? 1 : -1;
        b[i] = 1;
    }
}

SLOW_TEST(walk_has_the_moments_of_cube_and_simplex)
{
    CLAIM("body-walk.uniform");
    static const size_t dimensions[] = {1, 2, 3, 5, 10};
    static double a[(2 * D_MOST + 1) * D_MOST], b[2 * D_MOST + 1];
    const uint64_t points = check_count(4000, 100000);
    for (size_t i = 0; i < COUNT(dimensions); i++) {
        const size_t d = dimensions[i];
        const double n = (double)d;
        const sc_walk_options options = {0};
        double moments[3];
        scene s;
        cube(d, a, b);
        if (scene_open(&s, &(sc_half_spaces){d, 2 * d, a, b}, 2)) {
            walk_moments(&s, &options, points, moments);
            CHECK(is_near(moments[0], 0, sqrt(1 / 3.0), points));
            CHECK(is_near(moments[1], 1 / 3.0, sqrt(4 / 45.0), points));
            if (d > 1)
                CHECK(is_near(moments[2], 0, 1 / 3.0, points));
        }
        scene_close(&s);
        /* conv(0, e_i): E x = 1/(d+1), E x^2 = 2/((d+1)(d+2)), E x y = 1/((d+1)(d+2)). */
        memset(a, 0, sizeof a);
        for (size_t j = 0; j < d; j++) {
            a[j * d + j] = -1;
            b[j] = 0;
            a[d * d + j] = 1 / sqrt(n);
        }
        b[d] = 1 / sqrt(n);
        if (scene_open(&s, &(sc_half_spaces){d, d + 1, a, b}, 1)) {
            walk_moments(&s, &options, points, moments);
            const double mean = 1 / (n + 1), square = 2 / ((n + 1) * (n + 2));
            CHECK(is_near(moments[0], mean, sqrt(square - mean * mean), points));
            CHECK(is_near(moments[1], square, 4 * square, points));
            if (d > 1)
                CHECK(is_near(moments[2], square / 2, 2 * square, points));
        }
        scene_close(&s);
    }
}

/* A ball, as a sphere inside a cube; and a needle, a thousand times as long as it is wide. */
SLOW_TEST(walk_has_the_moments_of_ball_and_needle)
{
    CLAIM("body-walk.uniform");
    enum { d = 6 };
    static double a[2 * d * d], b[2 * d];
    const uint64_t points = check_count(4000, 100000);
    double moments[3];
    scene s;
    cube(d, a, b);
    const sc_walk_options options = {.within = 0.9};
    if (scene_open(&s, &(sc_half_spaces){d, (size_t)2 * d, a, b}, 2)) {
        walk_moments(&s, &options, points, moments);
        const double square = 0.81 / (d + 2);
        CHECK(is_near(moments[0], 0, sqrt(square), points));
        CHECK(is_near(moments[1], square, 1.5 * square, points));
    }
    scene_close(&s);
    /* |x + y| <= 1000, |x - y| <= 1 and the others within 1, over the root of 2. */
    memset(a, 0, sizeof a);
    cube(d, a, b);
    for (size_t i = 0; i < 4; i++) {
        a[i * d] = (i % 2 == 0 ? 1 : -1) * M_SQRT1_2;
        a[i * d + 1] = (i < 2 ? 1 : -1) * a[i * d];
        b[i] = i < 2 ? 1000 : 1;
    }
    const sc_walk_options plain = {0};
    if (scene_open(&s, &(sc_half_spaces){d, (size_t)2 * d, a, b}, 500)) {
        walk_moments(&s, &plain, points, moments);
        CHECK(is_near(moments[0], 0, 1000 / sqrt(6), points));
        CHECK(is_near(moments[1], 1e6 / 6, 1e6 / 6, points));
    }
    scene_close(&s);
}

/* phi = 3 x_0 in the cube, and |x|^2 / 2 / 0.3^2. */
static double slope(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = 3;
    gradient[1] = gradient[2] = 0;
    return 3 * x[0];
}

static double bowl(const void *context, const double *x, double *gradient)
{
    double sum = 0;
    (void)context;
    for (size_t j = 0; j < 3; j++) {
        gradient[j] = x[j] / 0.01;
        sum += x[j] * x[j] / 0.02;
    }
    return sum;
}

SLOW_TEST(walk_has_the_moments_of_a_density)
{
    CLAIM("body-walk.density");
    static double a[6 * 3], b[6];
    const uint64_t points = check_count(4000, 100000);
    const sc_convex_function functions[2] = {{slope, NULL, 1}, {bowl, NULL, 2}};
    double moments[3];
    scene s;
    cube(3, a, b);
    if (scene_open(&s, &(sc_half_spaces){3, 6, a, b}, 2)) {
        const sc_walk_options first = {.phi = &functions[0]},
                              second = {.phi = &functions[1]};
        walk_moments(&s, &first, points, moments);
        const double mean = 1 / 3.0 - 1 / tanh(3.0);
        CHECK(is_near(moments[0], mean, 0.35, points));
        walk_moments(&s, &second, points, moments);
        CHECK(is_near(moments[0], 0, 0.1, points));
        CHECK(is_near(moments[1], 0.01, 0.015,
                      points)); /* the cube cuts at ten deviations */
    }
    scene_close(&s);
}

/* Its bias is known: E x^2 on [-1,1]^2 near .470 at a step of .4 and .354 at .05, where the truth is 1/3. */
SLOW_TEST(langevin_has_its_known_bias)
{
    static double a[4 * 2], b[4];
    const uint64_t points = check_count(20000, 200000);
    double moments[3];
    scene s;
    cube(2, a, b);
    if (scene_open(&s, &(sc_half_spaces){2, 4, a, b}, 2)) {
        const sc_walk_options coarse = {.langevin = 0.4, .thinning = 4},
                              fine = {.langevin = 0.2, .thinning = 20};
        walk_moments(&s, &coarse, points, moments);
        CHECK(fabs(moments[1] - 0.470) < 0.02);
        walk_moments(&s, &fine, points, moments);
        CHECK(fabs(moments[1] - 0.406) < 0.02);
    }
    scene_close(&s);
}

TEST(walk_chord_gives_the_same_bits)
{
    CLAIM("walk-chord.same");
    enum { rows = 24 };
    uint64_t state = check_seed();
    for (unsigned turn = 0; turn < 200; turn++) {
        double slack[rows], same[rows], growth[rows], inverse[rows];
        for (size_t i = 0; i < rows; i++) {
            slack[i] = same[i] = i < 20 ? solids_uniform(&state) : 1;
            growth[i] = i < 20 ? solids_normal(&state) : 0;
            inverse[i] = i < 20 ? 1 / solids_normal(&state) : SC_CHORD_FAR;
        }
        const double length = 0.3 * solids_normal(&state);
        const sc_chord fast = sc_chord_next(slack, growth, length, inverse, rows),
                       plain = sc_chord_plain(same, growth, length, inverse, rows);
        CHECK_BYTES(slack, same, sizeof slack);
        CHECK_BYTES(&fast, &plain, sizeof fast);
        CHECK(fast.low <= 0 && fast.high >= 0);
    }
}

SLOW_TEST(volume_is_that_of_cube_and_simplex)
{
    CLAIM("body-volume.near");
    static double a[(2 * D_MOST + 1) * D_MOST], b[2 * D_MOST + 1];
    /* A body of 8 dimensions takes as long as all others. */
    const size_t most = check_is_long() ? 8 : 4;
    for (size_t d = 1; d <= most; d += d < 4 ? 1 : 4) {
        sc_body_volume volume = {0};
        scene s;
        double want = 1;
        cube(d, a, b);
        if (scene_open(&s, &(sc_half_spaces){d, 2 * d, a, b}, 2) &&
            CHECK_STATUS(
                sc_body_volume_find(s.solid, sc_tape_bits_of(s.tape), 0, &volume, NULL),
                SCRIM_OK)) {
            const double error = log(volume.volume) - (double)d * log(2);
            CHECK(fabs(error) <= (d <= 2 ? 1e-9 : 6 * volume.standard_error));
            CHECK(volume.standard_error < 0.1);
        }
        scene_close(&s);
        memset(a, 0, sizeof a);
        for (size_t j = 0; j < d; j++) {
            a[j * d + j] = -1;
            b[j] = 0;
            a[d * d + j] = 1 / sqrt((double)d);
            want /= (double)j + 1;
        }
        b[d] = 1 / sqrt((double)d);
        if (scene_open(&s, &(sc_half_spaces){d, d + 1, a, b}, 1) &&
            CHECK_STATUS(
                sc_body_volume_find(s.solid, sc_tape_bits_of(s.tape), 0, &volume, NULL),
                SCRIM_OK))
            CHECK(fabs(log(volume.volume / want)) <=
                  (d <= 2 ? 1e-9 : 6 * volume.standard_error));
        scene_close(&s);
    }
}

TEST(walk_fails_with_its_bits_and_its_memory)
{
    static double a[6 * 3], b[6];
    uint64_t words[400] = {0};
    sc_solid *solid = NULL;
    sc_walk_ways *ways = NULL;
    sc_tape *tape = NULL;
    cube(3, a, b);
    REQUIRE_OK(sc_solid_of(&(sc_half_spaces){3, 6, a, b}, 2, &solid, NULL));
    REQUIRE_OK(sc_tape_words(words, COUNT(words), &tape, NULL));
    CHECK_STATUS(sc_walk_ways_new(solid, sc_tape_bits_of(tape), &ways, NULL),
                 SCRIM_E_ENTROPY);
    CHECK(ways == NULL);
    sc_tape_free(tape);
    FAULT_LOOP(fault)
    {
        sc_body_walk *walk = NULL;
        const sc_walk_options options = {0};
        ways = NULL;
        tape = NULL;
        scrim_status status = sc_tape_seeded(1, &tape, NULL);
        if (status == SCRIM_OK)
            status = sc_walk_ways_new(solid, sc_tape_bits_of(tape), &ways, NULL);
        if (status == SCRIM_OK)
            status = sc_body_walk_new(solid, ways, &options, sc_tape_bits_of(tape), &walk,
                                      NULL);
        CHECK(status == SCRIM_OK || fault_hit());
        sc_body_walk_free(walk);
        sc_walk_ways_free(ways);
        sc_tape_free(tape);
    }
    sc_solid_free(solid);
}
