#include "bags.h"
#include "balls.h"
#include "composition/accountant/basic.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(basic_is_the_sum_at_its_own_delta)
{
    CLAIM("basic.upper");
    json_t *rows = vectors_load("mechanisms", "composition_pure"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"), "0",
                        vectors_number(row, "k"));
        CHECK(bags_epsilon(&sc_accountant_basic, &bag, "0", &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "basic"));
        /* With a delta it is less, and one release is then at the optimum. */
        CHECK(bags_epsilon(&sc_accountant_basic, &bag, vectors_text(row, "delta_prime"),
                           &e));
        if (vectors_number(row, "k") == 1)
            CHECK_UPPER(&e.upper, vectors_text(row, "optimal"));
        bags_end(&bag, &e);
    }
}

/* By the sum, and not by the product: (7/4, 0.013) in one release would be admitted as well where
 * the next parameters are chosen along the way. */
TEST(basic_adds_deltas_up)
{
    CLAIM("basic.upper");
    sc_bag bag;
    sc_enclosure e;
    bags_begin_with(&bag, &e, "1/2", "1e-3", 3);
    bags_add(&bag, "1/4", "1/100", 1);
    CHECK(bags_delta(&sc_accountant_basic, &bag, "7/4", &e));
    CHECK_UPPER(&e.upper, "0.013");
    CHECK(bags_epsilon(&sc_accountant_basic, &bag, "0.013", &e));
    CHECK_UPPER(&e.upper, "1.75");
    CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "0.01299999", &e));
    /* Back and forth where epsilon is traded for delta. */
    CHECK(bags_delta(&sc_accountant_basic, &bag, "3/2", &e));
    CHECK_NEAR(sc_ball_upper(&e.upper),
               0.013 +
                   0.987 * ((5.754602676005731 - 4.4816890703380645) / 6.754602676005731),
               1e-9);
    CHECK(bags_epsilon(&sc_accountant_basic, &bag, "1/5", &e));
    CHECK_NEAR(sc_ball_upper(&e.upper), 1.498474006885036, 1e-5);
    bags_end(&bag, &e);
}

/* Deltas that are 1 or more together promise nothing: all of the delta, and no epsilon. */
TEST(basic_of_deltas_beyond_1_promises_nothing)
{
    CLAIM("basic.upper");
    static const char *const deltas[] = {"0.6", "1/2", "0.9999999999999999"};
    static const char *const epsilons[] = {"0", "1/2", "3", "1000000"};
    for (size_t i = 0; i < 2 * COUNT(deltas); i++) {
        const bool has_curve = i % 2 == 1;
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, "1/4", deltas[i / 2], 2);
        if (has_curve)
            bags_add_gaussian(&bag, "4", 1);
        for (size_t j = 0; j < COUNT(epsilons); j++) {
            const bool is_less = has_curve && j == 0;
            CHECK(bags_delta(&sc_accountant_basic, &bag, epsilons[j], &e) != is_less);
            CHECK(is_less || sc_ball_upper(&e.upper) == 1.0);
        }
        CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "0", &e));
        CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "0.9", &e));
        CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "0.9999999999999999999", &e));
        bags_end(&bag, &e);
    }
}

/* One part with just its own delta: the sum is exact although no product of balls is. */
TEST(basic_of_one_part_at_its_own_delta)
{
    static const char *const deltas[] = {"1e-9", "1/3", "1e-300", "0.9999999999999999"};
    for (size_t i = 0; i < COUNT(deltas); i++) {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, "1/7", deltas[i], 1);
        CHECK(bags_epsilon(&sc_accountant_basic, &bag, deltas[i], &e));
        CHECK_NEAR(sc_ball_upper(&e.upper), 1.0 / 7, 1e-15);
        CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "1e-301", &e));
        bags_end(&bag, &e);
    }
}

/* Parts of which only a curve is known share what is left of delta. */
TEST(basic_shares_delta_among_curves)
{
    CLAIM("basic.upper");
    sc_bag bag;
    sc_enclosure e, back;
    sc_curve gaussian;
    sc_ratio share, one, sum;
    bags_begin(&bag, &e);
    sc_enclosure_init(&back);
    exact_ratio("9e-7", &share); /* (1e-5 - 1e-6) / 10 */
    exact_ratio("9", &one);
    exact_ratio("1/4", &sum);
    bags_add(&bag, "1/4", "1e-6", 1);
    bags_add_gaussian(&bag, "4", 10);
    CHECK(bags_epsilon(&sc_accountant_basic, &bag, "1e-5", &e));
    sc_curve_init(&gaussian);
    sc_curve_set_gaussian(&gaussian, (sc_ratio_set_int64(&one, 4), &one), 1);
    REQUIRE(sc_curve_epsilon_upper(&gaussian, &share, &one));
    sc_ratio_set_int64(&share, 10);
    sc_ratio_mul(&one, &one, &share);
    sc_ratio_add(&sum, &sum, &one);
    CHECK(ball_contains_ratio(&e.upper, &sum));
    CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "1e-6", &e));
    CHECK(!bags_epsilon(&sc_accountant_basic, &bag, "0", &e));
    CHECK(!bags_delta(&sc_accountant_basic, &bag, "1/5", &back));
    CHECK(bags_delta(&sc_accountant_basic, &bag, "40", &back));
    CHECK(sc_ball_upper(&back.upper) > 1e-6 && sc_ball_upper(&back.upper) < 1.1e-6);
    sc_ratio_clear(&sum);
    sc_ratio_clear(&one);
    sc_ratio_clear(&share);
    sc_curve_clear(&gaussian);
    sc_enclosure_clear(&back);
    bags_end(&bag, &e);
}

