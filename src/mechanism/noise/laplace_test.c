#include "balls.h"
#include "exact.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/laplace.h"
#include "noise_checks.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cost. */

TEST(laplace_costs_its_epsilon)
{
    CLAIM("laplace.privacy");
    scrim_cost cost =
        noise_cost("laplace sensitivity=3 epsilon=1/10 neighbours=add-remove");
    CHECK_STR(cost.epsilon, "0.1");
    CHECK_STR(cost.delta, "0");
    CHECK_STR(cost.rho, "0.005");
    CHECK_INT(cost.neighbours, SCRIM_ADD_REMOVE);
    cost = noise_cost("laplace sensitivity=3 scale=30 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.1");
    CHECK_INT(cost.neighbours, SCRIM_REPLACE);
    /* Integers move by whole numbers: a sensitivity between two of them is the upper one. */
    cost = noise_cost("laplace sensitivity=1/2 scale=5 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.2");
    cost = noise_cost("laplace sensitivity=3/2 scale=5 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.4");
    /* Rounding to a grid counts: 2.5 by steps of 2 is 2 steps, scale 8 is 4 steps. */
    cost = noise_cost("laplace sensitivity=2.5 scale=8 grid=2 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.5");
    /* ... and of four values up to a step each: floor(3 * 4) + 4 of 400. */
    cost =
        noise_cost("laplace sensitivity=3 scale=100 grid=1/4 size=4 neighbours=replace");
    CHECK_STR(cost.epsilon, "0.04");
}

/* The sensitivities of v:grid_sensitivity, read off the epsilon of a scale of one step. */
TEST(laplace_counts_what_rounding_adds)
{
    CLAIM("laplace.privacy");
    json_t *rows = vectors_load("mechanisms", "grid_sensitivity"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 3);
    json_array_foreach(rows, index, row)
    {
        char line[200], want[32];
        int k = (int)json_integer_value(json_object_get(row, "k"));
        snprintf(line, sizeof line,
                 "laplace sensitivity=%s scale=2^%d grid=2^%d size=%lld "
                 "neighbours=add-remove",
                 json_string_value(json_object_get(row, "D1")), k, k,
                 (long long)json_integer_value(json_object_get(row, "dims")));
        snprintf(
            want, sizeof want, "%lld",
            (long long)json_integer_value(json_object_get(row, "grid_sensitivity_l1")));
        scrim_cost cost = noise_cost(line);
        CHECK_STR(cost.epsilon, want);
    }
}

SLOW_TEST(laplace_curve_is_that_of_its_law)
{
    CLAIM("laplace.privacy");
    static const struct {
        const char *line;
        sc_pair pair;
        bool is_exact;
    } list[] = {
        {"laplace epsilon=1", {{0}, {1}, 1, 1}, true},
        {"laplace epsilon=1", {{-5}, {-6}, 1, 1}, true},
        {"laplace sensitivity=3 epsilon=2", {{7}, {10}, 1, 1}, true},
        {"laplace sensitivity=3 epsilon=2", {{7}, {9}, 1, 1}, false},
        {"laplace sensitivity=5 scale=10/3", {{0}, {5}, 1, 1}, true},
        {"laplace sensitivity=0.3 epsilon=1/4 grid=0.1", {{0}, {3}, 1, 1}, true},
        /* Clamped: at an end the two neighbours look more alike. */
        {"laplace sensitivity=2 epsilon=2 lower=0 upper=6", {{0}, {2}, 1, 1}, false},
        {"laplace sensitivity=2 epsilon=2 lower=0 upper=6", {{4}, {6}, 1, 1}, false},
        {"laplace sensitivity=2 epsilon=2 lower=0 upper=6", {{2}, {4}, 1, 1}, false},
        /* For an l1 sensitivity the worst split is one value. */
        {"laplace sensitivity=2 epsilon=4", {{0, 0}, {1, 1}, 2, 2}, false},
        {"laplace sensitivity=3 epsilon=6", {{0, 0}, {1, -2}, 2, 2}, false},
        {"laplace sensitivity=2 epsilon=4 size=2", {{0, 0}, {2, 0}, 2, 2}, true},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, list[i].is_exact);
}

