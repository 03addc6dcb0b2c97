#include "check.h"
#include "scrim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scrim_flexible statement(const char *alpha, const char *beta, const char *gamma,
                                const char *metric)
{
    scrim_flexible out = {.distortion = "drop", .metric = metric};
    snprintf(out.alpha, sizeof out.alpha, "%s", alpha);
    snprintf(out.beta, sizeof out.beta, "%s", beta);
    snprintf(out.gamma, sizeof out.gamma, "%s", gamma);
    return out;
}

TEST(flexible_statement_is_composed_from_text)
{
    const scrim_flexible first = statement("1/10", "1/2", "1/100", "move");
    const scrim_flexible second = statement("1/5", "3", "1/50", "absolute");
    scrim_flexible out;
    REQUIRE_OK(scrim_flexible_apply(&first, "move", "same", "absolute", &out, NULL));
    CHECK_STR(out.alpha, "0.1");
    CHECK_STR(out.beta, "0.5");
    CHECK_STR(out.metric, "absolute");
    REQUIRE_OK(scrim_flexible_apply(&first, "move", "2", "absolute", &out, NULL));
    CHECK_STR(out.beta, "1");
    REQUIRE_OK(scrim_flexible_apply(&first, "move", "unbounded", "absolute", &out, NULL));
    CHECK_STR(out.beta, "");
    REQUIRE_OK(scrim_flexible_then(&first, &second, "move", "same", &out, NULL));
    CHECK_STR(out.alpha, "0.28");
    CHECK_STR(out.beta, "3.5");
    CHECK_STR(out.gamma, "0.03");
    CHECK_STR(out.distortion, "drop");
    CHECK_STATUS(scrim_flexible_apply(&first, "sup", "same", "absolute", &out, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_flexible_apply(&first, "move", "-1", "absolute", &out, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_flexible_apply(&first, "move", "a bit", "absolute", &out, NULL),
                 SCRIM_E_PARAM);
    scrim_flexible moved = second;
    moved.distortion = "move";
    CHECK_STATUS(scrim_flexible_then(&first, &moved, "move", "same", &out, NULL),
                 SCRIM_E_PARAM);
    moved.distortion = "shake";
    CHECK_STATUS(scrim_flexible_then(&first, &moved, "move", "same", &out, NULL),
                 SCRIM_E_PARAM);
}

/* For noise the best beta is the radius of its certificate; a value that can be reached by
 * distorting the input brings it down. */
TEST(flexible_statement_of_a_mechanism_and_an_input)
{
    scrim_measurement *m = NULL;
    scrim_certificate certificate;
    char beta[SCRIM_NUMBER_BYTES];
    const int64_t input = 100, there[] = {100}, more[] = {110, 100, 90};
    REQUIRE_OK(scrim_measurement_parse_model("laplace scale=3", &m, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
    CHECK_STATUS(scrim_flexible_evaluate(m, &input, 1, there, 1, "1/20", beta, NULL),
                 SCRIM_OK);
    CHECK_STR(beta, certificate.radius);
    CHECK_STATUS(scrim_flexible_evaluate(m, &input, 1, more, 3, "1/20", beta, NULL),
                 SCRIM_OK);
    CHECK_STR(beta, "5");
    CHECK_STATUS(scrim_flexible_evaluate(m, &input, 1, there, 1, "0", beta, NULL),
                 SCRIM_OK);
    CHECK_STR(beta, "inf");
    CHECK_STATUS(scrim_flexible_evaluate(m, &input, 1, there, 0, "0", beta, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_flexible_evaluate(m, &input, 1, there, 1, "2", beta, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_flexible_evaluate(m, more, 3, there, 1, "1/2", beta, NULL),
                 SCRIM_E_PARAM);
    scrim_measurement_free(m);
}

TEST(robust_bounds_are_rounded_up)
{
    scrim_robust_bounds out;
    REQUIRE_OK(scrim_robust_bounds_of("2", "1/2", "1/20", &out, NULL));
    /* 4 times 0.80021..., 4 times 2.99573..., and that of outputs, which is more than epsilon. */
    CHECK_NEAR(strtod(out.average, NULL), 4 * 0.8002133863223004503, 1e-15);
    CHECK_NEAR(strtod(out.worst, NULL), 4 * 2.995732273553990993, 1e-15);
    CHECK_NEAR(strtod(out.output_epsilon, NULL), 1.473809181241937481, 1e-15);
    REQUIRE_OK(scrim_robust_bounds_of("2", "1/2", "0", &out, NULL));
    CHECK_STR(out.average, "4");
    CHECK_STR(out.worst, "inf");
    CHECK_STATUS(scrim_robust_bounds_of("0", "1", "0.1", &out, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_robust_bounds_of("1", "0", "0.1", &out, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_robust_bounds_of("1", "1", "1.1", &out, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_robust_bounds_of("x", "1", "0.1", &out, NULL), SCRIM_E_PARAM);
}

TEST(theta_sensitivity_of_laws_as_text)
{
    const scrim_place a[] = {{"0", "0.9"}, {"40", "0.1"}}, b[] = {{"1/2", NULL}};
    const scrim_place c[] = {{"0", NULL}};
    const scrim_law_list laws[] = {{a, 2}, {b, 1}, {c, 1}};
    const scrim_law_pair pairs[] = {{0, 1}, {0, 2}, {2, 1}}, none[] = {{0, 3}};
    scrim_distance out;
    REQUIRE_OK(scrim_theta_sensitivity(laws, 3, pairs, 3, "0", &out, NULL));
    CHECK_STR(out.exact, "40");
    REQUIRE_OK(scrim_theta_sensitivity(laws, 3, pairs, 3, "1/10", &out, NULL));
    CHECK_STR(out.exact, "0.5");
    REQUIRE_OK(scrim_theta_sensitivity(laws, 3, pairs + 1, 1, "1/10", &out, NULL));
    CHECK_STR(out.exact, "0");
    CHECK_STATUS(scrim_theta_sensitivity(laws, 3, none, 1, "0", &out, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_theta_sensitivity(laws, 3, pairs, 3, "1.5", &out, NULL),
                 SCRIM_E_PARAM);
}

TEST(robust_measurements_state_their_robustness)
{
    CLAIM("robust.stated");
    scrim_measurement *m = NULL;
    scrim_robustness found = {.rho = "7"};
    scrim_robust_bounds bounds;
    REQUIRE_OK(scrim_measurement_parse_model(
        "robust-laplace rho=0.3 epsilon=1 theta=1/20", &m, NULL));
    REQUIRE_OK(scrim_measurement_robustness(m, &found, NULL));
    REQUIRE_OK(scrim_robust_bounds_of("0.3", "1", "0", &bounds, NULL));
    CHECK_STR(found.rho, "0.3");
    CHECK_STR(found.epsilon, "1");
    CHECK_STR(found.theta, "0.05");
    CHECK_STR(found.output_epsilon, bounds.output_epsilon);
    scrim_measurement_free(m);
    REQUIRE_OK(scrim_measurement_parse_model("gaussian rho=0.3", &m, NULL));
    CHECK_STATUS(scrim_measurement_robustness(m, &found, NULL), SCRIM_E_PARAM);
    CHECK_STR(found.rho, "0.3");
    scrim_measurement_free(m);
}

/* Discrete Laplace noise: the mean of |Z| below the cut, by summation. */
TEST(flexible_average_drops_the_largest_errors)
{
    CLAIM("flexible-evaluation.average");
    static const char *const gammas[] = {"1/20", "1/2", "1"};
    scrim_measurement *m = NULL;
    const int64_t input = 10;
    char beta[SCRIM_NUMBER_BYTES];
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &m, NULL));
    for (size_t i = 0; i < 3; i++) {
        const double p = exp(-1), share = (1 - p) / (1 + p);
        double left = i == 0 ? 0.05 : i == 1 ? 0.5 : 1, want = 0;
        for (int k = 80; k > 0; k--) {
            const double mass = 2 * share * pow(p, k), dropped = fmin(left, mass);
            left -= dropped;
            want += k * (mass - dropped);
        }
        CHECK_STATUS(scrim_flexible_evaluate_average(m, &input, 1, &input, 1, gammas[i],
                                                     beta, NULL),
                     SCRIM_OK);
        CHECK_NEAR(strtod(beta, NULL), want, 1e-7);
        CHECK(strtod(beta, NULL) >= want - 1e-15);
    }
    scrim_measurement_free(m);
}

/* The mean of |Z| with nothing dropped: the tail that is not listed is less than the ninth decimal, to which
 * the result is rounded up. */
TEST(flexible_average_bounds_what_is_not_listed)
{
    CLAIM("flexible-evaluation.average");
    static const char *const lines[] = {"laplace epsilon=1", "laplace epsilon=1/8",
                                        "gaussian rho=1/8", "laplace epsilon=1 grid=1/4"};
    /* 1/sinh(epsilon), and for variance 4 by summation. */
    double normal = 0, total = 0;
    for (int k = -60; k <= 60; k++) {
        normal += abs(k) * exp(-k * k / 8.0);
        total += exp(-k * k / 8.0);
    }
    const double want[] = {1 / sinh(1), 1 / sinh(0.125), normal / total,
                           0.25 / sinh(0.25)};
    const char *const input[] = {"10"}, *const far[] = {"1000000000"};
    char beta[SCRIM_NUMBER_BYTES];
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = NULL;
        REQUIRE_OK(scrim_measurement_parse_model(lines[i], &m, NULL));
        REQUIRE_OK(scrim_flexible_evaluate_numbers(
            m, &(scrim_flexible_question){input, 1, input, 1, "0", 1}, beta, NULL));
        CHECK_NEAR(strtod(beta, NULL), want[i], 2e-9);
        CHECK(strtod(beta, NULL) >= want[i] - 1e-14);
        REQUIRE_OK(scrim_flexible_evaluate_numbers(
            m, &(scrim_flexible_question){input, 1, far, 1, "0", 1}, beta, NULL));
        CHECK_NEAR(strtod(beta, NULL), 999999990.0, 1e-6);
        scrim_measurement_free(m);
    }
}

/* In steps and in the unit of the input. */
TEST(flexible_evaluation_knows_the_grid)
{
    scrim_measurement *m = NULL;
    const int64_t input = 125, reachable[] = {123, 129};
    const char *const number[] = {"12.5"}, *const right[] = {"12.3", "129/10"},
                      *const between[] = {"12.55"}, *const large[] = {"1e30"};
    char steps[SCRIM_NUMBER_BYTES], beta[SCRIM_NUMBER_BYTES];
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1 grid=1/10", &m, NULL));
    REQUIRE_OK(scrim_flexible_evaluate(m, &input, 1, reachable, 2, "1/20", steps, NULL));
    REQUIRE_OK(scrim_flexible_evaluate_numbers(
        m, &(scrim_flexible_question){number, 1, right, 2, "1/20", 0}, beta, NULL));
    CHECK_NEAR(strtod(beta, NULL), strtod(steps, NULL) / 10, 1e-15);
    CHECK(strtod(beta, NULL) > 2);
    CHECK_STATUS(
        scrim_flexible_evaluate_numbers(
            m, &(scrim_flexible_question){between, 1, right, 2, "1/20", 0}, beta, NULL),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_flexible_evaluate_numbers(
            m, &(scrim_flexible_question){number, 1, large, 1, "1/20", 0}, beta, NULL),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_flexible_evaluate_numbers(
            m, &(scrim_flexible_question){number, 1, right, 0, "1/20", 0}, beta, NULL),
        SCRIM_E_PARAM);
    scrim_measurement_free(m);
}
