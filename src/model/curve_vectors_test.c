#include "balls.h"
#include "curves.h"
#include "vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A printed number that stands for 0: the vectors hold some that are rounding noise. */
static bool is_zero(const char *printed)
{
    return strcmp(printed, "0") == 0 || strstr(printed, "e-51") != NULL;
}

/* Numbers beyond what a rational holds, such as 1.8e-13578: to 1e-12 of themselves. */
static bool is_far(const char *printed)
{
    const char *power = strchr(printed, 'e');
    return power != NULL && strtol(power + 1, NULL, 10) < -1000;
}

static void check_far(const sc_ball *ball, const char *printed)
{
    sc_ball want, slack;
    sc_ball_init(&want);
    sc_ball_init(&slack);
    CHECK(ball_set_text(&want, printed, EXACT_BITS) &&
          ball_set_text(&slack, "1e-12", EXACT_BITS));
    sc_ball_mul(&slack, &slack, &want, EXACT_BITS);
    sc_ball_widen(&want, &slack);
    CHECK(sc_ball_contains(&want, ball));
    sc_ball_clear(&slack);
    sc_ball_clear(&want);
}

static void check_delta(const sc_curve *curve, const char *epsilon, const char *printed)
{
    sc_ball delta;
    sc_ball_init(&delta);
    curves_delta(curve, epsilon, &delta);
    if (is_zero(printed)) {
        CHECK(sc_ball_upper(&delta) == 0.0);
    } else if (is_far(printed)) {
        check_far(&delta, printed);
    } else {
        CHECK_PRINTED(&delta, printed);
    }
    sc_ball_clear(&delta);
}

static void check_renyi(const sc_curve *curve, const char *order, const char *printed)
{
    sc_ball renyi;
    sc_ball_init(&renyi);
    curves_renyi(curve, order, &renyi);
    CHECK_PRINTED(&renyi, printed);
    sc_ball_clear(&renyi);
}

/* An epsilon such as 9/14 is printed with 20 digits: the part of D s/t that it stands for. */
static void laplace_epsilon(const json_t *row, size_t index, char text[64])
{
    static const char *const parts[] = {"0", "1/4", "1/2", "3/4", "9/10", "1"};
    sc_ratio whole, part, printed;
    sc_ball exact, near;
    snprintf(text, 64, "%" PRIu64 "/%" PRIu64,
             vectors_number(row, "D") * vectors_number(row, "s"),
             vectors_number(row, "t"));
    exact_ratio(text, &whole);
    exact_ratio(parts[index % COUNT(parts)], &part);
    exact_ratio(vectors_text(row, "epsilon"), &printed);
    sc_ratio_mul(&whole, &whole, &part);
    sc_ratio_format(&whole, text, 64);
    sc_ball_init(&exact);
    sc_ball_init(&near);
    sc_ball_set_ratio(&exact, &whole, 128);
    sc_ball_set_ratio(&near, &printed, 128);
    CHECK_NEAR(sc_ball_upper(&near), sc_ball_upper(&exact), 1e-15);
    sc_ball_clear(&near);
    sc_ball_clear(&exact);
    sc_ratio_clear(&printed);
    sc_ratio_clear(&part);
    sc_ratio_clear(&whole);
}

TEST(curve_of_discrete_laplace_matches_the_vectors)
{
    CLAIM("curve.bounds");
    json_t *rows = vectors_load("mechanisms", "discrete_laplace_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        char scale[64], epsilon[64];
        sc_curve curve;
        laplace_epsilon(row, index, epsilon);
        snprintf(scale, sizeof scale, "%" PRIu64 "/%" PRIu64, vectors_number(row, "t"),
                 vectors_number(row, "s"));
        curves_of_noise(sc_curve_set_laplace, scale, vectors_number(row, "D"), &curve);
        check_delta(&curve, epsilon, vectors_text(row, "delta"));
        sc_curve_clear(&curve);
    }
}

TEST(curve_of_discrete_gaussian_matches_the_vectors)
{
    CLAIM("curve.bounds");
    json_t *rows = vectors_load("mechanisms", "discrete_gaussian"), *row, *point;
    size_t index, inner, checked = 0;
    json_array_foreach(rows, index, row)
    {
        char variance[64];
        const json_t *pair = json_object_get(row, "sigma2");
        snprintf(variance, sizeof variance, "%lld/%lld",
                 (long long)json_integer_value(json_array_get(pair, 0)),
                 (long long)json_integer_value(json_array_get(pair, 1)));
        json_array_foreach(json_object_get(row, "delta_of_epsilon"), inner, point)
        {
            sc_curve curve;
            curves_of_noise(sc_curve_set_gaussian, variance,
                            (uint64_t)json_integer_value(json_array_get(point, 0)),
                            &curve);
            check_delta(&curve, json_string_value(json_array_get(point, 1)),
                        json_string_value(json_array_get(point, 2)));
            sc_curve_clear(&curve);
            checked++;
        }
    }
    CHECK(checked > 50);
}

