#include "exact.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "noise_checks.h"
#include "summation.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double epsilon_at(const char *line, const char *delta)
{
    double epsilon = -1;
    scrim_measurement *m = noise_modelled(line);
    if (m != NULL)
        CHECK_STATUS(scrim_measurement_epsilon_at(m, delta, &epsilon, NULL), SCRIM_OK);
    scrim_measurement_free(m);
    return epsilon;
}

static double delta_at(const char *line, const char *epsilon)
{
    double delta = -1;
    scrim_measurement *m = noise_modelled(line);
    if (m != NULL)
        CHECK_STATUS(scrim_measurement_delta_at(m, epsilon, &delta, NULL), SCRIM_OK);
    scrim_measurement_free(m);
    return delta;
}

/* Cost. */

TEST(gaussian_costs_what_it_was_given)
{
    CLAIM("gaussian.privacy");
    scrim_cost cost = noise_cost("gaussian sensitivity=2 rho=1/10 neighbours=add-remove");
    CHECK_STR(cost.epsilon, "");
    CHECK_STR(cost.delta, "");
    CHECK_STR(cost.rho, "0.1");
    CHECK_INT(cost.neighbours, SCRIM_ADD_REMOVE);
    cost = noise_cost("gaussian sensitivity=3 sigma=3/2 neighbours=replace");
    CHECK_STR(cost.rho, "2");
    cost = noise_cost("gaussian sensitivity=3 variance=9/4 neighbours=replace");
    CHECK_STR(cost.rho, "2");
    cost = noise_cost("gaussian sensitivity=1 epsilon=1/2 delta=1e-6 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.5");
    CHECK_STR(cost.delta, "0.000001");
    CHECK(cost.rho[0] != '\0');
    /* With a grid of 1/4 a sensitivity of 0.7 is 3 steps, and sigma 1 is 4. */
    cost = noise_cost("gaussian sensitivity=0.7 sigma=1 grid=1/4 neighbours=replace");
    CHECK_STR(cost.rho, "0.28125");
    /* Four values on a grid: sensitivity 3 in steps of 1/2 is 6 + sqrt(4), sigma 4 is 8. */
    cost =
        noise_cost("gaussian sensitivity=3 sigma=4 grid=1/2 size=4 neighbours=replace");
    CHECK_STR(cost.rho, "0.5");
    /* Integers: one moves by a whole number; the l2 norm of two is what it is. */
    cost = noise_cost("gaussian sensitivity=1.5 variance=2 neighbours=replace");
    CHECK_STR(cost.rho, "1");
    cost = noise_cost("gaussian sensitivity=1.5 variance=2 size=2 neighbours=replace");
    CHECK_STR(cost.rho, "0.5625");
}

/* sigma^2 = D^2 / (2 rho) of v:zcdp_misc: read off the variance that gives the same rho. */
TEST(gaussian_noise_for_a_rho_matches_the_vectors)
{
    CLAIM("gaussian.privacy");
    json_t *rows = json_object_get(vectors_load("local-and-accounting", "zcdp_misc"),
                                   "gaussian_sigma2"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 1);
    json_array_foreach(rows, index, row)
    {
        char line[200];
        snprintf(line, sizeof line,
                 "gaussian sensitivity=%s variance=%s neighbours=replace",
                 json_string_value(json_object_get(row, "Delta2")),
                 json_string_value(json_object_get(row, "sigma2")));
        scrim_cost cost = noise_cost(line);
        CHECK_STR(cost.rho, json_string_value(json_object_get(row, "rho")));
    }
}

