#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/body/depth_levels.h"
#include "mechanism/selection/ladder.h"
#include "random/bits_tape.h"

/* The first rungs are those of the ladder of quantiles, which has 127 bits. */
TEST(depth_ladders_begin_as_ladders_do)
{
    CLAIM("depth-ladder.private");
    static const char *const steps[] = {"1/1000", "1/2", "1", "5"};
    for (size_t i = 0; i < COUNT(steps); i++) {
        sc_depth_ladder tall;
        sc_ladder ladder;
        sc_ratio step;
        const uint64_t top = i < 3 ? 60 : 12;
        exact_ratio(steps[i], &step);
        REQUIRE_OK(sc_depth_ladder_init(&tall, &step, top, NULL));
        REQUIRE_OK(sc_ladder_init(&ladder, &step, top, NULL));
        sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
        for (uint64_t s = 0; s <= top; s++) {
            SC_OWN(sc_integer, own);
            sc_uint128 got = 0;
            sc_depth_ladder_weight(&tall, s, &own);
            CHECK(sc_integer_get_uint128(&own, &got) && got == weight);
            weight = sc_ladder_next(&ladder, weight);
        }
        sc_depth_ladder_clear(&tall);
        sc_ratio_clear(&step);
    }
}

/* Very many rungs: each within exp(step) of the one below, by balls, and near to it from the first on. */
TEST(depth_ladders_are_private_at_any_height)
{
    CLAIM("depth-ladder.private");
    static const char *const steps[] = {"1/2", "20"};
    for (size_t i = 0; i < COUNT(steps); i++) {
        sc_depth_ladder l;
        sc_ratio step;
        const uint64_t top = i == 0 ? 3000 : 300;
        exact_ratio(steps[i], &step);
        REQUIRE_OK(sc_depth_ladder_init(&l, &step, top, NULL));
        SC_BALL_SCOPE(scope);
        SC_OWN(sc_ball, most, ratio, below);
        SC_OWN(sc_integer, weight, last);
        const long bits = sc_depth_ladder_bits(&l) + 320;
        sc_ball_set_ratio(&most, &step, bits);
        sc_ball_exp(&most, &most, bits);
        size_t wrong = 0;
        sc_depth_ladder_weight(&l, 0, &last);
        for (uint64_t s = 1; s <= top; s += s < 50 ? 1 : 37) {
            sc_depth_ladder_weight(&l, s - 1, &last);
            sc_depth_ladder_weight(&l, s, &weight);
            sc_ball_set_integer(&below, &last);
            sc_ball_set_integer(&ratio, &weight);
            sc_ball_div(&ratio, &ratio, &below, bits);
            wrong += !sc_ball_is_less_equal(&ratio, &most) ||
                     sc_integer_compare(&weight, &last) < 0 ||
                     sc_ball_upper(&ratio) < sc_ball_upper(&most) * (1 - 1e-9);
        }
        CHECK_INT(wrong, 0);
        sc_depth_ladder_clear(&l);
        sc_ratio_clear(&step);
    }
}

/* A draw that is the total itself is rejected: 3 2^32 of 34 bits, then 0. */
TEST(depth_ladders_reject_their_total)
{
    CLAIM("depth-ladder.exact");
    static const unsigned char bytes[] = {0, 0, 0, 0, 3, 0, 0, 0, 0};
    const uint64_t counts[] = {3, 0};
    uint64_t score = 77, place = 77;
    sc_depth_ladder l;
    sc_ratio step;
    sc_tape *tape = NULL;
    exact_ratio("1", &step);
    REQUIRE_OK(sc_depth_ladder_init(&l, &step, 1, NULL));
    REQUIRE_OK(sc_tape_bits(bytes, 68, &tape, NULL));
    REQUIRE_OK(
        sc_depth_ladder_draw(&l, sc_tape_bits_of(tape), counts, &score, &place, NULL));
    CHECK_INT(score, 0);
    CHECK_INT(place, 0);
    CHECK_INT(sc_tape_used(tape), 68);
    sc_tape_free(tape);
    sc_depth_ladder_clear(&l);
    sc_ratio_clear(&step);
}

SLOW_TEST(depth_ladders_have_a_limit)
{
    sc_depth_ladder l;
    sc_ratio step;
    exact_ratio("20", &step);
    CHECK_STATUS(sc_depth_ladder_init(&l, &step, 200000, NULL), SCRIM_E_LIMIT);
    sc_depth_ladder_clear(&l);
    sc_ratio_clear(&step);
}

/* Counts of which the likely ones lie far apart, and some are 0; a sum of more than 4,000 bits. */
SLOW_TEST(depth_ladders_draw_by_weight)
{
    CLAIM("depth-ladder.exact");
    enum { TOP = 1000, SHOWN = 6 };
    static uint64_t counts[TOP + 1];
    static const uint64_t shown[SHOWN] = {990, 991, 993, 994, 995, 996};
    static const uint64_t many[SHOWN] = {40, 3, 9, 1, 2, 1};
    double probability[64], total = 0, weights[SHOWN];
    uint64_t seen[64] = {0};
    sc_depth_ladder l;
    sc_ratio step;
    sc_tape *tape = NULL;
    exact_ratio("1", &step);
    REQUIRE_OK(sc_depth_ladder_init(&l, &step, TOP, NULL));
    REQUIRE_OK(sc_tape_seeded(8, &tape, NULL));
    counts[0] = (uint64_t)1 << 40; /* of no weight beside the others */
    counts[600] = (uint64_t)1 << 50;
    for (size_t i = 0; i < SHOWN; i++) {
        counts[shown[i]] = many[i];
        weights[i] = i == 0 ? 1 : weights[i - 1];
        for (uint64_t s = i == 0 ? shown[0] : shown[i - 1]; s < shown[i]; s++)
            weights[i] *= 2.718281828459045;
        total += weights[i] * (double)many[i];
    }
    size_t cells = 0;
    for (size_t i = 0; i < SHOWN; i++)
        for (uint64_t k = 0; k < many[i]; k++)
            probability[cells++] = weights[i] / total;
    const size_t draws = check_count(3000, 200000);
    size_t strange = 0;
    for (size_t i = 0; i < draws; i++) {
        uint64_t score = 0, place = 0;
        size_t at = 0, k = 0;
        REQUIRE_OK(sc_depth_ladder_draw(&l, sc_tape_bits_of(tape), counts, &score, &place,
                                        NULL));
        for (; k < SHOWN && shown[k] != score; k++)
            at += many[k];
        strange += k == SHOWN || place >= many[k];
        if (k < SHOWN && place < many[k])
            seen[at + place]++;
    }
    CHECK_INT(strange, 0);
    CHECK(laws_chi_square(seen, probability, cells) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
    sc_depth_ladder_clear(&l);
    sc_ratio_clear(&step);
}
