#include "exact.h"
#include "noise_accuracy.h"
#include "vectors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The middle of a rational's place, for CHECK_NEAR. */
static double view(const sc_ratio *x)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, 64);
    double upper = sc_ball_upper(&ball);
    sc_ball_clear(&ball);
    return upper;
}

TEST(noise_accuracy_of_continuous_laplace_matches_the_vectors)
{
    json_t *rows = vectors_load("mechanisms", "laplace_accuracy"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 3);
    json_array_foreach(rows, index, row)
    {
        char quotient[64];
        sc_ratio scale, beta, epsilon;
        sc_ball radius, failure, one;
        uint64_t k = vectors_number(row, "k");
        exact_ratio(vectors_text(row, "epsilon"), &epsilon);
        snprintf(quotient, sizeof quotient, "%" PRIu64, vectors_number(row, "D"));
        exact_ratio(quotient, &scale);
        sc_ratio_div(&scale, &scale, &epsilon);
        exact_ratio(vectors_text(row, "beta"), &beta);
        sc_ball_init(&radius);
        sc_ball_init(&failure);
        sc_ball_init(&one);
        laplace_radius_continuous(&scale, &beta, k, EXACT_BITS, &radius);
        CHECK_PRINTED(&radius, vectors_text(row, "alpha_exact"));
        laplace_radius_union(&scale, &beta, k, EXACT_BITS, &radius);
        CHECK_PRINTED(&radius, vectors_text(row, "alpha_union"));
        /* Its failure, 1 - (1 - exp(-radius/scale))^k. */
        sc_ball_set_ratio(&one, &scale, EXACT_BITS);
        sc_ball_div(&failure, &radius, &one, EXACT_BITS);
        sc_ball_neg(&failure, &failure);
        sc_ball_exp(&failure, &failure, EXACT_BITS);
        sc_ball_neg(&failure, &failure);
        sc_ball_add_int64(&failure, &failure, 1, EXACT_BITS);
        sc_ball_power(&failure, &failure, k, EXACT_BITS);
        sc_ball_neg(&failure, &failure);
        sc_ball_add_int64(&failure, &failure, 1, EXACT_BITS);
        CHECK_PRINTED(&failure, vectors_text(row, "exact_failure"));
        /* The epsilon for a radius of 10: D ln(k/beta) / 10 is the radius of scale D/10. */
        sc_ratio_set_int64(&epsilon, 10);
        sc_ratio_clear(&scale);
        exact_ratio(quotient, &scale);
        sc_ratio_div(&scale, &scale, &epsilon);
        laplace_radius_union(&scale, &beta, k, EXACT_BITS, &radius);
        CHECK_PRINTED(&radius, vectors_text(row, "epsilon_for_alpha_10_union"));
        sc_ball_clear(&one);
        sc_ball_clear(&failure);
        sc_ball_clear(&radius);
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&beta);
        sc_ratio_clear(&scale);
    }
}

TEST(noise_accuracy_inverse_of_laplace_matches_the_vectors)
{
    json_t *rows = json_object_get(
               vectors_load("mechanisms", "discrete_laplace_epsilon_for_accuracy"),
               "rows"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 10);
    json_array_foreach(rows, index, row)
    {
        sc_ratio beta, epsilon, one, less;
        sc_law law;
        sc_int128 radius = 0;
        exact_ratio(vectors_text(row, "beta"), &beta);
        exact_ratio("1", &one);
        sc_ratio_init(&epsilon);
        REQUIRE_OK(laplace_epsilon_for_radius(vectors_number(row, "a"), &beta, 1,
                                              &epsilon, NULL));
        CHECK_NEAR(view(&epsilon), strtod(vectors_text(row, "epsilon_min"), NULL), 1e-12);
        CHECK(view(&epsilon) <= strtod(vectors_text(row, "epsilon_sufficient"), NULL));
        /* Forwards again: this scale keeps the radius, one a little larger does not. */
        for (unsigned wider = 0; wider < 2; wider++) {
            exact_ratio(wider ? "1099511627775/1099511627776" : "1", &less);
            sc_ratio_mul(&less, &less, &epsilon);
            sc_ratio_div(&less, &one, &less);
            sc_law_init(&law, &sc_discrete_laplace_law, &less, 0);
            REQUIRE_OK(sc_law_radius(&law, &beta, &radius, NULL));
            CHECK_INT(radius, vectors_number(row, "a") + wider);
            sc_law_clear(&law);
            sc_ratio_clear(&less);
        }
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&one);
        sc_ratio_clear(&beta);
    }
}

