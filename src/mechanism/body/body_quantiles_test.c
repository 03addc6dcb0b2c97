#include "base/memory.h"
#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/body/body_quantiles.h"
#include "mechanism/body/direction_keys.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "scrim/audit.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse_model(line, &m, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

/* The concentrated cost of M directions of epsilon/M each is M (epsilon/M)^2/8. */
TEST(body_costs_the_sum_of_its_directions)
{
    CLAIM("body.privacy");
    scrim_measurement *m =
        made("body q=0.9 epsilon=2 dimensions=2 lower=0 upper=9 directions=axes");
    sc_exact_cost cost;
    REQUIRE(m != NULL);
    sc_cost_init(&cost);
    REQUIRE_OK(m->mechanism->cost(m, &cost, NULL));
    CHECK(cost.has_rho);
    CHECK_NEAR(sc_ball_near(&cost.rho), 4 * 0.5 * 0.5 / 8, 1e-12);
    CHECK_INT(cost.curve.count, 4);
    CHECK_NEAR(sc_ball_near(&cost.curve.epsilon), 0.5, 1e-12);
    sc_cost_clear(&cost);
    scrim_measurement_free(m);
}

/* The law of one direction of d = 1 is that of quantile: the same ranks, the same ladder. */
static void check_same_law(const char *body, const char *quantile)
{
    static const int64_t rows[] = {3, 5, 5, 8, 9, 0, 15, 5, 40, -2};
    scrim_measurement *a = made(body), *b = made(quantile);
    for (size_t n = 1; a != NULL && b != NULL && n <= COUNT(rows); n++) {
        const sc_private_input input = {.values = rows, .count = n};
        sc_outcomes of_body, of_quantile;
        sc_outcomes_init(&of_body, 2);
        sc_outcomes_init(&of_quantile, 1);
        CHECK_STATUS(a->mechanism->law(a, &input, 128, &of_body, NULL), SCRIM_OK);
        CHECK_STATUS(b->mechanism->law(b, &input, 128, &of_quantile, NULL), SCRIM_OK);
        for (size_t i = 0; i < of_quantile.count; i++) {
            double sum = 0;
            for (size_t k = 0; k < of_body.count; k++)
                if (of_body.keys[2 * k] == of_quantile.keys[i])
                    sum += sc_ball_upper(&of_body.mass[k]);
            CHECK_NEAR(sum, sc_ball_upper(&of_quantile.mass[i]), 1e-12);
        }
        sc_outcomes_clear(&of_body);
        sc_outcomes_clear(&of_quantile);
    }
    scrim_measurement_free(a);
    scrim_measurement_free(b);
}

TEST(body_in_one_dimension_is_a_quantile)
{
    CLAIM("body.privacy");
    check_same_law("body q=3/4 epsilon=2 lower=0 upper=15 neighbours=replace",
                   "quantile p=3/4 epsilon=1 lower=0 upper=15 neighbours=replace");
    check_same_law("body q=9/10 epsilon=1 lower=0 upper=15",
                   "quantile p=9/10 epsilon=1/2 lower=0 upper=15");
    check_same_law(
        "body q=2/3 epsilon=1 lower=0 upper=15 max-rows=2 neighbours=replace",
        "quantile p=2/3 epsilon=1/2 lower=0 upper=15 max-rows=2 neighbours=replace");
}

typedef struct audited {
    const char *line;
    double epsilon, least;
} audited;

static void check_audit(const audited *a)
{
    scrim_measurement *m = made(a->line);
    scrim_audit_report *report = NULL;
    scrim_audit_loss loss;
    scrim_error error = {.message = ""};
    scrim_audit_options options = {.size = sizeof options, .points = 3};
    if (m == NULL || !CHECK_STATUS(scrim_audit(m, &options, &report, &error), SCRIM_OK)) {
        CHECK_FAIL("%s: %s", a->line, error.message);
        scrim_measurement_free(m);
        return;
    }
    if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS))
        CHECK_FAIL("%s: %s", a->line, scrim_audit_report_summary(report));
    scrim_audit_report_loss(report, &loss);
    CHECK(loss.loss_upper <= a->epsilon);
    if (!CHECK(loss.loss_lower >= a->least * a->epsilon))
        CHECK_FAIL("%s: %s", a->line, scrim_audit_report_summary(report));
    CHECK(loss.unlisted_upper == 0);
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
}

