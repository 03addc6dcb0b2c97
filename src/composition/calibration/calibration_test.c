#include "balls.h"
#include "curves.h"
#include "faults.h"
#include "model/measurement.h"
#include "scrim/calibration.h"
#include "scrim/composition.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cost of a line alone at an epsilon, by its own exact curve. */
static void delta_of_line(const char *text, const char *epsilon, sc_ball *out)
{
    scrim_measurement *m = NULL;
    if (!CHECK_STATUS(scrim_measurement_parse_model(text, &m, NULL), SCRIM_OK))
        return;
    curves_delta(&m->cost.curve, epsilon, out);
    scrim_measurement_free(m);
}

static bool is_within(const sc_ball *x, const char *limit)
{
    sc_ball wanted;
    sc_ball_init(&wanted);
    CHECK(ball_set_text(&wanted, limit, EXACT_BITS));
    bool result = sc_ball_is_less_equal(x, &wanted);
    sc_ball_clear(&wanted);
    return result;
}

/* One case in `of`, or all cases with the full counts. */
static bool is_chosen(size_t index, size_t of)
{
    return check_is_long() || index % of == 0;
}

/* The line with another value of the parameter. */
static const char *line_with(const scrim_calibration *found, const char *value,
                             char text[SCRIM_CALIBRATION_TEXT_BYTES])
{
    char key[32];
    snprintf(key, sizeof key, " %s=", found->parameter);
    const char *at = strstr(found->text, key);
    if (at == NULL) {
        CHECK_FAIL("%s has no %s", found->text, key);
        return found->text;
    }
    const char *rest = at + strlen(key) + strcspn(at + strlen(key), " ");
    snprintf(text, SCRIM_CALIBRATION_TEXT_BYTES, "%.*s%s%s%s", (int)(at - found->text),
             found->text, key, value, rest);
    return text;
}

/* One release: the definition itself. The law of what was found has at most delta at epsilon, that
 * of the next candidate has more. */
SLOW_TEST(calibration_of_one_release_is_the_definition)
{
    CLAIM("calibration.within");
    CLAIM("calibration.nearest");
    CLAIM("calibration-attempt.sound");
    CLAIM("calibration-find.tried");
    static const char *const epsilons[] = {"0.1", "1/3", "1", "3", "10"};
    static const char *const deltas[] = {"1e-12", "1e-6", "0.01"};
    static const char *const lines[] = {"laplace", "laplace sensitivity=7", "gaussian",
                                        "gaussian sensitivity=3 grid=0.25",
                                        "exponential sensitivity=2"};
    for (size_t e = 0; e < COUNT(epsilons); e++)
        for (size_t d = 0; d < COUNT(deltas); d++)
            for (size_t l = 0; l < COUNT(lines); l++) {
                scrim_calibration found;
                char text[SCRIM_CALIBRATION_TEXT_BYTES];
                sc_ball delta;
                if (!is_chosen(e + d + l, 7))
                    continue;
                REQUIRE_OK(scrim_calibrate(lines[l],
                                           SCRIM_OPTIONS(scrim_calibrate_options,
                                                         .epsilon = epsilons[e],
                                                         .delta = deltas[d]),
                                           &found, NULL));
                sc_ball_init(&delta);
                delta_of_line(found.text, epsilons[e], &delta);
                CHECK(is_within(&delta, deltas[d]));
                REQUIRE(found.next[0] != '\0');
                delta_of_line(line_with(&found, found.next, text), epsilons[e], &delta);
                CHECK(!is_within(&delta, deltas[d]));
                sc_ball_clear(&delta);
            }
}

/* Vectors of the discrete Gaussian: the smallest j/64 from the continuous one on is never better
 * than what is found, but for the six digits. */
SLOW_TEST(calibration_matches_the_gaussian_vectors)
{
    CLAIM("calibration.within");
    json_t *rows = json_object_get(
               vectors_load("mechanisms", "discrete_gaussian_calibration"), "rows"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        scrim_calibration found;
        char line[64];
        if (!is_chosen(index, 6))
            continue;
        const json_t *pair = json_object_get(row, "sigma2");
        double variance = (double)json_integer_value(json_array_get(pair, 0)) / 64;
        snprintf(line, sizeof line, "gaussian sensitivity=%lld",
                 (long long)json_integer_value(json_object_get(row, "D")));
        REQUIRE_OK(scrim_calibrate(
            line,
            SCRIM_OPTIONS(scrim_calibrate_options,
                          .epsilon = json_string_value(json_object_get(row, "epsilon")),
                          .delta = json_string_value(json_object_get(row, "delta"))),
            &found, NULL));
        double sigma = strtod(found.value, NULL);
        CHECK(sigma <= sqrt(variance) * 1.00002);
        /* j/64 is the next above: nothing more than a step apart, but where noise is small. */
        CHECK(sigma * sigma >= variance * 0.8 - 0.1);
    }
}

