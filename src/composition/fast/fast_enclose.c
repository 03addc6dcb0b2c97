#include "composition/fast/fast_enclose.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "composition/fast/tilt.h"
#include "composition/loss/loss_pair.h"

#include <math.h>

#define BITS 128
/* Points of the composed loss on the first grid, and on a lattice, where no second is needed. */
#define FIRST_POINTS ((size_t)1 << 13)
#define LATTICE_POINTS ((size_t)1 << 22)
#define GRIDS 8

void sc_fast_ends_init(sc_fast_ends *ends)
{
    *ends = (sc_fast_ends){.has_upper = false};
    sc_ball_init(&ends->upper);
    sc_ball_init(&ends->lower);
    sc_ratio_init(&ends->step);
}

void sc_fast_ends_clear(sc_fast_ends *ends)
{
    sc_ratio_clear(&ends->step);
    sc_ball_clear(&ends->lower);
    sc_ball_clear(&ends->upper);
}

/* The items that are discretised in the same way for all grids. */
typedef struct task {
    const sc_ratio *delta;
    double tolerance;
    long bits, tail;
    sc_fft fft; /* of both sides, and of the next grid maybe */
    sc_loss_work *work;
    uint64_t spent; /* on the last grid */
} task;

/* Losses of the items of a bag on one grid: the upper ones, and then the lower ones. */
typedef struct losses {
    sc_loss *list;
    sc_fast_part *parts;
    size_t upper_count, lower_count;
} losses;

static scrim_status losses_open(losses *all, const sc_fast_bag *bag, scrim_error *error)
{
    const size_t count = bag->upper_count + bag->lower_count;
    *all = (losses){.list = sc_allocate(count, sizeof *all->list),
                    .parts = sc_allocate(count, sizeof *all->parts)};
    if (all->list == NULL || all->parts == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for %zu losses", count);
    all->upper_count = bag->upper_count;
    all->lower_count = bag->lower_count;
    for (size_t i = 0; i < count; i++) {
        const sc_loss_item *item =
            i < bag->upper_count ? &bag->upper[i] : &bag->lower[i - bag->upper_count];
        sc_loss_init(&all->list[i]);
        all->parts[i] = (sc_fast_part){&all->list[i], item->count};
    }
    return SCRIM_OK;
}

static void losses_close(losses *all)
{
    for (size_t i = 0; i < all->upper_count + all->lower_count; i++)
        sc_loss_clear(&all->list[i]);
    sc_free(all->parts);
    sc_free(all->list);
}

/* Where both sides have the same items, both of each at once. */
static scrim_status losses_fill(losses *all, const task *t, const sc_fast_bag *bag,
                                const sc_ratio *step, scrim_error *error)
{
    const size_t n = bag->upper_count;
    const bool is_same = bag->upper == bag->lower && n == bag->lower_count;
    const sc_loss_grid grid = {step, t->bits, t->tail};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < n && status == SCRIM_OK; i++)
        status = is_same
                     ? sc_loss_sides_from_pair(bag->upper[i].pair, &grid, t->work,
                                               &all->list[i], &all->list[n + i], error)
                     : sc_loss_from_item(&bag->upper[i], SC_LOSS_UPPER, &grid, t->work,
                                         &all->list[i], error);
    for (size_t i = 0; i < bag->lower_count && !is_same && status == SCRIM_OK; i++)
        status = sc_loss_from_item(&bag->lower[i], SC_LOSS_LOWER, &grid, t->work,
                                   &all->list[n + i], error);
    return status;
}

/* epsilon of the parts of one side. */
static scrim_status epsilon_of(task *t, const sc_fast_part *parts, size_t count,
                               sc_ball *out, bool *is_finite, scrim_error *error)
{
    return sc_fast_loss_epsilon_about(parts, count, t->delta, t->tolerance, &t->fft,
                                      t->work, out, is_finite, error);
}

