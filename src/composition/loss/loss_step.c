#include "composition/loss/loss_step.h"

#include "composition/loss/loss_pair.h"
#include "composition/loss/loss_places.h"

#include <math.h>

/* Points a deviation of the whole, were it one release: dots add 1/(12 POINTS^2) to its variance,
 * so that at 12 deviations delta grows by some thousandth. */
#define DEVIATION_POINTS 128
/* Deviations from end to end: tails of 2^-140 above and 2^-64 below. */
#define DEVIATIONS 24

/* The span of one release if few points are wanted, and the tail that is looked at. */
#define LEAST_SPAN 1024
#define SPAN_TAIL 140

/* Single losses off the grid cost more than others: the step may be so much smaller for them, and
 * one is looked for near which they lie, up to twice as large as it could be. */
#define ATOM_FINENESS 16
#define ATOM_TRIALS 65536

/* From here on a grid is chosen, and nothing is proved: doubles, long ones so that 1e-300 has a square. */

static long double number(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    const double value = sc_ball_upper(&ball);
    return (long double)value;
}

/* About the deviation of the loss, and the farthest it goes (0: any distance). */
typedef struct spread {
    long double deviation, reach;
} spread;

static spread of_pure(long double epsilon)
{
    const long double narrow = epsilon / coshl(epsilon / 2);
    const spread s = {narrow > epsilon / 32 ? narrow : epsilon / 32, epsilon};
    return s;
}

static spread of_laplace(long double epsilon)
{
    const spread s = {epsilon < 1.5L ? epsilon : 1.5L, epsilon};
    return s;
}

static spread before_sampling(const sc_loss_pair *pair)
{
    const long double shape = number(&pair->shape), shift = (long double)pair->shift;
    if (pair->kind->edges != NULL)
        return of_laplace(1 / shape);
    if (pair->kind->tails != NULL) {
        const spread s = {1 / sqrtl(shape), 0};
        return s;
    }
    if (pair->kind == &sc_loss_kind_gaussian) {
        const spread s = {shift / sqrtl(shape), 0};
        return s;
    }
    if (pair->kind == &sc_loss_kind_shifted)
        return of_laplace((long double)pair->copies * shape);
    return pair->shift > 0 ? of_laplace(shift / shape) : of_pure(shape);
}

/* The spread of ln(1 - r + r exp(Z)): for a small rate r times the deviation of exp(Z) under Q. */
static spread of_pair(const sc_loss_pair *pair)
{
    spread s = before_sampling(pair);
    if (pair->is_sampled) {
        const long double square = s.deviation * s.deviation;
        const long double small =
            number(&pair->rate) * sqrtl(expm1l(square < 40 ? square : 40));
        s.deviation = small < s.deviation ? small : s.deviation;
    }
    return s;
}

/* Estimates the spread of a curve from the epsilon at which a delta of a thousandth is left. */
static spread of_curve(const sc_curve *curve)
{
    spread s = {0, 0};
    SC_OWN(sc_ratio, delta, epsilon);
    sc_ratio_set_int64(&delta, 1000);
    sc_ratio_set_int64(&epsilon, 1);
    sc_ratio_div(&delta, &epsilon, &delta);
    if (sc_curve_epsilon_upper(curve, &delta, &epsilon))
        s.deviation = number(&epsilon) / 3;
    return s;
}

/* Facts about the whole: deviation, distance from end to end, number of releases. */
typedef struct whole {
    long double variance, sum, reach, count; /* sum: of all deviations */
    bool has_ends;
} whole;

static whole add_up(const sc_loss_item *items, size_t count)
{
    whole w = {0, 0, 0, 0, true};
    for (size_t i = 0; i < count; i++) {
        const long double many = (long double)items[i].count;
        const spread s =
            items[i].pair != NULL ? of_pair(items[i].pair) : of_curve(items[i].curve);
        w.variance += many * s.deviation * s.deviation;
        w.sum += many * s.deviation;
        w.reach += 2 * many * s.reach;
        w.count += many;
        if (!(s.reach > 0) && s.deviation > 0)
            w.has_ends = false;
    }
    const long double wide = DEVIATIONS * sqrtl(w.variance);
    if (!w.has_ends || wide < w.reach)
        w.reach = wide;
    return w;
}

/* The smallest step with which the sum of all releases has at most `points` points. One that is
 * larger than the deviation s of a part spreads it to about step s instead of s^2, and the whole
 * accordingly. */