/* 1 - (1 - delta0)^k (1 - delta) */
static void add_deltas(const char *delta0, uint64_t k, sc_ball *delta)
{
    sc_ball kept;
    sc_ball_init(&kept);
    CHECK(ball_set_text(&kept, delta0, EXACT_BITS));
    sc_ball_neg(&kept, &kept);
    sc_ball_add_int64(&kept, &kept, 1, EXACT_BITS);
    sc_ball_power(&kept, &kept, k, EXACT_BITS);
    sc_ball_neg(delta, delta);
    sc_ball_add_int64(delta, delta, 1, EXACT_BITS);
    sc_ball_mul(delta, delta, &kept, EXACT_BITS);
    sc_ball_neg(delta, delta);
    sc_ball_add_int64(delta, delta, 1, EXACT_BITS);
    sc_ball_clear(&kept);
}

TEST(curve_of_copies_matches_the_vectors)
{
    CLAIM("curve.bounds");
    json_t *rows = vectors_load("mechanisms", "composition_optimal_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        sc_ball delta;
        sc_ball_init(&delta);
        curves_of_noise(sc_curve_set_composed, vectors_text(row, "epsilon"),
                        vectors_number(row, "k"), &curve);
        curves_delta(&curve, vectors_text(row, "eps_global"), &delta);
        if (strcmp(vectors_text(row, "delta0"), "0") != 0)
            add_deltas(vectors_text(row, "delta0"), vectors_number(row, "k"), &delta);
        if (is_zero(vectors_text(row, "delta_global")))
            CHECK(sc_ball_upper(&delta) < 1e-40);
        else
            CHECK_PRINTED(&delta, vectors_text(row, "delta_global"));
        sc_ball_clear(&delta);
        sc_curve_clear(&curve);
    }
}

/* Orders 1 and infinity are limits, and no argument here. */
static bool is_order(const char *order)
{
    return strcmp(order, "1") != 0 && strcmp(order, "inf") != 0;
}

TEST(curve_renyi_of_any_pure_mechanism_matches_the_vectors)
{
    CLAIM("curve.bounds");
    static const char *const members[] = {"rdp_randomised_response", "lemma_9_7"};
    for (size_t i = 0; i < COUNT(members); i++) {
        json_t *rows = vectors_load("local-and-accounting", members[i]), *row;
        size_t index;
        REQUIRE(json_array_size(rows) > 20);
        json_array_foreach(rows, index, row)
        {
            sc_curve curve;
            if (!is_order(vectors_text(row, "alpha")))
                continue;
            curves_of(sc_curve_set_pure, vectors_text(row, "eps"), &curve);
            check_renyi(&curve, vectors_text(row, "alpha"), vectors_text(row, "rdp"));
            sc_curve_clear(&curve);
        }
    }
}

TEST(curve_renyi_of_noise_matches_the_vectors)
{
    CLAIM("curve.bounds");
    json_t *rows = vectors_load("local-and-accounting", "rdp_discrete_laplace"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        sc_ratio rate, one;
        exact_ratio(vectors_text(row, "omega"), &rate);
        exact_ratio("1", &one);
        sc_ratio_div(&rate, &one, &rate);
        sc_curve_init(&curve);
        sc_curve_set_laplace(&curve, &rate, vectors_number(row, "Delta"));
        check_renyi(&curve, vectors_text(row, "alpha"), vectors_text(row, "rdp"));
        sc_curve_clear(&curve);
        sc_ratio_clear(&one);
        sc_ratio_clear(&rate);
    }
    rows = vectors_load("local-and-accounting", "rdp_gaussian");
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        sc_ratio sigma;
        exact_ratio(vectors_text(row, "sigma"), &sigma);
        sc_ratio_mul(&sigma, &sigma, &sigma);
        sc_curve_init(&curve);
        sc_curve_set_gaussian(&curve, &sigma, vectors_number(row, "Delta"));
        check_renyi(&curve, vectors_text(row, "alpha"), vectors_text(row, "rdp"));
        sc_curve_clear(&curve);
        sc_ratio_clear(&sigma);
    }
}

/* (epsilon, delta)-DP does not bound the probability of a large loss: what the pure curve has
 * just below its epsilon (v:privacy_loss_counterexample). */
TEST(curve_of_a_pure_mechanism_below_its_epsilon)
{
    CLAIM("curve.bounds");
    const json_t *row = vectors_load("mechanisms", "privacy_loss_counterexample");
    sc_curve curve;
    sc_ball delta;
    REQUIRE(row != NULL);
    sc_ball_init(&delta);
    curves_of(sc_curve_set_pure, vectors_text(row, "epsilon0"), &curve);
    check_delta(&curve, vectors_text(row, "epsilon"), vectors_text(row, "delta"));
    curves_delta(&curve, vectors_text(row, "epsilon0"), &delta);
    CHECK(sc_ball_upper(&delta) == 0.0);
    sc_curve_clear(&curve);
    sc_ball_clear(&delta);
}
