#include "composition/accountant/sampled_gaussian.h"
#include "exact.h"
#include "vectors.h"

TEST(sampled_gaussian_matches_the_vectors)
{
    CLAIM("sampled-gaussian.exact");
    json_t *rows = vectors_load("local-and-accounting", "rdp_poisson_gaussian"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 10);
    json_array_foreach(rows, index, row)
    {
        sc_ratio rho, rate, order, two;
        sc_ball value;
        exact_ratio(vectors_text(row, "sigma"), &rho);
        exact_ratio(vectors_text(row, "q"), &rate);
        exact_ratio("1/2", &two);
        sc_ratio_init(&order);
        sc_ball_init(&value);
        sc_ratio_set_int64(&order, json_integer_value(json_object_get(row, "alpha")));
        sc_ratio_mul(&rho, &rho, &rho);
        sc_ratio_div(&rho, &two, &rho);
        sc_sampled_gaussian_renyi(&rho, &rate, &order, 100, EXACT_BITS, &value);
        CHECK_PRINTED(&value, vectors_text(row, "rdp"));
        sc_ball_clear(&value);
        sc_ratio_clear(&order);
        sc_ratio_clear(&two);
        sc_ratio_clear(&rate);
        sc_ratio_clear(&rho);
    }
}

/* Between integers, beyond the last that is summed, without sampling, and for tiny rates. */
TEST(sampled_gaussian_at_other_orders)
{
    CLAIM("sampled-gaussian.exact");
    static const struct {
        const char *rho, *rate, *order;
        double want;
    } cases[] = {
        /* (a-1) D_a at 5/2: the mean of those at 2 and 3, 0.000171813422 and 2 * 0.000264637575 */
        {"1/2", "1/100", "5/2",
         (0.000171813422074547931 + 2 * 0.000264637574584661348) / 3},
        {"1/2", "1/100", "3/2", 0.000171813422074547931},
        {"1/2", "1", "7", 3.5},
        {"1/2", "1/100", "300", 150},
        /* q^2 (exp(2 rho) - 1), all digits of it */
        {"1/2", "1e-100", "2", 1.718281828459045e-200},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_ratio rho, rate, order;
        sc_ball value;
        exact_ratio(cases[i].rho, &rho);
        exact_ratio(cases[i].rate, &rate);
        exact_ratio(cases[i].order, &order);
        sc_ball_init(&value);
        sc_sampled_gaussian_renyi(&rho, &rate, &order, 100, 128, &value);
        CHECK_NEAR(sc_ball_upper(&value), cases[i].want, 1e-14);
        sc_ball_clear(&value);
        sc_ratio_clear(&order);
        sc_ratio_clear(&rate);
        sc_ratio_clear(&rho);
    }
}
