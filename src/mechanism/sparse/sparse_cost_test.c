#include "exact.h"
#include "mechanism/sparse/sparse_renyi.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

static double number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

static void make_gaussian(sc_sparse_renyi *renyi, const json_t *row)
{
    sc_law a, b;
    char first[32], second[32];
    (void)snprintf(first, 32, "%.0f", pow(number(row, "sigma1"), 2));
    (void)snprintf(second, 32, "%.0f", pow(number(row, "sigma2"), 2));
    exact_law(&sc_discrete_gaussian_law, first, 0, &a);
    exact_law(&sc_discrete_gaussian_law, second, 0, &b);
    sc_sparse_renyi_init(renyi, &a, &b, 1);
    sc_law_clear(&a);
    sc_law_clear(&b);
}

/* The epsilon that an order gives for a delta: by 8.8 of the survey, r + ln(1/delta)/(a-1), or by Canonne,
 * Kamath and Steinke. */
static double converted(const sc_curve *curve, double less, double delta, bool by_survey)
{
    char text[40];
    sc_ratio order;
    sc_ball value;
    (void)snprintf(text, sizeof text, "%.20f", 1 + less);
    exact_ratio(text, &order);
    sc_ball_init(&value);
    sc_curve_renyi_upper(curve, &order, EXACT_BITS, &value);
    double r = sc_ball_upper(&value), a = strtod(text, NULL);
    sc_ball_clear(&value);
    sc_ratio_clear(&order);
    if (by_survey)
        return r + log(1 / delta) / (a - 1);
    return r + log1p(-1 / a) - (log(delta) + log(a)) / (a - 1);
}

/* The smallest over orders, by golden section on ln(order - 1). */
static double least(const sc_curve *curve, double delta, bool by_survey)
{
    const double golden = (sqrt(5) - 1) / 2;
    double low = -5, high = 12;
    while (high - low > 1e-7) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (converted(curve, exp(left), delta, by_survey) <
            converted(curve, exp(right), delta, by_survey))
            high = right;
        else
            low = left;
    }
    return converted(curve, exp((low + high) / 2), delta, by_survey);
}

static double settled(sc_sparse_renyi *renyi, const char *delta)
{
    sc_ratio d;
    sc_ball value;
    exact_ratio(delta, &d);
    sc_ball_init(&value);
    CHECK(sc_sparse_cost_settle(renyi, &d));
    CHECK(sc_ratio_compare(&renyi->pair.delta, &d) < 0);
    sc_ball_set_ratio(&value, &renyi->pair.epsilon, EXACT_BITS);
    double epsilon = sc_ball_upper(&value);
    sc_ball_clear(&value);
    sc_ratio_clear(&d);
    return epsilon;
}

TEST(sparse_cost_of_a_capped_run_is_that_of_the_vectors)
{
    CLAIM("sparse-cost.upper");
    json_t *rows = vectors_load("local-and-accounting", "svt_9_12_eps"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        const char *delta = json_string_value(json_object_get(row, "delta"));
        const double wanted = number(row, "eps_from_9_12_and_8_8");
        sc_sparse_renyi renyi;
        sc_curve curve;
        sc_curve_init(&curve);
        make_gaussian(&renyi, row);
        sc_sparse_renyi_add(&renyi, 1, (uint64_t)number(row, "c"),
                            (uint64_t)number(row, "kmax"), -1);
        sc_sparse_renyi_orders(&renyi, &curve);
        CHECK_NEAR(least(&curve, strtod(delta, NULL), true), wanted, 1e-12);
        CHECK(number(row, "eps_printed") < wanted);
        /* what is charged is the better conversion of the same curve, rounded up */
        double best = least(&curve, strtod(delta, NULL), false);
        double charged = settled(&renyi, delta);
        CHECK(charged < wanted);
        CHECK(charged >= best - 1e-12);
        CHECK_NEAR(charged, best, 1e-3);
        sc_curve_clear(&curve);
        sc_sparse_renyi_clear(&renyi);
    }
}

