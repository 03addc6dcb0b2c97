#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "mechanism/noise/robust.h"
#include "mechanism_lines.h"
#include "random/bits_tape.h"
#include "remains.h"
#include "scrim.h"
#include "tape_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "robust-release"
#define LINE                                                                             \
    "robust rho=1 epsilon=1 of laplace sensitivity=1 epsilon=1 neighbours=add-remove"

TEST(robust_costs_what_the_mechanism_does)
{
    CLAIM("robust-wrapping.privacy");
    static const char *const inner[] = {
        "laplace sensitivity=1 epsilon=0.5 neighbours=add-remove",
        "gaussian sensitivity=1 variance=5 neighbours=replace",
        "gaussian sensitivity=1 epsilon=1 delta=0.001 grid=0.5 size=3 neighbours=replace",
        "truncated-laplace sensitivity=1 epsilon=1 bound=20 neighbours=replace",
        "stlap epsilon=1 q=9 neighbours=replace",
        "rounded-stlap q=9 neighbours=add-remove",
        "robust-laplace rho=1 epsilon=2 theta=0.1 neighbours=replace",
        "range sensitivity=1 epsilon=1 width=9 neighbours=replace",
        "counter steps=8 sensitivity=1 epsilon=1 neighbours=add-remove",
        ("linear-queries bins=2 coefficients=0.5,1 grid=0.5 epsilon=1 "
         "neighbours=add-remove"),
        "interval-counts epsilon=1 cells=4 upper=1 neighbours=add-remove",
        "point-first epsilon=1 neighbours=replace",
        "sum-first epsilon=1 neighbours=replace",
        "hierarchy fan-outs=2,2 epsilon=1 neighbours=replace",
        "quantile p=0.5 epsilon=1 lower=0 upper=9 neighbours=add-remove",
        "randomised-query places=0,1 masses=1,1 sizes=1,1 epsilon=1 neighbours=replace",
        "threshold-laplace epsilon=1 delta=0.001 neighbours=add-remove",
        "threshold-gaussian epsilon=1 delta=0.001 neighbours=add-remove",
        "threshold-truncated epsilon=1 delta=0.001 neighbours=add-remove",
        "threshold-weighted epsilon=1 delta=0.001 grid=0.25 neighbours=add-remove",
        ("private-size-stlap size-epsilon=1 size-delta=0.1 bar-epsilon=1 bar-delta=0.1 "
         "tau=0.25 neighbours=add-remove")};
    for (size_t i = 0; i < COUNT(inner); i++) {
        char line[512];
        scrim_cost a, b;
        snprintf(line, sizeof line, "robust rho=2 epsilon=0.25 of %s", inner[i]);
        scrim_measurement *m = choices_new(line), *own = choices_new(inner[i]);
        REQUIRE(m != NULL && own != NULL);
        CHECK_STR(scrim_measurement_text(m), line);
        REQUIRE_OK(scrim_measurement_cost(m, &a, NULL));
        REQUIRE_OK(scrim_measurement_cost(own, &b, NULL));
        CHECK_STR(a.epsilon, b.epsilon);
        CHECK_STR(a.delta, b.delta);
        CHECK_STR(a.rho, b.rho);
        CHECK_INT(a.neighbours, b.neighbours);
        CHECK_STR(m->mechanism->entry.input, own->mechanism->entry.input);
        CHECK_INT(m->mechanism->input_is_rows, own->mechanism->input_is_rows);
        CHECK_INT(m->mechanism->clamps_itself, own->mechanism->clamps_itself);
        CHECK(!m->cost.curve.is_attained);
        CHECK_INT(scrim_measurement_size(m), scrim_measurement_size(own));
        scrim_measurement_free(own);
        scrim_measurement_free(m);
    }
}

TEST(robust_is_made_from_a_list)
{
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_new(
        "robust",
        SCRIM_PARAMETERS({"of", "laplace sensitivity=1 epsilon=1"}, {"epsilon", "1"},
                         {"neighbours", "add-remove"}, {"rho", "1"}, {"theta", NULL}),
        &m, NULL));
    CHECK_STR(scrim_measurement_text(m), LINE);
    scrim_measurement_free(m);
}

