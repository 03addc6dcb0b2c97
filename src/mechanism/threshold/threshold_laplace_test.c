#include "base/number/ball_double.h"
#include "choices.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "noise_checks.h"
#include "scrim/audit.h"
#include "threshold_checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE "threshold-laplace epsilon=1 delta=0.02 neighbours=add-remove"

static scrim_measurement *made(const char *epsilon, const char *delta, int64_t groups,
                               const char *neighbours)
{
    char line[200];
    snprintf(line, sizeof line,
             "threshold-laplace epsilon=%s delta=%s max-groups=%lld neighbours=%s",
             epsilon, delta, (long long)groups, neighbours);
    return choices_new(line);
}

/* tau(1) of the specification, whose w is epsilon / k. */
static double tail(double w, int64_t threshold)
{
    return threshold > 1 ? exp(-w * (double)(threshold - 1)) / (1 + exp(-w))
                         : 1 - exp(-w * (double)(2 - threshold)) / (1 + exp(-w));
}

/* With a threshold of one's own delta is the mass of the noise there, 1 - (1 - tau)^groups, and no smaller one would do. */
SLOW_TEST(threshold_laplace_has_the_delta_of_a_given_threshold)
{
    CLAIM("threshold-laplace.privacy");
    static const struct {
        const char *epsilon, *threshold;
        double w;
        int64_t at, groups;
    } cases[] = {{"1", "15", 1, 15, 1}, {"1", "1", 1, 1, 1}, {"1/2", "40", 0.25, 40, 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[160];
        scrim_cost cost;
        scrim_audit_report *report = NULL;
        snprintf(line, sizeof line,
                 "threshold-laplace epsilon=%s threshold=%s max-groups=%lld "
                 "neighbours=add-remove",
                 cases[i].epsilon, cases[i].threshold, (long long)cases[i].groups);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const double want =
            -expm1((double)cases[i].groups * log1p(-tail(cases[i].w, cases[i].at)));
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        SC_OWN(sc_ratio, delta);
        REQUIRE_OK(sc_ratio_parse(sc_text_of(cost.delta), &delta, NULL));
        CHECK_NEAR(sc_ball_near(&delta), want, 1e-9 * want);
        CHECK(sc_ball_near(&delta) >= want * (1 - 1e-12));
        REQUIRE_OK(scrim_audit(m, NULL, &report, NULL));
        CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS);
        CHECK(cases[i].groups > 1 || scrim_audit_report_is_tight(report));
        scrim_audit_report_free(report);
        scrim_measurement_free(m);
    }
    choices_refused("threshold-laplace epsilon=1 delta=0.1 threshold=3 "
                    "neighbours=add-remove",
                    SCRIM_E_PARAM, "give delta or threshold, exactly one of them");
}

/* The printed thresholds of one group; and for several the formula of both relations. */
TEST(threshold_laplace_has_the_printed_thresholds)
{
    CLAIM("threshold-laplace.privacy");
    json_t *rows = vectors_load("thresholding", "threshold_T_min"), *row;
    size_t r, seen = 0;
    json_array_foreach(rows, r, row)
    {
        if (json_integer_value(json_object_get(row, "Delta")) != 1)
            continue;
        scrim_measurement *m =
            made(json_string_value(json_object_get(row, "eps")),
                 json_string_value(json_object_get(row, "delta")), 1, "add-remove");
        REQUIRE(m != NULL);
        CHECK_INT(sc_threshold_of(m), json_integer_value(json_object_get(row, "T_min")));
        scrim_measurement_free(m);
        seen++;
    }
    CHECK_INT(seen, 5);
}

/* The delta that the specification prints for a threshold makes that threshold; a billionth less
 * of it, the next. */
