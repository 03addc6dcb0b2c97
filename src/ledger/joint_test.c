#include "check.h"
#include "exact.h"
#include "ledger/joint.h"

#include <stdlib.h>

#define PARTS 6

/* Costs of several pure parts, or of some that promise a delta besides. */
typedef struct declared {
    sc_exact_cost costs[PARTS];
    sc_joint_part parts[PARTS];
    size_t count;
} declared;

static void declared_clear(declared *d)
{
    for (size_t i = 0; i < d->count; i++)
        sc_cost_clear(&d->costs[i]);
}

static void declared_add(declared *d, const char *epsilon, const char *delta,
                         uint64_t count)
{
    sc_ratio e, x;
    sc_exact_cost *cost = &d->costs[d->count];
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &x);
    sc_cost_init(cost);
    cost->neighbours = SCRIM_ADD_REMOVE;
    if (sc_ratio_sign(&x) == 0)
        sc_cost_set_pure(cost, &e);
    else
        sc_cost_set_approximate(cost, &e, &x);
    d->parts[d->count] = (sc_joint_part){cost, count};
    d->count++;
    sc_ratio_clear(&x);
    sc_ratio_clear(&e);
}

static bool joint_of(const declared *d, const char *delta, sc_ratio *out)
{
    bool is_found = false;
    sc_ratio x;
    exact_ratio(delta, &x);
    CHECK_STATUS(sc_joint_epsilon(d->parts, d->count, &x, &is_found, out, NULL),
                 SCRIM_OK);
    sc_ratio_clear(&x);
    return is_found;
}

static void check_joint(const declared *d, const char *delta, const char *least,
                        const char *most)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio epsilon, low, high;
    sc_ratio_init(&epsilon);
    exact_ratio(least, &low);
    exact_ratio(most, &high);
    CHECK(joint_of(d, delta, &epsilon));
    sc_ratio_format(&epsilon, text, sizeof text);
    if (sc_ratio_compare(&epsilon, &low) < 0 || sc_ratio_compare(&epsilon, &high) > 0)
        CHECK_FAIL("%s at delta %s is not from %s to %s", text, delta, least, most);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    sc_ratio_clear(&epsilon);
}

/* All outcomes of randomised responses, each part once for each of its draws, one by one: at 256
 * bits, delta at epsilon. */
typedef struct outcomes {
    const declared *d;
    sc_ratio epsilon; /* at which delta is wanted */
    sc_ball delta;
} outcomes;

/* From draw `left` of part on: loss so far, and the probability under P. infinite says that a part
 * has told everything. */
static void enumerate(outcomes *o, size_t part, uint64_t left, const sc_ratio *loss,
                      const sc_ball *mass, bool infinite)
{
    if (part == o->d->count) {
        sc_ratio gap;
        sc_ball term;
        sc_ratio_init(&gap);
        sc_ball_init(&term);
        sc_ratio_sub(&gap, &o->epsilon, loss);
        if (infinite) {
            sc_ball_add(&o->delta, &o->delta, mass, 256);
        } else if (sc_ratio_sign(&gap) < 0) {
            sc_ball_set_ratio(&term, &gap, 256);
            sc_ball_expm1(&term, &term, 256);
            sc_ball_neg(&term, &term);
            sc_ball_mul(&term, &term, mass, 256);
            sc_ball_add(&o->delta, &o->delta, &term, 256);
        }
        sc_ball_clear(&term);
        sc_ratio_clear(&gap);
        return;
    }
    const sc_exact_cost *cost = o->d->parts[part].cost;
    const size_t next = left == 1 ? part + 1 : part;
    const uint64_t rest = left > 1              ? left - 1
                          : next == o->d->count ? 0
                                                : o->d->parts[next].count;
    sc_ratio moved;
    sc_ball own, odds;
    sc_ratio_init(&moved);
    sc_ball_init(&own);
    sc_ball_init(&odds);
    for (int outcome = 0; outcome < 3; outcome++) {
        if (outcome == 2 && sc_ratio_sign(&cost->delta) == 0)
            break;
        /* (1 - delta) exp(e)/(1 + exp(e)), the same of -e, and delta. */
        sc_ball_set_ratio(&odds, &cost->epsilon, 256);
        if (outcome == 0)
            sc_ball_neg(&odds, &odds);
        sc_ball_exp(&odds, &odds, 256);
        sc_ball_add_int64(&odds, &odds, 1, 256);
        sc_ball_set_ratio(&own, &cost->delta, 256);
        if (outcome < 2) {
            sc_ball_neg(&own, &own);
            sc_ball_add_int64(&own, &own, 1, 256);
            sc_ball_div(&own, &own, &odds, 256);
        }
        sc_ball_mul(&own, &own, mass, 256);
        if (outcome == 0)
            sc_ratio_add(&moved, loss, &cost->epsilon);
        else
            sc_ratio_sub(&moved, loss, &cost->epsilon);
        enumerate(o, next, rest, &moved, &own, infinite || outcome == 2);
    }
    sc_ball_clear(&odds);
    sc_ball_clear(&own);
    sc_ratio_clear(&moved);
}

