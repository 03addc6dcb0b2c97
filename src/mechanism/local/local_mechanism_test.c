#include "balls.h"
#include "choices.h"
#include "mechanism/local/local_mechanism.h"
#include "mechanism/local/report_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines whose reports are few enough to be counted: draws through the device fit the law. */
static const char *const lines[] = {
    "projective-geometry epsilon=1 values=7 field=2",
    "subset-selection epsilon=1 values=5 chosen=2",
    "symmetric-unary epsilon=1 values=3",
    "optimised-unary epsilon=1 values=3",
    "local-hashing epsilon=1 values=4 field=2",
    "hadamard epsilon=1 values=5 blocks=2",
    "bit-flip epsilon=1 values=4 chosen=2",
    "repeated-unary epsilon=2 values=2 reports=2",
    "rappor epsilon=2 values=3",
    "rappor epsilon=2 values=2 bits=1 p=1/2 q=3/4 reports=3",
    "rappor epsilon=3 text=2 bits=4 hashes=2 cohorts=3 p=1/4 q=3/4",
    "square-wave epsilon=1 values=5 width=1",
    "one-bit-mean epsilon=1 values=5",
    "rounded-bit-mean epsilon=1 values=5 flip=1/8 reports=3",
    "laplace-mean epsilon=2 values=4 width=3",
    "condensed-geometric epsilon=2 values=4",
    "condensed-exponential epsilon=4 values=4",
    "condensed-exponential epsilon=2 values=3 distances=3,5,4"};

#define LINES (sizeof lines / sizeof *lines)

static void line_of(size_t index, char out[200])
{
    snprintf(out, 200, "%s neighbours=local", lines[index]);
}

/* "1/3" or "0.25". */
static double exact_number(const char *text)
{
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_ball, ball);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &value, NULL), SCRIM_OK);
    sc_ball_set_ratio(&ball, &value, 128);
    return sc_ball_upper(&ball);
}

TEST(local_mechanisms_draw_their_law)
{
    CLAIM("local-protocol.exact");
    for (size_t i = 0; i < LINES; i++) {
        char line[200];
        const int64_t value = (int64_t)(i % 2);
        line_of(i, line);
        choices_fit(line, &value, 1, check_count(1500, 100000));
    }
}

/* No words, no answer. */
TEST(local_mechanisms_need_all_their_bits)
{
    for (size_t i = 0; i < LINES; i++) {
        char line[200];
        const int64_t value = 1;
        line_of(i, line);
        choices_check_entropy(line, &value, 1);
    }
}

/* The charge is the exact loss, rounded up, and no more than was asked for. */
TEST(local_mechanisms_charge_no_more_than_the_target)
{
    CLAIM("local-protocol.privacy");
    for (size_t i = 0; i < LINES; i++) {
        char line[200];
        line_of(i, line);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const sc_local_state *state = sc_local_state_of(m);
        SC_OWN(sc_ball, loss, charged);
        CHECK(sc_ratio_compare(&m->cost.epsilon, sc_measurement_get(m, "epsilon")) <= 0);
        CHECK(m->cost.neighbours == SCRIM_LOCAL && sc_ratio_sign(&m->cost.delta) == 0);
        sc_protocol_loss(&state->config, state->reports, 256, &loss);
        sc_ball_set_ratio(&charged, &m->cost.epsilon, 256);
        CHECK(sc_ball_is_less_equal(&loss, &charged));
        CHECK_NEAR(sc_ball_lower(&loss), sc_ball_upper(&charged), 1e-12);
        scrim_measurement_free(m);
    }
}

static double radius_of(const char *line, size_t count)
{
    scrim_certificate certificate;
    scrim_measurement *m = choices_new(line);
    if (m == NULL)
        return 0;
    CHECK_STATUS(scrim_measurement_certify(m, "0.95", count, &certificate, NULL),
                 SCRIM_OK);
    const double radius = certificate.form == SCRIM_CERTIFICATE_FREQUENCY
                              ? strtod(certificate.radius, NULL)
                              : -1;
    scrim_measurement_free(m);
    return radius;
}

/* 1/(P-Q) sqrt(ln(2k/beta)/(2n)) at most: optimised unary has P = 1/2 and P - Q = (e-1)/(2(e+1)), so that of many reports
 * Chernoff's bound is Hoeffding's; at epsilon 8 subset selection and unary reports of few values are nearly always right. */
