#include "balls.h"
#include "composition/loss/loss_pair.h"
#include "loss_truth.h"
#include "losses.h"
#include "pair_delta.h"

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