/* Several releases without a delta: an even part of epsilon each, exactly. */
TEST(calibration_without_delta_divides)
{
    CLAIM("calibration.within");
    CLAIM("calibration.nearest");
    CLAIM("calibration.cost");
    static const struct {
        const char *line, *epsilon;
        uint64_t count;
        const char *value, *next;
    } list[] = {
        {"laplace", "1", 100, "100", "99.9999"},
        {"laplace sensitivity=3", "1/10", 7, "210", "209.999"},
        {"laplace sensitivity=1 grid=0.1", "3", 1, "1/3", "0.333333"},
        {"exponential", "1", 3, "1/3", "0.333334"},
        {"permute-and-flip sensitivity=5", "0.7", 1, "0.7", "0.700001"},
        {"noisy-max", "2", 8, "0.25", "0.250001"},
        {"above-threshold", "1", 4, "0.25", "0.250001"},
        {"top-k k=3", "1", 10, "0.1", "0.100001"},
        {"quantile p=1/2 lower=0 upper=10", "1", 2, "0.5", "0.500001"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_calibration found;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(scrim_calibrate(list[i].line,
                                          SCRIM_OPTIONS(scrim_calibrate_options,
                                                        .epsilon = list[i].epsilon,
                                                        .count = list[i].count),
                                          &found, &error),
                          SCRIM_OK)) {
            CHECK_STR(error.message, "");
            continue;
        }
        CHECK_STR(found.value, list[i].value);
        CHECK_STR(found.next, list[i].next);
        CHECK(found.is_exact);
        CHECK_STR(found.source, "basic");
        CHECK_STR(found.joint.delta, "0");
        sc_ratio wanted, told;
        exact_ratio(list[i].epsilon, &wanted);
        exact_ratio(found.joint.epsilon, &told);
        CHECK_INT(sc_ratio_compare(&wanted, &told), 0);
        sc_ratio_clear(&told);
        sc_ratio_clear(&wanted);
    }
}

/* With a delta, many releases cost less together than the sum: less noise is enough. */
SLOW_TEST(calibration_of_many_is_better_than_division)
{
    CLAIM("calibration.cost");
    static const char *const lines[] = {"laplace", "exponential", "gaussian"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_calibration many, one;
        REQUIRE_OK(scrim_calibrate(lines[i],
                                   SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1",
                                                 .delta = "1e-6", .count = 100),
                                   &many, NULL));
        REQUIRE_OK(scrim_calibrate(
            lines[i],
            SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1/100", .delta = "1e-8"),
            &one, NULL));
        double better = strtod(many.value, NULL) / strtod(one.value, NULL);
        CHECK(i == 1 ? better > 1.5 : better < 0.7);
        CHECK(many.delta_upper <= 1e-6);
        CHECK(strtod(many.joint.epsilon, NULL) <= 1);
        CHECK(strtod(many.joint.epsilon, NULL) > 0.99);
        CHECK(many.epsilon_lower <= strtod(many.joint.epsilon, NULL));
    }
}

/* Releases may have different shares of delta each; the share with the smallest error is taken. */
SLOW_TEST(calibration_takes_the_best_share_of_delta)
{
    CLAIM("calibration.cost");
    static const char *const shares[] = {"1/64000000", "1/128000000", "1/512000000"};
    const scrim_calibrate_options *options = SCRIM_OPTIONS(
        scrim_calibrate_options, .epsilon = "1", .delta = "1e-6", .count = 64);
    scrim_calibration found, other;
    double least = HUGE_VAL, most = 0;
    REQUIRE_OK(scrim_calibrate("truncated-laplace sensitivity=1", options, &found, NULL));
    for (size_t i = 0; i < COUNT(shares); i++) {
        char line[96];
        snprintf(line, sizeof line, "truncated-laplace sensitivity=1 delta=%s",
                 shares[i]);
        REQUIRE_OK(scrim_calibrate(line, options, &other, NULL));
        const double error = strtod(other.certificate.radius, NULL);
        least = error < least ? error : least;
        most = error > most ? error : most;
    }
    CHECK(least < 0.8 * most);
    CHECK_NEAR(strtod(found.certificate.radius, NULL), least, 1e-9);
}