TEST(local_mechanisms_certify_all_frequencies)
{
    CLAIM("local-protocol.accuracy");
    const double e = exp(1), tail = sqrt(log(2 * 10 / 0.05) / (2 * 1e6));
    CHECK_NEAR(radius_of("optimised-unary epsilon=1 values=10 neighbours=local", 1000000),
               tail * 2 * (e + 1) / (e - 1), 1e-3);
    const double sure =
        radius_of("symmetric-unary epsilon=8 values=10 neighbours=local", 1000000);
    const double keep = exp(4) / (1 + exp(4));
    CHECK(sure < tail * 0.3 / (2 * keep - 1));
    /* And no less than a normal tail of that variance. */
    CHECK(sure > 2.8 * sqrt(keep * (1 - keep) / 1e6) / (2 * keep - 1));
    CHECK_NEAR(radius_of("hadamard epsilon=1 values=10 neighbours=local", 1000000),
               tail * 2 * (e + 1) / (e - 1), 1e-3);
    CHECK_NEAR(radius_of("hadamard epsilon=1 values=10 neighbours=local", 1), 1, 0);
}

static scrim_certificate certificate_of(const char *line, const char *confidence,
                                        size_t count)
{
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_NONE};
    scrim_measurement *m = choices_new(line);
    CHECK(m != NULL && scrim_measurement_certify(m, confidence, count, &certificate,
                                                 NULL) == SCRIM_OK);
    scrim_measurement_free(m);
    return certificate;
}

/* m/sqrt(2n) (e^eps+1)/(e^eps-1) sqrt(ln(2/beta)), but for the rounding of a/b, which is below 1e-6; the least n
 * for a theta, likewise. */
TEST(local_mechanisms_certify_a_mean_as_printed)
{
    CLAIM("local-protocol.accuracy");
    json_t *rows = vectors_load("local-and-accounting", "one_bit_mean_error"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, i, row)
    {
        char line[120], confidence[32];
        snprintf(
            line, sizeof line, "one-bit-mean epsilon=%s values=%llu neighbours=local",
            vectors_text(row, "eps"), (unsigned long long)vectors_number(row, "m") + 1);
        snprintf(confidence, sizeof confidence, "%g",
                 1 - strtod(vectors_text(row, "beta"), NULL));
        const scrim_certificate found =
            certificate_of(line, confidence, (size_t)vectors_number(row, "n"));
        CHECK_INT(found.form, SCRIM_CERTIFICATE_MEAN);
        const double bound = strtod(vectors_text(row, "bound"), NULL);
        const double radius = strtod(found.radius, NULL);
        CHECK(radius >= bound && radius <= bound * (1 + 1e-5) + 1e-6);
    }
    rows = vectors_load("local-and-accounting", "one_bit_mean_inverse_n");
    REQUIRE(json_array_size(rows) == 2);
    json_array_foreach(rows, i, row)
    {
        char line[120], confidence[32];
        const size_t n = (size_t)strtoull(vectors_text(row, "n"), NULL, 10);
        const double theta = strtod(vectors_text(row, "theta"), NULL);
        snprintf(line, sizeof line,
                 "one-bit-mean epsilon=%s values=1000001 neighbours=local",
                 vectors_text(row, "eps"));
        snprintf(confidence, sizeof confidence, "%g",
                 1 - strtod(vectors_text(row, "beta"), NULL));
        CHECK_NEAR(strtod(certificate_of(line, confidence, n).radius, NULL), theta * 1e6,
                   1e-5);
        CHECK(strtod(certificate_of(line, confidence, n - n / 10000).radius, NULL) >
              theta * 1e6);
    }
}