TEST(robust_is_as_accurate_as_printed)
{
    CLAIM("robust-wrapping.accuracy");
    const json_t *row = vectors_load(FILE_NAME, "robust_wrapping");
    char line[256], inner[160];
    scrim_certificate c, own;
    scrim_robustness stated;
    sc_ratio radius, one;
    sc_ratio_init(&one);
    /* A radius that always holds, 1: all of the failures are the noise's. */
    snprintf(inner, sizeof inner,
             "truncated-laplace sensitivity=1/8 epsilon=1 bound=8 grid=%s",
             vectors_text(row, "grid"));
    snprintf(line, sizeof line, "robust rho=%s epsilon=%s of %s",
             vectors_text(row, "rho"), vectors_text(row, "epsilon"), inner);
    scrim_measurement *m = choices_model(line);
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_INTERVAL);
    exact_ratio(vectors_text(row, "beta"), &radius);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_add(&radius, &radius, &one);
    /* The sum of both radii, of which the radius of the sum is less. */
    sc_ratio found;
    exact_ratio(c.radius, &found);
    CHECK(sc_ratio_compare(&found, &radius) < 0);
    CHECK(sc_ratio_compare(&found, &one) > 0);
    sc_ratio_clear(&found);
    sc_ratio_clear(&radius);
    sc_ratio_clear(&one);
    REQUIRE_OK(scrim_measurement_robustness(m, &stated, NULL));
    CHECK_STR(stated.rho, vectors_text(row, "rho"));
    CHECK_STR(stated.theta, "0");
    scrim_measurement_free(m);
    /* Narrower than 2.5 % of failures for either. */
    m = choices_new(LINE);
    scrim_measurement *laplace =
        choices_new("laplace sensitivity=1 epsilon=1 neighbours=add-remove");
    REQUIRE(m != NULL && laplace != NULL);
    for (size_t count = 1; count <= 3; count += 2) {
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", count, &c, NULL));
        REQUIRE_OK(scrim_measurement_certify(laplace, "0.975", count, &own, NULL));
        CHECK(atoi(c.radius) >= atoi(own.radius) &&
              atoi(c.radius) < 2 * atoi(own.radius));
        CHECK_INT(atoi(c.radius_all), count == 1 ? 0 : 5);
        CHECK(atoi(c.radius_all) < 2 * atoi(own.radius_all) || count == 1);
    }
    scrim_measurement_free(laplace);
    scrim_measurement_free(m);
}

#define FAR 1200

/* P(|A + W| > k) in doubles, W Laplace noise of this scale in steps. */
static double sum_beyond(const double own[2 * FAR + 1], double scale, int k)
{
    const double p = exp(-1 / scale);
    double sum = 0;
    for (int a = -FAR; a <= FAR; a++)
        for (int side = -1; side <= 1; side += 2) {
            const int at = k + 1 + side * a; /* P(W >= at) */
            const double tail =
                at > 0 ? pow(p, at) / (1 + p) : 1 - pow(p, 1 - at) / (1 + p);
            sum += own[a + FAR] * tail;
        }
    return sum;
}

/* The radius of noise on noise is the least one of their sum; in wide cells, a fiftieth more. */
TEST(robust_noise_on_noise_has_the_radius_of_the_sum)
{
    CLAIM("robust-wrapping.accuracy");
    static const struct {
        const char *line;
        double scale, own; /* own: of Laplace noise, or minus sigma */
        double slack;
    } cases[] = {
        {"robust rho=1 epsilon=1 of laplace sensitivity=1 epsilon=1 neighbours=replace",
         1, 1, 0},
        {"robust rho=2 epsilon=1 of laplace sensitivity=1 epsilon=1/3 neighbours=replace",
         2, 3, 0},
        {"robust rho=5 epsilon=1/4 of laplace sensitivity=1 epsilon=1/40 "
         "neighbours=replace",
         20, 40, 0.02},
        {"robust rho=3 epsilon=1 of gaussian sensitivity=1 sigma=4 neighbours=replace", 3,
         -4, 0},
    };
    static double own[2 * FAR + 1];
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_measurement *m = choices_new(cases[i].line);
        scrim_certificate c;
        double whole = 0;
        REQUIRE(m != NULL);
        for (int a = -FAR; a <= FAR; a++) {
            const double s = cases[i].own;
            own[a + FAR] =
                s > 0 ? exp(-fabs((double)a) / s) : exp(-(double)a * a / (2 * s * s));
            whole += own[a + FAR];
        }
        for (int a = 0; a <= 2 * FAR; a++)
            own[a] /= whole;
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &c, NULL));
        const int k = atoi(c.radius);
        CHECK(sum_beyond(own, cases[i].scale, k) <= 0.05);
        CHECK(sum_beyond(own, cases[i].scale, (int)((k - 1) * (1 - cases[i].slack))) >
              0.05);
        REQUIRE_OK(scrim_measurement_certify(m, "0.999", 1, &c, NULL));
        CHECK(sum_beyond(own, cases[i].scale, atoi(c.radius)) <= 0.001);
        scrim_measurement_free(m);
    }
}

