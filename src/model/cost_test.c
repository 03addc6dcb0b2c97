#include "balls.h"
#include "exact.h"
#include "model/cost.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* Rounding. */

static void round_both(const char *text, sc_ratio *x, sc_ratio *up, sc_ratio *down)
{
    exact_ratio(text, x);
    sc_ratio_init(up);
    sc_ratio_init(down);
    sc_cost_round_up(x, up);
    sc_cost_round_down(x, down);
}

TEST(cost_keeps_what_is_short)
{
    static const char *const list[] = {
        "0", "1", "1/3", "1e-50", "2^179", "2^-179", "123456789/1000000007"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio x, up, down;
        round_both(list[i], &x, &up, &down);
        CHECK(sc_cost_fits(&x));
        CHECK(sc_ratio_compare(&x, &up) == 0 && sc_ratio_compare(&x, &down) == 0);
        sc_ratio_clear(&down);
        sc_ratio_clear(&up);
        sc_ratio_clear(&x);
    }
}

/* A long number is rounded outwards, to 64 significant bits or 170 places, and then fits. */
TEST(cost_rounds_what_is_long_by_its_direction)
{
    static const char *const list[] = {
        "1/3333333333333333333333333333333333333333333333333"
        "333333333333333333333333333",
        "2^-181", "1e-60", "2^-4000",
        "123456789.000000000000000000000000000000000000000000"
        "0000000000000000000000000001"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio x, up, down, gap, slack;
        sc_ball relative;
        round_both(list[i], &x, &up, &down);
        sc_ratio_init(&gap);
        exact_ratio("2^-169", &slack);
        sc_ball_init(&relative);
        CHECK(!sc_cost_fits(&x) && sc_cost_fits(&up) && sc_cost_fits(&down));
        CHECK(sc_ratio_compare(&down, &x) < 0 && sc_ratio_compare(&x, &up) < 0);
        CHECK(sc_ratio_sign(&down) >= 0);
        sc_ratio_sub(&gap, &up, &down);
        sc_ball_set_ratio(&relative, &x, 64);
        sc_ball_mul_power2(&relative, &relative, -61);
        sc_ball limit, width;
        sc_ball_init(&limit);
        sc_ball_init(&width);
        sc_ball_set_ratio(&limit, &slack, 64);
        sc_ball_add(&limit, &limit, &relative, 64);
        sc_ball_set_ratio(&width, &gap, 64);
        CHECK(sc_ball_is_less_equal(&width, &limit));
        sc_ball_clear(&width);
        sc_ball_clear(&limit);
        sc_ball_clear(&relative);
        sc_ratio_clear(&slack);
        sc_ratio_clear(&gap);
        sc_ratio_clear(&down);
        sc_ratio_clear(&up);
        sc_ratio_clear(&x);
    }
}

TEST(cost_rounds_a_ball_up)
{
    static const char *const list[] = {"0", "1e-200", "1/3", "0.9999999",
                                       "1", "17",     "1e40"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio x, up;
        sc_ball ball, above;
        exact_ratio(list[i], &x);
        sc_ratio_init(&up);
        sc_ball_init(&ball);
        sc_ball_init(&above);
        sc_ball_set_ratio(&ball, &x, 256);
        CHECK(sc_cost_round_up_ball(&ball, &up));
        CHECK(sc_cost_fits(&up) && sc_ratio_compare(&x, &up) <= 0);
        sc_ball_set_ratio(&above, &up, 256);
        CHECK(sc_ball_upper(&above) <= sc_ball_upper(&ball) * (1 + 1e-15) + 1e-50);
        sc_ball_clear(&above);
        sc_ball_clear(&ball);
        sc_ratio_clear(&up);
        sc_ratio_clear(&x);
    }
    sc_ball infinite, zero;
    sc_ratio out;
    sc_ball_init(&infinite);
    sc_ball_init(&zero);
    sc_ratio_init(&out);
    sc_ball_set_int64(&infinite, 1);
    sc_ball_div(&infinite, &infinite, &zero, 64);
    CHECK(!sc_cost_round_up_ball(&infinite, &out));
    sc_ratio_clear(&out);
    sc_ball_clear(&zero);
    sc_ball_clear(&infinite);
}