SLOW_TEST(audit_of_a_body_holds)
{
    CLAIM("body.privacy");
    static const audited cases[] = {
        {"body q=3/4 epsilon=1 lower=0 upper=3 neighbours=replace records=3", 1, 0.3},
        {"body q=2/3 epsilon=1 lower=0 upper=4 records=3", 1, 0.3},
        {"body q=3/5 epsilon=2 dimensions=2 lower=0 upper=2 cells=2 directions=axes "
         "neighbours=replace records=2",
         2, 0.2},
        {"body q=9/10 epsilon=1 dimensions=2 lower=0 upper=8 cells=2 directions=given "
         "vectors=3/5,4/5,-3/5,-4/5,4/5,-3/5 records=2",
         1, 0.1},
        {"body q=1/2 epsilon=1 lower=0 upper=2 max-rows=2 records=3", 1, 0.2},
        {"body q=3/4 epsilon=1 dimensions=3 lower=0 upper=1 cells=1 directions=axes "
         "records=2",
         1, 0.1},
        /* as many rows and points as the specification has */
        {"body q=3/4 epsilon=2 lower=0 upper=7 neighbours=replace records=5", 2, 0.5},
        {"body q=1/2 epsilon=1/2 lower=0 upper=7 records=5", 0.5, 0.5}};
    for (size_t i = 0; i < check_count(6, 8); i++)
        check_audit(&cases[i]);
}

