#include "composition/accountant/loss_accountants.h"

#include "base/memory.h"
#include "base/number/ratio.h"
#include "composition/accountant/renyi.h"
#include "composition/fast/fast_enclose.h"
#include "composition/loss/bag_parts.h"
#include "mechanism/noise/gaussian_calibration.h"

#define BITS 256L

bool sc_gaussian_merge_is(const sc_loss_items *items)
{
    return items->count == 1 && items->list[0].pair != NULL &&
           items->list[0].count == 1 && !items->list[0].pair->is_sampled &&
           items->list[0].pair->kind == &sc_loss_kind_continuous_gaussian;
}

/* mu, with the bits that sc_analytic_gaussian_delta may ask for. */
static void set_mu(const sc_loss_items *items, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, square);
    sc_ratio_set_int64(&square, 1);
    sc_ratio_div(&square, &square, &items->list[0].pair->shape);
    sc_ball_set_ratio(out, &square, bits);
    sc_ball_sqrt(out, out, bits);
}

static void delta_at(const sc_loss_items *items, const sc_ratio *epsilon, sc_ball *out)
{
    SC_OWN(sc_ball, mu);
    set_mu(items, 16 * (BITS + 64), &mu);
    sc_analytic_gaussian_delta(epsilon, &mu, BITS, out);
}

/* Is delta at this epsilon at most the wanted one, certainly; and is it possibly? */
typedef struct question {
    const sc_loss_items *items;
    sc_ball delta;
    bool is_certain;
} question;

static bool meets(const void *context, const sc_ratio *epsilon)
{
    const question *q = context;
    SC_OWN(sc_ball, found);
    delta_at(q->items, epsilon, &found);
    return q->is_certain ? sc_ball_is_less_equal(&found, &q->delta)
                         : !sc_ball_is_less(&q->delta, &found);
}

/* 20 + STEPS bits behind the point of a power of 2 below 2^20: less than 1e-12, and less than 2^-60 of
 * epsilon. */
#define NEAR (-200)
#define FAR 20
#define STEPS 62

/* The end below which it does not hold, and the one from which it holds. */
static bool turn(const question *q, sc_ratio *low, sc_ratio *high)
{
    const bool found = sc_ratio_bracket(meets, q, NEAR, FAR, low, high);
    if (found)
        sc_ratio_bisect(meets, q, STEPS, low, high);
    return found;
}

bool sc_gaussian_merge_epsilon(const sc_loss_items *items, const sc_ratio *delta,
                               sc_enclosure *out)
{
    bool found = true;
    question q = {.items = items, .is_certain = true};
    SC_OWN(sc_ratio, low, high, zero);
    sc_ball_init(&q.delta);
    sc_ball_set_ratio(&q.delta, delta, BITS);
    if (!meets(&q, &zero)) {
        found = turn(&q, &zero, &high);
        q.is_certain = false;
        found = found && turn(&q, &low, &zero);
    }
    if (found) {
        out->has_lower = out->has_upper = true;
        sc_ball_set_ratio(&out->lower, &low, BITS);
        sc_ball_set_ratio(&out->upper, &high, BITS);
    }
    sc_ball_clear(&q.delta);
    return found;
}

/* Both ends of delta at an epsilon >= 0. */
static void gaussian_merge_delta(const sc_loss_items *items, const sc_ratio *epsilon,
                                 sc_enclosure *out)
{
    delta_at(items, epsilon, &out->upper);
    sc_ball_set(&out->lower, &out->upper);
    out->has_lower = out->has_upper = true;
}

static const char no_delta[] = "a loss is read at a delta above 0";
static const char no_epsilon[] = "more than that delta is at infinity";
static const char no_proof[] = "its own error is more than that delta";
static const char no_rest[] =
    "a part without a loss has no finite Renyi divergence either";
static const char too_costly[] = "needs more steps than this accountant allows";
static const char too_large[] = "too many different parts or releases for integers";
static const char too_large_fast[] = "too many different parts or releases for one grid";

