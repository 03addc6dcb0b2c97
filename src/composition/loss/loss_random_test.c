#include "base/hash.h"
#include "composition/loss/loss_step.h"
#include "loss_truth.h"
#include "losses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t draw(uint64_t *counter)
{
    static const sc_hash_key stream = {0x1055, 1};
    const uint64_t at[2] = {check_seed(), (*counter)++};
    return sc_hash(&stream, at, sizeof at);
}

/* From least to most, all of them equally. */
static uint64_t between(uint64_t *counter, uint64_t least, uint64_t most)
{
    return least + draw(counter) % (most - least + 1);
}

static void fraction(uint64_t *counter, int64_t least, int64_t most, int64_t over,
                     sc_ratio *out)
{
    sc_ratio d;
    sc_ratio_init(&d);
    sc_ratio_set_int64(out, least + (int64_t)(draw(counter) % (uint64_t)(most - least)));
    sc_ratio_set_int64(&d, over);
    sc_ratio_div(out, out, &d);
    sc_ratio_clear(&d);
}

enum {
    PURE,
    APPROXIMATE,
    LAPLACE,
    GAUSSIAN,
    CONTINUOUS_LAPLACE,
    CONTINUOUS_GAUSSIAN,
    KINDS
};

/* A pair, how often, on which grid, and where it is looked at. */
typedef struct sample {
    int kind;
    sc_loss_pair pair;
    uint64_t releases;
    sc_ratio step, epsilon;
} sample;

/* Kinds are drawn with the weight of their cost. */
static int draw_kind(uint64_t *counter)
{
    static const int kinds[] = {PURE,
                                PURE,
                                APPROXIMATE,
                                APPROXIMATE,
                                LAPLACE,
                                LAPLACE,
                                LAPLACE,
                                GAUSSIAN,
                                GAUSSIAN,
                                GAUSSIAN,
                                CONTINUOUS_LAPLACE,
                                CONTINUOUS_GAUSSIAN};
    return kinds[draw(counter) % COUNT(kinds)];
}

static void draw_pair(sample *s, uint64_t *counter)
{
    sc_ratio shape, delta;
    sc_ratio_init(&shape);
    sc_ratio_init(&delta);
    sc_loss_pair_init(&s->pair);
    s->kind = draw_kind(counter);
    fraction(counter, 30, 600, 100, &shape);
    switch (s->kind) {
    case PURE:
        sc_loss_pair_set_pure(&s->pair, &shape);
        break;
    case APPROXIMATE:
        fraction(counter, 0, 1000, 1000, &delta);
        sc_loss_pair_set_approximate(&s->pair, &shape, &delta);
        break;
    case LAPLACE:
        sc_loss_pair_set_laplace(&s->pair, &shape, between(counter, 1, 4));
        break;
    case GAUSSIAN:
        sc_loss_pair_set_gaussian(&s->pair, &shape, between(counter, 1, 2));
        break;
    case CONTINUOUS_LAPLACE:
        sc_loss_pair_set_continuous_laplace(&s->pair, &shape);
        break;
    default:
        sc_loss_pair_set_continuous_gaussian(&s->pair, &shape);
        break;
    }
    if (draw(counter) % 3 == 0) {
        fraction(counter, 1, 100, 100, &shape);
        sc_loss_pair_sample(&s->pair, &shape,
                            draw(counter) % 2 == 0 ? SC_DIRECTION_ADD
                                                   : SC_DIRECTION_REMOVE);
    }
    sc_ratio_clear(&delta);
    sc_ratio_clear(&shape);
}

static void draw_releases(sample *s, uint64_t *counter)
{
    if (s->kind == PURE && !s->pair.is_sampled)
        s->releases = between(counter, 1, 60);
    else if (s->kind == CONTINUOUS_GAUSSIAN && !s->pair.is_sampled)
        s->releases = between(counter, 1, 20);
    else if (s->kind == CONTINUOUS_LAPLACE || s->kind == CONTINUOUS_GAUSSIAN)
        s->releases = 1;
    else
        s->releases = between(counter, 1, s->kind == GAUSSIAN ? 1 : 3);
}

/* The grid that the step chooser takes, or one of no regard to where the losses lie. */
static void draw_step(sample *s, uint64_t *counter)
{
    const sc_loss_item item = {&s->pair, NULL, s->releases};
    const bool chosen = draw(counter) % 2 == 0;
    bool is_lattice = false;
    sc_ratio_init(&s->step);
    CHECK_STATUS(
        sc_loss_step(&item, 1, between(counter, 30, 150), &s->step, &is_lattice, NULL),
        SCRIM_OK);
    if (!chosen) {
        sc_ratio factor;
        sc_ratio_init(&factor);
        fraction(counter, 400, 1600, 997, &factor);
        sc_ratio_mul(&s->step, &s->step, &factor);
        sc_ratio_clear(&factor);
    }
}

static void draw_sample(sample *s, uint64_t *counter)
{
    draw_pair(s, counter);
    draw_releases(s, counter);
    draw_step(s, counter);
    sc_ratio_init(&s->epsilon);
    fraction(counter, -100, 900, 173, &s->epsilon);
    if (draw(counter) % 4 == 0) { /* on the grid */
        sc_ratio_set_int64(&s->epsilon, (int64_t)between(counter, 0, 20) - 5);
        sc_ratio_mul(&s->epsilon, &s->epsilon, &s->step);
    }
}

static void clear_sample(sample *s)
{
    sc_ratio_clear(&s->epsilon);
    sc_ratio_clear(&s->step);
    sc_loss_pair_clear(&s->pair);
}