TEST(threshold_laplace_shares_delta_among_groups)
{
    CLAIM("threshold-laplace.privacy");
    static const struct {
        const char *epsilon, *above, *below;
        int64_t groups, threshold;
    } cases[] = {{"1", "3.7787548208e-7", "3.7787548207e-7", 5, 80},
                 {"4", "5.0705248547e-10", "5.0705248546e-10", 20, 120}};
    for (size_t i = 0; i < 2; i++) {
        scrim_measurement *a =
            made(cases[i].epsilon, cases[i].above, cases[i].groups, "add-remove");
        scrim_measurement *b =
            made(cases[i].epsilon, cases[i].below, cases[i].groups, "add-remove");
        REQUIRE(a != NULL && b != NULL);
        CHECK_INT(sc_threshold_of(a), cases[i].threshold);
        CHECK_INT(sc_threshold_of(b), cases[i].threshold + 1);
        scrim_measurement_free(b);
        scrim_measurement_free(a);
    }
    static const int64_t groups[] = {1, 2, 7};
    for (size_t i = 0; i < 6; i++) {
        const bool is_replace = i % 2;
        const int64_t most = groups[i / 2];
        const double k = (double)most;
        const double w = 0.5 / (is_replace ? 2 * k : k);
        scrim_measurement *m =
            made("1/2", "1e-3", groups[i / 2], is_replace ? "replace" : "add-remove");
        REQUIRE(m != NULL);
        const int64_t t = sc_threshold_of(m);
        CHECK(-expm1(k * log1p(-tail(w, t))) <= 1e-3);
        CHECK(-expm1(k * log1p(-tail(w, t - 1))) > 1e-3);
        scrim_cost cost;
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK_STR(cost.epsilon, "0.5");
        CHECK_STR(cost.delta, "0.001");
        scrim_measurement_free(m);
    }
}

/* Shown counts begin at T, and are n plus the noise of the specification. */
TEST(threshold_laplace_law_is_the_tail)
{
    CLAIM("threshold-laplace.exact");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const int64_t t = sc_threshold_of(m);
    for (int64_t n = 0; n < t + 3; n++) {
        sc_outcomes law;
        REQUIRE(choices_law(m, &n, 1, 128, &law));
        choices_check_total(&law, 100);
        const double shown = n == 0  ? 0
                             : n < t ? exp(-(double)(t - n)) / (1 + exp(-1))
                                     : 1 - exp(-(double)(n - t + 1)) / (1 + exp(-1));
        CHECK_NEAR(threshold_mass(&law, SC_THRESHOLD_UNSEEN), 1 - shown, 1e-12);
        CHECK(law.keys[1] == t || n == 0);
        if (n > 0)
            CHECK_NEAR(threshold_mass(&law, t), exp(-fabs((double)(t - n))) * tanh(0.5),
                       1e-12);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}

TEST(threshold_laplace_frequencies_fit_the_law)
{
    CLAIM("threshold-laplace.exact");
    threshold_check_draws(LINE);
}

TEST(threshold_laplace_certifies_groups_and_values)
{
    CLAIM("threshold-laplace.accuracy");
    CLAIM("noisy-threshold.accuracy");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    static const char *const confidences[] = {"0.3", "0.5", "0.95", "0.999"};
    for (size_t i = 0; i < 4; i++) {
        scrim_certificate c;
        const double confidence = strtod(confidences[i], NULL);
        REQUIRE_OK(scrim_measurement_certify(m, confidences[i], 3, &c, NULL));
        CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
        const int64_t units = strtoll(c.radius, NULL, 10);
        for (int64_t n = units - 1; n <= units; n++) {
            sc_outcomes law;
            REQUIRE(choices_law(m, &n, 1, 128, &law));
            CHECK((1 - threshold_mass(&law, SC_THRESHOLD_UNSEEN) >= confidence) ==
                  (n == units));
            sc_outcomes_clear(&law);
        }
        /* 2 q^(r+1) / (1 + q) is P(|Z| > r) */
        const double r = strtod(c.value_radius, NULL);
        CHECK(2 * exp(-(r + 1)) / (1 + exp(-1)) <= 1 - confidence);
        CHECK(r == 0 || 2 * exp(-r) / (1 + exp(-1)) > 1 - confidence);
    }
    scrim_measurement_free(m);
}

/* Rows and totals: the noise is that of all that one unit adds, the threshold that of what it adds
 * alone. */
TEST(threshold_laplace_counts_rows)
{
    CLAIM("threshold-laplace.privacy");
    json_t *rows = vectors_load("thresholding", "geometric_thresholding_user_bound"),
           *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const double delta =
            strtod(json_string_value(json_object_get(row, "delta")), NULL);
        for (int i = 0; i < 2; i++) { /* that delta makes T, a little less the next */
            char line[200];
            snprintf(line, sizeof line,
                     "threshold-laplace epsilon=%s delta=%.12e max-groups=%lld "
                     "max-rows=%lld neighbours=add-remove",
                     json_string_value(json_object_get(row, "eps")),
                     delta * (i == 0 ? 1 + 1e-10 : 1 - 1e-10),
                     (long long)json_integer_value(json_object_get(row, "kappa")),
                     (long long)json_integer_value(json_object_get(row, "m")));
            scrim_measurement *m = choices_new(line);
            REQUIRE(m != NULL);
            CHECK_INT(sc_threshold_of(m),
                      json_integer_value(json_object_get(row, "T")) + i);
            scrim_measurement_free(m);
        }
    }
    CHECK_INT(r, 3);
}

