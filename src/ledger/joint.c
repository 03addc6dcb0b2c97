#include "ledger/joint.h"

#include "base/checked.h"
#include "composition/loss/bag.h"
#include "composition/loss/loss.h"

#define BITS 256

/* Decimals. */

#define DIGITS 6

/* Rounds x > 0 up to DIGITS significant digits. */
static void round_up_decimal(sc_ratio *x)
{
    SC_OWN(sc_integer, scale, whole, least, ten);
    SC_OWN(sc_ratio, factor);
    sc_integer_set_uint128(&scale, 1);
    sc_integer_set_uint128(&ten, 10);
    sc_integer_set_uint128(&least, 1);
    for (int i = 1; i < DIGITS; i++)
        sc_integer_mul(&least, &least, &ten);
    for (;;) {
        sc_ratio_set_integer(&factor, &scale);
        sc_ratio_mul(&factor, &factor, x);
        sc_ratio_ceil(&factor, &whole);
        if (sc_integer_compare(&whole, &least) >= 0)
            break;
        sc_integer_mul(&scale, &scale, &ten);
    }
    sc_ratio_set_fraction(x, &whole, &scale);
}

/* The bounds. */

/* The smallest so far. */
typedef struct bound {
    bool is_found;
    sc_ratio *epsilon;
} bound;

static void take(bound *b, const sc_ratio *epsilon)
{
    if (!b->is_found || sc_ratio_compare(epsilon, b->epsilon) < 0)
        sc_ratio_set(b->epsilon, epsilon);
    b->is_found = true;
}

static void add_times(sc_ratio *sum, const sc_ratio *x, uint64_t count)
{
    SC_OWN(sc_ratio, times);
    sc_ratio_set_int128(&times, (sc_int128)count);
    sc_ratio_mul(&times, &times, x);
    sc_ratio_add(sum, sum, &times);
}

static void take_sum(const sc_joint_part *parts, size_t count, const sc_ratio *delta,
                     bound *best)
{
    SC_OWN(sc_ratio, epsilons, deltas);
    for (size_t i = 0; i < count; i++) {
        add_times(&epsilons, &parts[i].cost->epsilon, parts[i].count);
        add_times(&deltas, &parts[i].cost->delta, parts[i].count);
    }
    if (sc_ratio_compare(&deltas, delta) <= 0)
        take(best, &epsilons);
}

static bool are_equal_and_pure(const sc_joint_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sc_ratio_sign(&parts[i].cost->delta) != 0 ||
            sc_ratio_compare(&parts[i].cost->epsilon, &parts[0].cost->epsilon) != 0)
            return false;
    return true;
}

/* Each is a term of the sum. */
#define OPTIMAL_DRAWS 1024

static void take_optimal(const sc_joint_part *parts, size_t count, const sc_ratio *delta,
                         bound *best)
{
    uint64_t draws = 0;
    if (!are_equal_and_pure(parts, count) || sc_ratio_sign(delta) == 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (!sc_uint64_add(draws, parts[i].count, &draws) || draws > OPTIMAL_DRAWS)
            return;
    SC_OWN(sc_curve, all);
    SC_OWN(sc_ratio, epsilon);
    sc_curve_set_composed(&all, &parts[0].cost->epsilon, draws);
    if (sc_curve_epsilon_upper(&all, delta, &epsilon))
        take(best, &epsilon);
}

/* Is its rho all there is, whatever delta its epsilon holds at? */
static bool is_concentrated(const sc_exact_cost *cost)
{
    if (!cost->has_rho || sc_ratio_sign(&cost->delta) == 0)
        return cost->has_rho;
    SC_OWN(sc_ratio, two);
    SC_OWN(sc_ball, divergence);
    sc_ratio_set_int64(&two, 2);
    sc_curve_renyi_upper(&cost->curve, &two, BITS, &divergence);
    return sc_ball_is_finite(&divergence);
}

/* Rhos add up and are converted once, at the delta that the other parts leave; those add theirs. */
static void take_rho(const sc_joint_part *parts, size_t count, const sc_ratio *delta,
                     bound *best)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, rho, others, used, rest, epsilon);
    for (size_t i = 0; i < count; i++) {
        const sc_exact_cost *cost = parts[i].cost;
        if (is_concentrated(cost)) {
            add_times(&rho, &cost->rho, parts[i].count);
        } else {
            add_times(&others, &cost->epsilon, parts[i].count);
            add_times(&used, &cost->delta, parts[i].count);
        }
    }
    sc_cost_round_up(&rho, &rho);
    sc_ratio_sub(&rest, delta, &used);
    sc_cost_round_down(&rest, &rest);
    sc_curve_set_concentrated(&curve, &rho);
    if (sc_ratio_sign(&rho) > 0 && sc_ratio_sign(&rest) > 0 &&
        sc_curve_epsilon_upper(&curve, &rest, &epsilon)) {
        sc_ratio_add(&epsilon, &epsilon, &others);
        take(best, &epsilon);
    }
}

