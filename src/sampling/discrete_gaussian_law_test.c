#include "base/number/ball_double.h"
#include "check.h"
#include "sampling/discrete_gaussian_law.h"
#include "vectors.h"

#include <math.h>

#define BITS 192L

static sc_gaussian_sum *sum_of(const char *variance, uint64_t draws)
{
    SC_OWN(sc_ratio, exact);
    sc_gaussian_sum *sum = NULL;
    CHECK_STATUS(sc_ratio_parse(sc_text_of(variance), &exact, NULL), SCRIM_OK);
    CHECK_STATUS(sc_gaussian_sum_new(&exact, draws, &sum, NULL), SCRIM_OK);
    return sum;
}

static void law_of(const sc_gaussian_sum *sum, sc_law *law)
{
    sc_law_init(law, &sc_gaussian_sum_law, &sum->one.shape, 0);
    law->context = sum;
}

/* ln(P(S = k)/G(k)). */
static double log_ratio(const sc_law *law, const sc_gaussian_sum *sum, int64_t k)
{
    SC_OWN(sc_ball, p, g);
    sc_law_pmf(law, k, BITS, &p);
    sc_law_pmf(&sum->whole, k, BITS, &g);
    sc_ball_div(&p, &p, &g, BITS);
    sc_ball_log(&p, &p, BITS);
    CHECK(sc_ball_is_accurate(&p, 60));
    return (sc_ball_lower(&p) + sc_ball_upper(&p)) / 2;
}

/* The Renyi divergence of an order against a shift by 1. */
static double renyi(const sc_law *law, int64_t order)
{
    SC_OWN(sc_ball, all, here, there);
    for (int64_t k = -60; k <= 60; k++) {
        sc_law_pmf(law, k, BITS, &here);
        sc_law_pmf(law, k - 1, BITS, &there);
        sc_ball_div(&there, &here, &there, BITS);
        sc_ball_power(&there, &there, (uint64_t)order - 1, BITS);
        sc_ball_mul(&here, &here, &there, BITS);
        sc_ball_add(&all, &all, &here, BITS);
    }
    sc_ball_log(&all, &all, BITS);
    sc_ball_div_int64(&all, &all, order - 1, BITS);
    return sc_ball_upper(&all);
}

static double number(const json_t *row, const char *name)
{
    const char *text = vectors_text(row, name);
    return text == NULL ? (double)NAN : strtod(text, NULL);
}

TEST(gaussian_sum_matches_the_vectors)
{
    CLAIM("gaussian-sum.encloses");
    CLAIM("gaussian-sum.close");
    json_t *rows = vectors_load("local-additions", "dgauss_sum"), *row;
    size_t i, divergences = 0;
    REQUIRE(json_array_size(rows) == 5);
    json_array_foreach(rows, i, row)
    {
        const double most = number(row, "max_log_ratio"),
                     least = number(row, "min_log_ratio");
        sc_gaussian_sum *sum =
            sum_of(vectors_text(row, "sigma2"), vectors_number(row, "h"));
        double high = -1, low = 1;
        sc_law law;
        if (sum == NULL)
            break;
        law_of(sum, &law);
        for (int64_t k = -7; k <= 7; k++) {
            high = fmax(high, log_ratio(&law, sum, k));
            low = fmin(low, log_ratio(&law, sum, k));
        }
        CHECK_NEAR(high, most, 1e-11);
        CHECK_NEAR(low, least, 1e-11);
        CHECK_NEAR(sc_ball_near(&sum->kappa), most - least, 1e-11);
        if (json_object_get(row, "D_8_shift1") != NULL) {
            CHECK_NEAR(sc_ball_near(&sum->kappa), number(row, "ln_theta0_over_theta1"),
                       1e-11);
            CHECK_NEAR(renyi(&law, 8), number(row, "D_8_shift1"), 1e-11);
            CHECK_NEAR(renyi(&law, 2), number(row, "D_2_shift1"), 1e-11);
            CHECK_NEAR(renyi(&sum->whole, 8), number(row, "gaussian_8"), 1e-11);
            CHECK_NEAR(renyi(&sum->whole, 2), number(row, "gaussian_2"), 1e-11);
            divergences++;
        }
        sc_law_clear(&law);
        sc_gaussian_sum_free(sum);
    }
    CHECK_INT(divergences, 3);
}