/* Three sums of two bins have noise three times; counts from a threshold on are shown as often, with
 * more noise; of ranks nothing is said. */
TEST(robust_is_as_accurate_as_what_it_wraps)
{
    CLAIM("robust-wrapping.accuracy");
    scrim_measurement *noise =
        choices_new("laplace sensitivity=1 epsilon=1 neighbours=add-remove");
    scrim_certificate z, own, c;
    static const char *const lines[] = {
        "linear-queries bins=2 workload=ranges epsilon=1 neighbours=add-remove",
        "threshold-laplace epsilon=1 delta=0.001 neighbours=add-remove",
        "quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove"};
    REQUIRE(noise != NULL);
    REQUIRE_OK(scrim_measurement_certify(noise, "0.975", 3, &z, NULL));
    for (size_t i = 0; i < COUNT(lines); i++) {
        char line[200];
        snprintf(line, sizeof line, "robust rho=1 epsilon=1 of %s", lines[i]);
        scrim_measurement *m = choices_new(line), *inner = choices_new(lines[i]);
        REQUIRE(m != NULL && inner != NULL);
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 2, &c, NULL));
        REQUIRE_OK(scrim_measurement_certify(inner, "0.975", 2, &own, NULL));
        if (i == 0) {
            CHECK(atoi(c.radius) < atoi(own.radius) + atoi(z.radius));
            CHECK(atoi(c.radius) >= atoi(own.radius) - 1);
            CHECK(atoi(c.radius_all) < atoi(own.radius_all) + atoi(z.radius_all));
            CHECK(atoi(c.radius_all) > atoi(c.radius));
        } else if (i == 1) {
            CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
            scrim_certificate same;
            REQUIRE_OK(scrim_measurement_certify(inner, "0.95", 2, &same, NULL));
            CHECK_STR(c.radius, same.radius);
            CHECK(atoi(c.value_radius) < atoi(own.value_radius) + atoi(z.radius));
            CHECK(atoi(c.value_radius) >= atoi(z.radius));
        } else {
            CHECK_INT(c.form, SCRIM_CERTIFICATE_NONE);
            CHECK(strncmp(c.excludes, "everything: ", 12) == 0);
        }
        scrim_measurement_free(inner);
        scrim_measurement_free(m);
    }
    scrim_measurement_free(noise);
}

/* delta at epsilon of the laws on two inputs. */
static double divergence(const scrim_measurement *m, int64_t x, int64_t y, double epsilon)
{
    sc_outcomes p, q;
    double sum = 0;
    if (!choices_law(m, &x, 1, 128, &p))
        return 2;
    if (choices_law(m, &y, 1, 128, &q)) {
        for (size_t i = 0; i < p.count; i++) {
            const double gap = choices_mass(&p, &p.keys[i]) -
                               exp(epsilon) * choices_mass(&q, &p.keys[i]);
            sum += gap > 0 ? gap : 0;
        }
        sc_outcomes_clear(&q);
    }
    sc_outcomes_clear(&p);
    return sum;
}

/* Answers that are within rho on two inputs become close; a step further they do not. */
TEST(robust_makes_answers_within_rho_close)
{
    CLAIM("robust-wrapping.close");
    scrim_measurement *m = choices_model(
        "robust rho=3 epsilon=1/2 of laplace sensitivity=1 epsilon=20 grid=1/2");
    REQUIRE(m != NULL); /* rho is 6 steps */
    CHECK(divergence(m, 0, 6, 0.5) < 1e-12);
    CHECK(divergence(m, 6, 0, 0.5) < 1e-12);
    CHECK(divergence(m, 0, 7, 0.5) > 0.01);
    scrim_measurement_free(m);
}