/* Every pair of values and every report; rows are those of the device. */
SLOW_TEST(local_mechanism_is_private_by_distance)
{
    CLAIM("local-protocol.condensed");
    static const char *const names[] = {"condensed-geometric", "condensed-exponential"};
    static const struct {
        const char *alpha;
        uint64_t values;
    } cases[] = {{"1/2", 5}, {"0.05", 30}, {"3", 3}, {"0.001", 7}};
    for (size_t i = 0; i < COUNT(names) * COUNT(cases); i++) {
        char line[120];
        scrim_measurement *m = NULL;
        scrim_cost cost;
        const uint64_t values = cases[i / 2].values;
        const double alpha = i / 2 == 0 ? 0.5 : strtod(cases[i / 2].alpha, NULL);
        snprintf(line, sizeof line, "%s alpha=%s values=%d neighbours=local",
                 names[i % 2], cases[i / 2].alpha, (int)values);
        REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK(exact_number(cost.epsilon) <= alpha * (double)(values - 1) * (1 + 1e-12));
        const scrim_local_config *c = &sc_local_state_of(m)->config;
        double nearest = 0;
        for (uint64_t x = 0; x < values; x++)
            for (uint64_t y = 0; y < values; y++)
                for (uint64_t z = 0; x != y && z < values; z++) {
                    SC_OWN(sc_ratio, p, q);
                    SC_OWN(sc_ball, ratio);
                    sc_report_probability(c, 1, x, z, &p);
                    sc_report_probability(c, 1, y, z, &q);
                    sc_ratio_div(&p, &p, &q);
                    sc_ball_set_ratio(&ratio, &p, 256);
                    sc_ball_log(&ratio, &ratio, 256);
                    const double apart = (double)(x > y ? x - y : y - x);
                    const double loss = sc_ball_upper(&ratio) / apart;
                    CHECK(loss <= alpha * (1 + 1e-14));
                    nearest = loss > nearest ? loss : nearest;
                }
        CHECK(nearest > (i % 2 == 0 ? 0.999 : 0.5) * alpha);
        scrim_measurement_free(m);
    }
}

/* Every pair of values and every report, with declared distances; the charge is that of the device. */
TEST(local_mechanism_takes_declared_distances)
{
    CLAIM("local-protocol.condensed");
    CLAIM("declared-distances.metric");
    static const double apart[3][3] = {{0, 3, 5}, {3, 0, 4}, {5, 4, 0}};
    scrim_measurement *m = choices_new(
        "condensed-exponential alpha=1/2 values=3 distances=3,5,4 neighbours=local");
    REQUIRE(m != NULL);
    const scrim_local_config *c = &sc_local_state_of(m)->config;
    SC_OWN(sc_ball, epsilon);
    sc_ball_set_ratio(&epsilon, &m->cost.epsilon, 128);
    CHECK_NEAR(sc_ball_upper(&epsilon), ldexp((double)scrim_local_loss(c), -32), 1e-9);
    double largest = 0;
    for (uint64_t x = 0; x < 3; x++)
        for (uint64_t y = 0; y < 3; y++)
            for (uint64_t z = 0; x != y && z < 3; z++) {
                SC_OWN(sc_ratio, p, q);
                SC_OWN(sc_ball, ratio);
                sc_report_probability(c, 1, x, z, &p);
                sc_report_probability(c, 1, y, z, &q);
                sc_ratio_div(&p, &p, &q);
                sc_ball_set_ratio(&ratio, &p, 128);
                sc_ball_log(&ratio, &ratio, 128);
                CHECK(sc_ball_upper(&ratio) <= 0.5 * apart[x][y]);
                largest = fmax(largest, sc_ball_upper(&ratio));
            }
    CHECK(largest <= sc_ball_upper(&epsilon) && largest > 0.9 * sc_ball_upper(&epsilon));
    scrim_measurement_free(m);
    choices_refused("condensed-exponential epsilon=1 values=3 distances=3,9,4 "
                    "neighbours=local",
                    SCRIM_E_PARAM, "way over a third value");
    choices_refused("condensed-exponential epsilon=1 values=4 distances=3,5,4 "
                    "neighbours=local",
                    SCRIM_E_PARAM, "each pair of values");
    choices_refused("condensed-exponential epsilon=1 values=3 distances=1,3/2,2 "
                    "neighbours=local",
                    SCRIM_E_PARAM, "integers from 1 to 255");
    choices_refused("condensed-exponential alpha=2 values=3 distances=3,5,4 "
                    "neighbours=local",
                    SCRIM_E_LIMIT, "largest distance");
}

/* The loss is close to the epsilon that was asked for, and not at half of it. */
TEST(local_mechanism_of_distances_uses_its_epsilon)
{
    CLAIM("local-protocol.privacy");
    static const char *const distances[] = {
        "condensed-exponential epsilon=4 values=5 neighbours=local",
        "condensed-exponential epsilon=8 values=101 neighbours=local",
        "condensed-exponential epsilon=1 values=2 neighbours=local",
        "condensed-exponential epsilon=0.01 values=40 neighbours=local"};
    for (size_t i = 0; i < COUNT(distances); i++) {
        static const double epsilons[] = {4, 8, 1, 0.01};
        scrim_measurement *m = NULL;
        scrim_cost cost;
        REQUIRE_OK(scrim_measurement_parse(distances[i], &m, NULL));
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK(exact_number(cost.epsilon) <= epsilons[i]);
        CHECK(exact_number(cost.epsilon) > 0.99 * epsilons[i]);
        scrim_measurement_free(m);
    }
}