/* The delta at an epsilon of `count` releases by all accountants; its truth is from lower to upper. */
static bool compose(const char *line, unsigned count, const char *epsilon, double *lower,
                    double *upper)
{
    char text[SCRIM_CALIBRATION_TEXT_BYTES + 32];
    scrim_composition *parts = NULL;
    scrim_bounds bounds;
    snprintf(text, sizeof text, "%s x%u", line, count);
    const bool is_well =
        CHECK_STATUS(scrim_composition_parse(text, &parts, NULL), SCRIM_OK) &&
        CHECK_STATUS(scrim_composition_delta(parts, epsilon, NULL, &bounds, NULL),
                     SCRIM_OK);
    if (is_well) {
        *lower = bounds.best.lower_view;
        *upper = bounds.best.upper_view;
        scrim_bounds_clear(&bounds);
    }
    scrim_composition_free(parts);
    return is_well;
}

/* Pure releases on samples: each costs ln(1 + q (exp(1/scale) - 1)) without a delta. */
TEST(calibration_on_samples_is_the_formula)
{
    CLAIM("calibration.within");
    CLAIM("calibration.nearest");
    static const double rate = 0.01;
    scrim_calibration found;
    REQUIRE_OK(scrim_calibrate(
        "poisson rate=0.01 laplace sensitivity=1",
        SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1", .count = 100), &found,
        NULL));
    CHECK_STR(
        found.text,
        "poisson rate=0.01 laplace sensitivity=1 scale=1.4375 neighbours=add-remove");
    CHECK(100 * log1p(rate * expm1(1 / strtod(found.value, NULL))) <= 1);
    CHECK(100 * log1p(rate * expm1(1 / strtod(found.next, NULL))) > 1);
    CHECK_NEAR(strtod(found.joint.epsilon, NULL), 1, 1e-4);
    CHECK_STR(found.joint.rho, "");
    /* A rate of 1 is no sampling. */
    REQUIRE_OK(scrim_calibrate(
        "poisson rate=1 laplace sensitivity=1",
        SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1", .count = 100), &found,
        NULL));
    CHECK_STR(found.text, "laplace sensitivity=1 scale=100 neighbours=add-remove");
    scrim_error error = {.message = ""};
    CHECK_STATUS(scrim_calibrate("poisson laplace sensitivity=1",
                                 SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1"),
                                 &found, &error),
                 SCRIM_E_SYNTAX);
    CHECK_STATUS(scrim_calibrate("poisson rate=1/2 laplace neighbours=replace",
                                 SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1"),
                                 &found, &error),
                 SCRIM_E_PARAM);
}

/* On samples: what was found costs no more than the target by the accountants of any list, and the next candidate may
 * cost more. One release has an epsilon of its own at the delta. */
SLOW_TEST(calibration_on_samples_holds_by_composition)
{
    CLAIM("calibration.cost");
    CLAIM("calibration-find.tried");
    static const struct {
        const char *line;
        unsigned count;
    } list[] = {{"poisson rate=0.1 laplace", 100},
                {"poisson rate=0.01 gaussian", 1},
                {"poisson rate=0.01 exponential", 20}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_calibration found;
        char text[SCRIM_CALIBRATION_TEXT_BYTES];
        double lower = 0, upper = 0;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(
                scrim_calibrate(list[i].line,
                                SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1",
                                              .delta = "1e-5", .count = list[i].count),
                                &found, &error),
                SCRIM_OK))
            CHECK_FAIL("%s: %s", list[i].line, error.message);
        REQUIRE(compose(found.text, list[i].count, "1", &lower, &upper));
        CHECK(lower <= 1e-5 && upper <= 1e-5);
        REQUIRE(compose(found.text, 1, found.alone.epsilon, &lower, &upper));
        CHECK(lower <= 1e-5);
        REQUIRE(found.next[0] != '\0');
        REQUIRE(compose(line_with(&found, found.next, text), list[i].count, "1", &lower,
                        &upper));
        if (!CHECK(upper > 1e-5))
            CHECK_FAIL("%s: the next has delta %g", list[i].line, upper);
    }
}