/* On a sample a share of delta is one of delta / rate, and its epsilon is amplified. */
TEST(basic_shares_of_samples_are_amplified)
{
    CLAIM("basic.upper");
    sc_bag sampled, whole;
    sc_enclosure e, base;
    bags_open(&sampled);
    bags_open(&whole);
    sc_enclosure_init(&e);
    sc_enclosure_init(&base);
    bags_sample(bags_add_gaussian(&sampled, "4", 10), "1/50");
    bags_add_gaussian(&whole, "4", 1);
    CHECK(bags_epsilon(&sc_accountant_basic, &sampled, "1e-5", &e));
    CHECK(bags_epsilon(&sc_accountant_basic, &whole, "5e-5", &base)); /* 1e-6 times 50 */
    CHECK_NEAR(sc_ball_upper(&e.upper),
               10 * log1p(expm1(sc_ball_upper(&base.upper)) / 50), 1e-9);
    /* And back. */
    CHECK(bags_delta(&sc_accountant_basic, &whole, "2", &base));
    char epsilon[64];
    snprintf(epsilon, sizeof epsilon, "%.17g", 10 * log1p(expm1(2.0) / 50));
    CHECK(bags_delta(&sc_accountant_basic, &sampled, epsilon, &e));
    CHECK_NEAR(sc_ball_upper(&e.upper), 10 * sc_ball_upper(&base.upper) / 50, 1e-9);
    /* A part that is kept more rarely than that costs nothing. */
    sampled.parts[0].count = 1;
    CHECK(bags_epsilon(&sc_accountant_basic, &sampled, "1/10", &e));
    CHECK(sc_ball_upper(&e.upper) == 0.0);
    sc_enclosure_clear(&base);
    sc_enclosure_clear(&e);
    bags_close(&whole);
    bags_close(&sampled);
}

/* With many curves each epsilon comes from the orders: above that of a search, and not by much. */
TEST(basic_of_many_curves_goes_by_orders)
{
    CLAIM("basic.upper");
    sc_bag few, many;
    sc_enclosure e, each;
    double sum = 0;
    bags_open(&many);
    sc_enclosure_init(&e);
    sc_enclosure_init(&each);
    for (int i = 0; i < 10; i++) {
        char variance[16];
        snprintf(variance, sizeof variance, "%d", 4 + i);
        bags_add_gaussian(&many, variance, 1);
        bags_open(&few);
        bags_add_gaussian(&few, variance, 1);
        CHECK(bags_epsilon(&sc_accountant_basic, &few, "1e-7", &each));
        sum += sc_ball_upper(&each.upper);
        bags_close(&few);
    }
    CHECK(bags_epsilon(&sc_accountant_basic, &many, "1e-6", &e));
    CHECK(sc_ball_upper(&e.upper) > sum && sc_ball_upper(&e.upper) < 1.2 * sum);
    sc_enclosure_clear(&each);
    sc_enclosure_clear(&e);
    bags_close(&many);
}

/* The printed bound, or what basic composition gives where that is smaller. */
static void check_bound(const sc_enclosure *e, const char *printed)
{
    if (sc_ball_upper(&e->upper) < strtod(printed, NULL) * (1 - 1e-9))
        return;
    CHECK_UPPER(&e->upper, printed);
}

