#include "check.h"
#include "exact.h"
#include "mechanism/linear/interval_counts.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (scrim_measurement_parse(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

TEST(interval_counts_have_their_cells)
{
    static const struct {
        const char *line, *value;
        int64_t cell;
    } list[] = {{"lower=-1 upper=3", "-1", 0},    {"lower=-1 upper=3", "-1.1", 0},
                {"lower=-1 upper=3", "0", 1},     {"lower=-1 upper=3", "2.999", 3},
                {"lower=-1 upper=3", "3", 3},     {"lower=-1 upper=3", "1e40", 3},
                {"lower=-1 upper=3", "-1e40", 0}, {"circle=yes", "0", 0},
                {"circle=yes", "89.9", 0},        {"circle=yes", "90", 1},
                {"circle=yes", "359", 3},         {"circle=yes", "360", 0},
                {"circle=yes", "-1", 3},          {"circle=yes", "810", 1}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "interval-counts epsilon=1 cells=4 %s neighbours=add-remove",
                 list[i].line);
        scrim_measurement *m = made(line);
        REQUIRE(m != NULL);
        SC_OWN(sc_ratio, value);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(list[i].value), &value, NULL), SCRIM_OK);
        CHECK_INT(sc_interval_cell(m, &value), list[i].cell);
        CHECK_INT(sc_interval_cell(m, NULL), -1);
        scrim_measurement_free(m);
    }
}

/* Each answer of a small grid has the product of the masses of its cells, enumerated here again. */
TEST(interval_counts_have_their_law)
{
    CLAIM("interval-counts.exact");
    CLAIM("interval-counts.privacy");
    scrim_measurement *m =
        made("interval-counts epsilon=3/2 cells=3 upper=3 neighbours=replace");
    REQUIRE(m != NULL);
    const int64_t rows[] = {0, 2, 2, -1, 2};
    const int64_t counts[] = {1, 0, 3};
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_outcomes law;
    sc_outcomes_init(&law, 3);
    REQUIRE_OK(m->mechanism->law(m, &input, 128, &law, NULL));
    CHECK_INT(law.count, 125);
    const double x = exp(-0.75);
    double total = 0;
    for (size_t i = 0; i < law.count; i++) {
        double p = 1;
        for (size_t k = 0; k < 3; k++) {
            const int64_t value = law.keys[3 * i + k], n = counts[k];
            double one = 0;
            for (int64_t z = -200; z <= 200; z++) {
                const int64_t shown = n + z < 0 ? 0 : n + z > 4 ? 4 : n + z;
                one += shown == value ? (1 - x) / (1 + x) * pow(x, fabs((double)z)) : 0;
            }
            p *= one;
        }
        CHECK_NEAR(sc_ball_upper(&law.mass[i]), p, 1e-12);
        total += p;
    }
    CHECK_NEAR(total, 1, 1e-12);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* The largest error of any interval or arc of drawn answers passes the bound no more often than stated,
 * and the mean answer is the count. */
TEST(interval_counts_are_within_their_bound)
{
    CLAIM("interval-counts.accuracy");
    static const char *const lines[] = {
        "interval-counts epsilon=1 cells=8 upper=8 neighbours=add-remove",
        "interval-counts epsilon=1 cells=8 circle=yes neighbours=replace"};
    enum { CELLS = 8 };
    const int runs = 4000;
    for (size_t line = 0; line < COUNT(lines); line++) {
        scrim_measurement *m = made(lines[line]);
        sc_tape *tape = NULL;
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
        SC_OWN(sc_ratio, gamma);
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1/10"), &gamma, NULL), SCRIM_OK);
        const int64_t rows[] = {1, 1, 1, 5};
        const sc_private_input input = {.values = rows, .count = COUNT(rows)};
        const double bound = (double)sc_interval_walk(m, &gamma) * (line == 0 ? 2 : 3);
        int beyond = 0;
        double mean = 0;
        for (int i = 0; i < runs; i++) {
            sc_int128 values[CELLS];
            sc_mark marks[CELLS];
            sc_draw out = {.values = values, .marks = marks, .capacity = CELLS};
            REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
            double worst = 0;
            for (int from = 0; from < CELLS; from++) {
                double sum = 0;
                for (int cells = 1; cells <= CELLS; cells++) {
                    const int at = (from + cells - 1) % CELLS;
                    if (line == 0 && at < from)
                        break;
                    sum += (double)values[at] - (at == 1 ? 3 : at == 5 ? 1 : 0);
                    worst = fmax(worst, fabs(sum));
                }
            }
            mean += (double)values[1] / runs;
            beyond += worst > bound;
        }
        CHECK(beyond <= runs / 10);
        CHECK(fabs(mean - 3) < 0.3);
        CHECK(bound < 100 * (double)(line + 1));
        sc_tape_free(tape);
        scrim_measurement_free(m);
    }
}

static double sum_of_half_plane(const sc_int128 *values, const double normal[2],
                                double offset)
{
    double sum = 0;
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < 4; y++)
            if (normal[0] * (x + 0.5) + normal[1] * (y + 0.5) <= offset)
                sum += (double)values[4 * x + y];
    return sum;
}

