#include "bags.h"
#include "balls.h"
#include "composition/loss/bag_parts.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <stdio.h>

TEST(claims_of_samples_are_amplified)
{
    CLAIM("claims.amplified");
    json_t *rows = vectors_load("local-and-accounting", "amplification_pure"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 3);
    json_array_foreach(rows, index, row)
    {
        sc_bag bag;
        sc_claims claims;
        sc_ball epsilon;
        sc_ratio back, slack;
        const char *q = json_string_value(json_object_get(row, "q"));
        bags_open(&bag);
        sc_claims_init(&claims);
        sc_ball_init(&epsilon);
        sc_ratio_init(&back);
        exact_ratio("1e-40", &slack);
        bags_sample(
            bags_add(&bag, json_string_value(json_object_get(row, "eps")), "1/10", 2), q);
        REQUIRE_OK(sc_claims_read(&claims, &bag, NULL));
        CHECK_INT(claims.count, 1);
        CHECK_INT(claims.releases, 2);
        sc_ball_set_ratio(&epsilon, &claims.list[0].epsilon, EXACT_BITS);
        CHECK_PRINTED(&epsilon, json_string_value(json_object_get(row, "eps_amplified")));
        sc_ball_set_ratio(&epsilon, &claims.list[0].delta, EXACT_BITS);
        sc_ball_mul_int64(&epsilon, &epsilon, 10, EXACT_BITS);
        CHECK_PRINTED(&epsilon, q);
        /* And back: not above what it came from but for the rounding up. */
        sc_claims_amplify_back(&claims.list[0].epsilon, &bag.parts[0].rate, &back);
        sc_ratio_sub(&back, &back, &bag.parts[0].cost.epsilon);
        CHECK(sc_ratio_compare(&back, &slack) < 0);
        sc_ratio_sub(&back, &back, &back);
        sc_ratio_clear(&slack);
        sc_ratio_clear(&back);
        sc_ball_clear(&epsilon);
        sc_claims_clear(&claims);
        bags_close(&bag);
    }
}

/* Rounded up, also where it is tiny; never above what was not sampled. */
TEST(claims_are_rounded_up_at_any_size)
{
    CLAIM("claims.amplified");
    static const char *const epsilons[] = {"1e-300", "1e-9", "1", "50", "700", "1e9"};
    static const char *const rates[] = {"1e-300", "1e-6", "1/3", "1"};
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(rates); i++) {
        sc_ratio epsilon, rate, out;
        sc_ball exact, ours, slack;
        exact_ratio(epsilons[i / COUNT(rates)], &epsilon);
        exact_ratio(rates[i % COUNT(rates)], &rate);
        sc_ratio_init(&out);
        sc_ball_init(&exact);
        sc_ball_init(&ours);
        sc_ball_init(&slack);
        sc_claims_amplify(&epsilon, &rate, &out);
        CHECK(sc_ratio_compare(&out, &epsilon) <= 0);
        sc_ball_set_ratio(&exact, &epsilon, 4000);
        sc_ball_expm1(&exact, &exact, 4000);
        sc_ball_set_ratio(&ours, &rate, 4000);
        sc_ball_mul(&exact, &exact, &ours, 4000);
        sc_ball_log1p(&exact, &exact, 4000);
        sc_ball_set_ratio(&ours, &out, 4000);
        CHECK(!sc_ball_is_less(&ours, &exact));
        if (sc_ratio_compare_int64(&epsilon, 700) <= 0) {
            CHECK(ball_set_text(&slack, "1e-30", 64));
            sc_ball_mul(&slack, &slack, &exact, 4000);
            sc_ball_add(&slack, &slack, &exact, 4000);
            CHECK(sc_ball_is_less(&ours, &slack));
        }
        sc_ball_clear(&slack);
        sc_ball_clear(&ours);
        sc_ball_clear(&exact);
        sc_ratio_clear(&out);
        sc_ratio_clear(&rate);
        sc_ratio_clear(&epsilon);
    }
}

/* Far beyond what is kept. */
#define FINE_BITS 1000L

