#include "base/number/ball.h"
#include "base/work_limit.h"
#include "check.h"
#include "exact.h"
#include "mechanism/selection/ladder.h"
#include "vectors.h"

/* Both inequalities by another road: the quotient of two weights as a ball against exp(step),
 * with 100 bits more than any weight has. */
static void check_steps(const sc_ladder *ladder, const sc_ratio *step)
{
    sc_ball above, ratio, quotient;
    sc_integer whole;
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    uint64_t broken = 0;
    sc_ball_init(&above);
    sc_ball_init(&ratio);
    sc_ball_init(&quotient);
    sc_integer_init(&whole);
    sc_ball_set_ratio(&ratio, step, 256);
    sc_ball_exp(&ratio, &ratio, 256);
    for (uint64_t j = ladder->top; j > 0; j--) {
        sc_uint128 next = sc_ladder_next(ladder, weight);
        sc_integer_set_uint128(&whole, weight);
        sc_ball_set_integer(&above, &whole);
        sc_ball_mul(&above, &above, &ratio, 400);
        sc_integer_set_uint128(&whole, next);
        sc_ball_set_integer(&quotient, &whole);
        broken += next < weight || !sc_ball_is_less_equal(&quotient, &above);
        /* No more than one unit is lost by the floor, and the ratio's own error. */
        sc_ball_add_int64(&quotient, &quotient, 2, 400);
        broken += !sc_ball_is_less(&above, &quotient);
        weight = next;
    }
    CHECK_INT(broken, 0);
    CHECK(weight == ladder->highest);
    sc_integer_clear(&whole);
    sc_ball_clear(&quotient);
    sc_ball_clear(&ratio);
    sc_ball_clear(&above);
}