TEST(sparse_cost_of_stages_is_that_of_the_vectors)
{
    CLAIM("sparse-cost.upper");
    json_t *rows = vectors_load("local-and-accounting", "svt_stagewise"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        const uint64_t c = (uint64_t)number(row, "c"),
                       stage = (uint64_t)number(row, "c_stage"),
                       length = (uint64_t)number(row, "k_stage"),
                       stages = (c - 1) / stage + 1;
        const double s = (double)stages, dt = number(row, "delta_tilde"),
                     total = number(row, "delta_total");
        sc_sparse_renyi renyi;
        sc_curve curve;
        sc_curve_init(&curve);
        make_gaussian(&renyi, row);
        CHECK_INT((int)stages, (int)number(row, "stages"));
        sc_sparse_renyi_add(&renyi, c / stage, stage, length, -1);
        if (c % stage > 0)
            sc_sparse_renyi_add(&renyi, 1, c % stage, length, -1);
        /* one stage by 8.8, and advanced composition of all */
        sc_sparse_renyi_part_curve(&renyi, &curve);
        double e = least(&curve, number(row, "delta_prime"), true);
        CHECK_NEAR(e, number(row, "eps_stage"), 1e-12);
        CHECK_NEAR(sqrt(2 * s * log(1 / dt)) * e + s * e * expm1(e) / (exp(e) + 1),
                   number(row, "eps_advanced"), 1e-12);
        CHECK_NEAR(dt + s * number(row, "delta_prime"), total, 1e-12);
        /* the sum of the curves, converted once; the vectors count a whole last stage */
        sc_sparse_renyi_orders(&renyi, &curve);
        if (c % stage == 0)
            CHECK_NEAR(least(&curve, total, true), number(row, "eps_rdp_same_delta"),
                       1e-12);
        double by_orders = least(&curve, total, false);
        CHECK(by_orders < number(row, "eps_rdp_same_delta"));
        /* what is charged is no more than either */
        char text[40];
        (void)snprintf(text, sizeof text, "%.20e", total);
        double charged = settled(&renyi, text);
        CHECK(charged < number(row, "eps_advanced"));
        CHECK(charged <= by_orders * 1.001);
        sc_curve_clear(&curve);
        sc_sparse_renyi_clear(&renyi);
    }
}

SLOW_TEST(sparse_cost_of_pure_noise_is_pure)
{
    CLAIM("sparse-cost.upper");
    sc_law a, b;
    sc_sparse_renyi renyi;
    sc_exact_cost cost;
    sc_ratio delta, x;
    sc_ball value;
    sc_cost_init(&cost);
    sc_ball_init(&value);
    exact_ratio("1e-6", &delta);
    exact_law(&sc_discrete_laplace_law, "10", 0, &a);
    exact_law(&sc_discrete_laplace_law, "20", 0, &b);
    sc_sparse_renyi_init(&renyi, &a, &b, 1);
    sc_sparse_renyi_add(&renyi, 40, 1, 0, -1);
    sc_sparse_cost_set(&renyi, NULL, &cost);
    exact_ratio("8", &x); /* 40 (1/10 + 2/20) */
    CHECK(cost.has_epsilon && cost.has_rho);
    CHECK(sc_ratio_compare(&cost.epsilon, &x) == 0);
    CHECK_INT(sc_ratio_sign(&cost.delta), 0);
    sc_curve_delta_upper(&cost.curve, &x, 128, &value);
    CHECK(sc_ball_upper(&value) <= 0);
    /* with a delta it is less; the curve says so too */
    CHECK(sc_sparse_cost_settle(&renyi, &delta));
    sc_sparse_cost_set(&renyi, &delta, &cost);
    CHECK(sc_ratio_compare(&cost.delta, &delta) == 0);
    CHECK(sc_ratio_compare(&cost.epsilon, &x) < 0);
    sc_curve_delta_upper(&cost.curve, &cost.epsilon, 128, &value);
    CHECK(sc_ball_upper(&value) <= 1.0000001e-6);
    CHECK(sc_curve_epsilon_upper(&cost.curve, &delta, &x));
    sc_ratio_sub(&x, &x, &cost.epsilon);
    sc_ball_set_ratio(&value, &x, 128);
    CHECK(sc_ball_upper(&value) < 1e-12);
    sc_sparse_renyi_clear(&renyi);
    sc_law_clear(&b);
    sc_law_clear(&a);
    sc_ratio_clear(&x);
    sc_ratio_clear(&delta);
    sc_ball_clear(&value);
    sc_cost_clear(&cost);
}
