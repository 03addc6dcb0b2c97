#include "balls.h"
#include "exact.h"
#include "mechanism/sparse/sparse_split.h"
#include "model/curve.h"
#include "vectors.h"

#include <stdio.h>

/* 2 (1/s1)^2 + 2 (w/s2)^2: the variance of the comparison at epsilon 1, w the queries' factor. */
static void variance_of(const sc_ball *threshold, const sc_ball *query, int64_t factor,
                        sc_ball *out)
{
    sc_ball part;
    sc_ball_init(&part);
    sc_ball_set_int64(out, 1);
    sc_ball_div(out, out, threshold, EXACT_BITS);
    sc_ball_mul(out, out, out, EXACT_BITS);
    sc_ball_set_int64(&part, factor);
    sc_ball_div(&part, &part, query, EXACT_BITS);
    sc_ball_mul(&part, &part, &part, EXACT_BITS);
    sc_ball_add(out, out, &part, EXACT_BITS);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_clear(&part);
}

TEST(sparse_split_is_that_of_the_vectors)
{
    json_t *rows = vectors_load("mechanisms", "svt_budget_split"), *row;
    size_t i;
    sc_ball share[3], variance, half;
    for (int j = 0; j < 3; j++)
        sc_ball_init(&share[j]);
    sc_ball_init(&variance);
    sc_ball_init(&half);
    sc_ball_set_int64(&half, 1);
    sc_ball_mul_power2(&half, &half, -1);
    CHECK(json_array_size(rows) >= 8);
    json_array_foreach(rows, i, row)
    {
        const uint64_t c = (uint64_t)json_integer_value(json_object_get(row, "c"));
        const bool is_monotone = json_is_true(json_object_get(row, "monotone"));
        const int64_t factor = (int64_t)(is_monotone ? c : 2 * c);
        sc_sparse_share(c, is_monotone, false, EXACT_BITS, share);
        CHECK_PRINTED(&share[0], json_string_value(json_object_get(row, "eps1_share")));
        CHECK_PRINTED(&share[1], json_string_value(json_object_get(row, "eps2_share")));
        variance_of(&share[0], &share[1], factor, &variance);
        CHECK_PRINTED(&variance,
                      json_string_value(json_object_get(row, "variance_times_eps2")));
        variance_of(&half, &half, factor, &variance);
        CHECK_PRINTED(&variance,
                      json_string_value(json_object_get(row, "variance_half_half")));
    }
    sc_ball_clear(&half);
    sc_ball_clear(&variance);
    for (int j = 0; j < 3; j++)
        sc_ball_clear(&share[j]);
}

/* A rational share against the real one: below it, by less than 2^-40. */
static void check_part(const sc_ratio *part, const sc_ratio *epsilon,
                       const sc_ball *share)
{
    sc_ratio fraction;
    sc_ball got, slack;
    sc_ratio_init(&fraction);
    sc_ball_init(&got);
    sc_ball_init(&slack);
    sc_ratio_div(&fraction, part, epsilon);
    sc_ball_set_ratio(&got, &fraction, EXACT_BITS);
    CHECK(sc_ratio_sign(part) > 0);
    CHECK(!sc_ball_is_less(share, &got));
    sc_ball_set_int64(&slack, 1);
    sc_ball_mul_power2(&slack, &slack, -40);
    sc_ball_add(&got, &got, &slack, EXACT_BITS);
    CHECK(sc_ball_is_less(share, &got));
    sc_ball_clear(&slack);
    sc_ball_clear(&got);
    sc_ratio_clear(&fraction);
}

static void check_sum(const sc_sparse_shares *shares, const sc_ratio *epsilon)
{
    sc_ratio sum;
    sc_ratio_init(&sum);
    sc_ratio_add(&sum, &shares->threshold, &shares->query);
    sc_ratio_add(&sum, &sum, &shares->value);
    CHECK(sc_ratio_compare(&sum, epsilon) == 0);
    sc_ratio_clear(&sum);
}

