#include "check.h"
#include "mechanism/histogram/separator.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"

#define POINTS 9

typedef struct scene {
    int64_t first[POINTS * 4], second[POINTS * 4];
    sc_point_set a, b;
    size_t dimensions;
} scene;

static uint64_t below(sc_tape *tape, uint64_t n)
{
    uint64_t value = 0;
    CHECK_STATUS(sc_uniform_64(sc_tape_bits_of(tape), n, &value, NULL), SCRIM_OK);
    return value;
}

/* Few points of small coordinates, so that many are equal, on lines and on planes. */
static void make_scene(sc_tape *tape, size_t dimensions, scene *s)
{
    const uint64_t size = 2 + below(tape, 12);
    const int64_t shift = (int64_t)below(tape, 2 * size);
    s->dimensions = dimensions;
    s->a = (sc_point_set){s->first, 1 + below(tape, POINTS)};
    s->b = (sc_point_set){s->second, 1 + below(tape, POINTS)};
    for (size_t i = 0; i < s->a.count * dimensions; i++)
        s->first[i] = (int64_t)below(tape, size) + (i % dimensions == 0 ? shift : 0);
    for (size_t i = 0; i < s->b.count * dimensions; i++)
        s->second[i] = (int64_t)below(tape, size);
}

/* <direction, point> */
static void dot(const sc_ratio *direction, const int64_t *point, size_t dimensions,
                sc_ratio *out)
{
    sc_ratio part;
    sc_ratio_init(&part);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < dimensions; i++) {
        sc_ratio_set_int64(&part, point[i]);
        sc_ratio_mul(&part, &part, &direction[i]);
        sc_ratio_add(out, out, &part);
    }
    sc_ratio_clear(&part);
}

static void dot_ratio(const sc_ratio *direction, const sc_ratio *point, size_t dimensions,
                      sc_ratio *out)
{
    sc_ratio part;
    sc_ratio_init(&part);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < dimensions; i++) {
        sc_ratio_mul(&part, &point[i], &direction[i]);
        sc_ratio_add(out, out, &part);
    }
    sc_ratio_clear(&part);
}

/* No point of the sets lies nearer along u - v: that, and lying in the hulls, is to be nearest. */
static bool is_nearest(const scene *s, const sc_hull_distance *near)
{
    sc_ratio x[4], at, other;
    bool is_right = true;
    sc_ratio_init(&at);
    sc_ratio_init(&other);
    for (size_t i = 0; i < s->dimensions; i++) {
        sc_ratio_init(&x[i]);
        sc_ratio_sub(&x[i], &near->u[i], &near->v[i]);
    }
    dot_ratio(x, near->u, s->dimensions, &at);
    for (size_t i = 0; i < s->a.count; i++) {
        dot(x, &s->first[i * s->dimensions], s->dimensions, &other);
        is_right = is_right && sc_ratio_compare(&other, &at) >= 0;
    }
    dot_ratio(x, near->v, s->dimensions, &at);
    for (size_t i = 0; i < s->b.count; i++) {
        dot(x, &s->second[i * s->dimensions], s->dimensions, &other);
        is_right = is_right && sc_ratio_compare(&other, &at) <= 0;
    }
    dot_ratio(x, x, s->dimensions, &at);
    is_right = is_right && sc_ratio_compare(&at, &near->squared) == 0;
    for (size_t i = 0; i < s->dimensions; i++)
        sc_ratio_clear(&x[i]);
    sc_ratio_clear(&other);
    sc_ratio_clear(&at);
    return is_right;
}

/* Does a point lie between the ends of a set along a direction? */
static bool is_between(const int64_t *direction, const sc_point_set *set,
                       size_t dimensions, const sc_ratio *point)
{
    sc_ratio along[4], at, end;
    bool is_above = false, is_below = false;
    sc_ratio_init(&at);
    sc_ratio_init(&end);
    for (size_t i = 0; i < dimensions; i++) {
        sc_ratio_init(&along[i]);
        sc_ratio_set_int64(&along[i], direction[i]);
    }
    dot_ratio(along, point, dimensions, &at);
    for (size_t i = 0; i < set->count; i++) {
        dot(along, &set->coordinates[i * dimensions], dimensions, &end);
        is_above = is_above || sc_ratio_compare(&at, &end) >= 0;
        is_below = is_below || sc_ratio_compare(&at, &end) <= 0;
    }
    for (size_t i = 0; i < dimensions; i++)
        sc_ratio_clear(&along[i]);
    sc_ratio_clear(&end);
    sc_ratio_clear(&at);
    return is_above && is_below;
}

/* In the plane, the directions across and along any two points decide; with more axes, any
 * direction is a test. */
