#include "choices.h"
#include "exact.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/group_division.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/threshold_gaussian.h"
#include "mechanism/threshold/unit_counts.h"
#include "threshold_checks.h"

#include <math.h>
#include <stdio.h>

#define LINE "threshold-gaussian epsilon=1 delta=0.02 neighbours=add-remove"

/* Claims. */

static const char *const lines[] = {
    LINE,
    "threshold-gaussian epsilon=1 delta=1e-5 neighbours=add-remove",
    "threshold-gaussian epsilon=1 delta=1e-5 neighbours=replace",
    "threshold-gaussian epsilon=1/2 delta=1e-9 max-groups=5 neighbours=add-remove",
    "threshold-gaussian epsilon=4 delta=1e-3 max-groups=3 neighbours=replace",
    "threshold-gaussian epsilon=1 delta=1/4 max-groups=3 neighbours=replace",
    "threshold-gaussian epsilon=30 delta=1e-6 max-groups=4 neighbours=add-remove",
    "threshold-gaussian epsilon=1 delta=1e-8 max-groups=1048576 neighbours=replace"};

/* The delta at the epsilon that is charged, of T and variance as they are or of a little less. */
static double delta_of(const scrim_measurement *m, int64_t less)
{
    sc_ball delta;
    const sc_group_division division = {
        .variance = &sc_noisy_threshold_of(m)->noise.shape,
        .threshold = sc_threshold_of(m) - less,
        .groups = sc_unit_counts_groups(m),
        .is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE};
    sc_ball_init(&delta);
    sc_group_division_delta_upper(&division, sc_measurement_get(m, "epsilon"), NULL, 192,
                                  &delta);
    const double upper = sc_ball_upper(&delta);
    sc_ball_clear(&delta);
    return upper;
}

SLOW_TEST(threshold_gaussian_meets_its_claim)
{
    CLAIM("threshold-gaussian.privacy");
    CLAIM("threshold-gaussian.small");
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        scrim_cost cost;
        double curve = -1, far = -1;
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        const double delta = strtod(cost.delta, NULL);
        CHECK_STR(cost.rho, "");
        REQUIRE_OK(scrim_measurement_delta_at(m, cost.epsilon, &curve, NULL));
        CHECK_NEAR(curve, delta_of(m, 0), 1e-9);
        if (!CHECK(delta_of(m, 0) <= delta) ||
            !CHECK(sc_threshold_of(m) == 1 || delta_of(m, 1) > delta))
            CHECK_FAIL("%s: T %lld", lines[i], (long long)sc_threshold_of(m));
        /* Whatever the epsilon, what is left is the mass of new groups. */
        sc_ball mass;
        sc_ball_init(&mass);
        sc_noisy_threshold_mass(&sc_noisy_threshold_of(m)->noise, sc_threshold_of(m),
                                sc_unit_counts_groups(m), 128, &mass);
        REQUIRE_OK(scrim_measurement_delta_at(m, "1000", &far, NULL));
        CHECK_NEAR(far, sc_ball_upper(&mass), 1e-9);
        CHECK(far <= curve);
        sc_ball_clear(&mass);
        scrim_measurement_free(m);
    }
}

TEST(threshold_gaussian_is_concentrated_beside_new_groups)
{
    CLAIM("threshold-gaussian.aside");
    for (size_t i = 0; i + 1 < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        REQUIRE(m != NULL);
        threshold_check_aside(m);
        scrim_measurement_free(m);
    }
}

/* The rho is that of the noise, of one count or of two. */
TEST(threshold_gaussian_has_the_rho_of_its_noise)
{
    CLAIM("threshold-gaussian.aside");
    for (size_t i = 1; i <= 2; i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_ratio twice;
        REQUIRE(m != NULL);
        sc_ratio_init(&twice);
        sc_ratio_add(&twice, &m->cost.aside_rho, &m->cost.aside_rho);
        sc_ratio_mul(&twice, &twice, &sc_noisy_threshold_of(m)->noise.shape);
        CHECK_INT(sc_ratio_compare_int64(&twice, (int64_t)i), 0);
        sc_ratio_clear(&twice);
        scrim_measurement_free(m);
    }
}