TEST(sparse_split_sums_to_epsilon)
{
    CLAIM("sparse-split.sum");
    static const char *const epsilons[] = {"1", "1/3", "1e-9", "17.25"};
    static const uint64_t counts[] = {1, 2, 3, 10, 1000, 1 << 20};
    sc_ball share[3];
    sc_sparse_shares shares;
    sc_sparse_shares_init(&shares);
    for (int j = 0; j < 3; j++)
        sc_ball_init(&share[j]);
    for (size_t i = 0; i < 16 * COUNT(counts); i++) {
        const uint64_t count = counts[i / 16];
        const bool is_monotone = i & 1, is_numeric = i & 2;
        sc_ratio epsilon;
        exact_ratio(epsilons[i / 4 % 4], &epsilon);
        sc_sparse_share(count, is_monotone, is_numeric, EXACT_BITS, share);
        sc_sparse_split(&epsilon, count, is_monotone, is_numeric, &shares);
        check_sum(&shares, &epsilon);
        check_part(&shares.threshold, &epsilon, &share[0]);
        CHECK(sc_ratio_sign(&shares.query) > 0);
        if (is_numeric)
            check_part(&shares.value, &epsilon, &share[2]);
        else
            CHECK_INT(sc_ratio_sign(&shares.value), 0);
        sc_sparse_split_run(&epsilon, is_monotone, is_numeric, &shares);
        check_sum(&shares, &epsilon);
        CHECK_INT(sc_ratio_sign(&shares.value), is_numeric);
        CHECK(sc_ratio_compare(&shares.threshold, &shares.value) > 0);
        sc_ratio_clear(&epsilon);
    }
    for (int j = 0; j < 3; j++)
        sc_ball_clear(&share[j]);
    sc_sparse_shares_clear(&shares);
}

TEST(sparse_split_halves_exactly_where_half_is_best)
{
    sc_sparse_shares shares;
    sc_ratio epsilon, half;
    sc_sparse_shares_init(&shares);
    exact_ratio("1", &epsilon);
    exact_ratio("1/2", &half);
    sc_sparse_split(&epsilon, 1, true, false, &shares);
    CHECK(sc_ratio_compare(&shares.threshold, &half) == 0);
    CHECK(sc_ratio_compare(&shares.query, &half) == 0);
    sc_ratio_clear(&half);
    sc_ratio_clear(&epsilon);
    sc_sparse_shares_clear(&shares);
}

/* count runs of e0: what delta they have at epsilon. */
static void composed_delta(const sc_ratio *e0, uint64_t count, const sc_ratio *epsilon,
                           sc_ball *out)
{
    sc_curve curve;
    sc_curve_init(&curve);
    sc_curve_set_composed(&curve, e0, count);
    sc_curve_delta_upper(&curve, epsilon, EXACT_BITS, out);
    sc_curve_clear(&curve);
}

TEST(sparse_split_per_run_is_that_of_the_vectors)
{
    CLAIM("sparse-split.per-run");
    json_t *rows = vectors_load("mechanisms", "sparse_per_run_epsilon"), *row;
    size_t i;
    sc_ball value, allowed;
    sc_ball_init(&value);
    sc_ball_init(&allowed);
    CHECK(json_array_size(rows) >= 5);
    json_array_foreach(rows, i, row)
    {
        const uint64_t c = (uint64_t)json_integer_value(json_object_get(row, "c"));
        sc_ratio epsilon, delta, e0, none;
        exact_ratio(json_string_value(json_object_get(row, "epsilon")), &epsilon);
        exact_ratio(json_string_value(json_object_get(row, "delta")), &delta);
        sc_ratio_init(&e0);
        sc_ratio_init(&none);
        sc_sparse_per_run_epsilon(&epsilon, &none, c, &e0);
        sc_ball_set_ratio(&value, &e0, EXACT_BITS);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "per_run_basic")));
        sc_sparse_per_run_epsilon(&epsilon, &delta, c, &e0);
        sc_ball_set_ratio(&value, &e0, EXACT_BITS);
        /* ours has 60 binary places, and is not above the best */
        CHECK(ball_set_text(&allowed,
                            json_string_value(json_object_get(row, "per_run_optimal")),
                            EXACT_BITS));
        CHECK(sc_ball_is_less_equal(&value, &allowed));
        CHECK_NEAR(sc_ball_upper(&value), sc_ball_upper(&allowed), 1e-12);
        composed_delta(&e0, c, &epsilon, &value);
        sc_ball_set_ratio(&allowed, &delta, EXACT_BITS);
        CHECK(sc_ball_is_less_equal(&value, &allowed));
        sc_ratio_clear(&none);
        sc_ratio_clear(&e0);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
    sc_ball_clear(&allowed);
    sc_ball_clear(&value);
}