static long double least_step(const whole *w, long double points)
{
    const long double narrow = w->reach / points;
    const long double wide = DEVIATIONS * DEVIATIONS * w->sum / (points * points);
    return narrow > wide ? narrow : wide;
}

/* Lattices. */

/* The largest number of which both are multiples; 0 is a multiple of any. Euclid, on rationals;
 * false when it takes so long that nothing of use can come out. */
static bool common(sc_ratio *a, const sc_ratio *b)
{
    SC_OWN(sc_ratio, x, y, part);
    SC_OWN(sc_integer, times);
    sc_ratio_set(&x, a);
    sc_ratio_set(&y, b);
    if (sc_ratio_sign(&y) < 0) /* part is 0 */
        sc_ratio_sub(&y, &part, &y);
    int turns = 0;
    for (; turns < 256 && sc_ratio_sign(&y) != 0; turns++) {
        sc_ratio_div(&part, &x, &y);
        sc_ratio_floor(&part, &times);
        sc_ratio_set_integer(&part, &times);
        sc_ratio_mul(&part, &part, &y);
        sc_ratio_sub(&part, &x, &part);
        sc_ratio_set(&x, &y);
        sc_ratio_set(&y, &part);
    }
    const bool found = sc_ratio_sign(&y) == 0;
    if (found)
        sc_ratio_set(a, &x);
    return found;
}

/* The largest step on which the atoms of all items with rational atoms lie; false without such a
 * step or such an item. *is_lattice: every item has rational atoms alone. */
static bool common_step(const sc_loss_item *items, size_t count, sc_ratio *out,
                        bool *is_lattice)
{
    bool fits = true;
    SC_OWN(sc_ratio, first, second);
    *is_lattice = true;
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < count && fits; i++) {
        const sc_loss_pair *pair = items[i].pair;
        const bool lattice = pair != NULL && sc_loss_pair_lattice(pair, &first, &second);
        *is_lattice = *is_lattice && lattice;
        if (!lattice && (pair == NULL || pair->is_sampled || pair->kind->edges == NULL))
            continue;
        if (!lattice)
            pair->kind->edges(pair, &first, &second);
        fits = common(out, &first) && common(out, &second);
    }
    return fits && sc_ratio_sign(out) > 0;
}

/* The power of two not above x > 0. */
static void power_of_two(long double x, sc_ratio *out)
{
    int exponent = 0;
    SC_OWN(sc_integer, one);
    SC_OWN(sc_ratio, two);
    (void)frexpl(x, &exponent);
    exponent = exponent < -4000 ? -4000 : exponent > 4000 ? 4000 : exponent;
    sc_integer_set_int128(&one, 1);
    sc_integer_shift_left(&one, &one, (unsigned)(exponent > 0 ? exponent : -exponent));
    sc_ratio_set_integer(&two, &one);
    sc_ratio_set_int64(out, 1);
    if (exponent > 0)
        sc_ratio_mul(out, out, &two);
    else
        sc_ratio_div(out, out, &two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(out, out, &two);
}

/* step / n, the largest that is not above fine. */
static void divide(const sc_ratio *step, long double fine, sc_ratio *out)
{
    /* A quotient that rounding has lifted over a whole number is taken for it. */
    const long double parts = ceill(number(step) / fine * (1 - 0x1p-40L));
    sc_ratio_set_int64(out, parts < 0x1p62L ? (int64_t)parts : (int64_t)1 << 62);
    sc_ratio_div(out, step, out);
}

/* Is there a pair whose single losses lie at no rational points? */
static bool has_loose(const sc_loss_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].pair != NULL && items[i].pair->is_sampled &&
            items[i].pair->kind->lattice != NULL)
            return true;
    return false;
}

/* x > 0 as a rational of 40 bits or fewer. */
static void near_ratio(double x, sc_ratio *out)
{
    int exponent = 0;
    SC_OWN(sc_ratio, power);
    const int64_t digits = (int64_t)(frexp(x, &exponent) * 0x1p40);
    power_of_two(ldexpl(1, exponent - 40), &power);
    sc_ratio_set_int64(out, digits);
    sc_ratio_mul(out, out, &power);
}

/* Among steps from fine to twice that, the one near whose points the single losses of all items
 * lie. False: items have no single losses, or no work is left to look for them. */