/* Is delta at epsilon truly at most this one? */
static bool keeps(const declared *d, const sc_ratio *epsilon, const char *delta)
{
    outcomes o = {.d = d};
    sc_ratio nothing, x;
    sc_ball one, most;
    sc_ratio_init(&o.epsilon);
    sc_ball_init(&o.delta);
    sc_ratio_init(&nothing);
    exact_ratio(delta, &x);
    sc_ball_init(&one);
    sc_ball_init(&most);
    sc_ratio_set(&o.epsilon, epsilon);
    sc_ball_set_int64(&one, 1);
    enumerate(&o, 0, d->parts[0].count, &nothing, &one, false);
    sc_ball_set_ratio(&most, &x, 256);
    const bool does = sc_ball_is_less_equal(&o.delta, &most);
    sc_ball_clear(&most);
    sc_ball_clear(&one);
    sc_ratio_clear(&x);
    sc_ratio_clear(&nothing);
    sc_ball_clear(&o.delta);
    sc_ratio_clear(&o.epsilon);
    return does;
}

static uint64_t dice;

static unsigned roll(unsigned sides)
{
    uint64_t z = dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ (z >> 31)) % sides);
}

static void draw_parts(declared *d)
{
    static const char *const epsilons[] = {"1/10", "1/7",  "0.25", "1/3",
                                           "1/2",  "0.01", "1",    "2.5"};
    static const char *const deltas[] = {"0", "0", "0", "1e-6", "1/1000"};
    *d = (declared){.count = 0};
    const size_t count = 1 + roll(3);
    const bool is_equal = roll(4) == 0;
    const char *first = epsilons[roll(COUNT(epsilons))];
    while (d->count < count)
        declared_add(d, is_equal ? first : epsilons[roll(COUNT(epsilons))],
                     is_equal ? "0" : deltas[roll(COUNT(deltas))], 1 + roll(3));
}

/* Random bags of worst cases, which are all there is to an (epsilon, delta): every outcome is
 * enumerated, and no epsilon that was found has a delta above the one that was given. */
TEST(joint_epsilon_is_never_below_the_truth)
{
    CLAIM("joint.sound");
    CLAIM("joint.least");
    static const char *const deltas[] = {"1e-9", "1e-5", "1/100", "0.2"};
    uint64_t found = 0, less = 0;
    sc_ratio epsilon, sum, term;
    sc_ratio_init(&epsilon);
    sc_ratio_init(&sum);
    sc_ratio_init(&term);
    dice = check_seed();
    for (uint64_t n = check_count(40, 4000); n > 0; n--) {
        declared d;
        draw_parts(&d);
        const char *delta = deltas[roll(COUNT(deltas))];
        bool has_sum = true;
        sc_ratio_set_int64(&sum, 0);
        for (size_t i = 0; i < d.count; i++) {
            has_sum &= sc_ratio_sign(&d.costs[i].delta) == 0;
            sc_ratio_set_int64(&term, (int64_t)d.parts[i].count);
            sc_ratio_mul(&term, &term, &d.costs[i].epsilon);
            sc_ratio_add(&sum, &sum, &term);
        }
        const bool is_found = joint_of(&d, delta, &epsilon);
        CHECK(is_found || !has_sum);
        if (is_found) {
            found++;
            CHECK(keeps(&d, &epsilon, delta));
            less += sc_ratio_compare(&epsilon, &sum) < 0;
            /* The sum, but for six digits. */
            sc_ratio_set_int64(&term, 100001);
            sc_ratio_mul(&sum, &sum, &term);
            sc_ratio_set_int64(&term, 100000);
            sc_ratio_div(&sum, &sum, &term);
            CHECK(!has_sum || sc_ratio_compare(&epsilon, &sum) <= 0);
        }
        declared_clear(&d);
    }
    CHECK(found > 0 && less > 0);
    sc_ratio_clear(&term);
    sc_ratio_clear(&sum);
    sc_ratio_clear(&epsilon);
}

