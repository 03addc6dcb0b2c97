#include "balls.h"
#include "base/memory.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "goodness.h"
#include "laws.h"
#include "mechanism/selection/quantile.h"
#include "mechanism/selection/quantile_law.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "secret.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse(line, &m, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits, const int64_t *rows,
                         size_t count, sc_int128 *values)
{
    static sc_mark marks[64];
    sc_draw out = {.values = values, .marks = marks, .capacity = 64};
    scrim_status status = m->mechanism->draw(
        m, bits, &(sc_private_input){.values = rows, .count = count}, &out, NULL);
    if (status == SCRIM_OK) {
        CHECK_INT(out.count, m->mechanism->answer_count(m, count));
        for (size_t i = 0; i < out.count; i++)
            CHECK_INT(marks[i], SC_MARK_VALUE);
    }
    return status;
}

/* Privacy. */

/* All tables of five rows on eight points, by the sorted rows as digits of base 8. */
enum { POINTS = 8, TABLE_ROWS = 5, NUMBERS = 32768 };
static double laws[NUMBERS][POINTS];

static size_t number_of(const int *rows)
{
    int sorted[TABLE_ROWS] = {0};
    size_t number = 0;
    for (int i = 0; i < TABLE_ROWS; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1] > rows[i]; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = rows[i];
    }
    for (int i = 0; i < TABLE_ROWS; i++)
        number = number * POINTS + (size_t)sorted[i];
    return number;
}

static void rows_of_number(size_t number, int *rows)
{
    for (int i = TABLE_ROWS - 1; i >= 0; i--) {
        rows[i] = (int)(number % POINTS);
        number /= POINTS;
    }
}

static size_t find_laws(const scrim_measurement *m)
{
    size_t tables = 0;
    for (size_t number = 0; number < NUMBERS; number++) {
        int digits[TABLE_ROWS];
        int64_t rows[TABLE_ROWS];
        sc_outcomes outcomes;
        rows_of_number(number, digits);
        if (number_of(digits) != number)
            continue;
        for (int i = 0; i < TABLE_ROWS; i++)
            rows[i] = digits[i];
        sc_outcomes_init(&outcomes, 1);
        if (!CHECK_STATUS(m->mechanism->law(
                              m, &(sc_private_input){.values = rows, .count = TABLE_ROWS},
                              128, &outcomes, NULL),
                          SCRIM_OK))
            break;
        CHECK_INT(outcomes.count, POINTS);
        for (int t = 0; t < POINTS; t++)
            laws[number][t] = goodness_middle(&outcomes.mass[t]);
        sc_outcomes_clear(&outcomes);
        tables++;
    }
    return tables;
}

/* The largest loss over all ordered neighbours, and the largest range of losses, in units of
 * epsilon. */
static size_t search_neighbours(double epsilon, double *loss, double *range)
{
    size_t pairs = 0;
    *loss = *range = 0;
    for (size_t number = 0; number < NUMBERS; number++) {
        int rows[TABLE_ROWS];
        rows_of_number(number, rows);
        if (number_of(rows) != number)
            continue;
        for (int i = 0; i < TABLE_ROWS; i++) {
            const int own = rows[i];
            if (i > 0 && rows[i - 1] == own)
                continue;
            for (int other = 0; other < POINTS; other++) {
                if (other == own)
                    continue;
                rows[i] = other;
                const double *p = laws[number], *q = laws[number_of(rows)];
                double most = -HUGE_VAL, least = HUGE_VAL;
                for (int t = 0; t < POINTS; t++) {
                    most = fmax(most, log(p[t] / q[t]));
                    least = fmin(least, log(p[t] / q[t]));
                }
                *loss = fmax(*loss, most / epsilon);
                *range = fmax(*range, (most - least) / epsilon);
                pairs++;
            }
            rows[i] = own;
        }
    }
    return pairs;
}

