#include "balls.h"
#include "exact.h"
#include "mechanism/sparse/sparse_renyi.h"
#include "sparse_plans.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

/* The square of an integer sigma, as text. */
static const char *square(const json_t *row, const char *name, char text[32])
{
    double sigma = number(row, name);
    (void)snprintf(text, 32, "%.0f", sigma * sigma);
    return text;
}

static void make(sc_sparse_renyi *renyi, const sc_law_functions *first,
                 const char *threshold, const sc_law_functions *second, const char *query,
                 uint64_t sensitivity)
{
    sc_law a, b;
    exact_law(first, threshold, 0, &a);
    exact_law(second, query, 0, &b);
    sc_sparse_renyi_init(renyi, &a, &b, sensitivity);
    sc_law_clear(&a);
    sc_law_clear(&b);
}

static void make_gaussian(sc_sparse_renyi *renyi, const json_t *row)
{
    char first[32], second[32];
    make(renyi, &sc_discrete_gaussian_law, square(row, "sigma1", first),
         &sc_discrete_gaussian_law, square(row, "sigma2", second), 1);
}

static double bound_at(const sc_sparse_renyi *renyi, const char *order)
{
    sc_ratio a;
    sc_ball value;
    exact_ratio(order, &a);
    sc_ball_init(&value);
    sc_sparse_renyi_bound(renyi, &a, EXACT_BITS, &value);
    double upper = sc_ball_upper(&value);
    sc_ball_clear(&value);
    sc_ratio_clear(&a);
    return upper;
}

TEST(sparse_renyi_bounds_are_those_of_the_vectors)
{
    CLAIM("sparse-renyi.bounds");
    json_t *rows = vectors_load("local-and-accounting", "svt_gaussian_c1"), *row;
    size_t i;
    sc_sparse_renyi renyi;
    json_array_foreach(rows, i, row)
    {
        const char *order = json_string_value(json_object_get(row, "alpha"));
        make_gaussian(&renyi, row);
        sc_sparse_renyi_add(&renyi, 1, 1, (uint64_t)number(row, "kmax"), -1);
        CHECK_NEAR(bound_at(&renyi, order), number(row, "bound_9_9"), 2e-13);
        CHECK(bound_at(&renyi, order) > number(row, "exact_instance"));
        sc_sparse_renyi_clear(&renyi);
    }
    rows = vectors_load("local-and-accounting", "svt_c2");
    json_array_foreach(rows, i, row)
    {
        const char *order = json_string_value(json_object_get(row, "alpha"));
        make_gaussian(&renyi, row);
        sc_sparse_renyi_add(&renyi, 1, (uint64_t)number(row, "c"),
                            (uint64_t)number(row, "kmax"), -1);
        CHECK_NEAR(bound_at(&renyi, order), number(row, "bound_tight"), 2e-13);
        sc_sparse_renyi_clear(&renyi);
    }
}

TEST(sparse_renyi_of_pure_queries_needs_no_length)
{
    CLAIM("sparse-renyi.bounds");
    const json_t *row = vectors_load("local-and-accounting", "svt_hybrid");
    char variance[32];
    sc_sparse_renyi renyi;
    sc_ratio epsilon;
    sc_ratio_init(&epsilon);
    make(&renyi, &sc_discrete_gaussian_law, square(row, "sigma1", variance),
         &sc_discrete_laplace_law, json_string_value(json_object_get(row, "b2")), 1);
    sc_sparse_renyi_add(&renyi, 1, 1, 0, -1);
    CHECK(sc_sparse_renyi_is_finite(&renyi));
    CHECK(!sc_sparse_renyi_pure(&renyi, &epsilon));
    CHECK_NEAR(bound_at(&renyi, json_string_value(json_object_get(row, "alpha"))),
               number(row, "bound"), 1e-12);
    sc_sparse_renyi_clear(&renyi);
    /* both pure: the threshold at D, the queries at 2 D */
    row = vectors_load("local-and-accounting", "svt_two_delta");
    make(&renyi, &sc_discrete_laplace_law, json_string_value(json_object_get(row, "b1")),
         &sc_discrete_laplace_law, json_string_value(json_object_get(row, "b2")), 1);
    sc_sparse_renyi_add(&renyi, 1, 1, 0, -1);
    CHECK(sc_sparse_renyi_pure(&renyi, &epsilon));
    CHECK(sc_ratio_compare_int64(&epsilon, (int64_t)number(row, "right_charge")) == 0);
    sc_sparse_renyi_add(&renyi, 5, 2, 0, -1);
    CHECK(sc_sparse_renyi_pure(&renyi, &epsilon));
    CHECK(sc_ratio_compare_int64(&epsilon, 3 + 5 * (1 + 2 * 2)) == 0);
    CHECK(bound_at(&renyi, "1000000") <= 28);
    sc_sparse_renyi_clear(&renyi);
    sc_ratio_clear(&epsilon);
}