/* An implementation: bounds epsilon at a delta, or delta at an epsilon, from one side, and from
 * the other side too if that comes with it. out has no bound where none is found. */
typedef struct road {
    const char *too_large;
    scrim_status (*epsilon)(const sc_loss_items *items, sc_loss_side side,
                            const sc_ratio *delta, sc_loss_work *work, sc_enclosure *out,
                            scrim_error *error);
    scrim_status (*delta)(const sc_loss_items *items, sc_loss_side side,
                          const sc_ratio *epsilon, sc_loss_work *work, sc_enclosure *out,
                          scrim_error *error);
} road;

/* The end of a side, and that it is there. */
static sc_ball *end_of(sc_loss_side side, sc_enclosure *out)
{
    return side == SC_LOSS_UPPER ? &out->upper : &out->lower;
}

static void set_found(sc_loss_side side, bool found, sc_enclosure *out)
{
    *(side == SC_LOSS_UPPER ? &out->has_upper : &out->has_lower) = found;
}

static uint64_t releases_of(const sc_loss_items *items)
{
    uint64_t count = 0;
    for (size_t i = 0; i < items->count; i++)
        count += items->list[i].count;
    return count;
}

/* The number of points for the sum of all releases: about POINTS_EACH for one release, and at
 * most `most` for the sum. The gap between both sides is of the order of releases times step^2. */
#define POINTS_EACH 4096

static size_t points_for(const sc_loss_items *items, size_t most)
{
    const uint64_t releases = releases_of(items);
    size_t points = POINTS_EACH;
    for (uint64_t square = 1; points < most && square < releases; square *= 4)
        points *= 2;
    return points;
}

/* In integers. */

#define INTEGER_POINTS ((size_t)1 << 14)

/* A product of INTEGER_BITS takes a tenth of a second; longer ones are not computed. */
#define INTEGER_BITS ((size_t)1 << 23)

#define BITS_STEP 160 /* of both factors, for one step */

static scrim_status compose_short(const sc_loss *a, const sc_loss *b, long tail,
                                  sc_loss_work *work, sc_loss *out, scrim_error *error)
{
    if (!sc_loss_work_spend_each(work, a->count + b->count,
                                 (uint64_t)a->bits / BITS_STEP + 1))
        return sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    if ((a->count + b->count) * (size_t)a->bits > 2 * INTEGER_BITS)
        return sc_fail(error, SCRIM_E_LIMIT, "the product of two losses is too long");
    return sc_loss_compose(a, b, tail, out, error);
}

/* Adds the loss of `times` releases by repeated squaring, which overwrites `square`. */
static scrim_status add_power(sc_loss *square, uint64_t times, long tail,
                              sc_loss_work *work, sc_loss *all, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (;; times /= 2) {
        if (times % 2 == 1)
            status = compose_short(all, square, tail, work, all, error);
        if (status != SCRIM_OK || times <= 1)
            return status;
        status = compose_short(square, square, tail, work, square, error);
        if (status != SCRIM_OK)
            return status;
    }
}

static scrim_status add_item(const sc_loss_item *item, long tail, sc_loss_work *work,
                             sc_loss *all, scrim_error *error)
{
    SC_OWN(sc_loss, one);
    scrim_status status = sc_loss_from_item(
        item, all->side, &(sc_loss_grid){&all->step, all->bits, tail}, work, &one, error);
    if (status == SCRIM_OK)
        status = add_power(&one, item->count, tail, work, all, error);
    return status;
}

static scrim_status compose(const sc_loss_items *items, sc_loss_side side,
                            const sc_ratio *delta, sc_loss_work *work, sc_loss *out,
                            scrim_error *error)
{
    bool is_lattice;
    long bits, tail;
    SC_OWN(sc_ratio, step);
    SC_TRY(sc_loss_step(items->list, items->count, points_for(items, INTEGER_POINTS),
                        &step, &is_lattice, error));
    sc_loss_precision(delta, releases_of(items), &bits, &tail);
    scrim_status status = sc_loss_set_nothing(side, &step, bits, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < items->count; i++)
        status = add_item(&items->list[i], tail, work, out, error);
    return status;
}

