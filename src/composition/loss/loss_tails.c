#include "composition/loss/loss_tails.h"

#include "base/memory.h"
#include "composition/loss/continuous_noise.h"
#include "composition/loss/loss_pair.h"
#include "sampling/law.h"

/* More points than this are not summed in advance: few of them will be asked for. */
#define TABLE_POINTS ((sc_int128)1 << 20)
/* Beyond every loss that counts, and within what a law takes. */
#define FAR ((sc_int128)1 << 118)
/* Bits after which two numbers are taken as equal, and both answers are given. */
#define DECIDING_BITS 16384

void sc_loss_tails_init(sc_loss_tails *tails, const sc_loss_pair *pair, long bits)
{
    tails->pair = pair;
    tails->bits = bits;
    tails->above = NULL;
    tails->below = NULL;
    tails->count = 0;
    tails->farthest = 0;
    tails->apart = 2;
    tails->has_powers = false;
    sc_ball_init(&tails->share);
    sc_ball_init(&tails->last);
    sc_ratio_init(&tails->half);
    sc_ratio_init(&tails->offset);
    sc_ratio_init(&tails->step);
    sc_ratio_init(&tails->low);
    sc_ratio_init(&tails->high);
    sc_ball_init(&tails->infinite);
    if (pair->kind->lattice != NULL)
        pair->kind->lattice(pair, &tails->offset, &tails->step);
    if (pair->kind->edges != NULL)
        pair->kind->edges(pair, &tails->low, &tails->high);
    if (pair->kind->infinite != NULL)
        pair->kind->infinite(pair, bits, &tails->infinite);
}

void sc_loss_tails_clear(sc_loss_tails *tails)
{
    sc_balls_free(tails->below, tails->count);
    sc_balls_free(tails->above, tails->count);
    sc_ball_clear(&tails->last);
    sc_ball_clear(&tails->share);
    sc_ratio_clear(&tails->half);
    sc_ball_clear(&tails->infinite);
    sc_ratio_clear(&tails->high);
    sc_ratio_clear(&tails->low);
    sc_ratio_clear(&tails->step);
    sc_ratio_clear(&tails->offset);
}

/* The table of a discrete Gaussian. */

/* The smallest m with P(Y >= m) <= 2^-tail or so, from P(Y >= m) <= exp(-m^2 / (2 variance)) for
 * m >= 1: m^2 >= 2 ln(2) tail variance. */
static sc_int128 far_point(const sc_ratio *variance, long tail)
{
    sc_int128 m = 0;
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, 2 * (int64_t)tail);
    sc_ratio_mul(&square, &square, variance);
    sc_ratio_ceil(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    if (!sc_integer_get_int128(&whole, &m) || m > FAR)
        m = FAR;
    return m + 2;
}

/* exp(-m^2 tau), one after the other: each is the last times a ratio that shrinks by exp(-2 tau).
 * Errors grow like the square of the number of steps, at most 2^40. */
static void fill_terms(sc_ball *terms, size_t count, const sc_ratio *variance, long bits)
{
    SC_OWN(sc_ball, ratio, shrink);
    sc_ball_set_ratio(&shrink, variance, bits);
    sc_ball_set_int64(&ratio, -1);
    sc_ball_div(&shrink, &ratio, &shrink, bits);
    sc_ball_mul_power2(&ratio, &shrink, -1);
    sc_ball_exp(&ratio, &ratio, bits);
    sc_ball_exp(&shrink, &shrink, bits);
    sc_ball_set_int64(&terms[0], 1);
    for (size_t m = 1; m < count; m++) {
        sc_ball_mul(&terms[m], &terms[m - 1], &ratio, bits);
        sc_ball_mul(&ratio, &ratio, &shrink, bits);
    }
}

/* Suffix sums, divided by the sum over all integers. Beyond the last term u is less than u/(1 - r),
 * r = exp(-1/variance) or less being the ratio of any two: next to nothing, as the table goes as
 * far as its precision. */