/* The clamped law of v:truncated_geometric_clamped. */
TEST(laplace_clamped_law_matches_the_vectors)
{
    CLAIM("laplace.privacy");
    json_t *cases = vectors_load("mechanisms", "truncated_geometric_clamped"), *item,
           *row, *mass;
    size_t i, j, k, checked = 0;
    sc_ball ball;
    sc_ball_init(&ball);
    json_array_foreach(cases, i, item)
    {
        char line[160];
        snprintf(line, sizeof line, "laplace scale=%lld/%lld lower=0 upper=%lld",
                 (long long)json_integer_value(json_object_get(item, "t")),
                 (long long)json_integer_value(json_object_get(item, "s")),
                 (long long)json_integer_value(json_object_get(item, "n")));
        scrim_measurement *m = noise_modelled(line);
        REQUIRE(m != NULL);
        json_array_foreach(json_object_get(item, "rows"), j, row)
        {
            const int64_t x = json_integer_value(json_object_get(row, "true_value"));
            const sc_private_input input = {.values = &x, .count = 1};
            sc_outcomes law;
            sc_outcomes_init(&law, 1);
            REQUIRE_OK(sc_laplace.law(m, &input, EXACT_BITS, &law, NULL));
            json_array_foreach(json_object_get(row, "pmf"), k, mass)
            {
                const int64_t key = (int64_t)k;
                outcomes_mass(&law, &key, &ball);
                CHECK_PRINTED(&ball, json_string_value(mass));
                checked++;
            }
            CHECK_INT(law.count, json_array_size(json_object_get(row, "pmf")));
            sc_outcomes_clear(&law);
        }
        scrim_measurement_free(m);
    }
    CHECK(checked > 30);
    sc_ball_clear(&ball);
}

/* Accuracy. */

/* The smallest t with 2 p^(t+1) / (1 + p) <= beta, by its own formula. */
TEST(laplace_radius_is_the_smallest)
{
    CLAIM("laplace.accuracy");
    json_t *rows = vectors_load("mechanisms", "discrete_laplace"), *row, *point;
    size_t index, inner, checked = 0;
    json_array_foreach(rows, index, row)
    {
        char line[100], want[32];
        snprintf(line, sizeof line, "laplace scale=%lld/%lld",
                 (long long)json_integer_value(json_object_get(row, "t")),
                 (long long)json_integer_value(json_object_get(row, "s")));
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
            CHECK_INT(c.form, SCRIM_CERTIFICATE_INTERVAL);
            CHECK_STR(c.confidence, confidence);
            sc_ratio_clear(&one);
            sc_ratio_clear(&beta);
            checked++;
        }
        scrim_measurement_free(m);
    }
    CHECK(checked > 20);
}

/* The smallest t with 2 p^(t+1) / (1 + p) <= 1/20, by the formula itself. */
static int radius_at_95(double scale)
{
    const double p = exp(-1 / scale);
    int t = 0;
    while (2 * pow(p, t + 1) / (1 + p) > 0.05)
        t++;
    return t;
}

/* In the unit of the input, and silent about values at once. */
TEST(laplace_radius_is_in_the_unit_of_the_input)
{
    CLAIM("laplace.accuracy");
    scrim_certificate fine, coarse;
    char want[32];
    scrim_measurement *m = noise_modelled("laplace epsilon=1/10 grid=0.01");
    scrim_measurement *n = noise_modelled("laplace epsilon=1/10");
    REQUIRE(m != NULL && n != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &fine, NULL));
    REQUIRE_OK(scrim_measurement_certify(n, "0.95", 1, &coarse, NULL));
    snprintf(want, sizeof want, "%d", radius_at_95(10));
    CHECK_STR(coarse.radius, want);
    snprintf(want, sizeof want, "%.2f", radius_at_95(1000) / 100.0);
    CHECK_STR(fine.radius, want);
    CHECK_STR(fine.radius_all, "");
    scrim_measurement_free(n);
    scrim_measurement_free(m);
}

/* Draws. */

