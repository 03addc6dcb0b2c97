#include "audit/audit_report.h"
#include "check.h"
#include "faults.h"
#include "scrim.h"
#include "toy_mechanism.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scrim_audit_report *audit_of(const char *line, const scrim_audit_options *options)
{
    scrim_measurement *m = toy_measurement(line);
    scrim_audit_report *report = NULL;
    scrim_error error;
    if (m != NULL && scrim_audit(m, options, &report, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    scrim_measurement_free(m);
    return report;
}

/* A list of its own, sorted; everything that a program may ask. */
TEST(report_shows_the_whole_curve)
{
    CLAIM("audit.violation");
    const char *const epsilons[] = {"1", "0", "1/4"};
    scrim_audit_report *r = audit_of(
        "a=1/4 b=3/4 epsilon=1 pairs=3 where=2",
        SCRIM_OPTIONS(scrim_audit_options, .epsilons = epsilons, .epsilon_count = 3));
    REQUIRE(r != NULL);
    const double epsilon[] = {0, 0.25, 1};
    const char *const text[] = {"0", "0.25", "1"};
    CHECK_INT((int64_t)scrim_audit_report_points(r), 3);
    for (size_t i = 0; i < 3; i++) {
        scrim_audit_point point;
        const double e0 = exp(1), want = 0.75 - exp(epsilon[i]) / 4;
        REQUIRE_OK(scrim_audit_report_point(r, i, &point, NULL));
        CHECK_STR(point.epsilon, text[i]);
        CHECK_NEAR(point.epsilon_view, epsilon[i], 1e-15);
        CHECK_NEAR(point.delta_lower, want, 1e-14);
        CHECK_NEAR(point.delta_upper, want, 1e-14);
        CHECK(point.delta_lower <= point.delta_upper);
        CHECK_NEAR(point.claimed_upper, fmax(0, (e0 - exp(epsilon[i])) / (1 + e0)),
                   1e-14);
        CHECK_STR(point.pair, "x: 4 | y: 5");
        CHECK_INT(point.verdict, SCRIM_AUDIT_VIOLATED);
    }
    scrim_audit_point point;
    scrim_error error;
    CHECK_STATUS(scrim_audit_report_point(r, 3, &point, &error), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_audit_report_charged(r, &point, NULL));
    CHECK_STR(point.epsilon, "1");
    CHECK(point.claimed_upper == 0);
    scrim_audit_loss loss;
    scrim_audit_report_loss(r, &loss);
    CHECK_NEAR(loss.loss_lower, log(3), 1e-15);
    CHECK_NEAR(loss.loss_upper, log(3), 1e-15);
    CHECK(loss.claimed_upper == 1 && loss.unlisted_upper == 0);
    CHECK_INT((int64_t)scrim_audit_report_orders(r), 5);
    scrim_audit_order order;
    REQUIRE_OK(scrim_audit_report_order(r, 2, &order, NULL));
    CHECK_STR(order.order, "2");
    CHECK_NEAR(order.renyi_lower, log(27.0 / 12 + 1.0 / 12), 1e-14);
    CHECK_STATUS(scrim_audit_report_order(r, 5, &order, &error), SCRIM_E_PARAM);
    CHECK_INT((int64_t)scrim_audit_report_pairs(r), 3);
    CHECK_INT((int64_t)scrim_audit_report_outcomes(r), 2);
    scrim_cost cost;
    scrim_audit_report_cost(r, &cost);
    CHECK_STR(cost.epsilon, "1");
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_VIOLATED);
    CHECK_INT(scrim_audit_report_is_tight(r), 0);
    CHECK_STR(scrim_audit_report_worst_pair(r), "x: 4 | y: 5");
    CHECK_STR(scrim_audit_report_summary(r),
              "the privacy loss reaches 1.098612, more than the claimed 1.000000, on "
              "x: 4 | y: 5");
    CHECK_STATUS(scrim_audit_check(r, &error), SCRIM_E_CHECK);
    CHECK(strstr(error.message, "1.098612") != NULL);
    scrim_audit_report_free(r);
}

TEST(report_says_that_a_claim_holds)
{
    CLAIM("audit.holds");
    scrim_audit_report *r = audit_of("a=1/4 b=3/4 epsilon=1.1", NULL);
    scrim_error error;
    REQUIRE(r != NULL);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_HOLDS);
    CHECK_INT(scrim_audit_report_is_tight(r), 1); /* ln 3 is within a hundredth */
    CHECK_STATUS(scrim_audit_check(r, &error), SCRIM_OK);
    CHECK_INT((int64_t)scrim_audit_report_points(r), 41);
    scrim_audit_point first, charged, last;
    REQUIRE_OK(scrim_audit_report_point(r, 0, &first, NULL));
    REQUIRE_OK(scrim_audit_report_point(r, 32, &charged, NULL));
    REQUIRE_OK(scrim_audit_report_point(r, 40, &last, NULL));
    CHECK_STR(first.epsilon, "0");
    CHECK_STR(charged.epsilon, "1.1");
    CHECK_STR(last.epsilon, "1.375");
    scrim_audit_report_free(r);
    r = audit_of("a=1/4 b=3/4 epsilon=2", NULL);
    REQUIRE(r != NULL);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_HOLDS);
    CHECK_INT(scrim_audit_report_is_tight(r), 0);
    scrim_audit_report_free(r);
}

