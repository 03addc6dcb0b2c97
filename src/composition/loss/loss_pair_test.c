#include "balls.h"
#include "check.h"
#include "composition/loss/loss_pair.h"
#include "composition/loss/loss_step.h"
#include "loss_truth.h"
#include "losses.h"
#include "pair_delta.h"

#include <math.h>

TEST(loss_work_is_spent_once)
{
    CLAIM("loss-work.ends");
    sc_loss_work work = {100};
    CHECK(sc_loss_work_spend(&work, 40));
    CHECK(sc_loss_work_spend_each(&work, 3, 20));
    CHECK_INT(work.left, 0);
    CHECK(sc_loss_work_spend(&work, 0));
    CHECK(!sc_loss_work_spend(&work, 1));
}

/* A request for too much leaves nothing, so that smaller questions are not asked for ever. */
TEST(loss_work_that_is_too_much_is_the_last)
{
    CLAIM("loss-work.ends");
    sc_loss_work work = {100};
    CHECK(!sc_loss_work_spend(&work, 101));
    CHECK_INT(work.left, 0);
    work.left = 100;
    CHECK(!sc_loss_work_spend_each(&work, UINT64_MAX / 2, 4));
    CHECK_INT(work.left, 0);
    CHECK(sc_loss_work_spend(NULL, UINT64_MAX));
}

TEST(loss_work_grows_with_bits)
{
    CHECK_INT(sc_loss_work_at(100, 0), 100);
    CHECK_INT(sc_loss_work_at(100, 256), 100 + 100 + 50);
    CHECK(sc_loss_work_at(100, 2048) > 3 * sc_loss_work_at(100, 1024));
}

/* The pairs that a list of outcomes can tell. */
static const struct {
    const char *kind, *shape, *rate;
    uint64_t shift;
    sc_direction direction;
} listed[] = {
    {"pure", "1/2", NULL, 1, SC_DIRECTION_REMOVE},
    {"pure", "2", "1/3", 1, SC_DIRECTION_REMOVE},
    {"pure", "2", "1/3", 1, SC_DIRECTION_ADD},
    {"pure", "0", NULL, 1, SC_DIRECTION_REMOVE},
    {"laplace", "2", NULL, 1, SC_DIRECTION_REMOVE},
    {"laplace", "3/7", NULL, 5, SC_DIRECTION_REMOVE},
    {"laplace", "5/2", "0.01", 3, SC_DIRECTION_REMOVE},
    {"laplace", "5/2", "0.3", 3, SC_DIRECTION_ADD},
    {"laplace", "5", NULL, 0, SC_DIRECTION_ADD},
    {"gaussian", "4", NULL, 1, SC_DIRECTION_REMOVE},
    {"gaussian", "9/2", NULL, 3, SC_DIRECTION_REMOVE},
    {"gaussian", "1", "0.01", 1, SC_DIRECTION_REMOVE},
    {"gaussian", "1", "0.01", 1, SC_DIRECTION_ADD},
    {"gaussian", "2", "1", 1, SC_DIRECTION_ADD},
    {"gaussian", "2", "0", 1, SC_DIRECTION_ADD},
};

static const char *const epsilons[] = {"-20", "-1/2", "-0.004", "0",   "0.005",
                                       "0.1", "1/2",  "1",      "4/3", "5"};

static void check_deltas(const sc_loss_pair *pair)
{
    loss_truth truth;
    if (!loss_truth_open(&truth, pair))
        return;
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        sc_ratio epsilon;
        sc_ball e, want, got;
        exact_ratio(epsilons[i], &epsilon);
        sc_ball_init(&e);
        sc_ball_init(&want);
        sc_ball_init(&got);
        loss_truth_delta(&truth, 1, &epsilon, &want);
        sc_ball_set_ratio(&e, &epsilon, EXACT_BITS);
        pair_delta(pair, &e, 200, &got);
        if (!CHECK(ball_overlaps(&got, &want) &&
                   sc_ball_upper(&got) - sc_ball_lower(&got) <=
                       1e-40 + 1e-15 * sc_ball_upper(&got)))
            CHECK_FAIL("at %s of %s: %.17g, not %.17g", epsilons[i], pair->kind->name,
                       sc_ball_upper(&got), sc_ball_upper(&want));
        sc_ball_clear(&got);
        sc_ball_clear(&want);
        sc_ball_clear(&e);
        sc_ratio_clear(&epsilon);
    }
    loss_truth_close(&truth);
}

TEST(loss_pair_delta_is_the_sum_over_outcomes)
{
    CLAIM("loss-pair.tails");
    CLAIM("loss-pair.sampled");
    for (size_t i = 0; i < COUNT(listed); i++) {
        sc_loss_pair pair;
        if (listed[i].rate != NULL)
            losses_sampled(listed[i].kind, listed[i].shape, listed[i].shift,
                           listed[i].rate, listed[i].direction, &pair);
        else
            losses_pair(listed[i].kind, listed[i].shape, listed[i].shift, &pair);
        check_deltas(&pair);
        sc_loss_pair_clear(&pair);
    }
}

