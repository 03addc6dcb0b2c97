#define SC_WITH_ARB
#include "composition/loss/loss.h"
#include "composition/loss/loss_step.h"
#include "losses.h"

#include <math.h>
#include <stdio.h>

static void compose(const sc_loss *a, const sc_loss *b, sc_loss *out)
{
    scrim_error error;
    sc_loss_init(out);
    CHECK_STATUS(sc_loss_compose(a, b, LOSSES_TAIL, out, &error), SCRIM_OK);
}

/* Three parts of one grid, of one side. */
static void three(sc_loss_side side, sc_loss out[3])
{
    static const struct {
        const char *kind, *shape, *rate;
    } parts[3] = {{"continuous-gaussian", "4", NULL},
                  {"laplace", "3", "1/4"},
                  {"gaussian", "9", NULL}};
    for (int i = 0; i < 3; i++) {
        sc_loss_pair pair;
        if (parts[i].rate != NULL)
            losses_sampled(parts[i].kind, parts[i].shape, 1, parts[i].rate,
                           SC_DIRECTION_REMOVE, &pair);
        else
            losses_pair(parts[i].kind, parts[i].shape, 1, &pair);
        losses_of(&pair, side, "1/36", 1, &out[i]);
        sc_loss_pair_clear(&pair);
    }
}

static const char *const epsilons[] = {"-3", "-1/7", "0", "1/36", "0.3", "1", "5/2", "4"};

/* Two losses that differ by rounding: at every epsilon by less than 2^-120. */
static void check_same(const sc_loss *a, const sc_loss *b)
{
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        const double x = losses_delta(a, epsilons[i]), y = losses_delta(b, epsilons[i]);
        CHECK(fabs(x - y) <= 0x1p-100 + 0x1p-50 * x);
    }
    CHECK_NEAR(losses_epsilon(a, "1e-9"), losses_epsilon(b, "1e-9"), 1e-14);
}

/* Both sides at once are what each is by itself. */
TEST(loss_sides_are_those_of_single_ones)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    static const char *const kinds[] = {"continuous-gaussian", "continuous-laplace",
                                        "gaussian", "pure"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        sc_loss_pair pair;
        sc_loss upper, lower, single[2];
        sc_ratio step;
        scrim_error error;
        losses_pair(kinds[i], "2", 1, &pair);
        exact_ratio("1/36", &step);
        sc_loss_init(&upper);
        sc_loss_init(&lower);
        losses_of(&pair, SC_LOSS_UPPER, "1/36", 1, &single[0]);
        losses_of(&pair, SC_LOSS_LOWER, "1/36", 1, &single[1]);
        CHECK_STATUS(sc_loss_sides_from_pair(
                         &pair, &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL}, NULL,
                         &upper, &lower, &error),
                     SCRIM_OK);
        CHECK(upper.side == SC_LOSS_UPPER && lower.side == SC_LOSS_LOWER);
        check_same(&upper, &single[0]);
        check_same(&lower, &single[1]);
        sc_loss_clear(&single[1]);
        sc_loss_clear(&single[0]);
        sc_loss_clear(&lower);
        sc_loss_clear(&upper);
        sc_ratio_clear(&step);
        sc_loss_pair_clear(&pair);
    }
}

TEST(loss_composition_commutes_and_associates)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    for (int side = 0; side < 2; side++) {
        sc_loss parts[3], ab, ba, ab_c, bc, a_bc;
        three(side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, parts);
        compose(&parts[0], &parts[1], &ab);
        compose(&parts[1], &parts[0], &ba);
        compose(&ab, &parts[2], &ab_c);
        compose(&parts[1], &parts[2], &bc);
        compose(&parts[0], &bc, &a_bc);
        check_same(&ab, &ba);
        check_same(&ab_c, &a_bc);
        CHECK(losses_delta(&ab, "1") > losses_delta(&parts[0], "1"));
        sc_loss *const all[] = {&ab,   &ba,       &ab_c,     &bc,
                                &a_bc, &parts[0], &parts[1], &parts[2]};
        for (size_t i = 0; i < COUNT(all); i++)
            sc_loss_clear(all[i]);
    }
}

