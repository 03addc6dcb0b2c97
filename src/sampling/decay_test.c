#include "exact.h"
#include "sampling/decay.h"

/* sum of i^order exp(-i/scale), i = 0..last, term by term. */
static void plain_sum(const sc_ratio *scale, int64_t last, int order, sc_ball *out)
{
    sc_ball term;
    sc_ball_init(&term);
    sc_ball_set_int64(out, 0);
    for (int64_t i = 0; i <= last; i++) {
        sc_decay(scale, i, EXACT_BITS, &term);
        for (int j = 0; j < order; j++)
            sc_ball_mul_int64(&term, &term, i, EXACT_BITS);
        sc_ball_add(out, out, &term, EXACT_BITS);
    }
    sc_ball_clear(&term);
}

TEST(decay_sums_are_those_of_their_terms)
{
    static const char *const scales[] = {"2^-10", "1/3",  "1",   "22/7",
                                         "1000",  "2^40", "2^60"};
    static const int64_t lasts[] = {0, 1, 2, 3, 10, 300};
    sc_ball plain, closed;
    sc_ball_init(&plain);
    sc_ball_init(&closed);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        for (size_t j = 0; j < sizeof lasts / sizeof *lasts; j++)
            for (int order = 0; order <= 2; order++) {
                plain_sum(&scale, lasts[j], order, &plain);
                sc_decay_sum(&scale, lasts[j], order, EXACT_BITS, &closed);
                if (order == 0 || lasts[j] > 0)
                    CHECK_SAME(&closed, &plain, 200);
                else
                    CHECK(sc_ball_contains(&closed, &plain)); /* an exact 0 */
            }
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&plain);
    sc_ball_clear(&closed);
}

/* 1 - exp(-k/scale) keeps its digits where exp(-k/scale) is nearly 1. */
TEST(decay_rest_does_not_cancel)
{
    static const char *const scales[] = {"2^-60", "1/3", "1", "2^60", "2^120"};
    sc_ball rest, sum, one;
    sc_ball_init(&rest);
    sc_ball_init(&sum);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        for (sc_int128 k = 1; k <= (sc_int128)1 << 120; k *= 16) {
            sc_decay_rest(&scale, k, EXACT_BITS, &rest);
            CHECK(sc_ball_is_accurate(&rest, 240));
            sc_decay(&scale, k, EXACT_BITS, &sum);
            CHECK(sc_ball_is_accurate(&sum, 240));
            sc_ball_add(&sum, &sum, &rest, EXACT_BITS);
            CHECK(sc_ball_contains(&sum, &one));
        }
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&rest);
    sc_ball_clear(&sum);
    sc_ball_clear(&one);
}

/* p/(1-p)^2 */
TEST(decay_spread_is_the_variance_of_a_geometric_number)
{
    static const char *const scales[] = {"1/30", "1/3", "1", "1000", "2^60"};
    sc_ball spread, p, rest;
    sc_ball_init(&spread);
    sc_ball_init(&p);
    sc_ball_init(&rest);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        sc_decay_spread(&scale, EXACT_BITS, &spread);
        sc_decay(&scale, 1, EXACT_BITS, &p);
        sc_decay_rest(&scale, 1, EXACT_BITS, &rest);
        sc_ball_mul(&rest, &rest, &rest, EXACT_BITS);
        sc_ball_div(&p, &p, &rest, EXACT_BITS);
        CHECK_SAME(&spread, &p, 240);
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&spread);
    sc_ball_clear(&p);
    sc_ball_clear(&rest);
}