/* A target error: the certificate keeps it, that of the next candidate does not. */
SLOW_TEST(calibration_keeps_a_target_error)
{
    CLAIM("calibration.within");
    CLAIM("calibration.nearest");
    static const struct {
        const char *line, *error, *confidence;
        size_t values;
    } list[] = {{"laplace", "10", NULL, 1},
                {"laplace sensitivity=4 grid=0.01", "2.5", "0.99", 1},
                {"gaussian", "20", "0.9", 1},
                {"gaussian sensitivity=2 size=3", "7", NULL, 3},
                {"exponential candidates=10", "20", NULL, 10},
                {"permute-and-flip candidates=64", "5", "0.5", 64},
                {"quantile p=1/2 lower=0 upper=100", "50", NULL, 1}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_calibration found;
        char text[SCRIM_CALIBRATION_TEXT_BYTES];
        scrim_error error = {.message = ""};
        scrim_measurement *m = NULL;
        scrim_certificate certificate;
        if (!CHECK_STATUS(scrim_calibrate(list[i].line,
                                          SCRIM_OPTIONS(scrim_calibrate_options,
                                                        .target_error = list[i].error,
                                                        .confidence = list[i].confidence),
                                          &found, &error),
                          SCRIM_OK)) {
            CHECK_STR(error.message, "");
            continue;
        }
        CHECK_INT(found.values, list[i].values);
        CHECK(strtod(found.certificate.radius, NULL) <= strtod(list[i].error, NULL));
        REQUIRE(found.next[0] != '\0');
        REQUIRE_OK(
            scrim_measurement_parse_model(line_with(&found, found.next, text), &m, NULL));
        REQUIRE_OK(scrim_measurement_certify(
            m, list[i].confidence == NULL ? "0.95" : list[i].confidence, list[i].values,
            &certificate, NULL));
        CHECK(strtod(certificate.radius, NULL) > strtod(list[i].error, NULL));
        scrim_measurement_free(m);
    }
}

/* A vector is not one of its values: noise for a shift of (1, 1, 1, 1) costs more than noise for one
 * of 2, so that --values 4 is the line with size=4, to the letter. */
TEST(calibration_of_a_vector_is_that_of_its_size)
{
    CLAIM("noise-line.whole");
    scrim_calibration asked, said, single;
    REQUIRE_OK(scrim_calibrate("gaussian sensitivity=2",
                               SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "2",
                                             .delta = "0.1", .values = 4),
                               &asked, NULL));
    REQUIRE_OK(scrim_calibrate(
        "gaussian sensitivity=2 size=4",
        SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "2", .delta = "0.1"), &said,
        NULL));
    REQUIRE_OK(scrim_calibrate(
        "gaussian sensitivity=2",
        SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "2", .delta = "0.1"), &single,
        NULL));
    CHECK_STR(asked.text, said.text);
    CHECK(strtod(asked.value, NULL) > 1.005 * strtod(single.value, NULL));
    CHECK(strtod(asked.value, NULL) < 1.2 * strtod(single.value, NULL));
    scrim_error error = {.message = ""};
    CHECK_STATUS(scrim_calibrate("gaussian size=3",
                                 SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "2",
                                               .delta = "0.1", .values = 4),
                                 &asked, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "values is 4, and the line says 3: give one of them");
}

/* Candidates are counted one by one, of how many nobody knows; points of a curve are known. */
typedef struct told {
    uint64_t calls, done, total;
} told;

static void count_calls(void *context, uint64_t done, uint64_t total)
{
    told *t = context;
    t->calls++;
    t->done = done;
    t->total = total;
    CHECK_INT(done, t->calls);
}

SLOW_TEST(calibration_tells_how_far_it_is)
{
    told t = {0};
    scrim_calibration found;
    scrim_calibration_point points[5];
    size_t written = 0;
    const scrim_calibrate_options options = {.size = sizeof options,
                                             .epsilon = "1",
                                             .delta = "1e-6",
                                             .progress = count_calls,
                                             .context = &t};
    REQUIRE_OK(scrim_calibrate("gaussian", &options, &found, NULL));
    CHECK(t.calls > 2 && t.total == 0);
    t = (told){0};
    REQUIRE_OK(scrim_calibration_curve("gaussian", &options, &found, COUNT(points),
                                       points, &written, NULL));
    CHECK(t.calls == COUNT(points) && t.total == COUNT(points));
    /* An older and shorter struct has no such members. */
    t = (told){0};
    scrim_calibrate_options older = options;
    older.size = offsetof(scrim_calibrate_options, progress);
    REQUIRE_OK(scrim_calibrate("gaussian", &older, &found, NULL));
    CHECK_INT(t.calls, 0);
}