/* Masses of which most are 0 are multiplied one by one, in either place: the same integers. */
TEST(loss_of_few_masses_is_multiplied_alike)
{
    static const size_t places[] = {0, 3, 8, 19}, many = 40;
    for (int side = 0; side < 2; side++) {
        sc_loss few, other, out;
        sc_ratio step;
        exact_ratio("1/10", &step);
        sc_loss_init(&few);
        sc_loss_init(&other);
        REQUIRE_OK(sc_loss_reset(&few, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, &step,
                                 64, -5, 20, NULL));
        REQUIRE_OK(sc_loss_reset(&other, few.side, &step, 64, 7, many, NULL));
        for (size_t i = 0; i < COUNT(places); i++)
            fmpz_set_ui(&few.mass[places[i]], (ulong)(UINT64_C(1) << 61) + 12345 * i);
        for (size_t i = 0; i < many; i++)
            fmpz_set_ui(&other.mass[i], (ulong)((UINT64_C(1) << 58) + 987654321 * i));
        for (int turn = 0; turn < 2; turn++) {
            sc_loss_init(&out);
            REQUIRE_OK(sc_loss_compose(turn == 0 ? &few : &other,
                                       turn == 0 ? &other : &few, 200, &out, NULL));
            CHECK_INT(out.low, 2);
            REQUIRE(out.count == 20 + many - 1);
            for (size_t k = 0; k < out.count; k++) {
                fmpz_t sum;
                fmpz_init(sum);
                for (size_t i = 0; i < COUNT(places); i++)
                    if (k >= places[i] && k - places[i] < many)
                        fmpz_addmul(sum, &few.mass[places[i]],
                                    &other.mass[k - places[i]]);
                if (side == 0)
                    fmpz_cdiv_q_2exp(sum, sum, 64);
                else
                    fmpz_fdiv_q_2exp(sum, sum, 64);
                CHECK(fmpz_equal(sum, &out.mass[k]));
                fmpz_clear(sum);
            }
            sc_loss_clear(&out);
        }
        sc_loss_clear(&other);
        sc_loss_clear(&few);
        sc_ratio_clear(&step);
    }
}

TEST(loss_of_nothing_changes_nothing)
{
    for (int side = 0; side < 2; side++) {
        scrim_error error;
        sc_loss parts[3], nothing, both;
        sc_ratio step;
        exact_ratio("1/36", &step);
        three(side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, parts);
        sc_loss_init(&nothing);
        REQUIRE_OK(
            sc_loss_set_nothing(parts[0].side, &step, SC_LOSS_BITS, &nothing, &error));
        CHECK(losses_delta(&nothing, "0") == 0.0);
        CHECK(losses_epsilon(&nothing, "0") == 0.0);
        for (int i = 0; i < 3; i++) {
            compose(&parts[i], &nothing, &both);
            check_same(&parts[i], &both);
            sc_loss_clear(&both);
            sc_loss_clear(&parts[i]);
        }
        sc_loss_clear(&nothing);
        sc_ratio_clear(&step);
    }
}

TEST(loss_power_is_composition_one_by_one)
{
    for (int side = 0; side < 2; side++) {
        scrim_error error;
        sc_loss parts[3], one_by_one, power;
        three(side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, parts);
        compose(&parts[0], &parts[0], &one_by_one);
        for (uint64_t k = 2; k <= 7; k++) {
            sc_loss_init(&power);
            REQUIRE_OK(sc_loss_power(&parts[0], k, LOSSES_TAIL, &power, &error));
            check_same(&power, &one_by_one);
            sc_loss_clear(&power);
            REQUIRE_OK(sc_loss_compose(&one_by_one, &parts[0], LOSSES_TAIL, &one_by_one,
                                       &error));
        }
        sc_loss_clear(&one_by_one);
        for (int i = 0; i < 3; i++)
            sc_loss_clear(&parts[i]);
    }
}