/* Frequencies against the law, and every cell within its direction. */
SLOW_TEST(body_draws_follow_their_law)
{
    CLAIM("body.privacy");
    static const int64_t rows[] = {0, 0, 1, 3, 3, 2, 2, 2, 3, 0};
    scrim_measurement *m =
        made("body q=3/5 epsilon=4 dimensions=2 lower=0 upper=3 cells=3 "
             "directions=axes");
    sc_outcomes law;
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_outcomes_init(&law, 4);
    REQUIRE_OK(sc_tape_seeded(20220815, &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_OK);
    CHECK_INT(law.count, 256);
    const size_t draws = check_count(4000, 100000);
    double probability[256];
    uint64_t *seen = sc_allocate(law.count, sizeof *seen);
    for (size_t d = 0; d < draws; d++) {
        sc_int128 values[4];
        sc_mark marks[4];
        sc_draw out = {.values = values, .marks = marks, .capacity = 4};
        if (m->mechanism->draw(m, bits, &input, &out, NULL) != SCRIM_OK) {
            CHECK_FAIL("no draw");
            break;
        }
        size_t at = 0;
        for (size_t i = 0; i < 4; i++) {
            CHECK_INT(marks[i], SC_MARK_INDEX);
            at = at * 4 + (size_t)values[i];
        }
        seen[at]++;
    }
    for (size_t i = 0; i < law.count; i++)
        probability[i] = sc_ball_upper(&law.mass[i]);
    CHECK(laws_chi_square(seen, probability, law.count) > LAWS_FALSE_ALARM);
    sc_free(seen);
    sc_tape_free(tape);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

FAULT_TEST(body_takes_any_rows)
{
    CLAIM("body.total");
    static const char *const lines[] = {
        "body q=9/10 epsilon=1 dimensions=2 lower=-1 upper=1 grid=0.01",
        "body q=9/10 epsilon=1 delta=1e-6 dimensions=2 lower=-1 upper=1 grid=0.01",
        "body q=1/10 epsilon=1 dimensions=2 lower=0 upper=1e6 grid=0.001 cells=1e12",
        "body q=1/2 epsilon=20 dimensions=2 lower=0 upper=1 directions=equiangular"};
    static const int64_t kinds[][6] = {
        {0, 0, 0, 0, 0, 0},
        {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
        {-INT64_MAX, -INT64_MAX, INT64_MAX, -INT64_MAX, 0, 0},
        {SC_DIRECTION_MISSING, 0, 0, SC_DIRECTION_MISSING, 5, 5}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    for (size_t l = 0; l < COUNT(lines); l++) {
        scrim_measurement *m = made(lines[l]);
        for (size_t k = 0; m != NULL && k < COUNT(kinds); k++)
            for (size_t n = 0; n <= 6; n += 2) {
                sc_int128 values[64];
                sc_mark marks[64];
                sc_draw out = {.values = values, .marks = marks, .capacity = 64};
                const sc_private_input input = {.values = kinds[k], .count = n};
                CHECK_STATUS(m->mechanism->draw(m, bits, &input, &out, NULL), SCRIM_OK);
                CHECK_INT(out.count, m->mechanism->answer_count(m, n));
            }
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}

/* By how many rows a cell misses rank q n. */
static double rank_error(const int64_t *keys, size_t count, sc_int128 cell, double q)
{
    double below = 0, upto = 0, rank = q * (double)count;
    for (size_t i = 0; i < count; i++) {
        below += keys[i] < cell;
        upto += keys[i] <= cell;
    }
    return fmax(0, fmax(below - rank, rank - upto));
}

/* The largest rank error of all directions is within the radius, nearly always: it is 95 %, and for every input. */
SLOW_TEST(body_ranks_are_near)
{
    CLAIM("body.accuracy");
    enum { ROWS = 4000, DIRECTIONS = 8 };
    static int64_t rows[2 * ROWS], keys[DIRECTIONS][ROWS];
    static const int64_t extents[2] = {1000, 1000};
    scrim_measurement *m = made(
        "body q=4/5 epsilon=1 delta=1e-6 dimensions=2 lower=0 upper=1000 count=8 seed=3");
    const sc_directions_question q = {
        .kind = SC_DIRECTIONS_FRAMES, .dimension = 2, .count = DIRECTIONS, .seed = 3};
    sc_directions directions;
    sc_direction_keys projection;
    sc_tape *tape = NULL;
    sc_certificate certificate;
    sc_ratio beta;
    size_t beyond = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_directions_init(&directions, &q, NULL));
    REQUIRE_OK(sc_direction_keys_init(&projection, &directions, extents, 1 << 20, NULL));
    REQUIRE_OK(sc_tape_seeded(77, &tape, NULL));
    for (size_t i = 0; i < (size_t)2 * ROWS; i++)
        rows[i] = (int64_t)(i * 7919 % 1000 * (i * 104729 % 1000) / 1000);
    for (size_t i = 0; i < DIRECTIONS; i++)
        for (size_t r = 0; r < ROWS; r++)
            keys[i][r] = sc_direction_key(&projection, rows + 2 * r, i);
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_certificate_init(&certificate);
    exact_ratio("1/20", &beta);
    REQUIRE_OK(m->mechanism->certify(m, &beta, COUNT(rows), &certificate, NULL));
    const double radius = sc_ball_near(&certificate.radius);
    CHECK(radius > 10 && radius < ROWS / 4.0); /* it says something */
    const size_t draws = check_count(20, 200);
    for (size_t d = 0; d < draws; d++) {
        sc_int128 values[DIRECTIONS];
        sc_mark marks[DIRECTIONS];
        sc_draw out = {.values = values, .marks = marks, .capacity = DIRECTIONS};
        double worst = 0;
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        for (size_t i = 0; i < DIRECTIONS; i++)
            worst = fmax(worst, rank_error(keys[i], ROWS, values[i], 0.8));
        beyond += worst > radius;
    }
    CHECK(20 * beyond <= draws);
    sc_certificate_clear(&certificate);
    sc_ratio_clear(&beta);
    sc_tape_free(tape);
    sc_direction_keys_clear(&projection);
    sc_directions_clear(&directions);
    scrim_measurement_free(m);
}

/* The budget. */

TEST(body_budget_is_that_of_the_vectors)
{
    CLAIM("body-budget.within");
    const json_t *budget = vectors_load("floating-body", "budget");
    const json_t *rows = json_object_get(budget, "per_direction");
    REQUIRE(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const double epsilon = json_number_value(json_object_get(row, "eps"));
        const double delta = json_number_value(json_object_get(row, "delta"));
        const double each = json_number_value(json_object_get(row, "eps_i"));
        const size_t count = (size_t)vectors_number(row, "M");
        const bool is_pure = strcmp(vectors_text(row, "mode"), "pure") == 0;
        char text[64];
        sc_ratio e, d, sum, part;
        sc_body_budget b;
        sc_body_budget_init(&b);
        sc_ratio_init(&sum);
        sc_ratio_init(&part);
        snprintf(text, sizeof text, "%.17g", epsilon);
        exact_ratio(text, &e);
        snprintf(text, sizeof text, "%.17g", delta);
        exact_ratio(text, &d);
        CHECK_STATUS(sc_body_budget_set(&b, &e, &d, count, NULL), SCRIM_OK);
        const double got = sc_ball_near(&b.each);
        /* Our conversion is the tighter one: never less for a direction, and at most a quarter more. */
        if (is_pure && !b.is_concentrated)
            CHECK_NEAR(got, each, 1e-9);
        else
            CHECK(b.is_concentrated && got >= each * 0.999999 && got < each * 1.25);
        /* In exact numbers all of them are within the budget. */
        sc_ratio_set_int64(&part, (int64_t)count);
        if (b.is_concentrated) {
            sc_ratio_mul(&sum, &b.each, &b.each);
            sc_ratio_mul(&sum, &sum, &part);
            sc_ratio_set_int64(&part, 8);
            sc_ratio_div(&sum, &sum, &part);
            CHECK(sc_ratio_compare(&sum, &b.rho) <= 0);
        } else {
            sc_ratio_mul(&sum, &b.each, &part);
            CHECK(sc_ratio_compare(&sum, &e) <= 0);
        }
        sc_ratio_clear(&part);
        sc_ratio_clear(&sum);
        sc_ratio_clear(&d);
        sc_ratio_clear(&e);
        sc_body_budget_clear(&b);
    }
    /* The rho of the specification's own conversion is below ours. */
    const json_t *rhos = json_object_get(budget, "rho");
    for (size_t i = 0; i < json_array_size(rhos); i++) {
        const json_t *row = json_array_get(rhos, i);
        const double epsilon = json_number_value(json_object_get(row, "eps"));
        const double least = -log(json_number_value(json_object_get(row, "delta")));
        const double root = sqrt(least + epsilon) - sqrt(least);
        CHECK_NEAR(root * root, json_number_value(json_object_get(row, "rho")), 1e-12);
    }
}

TEST(body_parameters_that_are_none_are_refused)
{
    static const struct {
        const char *line;
        scrim_status want;
    } cases[] = {
        {"body q=1 epsilon=1 lower=0 upper=1 neighbours=replace", SCRIM_E_PARAM},
        {"body q=0 epsilon=1 lower=0 upper=1 neighbours=replace", SCRIM_E_PARAM},
        {"body q=1/2 epsilon=0 lower=0 upper=1 neighbours=replace", SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 delta=1 lower=0 upper=1 neighbours=replace",
         SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 lower=1 upper=1 neighbours=replace", SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 lower=0 upper=1 directions=given neighbours=replace",
         SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 lower=0 upper=1 vectors=1 neighbours=replace",
         SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 dimensions=2 lower=0 upper=1 directions=given "
         "vectors=1,1 neighbours=replace",
         SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1 dimensions=65 lower=0 upper=1 neighbours=replace",
         SCRIM_E_LIMIT},
        {"body q=1/2 epsilon=1 dimensions=0 lower=0 upper=1 neighbours=replace",
         SCRIM_E_PARAM},
        {"body q=1/2 epsilon=1e-7 dimensions=3 lower=0 upper=1 neighbours=replace",
         SCRIM_E_LIMIT},
        {"body q=1/2 epsilon=21 lower=0 upper=1 neighbours=replace", SCRIM_E_LIMIT},
        {"body q=1/2 epsilon=1 lower=0 upper=1", SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_measurement *m = NULL;
        if (!CHECK_STATUS(scrim_measurement_parse(cases[i].line, &m, NULL),
                          cases[i].want))
            CHECK_FAIL("%s", cases[i].line);
        scrim_measurement_free(m);
    }
}