/* No other variance does with a smaller threshold: all are tried for which new groups alone allow
 * it, from the least that the noise alone allows. Of the first two the least would not do. */
TEST(threshold_gaussian_needs_no_other_variance)
{
    CLAIM("threshold-gaussian.small");
    static const char *const tried[] = {
        "threshold-gaussian epsilon=1 delta=0.37 neighbours=replace",
        "threshold-gaussian epsilon=2 delta=0.31 neighbours=replace",
        "threshold-gaussian epsilon=1 delta=0.31 max-groups=2 neighbours=replace",
        "threshold-gaussian epsilon=1 delta=0.1 max-groups=3 neighbours=add-remove"};
    uint64_t seen = 0, moved = 0;
    for (size_t i = 0; i < COUNT(tried); i++) {
        scrim_measurement *m = choices_new(tried[i]);
        sc_ratio step;
        sc_law noise;
        sc_ball delta, enough;
        REQUIRE(m != NULL);
        exact_ratio("1/64", &step);
        sc_ball_init(&delta);
        sc_ball_init(&enough);
        sc_ball_set_ratio(&enough, sc_measurement_get(m, "delta"), 128);
        sc_law_init(&noise, &sc_discrete_gaussian_law, NULL, 0);
        REQUIRE_OK(sc_gaussian_draws_variance(
            sc_measurement_get(m, "epsilon"), sc_measurement_get(m, "delta"),
            sc_unit_counts_changed(m), &noise.shape, NULL));
        moved +=
            sc_ratio_compare(&noise.shape, &sc_noisy_threshold_of(m)->noise.shape) < 0;
        const sc_group_division less = {.variance = &noise.shape,
                                        .threshold = sc_threshold_of(m) - 1,
                                        .groups = sc_unit_counts_groups(m),
                                        .is_replace = sc_measurement_neighbours(m) ==
                                                      SCRIM_REPLACE};
        for (;; seen++) {
            sc_noisy_threshold_mass(&noise, less.threshold, less.groups, 128, &delta);
            if (sc_ball_is_less(&enough, &delta))
                break;
            sc_group_division_delta_upper(&less, sc_measurement_get(m, "epsilon"),
                                          &enough, 128, &delta);
            CHECK(sc_ball_is_less(&enough, &delta));
            sc_ratio_add(&noise.shape, &noise.shape, &step);
        }
        sc_law_clear(&noise);
        sc_ball_clear(&enough);
        sc_ball_clear(&delta);
        sc_ratio_clear(&step);
        scrim_measurement_free(m);
    }
    CHECK(seen > 0);
    CHECK_INT(moved, 2);
}

/* Both ends of one group, in doubles: the noise and the new group have delta each, not
 * half of it, and neither would do with less. */
TEST(threshold_gaussian_gives_delta_to_both_ends)
{
    CLAIM("threshold-gaussian.privacy");
    static const char *const deltas[] = {"0.1", "1e-3", "1e-6", "1e-10"};
    for (size_t i = 0; i < COUNT(deltas); i++) {
        char line[100];
        snprintf(line, sizeof line,
                 "threshold-gaussian epsilon=1 delta=%s neighbours=add-remove",
                 deltas[i]);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const double delta = strtod(deltas[i], NULL);
        char text[SC_RATIO_TEXT_BYTES];
        sc_ratio_format(&sc_noisy_threshold_of(m)->noise.shape, text, sizeof text);
        for (int less = 0; less < 2; less++) {
            const double v = strtod(text, NULL) - less / 64.0;
            double sum = 0, tail = 0, moved = 0, beyond = 0;
            for (int z = -400; z <= 400; z++) {
                const double w = exp(-z * (double)z / (2 * v));
                sum += w;
                tail += z > v - 0.5 ? w : 0; /* the loss is above epsilon */
                moved += z > v + 0.5 ? w : 0;
                beyond += z >= sc_threshold_of(m) - 1 - less ? w : 0;
            }
            const double noise = (tail - exp(1) * moved) / sum;
            CHECK(less == 0 ? noise <= delta : noise > delta);
            CHECK(less == 0 ? beyond / sum <= delta : beyond / sum > delta);
        }
        scrim_measurement_free(m);
    }
}