/* Losses that lie on no common grid: above the truth, and by less than what its two sides are
 * apart. */
TEST(joint_epsilon_between_the_points_of_its_grid_is_above)
{
    CLAIM("joint.sound");
    CLAIM("joint.least");
    declared d = {.count = 0};
    sc_ratio epsilon, less, share;
    sc_ratio_init(&epsilon);
    sc_ratio_init(&less);
    exact_ratio("0.9995", &share);
    declared_add(&d, "10/17", "0", 4);
    declared_add(&d, "1000000/1234567", "0", 3);
    static const char *const deltas[] = {"1/1000", "1e-6"};
    for (size_t i = 0; i < COUNT(deltas); i++) {
        CHECK(joint_of(&d, deltas[i], &epsilon));
        CHECK(keeps(&d, &epsilon, deltas[i]));
        sc_ratio_mul(&less, &epsilon, &share);
        CHECK(!keeps(&d, &less, deltas[i]));
    }
    declared_clear(&d);
    sc_ratio_clear(&share);
    sc_ratio_clear(&less);
    sc_ratio_clear(&epsilon);
}

/* A hundred of 1/100 at 10^-6: exactly, their randomised responses need 0.39226394 (the sum
 * over binomial outcomes, at 60 digits, by another program). */
TEST(joint_epsilon_of_many_is_small)
{
    CLAIM("joint.least");
    declared d = {.count = 0};
    declared_add(&d, "0.01", "0", 100);
    check_joint(&d, "1e-6", "0.392264", "0.392264");
    check_joint(&d, "0", "1", "1");
    declared_clear(&d);
}

static void declared_add_range(declared *d, const char *epsilon, uint64_t count)
{
    sc_ratio e;
    exact_ratio(epsilon, &e);
    sc_cost_init(&d->costs[d->count]);
    d->costs[d->count].neighbours = SCRIM_ADD_REMOVE;
    sc_cost_set_bounded_range(&d->costs[d->count], &e);
    d->parts[d->count] = (sc_joint_part){&d->costs[d->count], count};
    d->count++;
    sc_ratio_clear(&e);
}

/* Forty of bounded range with 1/40 each have a rho of 1/320: 0.334933295 at 10^-6 by the formula
 * of the conversion at its best order, at 50 digits, by another program; beside a part of (1/10,
 * 5 10^-7), at what that leaves, 0.447124865 in all. */
TEST(joint_epsilon_adds_up_rhos)
{
    CLAIM("joint.least");
    declared d = {.count = 0};
    declared_add_range(&d, "1/40", 40);
    check_joint(&d, "1e-6", "0.334934", "0.334934");
    declared_add(&d, "0.1", "5e-7", 1);
    check_joint(&d, "1e-6", "0.447125", "0.447125");
    declared_clear(&d);
}

/* The sum is exact where there is nothing better, and nothing is found below the deltas. */
TEST(joint_epsilon_of_one_is_its_own)
{
    CLAIM("joint.least");
    declared d = {.count = 0};
    sc_ratio epsilon;
    sc_ratio_init(&epsilon);
    declared_add(&d, "0.5", "1e-6", 1);
    check_joint(&d, "1e-6", "0.5", "0.5");
    CHECK(!joint_of(&d, "1e-7", &epsilon));
    declared_clear(&d);
    sc_ratio_clear(&epsilon);
}

/* Shifted noise is counted by its own losses, which are less than what its pair promises. */
TEST(joint_of_shifted_noise_takes_its_loss)
{
    CLAIM("joint.sound");
    declared d = {.count = 0}, promised = {.count = 0};
    sc_ratio epsilon, delta;
    exact_ratio("1", &epsilon);
    exact_ratio("7.15e-7", &delta); /* that of q = 27, rounded up */
    sc_cost_init(&d.costs[0]);
    d.costs[0].neighbours = SCRIM_ADD_REMOVE;
    sc_cost_set_approximate(&d.costs[0], &epsilon, &delta);
    sc_curve_set_shifted(&d.costs[0].curve, &epsilon, 27, false);
    d.parts[0] = (sc_joint_part){&d.costs[0], 10};
    d.count = 1;
    declared_add(&promised, "1", "7.15e-7", 10);
    /* The composed loss itself: 9.900084724859... */
    check_joint(&d, "1e-4", "9.90008", "9.90009");
    check_joint(&promised, "1e-4", "9.99", "10");
    declared_clear(&promised);
    declared_clear(&d);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}