TEST(advanced_matches_the_vectors)
{
    CLAIM("advanced.upper");
    json_t *rows = vectors_load("mechanisms", "composition_pure"), *row;
    size_t index, exact = 0;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"), "0",
                        vectors_number(row, "k"));
        CHECK(bags_epsilon(&sc_accountant_advanced, &bag,
                           vectors_text(row, "delta_prime"), &e));
        const double bound = strtod(vectors_text(row, "advanced_tanh"), NULL),
                     basic = strtod(vectors_text(row, "basic"), NULL),
                     optimal = strtod(vectors_text(row, "optimal"), NULL);
        if (bound < 0.9 * basic) {
            CHECK_UPPER(&e.upper, vectors_text(row, "advanced_tanh"));
            exact++;
        }
        CHECK(sc_ball_upper(&e.upper) >= optimal * (1 - 1e-15));
        CHECK(sc_ball_upper(&e.upper) <= basic * (1 + 1e-15));
        /* Back: that epsilon has that delta. */
        char at[64];
        snprintf(at, sizeof at, "%.15g", bound);
        CHECK(bags_delta(&sc_accountant_advanced, &bag, at, &e));
        CHECK(sc_ball_upper(&e.upper) <=
              strtod(vectors_text(row, "delta_prime"), NULL) * (1 + 1e-9));
        bags_end(&bag, &e);
    }
    CHECK(exact > 10);
}

TEST(advanced_with_deltas_matches_the_vectors)
{
    CLAIM("advanced.upper");
    json_t *rows = vectors_load("mechanisms", "composition_approx"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"),
                        vectors_text(row, "delta"), vectors_number(row, "k"));
        CHECK(bags_epsilon(&sc_accountant_advanced, &bag,
                           vectors_text(row, "delta_total_tight"), &e));
        check_bound(&e, vectors_text(row, "eps_total_tanh"));
        CHECK(bags_delta(&sc_accountant_advanced, &bag,
                         vectors_text(row, "eps_total_tanh"), &e));
        CHECK(sc_ball_upper(&e.upper) <=
              strtod(vectors_text(row, "delta_total_tight"), NULL) * (1 + 1e-9));
        bags_end(&bag, &e);
    }
}

TEST(closed_bound_matches_the_vectors)
{
    CLAIM("advanced.upper");
    json_t *rows = vectors_load("mechanisms", "composition_heterogeneous"), *row, *one;
    size_t index, inner, smaller = 0;
    REQUIRE(json_array_size(rows) >= 8);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin(&bag, &e);
        json_array_foreach(json_object_get(row, "epsilons"), inner, one)
        {
            bags_add(&bag, json_string_value(one), "0", 1);
        }
        CHECK(bags_epsilon(&sc_accountant_closed, &bag, vectors_text(row, "delta_tilde"),
                           &e));
        const double upper = sc_ball_upper(&e.upper),
                     printed = strtod(vectors_text(row, "kov_bound"), NULL),
                     basic = strtod(vectors_text(row, "basic"), NULL);
        if (printed < 0.99 * basic) {
            CHECK_UPPER(&e.upper, vectors_text(row, "kov_bound"));
            smaller++;
        }
        CHECK(upper <= printed * (1 + 1e-9));
        CHECK(upper >= strtod(vectors_text(row, "optimal"), NULL) * (1 - 1e-15));
        bags_end(&bag, &e);
    }
    CHECK(smaller > 0);
}

/* Where the squares add up to less than 1 the closed form has a smaller delta, and an epsilon that
 * leads back to it. */
TEST(closed_bound_has_a_delta_of_its_own)
{
    CLAIM("advanced.upper");
    sc_bag bag;
    sc_enclosure e, closed;
    bags_begin(&bag, &e);
    sc_enclosure_init(&closed);
    bags_add(&bag, "1/100", "0", 100);
    CHECK(bags_delta(&sc_accountant_advanced, &bag, "1/2", &e));
    CHECK(bags_delta(&sc_accountant_closed, &bag, "1/2", &closed));
    CHECK(sc_ball_upper(&closed.upper) < 0.5 * sc_ball_upper(&e.upper));
    sc_enclosure_clear(&closed);
    bags_end(&bag, &e);
}

/* epsilon and delta are inverse to each other. */
TEST(closed_bound_back_and_forth)
{
    CLAIM("advanced.upper");
    static const char *const epsilons[] = {"3", "5", "8", "12"};
    const sc_accountant *const both[] = {&sc_accountant_advanced, &sc_accountant_closed};
    sc_bag bag;
    sc_enclosure e, back;
    bags_begin(&bag, &e);
    sc_enclosure_init(&back);
    bags_add(&bag, "1/10", "1e-12", 200);
    bags_add(&bag, "1/3", "0", 10);
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(both); i++) {
        const sc_accountant *by = both[i % COUNT(both)];
        char delta[64];
        CHECK(bags_delta(by, &bag, epsilons[i / COUNT(both)], &e));
        snprintf(delta, sizeof delta, "%.17g", sc_ball_upper(&e.upper));
        CHECK(bags_epsilon(by, &bag, delta, &back));
        CHECK_NEAR(sc_ball_upper(&back.upper), strtod(epsilons[i / COUNT(both)], NULL),
                   1e-12);
    }
    sc_enclosure_clear(&back);
    bags_end(&bag, &e);
}
