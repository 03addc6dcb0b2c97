#include "base/memory.h"
#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/body/depth_levels.h"
#include "mechanism/body/depth_median.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "scrim/audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse_model(line, &m, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

static double mass_at(const sc_outcomes *law, int64_t x, int64_t y)
{
    for (size_t i = 0; i < law->count; i++)
        if (law->keys[i * law->width] == x &&
            (law->width == 1 || law->keys[i * 2 + 1] == y))
            return sc_ball_upper(&law->mass[i]);
    return -1;
}

/* The numbers of the specification, 4.2 of its additions. */
TEST(depth_median_has_the_law_of_the_specification)
{
    CLAIM("depth-median.privacy");
    static const int64_t line[] = {3, 5, 5, 8, 9};
    static const int64_t plane[] = {1, 1, 2, 5, 6, 2, 4, 4, 7, 7, 3, 6, 5, 3};
    static const int depths[] = {0, 0, 0, 1, 1, 3, 2, 2, 2, 1, 0, 0, 0, 0, 0, 0};
    static const double levels[] = {0.108119146241679, 0.379618651110629,
                                    0.26629947898275, 0, 0.245962723664943};
    scrim_measurement *m =
        made("depth-median epsilon=1 expected=0 levels=8 lower=0 upper=15");
    sc_outcomes law;
    REQUIRE(m != NULL);
    sc_outcomes_init(&law, 1);
    const sc_private_input input = {.values = line, .count = COUNT(line)};
    CHECK_STATUS(m->mechanism->law(m, &input, 192, &law, NULL), SCRIM_OK);
    CHECK_NEAR(mass_at(&law, 5, 0), 0.338097374571, 1e-8);
    CHECK_NEAR(mass_at(&law, 6, 0), 0.124379073219, 1e-8);
    CHECK_NEAR(mass_at(&law, 3, 0), 0.0457565039492, 1e-8);
    CHECK_NEAR(mass_at(&law, 0, 0), 0.0168328771028, 1e-8);
    for (int64_t t = 0; t < 16; t++) {
        static const double of[] = {0.0168328771028, 0.0457565039492, 0.124379073219,
                                    0.338097374571};
        CHECK_NEAR(mass_at(&law, t, 0), of[depths[t]], 1e-8);
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);

    m = made("depth-median epsilon=1 expected=0 levels=8 dimensions=2 lower=0 upper=7 "
             "directions=pairs");
    REQUIRE(m != NULL);
    sc_outcomes_init(&law, 2);
    const sc_private_input two = {.values = plane, .count = COUNT(plane)};
    CHECK_STATUS(m->mechanism->law(m, &two, 192, &law, NULL), SCRIM_OK);
    CHECK_INT(law.count, 64);
    static const uint64_t within[] = {64, 40, 9, 1, 1};
    for (size_t l = 0; l < 5; l++) {
        double sum = 0;
        size_t points = 0;
        for (size_t i = 0; i < law.count; i++) {
            const double p = sc_ball_upper(&law.mass[i]);
            const double want = levels[0] / 24 *
                                (l == 0   ? 1
                                 : l == 1 ? 2.718281828459045
                                 : l == 2 ? 7.38905609893065
                                 : l == 3 ? 20.085536923187668
                                          : 54.598150033144236);
            if (p > want * 0.999 && p < want * 1.001) {
                sum += p;
                points++;
            }
        }
        CHECK_INT(points, within[l] - (l < 4 ? within[l + 1] : 0));
        CHECK(l == 3 ? sum == 0
                     : sum > levels[l] * 0.9999999 && sum < levels[l] * 1.0000001);
    }
    CHECK_NEAR(mass_at(&law, 4, 4), levels[4], 1e-8);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* A small space of its own, made of a measurement's. */
typedef struct scene {
    scrim_measurement *m;
    const sc_body_space *space;
} scene;

static scene scene_of(const char *line)
{
    scene s = {.m = made(line)};
    if (s.m != NULL)
        s.space = s.m->state; /* it begins with its space */
    return s;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state >> 33;
}

/* Counts and lines against the depth of each candidate by itself; ties everywhere, few and no rows, missing numbers. */
TEST(depth_levels_are_those_of_each_point)
{
    CLAIM("depth-levels.exact");
    static const char *const lines[] = {
        "depth-median epsilon=1 expected=0 dimensions=2 lower=0 upper=9 count=12",
        "depth-median epsilon=1 expected=0 dimensions=2 lower=0 upper=23 points=6 "
        "directions=equiangular",
        "depth-median epsilon=1 expected=0 lower=-4 upper=40 points=12",
        "depth-median epsilon=1 expected=0 dimensions=2 lower=0 upper=5 directions=given "
        "vectors=0.6,0.8,-1,0,0.28,-0.96"};
    uint64_t state = 17;
    for (size_t c = 0; c < COUNT(lines); c++) {
        scene s = scene_of(lines[c]);
        REQUIRE(s.m != NULL);
        const size_t d = s.space->dimension;
        for (size_t n = 0; n < 14; n++) {
            int64_t rows[28];
            sc_depth_levels levels;
            const uint64_t offset = n % 3, most = 6;
            for (size_t i = 0; i < n * d; i++)
                rows[i] =
                    next(&state) % 40 == 0
                        ? SC_DIRECTION_MISSING
                        : (int64_t)(next(&state) %
                                    (n % 2 == 0 ? 3 : (uint64_t)s.space->extent + 1));
            const sc_depth_scale scale = {.points = c == 1 ? 6 : 12,
                                          .offset = offset,
                                          .step = 1 + n / 5,
                                          .levels = most};
            REQUIRE_OK(sc_depth_levels_init(&levels, s.space, &scale, NULL));
            REQUIRE_OK(sc_depth_levels_find(&levels, rows, n, NULL));
            for (uint64_t l = 0; l <= most; l++) {
                uint64_t counted = 0, wrong = 0;
                for (uint64_t y = 0; y < levels.lines; y++) {
                    uint64_t first;
                    const uint64_t count = sc_depth_line(&levels, l, y, &first);
                    for (uint64_t x = 0; x < levels.points; x++) {
                        const int64_t z[2] = {(int64_t)x * levels.stride,
                                              (int64_t)y * levels.stride};
                        const uint64_t depth = sc_depth_of(s.space, rows, n, z);
                        const bool is_in = l == 0 || depth >= offset + l * scale.step;
                        wrong += is_in != (x >= first && x < first + count);
                        counted += is_in;
                    }
                }
                CHECK_INT(wrong, 0);
                CHECK_INT(sc_depth_count(&levels, l), counted);
            }
            sc_depth_levels_clear(&levels);
        }
        scrim_measurement_free(s.m);
    }
}

/* A row with a missing number is at the lower end of each direction, and not at its other number. */
TEST(missing_rows_have_no_depth)
{
    CLAIM("depth-levels.exact");
    scene s = scene_of("depth-median epsilon=1 expected=0 dimensions=2 lower=0 upper=9 "
                       "directions=pairs");
    const int64_t rows[] = {SC_DIRECTION_MISSING, 9, 0, 9}, at[2] = {0, 9},
                  low[2] = {0, 0};
    REQUIRE(s.m != NULL);
    CHECK_INT(sc_depth_of(s.space, rows, 1, at), 0);
    CHECK_INT(sc_depth_of(s.space, rows, 2, at), 1);
    CHECK_INT(sc_depth_of(s.space, rows, 1, low), 0);
    scrim_measurement_free(s.m);
}

/* Rows beyond the range count as its ends: the same probabilities. */
TEST(depth_medians_clamp_their_rows)
{
    CLAIM("depth-median.privacy");
    static const int64_t beyond[] = {INT64_MAX, 12, -INT64_MAX, 3, 5, -4},
                         ends[] = {9, 9, 0, 3, 5, 0};
    scrim_measurement *m = made("depth-median epsilon=2 expected=0 levels=4 dimensions=2 "
                                "lower=0 upper=9 directions=pairs");
    sc_outcomes a, b;
    REQUIRE(m != NULL);
    sc_outcomes_init(&a, 2);
    sc_outcomes_init(&b, 2);
    const sc_private_input first = {.values = beyond, .count = COUNT(beyond)},
                           second = {.values = ends, .count = COUNT(ends)};
    REQUIRE_OK(m->mechanism->law(m, &first, 128, &a, NULL));
    REQUIRE_OK(m->mechanism->law(m, &second, 128, &b, NULL));
    CHECK_INT(a.count, b.count);
    size_t wrong = 0;
    for (size_t i = 0; i < a.count; i++)
        wrong += sc_ball_upper(&a.mass[i]) != sc_ball_upper(&b.mass[i]);
    CHECK_INT(wrong, 0);
    CHECK(mass_at(&a, 9, 9) != mass_at(&a, 9, 0));
    sc_outcomes_clear(&a);
    sc_outcomes_clear(&b);
    scrim_measurement_free(m);
}

/* Only where the number of rows is public a table without rows is refused. */
TEST(tables_without_rows_are_refused_where_that_is_public)
{
    CLAIM("depth-median.total");
    static const struct {
        const char *line;
        size_t least;
    } cases[] = {{"neighbours=replace", 1},
                 {"neighbours=replace max-rows=2", 0},
                 {"neighbours=add-remove", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[160];
        snprintf(line, sizeof line,
                 "depth-median epsilon=1 expected=9 lower=0 upper=9 %s", cases[i].line);
        scrim_measurement *m = made(line);
        if (m != NULL)
            CHECK_INT(m->domain.count_min, cases[i].least);
        scrim_measurement_free(m);
    }
}

TEST(depths_move_by_one)
{
    CLAIM("depth-levels.stable");
    scene s = scene_of(
        "depth-median epsilon=1 expected=0 dimensions=2 lower=0 upper=6 count=12");
    uint64_t state = 5;
    REQUIRE(s.m != NULL);
    for (size_t turn = 0; turn < 300; turn++) {
        int64_t rows[20], z[2];
        const size_t n = 1 + next(&state) % 9;
        for (size_t i = 0; i < 2 * n + 2; i++)
            rows[i] = (int64_t)(next(&state) % 7);
        for (size_t i = 0; i < 2; i++)
            z[i] = (int64_t)(next(&state) % 7);
        const uint64_t without = sc_depth_of(s.space, rows, n - 1, z),
                       with = sc_depth_of(s.space, rows, n, z);
        CHECK(with == without || with == without + 1);
        rows[2 * n - 2] = rows[2 * n];
        rows[2 * n - 1] = rows[2 * n + 1];
        const uint64_t replaced = sc_depth_of(s.space, rows, n, z);
        CHECK(replaced + 1 >= with && replaced <= with + 1);
    }
    scrim_measurement_free(s.m);
}

typedef struct audited {
    const char *line;
    double least, most; /* of the loss */
} audited;

static void check_audit(const audited *a)
{
    scrim_measurement *m = made(a->line);
    scrim_audit_report *report = NULL;
    scrim_audit_loss loss;
    scrim_error error = {.message = ""};
    scrim_audit_options options = {.size = sizeof options, .points = 3};
    REQUIRE(m != NULL);
    if (CHECK_STATUS(scrim_audit(m, &options, &report, &error), SCRIM_OK)) {
        scrim_audit_report_loss(report, &loss);
        if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS) ||
            !CHECK(loss.loss_lower >= a->least) || !CHECK(loss.loss_upper <= a->most))
            CHECK_FAIL("%s: %s", a->line, scrim_audit_report_summary(report));
    }
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
}