static void sum_terms(sc_ball *terms, size_t count, const sc_ratio *variance, long bits)
{
    SC_OWN(sc_ball, sum, all);
    sc_ball_set_ratio(&all, variance, bits);
    sc_ball_set_int64(&sum, -1);
    sc_ball_div(&all, &sum, &all, bits);
    sc_ball_expm1(&all, &all, bits);
    sc_ball_div(&all, &terms[count - 1], &all, bits);
    sc_ball_set_int64(&sum, 0);
    sc_ball_widen(&sum, &all);
    for (size_t m = count; m-- > 0;) {
        sc_ball_add(&sum, &sum, &terms[m], bits);
        sc_ball_set(&terms[m], &sum);
    }
    /* all = 2 (sum from 0) - 1 */
    sc_ball_mul_power2(&all, &sum, 1);
    sc_ball_add_int64(&all, &all, -1, bits);
    sc_ball_set_int64(&sum, 1);
    sc_ball_div(&all, &sum, &all, bits);
    for (size_t m = 0; m < count; m++)
        sc_ball_mul(&terms[m], &terms[m], &all, bits);
}

/* The powers of r = exp(-1/scale) that all points of a discrete Laplace share; none where the last is next to nothing. */
static void prepare_powers(sc_loss_tails *tails)
{
    const sc_loss_pair *pair = tails->pair;
    const long bits = tails->bits + 48;
    SC_OWN(sc_ball, one, sum);
    sc_ball_set_int64(&one, 1);
    sc_decay(&pair->shape, 1, bits, &sum);
    sc_ball_add_int64(&sum, &sum, 1, bits);
    sc_ball_div(&tails->share, &one, &sum, bits);
    sc_decay(&pair->shape, (sc_int128)pair->shift + 1, bits, &tails->last);
    tails->has_powers = sc_ball_is_positive(&tails->last) &&
                        sc_ball_is_accurate(&tails->last, tails->bits + 16);
}

void sc_loss_tails_prepare(sc_loss_tails *tails)
{
    const sc_loss_pair *pair = tails->pair;
    if (pair->kind == &sc_loss_kind_laplace)
        prepare_powers(tails);
    if (pair->kind != &sc_loss_kind_gaussian || tails->above != NULL ||
        pair->shift > (uint64_t)TABLE_POINTS)
        return;
    const sc_int128 last =
        far_point(&pair->shape, tails->bits + 64) + (sc_int128)pair->shift;
    if (last > TABLE_POINTS)
        return;
    sc_ball *terms = sc_balls_new((size_t)last);
    if (terms == NULL)
        return;
    fill_terms(terms, (size_t)last, &pair->shape, tails->bits + 48);
    sum_terms(terms, (size_t)last, &pair->shape, tails->bits + 48);
    tails->above = terms;
    tails->count = (size_t)last;
}

/* The table of a continuous Gaussian: at the half steps -farthest, -farthest + apart, ..., farthest, of
 * which x = sigma e - 1 / (2 sigma) are normal. P(Z > e) is above x, and Q(Z > e), by symmetry, what is
 * below the x of -e. */

#define NORMAL_LEAST 64
#define NORMAL_MOST ((int64_t)1 << 17)

static void normal_points(const sc_loss_tails *tails, sc_ball *first, sc_ball *step)
{
    const long bits = tails->bits + 64;
    SC_OWN(sc_ball, sigma, one);
    sc_ball_set_ratio(&sigma, &tails->pair->shape, bits);
    sc_ball_sqrt(&sigma, &sigma, bits);
    sc_ball_set_ratio(step, &tails->half, bits);
    sc_ball_mul(step, step, &sigma, bits);
    sc_ball_mul_int64(first, step, -tails->farthest, bits);
    sc_ball_mul_int64(step, step, tails->apart, bits);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&one, &one, &sigma, bits);
    sc_ball_mul_power2(&one, &one, -1);
    sc_ball_sub(first, first, &one, bits);
}

void sc_loss_tails_tabulate(sc_loss_tails *tails, const sc_ratio *step, int64_t low,
                            int64_t high, sc_loss_tails_places places)
{
    const sc_loss_pair *pair = tails->pair;
    if (pair->kind != &sc_loss_kind_continuous_gaussian || pair->is_sampled ||
        tails->above != NULL || low < -NORMAL_MOST || high > NORMAL_MOST ||
        high - low < NORMAL_LEAST)
        return;
    SC_OWN(sc_ball, first, by);
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&tails->half, step, &two);
    tails->apart = places == SC_LOSS_TAILS_BOTH ? 1 : 2;
    tails->farthest =
        2 * (-low > high ? -low : high) + (places == SC_LOSS_TAILS_MIDDLES ? 1 : 0);
    const size_t count = (size_t)(2 * tails->farthest / tails->apart) + 1;
    tails->above = sc_balls_new(count);
    tails->below = sc_balls_new(count);
    normal_points(tails, &first, &by);
    if (tails->above == NULL || tails->below == NULL ||
        !sc_normal_tails(&first, &by, count, tails->bits, tails->above, tails->below)) {
        sc_balls_free(tails->below, tails->below == NULL ? 0 : count);
        sc_balls_free(tails->above, tails->above == NULL ? 0 : count);
        tails->above = tails->below = NULL;
    } else {
        tails->count = count;
    }
}