TEST(loss_pair_of_a_claim_keeps_its_delta)
{
    CLAIM("loss-pair.tails");
    CLAIM("loss-pair.sampled");
    sc_ratio epsilon, delta, rate;
    exact_ratio("3/2", &epsilon);
    exact_ratio("1/50", &delta);
    exact_ratio("1/4", &rate);
    for (int sampled = 0; sampled < 3; sampled++) {
        sc_loss_pair pair;
        sc_ball infinite;
        sc_ball_init(&infinite);
        sc_loss_pair_init(&pair);
        sc_loss_pair_set_approximate(&pair, &epsilon, &delta);
        if (sampled > 0)
            sc_loss_pair_sample(&pair, &rate,
                                sampled == 1 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD);
        check_deltas(&pair);
        sc_loss_pair_infinite(&pair, 128, &infinite);
        const double want[] = {0.02, 0.005, 0};
        CHECK_NEAR(sc_ball_upper(&infinite), want[sampled], 1e-15);
        sc_ball_clear(&infinite);
        sc_loss_pair_clear(&pair);
    }
    sc_ratio_clear(&rate);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

/* The continuous ones against their closed forms, sampled too. */
TEST(loss_pair_of_continuous_noise_has_its_closed_form)
{
    CLAIM("loss-pair.tails");
    CLAIM("loss-pair.sampled");
    static const char *const shapes[] = {"1/3", "1", "7/2"};
    for (size_t i = 0; i < COUNT(shapes) * 6 * COUNT(epsilons); i++) {
        const char *shape = shapes[i % COUNT(shapes)];
        const size_t form = i / COUNT(shapes) % 6, sampled = form % 3;
        const char *kind = form < 3 ? "continuous-laplace" : "continuous-gaussian";
        const char *at = epsilons[i / COUNT(shapes) / 6];
        sc_loss_pair pair;
        sc_ratio epsilon;
        sc_ball e, got, want;
        sc_ball_init(&e);
        sc_ball_init(&got);
        sc_ball_init(&want);
        exact_ratio(at, &epsilon);
        if (sampled == 0)
            losses_pair(kind, shape, 1, &pair);
        else
            losses_sampled(kind, shape, 1, "0.05",
                           sampled == 1 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &pair);
        sc_ball_set_ratio(&e, &epsilon, EXACT_BITS);
        pair_delta(&pair, &e, 128, &got);
        if (form < 3)
            loss_truth_laplace(&pair, &epsilon, &want);
        else
            loss_truth_gaussian(&pair, 1, &epsilon, &want);
        CHECK(ball_overlaps(&got, &want));
        CHECK(sc_ball_upper(&got) - sc_ball_lower(&got) <= 1e-15 * sc_ball_upper(&got));
        sc_loss_pair_clear(&pair);
        sc_ball_clear(&want);
        sc_ball_clear(&got);
        sc_ball_clear(&e);
        sc_ratio_clear(&epsilon);
    }
}

/* Small numbers keep their digits, and nothing is taken for something else that is not known. */
TEST(loss_pair_delta_of_extremes)
{
    sc_loss_pair pair;
    sc_ball e, got;
    sc_ball_init(&e);
    sc_ball_init(&got);
    losses_pair("pure", "1e-300", 1, &pair);
    pair_delta(&pair, &e, 64, &got);
    CHECK_NEAR(sc_ball_upper(&got), 5e-301, 1e-12);
    CHECK_NEAR(sc_ball_lower(&got), 5e-301, 1e-12);
    sc_ball_set_infinite(&e);
    pair_delta(&pair, &e, 64, &got);
    CHECK(sc_ball_lower(&got) == 0.0 && sc_ball_upper(&got) == 1.0);
    sc_loss_pair_clear(&pair);
    losses_pair("continuous-gaussian", "1", 1, &pair);
    sc_ball_set_int64(&e, 700);
    pair_delta(&pair, &e, 64, &got);
    CHECK(sc_ball_lower(&got) >= 0.0 && sc_ball_upper(&got) < 1e-300);
    sc_ball_neg(&e, &e);
    pair_delta(&pair, &e, 64, &got);
    CHECK(sc_ball_lower(&got) > 1 - 1e-15 && sc_ball_upper(&got) <= 1.0);
    sc_loss_pair_clear(&pair);
    sc_ball_clear(&got);
    sc_ball_clear(&e);
}

/* The two losses of sampled randomised response, in both directions, and their masses. */
TEST(loss_atoms_of_sampled_response)
{
    const double rate = 0.25, up = exp(1.0) / (1 + exp(1.0)), down = 1 - up;
    for (int direction = 0; direction < 2; direction++) {
        sc_loss_atoms atoms = {.count = 0};
        sc_loss_pair pair;
        losses_sampled("pure", "1", 1, "1/4",
                       direction == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, &pair);
        CHECK(sc_loss_atoms_add(&pair, 3, NULL, &atoms));
        REQUIRE(atoms.count == 2);
        const double low = log(1 - rate + rate * exp(-1.0)),
                     high = log(1 - rate + rate * exp(1.0));
        CHECK_NEAR(atoms.at[0], direction == 0 ? low : -high, 1e-12);
        CHECK_NEAR(atoms.at[1], direction == 0 ? high : -low, 1e-12);
        CHECK_NEAR(atoms.mass[0],
                   3 * (direction == 0 ? (1 - rate) * up + rate * down : down), 1e-12);
        CHECK_NEAR(atoms.mass[1],
                   3 * (direction == 0 ? (1 - rate) * down + rate * up : up), 1e-12);
        CHECK(sc_loss_atoms_distance(&atoms, fabs(atoms.at[0])) <=
              3 * fabs(atoms.at[0]) / 2);
        sc_loss_pair_clear(&pair);
    }
}

/* The loss is nearly continuous, or has no single points, or there is no more room. */
TEST(loss_atoms_are_few_or_none)
{
    sc_loss_atoms atoms = {.count = 0};
    sc_loss_pair pair;
    losses_pair("gaussian", "10000", 1, &pair);
    CHECK(sc_loss_atoms_add(&pair, 1, NULL, &atoms));
    sc_loss_pair_clear(&pair);
    losses_pair("continuous-gaussian", "1", 1, &pair);
    CHECK(sc_loss_atoms_add(&pair, 1, NULL, &atoms));
    sc_loss_pair_clear(&pair);
    CHECK_INT(atoms.count, 0);
    losses_sampled("gaussian", "9", 1, "0.1", SC_DIRECTION_ADD, &pair);
    for (int i = 0; i < 20; i++)
        CHECK(sc_loss_atoms_add(&pair, 1, NULL, &atoms));
    CHECK(atoms.count > 0 && atoms.count <= COUNT(atoms.at));
    double total = 0;
    for (size_t i = 0; i < atoms.count; i++)
        total += atoms.mass[i];
    CHECK(fabs(total - round(total)) < 0.01);
    sc_loss_pair_clear(&pair);
}

/* Wide noise pays for two places, what is listed for all; without the work there is no list. */
TEST(loss_atoms_are_paid_for)
{
    CLAIM("loss-work.ends");
    sc_loss_pair wide, narrow;
    uint64_t spent[2] = {0, 0};
    losses_pair("gaussian", "10000", 1, &wide);
    losses_pair("gaussian", "9", 1, &narrow);
    const sc_loss_pair *pairs[] = {&wide, &narrow};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        sc_loss_atoms atoms = {.count = 0};
        sc_loss_work work = {SC_LOSS_WORK};
        CHECK(sc_loss_atoms_add(pairs[i], 1, &work, &atoms));
        spent[i] = SC_LOSS_WORK - work.left;
        CHECK(spent[i] > 0 && (atoms.count > 0) == (i == 1));
        atoms.count = 0;
        work.left = spent[i] - 1;
        CHECK(!sc_loss_atoms_add(pairs[i], 1, &work, &atoms));
        CHECK(work.left == 0 && atoms.count == 0);
    }
    CHECK(spent[1] > 20 * spent[0]);
    sc_loss_pair_clear(&narrow);
    sc_loss_pair_clear(&wide);
}

