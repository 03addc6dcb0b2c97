#include "bags.h"
#include "composition/optimal.h"
#include "vectors.h"

#include <string.h>

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static uint64_t number_in(const json_t *row, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(row, name));
}

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
        bags_open(&bag);
        sc_enclosure_init(&e);
        bags_add(&bag, text_in(row, "epsilon"), text_in(row, "delta0"),
                 number_in(row, "k"));
        CHECK(bags_delta(&sc_accountant_optimal, &bag, text_in(row, "eps_global"), &e));
        if (is_zero(text_in(row, "delta_global"))) {
            CHECK(sc_ball_upper(&e.upper) < 1e-40);
        } else {
            CHECK_UPPER(&e.upper, text_in(row, "delta_global"));
            check_lower(&e, text_in(row, "delta_global"));
        }
        sc_enclosure_clear(&e);
        bags_close(&bag);
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
        bags_open(&bag);
        sc_enclosure_init(&e);
        bags_add(&bag, text_in(row, "epsilon"), "0", number_in(row, "k"));
        CHECK(
            bags_epsilon(&sc_accountant_optimal, &bag, text_in(row, "delta_prime"), &e));
        CHECK_UPPER(&e.upper, text_in(row, "optimal"));
        check_lower(&e, text_in(row, "optimal"));
        sc_enclosure_clear(&e);
        bags_close(&bag);
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
        bags_open(&bag);
        sc_enclosure_init(&e);
        bags_add(&bag, text_in(row, "epsilon"), text_in(row, "delta"),
                 number_in(row, "k"));
        CHECK(bags_delta(&sc_accountant_optimal, &bag, text_in(row, "eps_total"), &e));
        CHECK_UPPER(&e.upper, text_in(row, "optimal_delta_at_eps_total"));
        sc_enclosure_clear(&e);
        bags_close(&bag);
    }
}

/* What it is not for, and what it is a limit of. */
TEST(optimal_says_when_it_does_not_apply)
{
    sc_bag bag;
    sc_enclosure e;
    bags_open(&bag);
    sc_enclosure_init(&e);
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
    sc_enclosure_clear(&e);
    bags_close(&bag);
}