/* The name costs what it draws: the figures of PRODUCT.md. */
TEST(gaussian_of_sigma_one)
{
    CLAIM("gaussian.privacy");
    CHECK_NEAR(epsilon_at("gaussian sigma=1", "1e-6"), 4.4996, 1e-5);
    /* The continuous one of the same sigma crosses 1e-6 at 4.8866. */
    static const struct {
        const char *epsilon;
        bool is_above;
    } list[] = {{"4.88655", true}, {"4.88665", false}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio epsilon;
        sc_ball one, delta;
        exact_ratio(list[i].epsilon, &epsilon);
        sc_ball_init(&one);
        sc_ball_init(&delta);
        sc_ball_set_int64(&one, 1);
        sc_analytic_gaussian_delta(&epsilon, &one, EXACT_BITS, &delta);
        CHECK((sc_ball_lower(&delta) > 1e-6) == list[i].is_above);
        sc_ball_clear(&delta);
        sc_ball_clear(&one);
        sc_ratio_clear(&epsilon);
    }
    /* And where the discrete one is worse: sigma 1, D 2, epsilon 11.7 (spec 2.3). */
    CHECK_NEAR(delta_at("gaussian sigma=1 sensitivity=2", "11.7"), 3.908e-7, 2e-4);
}

SLOW_TEST(gaussian_curve_is_that_of_its_law)
{
    CLAIM("gaussian.privacy");
    static const struct {
        const char *line;
        sc_pair pair;
        bool is_exact;
    } list[] = {
        {"gaussian sigma=1", {{0}, {1}, 1, 1}, true},
        {"gaussian sigma=1", {{4}, {3}, 1, 1}, true},
        {"gaussian variance=1/4", {{0}, {1}, 1, 1}, true},
        {"gaussian sensitivity=3 variance=25/4", {{0}, {3}, 1, 1}, true},
        {"gaussian sensitivity=3 variance=25/4", {{0}, {2}, 1, 1}, false},
        {"gaussian sensitivity=2 rho=1/2 grid=1/2", {{0}, {4}, 1, 1}, true},
        {"gaussian epsilon=1 delta=1e-5", {{0}, {1}, 1, 1}, true},
        /* Several values: all that an l2 norm of 2 allows is below the curve. */
        {"gaussian sensitivity=2 variance=4 size=2", {{0, 0}, {2, 0}, 2, 2}, false},
        {"gaussian sensitivity=2 variance=4 size=2", {{0, 0}, {1, 1}, 2, 2}, false},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, list[i].is_exact);
}

/* epsilon and delta that were given are met by the curve at the variance that is used, and the
 * law itself has no more. */
TEST(gaussian_meets_the_delta_it_was_given)
{
    CLAIM("gaussian.privacy");
    static const struct {
        const char *line, *epsilon;
        double delta;
    } list[] = {{"gaussian epsilon=1 delta=1e-5", "1", 1e-5},
                {"gaussian epsilon=1/10 delta=1e-9 sensitivity=3", "1/10", 1e-9},
                {"gaussian epsilon=8 delta=1e-6", "8", 1e-6},
                {"gaussian epsilon=1 delta=1e-6 size=10", "1", 1e-6},
                {"gaussian epsilon=1 delta=1e-6 size=10 sensitivity=3.5", "1", 1e-6},
                {"gaussian epsilon=1 delta=1e-6 grid=0.001 sensitivity=1/3", "1", 1e-6}};
    for (size_t i = 0; i < COUNT(list); i++) {
        double delta = delta_at(list[i].line, list[i].epsilon);
        CHECK(delta <= list[i].delta);
        /* The variance of several values is that of their concentration. */
        CHECK(delta > 0.97 * list[i].delta || strstr(list[i].line, "=8") != NULL ||
              strstr(list[i].line, "size=10") != NULL);
    }
}

/* The discrete Gaussian is not the same in all directions: four values that move by 1 each look
 * less alike than one that moves by 2 (v:dgauss_vector_shift). The curve of several values is the
 * larger of both. */