/* epsilon from above less epsilon from below, on a grid of this step. */
static double gap(const sc_loss_pair *pair, const sc_ratio *step, uint64_t k)
{
    double bounds[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        scrim_error error;
        sc_loss loss;
        sc_loss_init(&loss);
        CHECK_STATUS(sc_loss_from_pair(pair, side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER,
                                       &(sc_loss_grid){step, SC_LOSS_BITS, LOSSES_TAIL},
                                       NULL, &loss, &error),
                     SCRIM_OK);
        CHECK_STATUS(sc_loss_power(&loss, k, LOSSES_TAIL, &loss, &error), SCRIM_OK);
        bounds[side] = losses_epsilon(&loss, "1e-6");
        sc_loss_clear(&loss);
    }
    return bounds[0] - bounds[1];
}

/* The step that is chosen for losses off every grid beats one of its size by far. */
TEST(loss_atoms_make_the_gap_small)
{
    sc_loss_pair pair;
    sc_ratio step, factor;
    bool is_lattice = true;
    sc_ratio_init(&step);
    exact_ratio("0.987", &factor);
    losses_sampled("pure", "1", 1, "0.03", SC_DIRECTION_REMOVE, &pair);
    const sc_loss_item item = {&pair, NULL, 100};
    CHECK_STATUS(sc_loss_step(&item, 1, 8192, &step, &is_lattice, NULL), SCRIM_OK);
    CHECK(!is_lattice);
    const double tuned = gap(&pair, &step, 100);
    sc_ratio_mul(&step, &step, &factor);
    const double other = gap(&pair, &step, 100);
    CHECK(tuned > 0 && tuned < other / 4);
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&factor);
    sc_ratio_clear(&step);
}