/* No text is cut off: what is too long is rounded, and parses to a number on the right side. */
TEST(cost_shows_numbers_that_parse_back)
{
    static const char *const list[] = {"0",        "1/3",
                                       "2^-170",   "1e-400",
                                       "2^-1100",  "1e126",
                                       "1e127",    "1e300",
                                       "2^4000",   "2^1000",
                                       "3/2^1000", "1/7",
                                       "1e-1200",  "99999999999999999999"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char up[SCRIM_NUMBER_BYTES], down[SCRIM_NUMBER_BYTES];
        sc_ratio x, upper, lower, twice;
        if (strcmp(list[i], "3/2^1000") == 0) {
            exact_ratio("2^-1000", &x);
            exact_ratio("3", &twice);
            sc_ratio_mul(&x, &x, &twice);
            sc_ratio_clear(&twice);
        } else {
            exact_ratio(list[i], &x);
        }
        sc_cost_put_upper(&x, up);
        sc_cost_put_lower(&x, down);
        CHECK(strlen(up) < sizeof up && strlen(down) < sizeof down);
        exact_ratio(up, &upper);
        exact_ratio(down, &lower);
        CHECK(sc_ratio_compare(&lower, &x) <= 0 && sc_ratio_compare(&x, &upper) <= 0);
        /* Far numbers are shown within a factor of 2. */
        sc_ratio_init(&twice);
        sc_ratio_add(&twice, &x, &x);
        CHECK(sc_ratio_compare_int64(&x, 1) < 0 || sc_ratio_compare(&upper, &twice) <= 0);
        sc_ratio_clear(&twice);
        sc_ratio_clear(&lower);
        sc_ratio_clear(&upper);
        sc_ratio_clear(&x);
    }
}

TEST(cost_is_said_in_decimals)
{
    static const char *const list[][3] = {
        {"334000233338326828459385611/4951760157141521099596496896", "0.0674509",
         "0.0674508"},
        {"1/3", "0.333334", "0.333333"},
        {"29515232428294531141/9444732965739290427392000", "3.12505e-6", "3.12504e-6"},
        {"2000001/3", "666667", "666667"},
        {"0.0000011", "1.1e-6", "1.1e-6"},
        {"0.123456789", "0.123456789", "0.123456789"},
        {"0", "0", "0"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char up[SCRIM_NUMBER_BYTES], down[SCRIM_NUMBER_BYTES];
        snprintf(up, sizeof up, "%s", list[i][0]);
        snprintf(down, sizeof down, "%s", list[i][0]);
        sc_cost_say(up, true);
        sc_cost_say(down, false);
        CHECK_STR(up, list[i][1]);
        CHECK_STR(down, list[i][2]);
    }
}

/* The usual costs. */

static void cost_of(const char *epsilon, const char *delta, sc_exact_cost *out)
{
    sc_ratio e, d;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    sc_cost_init(out);
    out->neighbours = SCRIM_ADD_REMOVE;
    sc_cost_set_approximate(out, &e, &d);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
}

TEST(cost_of_a_pure_mechanism)
{
    json_t *rows = json_object_get(vectors_load("local-and-accounting", "zcdp_misc"),
                                   "pure_to_rho"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 2);
    json_array_foreach(rows, index, row)
    {
        sc_ratio epsilon, rho, four;
        sc_exact_cost cost;
        scrim_cost shown;
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        exact_ratio(vectors_text(row, "rho"), &rho);
        exact_ratio("4", &four);
        sc_cost_init(&cost);
        cost.neighbours = SCRIM_REPLACE;
        sc_cost_set_pure(&cost, &epsilon);
        CHECK(cost.has_epsilon && cost.has_rho && sc_ratio_sign(&cost.delta) == 0);
        CHECK(sc_ratio_compare(&cost.epsilon, &epsilon) == 0);
        CHECK(sc_ratio_compare(&cost.rho, &rho) == 0);
        CHECK_STR(cost.curve.functions->name, "pure");
        sc_cost_format(&cost, &shown);
        CHECK_INT(shown.neighbours, SCRIM_REPLACE);
        CHECK_STR(shown.delta, "0");
        sc_cost_set_bounded_range(&cost, &epsilon);
        sc_ratio_mul(&cost.rho, &cost.rho, &four);
        CHECK(sc_ratio_compare(&cost.rho, &rho) == 0);
        CHECK_STR(cost.curve.functions->name, "bounded-range");
        sc_cost_clear(&cost);
        sc_ratio_clear(&four);
        sc_ratio_clear(&rho);
        sc_ratio_clear(&epsilon);
    }
}

TEST(cost_shows_only_what_is_promised)
{
    sc_exact_cost cost;
    scrim_cost shown;
    sc_cost_init(&cost);
    cost.has_rho = true;
    sc_ratio_set_int64(&cost.rho, 3);
    memset(&shown, '#', sizeof shown);
    sc_cost_format(&cost, &shown);
    CHECK_STR(shown.epsilon, "");
    CHECK_STR(shown.delta, "");
    CHECK_STR(shown.rho, "3");
    sc_cost_clear(&cost);
    cost_of("1/2", "1e-6", &cost);
    sc_cost_format(&cost, &shown);
    CHECK_STR(shown.epsilon, "0.5");
    CHECK_STR(shown.delta, "0.000001");
    CHECK_STR(shown.rho, "");
    CHECK_STR(cost.curve.functions->name, "approximate");
    sc_cost_clear(&cost);
}

/* Groups. */

TEST(cost_of_groups_matches_the_vectors)
{
    json_t *rows = vectors_load("mechanisms", "group_privacy"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 4);
    json_array_foreach(rows, index, row)
    {
        sc_exact_cost cost;
        scrim_cost shown;
        sc_ratio epsilon, delta, wanted;
        sc_ball ours, printed;
        cost_of(vectors_text(row, "epsilon"), vectors_text(row, "delta"), &cost);
        REQUIRE_OK(sc_cost_group(&cost,
                                 (uint64_t)json_integer_value(json_object_get(row, "k")),
                                 &shown, NULL));
        exact_ratio(shown.epsilon, &epsilon);
        exact_ratio(vectors_text(row, "eps_group"), &wanted);
        CHECK(sc_ratio_compare(&epsilon, &wanted) == 0);
        exact_ratio(shown.delta, &delta);
        sc_ball_init(&ours);
        sc_ball_init(&printed);
        sc_ball_set_ratio(&ours, &delta, EXACT_BITS);
        CHECK(ball_set_text(&printed, vectors_text(row, "delta_group"), EXACT_BITS));
        /* Rounded up, in the 64th bit. */
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&printed), 1e-15);
        CHECK_STR(shown.rho, "");
        sc_ball_clear(&printed);
        sc_ball_clear(&ours);
        sc_ratio_clear(&wanted);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
        sc_cost_clear(&cost);
    }
}