static void check_exhaustively(const char *line, double epsilon, const char *worst)
{
    double loss = 0, range = 0;
    char text[16];
    scrim_measurement *m = made(line);
    REQUIRE(m != NULL);
    CHECK_INT(find_laws(m), 792);
    CHECK_INT(search_neighbours(epsilon, &loss, &range), 18480);
    snprintf(text, sizeof text, "%.3f", loss);
    CHECK_STR(text, worst);
    CHECK_NEAR(range, 1, 1e-8); /* the claimed range is attained */
    CHECK(range <= 1 + 1e-12);
    scrim_measurement_free(m);
}

SLOW_TEST(quantile_on_all_tables_of_five_rows_loses_what_the_specification_prints)
{
    CLAIM("quantile.privacy");
    check_exhaustively("quantile p=3/4 epsilon=1/2 lower=0 upper=7 neighbours=replace",
                       0.5, "0.849");
    check_exhaustively("quantile p=3/4 epsilon=2 lower=0 upper=7 neighbours=replace", 2,
                       "0.775");
}

TEST(quantile_costs_epsilon_and_a_concentrated_eighth)
{
    static const struct {
        const char *line, *epsilon, *rho;
    } cases[] = {
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=replace", "1", "0.125"},
        {"quantile p=1/2 epsilon=1/3 lower=0 upper=9 neighbours=add-remove", "1/3",
         "1/72"},
        /* three of 1/3 each, and two depths of 1/2 each */
        {"quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=9 form=split "
         "neighbours=add-remove",
         "1", "1/24"},
        {"quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=9 form=recursive "
         "neighbours=add-remove",
         "1", "0.0625"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_measurement *m = made(cases[i].line);
        scrim_cost cost;
        double delta = 1, renyi = 0;
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK_STR(cost.epsilon, cases[i].epsilon);
        CHECK_STR(cost.delta, "0");
        CHECK_STR(cost.rho, cases[i].rho);
        REQUIRE_OK(scrim_measurement_delta_at(m, cases[i].epsilon, &delta, NULL));
        CHECK(delta == 0);
        /* The curve is no worse than rho, and no better than a small order could be. */
        sc_ratio rho;
        exact_ratio(cost.rho, &rho);
        sc_ball value;
        sc_ball_init(&value);
        sc_ball_set_ratio(&value, &rho, 64);
        REQUIRE_OK(scrim_measurement_renyi_at(m, "2", &renyi, NULL));
        CHECK(renyi <= 2 * sc_ball_upper(&value) * (1 + 1e-12) && renyi > 0);
        sc_ball_clear(&value);
        sc_ratio_clear(&rho);
        scrim_measurement_free(m);
    }
}

/* The law and the draws. */

enum { CELLS_MAX = 4096 };

static size_t index_of(const sc_outcomes *law, const uint64_t *keys, int64_t low)
{
    for (size_t i = 0; i < law->count; i++) {
        size_t j = 0;
        while (j < law->width && law->keys[i * law->width + j] == low + (int64_t)keys[j])
            j++;
        if (j == law->width)
            return i;
    }
    return SIZE_MAX;
}

/* The mechanism's draw, but for its memory, which is kept from one to the next. */
static void check_frequencies(const char *line, const int64_t *rows, size_t count)
{
    static uint64_t seen[CELLS_MAX];
    static double probability[CELLS_MAX];
    scrim_measurement *m = made(line);
    sc_quantile_parts parts;
    sc_tape *tape = NULL;
    sc_outcomes law;
    REQUIRE(m != NULL);
    const sc_order_rows r = {rows, count, m->domain.grid.low, m->domain.grid.high};
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_quantile_parts_init(&parts, m->state, &r, NULL));
    sc_outcomes_init(&law, m->mechanism->width(m, count));
    REQUIRE_OK(m->mechanism->law(m, &(sc_private_input){.values = rows, .count = count},
                                 128, &law, NULL));
    REQUIRE(law.count <= CELLS_MAX);
    for (size_t i = 0; i < law.count; i++)
        probability[i] = goodness_middle(&law.mass[i]);
    const uint64_t quick = secret_is_instrumented() ? 20000 : 40000;
    for (uint64_t draws = check_count(quick, 1000000); draws > 0; draws--) {
        REQUIRE_OK(sc_quantile_parts_draw(&parts, sc_tape_bits_of(tape), NULL));
        size_t i = index_of(&law, parts.keys, r.low);
        REQUIRE(i < law.count);
        seen[i]++;
    }
    CHECK(laws_chi_square(seen, probability, law.count) > LAWS_FALSE_ALARM);
    sc_outcomes_clear(&law);
    sc_quantile_parts_clear(&parts);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

static const int64_t some_rows[] = {3, -8, 5, 5, 12, 99, 0, 7, 7, 7, INT64_MIN};
#define SOME (sizeof some_rows / sizeof *some_rows)

TEST(quantile_draws_follow_their_law_under_replace)
{
    CLAIM("quantile.privacy");
    check_frequencies("quantile p=1/2 epsilon=1 lower=-10 upper=20 neighbours=replace",
                      some_rows, SOME);
}

TEST(quantile_draws_follow_their_law_under_add_remove)
{
    CLAIM("quantile.privacy");
    check_frequencies("quantile p=9/10 epsilon=2 lower=-10 upper=20 "
                      "neighbours=add-remove",
                      some_rows, SOME);
}

TEST(quantile_draws_follow_their_law_when_split)
{
    CLAIM("quantile.privacy");
    check_frequencies("quantile p=1/3,2/3 epsilon=3 lower=0 upper=9 form=split "
                      "neighbours=add-remove",
                      some_rows, SOME);
}

SLOW_TEST(quantile_draws_follow_their_law_when_recursive)
{
    CLAIM("quantile.privacy");
    check_frequencies("quantile p=1/4,1/2,3/4 epsilon=20 lower=4 upper=7 form=recursive "
                      "neighbours=add-remove",
                      some_rows, SOME);
}

/* The draw of the mechanism takes the same bits to the same answers. */
SLOW_TEST(quantile_draws_what_its_parts_draw)
{
    scrim_measurement *m = made("quantile p=1/3,1/2,4/5 epsilon=9 lower=-5 upper=9 "
                                "form=recursive neighbours=add-remove");
    REQUIRE(m != NULL);
    const sc_order_rows r = {some_rows, SOME, -5, 9};
    sc_tape *one = NULL, *two = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &one, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &two, NULL));
    for (int turn = 0; turn < 100; turn++) {
        sc_quantile_parts parts;
        sc_int128 values[64];
        REQUIRE_OK(sc_quantile_parts_init(&parts, m->state, &r, NULL));
        REQUIRE_OK(sc_quantile_parts_draw(&parts, sc_tape_bits_of(one), NULL));
        REQUIRE_OK(draw(m, sc_tape_bits_of(two), some_rows, SOME, values));
        for (int i = 0; i < 3; i++)
            CHECK_INT(values[i], (sc_int128)parts.keys[i] - 5);
        sc_quantile_parts_clear(&parts);
    }
    sc_tape_free(two);
    sc_tape_free(one);
    scrim_measurement_free(m);
}

