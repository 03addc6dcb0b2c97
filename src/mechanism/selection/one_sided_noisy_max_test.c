#include "choices.h"
#include "exact.h"
#include "mechanism/selection/one_sided_noisy_max.h"
#include "mechanism/selection/scores.h"

enum { COUNT = 5 };

/* P(s_i + X_i is the largest) by the integral of the header: w_i times that over u in (0, 1) of
 * the product over j != i of 1 - u w_j, a polynomial in u. */
static void by_integral(const sc_ratio *rate, const int64_t *scores, size_t i,
                        sc_ball *out)
{
    const long bits = EXACT_BITS + 64;
    const int64_t best = sc_scores_best(scores, COUNT);
    sc_ball coefficient[COUNT], w, part;
    sc_ball_init(&w);
    sc_ball_init(&part);
    for (size_t k = 0; k < COUNT; k++)
        sc_ball_init(&coefficient[k]);
    sc_ball_set_int64(&coefficient[0], 1);
    for (size_t j = 0; j < COUNT; j++) {
        sc_ball_set_ratio(&w, rate, bits);
        sc_ball_mul_int64(&w, &w, scores[j] - best, bits);
        sc_ball_exp(&w, &w, bits);
        for (size_t k = j == i ? 0 : COUNT - 1; k > 0; k--) {
            sc_ball_mul(&part, &coefficient[k - 1], &w, bits);
            sc_ball_sub(&coefficient[k], &coefficient[k], &part, bits);
        }
    }
    sc_ball_set_int64(out, 0);
    for (size_t k = 0; k < COUNT; k++) {
        sc_ball_set_int64(&part, (int64_t)k + 1);
        sc_ball_div(&part, &coefficient[k], &part, bits);
        sc_ball_add(out, out, &part, bits);
    }
    sc_ball_set_ratio(&w, rate, bits);
    sc_ball_mul_int64(&w, &w, scores[i] - best, bits);
    sc_ball_exp(&w, &w, bits);
    sc_ball_mul(out, out, &w, bits);
    for (size_t k = 0; k < COUNT; k++)
        sc_ball_clear(&coefficient[k]);
    sc_ball_clear(&part);
    sc_ball_clear(&w);
}

TEST(one_sided_noisy_max_has_the_law_of_exponential_noise)
{
    CLAIM("one-sided-noisy-max.same");
    static const int64_t cases[][COUNT] = {
        {0, 0, 0, 0, 0}, {4, 3, 2, 1, 0}, {9, 9, 1, -3, 8}, {0, 50, -50, 49, 48}};
    scrim_measurement *m =
        choices_new("one-sided-noisy-max epsilon=1 sensitivity=1 neighbours=replace");
    sc_ball exact;
    REQUIRE(m != NULL);
    sc_ball_init(&exact);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sc_outcomes law;
        REQUIRE(choices_law(m, cases[c], COUNT, EXACT_BITS, &law));
        for (size_t i = 0; i < COUNT; i++) {
            by_integral(&sc_scores_of(m)->rate, cases[c], i, &exact);
            CHECK_SAME(&law.mass[i], &exact, 200);
        }
        sc_outcomes_clear(&law);
    }
    sc_ball_clear(&exact);
    scrim_measurement_free(m);
}

TEST(one_sided_noisy_max_frequencies_fit_the_law)
{
    CLAIM("one-sided-noisy-max.same");
    static const int64_t scores[] = {10, 9, 7, 0};
    choices_fit("one-sided-noisy-max epsilon=1 sensitivity=1 neighbours=replace", scores,
                4, check_count(100000, 1000000));
}

TEST(one_sided_noisy_max_refuses_what_is_not_private)
{
    choices_check_refusals("one-sided-noisy-max", "");
}