TEST(sparse_renyi_needs_the_queries_to_be_pure_or_a_length)
{
    CLAIM("sparse-renyi.bounds");
    const json_t *row = vectors_load("local-and-accounting", "svt_third_bound_condition");
    char variance[32];
    sc_sparse_renyi renyi;
    make(&renyi, &sc_discrete_laplace_law, json_string_value(json_object_get(row, "b1")),
         &sc_discrete_gaussian_law, square(row, "sigma2", variance), 1);
    sc_sparse_renyi_add(&renyi, 1, 1, 0, (int64_t)number(row, "T"));
    CHECK(!sc_sparse_renyi_is_finite(&renyi));
    CHECK(isinf(bound_at(&renyi, "2")));
    sc_sparse_renyi_clear(&renyi);
}

TEST(sparse_renyi_counts_the_outputs)
{
    json_t *rows = vectors_load("local-and-accounting", "svt_binomial_substitution"),
           *row;
    size_t i;
    sc_ball value;
    sc_ball_init(&value);
    json_array_foreach(rows, i, row)
    {
        sc_sparse_log_outputs((uint64_t)number(row, "kmax"), (uint64_t)number(row, "c"),
                              EXACT_BITS, &value);
        sc_ball_exp(&value, &value, EXACT_BITS);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "sum_binom")));
    }
    /* all subsets, and those of a large set */
    sc_sparse_log_outputs(3, 7, EXACT_BITS, &value);
    sc_ball_exp(&value, &value, EXACT_BITS);
    CHECK_PRINTED(&value, "8");
    sc_sparse_log_outputs((uint64_t)1 << 40, 2, EXACT_BITS, &value);
    sc_ball_exp(&value, &value, EXACT_BITS);
    CHECK_PRINTED(&value, "604462909807864343166977"); /* 1 + 2^40 + 2^39 (2^40 - 1) */
    sc_ball_clear(&value);
}

/* With the closed bound of the continuous moment in place of ours, the curve of the vectors: the
 * curve sees D/sigma only, so that sigma1 = 1/D and D = 1 stand for sigma1 = 1 and any D. */
TEST(sparse_renyi_of_non_negative_queries_is_that_of_the_vectors)
{
    CLAIM("sparse-renyi.bounds");
    json_t *rows = vectors_load("local-and-accounting", "svt_nonnegative_rdp"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        const double r = number(row, "sigma2_over_sigma1"), u = r * r - 2,
                     t = number(row, "T_over_sigma1"),
                     d = number(row, "Delta_over_sigma1");
        const double moment = 4 + 2 * 3.14159265358979323846 * sqrt(r * r / u) *
                                      exp(t * t / u) * (pow(1 + r * t / u, 2) + 1 / u);
        char first[32], second[32], text[32];
        sc_sparse_renyi renyi;
        (void)snprintf(first, sizeof first, "%.0f", 1 / (d * d));
        (void)snprintf(second, sizeof second, "%.0f", r * r / (d * d));
        make(&renyi, &sc_discrete_gaussian_law, first, &sc_discrete_gaussian_law, second,
             1);
        sc_sparse_renyi_add(&renyi, 1, 1, 0, -1);
        sc_sparse_part *part = &renyi.part[0];
        part->holders = 1;
        exact_ratio("2", &part->holder[0].g);
        sc_ball_init(&part->holder[0].log_moment);
        (void)snprintf(text, sizeof text, "%.17g", log(moment));
        CHECK(ball_set_text(&part->holder[0].log_moment, text, EXACT_BITS));
        CHECK_NEAR(bound_at(&renyi, json_string_value(json_object_get(row, "alpha"))),
                   number(row, "rdp"), 1e-12);
        sc_sparse_renyi_clear(&renyi);
    }
}

TEST(sparse_renyi_of_non_negative_queries_takes_the_best_order)
{
    CLAIM("sparse-renyi.bounds");
    /* two answers, each under a threshold of its own; then both under one, for which 2 g has
     * to stay below the quotient of the variances, 4 */
    sc_sparse_renyi renyi;
    sc_ratio order;
    sc_ball value, only;
    exact_ratio("2", &order);
    sc_ball_init(&value);
    sc_ball_init(&only);
    make(&renyi, &sc_discrete_gaussian_law, "25", &sc_discrete_gaussian_law, "100", 1);
    sc_sparse_renyi_add(&renyi, 2, 1, 0, 10);
    const sc_sparse_part *part = &renyi.part[0];
    CHECK(part->holders >= 4);
    sc_sparse_renyi_bound(&renyi, &order, EXACT_BITS, &value);
    for (size_t i = 0; i < part->holders; i++) {
        sc_sparse_part alone = *part;
        alone.holders = 1;
        alone.holder[0] = part->holder[i];
        sc_sparse_renyi_part(&renyi, &alone, &order, EXACT_BITS, &only);
        sc_ball_mul_power2(&only, &only, 1);
        CHECK(!sc_ball_is_less(&only, &value));
    }
    sc_sparse_renyi_clear(&renyi);
    make(&renyi, &sc_discrete_gaussian_law, "25", &sc_discrete_gaussian_law, "100", 1);
    sc_sparse_renyi_add(&renyi, 1, 2, 0, 10);
    CHECK(sc_sparse_renyi_is_finite(&renyi));
    CHECK_INT((int)renyi.part[0].holders, 3); /* 9/8, 5/4 and 3/2 */
    sc_sparse_renyi_clear(&renyi);
    sc_ball_clear(&only);
    sc_ball_clear(&value);
    sc_ratio_clear(&order);
}