/* The joint loss. */

/* Points of the grid between no loss and what is not reached; fewer where there are many parts, since each
 * is multiplied into the others. */
#define POINTS 4096
#define POINTS_OF_MANY 1024
#define MANY 64
#define REACH 16
/* Steps in the smallest epsilon, where there is room for them. */
#define STEPS 16
/* The tail of a part below 2^-TAIL goes to infinity. */
#define TAIL 140
/* Copies in one part whose curve is summed up copy by copy. */
#define COPIES 64
/* Steps (loss_pair.h) for all of it: a batch that takes more is charged by the other bounds. The
 * limit refuses only batches that would take ten seconds or more. */
#define WORK (10 * SC_LOSS_WORK)
/* For one point of a factor of a product of SC_LOSS_BITS. */
#define PRODUCT_STEPS 2

static void divide_by(sc_ratio *x, int64_t by)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int64(&divisor, by);
    sc_ratio_div(x, x, &divisor);
}

/* a = the greatest common measure of a and b, by Euclid; false when it is below least. */
static bool measure(sc_ratio *a, const sc_ratio *b, const sc_ratio *least)
{
    SC_OWN(sc_ratio, x, rest, times);
    SC_OWN(sc_integer, whole);
    sc_ratio_set(&x, b);
    while (sc_ratio_sign(&x) != 0 && sc_ratio_compare(&x, least) >= 0) {
        sc_ratio_div(&times, a, &x);
        sc_ratio_floor(&times, &whole);
        sc_ratio_set_integer(&times, &whole);
        sc_ratio_mul(&times, &times, &x);
        sc_ratio_sub(&rest, a, &times);
        sc_ratio_set(a, &x);
        sc_ratio_set(&x, &rest);
    }
    return sc_ratio_sign(&x) == 0;
}

/* A step of which all epsilons are multiples: a grid on which nothing is lost. */
static bool find_common(const sc_bag *bag, const sc_ratio *least, sc_ratio *step)
{
    SC_OWN(sc_ratio, smallest, half);
    sc_ratio_set(step, &bag->parts[0].cost.epsilon);
    sc_ratio_set(&smallest, step);
    bool is_found = sc_ratio_compare(step, least) >= 0;
    for (size_t i = 1; i < bag->count && is_found; i++) {
        const sc_ratio *epsilon = &bag->parts[i].cost.epsilon;
        is_found = measure(step, epsilon, least);
        if (sc_ratio_compare(epsilon, &smallest) < 0)
            sc_ratio_set(&smallest, epsilon);
    }
    divide_by(&smallest, STEPS);
    while (is_found && sc_ratio_compare(step, &smallest) > 0) {
        sc_ratio_set(&half, step);
        divide_by(&half, 2);
        if (sc_ratio_compare(&half, least) < 0)
            break;
        sc_ratio_set(step, &half);
    }
    return is_found;
}

static void set_power_of_two(long exponent, sc_ratio *out)
{
    SC_OWN(sc_integer, one);
    sc_integer_set_uint128(&one, 1);
    if (exponent >= 0)
        sc_integer_shift_left(&one, &one, (unsigned)exponent);
    sc_ratio_set_dyadic(out, &one, exponent < 0 ? (unsigned)-exponent : 0);
}

/* A power of 2 that is at least the root of x, and at most 4 of them. */
static void set_root(const sc_ratio *x, sc_ratio *out)
{
    long exponent = sc_ratio_exponent(x) + 1;
    exponent = exponent > 0 ? (exponent + 1) / 2 : -(-exponent / 2);
    set_power_of_two(exponent, out);
}

/* A number that the sum of the losses passes with a probability below 2^-TAIL, whichever is
 * less: the sum of the epsilons, or its mean and REACH deviations, each at most the root of the
 * sum of the squares (Hoeffding). The deltas are apart. 0: no epsilon is above 0. */
static void find_reach(const sc_bag *bag, sc_ratio *out)
{
    SC_OWN(sc_ratio, squares, square, root);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < bag->count; i++) {
        const sc_ratio *epsilon = &bag->parts[i].cost.epsilon;
        add_times(out, epsilon, bag->parts[i].count);
        sc_ratio_mul(&square, epsilon, epsilon);
        add_times(&squares, &square, bag->parts[i].count);
    }
    if (sc_ratio_sign(&squares) > 0) {
        set_root(&squares, &root);
        add_times(&squares, &root, REACH);
        if (sc_ratio_compare(&squares, out) < 0)
            sc_ratio_set(out, &squares);
    }
}