static scrim_status integer_epsilon(const sc_loss_items *items, sc_loss_side side,
                                    const sc_ratio *delta, sc_loss_work *work,
                                    sc_enclosure *out, scrim_error *error)
{
    SC_OWN(sc_loss, loss);
    SC_TRY(compose(items, side, delta, work, &loss, error));
    set_found(side, sc_loss_epsilon(&loss, delta, BITS, end_of(side, out)), out);
    return SCRIM_OK;
}

static scrim_status integer_delta(const sc_loss_items *items, sc_loss_side side,
                                  const sc_ratio *epsilon, sc_loss_work *work,
                                  sc_enclosure *out, scrim_error *error)
{
    SC_OWN(sc_loss, loss);
    SC_OWN(sc_ratio, unknown);
    SC_OWN(sc_ball, at);
    scrim_status status = compose(items, side, &unknown, work, &loss, error);
    sc_ball_set_ratio(&at, epsilon, BITS);
    set_found(side, status == SCRIM_OK, out);
    if (status == SCRIM_OK)
        sc_loss_delta(&loss, &at, BITS, end_of(side, out));
    return status;
}

static const road integers = {too_large, integer_epsilon, integer_delta};

/* By the transform. */

#define FAST_POINTS ((size_t)1 << 17)
#define TOLERANCE 1000 /* both bounds are within 1/1000 */

/* All items on one grid, as the fast implementation takes them. */
typedef struct grid {
    sc_loss *losses;
    sc_fast_part *parts;
    size_t count;
} grid;

static void grid_clear(grid *g)
{
    for (size_t i = 0; i < g->count; i++)
        sc_loss_clear(&g->losses[i]);
    sc_free(g->parts);
    sc_free(g->losses);
}

static scrim_status grid_of(const sc_loss_items *items, sc_loss_side side,
                            const sc_ratio *delta, sc_loss_work *work, grid *out,
                            scrim_error *error)
{
    bool is_lattice;
    long bits, tail;
    scrim_status status = SCRIM_OK;
    *out = (grid){.losses = sc_allocate(items->count, sizeof *out->losses),
                  .parts = sc_allocate(items->count, sizeof *out->parts)};
    if (out->losses == NULL || out->parts == NULL)
        return sc_no_memory(error, "the losses of the parts");
    SC_OWN(sc_ratio, step);
    status = sc_loss_step(items->list, items->count, points_for(items, FAST_POINTS),
                          &step, &is_lattice, error);
    sc_loss_precision(delta, releases_of(items), &bits, &tail);
    while (status == SCRIM_OK && out->count < items->count) {
        const size_t i = out->count++;
        sc_loss_init(&out->losses[i]);
        out->parts[i] = (sc_fast_part){&out->losses[i], items->list[i].count};
        status =
            sc_loss_from_item(&items->list[i], side, &(sc_loss_grid){&step, bits, tail},
                              work, &out->losses[i], error);
    }
    return status;
}

/* Ever finer grids, with the same items from both sides to tell when it is enough. */
static scrim_status enclose(const sc_loss_items *items, const sc_ratio *delta,
                            sc_loss_work *work, sc_enclosure *out, scrim_error *error)
{
    const sc_fast_bag both = {items->list, items->count, items->list, items->count};
    sc_fast_ends ends;
    sc_fast_ends_init(&ends);
    SC_OWN(sc_ratio, tolerance, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&tolerance, TOLERANCE);
    sc_ratio_div(&tolerance, &one, &tolerance);
    scrim_status status =
        sc_fast_enclose_epsilon(&both, delta, &tolerance, work, &ends, error);
    out->has_lower = status == SCRIM_OK;
    out->has_upper = status == SCRIM_OK && ends.has_upper;
    sc_ball_set(&out->lower, &ends.lower);
    sc_ball_set(&out->upper, &ends.upper);
    sc_fast_ends_clear(&ends);
    return status;
}