/* The summary is about the statement that is attained, wherever it stands. */
TEST(report_is_about_what_attains_the_claim)
{
    CLAIM("audit.attained");
    /* The loss is ln 2 of 2; that of order 1, (ln 2 + ln 2/3) / 2, is all of rho but a bit. */
    scrim_audit_report *r = audit_of("a=3/4 b=1/2 epsilon=2 rho=0.144", NULL);
    REQUIRE(r != NULL);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_HOLDS);
    CHECK_INT(scrim_audit_report_is_tight(r), 1);
    CHECK_STR(scrim_audit_report_summary(r),
              "the Renyi divergence of order 1.000000 reaches 0.1438410; claimed is "
              "0.1440000, on x: 1 | y: 0");
    CHECK_STR(scrim_audit_report_worst_pair(r), "x: 1 | y: 0");
    scrim_audit_report_free(r);
}

/* A statement that cannot be decided is told as such, and is no pass. */
TEST(report_says_that_it_does_not_know)
{
    CLAIM("audit.holds");
    scrim_audit_report *r = audit_of("a=1/2 b=1/2 epsilon=1 rest=1/10", NULL);
    scrim_error error;
    REQUIRE(r != NULL);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_UNDECIDED);
    CHECK_STATUS(scrim_audit_check(r, &error), SCRIM_E_CHECK);
    CHECK(strstr(scrim_audit_report_summary(r), "neither is proved") != NULL);
    scrim_audit_report_free(r);
}

/* An order above rho alone, with all deltas in order, is a violation as well. */
TEST(report_counts_the_orders)
{
    CLAIM("audit.violation");
    scrim_audit_report *r = audit_of("a=3/4 b=1/2 epsilon=2 rho=0.12", NULL);
    scrim_audit_order order;
    REQUIRE(r != NULL);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_VIOLATED);
    CHECK(strstr(scrim_audit_report_summary(r), "the Renyi divergence of order") != NULL);
    REQUIRE_OK(scrim_audit_report_order(r, 0, &order, NULL));
    CHECK_STR(order.order, "1");
    CHECK_NEAR(order.claimed_upper, 0.12, 1e-14);
    CHECK_NEAR(order.renyi_lower, 0.5 * log(0.5 / 0.75) + 0.5 * log(2), 1e-12);
    CHECK_INT(order.verdict, SCRIM_AUDIT_VIOLATED);
    scrim_audit_report_free(r);
}

/* Against the sum over both answers, in the order in which they are given. */
TEST(audit_has_the_orders_that_are_asked_for)
{
    CLAIM("audit.holds");
    static const double orders[] = {64, 1.5, 1};
    scrim_audit_report *r =
        audit_of("a=3/4 b=1/4 epsilon=2",
                 SCRIM_OPTIONS(scrim_audit_options, .orders = "64, 3/2,1"));
    REQUIRE(r != NULL);
    CHECK_INT((int64_t)scrim_audit_report_orders(r), 3);
    for (size_t i = 0; i < COUNT(orders); i++) {
        scrim_audit_order order;
        const double a = orders[i],
                     want = a == 1 ? 0.75 * log(3) - 0.25 * log(3)
                                   : log(0.75 * pow(3, a - 1) + 0.25 * pow(3, 1 - a)) /
                                         (a - 1);
        REQUIRE_OK(scrim_audit_report_order(r, i, &order, NULL));
        CHECK_NEAR(order.renyi_lower, want, 1e-12);
        CHECK(order.renyi_upper >= order.renyi_lower);
    }
    scrim_audit_report_free(r);
    static const char *const wrong[] = {"", "0.9", "x", "2,", "1048577", "inf", "1e400"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        scrim_measurement *m = NULL;
        scrim_audit_report *none = NULL;
        REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &m, NULL));
        CHECK_STATUS(scrim_audit(m,
                                 SCRIM_OPTIONS(scrim_audit_options, .orders = wrong[i]),
                                 &none, NULL),
                     SCRIM_E_PARAM);
        scrim_measurement_free(m);
    }
}

/* Without an epsilon of its own: the curve alone. */
TEST(report_of_a_concentrated_claim_has_no_charged_pair)
{
    scrim_audit_report *r = audit_of("a=3/4 b=1/2 rho=1/2", NULL);
    scrim_audit_point point;
    scrim_audit_loss loss;
    scrim_error error;
    REQUIRE(r != NULL);
    CHECK_STATUS(scrim_audit_report_charged(r, &point, &error), SCRIM_E_PARAM);
    scrim_audit_report_loss(r, &loss);
    CHECK(isinf(loss.claimed_upper) && loss.verdict == SCRIM_AUDIT_WATCHED);
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_HOLDS);
    CHECK_INT((int64_t)scrim_audit_report_points(r), 41);
    scrim_audit_report_free(r);
}