TEST(robust_draws_fit_the_law)
{
    CLAIM("robust-wrapping.exact");
    static const int64_t x = 4;
    choices_fit(LINE, &x, 1, check_count(20000, 1000000));
    choices_fit("robust rho=1 epsilon=2 of stlap epsilon=1 q=3 neighbours=replace", &x, 1,
                check_count(20000, 1000000));
    choices_check_entropy(LINE, &x, 1);
}

/* Several values, values that may not be shown, and numbers that were chosen. */
SLOW_TEST(robust_draws_fit_the_law_of_several_values)
{
    CLAIM("robust-wrapping.exact");
    static const struct {
        const char *line;
        int64_t x[4];
        size_t count;
    } list[] = {
        {"stlap epsilon=2 q=2 neighbours=replace", {3, 0}, 2},
        {"truncated-laplace sensitivity=1 epsilon=2 bound=2 neighbours=replace",
         {4, -1},
         2},
        {"range sensitivity=1 epsilon=1/2 width=2 neighbours=replace", {7}, 1},
        {"threshold-laplace epsilon=3 delta=0.1 neighbours=add-remove", {2, 1}, 2},
        {"threshold-truncated epsilon=2 delta=0.1 neighbours=add-remove", {3}, 1},
        {"quantile p=1/2 epsilon=2 lower=0 upper=5 neighbours=add-remove", {1, 4, 4}, 3},
        {"quantile p=1/4,3/4 epsilon=4 lower=0 upper=3 neighbours=replace", {0, 2, 3}, 3},
        {"randomised-query places=0,9,3 masses=1/2,1/2,1 sizes=2,1 epsilon=2 "
         "neighbours=replace",
         {0},
         1},
        {"private-size-stlap size-epsilon=2 size-delta=0.2 bar-epsilon=2 bar-delta=0.3 "
         "tau=1 neighbours=add-remove",
         {2},
         1}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[400];
        snprintf(line, sizeof line, "robust rho=1 epsilon=4 of %s", list[i].line);
        choices_fit(line, list[i].x, list[i].count, check_count(3000, 30000));
    }
}

/* Inputs that are close in both values become close; outcomes of one law alone stay apart. */
TEST(robust_makes_vectors_within_rho_close)
{
    CLAIM("robust-wrapping.close");
    static const int64_t x[] = {0, 0}, y[] = {1, 1}, far[] = {2, 1};
    scrim_measurement *m = choices_model("robust rho=2 epsilon=3 of truncated-laplace "
                                         "sensitivity=1 epsilon=20 bound=1");
    double near = 0, apart = 0;
    sc_outcomes p, q, r;
    REQUIRE(m != NULL);
    REQUIRE(choices_law(m, x, 2, 128, &p) && choices_law(m, y, 2, 128, &q) &&
            choices_law(m, far, 2, 128, &r));
    for (size_t i = 0; i < p.count; i++) {
        const double mass = choices_mass(&p, &p.keys[2 * i]);
        near += fmax(0, mass - exp(3) * choices_mass(&q, &p.keys[2 * i]));
        apart += fmax(0, mass - exp(3) * choices_mass(&r, &p.keys[2 * i]));
    }
    CHECK(near < 1e-12);
    CHECK(apart > 0.01);
    sc_outcomes_clear(&r);
    sc_outcomes_clear(&q);
    sc_outcomes_clear(&p);
    scrim_measurement_free(m);
}

/* Where a law is folded for the audit, its keys are not the values: nothing is said of them. */
TEST(robust_has_no_law_of_a_folded_one)
{
    scrim_measurement *m = choices_new("robust rho=1 epsilon=1 of counter steps=2 "
                                       "sensitivity=1 epsilon=1 neighbours=add-remove");
    REQUIRE(m != NULL);
    CHECK(m->mechanism->law == NULL && m->mechanism->width == NULL);
    scrim_measurement_free(m);
}

