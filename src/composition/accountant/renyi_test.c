#include "bags.h"
#include "composition/accountant/renyi.h"
#include "exact.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* A part's number in text as its square: sigma as a variance. */
static void square(const char *number, char text[SC_RATIO_TEXT_BYTES])
{
    sc_ratio x;
    exact_ratio(number, &x);
    sc_ratio_mul(&x, &x, &x);
    sc_ratio_format(&x, text, SC_RATIO_TEXT_BYTES);
    sc_ratio_clear(&x);
}

/* The conversion is a minimum over all orders; what is searched is within 1e-9 of it. */
TEST(renyi_matches_the_vectors)
{
    CLAIM("renyi.upper");
    json_t *rows = vectors_load("local-and-accounting", "rdp_to_dp"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 5);
    json_array_foreach(rows, index, row)
    {
        const char *name = vectors_text(row, "mechanism"),
                   *number = vectors_text(row, "param");
        char variance[SC_RATIO_TEXT_BYTES];
        sc_bag bag;
        sc_enclosure e;
        scrim_error error;
        bags_begin(&bag, &e);
        square(number, variance);
        if (strcmp(name, "gaussian") == 0)
            bags_add_gaussian(&bag, variance, 1);
        else if (strcmp(name, "gaussian10fold") == 0)
            bags_add_gaussian(&bag, variance, 10);
        else if (strcmp(name, "rr100fold") == 0)
            bags_add(&bag, number, "0", 100);
        else
            CHECK_STATUS(sc_bag_parse("continuous-laplace scale=10 x50", &bag, &error),
                         SCRIM_OK);
        CHECK(bags_epsilon(&sc_accountant_renyi, &bag, vectors_text(row, "delta"), &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "eps_cks"));
        if (vectors_text(row, "eps_true") != NULL)
            CHECK(sc_ball_upper(&e.upper) > strtod(vectors_text(row, "eps_true"), NULL));
        CHECK(sc_ball_upper(&e.upper) <
              strtod(vectors_text(row, "eps_theorem_8_8"), NULL));
        bags_end(&bag, &e);
    }
}

/* Ten thousand Gaussian steps on samples, from papers-additions 1.6; and lines by their formula, at each of the orders. */
TEST(renyi_filter_is_the_best_of_its_orders)
{
    CLAIM("renyi-filter.upper");
    static const double orders[] = {2,  3,  4,  5,  6,  8,  10,  12,
                                    16, 20, 24, 32, 48, 64, 128, 256};
    static const struct {
        const char *rho, *delta;
    } lines[] = {{"1/2", "1e-6"}, {"1/1000", "1e-9"}, {"20", "1/10"}};
    sc_bag bag;
    sc_enclosure e;
    scrim_error error;
    bags_begin(&bag, &e);
    REQUIRE_OK(sc_bag_parse("poisson rate=1/100 continuous-gaussian sigma=1.1 x10000",
                            &bag, &error));
    CHECK(bags_epsilon(&sc_accountant_renyi_filter, &bag, "1e-5", &e));
    CHECK_NEAR(sc_ball_upper(&e.upper), 6.34745518071, 1e-11);
    bags_end(&bag, &e);
    for (size_t i = 0; i < COUNT(lines); i++) {
        double want = (double)INFINITY;
        sc_ratio rho, delta;
        char epsilon[64];
        exact_ratio(lines[i].rho, &rho);
        exact_ratio(lines[i].delta, &delta);
        for (size_t j = 0; j < COUNT(orders); j++) {
            const double a = orders[j];
            want = fmin(want, sc_ratio_upper(&rho) * a + log1p(-1 / a) -
                                  (log(sc_ratio_upper(&delta) / 16) + log(a)) / (a - 1));
        }
        bags_begin(&bag, &e);
        bags_add_rho(&bag, lines[i].rho, 1);
        CHECK(bags_epsilon(&sc_accountant_renyi_filter, &bag, lines[i].delta, &e));
        CHECK_NEAR(sc_ball_upper(&e.upper), want, 1e-12);
        /* And back: the delta at that epsilon. */
        snprintf(epsilon, sizeof epsilon, "%.17g", sc_ball_upper(&e.upper));
        CHECK(bags_delta(&sc_accountant_renyi_filter, &bag, epsilon, &e));
        CHECK_NEAR(sc_ball_upper(&e.upper), sc_ratio_upper(&delta), 1e-9);
        CHECK(bags_epsilon(&sc_accountant_renyi, &bag, lines[i].delta, &e));
        CHECK(sc_ball_upper(&e.upper) < want);
        bags_end(&bag, &e);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&rho);
    }
}