static bool is_inside(sc_tape *tape, const sc_point_set *set, size_t dimensions,
                      const sc_ratio *point)
{
    if (dimensions > 2) {
        for (int turn = 0; turn < 10; turn++) {
            int64_t direction[4];
            for (size_t i = 0; i < dimensions; i++)
                direction[i] = (int64_t)below(tape, 21) - 10;
            if (!is_between(direction, set, dimensions, point))
                return false;
        }
        return true;
    }
    const int64_t *c = set->coordinates;
    for (size_t i = 0; i < set->count; i++)
        for (size_t j = 0; j <= i; j++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.*): all of them are set */
            const int64_t dx = c[i * dimensions] - c[j * dimensions];
            const int64_t dy =
                dimensions == 1 ? 0 : c[i * dimensions + 1] - c[j * dimensions + 1];
            const int64_t along[] = {dx, dy}, across[] = {-dy, dx}, axis[] = {1, 0};
            const int64_t other[] = {0, 1};
            if (!is_between(along, set, dimensions, point) ||
                !is_between(across, set, dimensions, point) ||
                !is_between(axis, set, dimensions, point) ||
                !is_between(other, set, dimensions, point))
                return false;
        }
    return true;
}

TEST(hull_distance_is_that_of_the_nearest_points)
{
    CLAIM("hull-distance.exact");
    sc_tape *tape = NULL;
    const uint64_t count = check_count(600, 200000);
    size_t met = 0, apart = 0, long_ones = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t n = 0; n < count; n++) {
        scene s;
        sc_hull_distance near;
        make_scene(tape, 1 + n % 4, &s);
        REQUIRE_OK(sc_hull_distance_init(&near, &s.a, &s.b, s.dimensions, NULL));
        met += sc_ratio_sign(&near.squared) == 0;
        apart += sc_ratio_sign(&near.squared) > 0;
        long_ones += near.steps > 3;
        const bool is_right = is_nearest(&s, &near) &&
                              is_inside(tape, &s.a, s.dimensions, near.u) &&
                              is_inside(tape, &s.b, s.dimensions, near.v);
        sc_hull_distance_clear(&near);
        if (!CHECK(is_right))
            break;
    }
    CHECK(met > count / 10 && apart > count / 10 && long_ones > count / 20);
    sc_tape_free(tape);
}

/* An edge against a point off its middle, and the largest coordinates. */
TEST(hull_distance_of_known_points)
{
    CLAIM("hull-distance.exact");
    static const int64_t edge[] = {0, 0, 4, 2}, point[] = {1, 3};
    const sc_point_set a = {edge, 2}, b = {point, 1};
    sc_hull_distance near;
    sc_ratio five;
    REQUIRE_OK(sc_hull_distance_init(&near, &a, &b, 2, NULL));
    CHECK_INT(sc_ratio_compare_int64(&near.u[0], 2), 0);
    CHECK_INT(sc_ratio_compare_int64(&near.u[1], 1), 0);
    CHECK_INT(sc_ratio_compare_int64(&near.squared, 5), 0);
    sc_hull_distance_clear(&near);
    const int64_t far = (int64_t)1 << 62;
    const int64_t corners[] = {far, -far, far, far}, left[] = {-far, 1};
    const sc_point_set c = {corners, 2}, d = {left, 1};
    REQUIRE_OK(sc_hull_distance_init(&near, &c, &d, 2, NULL));
    sc_ratio_init(&five);
    sc_ratio_set_int128(&five, (sc_int128)1 << 63);
    sc_ratio_mul(&five, &five, &five);
    CHECK_INT(sc_ratio_compare(&near.squared, &five), 0);
    sc_ratio_clear(&five);
    sc_hull_distance_clear(&near);
}

/* A simplex of many axes and its mirror image: the longest corral that a release can have has 63
 * points. */
TEST(hull_distance_of_many_axes)
{
    CLAIM("hull-distance.exact");
    const size_t axes = check_is_long() ? 62 : 16;
    static int64_t unit[62 * 62], other[62 * 62];
    for (size_t i = 0; i < axes; i++)
        for (size_t j = 0; j < axes; j++) {
            unit[axes * i + j] = i == j ? 3 : 1;
            other[axes * i + j] = i == j ? -1 : 1;
        }
    const sc_point_set a = {unit, axes}, b = {other, axes};
    sc_hull_distance near;
    sc_ratio want, under;
    REQUIRE_OK(sc_hull_distance_init(&near, &a, &b, axes, NULL));
    /* The middles differ by 4/d in each of d coordinates. */
    sc_ratio_init(&want);
    sc_ratio_init(&under);
    sc_ratio_set_int64(&want, 16);
    sc_ratio_set_int64(&under, (int64_t)axes);
    sc_ratio_div(&want, &want, &under);
    CHECK_INT(sc_ratio_compare(&near.squared, &want), 0);
    sc_ratio_clear(&under);
    sc_ratio_clear(&want);
    sc_hull_distance_clear(&near);
}