/* Vectors of the epsilon for an accuracy: an integer error a is kept by the smallest epsilon with
 * 2 q^(a+1) / (1 + q) <= beta. */
SLOW_TEST(calibration_matches_the_accuracy_vectors)
{
    CLAIM("calibration.within");
    json_t *rows = json_object_get(
               vectors_load("mechanisms", "discrete_laplace_epsilon_for_accuracy"),
               "rows"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 10);
    json_array_foreach(rows, index, row)
    {
        scrim_calibration found;
        char error[32], confidence[64];
        long long a = (long long)json_integer_value(json_object_get(row, "a"));
        const char *beta = json_string_value(json_object_get(row, "beta"));
        sc_ratio one, part;
        if (a == 0)
            continue;
        snprintf(error, sizeof error, "%lld", a);
        exact_ratio("1", &one);
        exact_ratio(beta, &part);
        sc_ratio_sub(&one, &one, &part);
        sc_ratio_format(&one, confidence, sizeof confidence);
        REQUIRE_OK(
            scrim_calibrate("laplace",
                            SCRIM_OPTIONS(scrim_calibrate_options, .target_error = error,
                                          .confidence = confidence),
                            &found, NULL));
        CHECK_NEAR(1 / strtod(found.value, NULL),
                   strtod(json_string_value(json_object_get(row, "epsilon_min")), NULL),
                   2e-5);
        sc_ratio_clear(&part);
        sc_ratio_clear(&one);
    }
}

/* Whatever is asked for: an answer, or a refusal that says why. */
SLOW_TEST(calibration_meets_extreme_targets)
{
    CLAIM("calibration.within");
    static const char *const epsilons[] = {"1e-300", "1e-9", "50", "700"};
    static const char *const deltas[] = {"0", "1e-300", "1e-30", "0.9999999999999999"};
    static const char *const lines[] = {
        "laplace",     "gaussian",           "truncated-laplace",
        "exponential", "threshold-gaussian", "randomised-response"};
    static const uint64_t counts[] = {1, 1000};
    for (size_t e = 0; e < COUNT(epsilons); e++)
        for (size_t d = 0; d < COUNT(deltas); d++)
            for (size_t l = 0; l < COUNT(lines); l++)
                for (size_t c = 0; c < COUNT(counts); c++) {
                    scrim_calibration found;
                    scrim_error error = {.message = ""};
                    if (!is_chosen(e + 2 * d + 3 * l + 5 * c, 19))
                        continue;
                    scrim_status status = scrim_calibrate(
                        lines[l],
                        SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = epsilons[e],
                                      .delta = deltas[d], .count = counts[c]),
                        &found, &error);
                    if (status == SCRIM_OK) {
                        CHECK(!isnan(found.delta_upper) && !isnan(found.epsilon_lower));
                        CHECK(found.delta_upper <= strtod(deltas[d], NULL) * (1 + 1e-15));
                        CHECK(found.value[0] != '\0');
                    } else {
                        CHECK(status == SCRIM_E_PARAM || status == SCRIM_E_LIMIT);
                        CHECK(error.message[0] != '\0' &&
                              strchr(error.message, '\n') == NULL);
                    }
                }
}