/* Without rows every score is 0: the law is uniform. */
TEST(quantile_of_no_rows_is_uniform_where_their_number_is_private)
{
    scrim_measurement *m =
        made("quantile p=1/3 epsilon=1 lower=0 upper=99 neighbours=add-remove");
    sc_outcomes law;
    sc_ratio even;
    REQUIRE(m != NULL);
    sc_outcomes_init(&law, 1);
    exact_ratio("1/100", &even);
    REQUIRE_OK(m->mechanism->law(m, &(sc_private_input){.values = NULL, .count = 0}, 128,
                                 &law, NULL));
    CHECK_INT(law.count, 100);
    for (size_t i = 0; i < law.count; i++)
        CHECK(ball_contains_ratio(&law.mass[i], &even));
    CHECK_INT(m->domain.count_min, 0);
    sc_outcomes_clear(&law);
    sc_ratio_clear(&even);
    scrim_measurement_free(m);
    m = made("quantile p=1/3 epsilon=1 lower=0 upper=99 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(m->domain.count_min, 1);
    sc_int128 value;
    CHECK_STATUS(draw(m, NULL, NULL, 0, &value), SCRIM_E_PARAM);
    scrim_measurement_free(m);
    /* A unit of up to two rows may own none: the number of rows is private. */
    m = made("quantile p=1/3 epsilon=1 lower=0 upper=99 max-rows=2 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(m->domain.count_min, 0);
    scrim_measurement_free(m);
}

/* Accuracy. */

/* By how many rows a value misses rank p n. */
static double rank_error(const int64_t *rows, size_t count, sc_int128 value, double p)
{
    double below = 0, upto = 0, rank = p * (double)count;
    for (size_t i = 0; i < count; i++) {
        below += rows[i] < value;
        upto += rows[i] <= value;
    }
    return fmax(0, fmax(below - rank, rank - upto));
}

/* The radius is exceeded by any answer of a release at most once in twenty releases. If
 * that is true, more than 60 of 400 releases exceed it with a probability below 1e-9. */
static void check_radius(const char *line, const double *p, const int64_t *rows,
                         size_t count, double slack)
{
    scrim_measurement *m = made(line);
    scrim_certificate certificate;
    sc_tape *tape = NULL;
    int beyond = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", count, &certificate, NULL));
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_PAC);
    CHECK_STR(certificate.confidence, "0.95");
    sc_ratio radius;
    sc_ball ball;
    exact_ratio(certificate.radius, &radius);
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, &radius, 64);
    double limit = sc_ball_upper(&ball) + slack;
    CHECK(limit < (double)count / 4); /* it says something */
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const int draws = 400 / (int)check_every(5);
    for (int i = 0; i < draws; i++) {
        sc_int128 values[64];
        double worst = 0;
        REQUIRE_OK(draw(m, sc_tape_bits_of(tape), rows, count, values));
        for (size_t j = 0; j < m->mechanism->answer_count(m, count); j++)
            worst = fmax(worst, rank_error(rows, count, values[j], p[j]));
        beyond += worst > limit;
    }
    CHECK(beyond * 100 <= draws * 15);
    sc_tape_free(tape);
    sc_ball_clear(&ball);
    sc_ratio_clear(&radius);
    scrim_measurement_free(m);
}