/* delta of a group is rounded up: at least delta (1 + exp(epsilon) + ...), as the chain has it. */
TEST(cost_of_groups_is_rounded_up)
{
    sc_exact_cost cost;
    scrim_cost shown;
    sc_ball chain, power, e, ours;
    sc_ratio delta;
    cost_of("1/3", "1/1000", &cost);
    sc_ball_init(&chain);
    sc_ball_init(&power);
    sc_ball_init(&e);
    sc_ball_init(&ours);
    sc_ball_set_ratio(&e, &cost.epsilon, EXACT_BITS);
    sc_ball_exp(&e, &e, EXACT_BITS);
    sc_ball_set_ratio(&power, &cost.delta, EXACT_BITS);
    for (uint64_t units = 1; units <= 12; units++) {
        sc_ball_add(&chain, &chain, &power, EXACT_BITS);
        sc_ball_mul(&power, &power, &e, EXACT_BITS);
        REQUIRE_OK(sc_cost_group(&cost, units, &shown, NULL));
        exact_ratio(shown.delta, &delta);
        sc_ball_set_ratio(&ours, &delta, EXACT_BITS);
        CHECK(sc_ball_upper(&ours) >= sc_ball_lower(&chain));
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&chain), 1e-15);
        sc_ratio_clear(&delta);
    }
    sc_ball_clear(&ours);
    sc_ball_clear(&e);
    sc_ball_clear(&power);
    sc_ball_clear(&chain);
    sc_cost_clear(&cost);
}