TEST(audit_refuses_options_that_are_not_in_order)
{
    const char *const one[] = {"1"}, *const none[] = {NULL}, *const negative[] = {"-1"},
                      *const word[] = {"x"};
    char wide[SCRIM_NUMBER_BYTES + 8] = "1";
    memset(wide + 1, '3', SCRIM_NUMBER_BYTES);
    const char *const too_wide[] = {wide};
    const struct {
        scrim_audit_options options;
        scrim_status want;
    } cases[] = {
        {{0}, SCRIM_E_PARAM},
        {{.points = 5}, SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .points = 1}, SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .points = 4097}, SCRIM_E_LIMIT},
        {{.size = sizeof(scrim_audit_options), .epsilons = one}, SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .epsilon_count = 1}, SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .epsilons = none, .epsilon_count = 1},
         SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .epsilons = negative, .epsilon_count = 1},
         SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .epsilons = word, .epsilon_count = 1},
         SCRIM_E_SYNTAX},
        {{.size = sizeof(scrim_audit_options), .epsilons = too_wide, .epsilon_count = 1},
         SCRIM_E_LIMIT},
        {{.size = sizeof(scrim_audit_options),
          .epsilons = one,
          .epsilon_count = 1,
          .points = 3},
         SCRIM_E_PARAM},
        {{.size = sizeof(scrim_audit_options), .points = 2}, SCRIM_OK},
    };
    scrim_measurement *m = toy_measurement("a=1/4 b=3/4 epsilon=2");
    REQUIRE(m != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_audit_report *r = NULL;
        scrim_error error;
        CHECK_STATUS(scrim_audit(m, &cases[i].options, &r, &error), cases[i].want);
        CHECK((r != NULL) == (cases[i].want == SCRIM_OK));
        scrim_audit_report_free(r);
    }
    scrim_audit_report *r = NULL;
    CHECK_STATUS(scrim_audit(NULL, NULL, &r, NULL), SCRIM_E_PARAM);
    scrim_measurement_free(m);
}

TEST(audit_survives_without_memory)
{
    scrim_measurement *m = toy_measurement("a=1/4 b=3/4 epsilon=1 pairs=2");
    scrim_status status = SCRIM_E_MEMORY;
    uint64_t failures = 0;
    REQUIRE(m != NULL);
    FAULT_LOOP(fault)
    {
        scrim_audit_report *r = NULL;
        scrim_error error = {.message = ""};
        status =
            scrim_audit(m, SCRIM_OPTIONS(scrim_audit_options, .points = 3), &r, &error);
        if (fault_hit()) {
            CHECK_STATUS(status, SCRIM_E_MEMORY);
            CHECK(strstr(error.message, "memory") != NULL);
            CHECK(r == NULL);
            failures++;
        }
        scrim_audit_report_free(r);
    }
    CHECK_STATUS(status, SCRIM_OK);
    CHECK(failures > 20);
    scrim_measurement_free(m);
}

TEST(audit_of_laplace_is_exact)
{
    CLAIM("audit.holds");
    scrim_measurement *m = NULL;
    scrim_audit_report *r = NULL;
    scrim_audit_loss loss;
    REQUIRE_OK(
        scrim_measurement_parse_model("laplace epsilon=1/3 sensitivity=2", &m, NULL));
    REQUIRE_OK(scrim_audit(m, NULL, &r, NULL));
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_HOLDS);
    CHECK_INT(scrim_audit_report_is_tight(r), 1);
    scrim_audit_report_loss(r, &loss);
    CHECK_NEAR(loss.loss_lower, 1.0 / 3, 1e-14);
    CHECK(loss.unlisted_upper > 0 && loss.unlisted_upper < 1e-18);
    scrim_audit_report_free(r);
    scrim_measurement_free(m);
}

/* An outcome that only one of two inputs can have: in the second pair, and backwards. */
TEST(report_of_an_impossible_outcome_is_infinite)
{
    CLAIM("audit.violation");
    scrim_audit_report *r = audit_of("a=0 b=1/2 epsilon=1 pairs=3 where=1", NULL);
    scrim_audit_loss loss;
    REQUIRE(r != NULL);
    scrim_audit_report_loss(r, &loss);
    CHECK(isinf(loss.loss_lower) && isinf(loss.loss_upper));
    CHECK_STR(loss.pair, "x: 3 | y: 2");
    CHECK_INT(scrim_audit_report_verdict(r), SCRIM_AUDIT_VIOLATED);
    CHECK_STR(scrim_audit_report_summary(r),
              "the privacy loss is infinite, more than the claimed 1.000000, on "
              "x: 3 | y: 2");
    scrim_audit_report_free(r);
}
