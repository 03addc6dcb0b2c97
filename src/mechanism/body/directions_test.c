#include "check.h"
#include "exact.h"
#include "mechanism/body/directions.h"

#include <math.h>
#include <string.h>

static const double one = (double)((int64_t)1 << SC_DIRECTION_BITS);

static double inner(const sc_directions *s, size_t a, size_t b)
{
    double sum = 0;
    for (size_t j = 0; j < s->dimension; j++)
        sum += sc_direction_at(s, a)[j] / one * (sc_direction_at(s, b)[j] / one);
    return sum;
}

static bool made(sc_directions *s, sc_direction_kind kind, size_t dimension, size_t count,
                 uint64_t seed)
{
    scrim_error error = {.message = ""};
    const sc_directions_question q = {
        .kind = kind, .dimension = dimension, .count = count, .seed = seed};
    if (CHECK_STATUS(sc_directions_init(s, &q, &error), SCRIM_OK))
        return true;
    CHECK_FAIL("%s", error.message);
    return false;
}

TEST(directions_have_length_one)
{
    CLAIM("directions.rounded");
    static const struct {
        sc_direction_kind kind;
        size_t dimension, count, want;
    } cases[] = {
        {SC_DIRECTIONS_FRAMES, 1, 0, 2},       {SC_DIRECTIONS_FRAMES, 3, 0, 24},
        {SC_DIRECTIONS_FRAMES, 10, 200, 200},  {SC_DIRECTIONS_FRAMES, 64, 256, 256},
        {SC_DIRECTIONS_AXES, 5, 0, 10},        {SC_DIRECTIONS_PAIRS, 4, 0, 32},
        {SC_DIRECTIONS_EQUIANGULAR, 2, 0, 16}, {SC_DIRECTIONS_EQUIANGULAR, 2, 256, 256},
        {SC_DIRECTIONS_SEQUENCE, 3, 100, 100}, {SC_DIRECTIONS_SEQUENCE, 64, 0, 1024}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        sc_directions s;
        if (!made(&s, cases[c].kind, cases[c].dimension, cases[c].count, 7))
            continue;
        CHECK_INT(s.count, cases[c].want);
        for (size_t i = 0; i < s.count; i++) {
            CHECK(fabs(inner(&s, i, i) - 1) < 1e-7);
            if (s.mirrors[i] != SC_DIRECTION_ALONE)
                for (size_t j = 0; j < s.dimension; j++)
                    CHECK_INT(sc_direction_at(&s, i)[j],
                              -sc_direction_at(&s, s.mirrors[i])[j]);
        }
        /* Both signs of each: half of them mirror the others. */
        size_t mirrored = 0;
        for (size_t i = 0; i < s.count; i++)
            mirrored += s.mirrors[i] != SC_DIRECTION_ALONE;
        CHECK_INT((sc_int128)2 * mirrored, s.count);
        sc_directions_clear(&s);
    }
}

/* sum a a^T is M/d times the identity, as a tight frame has it. */
TEST(frames_are_tight)
{
    CLAIM("direction-arithmetic.near");
    sc_directions s;
    if (!made(&s, SC_DIRECTIONS_FRAMES, 6, 60, 1))
        return;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            double sum = 0;
            for (size_t k = 0; k < s.count; k++)
                sum +=
                    sc_direction_at(&s, k)[i] / one * (sc_direction_at(&s, k)[j] / one);
            CHECK(fabs(sum - (i == j ? 10 : 0)) < 1e-6);
        }
    for (size_t i = 12; i < 24; i += 2)
        for (size_t j = i + 2; j < 24; j += 2)
            CHECK(fabs(inner(&s, i, j)) < 1e-8);
    sc_directions_clear(&s);
}

TEST(circle_is_even)
{
    CLAIM("direction-arithmetic.near");
    const double turn = 2 * acos(-1.0), fixed = (double)SC_DIRECTION_ONE;
    for (uint64_t turns = 4; turns <= 4096; turns *= 2)
        for (uint64_t i = 0; i<turns; i += turns> 64 ? 7 : 1) {
            int64_t x, y;
            sc_direction_circle(i, turns, &x, &y);
            CHECK(fabs((double)x / fixed - cos(turn * (double)i / (double)turns)) <
                  1e-11);
            CHECK(fabs((double)y / fixed - sin(turn * (double)i / (double)turns)) <
                  1e-11);
        }
}