/* Computes both sides on one grid and keeps the better ends of the old and the new enclosure. */
static scrim_status both_sides(task *t, const sc_fast_bag *bag, const sc_ratio *step,
                               sc_fast_ends *out, scrim_error *error)
{
    bool is_finite = true;
    const uint64_t left = t->work->left;
    SC_OWN(sc_ball, found);
    losses all;
    scrim_status status = losses_open(&all, bag, error);
    if (status == SCRIM_OK)
        status = losses_fill(&all, t, bag, step, error);
    if (status == SCRIM_OK)
        status = epsilon_of(t, all.parts, all.upper_count, &found, &is_finite, error);
    if (status == SCRIM_OK && is_finite) {
        if (!out->has_upper || sc_ball_is_less(&found, &out->upper))
            sc_ball_set(&out->upper, &found);
        out->has_upper = true;
    }
    if (status == SCRIM_OK && bag->lower_count > 0) {
        status = epsilon_of(t, all.parts + all.upper_count, all.lower_count, &found,
                            &is_finite, error);
        if (status == SCRIM_OK && is_finite && sc_ball_is_less(&out->lower, &found))
            sc_ball_set(&out->lower, &found);
        out->is_infinite |= status == SCRIM_OK && !is_finite;
    }
    if (status == SCRIM_OK)
        sc_ratio_set(&out->step, step);
    t->spent = left - t->work->left;
    losses_close(&all);
    return status;
}

/* How far apart both ends are. */
static double gap_of(const sc_fast_ends *ends)
{
    SC_OWN(sc_ball, gap);
    sc_ball_sub(&gap, &ends->upper, &ends->lower, BITS);
    return ends->has_upper ? sc_ball_upper(&gap) : HUGE_VAL;
}

/* Tails and units so small that all releases together change delta by less than 2^-20 of it. */
static void set_precision(task *t, uint64_t count)
{
    const long many = (long)sc_bit_length64(count);
    const long small = sc_ratio_exponent(t->delta) < 0 ? -sc_ratio_exponent(t->delta) : 0;
    t->tail = small + many + 24;
    t->bits = t->tail + 20; /* a part has fewer than 2^20 points */
}

/* The common step of all items that lie on lattices; *is_lattice is false if they have no common
 * step. */
static scrim_status lattice_of_some(const sc_fast_bag *bag, sc_ratio *out,
                                    bool *is_lattice, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_loss_item *some = sc_allocate(bag->upper_count, sizeof *some);
    size_t count = 0;
    *is_lattice = false;
    SC_OWN(sc_ratio, offset);
    for (size_t i = 0; some != NULL && i < bag->upper_count; i++)
        if (bag->upper[i].pair != NULL &&
            sc_loss_pair_lattice(bag->upper[i].pair, &offset, out))
            some[count++] = bag->upper[i];
    if (count > 0)
        status = sc_loss_step(some, count, LATTICE_POINTS, out, is_lattice, error);
    sc_free(some);
    return status;
}

/* The lattice of all losses, or a coarse step: where some have a lattice that is not much finer, a
 * whole part of that, for single losses between points cost most. */
static scrim_status first_step(const sc_fast_bag *bag, sc_ratio *step, bool *is_lattice,
                               scrim_error *error)
{
    bool some = false;
    SC_OWN(sc_ratio, lattice, parts);
    SC_OWN(sc_integer, whole);
    SC_TRY(sc_loss_step(bag->upper, bag->upper_count, LATTICE_POINTS, step, is_lattice,
                        error));
    if (*is_lattice)
        return SCRIM_OK;
    SC_TRY(sc_loss_step(bag->upper, bag->upper_count, FIRST_POINTS, step, is_lattice,
                        error));
    if (!*is_lattice)
        SC_TRY(lattice_of_some(bag, &lattice, &some, error));
    if (some && sc_ball_near(&lattice) > sc_ball_near(step) / 64) {
        sc_ratio_div(&parts, &lattice, step);
        sc_ratio_ceil(&parts, &whole);
        sc_ratio_set_integer(&parts, &whole);
        sc_ratio_div(step, &lattice, &parts);
    }
    return SCRIM_OK;
}