/* False when no epsilon is above 0. */
static bool choose_step(const sc_bag *bag, sc_ratio *step)
{
    SC_OWN(sc_ratio, least);
    bool is_positive = true;
    for (size_t i = 0; i < bag->count; i++)
        is_positive &= sc_ratio_sign(&bag->parts[i].cost.epsilon) > 0;
    find_reach(bag, &least);
    const bool has_any = sc_ratio_sign(&least) > 0;
    divide_by(&least, bag->count > MANY ? POINTS_OF_MANY : POINTS);
    if (has_any && (!is_positive || !find_common(bag, &least, step)))
        set_power_of_two(sc_ratio_exponent(&least) + 1, step);
    return has_any;
}

static bool is_copies(const sc_exact_cost *cost)
{
    const sc_curve_functions *functions = cost->curve.functions;
    return functions != NULL && functions->delta != NULL &&
           functions->pair == SC_CURVE_PAIR_NONE && cost->curve.count <= COPIES;
}

/* The upper loss of one draw. Of what has a delta no more is taken than what it promises, but for
 * shifted noise, whose loss is a few numbers. */
static scrim_status loss_of(const sc_part *part, const sc_ratio *step, sc_loss_work *work,
                            sc_loss *out, scrim_error *error)
{
    const sc_exact_cost *cost = &part->cost;
    const bool is_pure = sc_ratio_sign(&cost->delta) == 0;
    const sc_loss_grid grid = {step, SC_LOSS_BITS, TAIL};
    if (part->has_pair && (is_pure || part->pair.kind == &sc_loss_kind_shifted))
        return sc_loss_from_pair(&part->pair, SC_LOSS_UPPER, &grid, work, out, error);
    if (is_pure && is_copies(cost))
        return sc_loss_from_curve(&cost->curve, &grid, work, out, error);
    SC_OWN(sc_loss_pair, promise);
    if (is_pure)
        sc_loss_pair_set_pure(&promise, &cost->epsilon);
    else
        sc_loss_pair_set_approximate(&promise, &cost->epsilon, &cost->delta);
    return sc_loss_from_pair(&promise, SC_LOSS_UPPER, &grid, work, out, error);
}

static scrim_status compose(const sc_bag *bag, const sc_ratio *step, sc_loss *all,
                            scrim_error *error)
{
    sc_loss_work work = {WORK};
    SC_OWN(sc_loss, one);
    scrim_status status =
        sc_loss_set_nothing(SC_LOSS_UPPER, step, SC_LOSS_BITS, all, error);
    for (size_t i = 0; status == SCRIM_OK && i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        status = loss_of(part, step, &work, &one, error);
        if (status == SCRIM_OK && part->count > 1)
            status = sc_loss_power(&one, part->count, TAIL, &one, error);
        /* the powers together are about as long as the last one, twice */
        if (status == SCRIM_OK &&
            !sc_loss_work_spend_each(&work, all->count + 5 * one.count, PRODUCT_STEPS))
            status = sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
        if (status == SCRIM_OK)
            status = sc_loss_compose(all, &one, TAIL, all, error);
    }
    return status;
}

static scrim_status read_epsilon(const sc_bag *bag, const sc_ratio *delta, bound *best,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, step, epsilon);
    SC_OWN(sc_loss, all);
    SC_OWN(sc_ball, upper);
    const bool has_step = choose_step(bag, &step);
    if (has_step)
        status = compose(bag, &step, &all, error);
    if (has_step && status == SCRIM_OK && sc_loss_epsilon(&all, delta, BITS, &upper) &&
        sc_cost_round_up_ball(&upper, &epsilon))
        take(best, &epsilon);
    return status;
}

/* Parts beyond the limits of a loss have no such bound. */
static scrim_status take_loss(const sc_joint_part *parts, size_t count,
                              const sc_ratio *delta, bound *best, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_bag, bag);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_bag_add_cost(&bag, parts[i].cost, parts[i].count, error);
    if (status == SCRIM_OK)
        status = read_epsilon(&bag, delta, best, error);
    return status == SCRIM_E_MEMORY ? status : SCRIM_OK;
}

scrim_status sc_joint_epsilon(const sc_joint_part *parts, size_t count,
                              const sc_ratio *delta, bool *is_found, sc_ratio *epsilon,
                              scrim_error *error)
{
    bound best = {false, epsilon};
    scrim_status status = SCRIM_OK;
    SC_BALL_SCOPE(scope);
    take_sum(parts, count, delta, &best);
    take_optimal(parts, count, delta, &best);
    take_rho(parts, count, delta, &best);
    if (sc_ratio_sign(delta) > 0)
        status = take_loss(parts, count, delta, &best, error);
    if (best.is_found && sc_ratio_sign(epsilon) > 0)
        round_up_decimal(epsilon);
    *is_found = best.is_found;
    return status;
}