/* All tables of the specification's counts: the losses that it has found. */
SLOW_TEST(audit_of_depth_medians_holds)
{
    CLAIM("depth-median.privacy");
    static const audited cases[] = {
        {"depth-median epsilon=1 expected=0 levels=6 dimensions=2 lower=0 upper=2 "
         "directions=pairs records=3",
         0.5, 1},
        {"depth-median epsilon=1 expected=0 levels=6 dimensions=2 lower=0 upper=2 "
         "directions=pairs neighbours=replace records=3",
         0.3, 1},
        {"depth-median epsilon=1 expected=9 levels=2 lower=0 upper=4 records=3", 0, 1},
        {"depth-median epsilon=1 expected=0 levels=3 level-rows=2 lower=0 upper=3 "
         "max-rows=3 records=3",
         0.3, 1},
        /* three rows move the score by two levels */
        {"depth-median epsilon=1 expected=0 levels=3 level-rows=2 lower=0 upper=3 "
         "max-rows=3 records=4",
         0.6, 1},
        {"depth-median epsilon=1 expected=0 levels=3 level-rows=2 lower=0 upper=4 "
         "neighbours=replace records=4",
         0.6, 1},
        {"depth-median epsilon=2 expected=0 levels=6 lower=0 upper=3 max-rows=2 "
         "records=3",
         0.5, 2},
        {"depth-median epsilon=1 expected=0 levels=6 lower=0 upper=5 neighbours=replace "
         "records=5",
         0.833, 0.834},
        {"depth-median epsilon=1 expected=0 levels=6 lower=0 upper=5 records=6", 0.988,
         0.989}};
    for (size_t i = 0; i < COUNT(cases); i++)
        check_audit(&cases[i]);
}

