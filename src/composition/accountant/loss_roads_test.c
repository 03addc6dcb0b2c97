#include "bags.h"
#include "composition/accountant/loss_accountants.h"
#include "composition/accountant/optimal.h"
#include "composition/accountant/renyi.h"
#include "composition/loss/bag_parts.h"
#include "loss_truth.h"
#include "losses.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const sc_accountant *const roads[] = {&sc_accountant_loss,
                                             &sc_accountant_fast_loss};

static void open_parsed(const char *line, sc_bag *bag)
{
    scrim_error error = {0};
    sc_bag_init(bag);
    if (!CHECK_STATUS(sc_bag_parse(line, bag, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
}

/* Both bounds hold the truth, and the upper one is at most a thousandth above it. */
static void check_delta(const sc_accountant *by, const char *line, const char *epsilon,
                        double truth)
{
    sc_bag bag;
    sc_enclosure e;
    open_parsed(line, &bag);
    sc_enclosure_init(&e);
    if (CHECK(bags_delta(by, &bag, epsilon, &e))) {
        const double upper = sc_ball_upper(&e.upper), lower = sc_ball_lower(&e.lower);
        if (upper < truth * (1 - 1e-14) || upper > truth * 1.001)
            CHECK_FAIL("%s, %s: %.17g is not just above %.17g", by->name, line, upper,
                       truth);
        if (!e.has_lower || lower > truth * (1 + 1e-14) || lower < truth * 0.998)
            CHECK_FAIL("%s, %s: %.17g is not just below %.17g", by->name, line, lower,
                       truth);
    }
    bags_end(&bag, &e);
}

SLOW_TEST(loss_roads_have_the_deltas_of_the_vectors)
{
    CLAIM("loss-roads.upper");
    CLAIM("loss-roads.lower");
    static const struct {
        const char *member, *form, *number;
    } families[] = {{"pld_gaussian_kfold_delta", "continuous-gaussian sigma", "sigma"},
                    {"pld_rr_kfold_delta", "laplace epsilon", "eps0"},
                    {"pld_discrete_gaussian_kfold_delta", "gaussian variance", "sigma2"}};
    for (size_t i = 0; i < COUNT(families); i++) {
        json_t *rows = vectors_load("local-and-accounting", families[i].member), *row;
        size_t index;
        REQUIRE(json_array_size(rows) >= 4);
        json_array_foreach(rows, index, row)
        {
            char line[128];
            snprintf(line, sizeof line, "%s=%s x%" PRIu64, families[i].form,
                     vectors_text(row, families[i].number), vectors_number(row, "k"));
            if (!check_is_long() && index != 1)
                continue;
            for (size_t j = check_is_long() ? 0 : 1; j < COUNT(roads); j++)
                check_delta(roads[j], line, vectors_text(row, "eps"),
                            strtod(vectors_text(row, "delta"), NULL));
        }
    }
}

/* The larger of both directions. */
SLOW_TEST(loss_roads_of_samples_match_the_vectors)
{
    CLAIM("loss-roads.upper");
    CLAIM("loss-roads.lower");
    static const char *const members[] = {"pld_poisson_gaussian_single",
                                          "pld_poisson_gaussian_two"};
    for (size_t i = 0; i < COUNT(members); i++) {
        json_t *rows = vectors_load("local-and-accounting", members[i]), *row;
        size_t index;
        REQUIRE(json_array_size(rows) >= 2);
        json_array_foreach(rows, index, row)
        {
            char line[128];
            if (!check_is_long() && (i > 0 || index != 2))
                continue;
            snprintf(line, sizeof line,
                     "poisson rate=%s continuous-gaussian sigma=%s x%d",
                     vectors_text(row, "q"), vectors_text(row, "sigma"), i == 0 ? 1 : 2);
            for (size_t j = check_is_long() ? 0 : 1; j < COUNT(roads); j++)
                check_delta(roads[j], line, vectors_text(row, "eps"),
                            strtod(vectors_text(row, "delta_remove"), NULL));
        }
    }
}

/* The delta of samples of randomised response in one direction, from the definition. */
static void true_delta(const char *epsilon0, const char *rate, unsigned releases,
                       sc_direction direction, const sc_ratio *epsilon, sc_ball *out)
{
    sc_loss_pair pair;
    loss_truth truth;
    losses_sampled("pure", epsilon0, 1, rate, direction, &pair);
    if (CHECK(loss_truth_open(&truth, &pair))) {
        loss_truth_delta(&truth, releases, epsilon, out);
        loss_truth_close(&truth);
    }
    sc_loss_pair_clear(&pair);
}

/* Both ends around the truth: the upper one within a thousandth, the lower one, of losses between
 * two points, within a hundredth. */
static void check_around(const sc_enclosure *e, const sc_ball *truth)
{
    CHECK(!sc_ball_is_less(&e->upper, truth));
    CHECK(sc_ball_upper(&e->upper) <= 1.001 * sc_ball_upper(truth));
    CHECK(e->has_lower && !sc_ball_is_less(truth, &e->lower));
    CHECK(sc_ball_lower(&e->lower) >= 0.99 * sc_ball_lower(truth));
}

/* By both roads: delta at epsilon, and epsilon at that delta. */
static void check_roads(const sc_bag *bag, const char *epsilon, const sc_ball *delta)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio x, below;
    sc_ball at;
    exact_ratio(epsilon, &x);
    sc_ratio_init(&below);
    sc_ball_init(&at);
    sc_ball_set_ratio(&at, &x, EXACT_BITS);
    CHECK(sc_ball_round_down(delta, 200, &below));
    sc_ratio_format(&below, text, sizeof text);
    for (size_t i = 0; i < COUNT(roads); i++) {
        sc_enclosure e;
        sc_enclosure_init(&e);
        CHECK(bags_delta(roads[i], bag, epsilon, &e));
        check_around(&e, delta);
        CHECK(bags_epsilon(roads[i], bag, text, &e));
        check_around(&e, &at);
        sc_enclosure_clear(&e);
    }
    sc_ball_clear(&at);
    sc_ratio_clear(&below);
    sc_ratio_clear(&x);
}

/* A unit that is added may be seen better than one that is removed, from two releases on; so both
 * directions count. */
SLOW_TEST(loss_roads_of_samples_take_the_larger_direction)
{
    CLAIM("loss-roads.upper");
    CLAIM("loss-roads.lower");
    static const struct {
        const char *epsilon0, *rate, *epsilon;
        unsigned releases;
        bool is_add; /* which direction has more */
    } cases[] = {{"1", "1/2", "1/4", 2, true},
                 {"1/2", "1/4", "1/5", 3, true},
                 {"1", "1/2", "1", 2, false}};
    for (size_t i = 0; i < (check_is_long() ? COUNT(cases) : 1); i++) {
        sc_bag bag;
        sc_ratio epsilon;
        sc_ball deltas[2];
        bags_open(&bag);
        exact_ratio(cases[i].epsilon, &epsilon);
        for (int j = 0; j < 2; j++) {
            sc_ball_init(&deltas[j]);
            true_delta(cases[i].epsilon0, cases[i].rate, cases[i].releases,
                       j == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &epsilon,
                       &deltas[j]);
        }
        const sc_ball *const larger = &deltas[cases[i].is_add];
        CHECK(sc_ball_lower(larger) > 1.2 * sc_ball_upper(&deltas[!cases[i].is_add]));
        bags_sample(bags_add(&bag, cases[i].epsilon0, "0", cases[i].releases),
                    cases[i].rate);
        check_roads(&bag, cases[i].epsilon, larger);
        for (int j = 0; j < 2; j++)
            sc_ball_clear(&deltas[j]);
        sc_ratio_clear(&epsilon);
        bags_close(&bag);
    }
}

/* epsilon: both ends around the truth, no further apart than a thousandth. */
TEST(loss_roads_have_the_epsilons_of_the_vectors)
{
    CLAIM("loss-roads.upper");
    CLAIM("loss-roads.lower");
    json_t *rows = vectors_load("local-and-accounting", "pld_gaussian_kfold_eps"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 4);
    json_array_foreach(rows, index, row)
    {
        char line[128];
        const double truth = strtod(vectors_text(row, "eps"), NULL);
        sc_bag bag;
        sc_enclosure e;
        snprintf(line, sizeof line, "continuous-gaussian sigma=%s x%" PRIu64,
                 vectors_text(row, "sigma"), vectors_number(row, "k"));
        open_parsed(line, &bag);
        sc_enclosure_init(&e);
        CHECK(
            bags_epsilon(&sc_accountant_fast_loss, &bag, vectors_text(row, "delta"), &e));
        CHECK(e.has_lower && sc_ball_lower(&e.lower) <= truth * (1 + 1e-15));
        CHECK(sc_ball_upper(&e.upper) >= truth * (1 - 1e-15));
        CHECK(sc_ball_upper(&e.upper) - sc_ball_lower(&e.lower) <= 1e-3);
        bags_end(&bag, &e);
    }
}

/* Where all losses lie on a lattice the integers have the optimum, to 1e-9. */
TEST(loss_road_of_a_lattice_is_the_optimum)
{
    CLAIM("loss-roads.upper");
    CLAIM("loss-roads.lower");
    sc_bag bag;
    sc_enclosure a, b;
    bags_open(&bag);
    sc_enclosure_init(&a);
    sc_enclosure_init(&b);
    bags_add(&bag, "1/10", "1e-9", 60);
    CHECK(bags_epsilon(&sc_accountant_loss, &bag, "1e-6", &a));
    CHECK(bags_epsilon(&sc_accountant_optimal, &bag, "1e-6", &b));
    CHECK_NEAR(sc_ball_upper(&a.upper), sc_ball_upper(&b.upper), 1e-9);
    CHECK_NEAR(sc_ball_lower(&a.lower), sc_ball_lower(&b.lower), 1e-9);
    CHECK(sc_ball_upper(&a.upper) >= sc_ball_upper(&b.upper) * (1 - 1e-15));
    CHECK(sc_ball_lower(&a.lower) <= sc_ball_lower(&b.lower) * (1 + 1e-15));
    sc_enclosure_clear(&b);
    sc_enclosure_clear(&a);
    bags_close(&bag);
}

/* A part without a loss: its Renyi side at half of delta is added; from below it is left out. */
TEST(loss_roads_add_what_has_no_loss)
{
    CLAIM("loss-roads.upper");
    for (size_t i = 0; i < COUNT(roads); i++) {
        sc_bag both, one, other;
        sc_enclosure e, a, b;
        bags_open(&both);
        bags_open(&one);
        bags_open(&other);
        sc_enclosure_init(&e);
        sc_enclosure_init(&a);
        sc_enclosure_init(&b);
        bags_add(&both, "1/2", "0", 3);
        bags_add_rho(&both, "1/100", 2);
        bags_add(&one, "1/2", "0", 3);
        bags_add_rho(&other, "1/100", 2);
        CHECK(bags_epsilon(roads[i], &both, "1e-6", &e));
        CHECK(bags_epsilon(roads[i], &one, "5e-7", &a));
        CHECK(bags_epsilon(&sc_accountant_renyi, &other, "5e-7", &b));
        CHECK_NEAR(sc_ball_upper(&e.upper),
                   sc_ball_upper(&a.upper) + sc_ball_upper(&b.upper), 1e-12);
        CHECK(bags_epsilon(roads[i], &one, "1e-6", &a));
        CHECK(e.has_lower);
        CHECK_NEAR(sc_ball_lower(&e.lower), sc_ball_lower(&a.lower), 1e-9);
        CHECK(!bags_epsilon(roads[i], &both, "0", &e));
        sc_enclosure_clear(&b);
        sc_enclosure_clear(&a);
        sc_enclosure_clear(&e);
        bags_close(&other);
        bags_close(&one);
        bags_close(&both);
    }
}

/* A law that dominates a part is no bound from below unless the part attains it: randomised response of
 * 1/10 has 4.77 at 100 releases where the exponential mechanism has at most 2.42. */
SLOW_TEST(loss_roads_are_below_only_what_is_attained)
{
    CLAIM("loss-items.lower");
    static const struct {
        const char *text;
        bool is_attained;
    } list[] = {{"exponential epsilon=1/10 x100", false},
                {"laplace scale=2; exponential epsilon=1/10 x100", false},
                {"laplace scale=2 x3; poisson rate=1/2 gaussian sigma=4 x5", true}};
    sc_ratio delta;
    exact_ratio("1e-6", &delta);
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_bag bag;
        sc_enclosure renyi, fast;
        const char *remark = NULL;
        sc_bag_init(&bag);
        sc_enclosure_init(&renyi);
        sc_enclosure_init(&fast);
        REQUIRE_OK(sc_bag_parse(list[i].text, &bag, NULL));
        CHECK_INT(sc_loss_items_are_attained(&bag), list[i].is_attained);
        REQUIRE_OK(sc_accountant_renyi.epsilon(&bag, &delta, &renyi, &remark, NULL));
        REQUIRE_OK(sc_accountant_fast_loss.epsilon(&bag, &delta, &fast, &remark, NULL));
        CHECK(sc_ball_lower(&fast.lower) <= sc_ball_upper(&renyi.upper));
        CHECK(fast.has_upper);
        CHECK(!list[i].is_attained ||
              sc_ball_upper(&fast.upper) - sc_ball_lower(&fast.lower) < 1e-3);
        sc_enclosure_clear(&fast);
        sc_enclosure_clear(&renyi);
        sc_bag_clear(&bag);
    }
    sc_ratio_clear(&delta);
}

/* Which items stand for which parts. */
TEST(loss_items_are_those_of_the_side)
{
    CLAIM("loss-items.upper");
    CLAIM("loss-items.lower");
    sc_bag bag;
    sc_loss_items items;
    sc_ratio rate;
    exact_ratio("1/7", &rate);
    bags_open(&bag);
    bags_add(&bag, "1/2", "0", 3);
    bags_add_rho(&bag, "1/100", 2);
    bags_sample(bags_add_gaussian(&bag, "4", 5), "1/7");
    sc_part *bare = bags_add(&bag, "1", "1e-6", 1);
    bare->has_pair = bare->has_lower = false;
    CHECK(sc_loss_items_is_sampled(&bag));
    sc_loss_items_init(&items);
    REQUIRE_OK(sc_loss_items_read(&items, &bag, SC_LOSS_UPPER, SC_DIRECTION_ADD, NULL));
    CHECK_INT(items.count, 3);
    CHECK(!items.is_whole && items.has_curve);
    CHECK(items.list[0].pair != NULL && !items.list[0].pair->is_sampled);
    CHECK_INT(items.list[0].count, 3);
    CHECK(items.list[1].pair->is_sampled &&
          items.list[1].pair->direction == SC_DIRECTION_ADD);
    CHECK_INT(sc_ratio_compare(&items.list[1].pair->rate, &rate), 0);
    CHECK(items.list[2].pair == NULL && items.list[2].curve == &bare->cost.curve);
    sc_loss_items_clear(&items);
    sc_loss_items_init(&items);
    REQUIRE_OK(
        sc_loss_items_read(&items, &bag, SC_LOSS_LOWER, SC_DIRECTION_REMOVE, NULL));
    CHECK_INT(items.count, 2);
    CHECK(!items.is_whole && !items.has_curve);
    /* The epsilon that is attained is a little less than the one that is claimed. */
    CHECK(sc_ratio_compare(&items.list[0].pair->shape, &bag.parts[0].pair.shape) < 0);
    sc_loss_items_clear(&items);
    bags_close(&bag);
    sc_ratio_clear(&rate);
}

/* eps + ln(1/delta) / (order - 1), at orders from 1.01 on: never below Canonne, Kamath, Steinke. */
static double by_theorem_8_8(const sc_bag *bag, double delta)
{
    sc_renyi_sum *sum = NULL;
    double best = HUGE_VAL;
    if (!CHECK_STATUS(sc_renyi_sum_new(bag, false, &sum, NULL), SCRIM_OK) ||
        !CHECK(sum != NULL))
        return best;
    for (int i = -26; i <= 40; i++) {
        sc_ratio order;
        sc_ball value;
        char text[32];
        snprintf(text, sizeof text, "%.6g", 1 + pow(2, i / 4.0));
        exact_ratio(text, &order);
        sc_ball_init(&value);
        sc_curve_renyi_upper(sc_renyi_sum_curve(sum), &order, 128, &value);
        const double e = sc_ball_upper(&value) - log(delta) / (strtod(text, NULL) - 1);
        best = fmin(best, e);
        sc_ball_clear(&value);
        sc_ratio_clear(&order);
    }
    sc_renyi_sum_free(sum);
    return best;
}

/* Bags of Gaussian, Laplace and randomised response: the loss is below the better conversion of the
 * Renyi curve, and that below the survey's. */
SLOW_TEST(loss_roads_are_below_renyi_and_that_below_the_survey)
{
    CLAIM("loss-roads.upper");
    static const char *const parts[] = {
        "gaussian sigma=", "laplace scale=", "laplace epsilon=1/",
        "continuous-gaussian sigma=", "continuous-laplace scale="};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t cases = check_count(6, 300);
    for (uint64_t i = 0; i < cases; i++) {
        char line[256] = "";
        size_t length = 0;
        uint64_t word = 0;
        sc_bag bag;
        sc_enclosure fast, renyi;
        sc_enclosure_init(&fast);
        sc_enclosure_init(&renyi);
        for (int j = 0; j < 3; j++) {
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s%d x%d",
                                       j == 0 ? "" : "; ", parts[word % COUNT(parts)],
                                       (int)(2 + (word >> 8) % 12),
                                       (int)(1 + (word >> 16) % 40));
        }
        open_parsed(line, &bag);
        /* A few of these bags need more steps than the fast implementation allows; the other one takes them. */
        CHECK(bags_epsilon(&sc_accountant_fast_loss, &bag, "1e-6", &fast) ||
              bags_epsilon(&sc_accountant_loss, &bag, "1e-6", &fast));
        CHECK(bags_epsilon(&sc_accountant_renyi, &bag, "1e-6", &renyi));
        if (sc_ball_upper(&fast.upper) > sc_ball_upper(&renyi.upper) + 2e-3)
            CHECK_FAIL("%s: %.6g by losses, %.6g by orders", line,
                       sc_ball_upper(&fast.upper), sc_ball_upper(&renyi.upper));
        CHECK(sc_ball_upper(&renyi.upper) <= by_theorem_8_8(&bag, 1e-6));
        bags_close(&bag);
        sc_enclosure_clear(&renyi);
        sc_enclosure_clear(&fast);
    }
    sc_tape_free(tape);
}

