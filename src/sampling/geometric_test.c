#include "exact.h"
#include "sampling/geometric.h"
#include "transcript.h"

static scrim_status draw(const void *scale, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    return sc_geometric_reference(bits, scale, out, error);
}

/* The same scale, drawn in big integers although words would do. */
static sc_fraction widened(const sc_fraction *scale)
{
    sc_fraction wide = *scale;
    wide.is_small = false;
    return wide;
}

TEST(geometric_reproduces_the_transcript_in_words_and_in_integers)
{
    CLAIM("geometric.exact");
    sc_fraction scale;
    exact_fraction("10", &scale);
    const sc_fraction wide = widened(&scale);
    CHECK(scale.is_small);
    transcript_check("geometric_10_1", draw, &scale);
    transcript_check("geometric_10_1", draw, &wide);
    sc_fraction_clear(&scale);
}

TEST(geometric_takes_the_same_bits_in_words_and_in_integers)
{
    static const char *const list[] = {"1/3",
                                       "1",
                                       "22/7",
                                       "1000000",
                                       "1/1125899906842623",
                                       "1125899906842623",
                                       "1125899906842623/1125899906842622",
                                       "1125899906842621/3"}; /* 2^50 - 1, .. */
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction scale;
        exact_fraction(list[i], &scale);
        const sc_fraction wide = widened(&scale);
        CHECK(scale.is_small);
        transcript_check_twins(check_seed() + i, 400, draw, &scale, draw, &wide);
        sc_fraction_clear(&scale);
    }
}

TEST(geometric_turn_accepts_what_the_sampler_returns)
{
    sc_fraction scale;
    sc_tape *left = NULL, *right = NULL;
    exact_fraction("7/3", &scale);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &left, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &right, NULL));
    for (int i = 0; i < 2000; i++) {
        sc_int128 want = 0;
        uint64_t got = 0;
        bool accepted = false;
        REQUIRE_OK(sc_geometric_reference(sc_tape_bits_of(left), &scale, &want, NULL));
        while (!accepted)
            REQUIRE_OK(
                sc_geometric_turn(sc_tape_bits_of(right), 7, 3, &accepted, &got, NULL));
        CHECK_INT(got, want);
    }
    CHECK_INT(sc_tape_used(left), sc_tape_used(right));
    sc_tape_free(left);
    sc_tape_free(right);
    sc_fraction_clear(&scale);
}

/* P(X >= k) = p^k, and so (1-p) p^k + P(X >= k+1) = P(X >= k): the memory of a geometric
 * number. Also the mean, and the mean of the square, by sums. */
TEST(geometric_law_adds_up)
{
    CLAIM("geometric.exact");
    static const char *const list[] = {"1/3", "1", "22/7", "10"};
    sc_ball sum, part, mean, square;
    sc_ball *const all[] = {&sum, &part, &mean, &square};
    for (size_t i = 0; i < 4; i++)
        sc_ball_init(all[i]);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_law law;
        exact_law(&sc_geometric_law, list[i], 0, &law);
        for (size_t j = 0; j < 4; j++)
            sc_ball_set_int64(all[j], 0);
        for (int64_t k = 0; k < 2500; k++) {
            sc_law_pmf(&law, k, EXACT_BITS, &part);
            sc_ball_add(&sum, &sum, &part, EXACT_BITS);
            sc_ball_mul_int64(&part, &part, k, EXACT_BITS);
            sc_ball_add(&mean, &mean, &part, EXACT_BITS);
            sc_ball_mul_int64(&part, &part, k, EXACT_BITS);
            sc_ball_add(&square, &square, &part, EXACT_BITS);
            if (k % 100 == 0) {
                sc_law_at_most(&law, k, EXACT_BITS, &part);
                CHECK_SAME(&part, &sum, 200);
            }
        }
        sc_law_mean(&law, EXACT_BITS, &part);
        CHECK_SAME(&part, &mean, 200); /* e^-250 is left out: 360 bits */
        sc_ball_mul(&mean, &mean, &mean, EXACT_BITS);
        sc_ball_sub(&square, &square, &mean, EXACT_BITS);
        sc_law_variance(&law, EXACT_BITS, &part);
        CHECK_SAME(&part, &square, 190);
        sc_law_clear(&law);
    }
    for (size_t i = 0; i < 4; i++)
        sc_ball_clear(all[i]);
}