SLOW_TEST(depth_medians_follow_their_law)
{
    CLAIM("depth-median.privacy");
    static const int64_t rows[] = {1, 1, 2, 5, 6, 2, 4, 4, 7, 7, 3, 6, 5, 3};
    scrim_measurement *m = made("depth-median epsilon=1 expected=6 levels=3 dimensions=2 "
                                "lower=0 upper=7 count=12");
    sc_outcomes law;
    sc_tape *tape = NULL;
    static uint64_t seen[64];
    double probability[64];
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(42, &tape, NULL));
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_outcomes_init(&law, 2);
    REQUIRE_OK(m->mechanism->law(m, &input, 128, &law, NULL));
    CHECK_INT(law.count, 64);
    const size_t draws = check_count(2000, 100000);
    for (size_t i = 0; i < draws; i++) {
        sc_int128 values[2];
        sc_mark marks[2];
        sc_draw out = {.values = values, .marks = marks, .capacity = 2};
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        seen[values[0] * 8 + values[1]]++;
    }
    for (size_t i = 0; i < 64; i++)
        probability[i] = sc_ball_upper(&law.mass[i]);
    CHECK(laws_chi_square(seen, probability, 64) > LAWS_FALSE_ALARM);
    sc_outcomes_clear(&law);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* On many rows the point is deep; the certificate says how deep at least. */