static bool tune(const sc_loss_item *items, size_t count, double fine, sc_loss_work *work,
                 sc_ratio *out)
{
    sc_loss_atoms atoms = {.count = 0};
    bool is_left = true;
    for (size_t i = 0; i < count && is_left; i++)
        if (items[i].pair != NULL)
            is_left =
                sc_loss_atoms_add(items[i].pair, (double)items[i].count, work, &atoms);
    if (!is_left || atoms.count == 0)
        return false;
    /* Enough for the farthest to pass each point in steps of a 512th. */
    double best = HUGE_VAL, chosen = fine,
           trials = 512 * sc_loss_atoms_reach(&atoms) / fine;
    trials = trials < ATOM_TRIALS ? trials : ATOM_TRIALS;
    for (int i = 0; i <= (int)trials; i++) {
        const double step = fine * (1 + i / (trials + 1));
        const double distance = sc_loss_atoms_distance(&atoms, step);
        if (distance < best) {
            best = distance;
            chosen = step;
        }
    }
    near_ratio(chosen, out);
    return true;
}

/* Takes a larger step if one release alone would span more than `points` points: sampled noise
 * reaches far with little of its mass. */
static void fit_span(const sc_loss_pair *pair, uint64_t points, sc_loss_work *work,
                     sc_ratio *step)
{
    SC_OWN(sc_ratio, factor);
    for (int turns = 0; turns < 64 && work->left > 0; turns++) {
        uint64_t span = 0;
        const bool found = sc_loss_places_span(pair, step, SPAN_TAIL, work, &span);
        if (found && span <= points)
            break;
        sc_ratio_set_int64(&factor,
                           found ? (int64_t)(span / points) + 1 : (int64_t)1 << 50);
        sc_ratio_mul(step, step, &factor);
    }
}

/* The search, as far as the work goes. */
static void search_step(const sc_loss_item *items, size_t count, size_t points,
                        sc_loss_work *work, sc_ratio *out, bool *is_lattice)
{
    bool only_atoms = false;
    SC_OWN(sc_ratio, atoms);
    const whole w = add_up(items, count);
    const bool has_atoms = common_step(items, count, &atoms, &only_atoms);
    const long double least = least_step(&w, (long double)points);
    long double fine = sqrtl(w.variance / (w.count > 0 ? w.count : 1)) / DEVIATION_POINTS;
    fine = fine > least ? fine : least;
    *is_lattice = has_atoms && only_atoms && number(&atoms) >= least;
    if (*is_lattice)
        sc_ratio_set(out, &atoms);
    else if (!(fine > 0)) /* nothing has a loss */
        sc_ratio_set_int64(out, 1);
    else if (has_atoms && number(&atoms) >= fine && !has_loose(items, count))
        divide(&atoms, fine, out);
    else if (!tune(items, count,
                   (double)(fine / ATOM_FINENESS > least ? fine / ATOM_FINENESS : least),
                   work, out))
        power_of_two(fine, out);
    for (size_t i = 0; i < count && !*is_lattice; i++)
        if (items[i].pair != NULL)
            fit_span(items[i].pair, points > LEAST_SPAN ? points : LEAST_SPAN, work, out);
}

scrim_status sc_loss_step(const sc_loss_item *items, size_t count, size_t points,
                          sc_ratio *out, bool *is_lattice, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    sc_loss_work work = {SC_LOSS_STEP_WORK};
    search_step(items, count, points, &work, out, is_lattice);
    /* A refused request has left nothing, and no request that fits has taken all of it. */
    return work.left > 0 ? SCRIM_OK : sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
}

void sc_loss_precision(const sc_ratio *delta, uint64_t count, long *bits, long *tail)
{
    const long many = (long)sc_bit_length64(count);
    long small = 100; /* 2^-100 < SC_LOSS_DELTA */
    if (sc_ratio_sign(delta) > 0)
        small = 1 - sc_ratio_exponent(delta);
    small = small < 60 ? 60 : small;
    *tail = small + many + 36;
    *bits = *tail + many + 32;
    *bits = *bits < SC_LOSS_BITS ? SC_LOSS_BITS : (*bits + 63) / 64 * 64;
}

scrim_status sc_loss_from_item(const sc_loss_item *item, sc_loss_side side,
                               const sc_loss_grid *grid, sc_loss_work *work, sc_loss *out,
                               scrim_error *error)
{
    return item->pair == NULL
               ? sc_loss_from_curve(item->curve, grid, work, out, error)
               : sc_loss_from_pair(item->pair, side, grid, work, out, error);
}