/* The first term of Theorem 9.11: (alpha - 1/2) D^2/sigma1^2, by the sharper form. */
TEST(sparse_renyi_threshold_term_is_the_sharper_one)
{
    json_t *rows = vectors_load("local-and-accounting", "svt_9_11_first_term"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const char *order = json_string_value(json_object_get(row, "alpha"));
        sc_sparse_renyi renyi;
        make(&renyi, &sc_discrete_gaussian_law, "1", &sc_discrete_gaussian_law, "1e30",
             1);
        sc_sparse_renyi_add(&renyi, 1, 1, 0, -1);
        sc_sparse_part *part = &renyi.part[0];
        part->holders = 1;
        exact_ratio("2", &part->holder[0].g);
        sc_ball_init(&part->holder[0].log_moment); /* ln 1 */
        double bound = bound_at(&renyi, order), alpha = strtod(order, NULL);
        CHECK_NEAR(bound, number(row, "sharper_order_form"), 1e-12);
        CHECK(bound < number(row, "printed_9_11"));
        CHECK_NEAR(alpha * (alpha - 0.5) / (alpha - 1),
                   number(row, "from_9_9_second_bound_times_sigma1sq"), 1e-12);
        sc_sparse_renyi_clear(&renyi);
    }
}

/* The curve is never below the divergence of the exact laws: noise of every kind, several counts
 * and lengths, on neighbours that move apart. */
static double divergence(const sc_sparse_plan *plan, const int64_t *x, const int64_t *y,
                         size_t count, double order)
{
    sc_outcomes p, q;
    double sum = 0;
    sc_outcomes_init(&p, 2);
    sc_outcomes_init(&q, 2);
    CHECK_STATUS(sc_sparse_law(plan, &sparse_plans_range,
                               &(sc_private_input){.values = x, .count = count}, 128, &p,
                               NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_sparse_law(plan, &sparse_plans_range,
                               &(sc_private_input){.values = y, .count = count}, 128, &q,
                               NULL),
                 SCRIM_OK);
    CHECK_INT((int64_t)p.count, (int64_t)q.count);
    for (size_t i = 0; i < p.count; i++)
        sum += pow(sc_ball_lower(&p.mass[i]), order) *
               pow(sc_ball_upper(&q.mass[i]), 1 - order);
    sc_outcomes_clear(&q);
    sc_outcomes_clear(&p);
    return CHECK(sum > 0) ? log(sum) / (order - 1) : 0;
}

SLOW_TEST(sparse_renyi_is_never_below_the_exact_laws)
{
    CLAIM("sparse-renyi.bounds");
    static const char *const shapes[][2] = {
        {"v4", "v16"}, {"v1", "v4"}, {"2", "v9"}, {"v4", "3"}, {"1", "2"}};
    static const char *const orders[] = {"1.5", "2", "8", "64"};
    const int64_t x[] = {0, 0, 0, 1, 0}, y[] = {1, 1, -1, 2, -1};
    for (size_t i = 0; i < 4 * COUNT(shapes); i++) {
        const sparse_plan_scales scales = {shapes[i / 4][0], shapes[i / 4][1], NULL};
        sc_sparse_plan plan;
        sc_sparse_renyi renyi;
        REQUIRE(sparse_plan_init(&plan, &scales));
        plan.count = plan.stage_count = 1 + (i & 1);
        plan.redraws = i & 2;
        plan.stage_length = 5;
        sc_sparse_renyi_init(&renyi, &plan.threshold.law, &plan.query.law, 1);
        sc_sparse_renyi_add(&renyi, plan.redraws ? plan.count : 1,
                            plan.redraws ? 1 : plan.count, 5, -1);
        for (size_t j = 0; j < 4; j++) {
            double order = strtod(orders[j], NULL), claimed = bound_at(&renyi, orders[j]);
            double forth = divergence(&plan, x, y, 5, order),
                   back = divergence(&plan, y, x, 5, order);
            CHECK(forth > 0 && forth <= claimed);
            CHECK(back > 0 && back <= claimed);
        }
        sc_sparse_renyi_clear(&renyi);
        sparse_plan_clear(&plan);
    }
}
