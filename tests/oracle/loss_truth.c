#include "loss_truth.h"

#include "model/curve.h"

#include <string.h>

#define BITS EXACT_BITS

static bool open_empty(loss_truth *truth, size_t count)
{
    truth->p = sc_balls_new(count);
    truth->q = sc_balls_new(count);
    truth->count = count;
    sc_ball_init(&truth->beyond);
    return CHECK(truth->p != NULL && truth->q != NULL);
}

void loss_truth_close(loss_truth *truth)
{
    sc_ball_clear(&truth->beyond);
    sc_balls_free(truth->q, truth->count);
    sc_balls_free(truth->p, truth->count);
}

/* Two answers, and two more that only one of the laws can give. */
static void fill_response(loss_truth *truth, const sc_loss_pair *pair)
{
    sc_ball odds, rest;
    sc_ball_init(&odds);
    sc_ball_init(&rest);
    sc_ball_set_ratio(&odds, &pair->shape, BITS);
    sc_ball_exp(&odds, &odds, BITS);
    sc_ball_add_int64(&rest, &odds, 1, BITS);
    sc_ball_set_int64(&truth->p[1], 1);
    sc_ball_div(&truth->p[1], &truth->p[1], &rest, BITS);
    sc_ball_div(&truth->p[0], &odds, &rest, BITS);
    sc_ball_set_ratio(&truth->p[2], &pair->delta, BITS);
    sc_ball_neg(&rest, &truth->p[2]);
    sc_ball_add_int64(&rest, &rest, 1, BITS);
    for (int i = 0; i < 2; i++)
        sc_ball_mul(&truth->p[i], &truth->p[i], &rest, BITS);
    sc_ball_set(&truth->q[0], &truth->p[1]);
    sc_ball_set(&truth->q[1], &truth->p[0]);
    sc_ball_set(&truth->q[3], &truth->p[2]);
    sc_ball_clear(&rest);
    sc_ball_clear(&odds);
}

/* y <= 0 and y >= D as one outcome each: the ratio does not change there. */
static void fill_laplace(loss_truth *truth, const sc_loss_pair *pair)
{
    const sc_int128 shift = (sc_int128)pair->shift;
    sc_law law;
    sc_law_init(&law, &sc_discrete_laplace_law, &pair->shape, 0);
    for (sc_int128 y = 0; y <= shift; y++) {
        if (y == 0) {
            sc_law_at_most(&law, y, BITS, &truth->p[y]);
            sc_law_at_most(&law, y - shift, BITS, &truth->q[y]);
        } else if (y == shift) {
            sc_law_at_least(&law, y, BITS, &truth->p[y]);
            sc_law_at_least(&law, y - shift, BITS, &truth->q[y]);
        } else {
            sc_law_pmf(&law, y, BITS, &truth->p[y]);
            sc_law_pmf(&law, y - shift, BITS, &truth->q[y]);
        }
    }
    sc_law_clear(&law);
}

static void fill_gaussian(loss_truth *truth, const sc_loss_pair *pair, sc_int128 reach)
{
    sc_law law;
    sc_law_init(&law, &sc_discrete_gaussian_law, &pair->shape, 0);
    for (size_t i = 0; i < truth->count; i++) {
        const sc_int128 y = (sc_int128)i - reach;
        sc_law_pmf(&law, y, BITS, &truth->p[i]);
        sc_law_pmf(&law, y - (sc_int128)pair->shift, BITS, &truth->q[i]);
    }
    /* Both laws have at most twice this tail outside, and so has a mixture. */
    sc_law_at_least(&law, reach + 1 - (sc_int128)pair->shift, BITS, &truth->beyond);
    sc_ball_mul_power2(&truth->beyond, &truth->beyond, 1);
    sc_law_clear(&law);
}

/* The law with the unit is drawn with probability rate, the other one else. */
static void sample(loss_truth *truth, const sc_loss_pair *pair)
{
    sc_ball rate, rest;
    sc_ball_init(&rate);
    sc_ball_init(&rest);
    sc_ball_set_ratio(&rate, &pair->rate, BITS);
    sc_ball_neg(&rest, &rate);
    sc_ball_add_int64(&rest, &rest, 1, BITS);
    for (size_t i = 0; i < truth->count; i++) {
        sc_ball *with = &truth->p[i], *without = &truth->q[i];
        sc_ball part;
        sc_ball_init(&part);
        sc_ball_mul(with, with, &rate, BITS);
        sc_ball_mul(&part, without, &rest, BITS);
        sc_ball_add(with, with, &part, BITS);
        if (pair->direction == SC_DIRECTION_ADD) {
            sc_ball_set(&part, with);
            sc_ball_set(with, without);
            sc_ball_set(without, &part);
        }
        sc_ball_clear(&part);
    }
    sc_ball_clear(&rest);
    sc_ball_clear(&rate);
}