/* Plain Gaussian noise, of which is known what a grid will give. */
typedef struct normal {
    double count, mean; /* of releases, and of their loss together */
    double spread;      /* deviations of one release of each part, added up */
} normal;

/* False where there is anything else. */
static bool normal_of(const sc_fast_bag *bag, normal *out)
{
    *out = (normal){0, 0, 0};
    for (size_t i = 0; i < bag->upper_count; i++) {
        const sc_loss_pair *pair = bag->upper[i].pair;
        if (pair == NULL || pair->is_sampled ||
            pair->kind != &sc_loss_kind_continuous_gaussian)
            return false;
        const double variance = sc_ball_near(&pair->shape);
        out->count += (double)bag->upper[i].count;
        out->mean += (double)bag->upper[i].count / (2 * variance);
        out->spread += 1 / sqrt(variance);
    }
    return true;
}

/* About how many steps both sides take: a slice of 8 deviations of the whole, and 19 of each part, as
 * measured. */
static double normal_work(const normal *all, double step)
{
    const double points = exp2(ceil(log2(8 * sqrt(2 * all->mean) / step)));
    return points * 0.07 + 19 * all->spread / step * 32;
}

/* A step with which the first grid is the last: dots add a sixth of its square to the variance of
 * each loss and lines take half as much, and epsilon moves by (1 + theta) / 2 of it. Or the finest
 * for which there is work. False: that cannot be told, or is this one. */
static bool refine_first(const task *t, const sc_fast_bag *bag, sc_ratio *step)
{
    const double coarse = sc_ball_near(step);
    const double log_delta = 0.6931471805599453 * (double)sc_ratio_exponent(t->delta);
    normal all;
    if (!normal_of(bag, &all))
        return false;
    const double theta = sc_saddle_normal_tilt(all.mean, log_delta);
    const double gap = all.count * (1 + theta) / 8 * coarse * coarse;
    double parts = ceil(sqrt(gap / (0.93 * t->tolerance)));
    const double most = 0.8 * (double)t->work->left;
    while (parts > 1 && normal_work(&all, coarse / parts) > most)
        parts = floor(parts * 0.9);
    if (!(parts > 1 && parts < 0x1p40))
        return false;
    SC_OWN(sc_ratio, by);
    sc_ratio_set_int64(&by, (int64_t)parts);
    sc_ratio_div(step, step, &by);
    return true;
}

/* On the first grid: the one that should be the last, or the coarse one where that is too fine. */
static scrim_status begin(task *t, const sc_fast_bag *bag, const sc_ratio *coarse,
                          sc_fast_ends *out, scrim_error *error)
{
    scrim_status status = SCRIM_E_LIMIT;
    SC_OWN(sc_ratio, step);
    sc_ratio_set(&step, coarse);
    if (bag->lower_count > 0 && refine_first(t, bag, &step))
        status = both_sides(t, bag, &step, out, error);
    if (status == SCRIM_E_LIMIT)
        status = both_sides(t, bag, coarse, out, error);
    return status;
}

/* A gap of second order fits when the step is divided by this, with a tenth to spare; and the work,
 * which grows as the number of points, or a little faster. */
static int64_t finer(const task *t, int64_t parts, double gap)
{
    const double room =
        (double)parts * 0.8 * (double)t->work->left / (double)(t->spent + 1);
    const double by = ceil((double)parts * sqrt(fmin(gap / (0.9 * t->tolerance), 1e8)));
    return (int64_t)fmax(fmin(by, room), (double)parts);
}

/* Among whole numbers from this one to twice it, or to so few that it costs little, the one by which to
 * divide the step so that single losses lie next to points: there they cost least. */
#define FEW_PARTS 48

