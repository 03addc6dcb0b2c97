/* The fast implementation against the integers, on the same losses, at every epsilon there is a delta for. Those
 * of samples reach far with little mass: the lowest loss is near all others and the highest is not. */
#include "check.h"
#include "composition/fast/fast_loss.h"
#include "composition/loss/loss_step.h"

#include <math.h>

#define BITS 256L

typedef struct bag {
    void (*set)(sc_loss_pair *pair, const sc_ratio *shape);
    const char *shape, *rate;
    uint64_t count;
    size_t points;
    sc_direction direction;
} bag;

static void set_gaussian(sc_loss_pair *pair, const sc_ratio *variance)
{
    sc_loss_pair_set_gaussian(pair, variance, 1);
}

static void set_laplace(sc_loss_pair *pair, const sc_ratio *scale)
{
    sc_loss_pair_set_laplace(pair, scale, 1);
}

static void open_pair(const bag *b, sc_loss_pair *pair)
{
    sc_ratio number;
    scrim_error error;
    sc_ratio_init(&number);
    sc_loss_pair_init(pair);
    REQUIRE_OK(sc_ratio_parse(sc_text_of(b->shape), &number, &error));
    b->set(pair, &number);
    REQUIRE_OK(sc_ratio_parse(sc_text_of(b->rate), &number, &error));
    sc_loss_pair_sample(pair, &number, b->direction);
    sc_ratio_clear(&number);
}

/* So near are both roads, relative to delta where that is more than what the integers leave out. */
#define NEAR 1e-6
#define LEAST 1e-20

/* epsilon is `quarters` quarters of a step. */
static void check_at(const bag *b, const sc_fast_part *part, const sc_loss *all,
                     int64_t quarters)
{
    scrim_error error;
    sc_ratio epsilon, four;
    sc_ball wanted, got;
    sc_ratio_init(&epsilon);
    sc_ratio_init(&four);
    sc_ball_init(&wanted);
    sc_ball_init(&got);
    sc_ratio_set_int64(&four, 4);
    sc_ratio_set_int64(&epsilon, quarters);
    sc_ratio_div(&epsilon, &epsilon, &four);
    sc_ratio_mul(&epsilon, &epsilon, &all->step);
    sc_ball_set_ratio(&wanted, &epsilon, BITS);
    sc_loss_delta(all, &wanted, BITS, &wanted);
    if (CHECK_STATUS(sc_fast_loss_delta(part, 1, &epsilon, NULL, &got, &error),
                     SCRIM_OK)) {
        const double fast = sc_ball_upper(&got), whole = sc_ball_upper(&wanted);
        const double over = all->side == SC_LOSS_UPPER ? fast - whole : whole - fast;
        if (!(over >= -1e-12 * whole - LEAST) || !(over <= NEAR * whole + LEAST))
            CHECK_FAIL("%s at rate %s x%llu, %s, %lld/4: %.17g and %.17g", b->shape,
                       b->rate, (unsigned long long)b->count,
                       all->side == SC_LOSS_UPPER ? "upper" : "lower",
                       (long long)quarters, fast, whole);
    }
    sc_ball_clear(&got);
    sc_ball_clear(&wanted);
    sc_ratio_clear(&four);
    sc_ratio_clear(&epsilon);
}

/* From 0 to the highest loss that counts, as many steps apart as it takes; densely at first. */
static void sweep(const bag *b, const sc_fast_part *part, const sc_loss *all)
{
    const int64_t top = 4 * (all->low + (int64_t)all->count) + 3;
    const int64_t by = top / (int64_t)check_count(12, 400) + 1;
    for (int64_t quarters = 0; quarters < top; quarters += by)
        check_at(b, part, all, quarters);
    for (int64_t quarters = 1; quarters < top && quarters < by; quarters *= 4)
        check_at(b, part, all, quarters);
}

static void check_sweep(const bag *b, sc_loss_side side)
{
    scrim_error error;
    sc_loss_pair pair;
    sc_loss one, all;
    sc_ratio step;
    bool is_lattice;
    sc_loss_init(&one);
    sc_loss_init(&all);
    sc_ratio_init(&step);
    open_pair(b, &pair);
    const sc_loss_item item = {.pair = &pair, .count = b->count};
    REQUIRE_OK(sc_loss_step(&item, 1, b->points, &step, &is_lattice, &error));
    REQUIRE_OK(sc_loss_from_pair(&pair, side, &(sc_loss_grid){&step, 160, 100}, NULL,
                                 &one, &error));
    REQUIRE_OK(sc_loss_power(&one, b->count, 100, &all, &error));
    const sc_fast_part part = {&one, b->count};
    sweep(b, &part, &all);
    sc_ratio_clear(&step);
    sc_loss_clear(&all);
    sc_loss_clear(&one);
    sc_loss_pair_clear(&pair);
}

SLOW_TEST(fast_loss_is_near_the_integers_at_every_epsilon)
{
    CLAIM("fast-loss.upper");
    CLAIM("fast-loss.lower");
    static const bag bags[] = {
        {set_gaussian, "1", "1/100", 1000, 1 << 14, SC_DIRECTION_REMOVE},
        {set_gaussian, "1", "1/100", 1000, 1 << 12, SC_DIRECTION_ADD},
        {set_gaussian, "1/4", "1/50", 64, 1 << 10, SC_DIRECTION_REMOVE},
        {sc_loss_pair_set_continuous_gaussian, "2", "1/10", 100, 1 << 12,
         SC_DIRECTION_REMOVE},
        {sc_loss_pair_set_continuous_gaussian, "1/2", "1/1000", 1000, 1 << 12,
         SC_DIRECTION_REMOVE},
        {set_laplace, "1/2", "1/100", 500, 1 << 12, SC_DIRECTION_REMOVE},
        {set_laplace, "1", "1/5", 30, 1 << 12, SC_DIRECTION_ADD},
    };
    for (size_t i = 0; i < (check_is_long() ? COUNT(bags) : 1); i++) {
        check_sweep(&bags[i], SC_LOSS_UPPER);
        check_sweep(&bags[i], SC_LOSS_LOWER);
    }
}