/* T is what is kept half of the time, and grows with the square root of the groups. */
TEST(threshold_gaussian_is_for_units_in_many_groups)
{
    uint64_t sizes[2][2] = {{0}};
    static const char *const names[] = {"laplace", "gaussian"};
    sc_ratio half;
    exact_ratio("1/2", &half);
    for (int i = 0; i < 4; i++) {
        char line[100];
        snprintf(line, sizeof line,
                 "threshold-%s epsilon=1 delta=1e-6 max-groups=%d neighbours=add-remove",
                 names[i / 2], i % 2 ? 400 : 25);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        CHECK(sc_threshold_kept_size(m, &half, &sizes[i / 2][i % 2]));
        CHECK_INT(sizes[i / 2][i % 2], sc_threshold_of(m));
        scrim_measurement_free(m);
    }
    sc_ratio_clear(&half);
    CHECK(sizes[1][0] < sizes[0][0] && sizes[1][1] < sizes[0][1] / 10);
    CHECK(sizes[0][1] > 16 * sizes[0][0]);
    CHECK(sizes[1][1] > 4 * sizes[1][0] && sizes[1][1] < 5 * sizes[1][0]);
}

/* The law. */

/* Shown counts begin at T, and are n plus the noise of the header. */
TEST(threshold_gaussian_law_is_the_tail)
{
    CLAIM("threshold-gaussian.exact");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const int64_t t = sc_threshold_of(m);
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(&sc_noisy_threshold_of(m)->noise.shape, text, sizeof text);
    const double v = strtod(text, NULL);
    for (int64_t n = 0; n < t + 3; n++) {
        sc_outcomes law;
        double sum = 0, hidden = 0;
        for (int64_t z = -200; z <= 200; z++) {
            const double w = exp(-(double)(z * z) / (2 * v));
            sum += w;
            hidden += n + z < t ? w : 0;
        }
        REQUIRE(choices_law(m, &n, 1, 128, &law));
        choices_check_total(&law, 100);
        CHECK_NEAR(threshold_mass(&law, SC_THRESHOLD_UNSEEN), n == 0 ? 1 : hidden / sum,
                   1e-12);
        CHECK(n == 0 || law.keys[1] == t);
        if (n > 0)
            CHECK_NEAR(threshold_mass(&law, t + 1),
                       exp(-(double)((t + 1 - n) * (t + 1 - n)) / (2 * v)) / sum, 1e-12);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}

TEST(threshold_gaussian_frequencies_fit_the_law)
{
    CLAIM("threshold-gaussian.exact");
    threshold_check_draws(LINE);
}

TEST(threshold_gaussian_certifies_groups_and_values)
{
    CLAIM("threshold-gaussian.accuracy");
    CLAIM("noisy-threshold.accuracy");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    static const char *const confidences[] = {"0.3", "0.5", "0.95", "0.999"};
    for (size_t i = 0; i < COUNT(confidences); i++) {
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
        const int64_t radius = strtoll(c.value_radius, NULL, 10);
        sc_ball beyond;
        sc_ball_init(&beyond);
        for (int64_t r = radius - 1; r <= radius && r >= 0; r++) {
            sc_law_at_least(&sc_noisy_threshold_of(m)->noise, r + 1, 128, &beyond);
            CHECK((2 * sc_ball_upper(&beyond) <= 1 - confidence) == (r == radius));
        }
        sc_ball_clear(&beyond);
    }
    scrim_measurement_free(m);
}

TEST(threshold_gaussian_fails_closed_without_bits)
{
    static const int64_t units[] = {11, 0, 12};
    choices_check_entropy(LINE, units, 3);
}

TEST(threshold_gaussian_refuses_what_is_none)
{
    static const choices_refusal cases[] = {
        {"epsilon=0 delta=1e-5 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1e-12 delta=1e-5 neighbours=replace", SCRIM_E_LIMIT, "epsilon"},
        {"epsilon=1 delta=1e-60 neighbours=replace", SCRIM_E_LIMIT, "delta"}};
    choices_refuse("threshold-gaussian", cases, sizeof cases / sizeof *cases);
    choices_refuse_without("threshold-gaussian");
}