/* Many different noises are refused rather than waited for; many of a lattice are not. */
TEST(loss_roads_refuse_too_many_different_parts)
{
    CLAIM("loss-work.ends");
    sc_bag many;
    sc_enclosure e;
    bags_open(&many);
    sc_enclosure_init(&e);
    for (int i = 0; i < 25; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d/100", i + 1);
        bags_add(&many, number, "0", 1);
    }
    for (size_t i = 0; i < COUNT(roads); i++)
        CHECK(bags_epsilon(roads[i], &many, "1e-6", &e));
    for (int i = 0; i < (check_is_long() ? 2000 : 0); i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i + 100);
        bags_add_gaussian(&many, number, 1);
    }
    for (size_t i = 0; check_is_long() && i < COUNT(roads); i++)
        CHECK(!bags_epsilon(roads[i], &many, "1e-6", &e) && !e.has_lower);
    sc_enclosure_clear(&e);
    bags_close(&many);
}

/* Samples of discrete noise have single losses that no grid meets, and the work is enough for them. */
SLOW_TEST(loss_roads_are_narrow_for_many_samples)
{
    CLAIM("fast-enclose.narrow");
    sc_bag bag;
    sc_enclosure e;
    open_parsed(check_is_long() ? "poisson rate=0.001 gaussian sigma=1 x100000"
                                : "poisson rate=0.001 gaussian sigma=1 x1000",
                &bag);
    sc_enclosure_init(&e);
    CHECK(bags_epsilon(&sc_accountant_fast_loss, &bag, "1e-6", &e));
    CHECK(e.has_lower && sc_ball_upper(&e.upper) - sc_ball_lower(&e.lower) <= 1e-3);
    sc_enclosure_clear(&e);
    bags_close(&bag);
}
