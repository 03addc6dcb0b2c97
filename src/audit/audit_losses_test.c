#include "audit/audit_report.h"
#include "check.h"
#include "scrim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static scrim_audit_losses *losses_of(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *report = NULL;
    scrim_audit_losses *losses = NULL;
    scrim_error error;
    if (scrim_measurement_parse_model(line, &m, &error) != SCRIM_OK ||
        scrim_audit(m, NULL, &report, &error) != SCRIM_OK ||
        scrim_audit_losses_new(m, report, &losses, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
    return losses;
}

/* P and Q of discrete Laplace noise in closed form: the loss is 1 up to 0 and -1 from 1 on. */
TEST(losses_of_laplace_noise_are_those_of_the_formula)
{
    CLAIM("audit.losses");
    scrim_audit_losses *l = losses_of("laplace epsilon=1");
    const double a = exp(-1), share = (1 - a) / (1 + a);
    scrim_error error;
    double sum = 0;
    REQUIRE(l != NULL);
    CHECK(scrim_audit_losses_count(l) > 80);
    CHECK_STR(scrim_audit_losses_pair(l), "x: 0 | y: 1");
    for (size_t i = 0; i < scrim_audit_losses_count(l); i++) {
        scrim_audit_outcome o;
        REQUIRE_OK(scrim_audit_losses_get(l, i, &o, &error));
        const double z = atof(o.outcome);
        CHECK_NEAR(o.x_lower, share * exp(-fabs(z)), 1e-15);
        CHECK_NEAR(o.y_upper, share * exp(-fabs(z - 1)), 1e-15);
        CHECK_NEAR(o.loss_lower, z <= 0 ? 1 : -1, 1e-15);
        CHECK(o.loss_lower <= o.loss_upper && o.loss_upper - o.loss_lower < 1e-15);
        CHECK_NEAR(o.reached_lower, z <= 0 ? 1 / (1 + a) : 1, 1e-15);
        CHECK(o.x_lower <= o.x_upper && o.reached_lower <= o.reached_upper);
        sum += o.x_upper;
    }
    CHECK_NEAR(sum, 1, 1e-14);
    CHECK(scrim_audit_losses_unlisted(l) > 0 && scrim_audit_losses_unlisted(l) < 1e-18);
    scrim_audit_losses_free(l);
}

/* The distribution of the loss has the delta of the audit: sum max(0, P - e^epsilon Q). */
SLOW_TEST(losses_have_the_divergence_of_the_report)
{
    CLAIM("audit.losses");
    static const char *const lines[] = {
        "gaussian rho=1/2", "randomised-response epsilon=1 neighbours=local",
        "stlap epsilon=1 q=6", "noisy-max epsilon=1 candidates=3",
        "range epsilon=1 width=3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = NULL;
        scrim_audit_report *r = NULL;
        scrim_audit_losses *l = NULL;
        scrim_audit_point point;
        scrim_error error;
        const char *const epsilon[] = {"1/2"};
        REQUIRE_OK(scrim_measurement_parse_model(lines[i], &m, &error));
        REQUIRE_OK(scrim_audit(
            m,
            SCRIM_OPTIONS(scrim_audit_options, .epsilons = epsilon, .epsilon_count = 1),
            &r, &error));
        REQUIRE_OK(scrim_audit_losses_new(m, r, &l, &error));
        REQUIRE_OK(scrim_audit_report_point(r, 0, &point, &error));
        double delta = 0, mass = 0, before = HUGE_VAL, reached = 0;
        for (size_t k = 0; k < scrim_audit_losses_count(l); k++) {
            scrim_audit_outcome o;
            REQUIRE_OK(scrim_audit_losses_get(l, k, &o, &error));
            CHECK(o.loss_lower <= before && o.reached_lower >= reached);
            before = o.loss_lower;
            reached = o.reached_lower;
            delta += fmax(0, o.x_upper - exp(0.5) * o.y_upper);
            mass += o.x_upper;
        }
        CHECK_NEAR(mass, 1, 1e-9);
        if (strcmp(point.pair, scrim_audit_losses_pair(l)) == 0)
            CHECK_NEAR(delta, point.delta_lower, 1e-12);
        else
            CHECK(delta <= point.delta_upper + 1e-12);
        scrim_audit_losses_free(l);
        scrim_audit_report_free(r);
        scrim_measurement_free(m);
    }
}

/* An outcome that x alone may have has an infinite loss, and stands first. */
TEST(losses_of_what_one_neighbour_alone_may_have_are_infinite)
{
    scrim_audit_losses *l = losses_of("range epsilon=1 width=3");
    scrim_audit_outcome o;
    REQUIRE(l != NULL);
    REQUIRE_OK(scrim_audit_losses_get(l, 0, &o, NULL));
    CHECK(isinf(o.loss_lower) && o.loss_lower > 0 && o.y_upper == 0 && o.x_lower > 0);
    CHECK(scrim_audit_losses_unlisted(l) == 0);
    REQUIRE_OK(scrim_audit_losses_get(l, scrim_audit_losses_count(l) - 1, &o, NULL));
    CHECK(isinf(o.loss_upper) && o.loss_upper < 0 && o.x_upper == 0 && o.y_lower > 0);
    scrim_audit_losses_free(l);
}

TEST(losses_are_found_by_their_outcome)
{
    scrim_audit_losses *l = losses_of("randomised-response epsilon=1 neighbours=local");
    scrim_audit_outcome o;
    scrim_error error;
    REQUIRE(l != NULL);
    REQUIRE_OK(scrim_audit_losses_find(l, " 1 ", &o, &error));
    CHECK_STR(o.outcome, "1");
    CHECK_STATUS(scrim_audit_losses_find(l, "1 1", &o, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "no listed outcome is '1 1'; one is '0'");
    CHECK_STATUS(scrim_audit_losses_find(l, "", &o, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_audit_losses_get(l, 2, &o, &error), SCRIM_E_PARAM);
    scrim_audit_losses_free(l);
}

/* Answers in words; a value at the end of the range stands for all beyond it. */
TEST(losses_of_sparse_vectors_have_words)
{
    scrim_audit_losses *l =
        losses_of("sparse-vector epsilon=1 count=1 numeric=yes queries=3");
    scrim_audit_outcome o;
    scrim_error error;
    REQUIRE(l != NULL);
    CHECK_STATUS(scrim_audit_losses_find(l, "1 1 1", &o, &error), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_audit_losses_find(l, "above (2 or more)", &o, &error));
    CHECK_STR(o.outcome, "above (2 or more)");
    REQUIRE_OK(scrim_audit_losses_find(l, "2 below, above (-2 or less)", &o, &error));
    scrim_audit_losses_free(l);
    l = losses_of("above-threshold epsilon=1 queries=3");
    REQUIRE(l != NULL);
    REQUIRE_OK(scrim_audit_losses_find(l, "above", &o, &error));
    REQUIRE_OK(scrim_audit_losses_find(l, "below, above", &o, &error));
    scrim_audit_losses_free(l);
}

TEST(losses_need_the_report_of_their_measurement)
{
    scrim_measurement *m = NULL, *other = NULL;
    scrim_audit_report *r = NULL;
    scrim_audit_losses *l = NULL;
    scrim_error error;
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &m, &error));
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=2", &other, &error));
    REQUIRE_OK(scrim_audit(m, NULL, &r, &error));
    CHECK_STATUS(scrim_audit_losses_new(other, r, &l, &error), SCRIM_E_PARAM);
    CHECK(l == NULL);
    scrim_audit_report_free(r);
    scrim_measurement_free(other);
    scrim_measurement_free(m);
}