SLOW_TEST(quantile_rank_errors_stay_within_the_radius)
{
    CLAIM("quantile.accuracy");
    enum { N = 3000 };
    static int64_t spread[N], ties[N];
    for (int i = 0; i < N; i++) {
        spread[i] = (int64_t)i * i % 100003;
        ties[i] = i % 10 < 4 ? 30 : i % 60;
    }
    const double one[] = {0.9}, three[] = {0.25, 0.5, 0.75};
    check_radius("quantile p=0.9 epsilon=1 lower=0 upper=100000 neighbours=replace", one,
                 spread, N, 0);
    check_radius("quantile p=0.9 epsilon=1 lower=0 upper=100000 neighbours=add-remove",
                 one, ties, N, 0);
    check_radius("quantile p=1/4,1/2,3/4 epsilon=2 lower=0 upper=100000 form=split "
                 "neighbours=add-remove",
                 three, ties, N, 0);
    check_radius("quantile p=1/4,1/2,3/4 epsilon=2 lower=0 upper=100000 form=recursive "
                 "neighbours=add-remove",
                 three, spread, N, 0);
    /* 40 rows in a hundred are equal, so that a 64th of them may be split wrongly. */
    check_radius("quantile p=1/4,1/2,3/4 epsilon=2 lower=0 upper=100000 form=recursive "
                 "neighbours=add-remove",
                 three, ties, N, 0.41 * N / 64);
}

/* The parts of rows: without them all rows equal to the first answer would go left, and what is
 * above it would be drawn from nothing. */