/* The smallest radius of many values at once: it holds, and the one below it does not. */
TEST(noise_accuracy_of_many_values)
{
    static const struct {
        const sc_law_functions *functions;
        const char *shape;
        sc_int128 bound;
    } laws[] = {{&sc_discrete_laplace_law, "10", 0},
                {&sc_discrete_laplace_law, "1/5", 0},
                {&sc_discrete_gaussian_law, "100", 0},
                {&sc_discrete_gaussian_law, "1/4", 0},
                {&sc_truncated_laplace_law, "10", 40}};
    static const char *const betas[] = {"1/20", "1e-9", "9/10"};
    static const uint64_t counts[] = {1, 2, 10, 1000000, UINT64_MAX};
    sc_ball failure, limit;
    sc_ball_init(&failure);
    sc_ball_init(&limit);
    for (size_t i = 0; i < COUNT(laws); i++)
        for (size_t j = 0; j < COUNT(betas); j++)
            for (size_t k = 0; k < COUNT(counts); k++) {
                sc_law law;
                sc_ratio beta;
                sc_int128 radius = -1;
                exact_law(laws[i].functions, laws[i].shape, laws[i].bound, &law);
                exact_ratio(betas[j], &beta);
                sc_ball_set_ratio(&limit, &beta, EXACT_BITS);
                REQUIRE_OK(noise_radius(&law, &beta, counts[k], &radius, NULL));
                noise_failure(&law, radius, counts[k], EXACT_BITS, &failure);
                CHECK(sc_ball_is_less_equal(&failure, &limit));
                if (radius > 0) {
                    noise_failure(&law, radius - 1, counts[k], EXACT_BITS, &failure);
                    CHECK(sc_ball_is_less(&limit, &failure));
                }
                sc_ratio_clear(&beta);
                sc_law_clear(&law);
            }
    sc_ball_clear(&limit);
    sc_ball_clear(&failure);
}

/* Three values with two outcomes each are enumerated: what is within lies within in all. */
TEST(noise_accuracy_failure_is_that_of_the_product)
{
    sc_law law;
    sc_ball inside, product, failure;
    sc_ball_init(&inside);
    sc_ball_init(&product);
    sc_ball_init(&failure);
    exact_law(&sc_discrete_laplace_law, "3", 0, &law);
    for (sc_int128 radius = 0; radius < 30; radius += 5) {
        sc_law_between(&law, -radius, radius, EXACT_BITS, &inside);
        sc_ball_power(&product, &inside, 3, EXACT_BITS);
        noise_failure(&law, radius, 3, EXACT_BITS, &failure);
        sc_ball_neg(&failure, &failure);
        sc_ball_add_int64(&failure, &failure, 1, EXACT_BITS);
        CHECK_SAME(&failure, &product, 200);
    }
    sc_law_clear(&law);
    sc_ball_clear(&failure);
    sc_ball_clear(&product);
    sc_ball_clear(&inside);
}

TEST(noise_accuracy_inverse_for_many_values)
{
    static const uint64_t counts[] = {1, 7, 1000};
    for (size_t i = 0; i < COUNT(counts); i++)
        for (int64_t radius = 0; radius < 100; radius = 3 * radius + 1) {
            sc_ratio beta, epsilon, one;
            sc_law law;
            sc_int128 found = -1;
            exact_ratio("1/20", &beta);
            exact_ratio("1", &one);
            sc_ratio_init(&epsilon);
            REQUIRE_OK(
                laplace_epsilon_for_radius(radius, &beta, counts[i], &epsilon, NULL));
            sc_ratio_div(&one, &one, &epsilon);
            sc_law_init(&law, &sc_discrete_laplace_law, &one, 0);
            REQUIRE_OK(noise_radius(&law, &beta, counts[i], &found, NULL));
            CHECK_INT(found, radius);
            sc_law_clear(&law);
            sc_ratio_clear(&epsilon);
            sc_ratio_clear(&one);
            sc_ratio_clear(&beta);
        }
}

/* Two quantiles of the normal law that every table has, and the tail of the C library. */
TEST(noise_accuracy_of_continuous_gaussians)
{
    static const struct {
        const char *beta;
        uint64_t count;
        double beta_view, quantile;
    } list[] = {{"1/20", 1, 0.05, 1.959963984540054},
                {"1/10", 2, 0.1, 1.959963984540054},
                {"1/100", 1, 0.01, 2.575829303548901},
                {"2e-9", 2, 2e-9, 0},
                {"9/10", 1, 0.9, 0},
                {"1e-100", 50, 1e-100, 0}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio beta, x;
        exact_ratio(list[i].beta, &beta);
        sc_ratio_init(&x);
        REQUIRE_OK(normal_quantile_upper(&beta, list[i].count, &x, NULL));
        if (list[i].quantile > 0)
            CHECK_NEAR(view(&x), list[i].quantile, 1e-14);
        CHECK_NEAR(erfc(view(&x) / sqrt(2.0)), list[i].beta_view / (double)list[i].count,
                   1e-12);
        sc_ratio_clear(&x);
        sc_ratio_clear(&beta);
    }
}

TEST(noise_accuracy_refuses_what_has_no_answer)
{
    sc_law law;
    sc_ratio zero, one, tiny, out;
    sc_int128 radius = 77;
    exact_law(&sc_discrete_laplace_law, "1", 0, &law);
    exact_ratio("0", &zero);
    exact_ratio("1", &one);
    exact_ratio("2^-1020", &tiny);
    exact_ratio("55", &out);
    CHECK_STATUS(noise_radius(&law, &zero, 2, &radius, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(noise_radius(&law, &one, 2, &radius, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(noise_radius(&law, &tiny, 0, &radius, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(noise_radius(&law, &tiny, 1 << 20, &radius, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(laplace_epsilon_for_radius(1, &one, 1, &out, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(laplace_epsilon_for_radius((sc_int128)1 << 80, &tiny, 1, &out, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(normal_quantile_upper(&zero, 1, &out, NULL), SCRIM_E_PARAM);
    CHECK_INT(radius, 77);
    CHECK(sc_ratio_compare_int64(&out, 55) == 0);
    sc_ratio_clear(&out);
    sc_ratio_clear(&tiny);
    sc_ratio_clear(&one);
    sc_ratio_clear(&zero);
    sc_law_clear(&law);
}