TEST(cost_of_groups_squares_rho)
{
    json_t *rows = json_object_get(vectors_load("local-and-accounting", "zcdp_misc"),
                                   "group"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 2);
    json_array_foreach(rows, index, row)
    {
        sc_exact_cost cost;
        scrim_cost shown;
        sc_ratio rho, wanted;
        cost_of("1", "0", &cost);
        exact_ratio(vectors_text(row, "rho"), &rho);
        exact_ratio(vectors_text(row, "rho_k"), &wanted);
        cost.has_rho = true;
        sc_ratio_set(&cost.rho, &rho);
        sc_ratio_clear(&rho);
        REQUIRE_OK(sc_cost_group(&cost,
                                 (uint64_t)json_integer_value(json_object_get(row, "k")),
                                 &shown, NULL));
        exact_ratio(shown.rho, &rho);
        CHECK(sc_ratio_compare(&rho, &wanted) == 0);
        sc_ratio_clear(&wanted);
        sc_ratio_clear(&rho);
        sc_cost_clear(&cost);
    }
}

TEST(cost_of_groups_that_are_promised_nothing)
{
    sc_exact_cost cost;
    scrim_cost shown, before;
    scrim_error error;
    memset(&before, 7, sizeof before);
    shown = before;
    cost_of("1", "1/100", &cost);
    CHECK_STATUS(sc_cost_group(&cost, 0, &shown, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_cost_group(&cost, (1 << 20) + 1, &shown, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_cost_group(&cost, 40, &shown, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "groups of 40") != NULL);
    cost.has_epsilon = false;
    CHECK_STATUS(sc_cost_group(&cost, 2, &shown, &error), SCRIM_E_PARAM);
    CHECK_BYTES(&shown, &before, sizeof shown);
    sc_cost_clear(&cost);
    cost_of("1", "0", &cost);
    REQUIRE_OK(sc_cost_group(&cost, 1 << 20, &shown, NULL));
    CHECK_STR(shown.epsilon, "1048576");
    CHECK_STR(shown.delta, "0");
    sc_cost_clear(&cost);
}

/* (xi, rho) of groups: by the harmonic numbers and by squares. */
TEST(cost_of_groups_has_both_numbers)
{
    sc_ratio xi, rho, group_xi, group_rho, want;
    exact_ratio("1/8", &xi);
    exact_ratio("1/10", &rho);
    exact_ratio("25/48", &want); /* 4 (1 + 1/2 + 1/3 + 1/4) / 8 = 25/24 */
    sc_ratio_init(&group_xi);
    sc_ratio_init(&group_rho);
    sc_cost_group_line(&xi, &rho, 4, &group_xi, &group_rho);
    sc_ratio_sub(&group_xi, &group_xi, &want);
    CHECK(sc_ratio_compare(&group_xi, &want) >= 0);
    sc_ratio_sub(&group_xi, &group_xi, &want);
    CHECK(sc_ratio_sign(&group_xi) == 0 || sc_ratio_exponent(&group_xi) < -60);
    sc_ratio_clear(&want);
    exact_ratio("8/5", &want);
    CHECK_INT(sc_ratio_compare(&group_rho, &want), 0);
    sc_ratio_set_int64(&xi, 0);
    sc_cost_group_line(&xi, &rho, 1 << 20, &group_xi, &group_rho);
    CHECK_INT(sc_ratio_sign(&group_xi), 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&group_rho);
    sc_ratio_clear(&group_xi);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&xi);
}

/* A rho is shown and charged where it is a line without xi. */
TEST(cost_with_a_xi_shows_no_rho)
{
    sc_exact_cost cost, copy;
    scrim_cost shown;
    sc_cost_init(&cost);
    sc_cost_init(&copy);
    cost.has_rho = true;
    sc_ratio_set_int64(&cost.rho, 2);
    sc_cost_format(&cost, &shown);
    CHECK_STR(shown.rho, "2");
    sc_ratio_set_int64(&cost.xi, 1);
    cost.has_aside = true;
    sc_ratio_set_int64(&cost.aside_rho, 3);
    sc_cost_format(&cost, &shown);
    CHECK_STR(shown.rho, "");
    CHECK(!sc_cost_is_line(&cost));
    sc_cost_set(&copy, &cost);
    CHECK(copy.has_aside && !sc_cost_is_line(&copy));
    CHECK_INT(sc_ratio_compare_int64(&copy.aside_rho, 3), 0);
    sc_cost_clear(&copy);
    sc_cost_clear(&cost);
}
