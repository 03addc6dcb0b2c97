#include "exact.h"
#include "mechanism_lines.h"
#include "synth/rounds/aim_schedule.h"
#include "vectors.h"

#include <string.h>

static void check_printed(const sc_ratio *x, const json_t *row, const char *name)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&ball), strtod(vectors_text(row, name), NULL), 1e-12);
    sc_ball_clear(&ball);
}

static void check_variance(uint64_t found, const json_t *row)
{
    sc_ratio x, want;
    exact_ratio(vectors_text(row, "sigma2"), &want);
    sc_ratio_init(&x);
    sc_ratio_set_quotient(&x, (int64_t)found, 64);
    CHECK(sc_ratio_compare(&x, &want) == 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&x);
}

static bool is_listed(const json_t *list, uint64_t number)
{
    bool is = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        is = is || (uint64_t)json_integer_value(json_array_get(list, i)) == number;
    return is;
}

/* One round after the other, as printed, with noise lowered after the printed rounds. */
static void check_schedule(const char *name)
{
    json_t *v = vectors_load("synthetic", name);
    REQUIRE(v != NULL);
    const json_t *rounds = json_object_get(v, "rounds");
    const bool is_replace = strcmp(vectors_text(v, "relation"), "replace") == 0;
    const sc_round_unit unit = {is_replace ? SCRIM_REPLACE : SCRIM_ADD_REMOVE, 1};
    sc_ratio rho, share, used, cost, left;
    exact_ratio(vectors_text(v, "rho"), &rho);
    exact_ratio("1/10", &share);
    sc_ratio_init(&used);
    sc_ratio_init(&cost);
    sc_ratio_init(&left);
    sc_aim_schedule s = {
        .unit = &unit, .total = &rho, .share = &share, .most_move = sc_round_move(&unit)};
    CHECK_STATUS(sc_aim_schedule_start(&s, vectors_number(v, "T"), NULL), SCRIM_OK);
    check_variance(s.variance, json_array_get(rounds, 0));
    sc_round_measure_cost((sc_uint128)vectors_number(v, "columns") *
                              sc_round_square(&unit),
                          s.variance, &used);
    CHECK_RATIO(&used, vectors_text(json_array_get(rounds, 0), "used"));
    for (size_t i = 1; i < json_array_size(rounds); i++) {
        const json_t *row = json_array_get(rounds, i);
        CHECK(!s.is_last);
        CHECK_STATUS(sc_aim_schedule_next(&s, &used, &cost, NULL), SCRIM_OK);
        check_variance(s.variance, row);
        CHECK_INT(s.rate, vectors_number(row, "h_times_2_32"));
        check_printed(&cost, row, "cost");
        sc_ratio_add(&used, &used, &cost);
        check_printed(&used, row, "used");
        CHECK(s.is_last == json_is_true(json_object_get(row, "last")));
        if (is_listed(json_object_get(v, "anneal_after_rounds"), i))
            sc_aim_schedule_anneal(&s);
    }
    CHECK(s.is_last);
    sc_ratio_sub(&left, &rho, &used);
    CHECK(sc_ratio_sign(&left) >= 0);
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, &left, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&ball), strtod(vectors_text(v, "left"), NULL), 1e-5);
    sc_ball_clear(&ball);
    sc_ratio_clear(&left);
    sc_ratio_clear(&cost);
    sc_ratio_clear(&used);
    sc_ratio_clear(&share);
    sc_ratio_clear(&rho);
}

TEST(aim_schedule_is_that_of_the_specification)
{
    CLAIM("aim.schedule");
    check_schedule("aim_schedule");
    check_schedule("aim_schedule_replace");
}

/* Whatever rounds are lowered, the sum stays within the total, and there is a last round. */
TEST(aim_schedule_never_passes_its_total)
{
    CLAIM("aim.schedule");
    for (uint64_t pattern = 0; pattern < 256; pattern++) {
        const sc_round_unit unit = {pattern % 2 == 0 ? SCRIM_ADD_REMOVE : SCRIM_REPLACE,
                                    1 + pattern % 5};
        sc_ratio rho, share, used, cost;
        exact_ratio(pattern % 3 == 0 ? "1/1000" : "2", &rho);
        exact_ratio(pattern % 7 == 0 ? "1/2" : "1/10", &share);
        sc_ratio_init(&used);
        sc_ratio_init(&cost);
        sc_aim_schedule s = {.unit = &unit,
                             .total = &rho,
                             .share = &share,
                             .most_move = sc_round_move(&unit) * (1 + pattern % 4)};
        REQUIRE_OK(sc_aim_schedule_start(&s, 5 + pattern, NULL));
        int round = 0;
        for (; round < 1000 && !s.is_last; round++) {
            REQUIRE_OK(sc_aim_schedule_next(&s, &used, &cost, NULL));
            sc_ratio_add(&used, &used, &cost);
            if ((pattern >> (round % 8) & 1) != 0)
                sc_aim_schedule_anneal(&s);
        }
        CHECK(s.is_last && sc_ratio_compare(&used, &rho) <= 0);
        sc_ratio_clear(&cost);
        sc_ratio_clear(&used);
        sc_ratio_clear(&share);
        sc_ratio_clear(&rho);
    }
}