TEST(loss_delta_falls_and_epsilon_comes_back)
{
    for (int side = 0; side < 2; side++) {
        sc_loss parts[3];
        three(side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER, parts);
        for (int part = 0; part < 3; part++) {
            double last = 2;
            for (int i = -60; i <= 60; i++) {
                char epsilon[32];
                sc_ratio exact, delta;
                sc_ball e, d;
                snprintf(epsilon, sizeof epsilon, "%d/25", i);
                exact_ratio(epsilon, &exact);
                sc_ratio_init(&delta);
                sc_ball_init(&e);
                sc_ball_init(&d);
                sc_ball_set_ratio(&e, &exact, 256);
                sc_loss_delta(&parts[part], &e, 192, &d);
                CHECK(sc_ball_upper(&d) <= last);
                last = sc_ball_upper(&d);
                /* epsilon(delta(e)) <= e, and not much less */
                if (i > 0 && sc_ball_lower(&d) > 1e-30 &&
                    sc_ball_round_up(&d, 220, &delta) &&
                    CHECK(sc_loss_epsilon(&parts[part], &delta, 128, &d))) {
                    CHECK(sc_ball_upper(&d) <= i / 25.0 * (1 + 1e-15));
                    CHECK(sc_ball_lower(&d) >= i / 25.0 * (1 - 1e-15));
                }
                sc_ball_clear(&d);
                sc_ball_clear(&e);
                sc_ratio_clear(&delta);
                sc_ratio_clear(&exact);
            }
            sc_loss_clear(&parts[part]);
        }
    }
}

/* upper - lower at one epsilon. */
static double gap(const sc_loss_pair *pair, const char *step, uint64_t k,
                  const char *epsilon)
{
    sc_loss lower, upper;
    losses_of(pair, SC_LOSS_LOWER, step, k, &lower);
    losses_of(pair, SC_LOSS_UPPER, step, k, &upper);
    const double width = losses_delta(&upper, epsilon) - losses_delta(&lower, epsilon);
    sc_loss_clear(&upper);
    sc_loss_clear(&lower);
    return width;
}

/* Half the step, a quarter of the gap; an eighth, a sixty-fourth: for what has no atoms off the
 * grid. */
TEST(loss_gap_is_of_second_order)
{
    CLAIM("loss.dots");
    static const struct {
        const char *kind, *shape;
        uint64_t k;
    } cases[] = {{"continuous-gaussian", "3", 8}, {"continuous-laplace", "2", 5}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_loss_pair pair;
        losses_pair(cases[i].kind, cases[i].shape, 1, &pair);
        const double wide = gap(&pair, "1/20", cases[i].k, "0.7");
        const double half = gap(&pair, "1/40", cases[i].k, "0.7");
        const double quarter = gap(&pair, "1/80", cases[i].k, "0.7");
        CHECK(wide > 0 && half > 0 && quarter > 0);
        CHECK_NEAR(wide / half, 4.0, 0.2);
        CHECK_NEAR(half / quarter, 4.0, 0.1);
        sc_loss_pair_clear(&pair);
    }
}

/* Where the loss ends between two points, the gap depends on where between them, too. */
SLOW_TEST(loss_gap_of_sampled_noise_closes)
{
    CLAIM("loss.dots");
    for (int direction = 0; direction < 2; direction++) {
        sc_loss_pair pair;
        losses_sampled("continuous-gaussian", "1", 1, "1/5",
                       direction == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &pair);
        const double wide = gap(&pair, "1/16", 6, "0.7"),
                     fine = gap(&pair, "1/128", 6, "0.7");
        CHECK(fine > 0 && fine < wide / 32);
        sc_loss_pair_clear(&pair);
    }
}

/* On the lattice nothing but rounding: also of Laplace noise against larger shifts. */
TEST(loss_on_a_lattice_has_no_gap)
{
    CLAIM("loss.lattice");
    static const struct {
        const char *kind, *shape, *step;
        uint64_t shift, k;
    } cases[] = {{"laplace", "3", "1/3", 1, 40},   {"laplace", "5/2", "2/5", 3, 17},
                 {"laplace", "7", "2/7", 4, 11},   {"gaussian", "9", "1/18", 1, 10},
                 {"gaussian", "16", "1/16", 2, 5}, {"gaussian", "1/3", "3/4", 1, 3},
                 {"pure", "1/10", "1/30", 1, 100}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_loss_pair pair;
        losses_pair(cases[i].kind, cases[i].shape, cases[i].shift, &pair);
        CHECK(fabs(gap(&pair, cases[i].step, cases[i].k, "0.35")) < 1e-15);
        sc_loss_pair_clear(&pair);
    }
}