/* epsilon / sqrt(8 c ln(1/delta)), the survey's, to 60 places. */
static void survey_per_run(const json_t *row, sc_ratio *epsilon, sc_ratio *delta,
                           uint64_t *count, sc_ratio *out)
{
    char text[32];
    sc_ball x, part;
    sc_integer whole, one;
    sc_ball_init(&x);
    sc_ball_init(&part);
    sc_integer_init(&whole);
    sc_integer_init(&one);
    *count = (uint64_t)json_integer_value(json_object_get(row, "c"));
    exact_ratio(json_string_value(json_object_get(row, "delta")), delta);
    (void)snprintf(text, sizeof text, "%lld",
                   (long long)json_integer_value(json_object_get(row, "epsilon")));
    exact_ratio(text, epsilon);
    sc_ball_set_ratio(&x, delta, EXACT_BITS);
    sc_ball_log(&x, &x, EXACT_BITS);
    sc_ball_mul_int64(&x, &x, -8 * (int64_t)*count, EXACT_BITS);
    sc_ball_sqrt(&x, &x, EXACT_BITS);
    sc_ball_set_ratio(&part, epsilon, EXACT_BITS);
    sc_ball_div(&x, &part, &x, EXACT_BITS);
    sc_ball_mul_power2(&x, &x, 100);
    CHECK(sc_ball_floor(&x, &whole));
    sc_integer_set_int128(&one, (sc_int128)1 << 100);
    sc_ratio_set_fraction(out, &whole, &one);
    sc_integer_clear(&one);
    sc_integer_clear(&whole);
    sc_ball_clear(&part);
    sc_ball_clear(&x);
}

TEST(sparse_split_of_the_survey_is_refuted_for_large_epsilon)
{
    CLAIM("sparse-split.per-run");
    const json_t *row = json_object_get(
        vectors_load("mechanisms", "sparse_composition_step"), "counterexample");
    sc_ratio epsilon, delta, e0;
    sc_ball value, allowed, printed;
    uint64_t count = 0;
    sc_ratio_init(&e0);
    sc_ball_init(&value);
    sc_ball_init(&allowed);
    sc_ball_init(&printed);
    survey_per_run(row, &epsilon, &delta, &count, &e0);
    composed_delta(&e0, count, &epsilon, &value);
    CHECK(ball_set_text(
        &printed, json_string_value(json_object_get(row, "optimal_delta")), EXACT_BITS));
    CHECK_NEAR(sc_ball_upper(&value), sc_ball_upper(&printed), 1e-12);
    sc_ball_set_ratio(&allowed, &delta, EXACT_BITS);
    CHECK(sc_ball_is_less(&allowed, &value));
    /* ours is smaller there, and within */
    sc_sparse_per_run_epsilon(&epsilon, &delta, count, &e0);
    composed_delta(&e0, count, &epsilon, &value);
    CHECK(sc_ball_is_less_equal(&value, &allowed));
    sc_ball_clear(&printed);
    sc_ball_clear(&allowed);
    sc_ball_clear(&value);
    sc_ratio_clear(&e0);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}