SLOW_TEST(quantile_recursion_does_justice_to_equal_rows)
{
    enum { N = 2000 };
    static int64_t rows[N];
    scrim_measurement *m =
        made("quantile p=1/8,1/4,1/2,3/4,7/8 epsilon=5 lower=0 upper=1000000 "
             "form=recursive neighbours=add-remove");
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    for (int i = 0; i < N; i++)
        rows[i] = 4242;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (int turn = 0; turn < 50; turn++) {
        sc_int128 values[64];
        REQUIRE_OK(draw(m, sc_tape_bits_of(tape), rows, N, values));
        for (int i = 0; i < 5; i++)
            CHECK_INT(values[i], 4242);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(quantile_says_what_it_promises)
{
    scrim_measurement *m =
        made("quantile p=1/2 epsilon=1 lower=0 upper=1000 neighbours=replace");
    scrim_certificate c;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.9999", 10, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
    CHECK_STR(c.radius, "32");
    CHECK(strstr(c.excludes, "counts rows") != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.999999", 10, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_NONE);
    CHECK(strstr(c.excludes, "0.9999") != NULL);
    scrim_measurement_free(m);
    /* 149/3 rows, and 34.8 */
    static const struct {
        const char *line, *radius;
    } cases[] = {{"p=1/3 neighbours=replace", "50"},
                 {"p=0.3 neighbours=add-remove", "35"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "quantile epsilon=1 lower=0 upper=200 max-rows=3 %s",
                 cases[i].line);
        m = made(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 10, &c, NULL));
        CHECK_STR(c.radius, cases[i].radius);
        scrim_measurement_free(m);
    }
}

/* Totality. */

FAULT_TEST(quantile_takes_any_rows)
{
    CLAIM("quantile.total");
    static const int64_t wild[] = {INT64_MIN, INT64_MAX, 0, -1, INT64_MAX, INT64_MIN, 5};
    static const char *const lines[] = {
        "quantile p=1/2 epsilon=1 lower=-4611686018427387904 upper=4611686018427387904 "
        "neighbours=add-remove",
        "quantile p=0.01,0.99 epsilon=20 lower=-1 upper=1 neighbours=replace",
        "quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=36028797018963967 form=recursive "
        "neighbours=replace",
        "quantile p=1/2 epsilon=1/2 lower=2 upper=3 grid=0.01 max-rows=7 "
        "neighbours=replace"};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = made(lines[i]);
        REQUIRE(m != NULL);
        for (size_t n = 1; n <= sizeof wild / sizeof *wild; n++) {
            sc_int128 values[64];
            REQUIRE_OK(draw(m, sc_tape_bits_of(tape), wild, n, values));
            for (size_t j = 0; j < m->mechanism->answer_count(m, n); j++) {
                CHECK(values[j] >= m->domain.grid.low &&
                      values[j] <= m->domain.grid.high);
                CHECK(j == 0 || values[j - 1] <= values[j]);
            }
        }
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}

/* A missing number is the lower end; the ends of the range hold what lies beyond them. */
TEST(quantile_puts_missing_values_at_the_lower_end)
{
    scrim_measurement *m =
        made("quantile p=1/2 epsilon=1 lower=-2 upper=3 grid=0.1 neighbours=replace");
    REQUIRE(m != NULL);
    const sc_grid *grid = &m->domain.grid;
    CHECK_INT(grid->low, -20);
    CHECK_INT(grid->high, 30);
    CHECK_INT(sc_grid_of_double(grid, (double)NAN), -20);
    CHECK_INT(sc_grid_of_double(grid, -HUGE_VAL), -20);
    CHECK_INT(sc_grid_of_double(grid, HUGE_VAL), 30);
    CHECK_INT(sc_domain_of_text(&m->domain, sc_text_of("no number")), -20);
    scrim_measurement_free(m);
}

/* As many allocations for three rows as for many, equal ones or not. */
TEST(quantile_allocates_alike_for_any_rows)
{
    CLAIM("quantile.total");
    enum { N = 20000 };
    static int64_t rows[N];
    static const char *const lines[] = {
        "quantile p=1/2 epsilon=1 lower=0 upper=1000 neighbours=add-remove",
        "quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=1000 form=recursive "
        "neighbours=add-remove"};
    for (size_t l = 0; l < 2; l++) {
        scrim_measurement *m = made(lines[l]);
        sc_tape *tape = NULL;
        uint64_t first = 0;
        REQUIRE(m != NULL);
        for (int turn = 0; turn < 4; turn++) {
            sc_int128 values[64];
            for (int i = 0; i < N; i++)
                rows[i] = turn % 2 == 0 ? 500 : (int64_t)i * 7919 % 1001;
            REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
            uint64_t before = fault_allocations();
            REQUIRE_OK(draw(m, sc_tape_bits_of(tape), rows, turn < 2 ? 0 : N, values));
            uint64_t made_here = fault_allocations() - before;
            sc_tape_free(tape);
            first = turn == 0 ? made_here : first;
            CHECK_INT(made_here, first);
        }
        scrim_measurement_free(m);
    }
}

/* Failures. */

TEST(quantile_refuses_parameters_that_are_none)
{
    static const struct {
        const char *line;
        scrim_status status;
    } cases[] = {
        {"quantile epsilon=1 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9", SCRIM_E_PARAM},
        {"quantile p=0 epsilon=1 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1 epsilon=1 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2,1 epsilon=1 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=3/4,1/4 epsilon=1 lower=0 upper=9 neighbours=replace",
         SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=0 lower=0 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=9 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0.5 upper=9 neighbours=replace", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 grid=3 neighbours=replace",
         SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 max-rows=0 neighbours=replace",
         SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 records=3 neighbours=replace",
         SCRIM_E_PARAM}, /* a model's */
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=local", SCRIM_E_PARAM},
        {"quantile p=1/2 epsilon=21 lower=0 upper=9 neighbours=replace", SCRIM_E_LIMIT},
        {"quantile p=1/2 epsilon=1e-7 lower=0 upper=9 neighbours=replace", SCRIM_E_LIMIT},
        {"quantile p=1/2 epsilon=1 lower=0 upper=2^63 neighbours=replace", SCRIM_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_measurement *m = NULL;
        scrim_error error = {.status = SCRIM_OK};
        if (!CHECK_STATUS(scrim_measurement_parse(cases[i].line, &m, &error),
                          cases[i].status))
            CHECK_FAIL("%s: %s", cases[i].line, error.message);
        CHECK(m == NULL && error.status == cases[i].status);
        scrim_measurement_free(m);
    }
}

TEST(quantile_survives_each_failed_allocation)
{
    FAULT_LOOP(fault)
    {
        scrim_measurement *m = NULL;
        sc_tape *tape = NULL;
        scrim_status status = sc_tape_seeded(check_seed(), &tape, NULL);
        if (status == SCRIM_OK)
            status = scrim_measurement_parse("quantile p=1/4,1/2,3/4 epsilon=20 lower=0 "
                                             "upper=9 form=recursive "
                                             "neighbours=add-remove",
                                             &m, NULL);
        if (status == SCRIM_OK) {
            sc_int128 values[64] = {77};
            status = draw(m, sc_tape_bits_of(tape), some_rows, SOME, values);
            CHECK(status == SCRIM_OK || values[0] == 77);
        }
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_measurement_free(m);
        sc_tape_free(tape);
    }
}

TEST(quantile_releases_nothing_without_bits)
{
    scrim_measurement *m =
        made("quantile p=1/4,1/2,3/4 epsilon=20 lower=0 upper=9 form=recursive "
             "neighbours=add-remove");
    REQUIRE(m != NULL);
    scrim_status status = SCRIM_E_ENTROPY;
    static const uint64_t words[64];
    /* Fail at the first word, at the second and so on, until there are enough. */
    for (size_t count = 0; count < 64 && status != SCRIM_OK; count++) {
        sc_tape *tape = NULL;
        sc_int128 values[64] = {77, 77, 77};
        REQUIRE_OK(sc_tape_words(words, count, &tape, NULL));
        status = draw(m, sc_tape_bits_of(tape), some_rows, SOME, values);
        CHECK(status == SCRIM_OK || (status == SCRIM_E_ENTROPY && values[0] == 77));
        CHECK(count > 0 || status == SCRIM_E_ENTROPY);
        sc_tape_free(tape);
    }
    CHECK_STATUS(status, SCRIM_OK);
    scrim_measurement_free(m);
}