/* The total of all masses less 1, in units of 2^-40. */
static double excess(const sc_loss *loss)
{
    fmpz_t total, one;
    fmpz_init(total);
    fmpz_init(one);
    fmpz_set(total, &loss->infinite);
    for (size_t i = 0; i < loss->count; i++)
        fmpz_add(total, total, &loss->mass[i]);
    fmpz_one(one);
    fmpz_mul_2exp(one, one, (ulong)loss->bits);
    fmpz_sub(total, total, one);
    const double units = fmpz_get_d(total) / pow(2, (double)loss->bits - 40);
    fmpz_clear(one);
    fmpz_clear(total);
    return units;
}

/* An upper loss never has less than all of the mass, a lower one never more: at the ends, where
 * tails of 2^-30 are trimmed here, an upper one has moved it, a lower one lost it. */
TEST(loss_loses_no_mass_above_and_finds_none_below)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    static const struct {
        const char *kind, *shape, *rate, *step;
    } cases[] = {{"continuous-gaussian", "2", NULL, "1/9"},
                 {"gaussian", "2", NULL, "1/4"},
                 {"gaussian", "2", "0.3", "1/30"},
                 {"laplace", "1/2", NULL, "2"},
                 {"pure", "1/1000", NULL, "1/7"}}; /* all between two points */
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        const char *const rate = cases[i / 2].rate;
        const bool is_upper = i % 2 == 0;
        scrim_error error;
        sc_loss_pair pair;
        sc_loss loss;
        sc_ratio step;
        exact_ratio(cases[i / 2].step, &step);
        if (rate != NULL)
            losses_sampled(cases[i / 2].kind, cases[i / 2].shape, 1, rate,
                           SC_DIRECTION_ADD, &pair);
        else
            losses_pair(cases[i / 2].kind, cases[i / 2].shape, 1, &pair);
        sc_loss_init(&loss);
        REQUIRE_OK(sc_loss_from_pair(&pair, is_upper ? SC_LOSS_UPPER : SC_LOSS_LOWER,
                                     &(sc_loss_grid){&step, SC_LOSS_BITS, 30}, NULL,
                                     &loss, &error));
        const double once = excess(&loss);
        CHECK(is_upper ? once >= 0 && once < 1e-20 : once <= 0 && once > -8192.0);
        REQUIRE_OK(sc_loss_power(&loss, 9, 30, &loss, &error));
        const double often = excess(&loss);
        CHECK(is_upper ? often >= 0 && often < 1e-20
                       : often <= once && often > -131072.0);
        sc_loss_clear(&loss);
        sc_loss_pair_clear(&pair);
        sc_ratio_clear(&step);
    }
}

/* Outcomes that only one law can give are there after composition: 1 - (1 - d)^k. */
TEST(loss_keeps_infinite_mass)
{
    sc_ratio epsilon, delta, step;
    sc_loss_pair pair;
    scrim_error error;
    exact_ratio("1/2", &epsilon);
    exact_ratio("1/64", &delta);
    exact_ratio("1/2", &step);
    sc_loss_pair_init(&pair);
    sc_loss_pair_set_approximate(&pair, &epsilon, &delta);
    for (int side = 0; side < 2; side++) {
        sc_loss loss;
        sc_loss_init(&loss);
        REQUIRE_OK(sc_loss_from_pair(&pair, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER,
                                     &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL},
                                     NULL, &loss, &error));
        REQUIRE_OK(sc_loss_power(&loss, 5, LOSSES_TAIL, &loss, &error));
        CHECK_NEAR(losses_delta(&loss, "2.5"), 1 - pow(63.0 / 64, 5), 1e-15);
        CHECK_NEAR(losses_delta(&loss, "100"), 1 - pow(63.0 / 64, 5), 1e-15);
        CHECK(losses_epsilon(&loss, "0.01") == HUGE_VAL);
        CHECK(losses_epsilon(&loss, "0.08") <= 2.5);
        sc_loss_clear(&loss);
    }
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&step);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

