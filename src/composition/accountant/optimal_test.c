#include "bags.h"
#include "composition/accountant/optimal.h"
#include "vectors.h"

#include <string.h>

/* The vectors print numbers that are 0 as rounding noise. */
static bool is_zero(const char *printed)
{
    return strcmp(printed, "0") == 0 || strstr(printed, "e-51") != NULL;
}

/* The lower end is not above the printed number but for its last digit, and within 1e-9 of it. */
static void check_lower(const sc_enclosure *e, const char *printed)
{
    const double want = strtod(printed, NULL);
    CHECK(e->has_lower);
    CHECK(sc_ball_lower(&e->lower) <= want * (1 + 1e-15));
    CHECK(sc_ball_lower(&e->lower) >= want * (1 - 1e-9));
}

TEST(optimal_delta_matches_the_vectors)
{
    CLAIM("optimal.upper");
    CLAIM("optimal.lower");
    json_t *rows = vectors_load("mechanisms", "composition_optimal_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"),
                        vectors_text(row, "delta0"), vectors_number(row, "k"));
        CHECK(bags_delta(&sc_accountant_optimal, &bag, vectors_text(row, "eps_global"),
                         &e));
        if (is_zero(vectors_text(row, "delta_global"))) {
            CHECK(sc_ball_upper(&e.upper) < 1e-40);
        } else {
            CHECK_UPPER(&e.upper, vectors_text(row, "delta_global"));
            check_lower(&e, vectors_text(row, "delta_global"));
        }
        bags_end(&bag, &e);
    }
}

TEST(optimal_epsilon_matches_the_vectors)
{
    CLAIM("optimal.upper");
    CLAIM("optimal.lower");
    json_t *rows = vectors_load("mechanisms", "composition_pure"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"), "0",
                        vectors_number(row, "k"));
        CHECK(bags_epsilon(&sc_accountant_optimal, &bag, vectors_text(row, "delta_prime"),
                           &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "optimal"));
        check_lower(&e, vectors_text(row, "optimal"));
        bags_end(&bag, &e);
    }
}

TEST(optimal_with_deltas_matches_the_vectors)
{
    CLAIM("optimal.upper");
    json_t *rows = vectors_load("mechanisms", "composition_approx"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        bags_begin_with(&bag, &e, vectors_text(row, "epsilon"),
                        vectors_text(row, "delta"), vectors_number(row, "k"));
        CHECK(
            bags_delta(&sc_accountant_optimal, &bag, vectors_text(row, "eps_total"), &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "optimal_delta_at_eps_total"));
        bags_end(&bag, &e);
    }
}

/* Bags that it is not for, and those whose limit it is. */
TEST(optimal_says_when_it_does_not_apply)
{
    sc_bag bag;
    sc_enclosure e;
    bags_begin(&bag, &e);
    CHECK(bags_epsilon(&sc_accountant_optimal, &bag, "1e-6", &e));
    CHECK(sc_ball_upper(&e.upper) == 0.0 && e.has_lower);
    bags_add(&bag, "1/2", "1e-8", 3);
    CHECK(!bags_epsilon(&sc_accountant_optimal, &bag, "1e-8", &e));
    CHECK(bags_epsilon(&sc_accountant_optimal, &bag, "1e-7", &e));
    bags_add(&bag, "1/2", "1e-9", 1);
    CHECK(!bags_epsilon(&sc_accountant_optimal, &bag, "1e-6", &e));
    bags_close(&bag);
    bags_open(&bag);
    bags_add(&bag, "1/2", "0", 3);
    bags_add_gaussian(&bag, "2", 1);
    CHECK(!bags_epsilon(&sc_accountant_optimal, &bag, "1e-6", &e));
    bags_end(&bag, &e);
}

static void add_epsilons(sc_bag *bag, const json_t *row)
{
    const json_t *one;
    size_t index;
    json_array_foreach(json_object_get(row, "epsilons"), index, one)
    {
        bags_add(bag, json_string_value(one), "0", 1);
    }
}