TEST(calibration_refuses_bad_targets)
{
    static const struct {
        const char *line, *epsilon, *delta, *target, *confidence;
        uint64_t count;
        scrim_status status;
        const char *message;
    } list[] = {
        {"laplace", NULL, NULL, NULL, NULL, 0, SCRIM_E_PARAM, "missing target"},
        {"laplace", "1", NULL, "3", NULL, 0, SCRIM_E_PARAM, "not both"},
        {"laplace epsilon=1", "1", NULL, NULL, NULL, 0, SCRIM_E_PARAM, "given twice"},
        {"laplace", "0", NULL, NULL, NULL, 0, SCRIM_E_PARAM, "epsilon must be above 0"},
        {"laplace", "x", NULL, NULL, NULL, 0, SCRIM_E_SYNTAX, "epsilon: "},
        {"laplace", "1", "1", NULL, NULL, 0, SCRIM_E_PARAM,
         "delta must be at least 0 and less than 1"},
        {"laplace", "1", "-1/2", NULL, NULL, 0, SCRIM_E_PARAM,
         "delta must be at least 0 and less than 1"},
        {"laplace", NULL, NULL, "0", NULL, 0, SCRIM_E_PARAM,
         "target-error must be above 0"},
        {"laplace", NULL, NULL, "1", "1", 0, SCRIM_E_PARAM, "confidence must be above 0"},
        /* its noise ends at q, whatever epsilon is */
        {"stlap q=5", NULL, NULL, "10", NULL, 0, SCRIM_E_PARAM,
         "stlap is within 10 at every epsilon"},
        {"stlap q=5", "1", "1e-3", NULL, NULL, 0, SCRIM_E_PARAM,
         "it may need a larger delta"},
        {"laplace", "1", NULL, NULL, NULL, UINT64_C(1) << 41, SCRIM_E_PARAM,
         "count must be a whole number from 1 to 1099511627776"},
        {"gaussian", "1", NULL, NULL, NULL, 0, SCRIM_E_PARAM, "delta is missing"},
        {"threshold-laplace", "1", NULL, NULL, NULL, 0, SCRIM_E_PARAM,
         "delta is missing"},
        {"laplace foo=1", "1", NULL, NULL, NULL, 0, SCRIM_E_PARAM,
         "unknown parameter 'foo'"},
        {"laplace foo", "1", NULL, NULL, NULL, 0, SCRIM_E_SYNTAX, "foo"},
        {"laplace sensitivity=0", "1", NULL, NULL, NULL, 0, SCRIM_E_PARAM, "sensitivity"},
        {"laplace", "1e-300", NULL, NULL, NULL, 0, SCRIM_E_PARAM,
         "epsilon: no scale from"},
        {"laplace", NULL, NULL, "1e-30", NULL, 0, SCRIM_OK, ""},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_calibration found;
        scrim_error error = {.message = ""};
        CHECK_STATUS(
            scrim_calibrate(
                list[i].line,
                SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = list[i].epsilon,
                              .delta = list[i].delta, .target_error = list[i].target,
                              .confidence = list[i].confidence, .count = list[i].count),
                &found, &error),
            list[i].status);
        if (strstr(error.message, list[i].message) == NULL)
            CHECK_STR(error.message, list[i].message);
    }
    scrim_calibration found;
    CHECK_STATUS(
        scrim_calibrate("laplace epsilon=1", &(scrim_calibrate_options){0}, &found, NULL),
        SCRIM_E_PARAM);
    CHECK_STATUS(scrim_calibrate(NULL, NULL, &found, NULL), SCRIM_E_SYNTAX);
}

/* The curve goes down: less error for more epsilon. */
SLOW_TEST(calibration_curve_falls)
{
    scrim_calibration found;
    scrim_calibration_point points[9];
    size_t written = 0;
    const scrim_calibrate_options *options = SCRIM_OPTIONS(
        scrim_calibrate_options, .epsilon = "1", .delta = "1e-6", .count = 10);
    REQUIRE_OK(scrim_calibrate("laplace", options, &found, NULL));
    REQUIRE_OK(scrim_calibration_curve("laplace", options, &found, COUNT(points), points,
                                       &written, NULL));
    CHECK_INT(written, COUNT(points));
    for (size_t i = 1; i < written; i++) {
        CHECK(points[i].epsilon_upper > points[i - 1].epsilon_upper);
        CHECK(points[i].error_upper <= points[i - 1].error_upper);
    }
    CHECK_NEAR(points[4].epsilon_upper, 1, 1e-3);
    CHECK_STATUS(scrim_calibration_curve("gaussian", options, &found, COUNT(points),
                                         points, &written, NULL),
                 SCRIM_E_PARAM);
}

/* An allocation that fails is a status, and nothing is written. */
FAULT_TEST(calibration_survives_a_lack_of_memory)
{
    FAULT_LOOP(fault)
    {
        scrim_calibration found = {.count = 77};
        scrim_error error = {.message = ""};
        scrim_status status = scrim_calibrate(
            "laplace sensitivity=2",
            SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1", .count = 3), &found,
            &error);
        if (status == SCRIM_OK)
            CHECK_STR(found.value, "6");
        else {
            CHECK_STATUS(status, SCRIM_E_MEMORY);
            CHECK_INT(found.count, 77);
        }
        CHECK(fault_hit() == (status != SCRIM_OK));
    }
}
