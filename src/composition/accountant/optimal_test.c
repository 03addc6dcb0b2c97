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

/* What it is not for, and what it is a limit of. */
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