bool loss_truth_open(loss_truth *truth, const sc_loss_pair *pair)
{
    const char *name = pair->kind->name;
    if (strcmp(name, "pure") == 0 || strcmp(name, "approximate") == 0) {
        if (!open_empty(truth, 4))
            return false;
        fill_response(truth, pair);
    } else if (strcmp(name, "laplace") == 0) {
        if (!open_empty(truth, (size_t)pair->shift + 1))
            return false;
        fill_laplace(truth, pair);
    } else if (CHECK(strcmp(name, "gaussian") == 0)) {
        sc_ball sigma;
        sc_ball_init(&sigma);
        sc_ball_set_ratio(&sigma, &pair->shape, 64);
        sc_ball_sqrt(&sigma, &sigma, 64);
        const size_t reach =
            (size_t)(13 * sc_ball_upper(&sigma)) + (size_t)pair->shift + 3;
        sc_ball_clear(&sigma);
        if (!open_empty(truth, 2 * reach + 1))
            return false;
        fill_gaussian(truth, pair, (sc_int128)reach);
    } else {
        return false;
    }
    if (pair->is_sampled)
        sample(truth, pair);
    return true;
}

/* Adds what follows a sequence of probability p under the one law and q under the other. */
static void add_sequences(const loss_truth *truth, unsigned left, const sc_ball *p,
                          const sc_ball *q, const sc_ball *t, sc_ball *out)
{
    sc_ball next_p, next_q, zero;
    sc_ball_init(&next_p);
    sc_ball_init(&next_q);
    sc_ball_init(&zero);
    if (left == 0) {
        sc_ball_mul(&next_q, q, t, BITS);
        sc_ball_sub(&next_p, p, &next_q, BITS);
        if (!sc_ball_is_less_equal(&next_p, &zero))
            sc_ball_add(out, out, &next_p, BITS);
    }
    for (size_t i = 0; left > 0 && i < truth->count; i++) {
        sc_ball_mul(&next_p, p, &truth->p[i], BITS);
        sc_ball_mul(&next_q, q, &truth->q[i], BITS);
        add_sequences(truth, left - 1, &next_p, &next_q, t, out);
    }
    sc_ball_clear(&zero);
    sc_ball_clear(&next_q);
    sc_ball_clear(&next_p);
}

void loss_truth_delta(const loss_truth *truth, unsigned releases, const sc_ratio *epsilon,
                      sc_ball *out)
{
    sc_ball one, t, beyond;
    sc_ball_init(&one);
    sc_ball_init(&t);
    sc_ball_init(&beyond);
    sc_ball_set_int64(&one, 1);
    sc_ball_set_ratio(&t, epsilon, BITS);
    sc_ball_exp(&t, &t, BITS);
    sc_ball_set_int64(out, 0);
    add_sequences(truth, releases, &one, &one, &t, out);
    sc_ball_mul_int64(&beyond, &truth->beyond, releases, BITS);
    sc_ball_widen(out, &beyond);
    sc_ball_clear(&beyond);
    sc_ball_clear(&t);
    sc_ball_clear(&one);
}

/* The curve knows epsilon >= 0; below, delta(-e) = 1 - exp(-e) (1 - delta(e)) of what is the same in
 * both directions. */
void loss_truth_response(const sc_ratio *epsilon0, uint64_t releases,
                         const sc_ratio *epsilon, sc_ball *out)
{
    const bool is_below = sc_ratio_sign(epsilon) < 0;
    sc_curve curve;
    sc_ratio above;
    sc_ball part;
    sc_curve_init(&curve);
    sc_ratio_init(&above);
    sc_ball_init(&part);
    if (is_below)
        sc_ratio_sub(&above, &above, epsilon);
    else
        sc_ratio_set(&above, epsilon);
    sc_curve_set_composed(&curve, epsilon0, releases);
    sc_curve_delta_upper(&curve, &above, BITS, out);
    if (is_below) {
        sc_ball_set_ratio(&part, epsilon, BITS);
        sc_ball_exp(&part, &part, BITS);
        sc_ball_neg(&part, &part);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, BITS);
        sc_ball_mul(out, out, &part, BITS);
        sc_ball_add_int64(out, out, 1, BITS);
    }
    sc_ball_clear(&part);
    sc_ratio_clear(&above);
    sc_curve_clear(&curve);
}

/* erfc(x / sqrt 2) / 2 */
static void normal_tail(const sc_ball *x, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_div(out, x, &root, BITS);
    sc_ball_erfc(out, out, BITS);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&root);
}

/* Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu) */
static void gaussian_delta(const sc_ball *mu, const sc_ball *e, sc_ball *out)
{
    sc_ball half, x, t;
    sc_ball_init(&half);
    sc_ball_init(&x);
    sc_ball_init(&t);
    sc_ball_mul_power2(&half, mu, -1);
    sc_ball_div(&t, e, mu, BITS);
    sc_ball_sub(&x, &t, &half, BITS);
    normal_tail(&x, out);
    sc_ball_add(&x, &t, &half, BITS);
    normal_tail(&x, &x);
    sc_ball_exp(&t, e, BITS);
    sc_ball_mul(&x, &x, &t, BITS);
    sc_ball_sub(out, out, &x, BITS);
    sc_ball_clear(&t);
    sc_ball_clear(&x);
    sc_ball_clear(&half);
}

/* 1 - exp((e - e0)/2) between -e0 and e0. */
static void laplace_delta(const sc_ball *e0, const sc_ball *e, sc_ball *out)
{
    sc_ball low;
    sc_ball_init(&low);
    sc_ball_neg(&low, e0);
    if (sc_ball_is_less_equal(e0, e)) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_ball_sub(out, e, e0, BITS);
        sc_ball_mul_power2(out, out, -1);
        if (sc_ball_is_less(e, &low))
            sc_ball_set(out, e);
        sc_ball_expm1(out, out, BITS);
        sc_ball_neg(out, out);
    }
    sc_ball_clear(&low);
}

/* The formulas of spec/local-and-accounting.md 8.5, for a base curve that is the same in both
 * directions. */
typedef void base_delta(const sc_ball *shape, const sc_ball *e, sc_ball *out);
static void sampled_delta(base_delta *base, const sc_ball *shape,
                          const sc_loss_pair *pair, const sc_ball *e, sc_ball *out)
{
    const bool adds = pair->direction == SC_DIRECTION_ADD;
    sc_ball rate, t, inside, factor;
    sc_ball_init(&rate);
    sc_ball_init(&t);
    sc_ball_init(&inside);
    sc_ball_init(&factor);
    sc_ball_set_ratio(&rate, &pair->rate, BITS);
    sc_ball_exp(&t, e, BITS);
    /* factor = 1 - t (1 - r); inside = t r / factor, or 1 + (t - 1)/r */
    sc_ball_add_int64(&factor, &rate, -1, BITS);
    sc_ball_mul(&factor, &factor, &t, BITS);
    sc_ball_add_int64(&factor, &factor, 1, BITS);
    if (adds) {
        sc_ball_mul(&inside, &t, &rate, BITS);
        sc_ball_div(&inside, &inside, &factor, BITS);
    } else {
        sc_ball_add_int64(&inside, &t, -1, BITS);
        sc_ball_div(&inside, &inside, &rate, BITS);
        sc_ball_add_int64(&inside, &inside, 1, BITS);
        sc_ball_set(&factor, sc_ball_is_positive(&inside) ? &rate : &factor);
    }
    if (adds && !sc_ball_is_positive(&factor)) {
        sc_ball_set_int64(out, 0);
    } else if (!sc_ball_is_positive(&inside)) {
        sc_ball_neg(out, &t);
        sc_ball_add_int64(out, out, 1, BITS);
    } else {
        sc_ball_log(&inside, &inside, BITS);
        base(shape, &inside, out);
        sc_ball_mul(out, out, &factor, BITS);
    }
    sc_ball_clear(&factor);
    sc_ball_clear(&inside);
    sc_ball_clear(&t);
    sc_ball_clear(&rate);
}

/* numerator/shape, and the epsilon as a ball. */
static void prepare(const sc_loss_pair *pair, const sc_ratio *epsilon, uint64_t releases,
                    sc_ball *shape, sc_ball *e)
{
    sc_ball many;
    sc_ball_init(&many);
    sc_ball_init(shape);
    sc_ball_init(e);
    sc_ball_set_int64(&many, (int64_t)releases);
    sc_ball_sqrt(&many, &many, BITS);
    sc_ball_set_ratio(shape, &pair->shape, BITS);
    if (pair->kind == &sc_loss_kind_continuous_gaussian)
        sc_ball_sqrt(shape, shape, BITS);
    sc_ball_div(shape, &many, shape, BITS);
    sc_ball_set_ratio(e, epsilon, BITS);
    sc_ball_clear(&many);
}

static void closed_delta(base_delta *base, const sc_loss_pair *pair, uint64_t releases,
                         const sc_ratio *epsilon, sc_ball *out)
{
    sc_ball shape, e;
    prepare(pair, epsilon, releases, &shape, &e);
    if (pair->is_sampled && CHECK(releases == 1))
        sampled_delta(base, &shape, pair, &e, out);
    else
        base(&shape, &e, out);
    sc_ball_clear(&e);
    sc_ball_clear(&shape);
}

void loss_truth_gaussian(const sc_loss_pair *pair, uint64_t releases,
                         const sc_ratio *epsilon, sc_ball *out)
{
    closed_delta(gaussian_delta, pair, releases, epsilon, out);
}

void loss_truth_laplace(const sc_loss_pair *pair, const sc_ratio *epsilon, sc_ball *out)
{
    closed_delta(laplace_delta, pair, 1, epsilon, out);
}