static scrim_status fast_epsilon(const sc_loss_items *items, sc_loss_side side,
                                 const sc_ratio *delta, sc_loss_work *work,
                                 sc_enclosure *out, scrim_error *error)
{
    if (!items->has_curve)
        return enclose(items, delta, work, out, error);
    grid g;
    bool found = false;
    scrim_status status = grid_of(items, side, delta, work, &g, error);
    if (status == SCRIM_OK)
        status = sc_fast_loss_epsilon(g.parts, g.count, delta, work, end_of(side, out),
                                      &found, error);
    set_found(side, found, out);
    grid_clear(&g);
    return status;
}

static scrim_status fast_delta(const sc_loss_items *items, sc_loss_side side,
                               const sc_ratio *epsilon, sc_loss_work *work,
                               sc_enclosure *out, scrim_error *error)
{
    grid g;
    SC_OWN(sc_ratio, unknown);
    scrim_status status = grid_of(items, side, &unknown, work, &g, error);
    if (status == SCRIM_OK)
        status =
            sc_fast_loss_delta(g.parts, g.count, epsilon, work, end_of(side, out), error);
    set_found(side, status == SCRIM_OK, out);
    grid_clear(&g);
    return status;
}

static const road transform = {too_large_fast, fast_epsilon, fast_delta};

/* Both. */

typedef struct query {
    const road *by;
    bool for_epsilon;
    sc_loss_work *work; /* for one direction, from one side */
    bool *is_beyond;    /* set where a direction has more than delta at infinity */
} query;

/* Is there certainly more than delta at infinity? Then no epsilon has it, on any grid. */
static bool is_beyond(const sc_loss_items *items, const sc_ratio *delta)
{
    SC_OWN(sc_ball, kept, one);
    for (size_t i = 0; i < items->count; i++) {
        if (items->list[i].pair == NULL)
            continue;
        sc_loss_pair_infinite(items->list[i].pair, BITS, &one);
        sc_ball_neg(&one, &one);
        sc_ball_log1p(&one, &one, BITS);
        sc_ball_mul_int64(&one, &one, (int64_t)items->list[i].count, BITS);
        sc_ball_add(&kept, &kept, &one, BITS);
    }
    sc_ball_expm1(&kept, &kept, BITS);
    sc_ball_neg(&kept, &kept);
    sc_ball_set_ratio(&one, delta, BITS);
    return sc_ball_is_less(&one, &kept);
}

/* A delta is from 0 to 1, and what is not known is all of it. */
static void cut_delta(sc_loss_side side, sc_ball *delta)
{
    if (!sc_ball_is_finite(delta))
        sc_ball_set_int64(delta, side == SC_LOSS_UPPER ? 1 : 0);
    sc_ball_cut_unit(delta);
}

/* Joins one direction and the next: upper bounds are both needed, so the larger one counts; any lower bound holds. */
static void join_direction(sc_enclosure *one, sc_enclosure *out)
{
    out->has_upper = out->has_upper && one->has_upper;
    sc_ball_set_upper(&one->upper, &one->upper, BITS);
    if (one->has_upper && sc_ball_is_less(&out->upper, &one->upper))
        sc_ball_set(&out->upper, &one->upper);
    if (one->has_lower && sc_ball_is_less(&out->lower, &one->lower))
        sc_ball_set(&out->lower, &one->lower);
    out->has_lower = out->has_lower || one->has_lower;
}

/* One Gaussian release, which needs no grid: both sides at once. False where there is more, or its
 * epsilon is too large to be read so. */
static bool read_merged(query q, const sc_loss_items *items, const sc_ratio *at,
                        sc_enclosure *out)
{
    if (!sc_gaussian_merge_is(items))
        return false;
    if (q.for_epsilon)
        return sc_gaussian_merge_epsilon(items, at, out);
    gaussian_merge_delta(items, at, out);
    return true;
}