TEST(laplace_draws_its_law)
{
    CLAIM("laplace.privacy");
    static const char *const scales[] = {"1/3", "1", "25/2", "1000000"};
    for (size_t i = 0; i < COUNT(scales); i++) {
        char line[64];
        sc_law law;
        exact_law(&sc_discrete_laplace_law, scales[i], 0, &law);
        snprintf(line, sizeof line, "laplace scale=%s", scales[i]);
        noise_check_draws(line, &law, check_count(100000, 10000000));
        sc_law_clear(&law);
    }
}

/* A01, A02, A17: the noise is drawn before the input is read, and added to it. */
TEST(laplace_noise_does_not_depend_on_the_input)
{
    CLAIM("laplace.privacy");
    static const int64_t zero[5],
        some[5] = {1, -1, 1000000007, INT64_C(1) << 62, -(INT64_C(1) << 62)};
    noise_check_shift("laplace scale=1", zero, some, 5);
    noise_check_shift("laplace scale=1000", zero, some, 5);
    noise_check_shift("laplace scale=2^60", zero, some, 5);
    noise_check_shift("laplace scale=2^-60", zero, some, 5);
}

/* Refusals. */

/* A23: no parameters make noise of scale 0. */
TEST(laplace_refuses_what_has_no_noise)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *part;
    } list[] = {
        {"laplace epsilon=1 neighbours=replace", SCRIM_E_PARAM, "sensitivity is missing"},
        {"laplace sensitivity=1 epsilon=1", SCRIM_E_PARAM, "neighbours is missing"},
        {"laplace sensitivity=1 neighbours=replace", SCRIM_E_PARAM, "epsilon or scale"},
        {"laplace sensitivity=1 epsilon=1 scale=1 neighbours=replace", SCRIM_E_PARAM,
         "exactly one"},
        {"laplace sensitivity=0 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
         "sensitivity: 0"},
        {"laplace sensitivity=-1 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
         "sensitivity: -1"},
        {"laplace sensitivity=1 epsilon=0 neighbours=replace", SCRIM_E_PARAM,
         "epsilon: 0"},
        {"laplace sensitivity=1 epsilon=inf neighbours=replace", SCRIM_E_PARAM,
         "not a number"},
        {"laplace sensitivity=nan epsilon=1 neighbours=replace", SCRIM_E_PARAM,
         "not a number"},
        {"laplace sensitivity=1 epsilon=1001 neighbours=replace", SCRIM_E_LIMIT,
         "the limit"},
        {"laplace sensitivity=1 epsilon=1 neighbours=local", SCRIM_E_PARAM, "neighbours"},
        {"laplace sensitivity=1 epsilon=1 lower=0 neighbours=replace", SCRIM_E_PARAM,
         "both lower and upper"},
        {"laplace sensitivity=1 epsilon=1 lower=5 upper=5 neighbours=replace",
         SCRIM_E_PARAM, "lower"},
        {"laplace sensitivity=1 epsilon=1 lower=1 upper=0 neighbours=replace",
         SCRIM_E_PARAM, "lower"},
        {"laplace sensitivity=1 epsilon=1 lower=NaN upper=1 neighbours=replace",
         SCRIM_E_PARAM, "not a number"},
        {"laplace sensitivity=1 epsilon=1 grid=1/3 neighbours=replace", SCRIM_E_PARAM,
         "power"},
        {"laplace sensitivity=1 epsilon=1 grid=1/4 size=0 neighbours=replace",
         SCRIM_E_PARAM, "size"},
        /* A05: wider than 2^60 steps is refused before anything is drawn. */
        {"laplace sensitivity=1 scale=2^61 neighbours=replace", SCRIM_E_LIMIT, "scale"},
        {"laplace sensitivity=1 scale=1 grid=2^-61 neighbours=replace", SCRIM_E_LIMIT,
         "another grid"},
        {"laplace sensitivity=1 scale=1 grid=2^61 neighbours=replace", SCRIM_E_LIMIT,
         "another grid"},
        {"laplace sensitivity=2^60 epsilon=2^-60 neighbours=replace", SCRIM_E_LIMIT,
         "another grid"},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_refused(list[i].line, list[i].status, list[i].part);
}