static int64_t tune(const task *t, const sc_loss_atoms *atoms, double first,
                    int64_t parts, int64_t good)
{
    const double room =
        (double)good * 0.8 * (double)t->work->left / (double)(t->spent + 1);
    const double most = fmin(fmax(2 * (double)parts, FEW_PARTS), room);
    int64_t best = parts;
    if (atoms->count == 0)
        return parts;
    for (int64_t n = parts + 1; (double)n <= most; n++)
        if (sc_loss_atoms_distance(atoms, first / (double)n) <
            0.7 * sc_loss_atoms_distance(atoms, first / (double)best))
            best = n;
    return best;
}

/* The single losses of sampled items, which lie at no rational points; of the first ones where all are too
 * much work. */
static void loose_atoms(const sc_fast_bag *bag, sc_loss_atoms *out)
{
    sc_loss_work work = {SC_LOSS_STEP_WORK};
    bool is_left = true;
    out->count = 0;
    for (size_t i = 0; i < bag->upper_count && is_left; i++) {
        const sc_loss_pair *pair = bag->upper[i].pair;
        if (pair != NULL && pair->is_sampled)
            is_left = sc_loss_atoms_add(pair, (double)bag->upper[i].count, &work, out);
    }
}

/* On finer grids until the gap is small enough, or nothing finer than the last is possible: steps are
 * the first one divided by whole numbers, so that what lies on the first grid lies on all. */
static scrim_status narrow(task *t, const sc_fast_bag *bag, sc_fast_ends *out,
                           scrim_error *error)
{
    sc_loss_atoms atoms;
    int64_t good = 1, parts = 1;
    scrim_status status = SCRIM_OK;
    scrim_error limit;
    SC_OWN(sc_ratio, first, step);
    sc_ratio_set(&first, &out->step);
    loose_atoms(bag, &atoms);
    for (int i = 0; i < GRIDS && gap_of(out) > t->tolerance; i++) {
        parts = status == SCRIM_OK ? finer(t, good, gap_of(out)) : (good + parts) / 2;
        if (parts == good)
            break;
        if (status == SCRIM_OK)
            parts = tune(t, &atoms, sc_ball_near(&first), parts, good);
        sc_ratio_set_int64(&step, parts);
        sc_ratio_div(&step, &first, &step);
        status = both_sides(t, bag, &step, out, &limit);
        out->grids++;
        if (status == SCRIM_OK)
            good = parts;
        else if (status != SCRIM_E_LIMIT || t->work->left == 0)
            break;
    }
    return status == SCRIM_OK || status == SCRIM_E_LIMIT
               ? SCRIM_OK
               : sc_fail_again(error, status, &limit, "%s", limit.message);
}

scrim_status sc_fast_enclose_epsilon(const sc_fast_bag *bag, const sc_ratio *delta,
                                     const sc_ratio *tolerance, sc_loss_work *work,
                                     sc_fast_ends *out, scrim_error *error)
{
    task t = {.delta = delta, .tolerance = sc_ball_near(tolerance), .work = work};
    uint64_t count = 0;
    bool is_lattice = false;
    for (size_t i = 0; i < bag->upper_count; i++)
        if (!sc_uint64_add(count, bag->upper[i].count, &count))
            return sc_fail(error, SCRIM_E_LIMIT, "there are too many releases to count");
    SC_BALL_SCOPE(scope);
    sc_fft_init(&t.fft);
    SC_OWN(sc_ratio, step);
    set_precision(&t, count);
    scrim_status status = first_step(bag, &step, &is_lattice, error);
    if (status == SCRIM_OK)
        status = is_lattice ? both_sides(&t, bag, &step, out, error)
                            : begin(&t, bag, &step, out, error);
    out->grids = 1;
    if (status == SCRIM_OK && bag->lower_count > 0 && !is_lattice && !out->is_infinite)
        status = narrow(&t, bag, out, error);
    sc_fft_clear(&t.fft);
    return status;
}