TEST(directions_are_those_of_their_seed)
{
    CLAIM("directions.public");
    static const sc_direction_kind kinds[] = {SC_DIRECTIONS_FRAMES,
                                              SC_DIRECTIONS_SEQUENCE};
    for (size_t k = 0; k < COUNT(kinds); k++) {
        sc_directions a, b, c;
        if (!made(&a, kinds[k], 5, 40, 3) || !made(&b, kinds[k], 5, 40, 3) ||
            !made(&c, kinds[k], 5, 40, 4))
            return;
        CHECK_BYTES(a.entries, b.entries, 200 * sizeof *a.entries);
        CHECK(memcmp(a.entries, c.entries, 200 * sizeof *a.entries) != 0);
        sc_directions_clear(&a);
        sc_directions_clear(&b);
        sc_directions_clear(&c);
    }
}

/* Points of a sequence lie all around: each of 500 random half-spaces has one. */
TEST(sequence_fills_the_sphere)
{
    sc_directions s, probes;
    if (!made(&s, SC_DIRECTIONS_SEQUENCE, 3, 200, 0) ||
        !made(&probes, SC_DIRECTIONS_FRAMES, 3, 498, 99))
        return;
    for (size_t i = 0; i < probes.count; i++) {
        double nearest = -1;
        for (size_t k = 0; k < s.count; k++) {
            double sum = 0;
            for (size_t j = 0; j < 3; j++)
                sum += sc_direction_at(&probes, i)[j] / one *
                       (sc_direction_at(&s, k)[j] / one);
            nearest = sum > nearest ? sum : nearest;
        }
        CHECK(nearest > 0.9);
    }
    sc_directions_clear(&s);
    sc_directions_clear(&probes);
}

TEST(given_directions_are_rounded_once)
{
    CLAIM("directions.rounded");
    static const char *const texts[] = {"0.6", "0.8", "-0.6", "-0.8", "5/13", "-12/13"};
    sc_ratio given[6];
    sc_directions s;
    for (size_t i = 0; i < 6; i++)
        exact_ratio(texts[i], &given[i]);
    const sc_directions_question q = {
        .kind = SC_DIRECTIONS_GIVEN, .dimension = 2, .count = 3, .given = given};
    if (CHECK_STATUS(sc_directions_init(&s, &q, NULL), SCRIM_OK)) {
        CHECK_INT(s.count, 3);
        CHECK_INT(sc_direction_at(&s, 0)[0], 644245094);
        CHECK_INT(sc_direction_at(&s, 0)[1], 858993459);
        CHECK_INT(s.mirrors[1], 0);
        CHECK_INT(sc_direction_at(&s, 2)[1], -991146299);
        sc_directions_clear(&s);
    }
    for (size_t i = 0; i < 6; i++)
        sc_ratio_clear(&given[i]);
}

TEST(directions_that_are_none_are_refused)
{
    static const struct {
        sc_direction_kind kind;
        size_t dimension, count;
        scrim_status want;
    } cases[] = {{SC_DIRECTIONS_FRAMES, 0, 0, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_FRAMES, 65, 0, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_FRAMES, 3, 7, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_FRAMES, 2, 4100, SCRIM_E_LIMIT},
                 {SC_DIRECTIONS_AXES, 3, 12, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_PAIRS, 3, 6, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_EQUIANGULAR, 3, 0, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_EQUIANGULAR, 2, 6, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_SEQUENCE, 4, 6, SCRIM_E_PARAM},
                 {SC_DIRECTIONS_GIVEN, 2, 0, SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_directions s;
        const sc_directions_question q = {.kind = cases[i].kind,
                                          .dimension = cases[i].dimension,
                                          .count = cases[i].count};
        CHECK_STATUS(sc_directions_init(&s, &q, NULL), cases[i].want);
    }
    sc_directions s;
    sc_ratio given[2];
    exact_ratio("0.6", &given[0]);
    exact_ratio("0.800000001", &given[1]);
    const sc_directions_question q = {
        .kind = SC_DIRECTIONS_GIVEN, .dimension = 2, .count = 1, .given = given};
    CHECK_STATUS(sc_directions_init(&s, &q, NULL), SCRIM_E_PARAM);
    sc_ratio_clear(&given[0]);
    sc_ratio_clear(&given[1]);
}