TEST(robust_refuses)
{
    choices_refused("robust rho=1 epsilon=1", SCRIM_E_PARAM,
                    "name the mechanism to wrap");
    choices_refused("robust rho=1 epsilon=1 of", SCRIM_E_SYNTAX, "name a mechanism");
    choices_refused("robust rho=1 of laplace sensitivity=1 epsilon=1 neighbours=replace",
                    SCRIM_E_PARAM, "epsilon is missing");
    choices_refused("robust rho=1 epsilon=1 of laplace epsilon=1 neighbours=replace",
                    SCRIM_E_PARAM, "sensitivity is missing");
    static const char *const others[] = {
        "exponential sensitivity=1 epsilon=1",
        "noisy-max sensitivity=1 epsilon=1",
        "top-k sensitivity=1 epsilon=1 k=2",
        "randomised-response epsilon=1",
        "partition-selection epsilon=1 delta=0.001",
        "emptiness epsilon=1 certain=5",
        "stabilise sensitivity=1 epsilon=1 delta=0.001",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=1/2",
        "item-sets epsilon=1 delta=0.001 length=2 items=2 size=2",
        "above-threshold sensitivity=1 epsilon=1 threshold=3"};
    for (size_t i = 0; i < COUNT(others); i++) {
        char line[200];
        snprintf(line, sizeof line, "robust rho=1 epsilon=1 of %s neighbours=replace",
                 others[i]);
        choices_refused(line, SCRIM_E_PARAM,
                        "cannot be wrapped: its answer is not a fixed list of numbers");
    }
    choices_refused("robust rho=1 epsilon=1 then laplace sensitivity=1 epsilon=1 "
                    "neighbours=replace",
                    SCRIM_E_PARAM, "robust ... of");
    choices_refused("laplace sensitivity=1 epsilon=1 of laplace sensitivity=1 epsilon=1 "
                    "neighbours=replace",
                    SCRIM_E_PARAM, "no mechanism can follow laplace");
    mechanism_check_faults(LINE);
}

/* A group that was left out has no row, and so no label, with noise on the others. */
TEST(robust_keeps_no_group_that_was_left_out)
{
    CLAIM("robust-wrapping.exact");
    static const char *const lines[] = {"threshold-laplace", "threshold-truncated",
                                        "threshold-gaussian"};
    static const int64_t counts[] = {5000, 0, 5000};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char line[200];
        scrim_answer *answer = NULL;
        sc_tape *tape = NULL;
        snprintf(
            line, sizeof line,
            "robust rho=1 epsilon=1 of %s epsilon=1 delta=1e-3 neighbours=add-remove",
            lines[i]);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = counts, .count = 3}, tape,
                                &answer, NULL, NULL));
        for (size_t k = 0; k < 3; k++)
            CHECK_INT(scrim_answer_is_kept(answer, k), counts[k] > 0);
        scrim_answer_free(answer);
        sc_tape_free(tape);
        scrim_measurement_free(m);
    }
}

/* ---- noise that is left behind: the sampler leaves its last draw ---- */

enum { WIDE_VALUES = 8 };

typedef struct wide_answer {
    const scrim_measurement *m;
    sc_bits *bits;
    sc_int128 values[WIDE_VALUES];
    sc_mark marks[WIDE_VALUES];
} wide_answer;

/* Answers of 0: the values are the noise. */
static void add_noise(void *context)
{
    wide_answer *w = context;
    const sc_private_input none = {.count = 0};
    sc_draw out = {.values = w->values,
                   .marks = w->marks,
                   .count = WIDE_VALUES,
                   .capacity = WIDE_VALUES};
    CHECK_STATUS(w->m->mechanism->draw(w->m, w->bits, &none, &out, NULL), SCRIM_OK);
}

TEST(robust_wipes_its_noise)
{
    CLAIM("robust-wrapping.wiped");
    static wide_answer w;
    sc_tape *tape = NULL;
    scrim_measurement *m =
        choices_new("robust rho=1e6 epsilon=1e-9 of laplace sensitivity=1 epsilon=1 "
                    "neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    w.m = m;
    w.bits = sc_tape_bits_of(tape);
    for (size_t i = 0; i < WIDE_VALUES; i++)
        w.marks[i] = SC_MARK_VALUE;
    remains_run(add_noise, &w);
    for (size_t i = 0; i + 1 < WIDE_VALUES; i++) {
        masked noise;
        CHECK(w.values[i] != 0);
        masked_set(&noise, &w.values[i]);
        CHECK_INT(stack_remains(&noise), 0);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}