/* One direction, from one side. Without items there is no loss: from above that is known. */
static scrim_status one_direction(query q, const sc_loss_items *items, sc_loss_side side,
                                  const sc_ratio *at, sc_enclosure *out,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (items->count == 0)
        out->has_upper = side == SC_LOSS_UPPER;
    else if (read_merged(q, items, at, out))
        return SCRIM_OK;
    else if (!q.for_epsilon)
        status = q.by->delta(items, side, at, q.work, out, error);
    else if (!is_beyond(items, at))
        status = q.by->epsilon(items, side, at, q.work, out, error);
    else
        *q.is_beyond = true;
    /* of a curve that is all that can be in the way */
    if (items->has_curve && q.for_epsilon && !out->has_upper)
        *q.is_beyond = true;
    if (status == SCRIM_OK && !q.for_epsilon)
        cut_delta(side, end_of(side, out));
    return status;
}

/* The larger of both directions, from one side: what out says of the other is about the same items. */
static scrim_status one_side(query q, const sc_bag *bag, sc_loss_side side,
                             const sc_ratio *at, sc_enclosure *out, scrim_error *error)
{
    const int directions = sc_loss_items_is_sampled(bag) ? 2 : 1;
    scrim_status status = SCRIM_OK;
    out->has_upper = side == SC_LOSS_UPPER;
    out->has_lower = false;
    sc_ball_set_int64(&out->upper, 0);
    sc_ball_set_int64(&out->lower, 0);
    for (int i = 0; status == SCRIM_OK && i < directions; i++) {
        sc_loss_items items;
        q.work->left = SC_LOSS_WORK / (uint64_t)directions;
        if (!sc_loss_work_spend(q.work, 1)) {
            status = sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
            break;
        }
        sc_loss_items_init(&items);
        SC_OWN(sc_enclosure, one);
        status = sc_loss_items_read(
            &items, bag, side, i == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD, error);
        if (status == SCRIM_OK)
            status = one_direction(q, &items, side, at, &one, error);
        join_direction(&one, out);
        sc_loss_items_clear(&items);
    }
    out->has_upper = out->has_upper && status == SCRIM_OK;
    out->has_lower = out->has_lower && status == SCRIM_OK;
    return status;
}

/* The parts of which no loss is known, as a bag that borrows them. SCRIM_E_MEMORY. */
static scrim_status rest_of(const sc_bag *bag, sc_bag *out, scrim_error *error)
{
    *out = (sc_bag){.neighbours = bag->neighbours,
                    .parts = sc_allocate(bag->count, sizeof *out->parts)};
    if (out->parts == NULL)
        return sc_no_memory(error, "the parts without a loss");
    for (size_t i = 0; i < bag->count; i++)
        if (!sc_loss_items_takes(&bag->parts[i]))
            out->parts[out->count++] = bag->parts[i];
    return SCRIM_OK;
}

/* Adds what the rest has, at the same half. */
static scrim_status add_rest(query q, const sc_bag *rest, const sc_ratio *half,
                             sc_enclosure *out, const char **remark, scrim_error *error)
{
    const char *why = NULL;
    SC_OWN(sc_enclosure, other);
    scrim_status status =
        (q.for_epsilon ? sc_accountant_renyi.epsilon
                       : sc_accountant_renyi.delta)(rest, half, &other, &why, error);
    out->has_upper = out->has_upper && status == SCRIM_OK && other.has_upper;
    sc_ball_add(&out->upper, &out->upper, &other.upper, BITS);
    if (!other.has_upper)
        *remark = no_rest;
    return status;
}