TEST(lattice_matches_the_vectors)
{
    CLAIM("lattice.upper");
    CLAIM("lattice.lower");
    json_t *rows = vectors_load("mechanisms", "composition_heterogeneous"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) >= 8);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_enclosure e;
        sc_ratio half, two;
        char at[SC_RATIO_TEXT_BYTES];
        bags_begin(&bag, &e);
        exact_ratio(vectors_text(row, "basic"), &half);
        exact_ratio("2", &two);
        sc_ratio_div(&half, &half, &two);
        sc_ratio_format(&half, at, sizeof at);
        add_epsilons(&bag, row);
        CHECK(bags_epsilon(&sc_accountant_lattice, &bag, vectors_text(row, "delta_tilde"),
                           &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "optimal"));
        check_lower(&e, vectors_text(row, "optimal"));
        CHECK(bags_delta(&sc_accountant_lattice, &bag, at, &e));
        CHECK_UPPER(&e.upper, vectors_text(row, "delta_at_half_basic"));
        check_lower(&e, vectors_text(row, "delta_at_half_basic"));
        sc_ratio_clear(&two);
        sc_ratio_clear(&half);
        bags_end(&bag, &e);
    }
}

/* Equal parts: the other road to the optimum, deltas included. */
TEST(lattice_of_equal_parts_is_the_optimum)
{
    CLAIM("lattice.upper");
    static const struct {
        const char *epsilon, *delta, *at;
        uint64_t count;
    } cases[] = {{"1/10", "0", "1e-6", 50},
                 {"1/3", "1e-9", "1e-6", 7},
                 {"1e-300", "0", "1e-301", 3},
                 {"1/7", "0", "1e-60", 40},
                 {"2", "1e-3", "0.9999999999999999", 5}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_bag bag;
        sc_enclosure a, b;
        bags_open(&bag);
        sc_enclosure_init(&a);
        sc_enclosure_init(&b);
        bags_add(&bag, cases[i].epsilon, cases[i].delta, cases[i].count);
        CHECK(bags_epsilon(&sc_accountant_lattice, &bag, cases[i].at, &a));
        CHECK(bags_epsilon(&sc_accountant_optimal, &bag, cases[i].at, &b));
        CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-9);
        CHECK(sc_ball_upper(&a.upper) >= sc_ball_upper(&b.upper) * (1 - 1e-15));
        CHECK(a.has_lower);
        CHECK_NEAR(sc_ball_lower(&a.lower), sc_ball_lower(&b.lower), 1e-9);
        sc_enclosure_clear(&b);
        sc_enclosure_clear(&a);
        bags_close(&bag);
    }
}

/* No common unit, or one that is too fine: rounded up, and no lower bound. */
TEST(lattice_rounds_up_where_there_is_no_unit)
{
    CLAIM("lattice.upper");
    sc_bag fine, coarse;
    sc_enclosure a, b;
    bags_open(&fine);
    bags_open(&coarse);
    sc_enclosure_init(&a);
    sc_enclosure_init(&b);
    bags_add(&coarse, "1/10", "0", 5);
    bags_add(&coarse, "1/4", "0", 3);
    bags_add(&fine, "0.1000000001", "0", 5);
    bags_add(&fine, "0.2500000003", "0", 3);
    CHECK(bags_epsilon(&sc_accountant_lattice, &fine, "1e-4", &a));
    CHECK(bags_epsilon(&sc_accountant_lattice, &coarse, "1e-4", &b));
    CHECK(!a.has_lower && b.has_lower);
    CHECK(sc_ball_upper(&a.upper) > sc_ball_upper(&b.upper));
    CHECK(sc_ball_upper(&a.upper) < 1.001 * sc_ball_upper(&b.upper));
    /* No delta: the sum. */
    CHECK(bags_epsilon(&sc_accountant_lattice, &coarse, "0", &b));
    CHECK_UPPER(&b.upper, "1.25");
    sc_enclosure_clear(&b);
    sc_enclosure_clear(&a);
    bags_close(&coarse);
    bags_close(&fine);
}