/* In a square: rows are counted in their cells, and the sums of random half-planes pass the bound no more often than
 * stated; how many sets half-planes cut out of four centres is all of them but two. */
TEST(interval_counts_of_a_square_are_within_their_bound)
{
    CLAIM("interval-counts.accuracy");
    enum { RUNS = 400, PLANES = 60 };
    scrim_measurement *m = made("interval-counts epsilon=1 cells=4 upper=4 dimensions=2 "
                                "neighbours=add-remove");
    sc_tape *tape = NULL;
    scrim_certificate c;
    REQUIRE(m != NULL);
    CHECK_INT(m->mechanism->answer_count(m, 6), 16);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.9", 3, &c, NULL));
    const double bound = strtod(c.beta, NULL), half = strtod(c.alpha, NULL);
    CHECK(half >= sqrt(0.5) && half < sqrt(0.5) + 1e-8);
    const int64_t rows[] = {0, 3, 0, 3, 2, 1, -1, 2, 3, -1};
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    int beyond = 0;
    double mean = 0;
    for (int i = 0; i < RUNS; i++) {
        sc_int128 values[16];
        sc_mark marks[16];
        sc_draw out = {.values = values, .marks = marks, .capacity = 16};
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        CHECK_INT(out.count, 16);
        mean += (double)values[3] / RUNS;
        values[3] -= 2;
        values[9] -= 1;
        double worst = 0;
        for (int p = 0; p < PLANES; p++) {
            const double normal[] = {cos(0.41 * p), sin(0.41 * p)};
            worst = fmax(worst, fabs(sum_of_half_plane(values, normal, 0.13 * p - 3)));
        }
        beyond += worst > bound;
    }
    CHECK(fabs(mean - 2) < 0.5);
    CHECK(beyond <= RUNS / 10);
    CHECK(bound < 60);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(interval_counts_divide_among_half_spaces)
{
    /* Half-planes cut 14 sets out of 4 centres, twice 7 = 1 + 3 + 3; each set has two tails. */
    static const struct {
        const char *line;
        double tails, cells;
    } list[] = {{"cells=2 upper=1 dimensions=2", 2 * 14, 4},
                {"cells=1 upper=1 dimensions=3", 2 * 2, 1},
                {"cells=2 upper=1 dimensions=3", 2 * 2 * (1 + 7 + 21 + 35), 8}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[128];
        snprintf(line, sizeof line, "interval-counts epsilon=1 %s neighbours=add-remove",
                 list[i].line);
        scrim_measurement *m = made(line);
        double least = INFINITY;
        REQUIRE(m != NULL);
        SC_OWN(sc_ratio, gamma);
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1/20"), &gamma, NULL), SCRIM_OK);
        for (int part = 1; part < 64; part++) {
            const double u = part / 64.0, x = exp(-1);
            const double moment =
                (1 - x) * (1 - x) / ((1 - x * exp(u)) * (1 - x * exp(-u)));
            least =
                fmin(least, (list[i].cells * log(moment) + log(list[i].tails * 20)) / u);
        }
        CHECK_INT(sc_interval_walk(m, &gamma), (int64_t)ceil(least) - 1);
        scrim_measurement_free(m);
    }
}

/* (0 cells apart, beta, gamma): alpha is half a cell, or pi / cells. */
TEST(interval_counts_state_what_moves)
{
    CLAIM("interval-counts.accuracy");
    scrim_certificate c;
    scrim_measurement *m =
        made("interval-counts epsilon=1 cells=10 lower=1 upper=3 neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 10, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_FLEXIBLE);
    CHECK_STR(c.alpha, "0.1");
    scrim_measurement_free(m);
    m = made("interval-counts epsilon=1 cells=10 circle=yes neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 10, &c, NULL));
    CHECK(strtod(c.alpha, NULL) >= acos(-1) / 10 - 1e-15 &&
          strtod(c.alpha, NULL) < acos(-1) / 10 + 1e-8);
    /* the chord is no longer than the angle */
    CHECK(2 * sin(acos(-1) / 20) <= strtod(c.alpha, NULL));
    scrim_measurement_free(m);
}

TEST(interval_counts_refuse_two_kinds_of_ends)
{
    static const char *const rests[] = {
        "",         "upper=1 circle=yes",     "lower=1 circle=yes", "lower=2 upper=2",
        "upper=-1", "circle=yes dimensions=2"};
    for (size_t i = 0; i < COUNT(rests); i++) {
        char line[128];
        scrim_measurement *m = NULL;
        snprintf(line, sizeof line,
                 "interval-counts epsilon=1 cells=4 %s neighbours=add-remove", rests[i]);
        CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_E_PARAM);
    }
}