TEST(ladder_keeps_both_inequalities_on_every_rung)
{
    CLAIM("ladder.private");
    static const struct {
        const char *step;
        uint64_t top;
    } cases[] = {{"1/2", 80},        {"1e-6", 5000}, {"5e-7", 20000}, {"10", 6},
                 {"1/20", 1000},     {"1/3", 150},   {"1e-4", 30000}, {"7/1000", 9000},
                 {"0.0693147", 900}, {"1e-9", 100},  {"1/2", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_ratio step;
        sc_ladder ladder;
        exact_ratio(cases[i].step, &step);
        if (CHECK_STATUS(sc_ladder_init(&ladder, &step, cases[i].top, NULL), SCRIM_OK))
            check_steps(&ladder, &step);
        sc_ratio_clear(&step);
    }
}

TEST(ladder_weights_are_those_of_the_vectors)
{
    json_t *rows = vectors_load("floating-body", "ladder"), *row;
    size_t i;
    REQUIRE(rows != NULL);
    json_array_foreach(rows, i, row)
    {
        sc_integer n, d;
        sc_ratio step;
        sc_ladder ladder;
        json_t *eps = json_object_get(row, "eps"), *w = json_object_get(row, "w");
        uint64_t top = (uint64_t)json_integer_value(json_object_get(row, "cap"));
        sc_integer_init(&n);
        sc_integer_init(&d);
        sc_ratio_init(&step);
        sc_integer_set_int128(&n, json_integer_value(json_array_get(eps, 0)));
        sc_integer_set_int128(&d,
                              (sc_int128)2 * json_integer_value(json_array_get(eps, 1)));
        sc_ratio_set_fraction(&step, &n, &d); /* epsilon/2 a rung */
        REQUIRE_OK(sc_ladder_init(&ladder, &step, top, NULL));
        sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
        for (uint64_t j = top + 1; j-- > 0;) {
            char text[SC_INT128_BYTES];
            sc_int128_format((sc_int128)weight, text);
            CHECK_STR(text, json_string_value(json_array_get(w, (size_t)j)));
            weight = sc_ladder_next(&ladder, weight);
        }
        sc_ratio_clear(&step);
        sc_integer_clear(&d);
        sc_integer_clear(&n);
    }
    CHECK(json_array_size(rows) >= 3);
}

TEST(ladder_top_is_the_ceiling_of_the_logarithm)
{
    static const struct {
        const char *step, *least;
        uint64_t top;
    } cases[] = {
        /* ceil(2 ln(2^20 / 1e-4)) and friends, each with its neighbours by bisection */
        {"1/2", "1e-10", 47},
        {"1", "1/2", 1},
        {"1/20", "1/16384", 195},
        {"10", "1/1000000000", 3},
        {"1e-6", "1/2", 693148}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_ratio step, least;
        sc_ball value;
        uint64_t top = 0;
        exact_ratio(cases[i].step, &step);
        exact_ratio(cases[i].least, &least);
        REQUIRE_OK(sc_ladder_top(&step, &least, &top, NULL));
        CHECK_INT(top, cases[i].top);
        /* exp(-step top) <= least < exp(-step (top - 1)) */
        sc_ball bound;
        sc_ball_init(&value);
        sc_ball_init(&bound);
        sc_ball_set_ratio(&bound, &least, 256);
        sc_ball_set_ratio(&value, &step, 256);
        sc_ball_mul_int64(&value, &value, -(int64_t)top, 256);
        sc_ball_exp(&value, &value, 256);
        CHECK(sc_ball_is_less_equal(&value, &bound));
        sc_ball_set_ratio(&value, &step, 256);
        sc_ball_mul_int64(&value, &value, 1 - (int64_t)top, 256);
        sc_ball_exp(&value, &value, 256);
        CHECK(sc_ball_is_less(&bound, &value));
        sc_ball_clear(&bound);
        sc_ball_clear(&value);
        sc_ratio_clear(&least);
        sc_ratio_clear(&step);
    }
}

TEST(ladder_finds_the_rung_of_a_weight)
{
    sc_ratio step;
    sc_ladder ladder;
    exact_ratio("1/2", &step);
    REQUIRE_OK(sc_ladder_init(&ladder, &step, 8, NULL));
    CHECK_INT(sc_ladder_rung(&ladder, SC_LADDER_TOP_WEIGHT - 1), 9);
    CHECK_INT(sc_ladder_rung(&ladder, SC_LADDER_TOP_WEIGHT), 8);
    CHECK_INT(sc_ladder_rung(&ladder, 7081203936), 8);
    CHECK_INT(sc_ladder_rung(&ladder, 7081203937), 7);
    CHECK_INT(sc_ladder_rung(&ladder, ladder.highest - 1), 1);
    CHECK_INT(sc_ladder_rung(&ladder, ladder.highest), 0);
    sc_ratio_clear(&step);
}

TEST(ladder_refuses_what_is_too_large)
{
    sc_ratio step, least;
    sc_ladder ladder = {.top = 77};
    uint64_t top = 5;
    exact_ratio("1e-7", &step);
    exact_ratio("1/1000", &least);
    CHECK_STATUS(sc_ladder_init(&ladder, &step, SC_LADDER_TOP_MAX + 1, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_ladder_top(&step, &least, &top, NULL), SCRIM_E_LIMIT);
    sc_ratio_clear(&step);
    exact_ratio("1", &step);
    CHECK_STATUS(sc_ladder_init(&ladder, &step, 66, NULL), SCRIM_E_LIMIT); /* 2^127 */
    CHECK_INT(ladder.top, 77);
    CHECK_INT(top, 5);
    CHECK_STATUS(sc_ladder_init(&ladder, &step, 65, NULL), SCRIM_OK);
    sc_ratio_clear(&least);
    sc_ratio_clear(&step);
}

/* The work of building a ladder, which ends with this status within so much of it. */
static uint64_t work_of(const char *step_text, uint64_t top, uint64_t most,
                        scrim_status status, sc_uint128 *highest)
{
    sc_work_limit limit;
    sc_ladder ladder = {.highest = 0};
    sc_ratio step;
    exact_ratio(step_text, &step);
    sc_work_limit_enter(&limit, most);
    CHECK_STATUS(sc_ladder_init(&ladder, &step, top, NULL), status);
    const uint64_t work = sc_work_done; /* of this limit alone */
    sc_work_limit_leave(&limit);
    sc_ratio_clear(&step);
    *highest = ladder.highest;
    return work;
}

TEST(ladder_that_is_known_has_the_same_weights_for_the_same_work)
{
    CLAIM("ladder.again");
    enum { TURNS = 3, TOPS = 20, MUCH = 1 << 30 };
    sc_uint128 first[2][TOPS], highest;
    uint64_t work[2][TOPS];
    static const char *const steps[] = {"1/100000", "1/90000"};
    /* More ladders than are kept, in turns that find them and turns that do not. */
    for (size_t turn = 0; turn < TURNS; turn++)
        for (size_t s = 0; s < COUNT(steps); s++)
            for (size_t t = 0; t < TOPS; t++) {
                const size_t at = turn == 1 ? TOPS - 1 - t : t;
                const uint64_t now =
                    work_of(steps[s], 5000 + 4096 * at, MUCH, SCRIM_OK, &highest);
                if (turn == 0) {
                    first[s][at] = highest;
                    work[s][at] = now;
                    continue;
                }
                CHECK(highest == first[s][at]);
                CHECK_INT(now, work[s][at]);
            }
    CHECK(first[0][3] != first[0][4] && first[0][3] != first[1][3]);
    /* A limit ends it whether it is known or not, and the next one begins anew. */
    const uint64_t most = work[0][9];
    for (int again = 0; again < 2; again++) {
        work_of(steps[0], 5000 + 4096 * 9, most, SCRIM_E_LIMIT, &highest);
        CHECK_INT(work_of(steps[0], 5000 + 4096 * 9, most + 1, SCRIM_OK, &highest), most);
        CHECK(highest == first[0][9]);
    }
}
