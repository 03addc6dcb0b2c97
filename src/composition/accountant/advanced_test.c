#include "bags.h"
#include "composition/accountant/advanced.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

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