static scrim_status upper_side(query q, const sc_bag *bag, const sc_ratio *at,
                               sc_enclosure *out, const char **remark, scrim_error *error)
{
    sc_bag rest;
    sc_ratio half, two;
    sc_ratio_init(&half);
    sc_ratio_init(&two);
    sc_ratio_set(&half, at);
    scrim_status status = rest_of(bag, &rest, error);
    if (status != SCRIM_OK)
        goto done;
    sc_ratio_set_int64(&two, 2);
    if (rest.count > 0)
        sc_ratio_div(&half, at, &two);
    status = one_side(q, bag, SC_LOSS_UPPER, &half, out, error);
    /* From below that is about the bag only where its items are the same, at all of delta. */
    out->has_lower = out->has_lower && rest.count == 0 && sc_loss_items_are_attained(bag);
    if (status == SCRIM_OK && !out->has_upper)
        *remark = *q.is_beyond ? no_epsilon : no_proof;
    else if (status == SCRIM_OK && rest.count > 0)
        status = add_rest(q, &rest, &half, out, remark, error);
done:
    sc_free(rest.parts);
    sc_ratio_clear(&two);
    sc_ratio_clear(&half);
    return status;
}

static scrim_status bound(query q, const sc_bag *bag, const sc_ratio *at,
                          sc_enclosure *out, const char **remark, scrim_error *error)
{
    if (q.for_epsilon && sc_ratio_sign(at) == 0) {
        *remark = no_delta;
        return SCRIM_OK;
    }
    SC_OWN(sc_enclosure, below);
    scrim_status status = upper_side(q, bag, at, out, remark, error);
    const bool is_over = status == SCRIM_E_LIMIT;
    /* NOLINTNEXTLINE(clang-analyzer-core.*): the upper side has set what is left */
    bool is_costly = is_over && q.work->left == 0;
    if (!out->has_lower && (status == SCRIM_OK || is_over)) {
        status = one_side(q, bag, SC_LOSS_LOWER, at, &below, error);
        out->has_lower = below.has_lower;
        sc_ball_set(&out->lower, &below.lower);
    }
    is_costly |= status == SCRIM_E_LIMIT && q.work->left == 0;
    if (is_over || status == SCRIM_E_LIMIT)
        *remark = is_costly ? too_costly : q.by->too_large;
    return status == SCRIM_E_LIMIT ? SCRIM_OK : status;
}

static scrim_status loss_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                 sc_enclosure *out, const char **remark,
                                 scrim_error *error)
{
    sc_loss_work work;
    bool beyond = false;
    return bound((query){&integers, true, &work, &beyond}, bag, delta, out, remark,
                 error);
}

static scrim_status loss_delta(const sc_bag *bag, const sc_ratio *epsilon,
                               sc_enclosure *out, const char **remark, scrim_error *error)
{
    sc_loss_work work;
    bool beyond = false;
    return bound((query){&integers, false, &work, &beyond}, bag, epsilon, out, remark,
                 error);
}

static scrim_status fast_loss_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                      sc_enclosure *out, const char **remark,
                                      scrim_error *error)
{
    sc_loss_work work;
    bool beyond = false;
    return bound((query){&transform, true, &work, &beyond}, bag, delta, out, remark,
                 error);
}

static scrim_status fast_loss_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                    sc_enclosure *out, const char **remark,
                                    scrim_error *error)
{
    sc_loss_work work;
    bool beyond = false;
    return bound((query){&transform, false, &work, &beyond}, bag, epsilon, out, remark,
                 error);
}

const sc_accountant sc_accountant_loss = {
    .name = "loss",
    .summary = "privacy losses, composed in integers",
    .reference = "Koskela, Jalko, Honkela 2020; Doroshenko et al. 2022",
    .is_slow = true,
    .epsilon = loss_epsilon,
    .delta = loss_delta,
};

const sc_accountant sc_accountant_fast_loss = {
    .name = "fast-loss",
    .summary = "privacy losses, by a transform whose error is proved",
    .reference = "Koskela, Jalko, Honkela 2020; docs/accounting.md",
    .is_slow = true,
    .epsilon = fast_loss_epsilon,
    .delta = fast_loss_delta,
};