TEST(concentrated_matches_the_vectors)
{
    CLAIM("concentrated.upper");
    json_t *rows = vectors_load("local-and-accounting", "zcdp_to_dp"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 5);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin(&bag, &e);
        bags_add_rho(&bag, vectors_text(row, "rho"), 1);
        CHECK(bags_epsilon(&sc_accountant_concentrated, &bag, vectors_text(row, "delta"),
                           &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "eps_cks"));
        CHECK(bags_epsilon(&sc_accountant_renyi, &bag, vectors_text(row, "delta"), &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "eps_cks"));
        bags_end(&bag, &e);
    }
}

/* Parts that hold but for an event: their mass is taken off delta, and is had back. */
TEST(renyi_leaves_events_aside)
{
    CLAIM("renyi.upper");
    const sc_accountant *const both[] = {&sc_accountant_renyi,
                                         &sc_accountant_concentrated};
    for (size_t i = 0; i < COUNT(both); i++) {
        sc_bag with, without;
        sc_enclosure a, b;
        bags_open(&with);
        bags_open(&without);
        sc_enclosure_init(&a);
        sc_enclosure_init(&b);
        bags_add_gaussian(&with, "9", 5);
        bags_add_gaussian(&without, "9", 5);
        bags_add(&with, "1/4", "1e-7", 4);
        bags_add(&without, "1/4", "0", 4);
        /* 1 - (1 - 1e-7)^4 (1 - 6e-7), as far as printed */
        CHECK(bags_epsilon(both[i], &with, "9.99999700000019e-7", &a));
        CHECK(bags_epsilon(both[i], &without, "6e-7", &b));
        CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-7);
        CHECK(bags_epsilon(both[i], &without, "9e-7", &b));
        CHECK(sc_ball_upper(&a.upper) > 1.001 * sc_ball_upper(&b.upper));
        CHECK(!bags_epsilon(both[i], &with, "3e-7", &a));
        CHECK(bags_delta(both[i], &with, "3", &a));
        CHECK(bags_delta(both[i], &without, "3", &b));
        CHECK_NEAR(sc_ball_upper(&a.upper),
                   sc_ball_upper(&b.upper) + 4e-7 * (1 - sc_ball_upper(&b.upper)), 1e-6);
        sc_enclosure_clear(&b);
        sc_enclosure_clear(&a);
        bags_close(&without);
        bags_close(&with);
    }
}

/* By the sum, and not by the product, of parts that are known by a pair alone: also where it is 1
 * or more. */
TEST(concentrated_adds_deltas_up)
{
    CLAIM("concentrated.upper");
    static const struct {
        const char *delta, *sum, *below;
        uint64_t count;
    } cases[] = {{"0.1", "0.3", "0.29", 3},
                 {"1e-7", "1e-3", "9.9999e-4", 10000},
                 {"1/2", "1", "0.9999", 2},
                 {"0.6", "1", "0.9999", 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, "1/100", cases[i].delta, cases[i].count);
        CHECK(bags_delta(&sc_accountant_concentrated, &bag, "1000", &e));
        CHECK_UPPER(&e.upper, cases[i].sum);
        CHECK(bags_delta(&sc_accountant_concentrated, &bag, "0", &e));
        CHECK(sc_ball_upper(&e.upper) <= 1.0);
        CHECK(!bags_epsilon(&sc_accountant_concentrated, &bag, cases[i].below, &e));
        bags_end(&bag, &e);
    }
}

/* A part that holds but for an event is concentrated beside that event. */
TEST(renyi_counts_a_rho_beside_an_event)
{
    CLAIM("concentrated.upper");
    sc_bag with, without;
    sc_enclosure a, b;
    bags_open(&with);
    bags_open(&without);
    sc_enclosure_init(&a);
    sc_enclosure_init(&b);
    sc_part *part = bags_add(&with, "2", "1e-4", 3);
    part->cost.has_aside = true;
    sc_ratio aside, rho;
    exact_ratio("1e-9", &aside);
    exact_ratio("1/50", &rho);
    sc_ratio_set(&part->cost.aside, &aside);
    sc_ratio_set(&part->cost.aside_rho, &rho);
    bags_add_rho(&without, "1/50", 3);
    CHECK(bags_epsilon(&sc_accountant_renyi, &with, "1e-6", &a));
    CHECK(bags_epsilon(&sc_accountant_renyi, &without, "9.97e-7", &b));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-9);
    CHECK(bags_epsilon(&sc_accountant_concentrated, &with, "1e-6", &a));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-9);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&aside);
    sc_enclosure_clear(&b);
    sc_enclosure_clear(&a);
    bags_close(&without);
    bags_close(&with);
}