SLOW_TEST(depth_medians_are_deep)
{
    CLAIM("depth-median.accuracy");
    enum { ROWS = 900 };
    static int64_t rows[2 * ROWS];
    scrim_measurement *m =
        made("depth-median epsilon=1 expected=900 dimensions=2 lower=0 "
             "upper=255 points=64 count=12");
    sc_tape *tape = NULL;
    sc_certificate certificate;
    sc_ratio beta;
    uint64_t state = 3, best = 0;
    size_t below = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(6, &tape, NULL));
    const sc_body_space *space = m->state;
    for (size_t i = 0; i < 2 * ROWS; i++)
        rows[i] = (int64_t)(next(&state) % 128 + next(&state) % 128);
    for (int64_t x = 0; x < 256; x += 5)
        for (int64_t y = 0; y < 256; y += 5) {
            const int64_t z[2] = {x, y};
            const uint64_t depth = sc_depth_of(space, rows, ROWS, z);
            best = depth > best ? depth : best;
        }
    exact_ratio("1/20", &beta);
    sc_certificate_init(&certificate);
    REQUIRE_OK(m->mechanism->certify(m, &beta, COUNT(rows), &certificate, NULL));
    const double radius = sc_ball_near(&certificate.radius);
    CHECK(radius > 1 && radius < 50);
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    for (size_t i = 0; i < 20; i++) {
        sc_int128 values[2];
        sc_mark marks[2];
        sc_draw out = {.values = values, .marks = marks, .capacity = 2};
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        const int64_t z[2] = {(int64_t)values[0], (int64_t)values[1]};
        const uint64_t depth = sc_depth_of(space, rows, ROWS, z);
        below += (double)depth + radius < (double)(best < ROWS / 2 ? best : ROWS / 2);
    }
    CHECK_INT(below, 0);
    sc_certificate_clear(&certificate);
    sc_ratio_clear(&beta);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* The scores of a line of candidates, by their probabilities. */