/* The probabilities add up, and the tail is what is left of them. */
static void check_tail(const char *variance, uint64_t draws, double closeness)
{
    SC_OWN(sc_ball, all, mass, tail, part, second);
    sc_gaussian_sum *sum = sum_of(variance, draws);
    sc_law law;
    if (sum == NULL)
        return;
    law_of(sum, &law);
    for (int64_t k = 400; k >= 0; k--) {
        sc_law_pmf(&law, k, BITS, &mass);
        sc_ball_mul_int64(&part, &mass, k * k, BITS);
        sc_ball_add(&second, &second, &part, BITS);
        sc_ball_add(&all, &all, &mass, BITS);
        if (k > 0 && k % 5 == 1) {
            sc_law_at_least(&law, k, BITS, &tail);
            CHECK_NEAR(sc_ball_upper(&tail), sc_ball_upper(&all), closeness);
            CHECK_NEAR(sc_ball_lower(&tail), sc_ball_lower(&all), closeness);
        }
    }
    sc_ball_mul_power2(&all, &all, 1);
    sc_ball_sub(&all, &all, &mass, BITS);
    CHECK_NEAR(sc_ball_upper(&all), 1, closeness);
    sc_ball_mul_power2(&second, &second, 1);
    sc_law_variance(&law, BITS, &part);
    CHECK_NEAR(sc_ball_upper(&second), sc_ball_upper(&part), closeness);
    sc_law_clear(&law);
    sc_gaussian_sum_free(sum);
}

TEST(gaussian_sum_has_a_law)
{
    CLAIM("gaussian-sum.encloses");
    check_tail("1/16", 3, 1e-14);
    check_tail("2/3", 5, 1e-14);
    check_tail("4", 7, 1e-14);
    check_tail("5", 7, 1e-14);
    check_tail("2", 40, 1e-6);
    check_tail("7", 1, 1e-14);
}

/* Both ways to kappa, where both are possible: the listed one is never above the other. */
TEST(gaussian_sum_kappa_is_below_its_bound)
{
    CLAIM("gaussian-sum.close");
    static const char *const variances[] = {"1/2", "1", "2", "4"};
    for (size_t i = 0; i < COUNT(variances); i++)
        for (uint64_t draws = 2; draws <= 6; draws++) {
            SC_OWN(sc_ball, bound);
            sc_gaussian_sum *sum = sum_of(variances[i], draws);
            if (sum == NULL)
                return;
            CHECK(sum->weights != NULL);
            if (sc_gaussian_sum_excess(&sum->one.shape, draws, BITS, &bound)) {
                sc_ball_log(&bound, &bound, BITS);
                CHECK(sc_ball_near(&sum->kappa) < sc_ball_lower(&bound));
                CHECK(sc_ball_near(&sum->kappa) > 0);
            }
            sc_gaussian_sum_free(sum);
        }
}

TEST(gaussian_sum_refuses_small_variances)
{
    sc_gaussian_sum *sum = NULL;
    SC_OWN(sc_ratio, small);
    sc_ratio_set_quotient(&small, 1, 17);
    CHECK_STATUS(sc_gaussian_sum_new(&small, 2, &sum, NULL), SCRIM_E_LIMIT);
    sc_ratio_set_quotient(&small, 1, 4);
    CHECK_STATUS(sc_gaussian_sum_new(&small, 17, &sum, NULL), SCRIM_E_LIMIT);
    CHECK(sum == NULL);
}