TEST(local_mechanism_takes_epsilon_or_alpha)
{
    CLAIM("local-protocol.condensed");
    static const char *const distances[] = {
        "condensed-geometric values=5 neighbours=local",
        "condensed-geometric epsilon=1 alpha=1 values=5 neighbours=local",
        "condensed-geometric alpha=0 values=5 neighbours=local"};
    scrim_measurement *m = NULL;
    for (size_t i = 0; i < COUNT(distances); i++)
        CHECK_STATUS(scrim_measurement_parse(distances[i], &m, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_measurement_parse(
                     "condensed-exponential alpha=3 values=5 neighbours=local", &m, NULL),
                 SCRIM_E_LIMIT);
}

TEST(local_mechanisms_say_why_there_is_no_certificate)
{
    static const struct {
        const char *line, *why;
    } list[] = {{"prefix epsilon=1 text=4 neighbours=local", "which texts are found"},
                {"rappor epsilon=1 text=4 neighbours=local", "selected by a procedure"},
                {"condensed-exponential epsilon=1 values=9 neighbours=local",
                 "distances of all values"},
                {"one-bit-mean epsilon=1 values=10 neighbours=local", NULL},
                {"rounded-bit-mean epsilon=1 values=10 neighbours=local", NULL},
                {"laplace-mean epsilon=1 values=10 neighbours=local", NULL},
                {"condensed-geometric epsilon=1 values=10 neighbours=local", NULL},
                {"square-wave epsilon=1 values=10 neighbours=local", NULL}};
    for (size_t i = 0; i < COUNT(list); i++) {
        const scrim_certificate found = certificate_of(list[i].line, "0.95", 100000);
        if (list[i].why == NULL) {
            CHECK_INT(found.form, SCRIM_CERTIFICATE_MEAN);
            CHECK(strtod(found.radius, NULL) > 0 && strtod(found.radius, NULL) < 9);
        } else {
            CHECK_INT(found.form, SCRIM_CERTIFICATE_NONE);
            CHECK(found.excludes != NULL && strstr(found.excludes, list[i].why) != NULL);
        }
    }
}

/* A wide report is several numbers. */
TEST(local_mechanisms_send_reports_as_numbers)
{
    scrim_measurement *m =
        choices_new("optimised-unary epsilon=1 values=100 neighbours=local");
    REQUIRE(m != NULL);
    const sc_local_state *state = sc_local_state_of(m);
    CHECK_INT(state->bytes, 13);
    CHECK_INT(m->mechanism->answer_count(m, 5), 20);
    scrim_measurement_free(m);
}

TEST(local_mechanisms_refuse_what_no_device_accepts)
{
    static const choices_refusal refused[] = {
        {"values=5 neighbours=local", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1 neighbours=local", SCRIM_E_PARAM, "values"},
        {"epsilon=9 values=5 neighbours=local", SCRIM_E_LIMIT, "epsilon"},
        {"epsilon=1 values=1 neighbours=local", SCRIM_E_PARAM, "values"},
        {"epsilon=1 values=5 neighbours=add-remove", SCRIM_E_PARAM, "neighbours"},
    };
    static const char *const names[] = {"projective-geometry", "subset-selection",
                                        "symmetric-unary",     "repeated-unary",
                                        "one-bit-mean",        "condensed-geometric"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        choices_refuse(names[i], refused, sizeof refused / sizeof *refused);
    choices_refused("projective-geometry epsilon=1 values=5 field=4 neighbours=local",
                    SCRIM_E_PARAM, "not allowed together");
    choices_refused("subset-selection epsilon=1 values=70000 neighbours=local",
                    SCRIM_E_LIMIT, "not allowed together");
    choices_refused("rappor epsilon=1 values=5 p=3/4 q=1/2 neighbours=local",
                    SCRIM_E_PARAM, "not allowed together");
    choices_refused("rappor epsilon=1 neighbours=local", SCRIM_E_PARAM,
                    "not allowed together");
    choices_refused("repeated-unary epsilon=1 values=5 first=1 neighbours=local",
                    SCRIM_E_PARAM, "first");
}