static void truth_at(const sample *s, const sc_ratio *epsilon, sc_ball *out)
{
    loss_truth truth;
    if (s->kind == CONTINUOUS_LAPLACE) {
        loss_truth_laplace(&s->pair, epsilon, out);
    } else if (s->kind == CONTINUOUS_GAUSSIAN) {
        loss_truth_gaussian(&s->pair, s->releases, epsilon, out);
    } else if (s->kind == PURE && !s->pair.is_sampled && s->releases > 3) {
        loss_truth_response(&s->pair.shape, s->releases, epsilon, out);
    } else if (loss_truth_open(&truth, &s->pair)) {
        loss_truth_delta(&truth, (unsigned)s->releases, epsilon, out);
        loss_truth_close(&truth);
    }
}

static void describe(const sample *s, const char *what)
{
    char shape[80], rate[80], step[SC_RATIO_TEXT_BYTES], epsilon[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(&s->pair.shape, shape, sizeof shape);
    sc_ratio_format(&s->pair.rate, rate, sizeof rate);
    sc_ratio_format(&s->step, step, sizeof step);
    sc_ratio_format(&s->epsilon, epsilon, sizeof epsilon);
    CHECK_FAIL("%s: %s %s shift %" PRIu64 " sampled %d rate %s direction %d x%" PRIu64
               ", step %s, epsilon %s",
               what, s->pair.kind->name, shape, s->pair.shift, s->pair.is_sampled, rate,
               (int)s->pair.direction, s->releases, step, epsilon);
}

/* The bound of a side at an epsilon is on its side of the truth, to the last bit. */
static void check_delta(const sample *s, const sc_loss *loss)
{
    const bool is_upper = loss->side == SC_LOSS_UPPER;
    sc_ball epsilon, truth, bound;
    sc_ball_init(&epsilon);
    sc_ball_init(&truth);
    sc_ball_init(&bound);
    sc_ball_set_ratio(&epsilon, &s->epsilon, EXACT_BITS);
    truth_at(s, &s->epsilon, &truth);
    sc_loss_delta(loss, &epsilon, 192, &bound);
    const bool holds =
        sc_ball_is_finite(&bound) &&
        (is_upper ? !sc_ball_is_less(&bound, &truth) : !sc_ball_is_less(&truth, &bound));
    if (!CHECK(holds))
        describe(s, is_upper ? "upper below the truth" : "lower above the truth");
    sc_ball_clear(&bound);
    sc_ball_clear(&truth);
    sc_ball_clear(&epsilon);
}

/* At the epsilon of a side for a delta, the truth is on the other side of that delta. */
static void check_epsilon(const sample *s, const sc_loss *loss, const sc_ratio *delta)
{
    const bool is_upper = loss->side == SC_LOSS_UPPER;
    sc_ratio end;
    sc_ball epsilon, truth, want;
    sc_ratio_init(&end);
    sc_ball_init(&epsilon);
    sc_ball_init(&truth);
    sc_ball_init(&want);
    sc_ball_set_ratio(&want, delta, EXACT_BITS);
    if (sc_loss_epsilon(loss, delta, 192, &epsilon) &&
        CHECK(is_upper ? sc_ball_round_up(&epsilon, 256, &end)
                       : sc_ball_round_down(&epsilon, 256, &end)) &&
        CHECK(sc_ratio_sign(&end) >= 0) && (is_upper || sc_ratio_sign(&end) > 0)) {
        truth_at(s, &end, &truth);
        const bool holds =
            is_upper ? !sc_ball_is_less(&want, &truth) : !sc_ball_is_less(&truth, &want);
        if (!CHECK(holds))
            describe(s, is_upper ? "upper epsilon too small" : "lower epsilon too large");
    }
    sc_ball_clear(&want);
    sc_ball_clear(&truth);
    sc_ball_clear(&epsilon);
    sc_ratio_clear(&end);
}

static void check_side(const sample *s, sc_loss_side side, const sc_ratio *delta)
{
    scrim_error error;
    sc_loss loss;
    sc_loss_init(&loss);
    const scrim_status status = sc_loss_from_pair(
        &s->pair, side, &(sc_loss_grid){&s->step, SC_LOSS_BITS, LOSSES_TAIL}, NULL, &loss,
        &error);
    if (CHECK_STATUS(status, SCRIM_OK) &&
        CHECK_STATUS(sc_loss_power(&loss, s->releases, LOSSES_TAIL, &loss, &error),
                     SCRIM_OK)) {
        check_delta(s, &loss);
        check_epsilon(s, &loss, delta);
    } else {
        describe(s, error.message);
    }
    sc_loss_clear(&loss);
}

TEST(loss_bounds_hold_on_random_bags)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    CLAIM("loss-pair.sampled");
    uint64_t counter = 0;
    sc_ratio delta;
    sc_ratio_init(&delta);
    for (uint64_t i = 0; i < check_count(150, 20000); i++) {
        sample s;
        draw_sample(&s, &counter);
        fraction(&counter, 1, 1000, 1 + (int64_t)(draw(&counter) % 100000000) * 1000,
                 &delta);
        if (sc_ratio_compare_int64(&delta, 1) >= 0)
            sc_ratio_set_int64(&delta, 0);
        check_side(&s, SC_LOSS_UPPER, &delta);
        check_side(&s, SC_LOSS_LOWER, &delta);
        clear_sample(&s);
    }
    sc_ratio_clear(&delta);
}