TEST(gaussian_of_several_values_is_not_that_of_one)
{
    CLAIM("gaussian.privacy");
    json_t *rows = vectors_load("local-and-accounting", "dgauss_vector_shift"), *row;
    size_t index, worse = 0;
    REQUIRE(json_array_size(rows) > 5);
    json_array_foreach(rows, index, row)
    {
        char line[100], of_four[108];
        const char *epsilon = json_string_value(json_object_get(row, "eps"));
        double four = strtod(
                   json_string_value(json_object_get(row, "delta_shift_1_1_1_1")), NULL),
               single = strtod(json_string_value(
                                   json_object_get(row, "delta_one_coordinate_shift_2")),
                               NULL);
        snprintf(line, sizeof line, "gaussian sensitivity=2 variance=%s",
                 json_string_value(json_object_get(row, "sigma2")));
        CHECK_NEAR(delta_at(line, epsilon), single, 1e-12);
        worse += four > single;
        snprintf(of_four, sizeof of_four, "%s size=4", line);
        CHECK_NEAR(delta_at(of_four, epsilon), fmax(four, single), 1e-12);
    }
    CHECK(worse > 3);
}

/* Accuracy. */

SLOW_TEST(gaussian_radius_is_the_smallest)
{
    CLAIM("gaussian.accuracy");
    json_t *rows = vectors_load("mechanisms", "discrete_gaussian"), *row, *point;
    size_t index, inner, checked = 0;
    json_array_foreach(rows, index, row)
    {
        char line[100], want[32];
        const json_t *pair = json_object_get(row, "sigma2");
        snprintf(line, sizeof line, "gaussian variance=%lld/%lld",
                 (long long)json_integer_value(json_array_get(pair, 0)),
                 (long long)json_integer_value(json_array_get(pair, 1)));
        scrim_measurement *m = noise_modelled(line);
        REQUIRE(m != NULL);
        json_array_foreach(json_object_get(row, "accuracy"), inner, point)
        {
            scrim_certificate c;
            char confidence[64];
            sc_ratio beta, one;
            exact_ratio(json_string_value(json_object_get(point, "beta")), &beta);
            exact_ratio("1", &one);
            sc_ratio_sub(&one, &one, &beta);
            sc_ratio_format(&one, confidence, sizeof confidence);
            REQUIRE_OK(scrim_measurement_certify(m, confidence, 1, &c, NULL));
            snprintf(want, sizeof want, "%lld",
                     (long long)json_integer_value(json_object_get(point, "a")));
            CHECK_STR(c.radius, want);
            sc_ratio_clear(&one);
            sc_ratio_clear(&beta);
            checked++;
        }
        scrim_measurement_free(m);
    }
    CHECK(checked > 20);
}

/* Draws. */

TEST(gaussian_draws_its_law)
{
    CLAIM("gaussian.privacy");
    static const char *const variances[] = {"1/4", "1", "100", "1e12"};
    for (size_t i = 0; i < COUNT(variances); i++) {
        char line[64];
        sc_law law;
        exact_law(&sc_discrete_gaussian_law, variances[i], 0, &law);
        snprintf(line, sizeof line, "gaussian variance=%s", variances[i]);
        noise_check_draws(line, &law, check_count(100000, 10000000));
        sc_law_clear(&law);
    }
}

/* A03: sigma from 0.3 to 10^6 and beyond; the noise knows nothing of the input. */
TEST(gaussian_noise_does_not_depend_on_the_input)
{
    CLAIM("gaussian.privacy");
    static const char *const lines[] = {"gaussian sigma=0.3",  "gaussian sigma=1",
                                        "gaussian sigma=10",   "gaussian sigma=1000000",
                                        "gaussian sigma=2^60", "gaussian sigma=2^-60"};
    static const int64_t zero[5],
        some[5] = {1, -1, 1000000007, INT64_C(1) << 62, -(INT64_C(1) << 62)};
    for (size_t i = 0; i < COUNT(lines); i++)
        noise_check_shift(lines[i], zero, some, 5);
}

