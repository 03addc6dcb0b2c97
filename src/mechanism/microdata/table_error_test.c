#include "exact.h"
#include "mechanism/microdata/table_error.h"
#include "vectors.h"

#include <math.h>

static void law_of(const sc_law_functions *functions, const char *rate, int64_t times,
                   int64_t bound, sc_law *out)
{
    sc_ratio w;
    SC_OWN(sc_ratio, shape);
    exact_ratio(rate, &w);
    sc_ratio_set_int64(&shape, times);
    sc_ratio_div(&shape, &shape, &w);
    sc_law_init(out, functions, &shape, bound);
    sc_ratio_clear(&w);
}

TEST(table_error_sums_harmonic_series)
{
    CLAIM("table-error.bound");
    static const struct {
        uint64_t d;
        double one, two;
    } list[] = {{1, 1, 1},
                {6, 2.45, 1.4913888888888889},
                {1000000, 14.392726722865724, 1.6449330668487265}};
    for (size_t i = 0; i < COUNT(list); i++) {
        SC_OWN(sc_ball, found);
        sc_harmonic(list[i].d, EXACT_BITS, &found);
        CHECK_NEAR(sc_ball_upper(&found), list[i].one, 1e-14);
        sc_harmonic_square(list[i].d, EXACT_BITS, &found);
        CHECK_NEAR(sc_ball_upper(&found), list[i].two, 1e-14);
    }
    /* both ways to the same number, on both sides of where they meet */
    SC_OWN(sc_ball, sum, squares, term, found);
    for (int64_t k = 1; k <= 9000; k++) {
        sc_ball_set_int64(&term, 1);
        sc_ball_div_int64(&term, &term, k, EXACT_BITS);
        sc_ball_add(&sum, &sum, &term, EXACT_BITS);
        sc_ball_mul(&term, &term, &term, EXACT_BITS);
        sc_ball_add(&squares, &squares, &term, EXACT_BITS);
    }
    sc_harmonic(9000, EXACT_BITS, &found);
    CHECK_SAME(&found, &sum, 40);
    sc_harmonic_square(9000, EXACT_BITS, &found);
    CHECK_SAME(&found, &squares, 40);
}

/* v:lemma_9_4: the largest of d exponentials, which the corrected lemma has exactly. */
TEST(table_error_knows_the_largest_of_many)
{
    CLAIM("table-error.bound");
    const json_t *file = vectors_load("microdata", "lemma_9_4"), *row;
    const json_t *rows = json_object_get(file, "rows");
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const uint64_t d = vectors_number(row, "d");
        const double printed = strtod(vectors_text(row, "printed"), NULL),
                     exact = strtod(vectors_text(row, "exact_E_max_sq_times_eps2"), NULL);
        SC_OWN(sc_ball, one, two);
        sc_harmonic(d, EXACT_BITS, &one);
        CHECK_NEAR(sc_ball_upper(&one),
                   strtod(vectors_text(row, "exact_E_max_abs_times_eps"), NULL), 1e-14);
        sc_ball_mul(&one, &one, &one, EXACT_BITS);
        sc_harmonic_square(d, EXACT_BITS, &two);
        sc_ball_add(&one, &one, &two, EXACT_BITS);
        CHECK_NEAR(sc_ball_upper(&one), exact, 1e-14);
        CHECK((exact > printed) ==
              (d >= vectors_number(file, "smallest_d_printed_fails")));
    }
    rows = vectors_load("microdata", "dlap_max_moments");
    json_array_foreach(rows, i, row)
    {
        sc_law law;
        SC_OWN(sc_ball, first, found);
        law_of(&sc_discrete_laplace_law, vectors_text(row, "rate"), 1, 0, &law);
        sc_noise_max_moments(&law, vectors_number(row, "d"), EXACT_BITS, &first, &found);
        CHECK_NEAR(sc_ball_upper(&first), strtod(vectors_text(row, "bound_abs"), NULL),
                   1e-14);
        CHECK(sc_ball_lower(&first) > strtod(vectors_text(row, "E_max_abs"), NULL));
        CHECK_NEAR(sc_ball_upper(&found), strtod(vectors_text(row, "bound_sq"), NULL),
                   1e-14);
        CHECK(sc_ball_lower(&found) > strtod(vectors_text(row, "E_max_sq"), NULL));
        sc_law_clear(&law);
    }
    CHECK_INT(json_array_size(rows), 7);
}