/* False: the table does not have it. */
static bool normal_at(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                      sc_ball *q)
{
    sc_int128 k = 0;
    bool found = false;
    if (tails->below == NULL)
        return false;
    SC_OWN(sc_ratio, place);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&place, e, &tails->half);
    if (sc_ratio_is_integer(&place)) {
        sc_ratio_floor(&place, &whole);
        found = sc_integer_get_int128(&whole, &k) && k >= -tails->farthest &&
                k <= tails->farthest && (k + tails->farthest) % tails->apart == 0;
    }
    if (found) {
        const size_t i = (size_t)((k + tails->farthest) / tails->apart);
        sc_ball_set(p, &tails->above[i]);
        sc_ball_set(q, &tails->below[tails->count - 1 - i]);
    }
    return found;
}

/* As measured: error functions take longer than exponentials, and theta functions longest. */
#define CLOSED_STEPS 1
#define NORMAL_STEPS 12
#define LAW_STEPS 120
#define BEND_STEPS 2

uint64_t sc_loss_tails_price(const sc_loss_tails *tails)
{
    const sc_loss_kind *kind = tails->pair->kind;
    uint64_t steps = CLOSED_STEPS;
    if (kind == &sc_loss_kind_gaussian && tails->above == NULL)
        steps = LAW_STEPS;
    else if (kind == &sc_loss_kind_continuous_gaussian && tails->above == NULL)
        steps = NORMAL_STEPS;
    return sc_loss_work_at(steps + (tails->pair->is_sampled ? BEND_STEPS : 0),
                           tails->bits);
}

uint64_t sc_loss_tails_spent(const sc_loss_tails *tails)
{
    return tails->count * sc_loss_work_at(tails->below != NULL ? 2 : 1, tails->bits) / 2;
}

/* P(Y >= m) by the table, and by the law where the table ends. */
static void gaussian_at_least(const sc_loss_tails *tails, sc_int128 m, sc_ball *out)
{
    const sc_int128 size = m < 0 ? -m + 1 : m;
    if (size >= (sc_int128)tails->count) {
        sc_law law;
        sc_law_init(&law, &sc_discrete_gaussian_law, &tails->pair->shape, 0);
        sc_law_at_least(&law, m, tails->bits, out);
        sc_law_clear(&law);
    } else if (m >= 0) {
        sc_ball_set(out, &tails->above[m]);
    } else { /* 1 - P(Y >= 1 - m) */
        sc_ball_neg(out, &tails->above[size]);
        sc_ball_add_int64(out, out, 1, tails->bits + 48);
    }
}

/* Before sampling. */

static sc_int128 narrow(const sc_integer *whole)
{
    sc_int128 value = 0;
    if (!sc_integer_get_int128(whole, &value) || value > FAR || value < -FAR)
        value = sc_integer_sign(whole) * FAR;
    return value;
}

sc_int128 sc_loss_tails_index(const sc_loss_tails *tails, const sc_ratio *e)
{
    SC_OWN(sc_ratio, place);
    SC_OWN(sc_integer, whole);
    sc_ratio_sub(&place, e, &tails->offset);
    sc_ratio_div(&place, &place, &tails->step);
    sc_ratio_floor(&place, &whole);
    return narrow(&whole);
}

/* P(Y <= D - j - 1) = 1 - r^(D-j) / (1 + r) and P(Y >= j + 1) = r^(j+1) / (1 + r), for 0 <= j < D, the shift: one
 * exponential in place of four. */
static void laplace_above(const sc_loss_tails *tails, sc_int128 j, sc_ball *p, sc_ball *q)
{
    const long bits = tails->bits + 48;
    sc_decay(&tails->pair->shape, j + 1, bits, q);
    sc_ball_div(p, &tails->last, q, bits);
    sc_ball_mul(p, p, &tails->share, bits);
    sc_ball_neg(p, p);
    sc_ball_add_int64(p, p, 1, bits);
    sc_ball_mul(q, q, &tails->share, bits);
}