/* ln(1 + rate (exp(epsilon) - 1)). */
static void amplified(const sc_ratio *epsilon, const sc_ratio *rate, sc_ball *out)
{
    sc_ball factor;
    sc_ball_init(&factor);
    sc_ball_set_ratio(out, epsilon, FINE_BITS);
    sc_ball_expm1(out, out, FINE_BITS);
    sc_ball_set_ratio(&factor, rate, FINE_BITS);
    sc_ball_mul(out, out, &factor, FINE_BITS);
    sc_ball_log1p(out, out, FINE_BITS);
    sc_ball_clear(&factor);
}

/* The epsilon that is found is amplified to no more than the given one, and to hardly less. */
static void check_back(const sc_ratio *epsilon, const sc_ratio *rate)
{
    sc_ratio back, slack;
    sc_ball most, least, again;
    sc_ratio_init(&back);
    exact_ratio("1e-40", &slack);
    sc_ball_init(&most);
    sc_ball_init(&least);
    sc_ball_init(&again);
    sc_claims_amplify_back(epsilon, rate, &back);
    amplified(&back, rate, &again);
    sc_ball_set_ratio(&most, epsilon, FINE_BITS);
    sc_ball_set_ratio(&least, &slack, FINE_BITS);
    sc_ball_mul(&least, &least, &most, FINE_BITS);
    sc_ball_sub(&least, &most, &least, FINE_BITS);
    CHECK(sc_ball_is_less_equal(&again, &most));
    CHECK(sc_ball_is_less_equal(&least, &again));
    sc_ball_clear(&again);
    sc_ball_clear(&least);
    sc_ball_clear(&most);
    sc_ratio_clear(&slack);
    sc_ratio_clear(&back);
}

/* A delta is read at the epsilon before sampling, and is not too small only where that is not too
 * large. */
TEST(claims_back_from_samples_are_rounded_down)
{
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t cases = check_count(100, 10000);
    for (uint64_t i = 0; i < cases; i++) {
        uint64_t word = 0;
        char text[64];
        sc_ratio epsilon, rate;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        snprintf(text, sizeof text, "%u/%u", (unsigned)(1 + word % 999983),
                 1U << (word >> 24) % 31);
        exact_ratio(text, &epsilon);
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        const unsigned below = (unsigned)(2 + word % 1000003);
        snprintf(text, sizeof text, "%u/%u",
                 1 + (unsigned)(word >> 32) % (below - 1) / (1U << (word >> 24) % 16),
                 below);
        exact_ratio(text, &rate);
        check_back(&epsilon, &rate);
        sc_ratio_clear(&rate);
        sc_ratio_clear(&epsilon);
    }
    sc_tape_free(tape);
}

/* Against the definition: what is left, put back, is the delta. */
TEST(claims_rest_and_total_are_inverse)
{
    static const char *const deltas[] = {"1e-5", "1/2", "0.9999999999999999"};
    sc_bag bag;
    sc_claims claims;
    sc_ball rest, total;
    bags_open(&bag);
    bags_add(&bag, "1", "1e-7", 50);
    bags_add(&bag, "2", "0", 7);
    sc_claims_init(&claims);
    sc_ball_init(&rest);
    sc_ball_init(&total);
    REQUIRE_OK(sc_claims_read(&claims, &bag, NULL));
    CHECK_INT(claims.releases, 57);
    CHECK_INT(sc_ratio_compare_int64(&claims.epsilon, 64), 0);
    for (size_t i = 0; i < COUNT(deltas); i++) {
        sc_ratio delta;
        exact_ratio(deltas[i], &delta);
        REQUIRE(sc_claims_rest(&claims, &delta, &rest));
        sc_claims_total(&claims, &rest, &total);
        CHECK(ball_contains_ratio(&total, &delta) && sc_ball_is_accurate(&total, 200));
        sc_ratio_clear(&delta);
    }
    sc_ratio spent;
    exact_ratio("49e-7", &spent);
    CHECK(!sc_claims_rest(&claims, &spent, &rest));
    sc_ratio_clear(&spent);
    sc_ball_clear(&total);
    sc_ball_clear(&rest);
    sc_claims_clear(&claims);
    bags_close(&bag);
}