/* xi is paid once for each part at every order. */
TEST(concentrated_adds_both_numbers)
{
    CLAIM("concentrated.upper");
    sc_bag with, without;
    sc_enclosure a, b;
    bags_open(&with);
    bags_open(&without);
    sc_enclosure_init(&a);
    sc_enclosure_init(&b);
    sc_part *part = bags_add_rho(&with, "1/10", 3);
    sc_ratio xi;
    exact_ratio("1/8", &xi);
    sc_ratio_set(&part->cost.xi, &xi);
    bags_add_rho(&without, "3/10", 1);
    CHECK(bags_epsilon(&sc_accountant_concentrated, &with, "1e-6", &a));
    CHECK(bags_epsilon(&sc_accountant_concentrated, &without, "1e-6", &b));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper) + 0.375, 1e-12);
    /* By orders too, where the line is all that is known. */
    with.parts[0].cost.curve.functions = NULL;
    CHECK(bags_epsilon(&sc_accountant_renyi, &with, "1e-6", &a));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper) + 0.375, 1e-12);
    sc_ratio_clear(&xi);
    sc_enclosure_clear(&b);
    sc_enclosure_clear(&a);
    bags_close(&without);
    bags_close(&with);
}

/* A sample of pure parts is what its amplified epsilon says. */
TEST(renyi_of_samples_is_amplified)
{
    CLAIM("renyi.upper");
    sc_bag sampled, whole;
    sc_enclosure a, b;
    bags_open(&sampled);
    bags_open(&whole);
    sc_enclosure_init(&a);
    sc_enclosure_init(&b);
    bags_sample(bags_add(&sampled, "1", "0", 100), "0.01");
    bags_add(&whole, "0.0170368632361765498", "0", 100);
    CHECK(bags_epsilon(&sc_accountant_renyi, &sampled, "1e-6", &a));
    CHECK(bags_epsilon(&sc_accountant_renyi, &whole, "1e-6", &b));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-12);
    bags_close(&sampled);
    bags_close(&whole);
    bags_open(&sampled);
    bags_open(&whole);
    bags_sample(bags_add_gaussian(&sampled, "1", 1000), "0.01");
    bags_add_gaussian(&whole, "1", 1000);
    CHECK(bags_epsilon(&sc_accountant_renyi, &sampled, "1e-6", &a));
    CHECK(bags_epsilon(&sc_accountant_renyi, &whole, "1e-6", &b));
    CHECK(sc_ball_upper(&a.upper) < 0.01 * sc_ball_upper(&b.upper));
    sc_enclosure_clear(&b);
    sc_enclosure_clear(&a);
    bags_close(&whole);
    bags_close(&sampled);
}

/* A sparse run joins a bag by its own curve: v:svt_9_12_eps, where the survey's conversion gives
 * 1.1507, and the sum at one order. */
TEST(renyi_joins_sparse_runs)
{
    CLAIM("renyi.upper");
    static const char run[] =
        "generalised-sparse-vector sensitivity=1 threshold=10 "
        "threshold-variance=400 query-variance=1600 count=5 length=1000";
    json_t *rows = vectors_load("local-and-accounting", "svt_9_12_eps");
    const double survey =
        strtod(vectors_text(json_array_get(rows, 0), "eps_from_9_12_and_8_8"), NULL);
    char line[512];
    sc_bag one, many;
    sc_enclosure e;
    sc_renyi_sum *sum = NULL;
    sc_ratio order;
    sc_ball both, single;
    scrim_error error;
    sc_bag_init(&one);
    sc_bag_init(&many);
    sc_enclosure_init(&e);
    exact_ratio("4", &order);
    sc_ball_init(&both);
    sc_ball_init(&single);
    REQUIRE_OK(sc_bag_parse(run, &one, &error));
    snprintf(line, sizeof line, "%s x2; gaussian sigma=5 x3", run);
    REQUIRE_OK(sc_bag_parse(line, &many, &error));
    CHECK(bags_epsilon(&sc_accountant_renyi, &one, "1e-6", &e));
    CHECK(sc_ball_upper(&e.upper) < survey && sc_ball_upper(&e.upper) > 0.8 * survey);
    REQUIRE_OK(sc_renyi_sum_new(&many, false, &sum, &error));
    REQUIRE(sum != NULL);
    sc_curve_renyi_upper(sc_renyi_sum_curve(sum), &order, 128, &both);
    sc_curve_renyi_upper(&one.parts[0].cost.curve, &order, 128, &single);
    CHECK_NEAR(sc_ball_upper(&both), 2 * sc_ball_upper(&single) + 3 * 4 / 50.0, 1e-12);
    sc_renyi_sum_free(sum);
    sc_ball_clear(&single);
    sc_ball_clear(&both);
    sc_ratio_clear(&order);
    sc_enclosure_clear(&e);
    bags_close(&many);
    bags_close(&one);
}