/* The extremes: an answer on the right side, or a refusal that says why; never NaN. */
SLOW_TEST(loss_of_extreme_parameters_answers_or_refuses)
{
    static const char *const numbers[] = {"1e-300", "1e-9", "50", "700"};
    static const char *const deltas[] = {"0", "1e-300", "1e-30", "0.9999999999999999"};
    static const char *const kinds[] = {"pure", "laplace", "gaussian",
                                        "continuous-laplace", "continuous-gaussian"};
    size_t refused = 0;
    for (size_t i = 0; i < COUNT(kinds) * COUNT(numbers) * 3; i++) {
        const char *kind = kinds[i % COUNT(kinds)],
                   *number = numbers[i / COUNT(kinds) % COUNT(numbers)];
        const size_t sampled = i / COUNT(kinds) / COUNT(numbers);
        if (!check_is_long() && sampled == 1 + i % 2)
            continue;
        sc_loss_pair pair;
        sc_ratio step;
        bool is_lattice;
        sc_ratio_init(&step);
        if (sampled == 0)
            losses_pair(kind, number, 1, &pair);
        else
            losses_sampled(kind, number, 1, sampled == 1 ? "1e-9" : "0.5",
                           sampled == 1 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &pair);
        const sc_loss_item item = {&pair, NULL, 3};
        CHECK_STATUS(sc_loss_step(&item, 1, 256, &step, &is_lattice, NULL), SCRIM_OK);
        CHECK(sc_ratio_sign(&step) > 0);
        double bounds[2][COUNT(deltas)] = {{0}};
        bool answered = true;
        for (int side = 0; side < 2 && answered; side++) {
            scrim_error error;
            sc_loss loss;
            sc_loss_init(&loss);
            scrim_status status = sc_loss_from_pair(
                &pair, side == 0 ? SC_LOSS_LOWER : SC_LOSS_UPPER,
                &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL}, NULL, &loss, &error);
            if (status == SCRIM_OK)
                status = sc_loss_power(&loss, 3, LOSSES_TAIL, &loss, &error);
            answered = status == SCRIM_OK;
            CHECK(answered || status == SCRIM_E_LIMIT);
            refused += answered ? 0 : 1;
            for (size_t j = 0; answered && j < COUNT(deltas); j++)
                bounds[side][j] = losses_epsilon(&loss, deltas[j]);
            sc_loss_clear(&loss);
        }
        for (size_t j = 0; answered && j < COUNT(deltas); j++)
            CHECK(bounds[0][j] >= 0 && bounds[0][j] <= bounds[1][j]);
        sc_ratio_clear(&step);
        sc_loss_pair_clear(&pair);
    }
    CHECK(refused <= 6); /* sigma = 1e-300 and the like */
}

TEST(loss_refuses_what_does_not_fit)
{
    scrim_error error;
    sc_loss_pair pair;
    sc_loss a, b;
    sc_ratio step;
    exact_ratio("1e-9", &step);
    sc_loss_init(&a);
    sc_loss_init(&b);
    losses_pair("continuous-gaussian", "1", 1, &pair);
    CHECK_STATUS(sc_loss_from_pair(&pair, SC_LOSS_UPPER,
                                   &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL},
                                   NULL, &a, &error),
                 SCRIM_E_LIMIT);
    CHECK(a.count == 0);
    sc_loss_clear(&b);
    sc_loss_clear(&a);
    losses_of(&pair, SC_LOSS_UPPER, "1/4", 1, &a);
    losses_of(&pair, SC_LOSS_UPPER, "1/5", 1, &b);
    CHECK_STATUS(sc_loss_compose(&a, &b, LOSSES_TAIL, &b, &error), SCRIM_E_INTERNAL);
    sc_loss_clear(&b);
    losses_of(&pair, SC_LOSS_LOWER, "1/4", 1, &b);
    CHECK_STATUS(sc_loss_compose(&a, &b, LOSSES_TAIL, &b, &error), SCRIM_E_INTERNAL);
    sc_loss_clear(&b);
    sc_loss_clear(&a);
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&step);
}