static void lattice_above(const sc_loss_tails *tails, sc_int128 j, sc_ball *p, sc_ball *q)
{
    if (tails->has_powers && j >= 0 && j < (sc_int128)tails->pair->shift) {
        laplace_above(tails, j, p, q);
        return;
    }
    if (tails->above == NULL) {
        tails->pair->kind->above(tails->pair, j, tails->bits, p, q);
        return;
    }
    gaussian_at_least(tails, j + 1, p);
    gaussian_at_least(tails, j + 1 + (sc_int128)tails->pair->shift, q);
}

static void all_or_nothing(sc_ball *p, sc_ball *q, int64_t value)
{
    sc_ball_set_int64(p, value);
    sc_ball_set_int64(q, value);
}

/* Is e a point of the lattice, the one of this index? */
static bool is_point(const sc_loss_tails *tails, const sc_ratio *e, sc_int128 index)
{
    SC_OWN(sc_ratio, point);
    sc_ratio_set_int128(&point, index);
    sc_ratio_mul(&point, &point, &tails->step);
    sc_ratio_add(&point, &point, &tails->offset);
    return sc_ratio_compare(&point, e) == 0;
}

static void base_at(const sc_loss_tails *tails, const sc_ratio *e, bool inclusive,
                    sc_ball *p, sc_ball *q)
{
    const sc_loss_kind *kind = tails->pair->kind;
    const int slack = inclusive ? 1 : 0;
    if (kind->lattice != NULL) {
        sc_int128 index = sc_loss_tails_index(tails, e);
        if (inclusive && is_point(tails, e, index))
            index--;
        lattice_above(tails, index, p, q);
    } else if (kind->edges != NULL && sc_ratio_compare(e, &tails->low) < slack) {
        all_or_nothing(p, q, 1);
    } else if (kind->edges != NULL && sc_ratio_compare(e, &tails->high) >= slack) {
        all_or_nothing(p, q, 0);
    } else if (!normal_at(tails, e, p, q)) {
        SC_OWN(sc_ball, place);
        sc_ball_set_ratio(&place, e, tails->bits);
        kind->tails(tails->pair, &place, tails->bits, p, q);
    }
}

/* With sampling. ln(1 - r + r exp(Z)) > e where Z > ln(1 + (exp(e) - 1)/r): the bend. When Q has
 * the unit, the loss is -ln(1 - r + r exp(-Z)), and the bend -ln(1 + (exp(-e) - 1)/r). */

typedef enum place_of { PLACE_BELOW, PLACE_INSIDE, PLACE_ABOVE, PLACE_UNSURE } place_of;

/* Below all losses, above all, or at *out among those before sampling. */
static place_of bend(const sc_loss_pair *pair, const sc_ratio *e, long bits, sc_ball *out)
{
    const bool adds = pair->direction == SC_DIRECTION_ADD;
    place_of place = PLACE_INSIDE;
    SC_OWN(sc_ball, rate, inside);
    sc_ball_set_ratio(&rate, &pair->rate, bits);
    sc_ball_set_ratio(out, e, bits);
    if (adds)
        sc_ball_neg(out, out);
    sc_ball_expm1(out, out, bits);
    sc_ball_div(out, out, &rate, bits);
    sc_ball_add_int64(&inside, out, 1, bits);
    if (sc_ball_is_positive(&inside)) {
        sc_ball_log1p(out, out, bits);
        if (adds)
            sc_ball_neg(out, out);
    } else {
        sc_ball_neg(&inside, &inside);
        place = !sc_ball_is_positive(&inside) ? PLACE_UNSURE
                : adds                        ? PLACE_ABOVE
                                              : PLACE_BELOW;
    }
    return place;
}

/* Is the ball certainly at or above the rational (1), certainly below it (-1), or unsure (0)? */
static int side_of(const sc_ball *x, const sc_ratio *edge, long bits)
{
    SC_OWN(sc_ball, place);
    sc_ball_set_ratio(&place, edge, bits);
    return sc_ball_is_less(x, &place) ? -1 : sc_ball_is_less_equal(&place, x) ? 1 : 0;
}