/* Sums over all answers: the curve is never below them, and at epsilon new groups attain it. */
SLOW_TEST(threshold_laplace_curve_bounds_its_law)
{
    CLAIM("threshold-laplace.curve");
    static const struct {
        const char *line;
        sc_pair pair;
    } list[] = {
        {"threshold-laplace epsilon=1 delta=0.02", {{0}, {1}, 1, 1}},
        {"threshold-laplace epsilon=1 delta=0.02", {{60}, {61}, 1, 1}},
        {"threshold-laplace epsilon=2 delta=0.02 max-groups=2", {{0, 9}, {1, 10}, 2, 2}},
        {"threshold-laplace epsilon=2 delta=0.02 max-rows=2", {{5}, {7}, 1, 1}},
        {"threshold-laplace epsilon=2 delta=0.02 max-total=2", {{0, 0}, {1, 1}, 2, 2}},
        {"threshold-laplace epsilon=2 delta=0.02 neighbours=replace",
         {{1, 9}, {0, 10}, 2, 2}}};
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, false);
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    CHECK(m->cost.has_aside);
    CHECK(sc_ratio_compare(&m->cost.aside, &m->cost.delta) <= 0);
    double upper = 0;
    REQUIRE_OK(scrim_measurement_delta_at(m, "1", &upper, NULL));
    CHECK_NEAR(upper, tail(1, sc_threshold_of(m)), 1e-12);
    scrim_measurement_free(m);
}

TEST(threshold_laplace_fails_closed_without_bits)
{
    static const int64_t units[] = {11, 0, 12};
    choices_check_entropy(LINE, units, 3);
}

TEST(threshold_laplace_refuses_what_is_none)
{
    static const choices_refusal cases[] = {
        {"epsilon=1 delta=1e-5 max-groups=0 neighbours=replace", SCRIM_E_PARAM,
         "max-groups"},
        {"epsilon=1 delta=1e-5 max-rows=0 neighbours=replace", SCRIM_E_PARAM, "max-rows"},
        {"epsilon=1 delta=1e-5 max-rows=2 max-total=4 neighbours=replace", SCRIM_E_PARAM,
         "max-total"},
        {"epsilon=2^-30 delta=1e-5 max-total=2^40 neighbours=replace", SCRIM_E_LIMIT,
         "5.7e17"}};
    choices_refuse("threshold-laplace", cases, sizeof cases / sizeof *cases);
    choices_refuse_without("threshold-laplace");
}