static size_t scores_at(const char *line, const int64_t *rows, size_t count, size_t *lost)
{
    scrim_measurement *m = made(line);
    sc_outcomes law;
    size_t different = 0;
    if (m == NULL)
        return 0;
    sc_outcomes_init(&law, 2);
    const sc_private_input input = {.values = rows, .count = count};
    CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_OK);
    const sc_body_space *space = m->state;
    double seen[64];
    *lost = 0;
    for (size_t i = 0; i < law.count; i++) {
        const double p = sc_ball_upper(&law.mass[i]);
        bool is_new = true;
        for (size_t k = 0; k < different; k++)
            is_new = is_new && (p < seen[k] * 0.999 || p > seen[k] * 1.001);
        if (is_new && different < COUNT(seen))
            seen[different++] = p;
        const int64_t z[2] = {law.keys[2 * i], law.keys[2 * i + 1]};
        *lost += sc_depth_of(space, rows, count / 2, z) > count / 6;
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
    return different;
}

/* Depths above n/3 have scores of their own, but not with the levels that the specification gives. */
TEST(depth_medians_tell_the_middle_apart)
{
    CLAIM("depth-median.levels");
    enum { ROWS = 60 };
    static int64_t rows[2 * ROWS];
    uint64_t state = 11;
    size_t deep = 0, again = 0;
    for (size_t i = 0; i < 2 * ROWS; i++)
        rows[i] = (int64_t)(next(&state) % 15 + next(&state) % 16);
    const size_t ours =
        scores_at("depth-median epsilon=2 expected=60 dimensions=2 lower=0 upper=29 "
                  "directions=pairs",
                  rows, COUNT(rows), &deep);
    const size_t theirs =
        scores_at("depth-median epsilon=2 expected=40 levels=9 dimensions=2 lower=0 "
                  "upper=29 directions=pairs",
                  rows, COUNT(rows), &again);
    CHECK(deep >= 16);
    CHECK_INT(deep, again);
    CHECK(theirs <= 10);
    CHECK(ours >= theirs + 4);
}

/* From 10^6 expected rows on a level is of several rows; the best point is still found. */
TEST(depth_medians_have_levels_for_any_number_of_rows)
{
    CLAIM("depth-median.levels");
    static const char *const expected[] = {"2000", "20000", "1e6", "1e9", "1e12"};
    for (size_t i = 0; i < COUNT(expected); i++) {
        char line[160];
        sc_certificate certificate;
        sc_ratio beta;
        snprintf(line, sizeof line,
                 "depth-median epsilon=1 expected=%s dimensions=2 lower=0 upper=1000 "
                 "points=64 count=12",
                 expected[i]);
        scrim_measurement *m = made(line);
        REQUIRE(m != NULL);
        exact_ratio("1/20", &beta);
        sc_certificate_init(&certificate);
        REQUIRE_OK(m->mechanism->certify(m, &beta, 2, &certificate, NULL));
        CHECK(certificate.has_radius);
        /* ceil(n0/6/4096) rows a level, and ln(20 4096) levels. */
        const double n = strtod(expected[i], NULL), rows = ceil(n / 6 / 4096 - 1e-9);
        CHECK_NEAR(sc_ball_near(&certificate.radius), 12 * rows, rows * 0.01 + 12);
        sc_certificate_clear(&certificate);
        sc_ratio_clear(&beta);
        scrim_measurement_free(m);
    }
}

FAULT_TEST(depth_medians_take_any_rows)
{
    CLAIM("depth-median.total");
    static const int64_t kinds[][6] = {
        {0, 0, 0, 0, 0, 0},
        {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
        {SC_DIRECTION_MISSING, 0, 0, SC_DIRECTION_MISSING, -INT64_MAX, 5}};
    static const uint64_t expected[] = {0, 10, 1000000};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    for (size_t e = 0; e < COUNT(expected); e++) {
        char line[128];
        snprintf(line, sizeof line,
                 "depth-median epsilon=1 expected=%llu dimensions=2 lower=-1 upper=1 "
                 "grid=0.01",
                 (unsigned long long)expected[e]);
        scrim_measurement *m = made(line);
        for (size_t k = 0; m != NULL && k < COUNT(kinds); k++)
            for (size_t n = 0; n <= 6; n += 2) {
                sc_int128 values[2];
                sc_mark marks[2];
                sc_draw out = {.values = values, .marks = marks, .capacity = 2};
                const sc_private_input input = {.values = kinds[k], .count = n};
                CHECK_STATUS(
                    m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL),
                    SCRIM_OK);
                for (size_t i = 0; i < 2; i++)
                    CHECK(values[i] >= -100 && values[i] <= 100);
            }
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}