/* Tails before sampling at a ball; false when it lies across a point where they jump. */
static bool base_at_ball(const sc_loss_tails *tails, const sc_ball *e, long bits,
                         sc_ball *p, sc_ball *q)
{
    const sc_loss_kind *kind = tails->pair->kind;
    if (kind->lattice != NULL) {
        SC_OWN(sc_ball, place, part);
        SC_OWN(sc_integer, whole);
        sc_ball_set_ratio(&part, &tails->offset, bits);
        sc_ball_sub(&place, e, &part, bits);
        sc_ball_set_ratio(&part, &tails->step, bits);
        sc_ball_div(&place, &place, &part, bits);
        const bool decided = sc_ball_floor(&place, &whole);
        if (decided)
            lattice_above(tails, narrow(&whole), p, q);
        return decided;
    }
    if (kind->edges != NULL) {
        const int low = side_of(e, &tails->low, bits);
        const int high = side_of(e, &tails->high, bits);
        if (low < 0 || high > 0) {
            all_or_nothing(p, q, low < 0 ? 1 : 0);
            return true;
        }
        if (low == 0 || high == 0)
            return false;
    }
    kind->tails(tails->pair, e, tails->bits, p, q);
    return true;
}

/* From P(S), Q(S) before sampling to those after it. */
static void mix(const sc_loss_tails *tails, sc_ball *p, sc_ball *q)
{
    const bool adds = tails->pair->direction == SC_DIRECTION_ADD;
    const long bits = tails->bits;
    SC_OWN(sc_ball, rate, rest);
    sc_ball_set_ratio(&rate, &tails->pair->rate, bits);
    sc_ball_neg(&rest, &rate);
    sc_ball_add_int64(&rest, &rest, 1, bits);
    if (adds) { /* P as it is, its infinite part included; (1 - r) P + r Q */
        sc_ball_add(p, p, &tails->infinite, bits);
        sc_ball_mul(&rest, &rest, p, bits);
        sc_ball_mul(q, q, &rate, bits);
        sc_ball_add(q, q, &rest, bits);
    } else { /* (1 - r) Q + r P, and Q as it is */
        sc_ball_mul(&rest, &rest, q, bits);
        sc_ball_mul(p, p, &rate, bits);
        sc_ball_add(p, p, &rest, bits);
    }
}

/* Below all losses: all of Q, and of P what is not infinite. */
static void sampled_all(const sc_loss_tails *tails, sc_ball *p, sc_ball *q)
{
    sc_loss_pair_infinite(tails->pair, tails->bits, p);
    sc_ball_neg(p, p);
    sc_ball_add_int64(p, p, 1, tails->bits);
    sc_ball_set_int64(q, 1);
}

/* At 0 the bend is 0; elsewhere no loss lies exactly at it. */
static void sampled_at_zero(const sc_loss_tails *tails, bool inclusive, sc_ball *p,
                            sc_ball *q)
{
    SC_OWN(sc_ratio, zero);
    base_at(tails, &zero, inclusive, p, q);
    mix(tails, p, q);
}

static void sampled_at(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                       sc_ball *q)
{
    bool decided = false;
    SC_OWN(sc_ball, place);
    for (long bits = tails->bits + 32; !decided && bits <= DECIDING_BITS; bits *= 2) {
        switch (bend(tails->pair, e, bits, &place)) {
        case PLACE_BELOW:
            sampled_all(tails, p, q);
            decided = true;
            break;
        case PLACE_ABOVE:
            all_or_nothing(p, q, 0);
            decided = true;
            break;
        case PLACE_INSIDE:
            decided = base_at_ball(tails, &place, bits, p, q);
            if (decided)
                mix(tails, p, q);
            break;
        case PLACE_UNSURE:
            break;
        }
    }
    if (!decided) { /* nothing is known of them but that they are probabilities */
        sc_ball_set_infinite(p);
        sc_ball_set_infinite(q);
        sc_ball_cut_unit(p);
        sc_ball_cut_unit(q);
    }
}

static void tails_at(const sc_loss_tails *tails, const sc_ratio *e, bool inclusive,
                     sc_ball *p, sc_ball *q)
{
    const int sign = sc_ratio_sign(e);
    if (!tails->pair->is_sampled)
        base_at(tails, e, inclusive, p, q);
    else if (sc_ratio_sign(&tails->pair->rate) == 0)
        all_or_nothing(p, q, sign < (inclusive ? 1 : 0) ? 1 : 0);
    else if (sign == 0)
        sampled_at_zero(tails, inclusive, p, q);
    else
        sampled_at(tails, e, p, q);
}

void sc_loss_tails_at(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                      sc_ball *q)
{
    tails_at(tails, e, false, p, q);
}

void sc_loss_tails_from(const sc_loss_tails *tails, const sc_ratio *e, sc_ball *p,
                        sc_ball *q)
{
    tails_at(tails, e, true, p, q);
}