TEST(table_error_agrees_with_the_vectors)
{
    CLAIM("table-error.bound");
    const json_t *rows = vectors_load("microdata", "M_prime_eps_point_bound"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        sc_law law;
        SC_OWN(sc_table_error, e);
        law_of(&sc_discrete_laplace_law, vectors_text(row, "eps"), 2, 0, &law);
        sc_sum_first_error(&law, vectors_number(row, "d"), EXACT_BITS, &e);
        CHECK_NEAR(sc_ball_upper(&e.cell),
                   strtod(vectors_text(row, "bound_integer_noise"), NULL), 1e-14);
        sc_law_clear(&law);
    }
    rows = vectors_load("microdata", "dgeo");
    json_array_foreach(rows, i, row)
    {
        sc_law law;
        SC_OWN(sc_table_error, e);
        law_of(&sc_discrete_laplace_law, vectors_text(row, "eps"), 1, 0, &law);
        sc_point_first_error(&law, 1000, EXACT_BITS, &e);
        const double variance = strtod(vectors_text(row, "variance"), NULL),
                     bias = strtod(vectors_text(row, "mean_abs"), NULL) / 2;
        CHECK_NEAR(sc_ball_upper(&e.cell), variance, 1e-14);
        CHECK_NEAR(sc_ball_upper(&e.sum), 1000 * variance + 999000 * bias * bias, 1e-12);
        CHECK(sc_ball_upper(&e.cell) <=
              strtod(vectors_text(row, "bound_2_over_eps2"), NULL));
        sc_law_clear(&law);
    }
    /* v:item3_sum_error: the sum has the variance of its noise, four times what is printed */
    const json_t *sum = vectors_load("microdata", "item3_sum_error");
    sc_law law;
    SC_OWN(sc_table_error, e);
    law_of(&sc_discrete_laplace_law, "1", 2, 0, &law);
    sc_sum_first_error(&law, 10, EXACT_BITS, &e);
    CHECK_NEAR(sc_ball_upper(&e.sum),
               strtod(vectors_text(sum, "exact_variance_discrete"), NULL), 1e-14);
    CHECK(sc_ball_lower(&e.sum) > 2);
    sc_law_clear(&law);
}

/* All-zero data have the error of v:M_eps_sum_error_all_zero, which the bound holds for. */
TEST(table_error_holds_for_empty_tables)
{
    CLAIM("table-error.bound");
    const json_t *rows = vectors_load("microdata", "M_eps_sum_error_all_zero"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const double found = strtod(vectors_text(row, "mse_sum"), NULL);
        sc_law law;
        SC_OWN(sc_table_error, e);
        law_of(&sc_discrete_laplace_law, vectors_text(row, "eps"), 1, 0, &law);
        sc_point_first_error(&law, vectors_number(row, "d"), EXACT_BITS, &e);
        CHECK(sc_ball_lower(&e.sum) >= found);
        CHECK(sc_ball_upper(&e.sum) <= 2.01 * found);
        CHECK(sc_ball_upper(&e.sum) <=
              strtod(vectors_text(row, "bound_2d2_over_eps2"), NULL));
        sc_law_clear(&law);
    }
}

TEST(table_error_of_gaussian_and_clamped_noise)
{
    CLAIM("table-error.bound");
    sc_law law;
    SC_OWN(sc_table_error, e);
    law_of(&sc_discrete_gaussian_law, "1/8", 1, 0, &law);
    sc_sum_first_error(&law, 100, EXACT_BITS, &e);
    const double log_part = 2 * log(200);
    CHECK_NEAR(sc_ball_upper(&e.cell), 8 * (1 + 4 * sqrt(log_part) + 4 * (log_part + 2)),
               1e-13);
    CHECK(sc_ball_upper(&e.sum) <= 8.0000001);
    sc_point_first_error(&law, 100, EXACT_BITS, &e);
    CHECK_NEAR(sc_ball_upper(&e.sum), 800 + 9900 * 2, 1e-6);
    CHECK(sc_ball_upper(&e.sum) <= 80000); /* d^2/(2 rho) */
    sc_law_clear(&law);
    law_of(&sc_clamped_laplace_law, "1/2", 1, 3, &law);
    sc_sum_first_error(&law, 100000, EXACT_BITS, &e);
    CHECK_NEAR(sc_ball_upper(&e.cell), 81, 1e-14);
    CHECK(sc_ball_upper(&e.sum) < 9);
    sc_law_clear(&law);
}