/* Neighbours for the audit lie within the sensitivity, also in two values. */
TEST(gaussian_pairs_are_neighbours)
{
    static const struct {
        const char *line;
        double distance;
        size_t widest;
    } list[] = {{"gaussian sensitivity=3 variance=4", 3, 1},
                {"gaussian sensitivity=3 variance=4 size=5", 3, 2},
                {"gaussian sensitivity=1.3 variance=4 size=5", 1.3, 1},
                {"gaussian sensitivity=0.3 variance=4 size=5", 0.3, 1},
                {"gaussian sensitivity=30 variance=100000 size=5", 30, 1}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_modelled(list[i].line);
        REQUIRE(m != NULL);
        size_t count = sc_gaussian_noise.pair_count(m), widest = 0;
        CHECK(count > 0);
        for (size_t j = 0; j < count; j++) {
            sc_pair pair;
            double square = 0;
            sc_gaussian_noise.pair(m, j, &pair);
            CHECK_INT(pair.x_count, pair.y_count);
            widest = pair.x_count > widest ? pair.x_count : widest;
            for (size_t k = 0; k < pair.x_count; k++)
                square += pow((double)(pair.x[k] - pair.y[k]), 2);
            CHECK(sqrt(square) <= list[i].distance);
        }
        CHECK_INT(widest, list[i].widest);
        scrim_measurement_free(m);
    }
}

/* Refusals. */

TEST(gaussian_refuses_what_has_no_noise)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *part;
    } list[] = {
        {"gaussian sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "exactly one"},
        {"gaussian sensitivity=1 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
         "epsilon and delta together"},
        {"gaussian sensitivity=1 delta=0.1 rho=1 neighbours=replace", SCRIM_E_PARAM,
         "epsilon and delta together"},
        {"gaussian sensitivity=1 sigma=1 rho=1 neighbours=replace", SCRIM_E_PARAM,
         "exactly one"},
        {"gaussian sensitivity=1 epsilon=1 delta=0.1 rho=1 neighbours=replace",
         SCRIM_E_PARAM, "exactly one"},
        {"gaussian sensitivity=1 sigma=0 neighbours=replace", SCRIM_E_PARAM, "sigma: 0"},
        {"gaussian sensitivity=1 variance=-1 neighbours=replace", SCRIM_E_PARAM,
         "variance"},
        {"gaussian sensitivity=0 sigma=1 neighbours=replace", SCRIM_E_PARAM,
         "sensitivity"},
        {"gaussian sensitivity=1 epsilon=1 delta=0 neighbours=replace", SCRIM_E_PARAM,
         "delta: 0"},
        {"gaussian sensitivity=1 epsilon=1 delta=1 neighbours=replace", SCRIM_E_PARAM,
         "delta: 1"},
        {"gaussian sensitivity=1 epsilon=1 delta=2^-161 neighbours=replace",
         SCRIM_E_LIMIT, "delta"},
        {"gaussian sensitivity=1 sigma=2^61 neighbours=replace", SCRIM_E_LIMIT, "sigma"},
        {"gaussian sensitivity=1 sigma=1 grid=2^61 neighbours=replace", SCRIM_E_LIMIT,
         "another grid"},
        {"gaussian sensitivity=1 epsilon=1 delta=0.1 grid=2^-70 neighbours=replace",
         SCRIM_E_LIMIT, "coarser grid"},
        {"gaussian sensitivity=1 sigma=1 lower=0 upper=2 neighbours=replace",
         SCRIM_E_PARAM, "unknown parameter 'lower'"},
        {"gaussian sensitivity=1 sigma=1 neighbours=local", SCRIM_E_PARAM, "neighbours"},
        {"gaussian sensitivity=1 sigma=1", SCRIM_E_PARAM, "neighbours is missing"},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_refused(list[i].line, list[i].status, list[i].part);
}

/* One value, unless it was said how many. */
TEST(gaussian_is_made_for_one_value)
{
    scrim_measurement *m =
                          noise_made("gaussian sensitivity=1 sigma=1 neighbours=replace"),
                      *n = noise_made("gaussian sensitivity=1 sigma=1 size=3 "
                                      "neighbours=replace");
    REQUIRE(m != NULL && n != NULL);
    CHECK(m->domain.count_min == 1 && m->domain.count_max == 1);
    CHECK(n->domain.count_min == 3 && n->domain.count_max == 3);
    scrim_measurement_free(n);
    scrim_measurement_free(m);
}
