#include "composition/loss/loss_pair.h"

#include "base/checked.h"
#include "base/work_limit.h"
#include "model/vector_loss.h"
#include "sampling/law.h"

#include <math.h>

bool sc_loss_work_spend(sc_loss_work *work, uint64_t steps)
{
    if (work == NULL)
        return !sc_work_limit_is_over();
    const bool is_left = steps <= work->left && !sc_work_limit_is_over();
    work->left = is_left ? work->left - steps : 0;
    return is_left;
}

bool sc_loss_work_spend_each(sc_loss_work *work, uint64_t times, uint64_t steps)
{
    uint64_t all;
    return sc_loss_work_spend(work, sc_uint64_mul(times, steps, &all) ? all : UINT64_MAX);
}

uint64_t sc_loss_work_at(uint64_t steps, long bits)
{
    const uint64_t size = (uint64_t)(bits > 0 ? bits : 0) / 16;
    return steps + steps * size / 16 + steps * size * size / 512;
}

void sc_loss_pair_init(sc_loss_pair *pair)
{
    pair->kind = NULL;
    pair->shift = pair->bound = 0;
    pair->copies = 0;
    pair->is_sampled = false;
    pair->direction = SC_DIRECTION_REMOVE;
    sc_ratio_init(&pair->shape);
    sc_ratio_init(&pair->delta);
    sc_ratio_init(&pair->rate);
}

void sc_loss_pair_clear(sc_loss_pair *pair)
{
    sc_ratio_clear(&pair->rate);
    sc_ratio_clear(&pair->delta);
    sc_ratio_clear(&pair->shape);
}

static void set(sc_loss_pair *pair, const sc_loss_kind *kind, const sc_ratio *shape,
                uint64_t shift)
{
    pair->kind = kind;
    pair->shift = shift;
    pair->bound = 0;
    pair->copies = 0;
    pair->is_sampled = false;
    sc_ratio_set(&pair->shape, shape);
    sc_ratio_set_int64(&pair->delta, 0);
}

static void set_both(sc_ball *p, sc_ball *q, int64_t value)
{
    sc_ball_set_int64(p, value);
    sc_ball_set_int64(q, value);
}

/* 1 / (1 + exp(x)). */
static void logistic_of_minus(const sc_ball *x, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_exp(out, x, bits);
    sc_ball_add_int64(out, out, 1, bits);
    sc_ball_div(out, &one, out, bits);
}

/* Randomised response: -epsilon and epsilon. An epsilon of 0 is one point, of any step. */

static void pure_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step)
{
    sc_ratio_sub(offset, offset, offset);
    sc_ratio_sub(offset, offset, &pair->shape);
    sc_ratio_add(step, &pair->shape, &pair->shape);
    if (sc_ratio_sign(step) == 0)
        sc_ratio_set_int64(step, 1);
}

static void pure_above(const sc_loss_pair *pair, sc_int128 j, long bits, sc_ball *p,
                       sc_ball *q)
{
    if (j != 0 || sc_ratio_sign(&pair->shape) == 0) {
        set_both(p, q, j < 0 ? 1 : 0);
        return;
    }
    SC_OWN(sc_ball, epsilon);
    sc_ball_set_ratio(&epsilon, &pair->shape, bits);
    logistic_of_minus(&epsilon, bits, q);
    sc_ball_neg(&epsilon, &epsilon);
    logistic_of_minus(&epsilon, bits, p);
}

static const sc_loss_kind pure = {
    .name = "pure", .lattice = pure_lattice, .above = pure_above};

void sc_loss_pair_set_pure(sc_loss_pair *pair, const sc_ratio *epsilon)
{
    set(pair, &pure, epsilon, 0);
}

/* A shift of 0 costs nothing. */
static void set_nothing(sc_loss_pair *pair)
{
    SC_OWN(sc_ratio, zero);
    set(pair, &pure, &zero, 0);
}

/* delta of P at infinity, delta of Q where P has nothing, the rest as randomised response. */

static void approximate_above(const sc_loss_pair *pair, sc_int128 j, long bits,
                              sc_ball *p, sc_ball *q)
{
    SC_OWN(sc_ball, rest);
    pure_above(pair, j, bits, p, q);
    sc_ball_set_ratio(&rest, &pair->delta, bits);
    sc_ball_neg(&rest, &rest);
    sc_ball_add_int64(&rest, &rest, 1, bits);
    sc_ball_mul(p, p, &rest, bits);
    sc_ball_mul(q, q, &rest, bits);
}

static void approximate_infinite(const sc_loss_pair *pair, long bits, sc_ball *out)
{
    sc_ball_set_ratio(out, &pair->delta, bits);
}

static const sc_loss_kind approximate = {.name = "approximate",
                                         .infinite = approximate_infinite,
                                         .lattice = pure_lattice,
                                         .above = approximate_above};

void sc_loss_pair_set_approximate(sc_loss_pair *pair, const sc_ratio *epsilon,
                                  const sc_ratio *delta)
{
    set(pair, sc_ratio_sign(delta) == 0 ? &pure : &approximate, epsilon, 0);
    sc_ratio_set(&pair->delta, delta);
}

/* Noise on the integers, with P about 0 and Q about the shift D. The loss at y is
 * (|y - D| - |y|)/scale: from -D/scale at y >= D to D/scale at y <= 0, in steps of 2/scale. */

static void laplace_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step)
{
    sc_ratio_set_int64(step, 2);
    sc_ratio_div(step, step, &pair->shape);
    sc_ratio_set_int128(offset, -(sc_int128)pair->shift);
    sc_ratio_div(offset, offset, &pair->shape);
}

/* Above j, 0 <= j < D, are the outcomes y <= D - j - 1. */
static void laplace_above(const sc_loss_pair *pair, sc_int128 j, long bits, sc_ball *p,
                          sc_ball *q)
{
    const sc_int128 shift = (sc_int128)pair->shift;
    if (j < 0 || j >= shift) {
        set_both(p, q, j < 0 ? 1 : 0);
        return;
    }
    sc_law law;
    sc_law_init(&law, &sc_discrete_laplace_law, &pair->shape, 0);
    sc_law_at_most(&law, shift - j - 1, bits, p);
    sc_law_at_least(&law, j + 1, bits, q);
    sc_law_clear(&law);
}

const sc_loss_kind sc_loss_kind_laplace = {
    .name = "laplace", .lattice = laplace_lattice, .above = laplace_above};

void sc_loss_pair_set_laplace(sc_loss_pair *pair, const sc_ratio *scale, uint64_t shift)
{
    set(pair, &sc_loss_kind_laplace, scale, shift);
    if (shift == 0)
        set_nothing(pair);
}

/* The loss at y is D (D - 2y)/(2 variance); j = -y, so that it grows with j. */

static void gaussian_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step)
{
    SC_OWN(sc_ratio, half);
    sc_ratio_set_int128(&half, (sc_int128)pair->shift);
    sc_ratio_div(step, &half, &pair->shape);
    sc_ratio_mul(offset, step, &half);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(offset, offset, &half);
}

static void gaussian_above(const sc_loss_pair *pair, sc_int128 j, long bits, sc_ball *p,
                           sc_ball *q)
{
    sc_law law;
    sc_law_init(&law, &sc_discrete_gaussian_law, &pair->shape, 0);
    sc_law_at_least(&law, j + 1, bits, p);
    sc_law_at_least(&law, j + 1 + (sc_int128)pair->shift, bits, q);
    sc_law_clear(&law);
}

const sc_loss_kind sc_loss_kind_gaussian = {
    .name = "gaussian", .lattice = gaussian_lattice, .above = gaussian_above};

void sc_loss_pair_set_gaussian(sc_loss_pair *pair, const sc_ratio *variance,
                               uint64_t shift)
{
    set(pair, &sc_loss_kind_gaussian, variance, shift);
    if (shift == 0)
        set_nothing(pair);
}

/* Losses from -K epsilon to K epsilon, K the copies, in steps of epsilon. */

static void shifted_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step)
{
    sc_ratio_set(step, &pair->shape);
    sc_ratio_set_int64(offset, -(int64_t)pair->copies);
    sc_ratio_mul(offset, offset, step);
}

/* For one integer: the masses of P at the losses 1, 0 and -1; Q has the same in reverse. For two
 * integers: the convolution of these masses. */
static void shifted_masses(const sc_loss_pair *pair, long bits, sc_ball mass[5])
{
    sc_shifted_loss loss;
    sc_shifted_loss_init(&loss, &pair->shape, pair->bound, bits);
    const sc_ball *const one[] = {&loss.down, &loss.level, &loss.up};
    SC_OWN(sc_ball, product);
    if (pair->copies == 1)
        for (int i = 0; i < 3; i++)
            sc_ball_set(&mass[i], one[i]);
    else
        for (int i = 0; i < 9; i++) {
            sc_ball_mul(&product, one[i / 3], one[i % 3], bits);
            sc_ball_add(&mass[i / 3 + i % 3], &mass[i / 3 + i % 3], &product, bits);
        }
    sc_shifted_loss_clear(&loss);
}

/* Above j are the losses j + 1 .. 2 K, counted from the lowest. */
static void shifted_above(const sc_loss_pair *pair, sc_int128 j, long bits, sc_ball *p,
                          sc_ball *q)
{
    const int last = 2 * (int)pair->copies;
    sc_ball mass[5];
    set_both(p, q, 0);
    if (j >= last)
        return;
    for (int i = 0; i < 5; i++)
        sc_ball_init(&mass[i]);
    shifted_masses(pair, bits, mass);
    for (int i = j < 0 ? 0 : (int)j + 1; i <= last; i++) {
        sc_ball_add(p, p, &mass[i], bits);
        sc_ball_add(q, q, &mass[last - i], bits);
    }
    for (int i = 0; i < 5; i++)
        sc_ball_clear(&mass[i]);
}

static void shifted_infinite(const sc_loss_pair *pair, long bits, sc_ball *out)
{
    sc_shifted_loss loss;
    sc_shifted_loss_init(&loss, &pair->shape, pair->bound, bits);
    sc_ball_set(out, &loss.infinite);
    if (pair->copies == 2) { /* d (2 - d) */
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 2, bits);
        sc_ball_mul(out, out, &loss.infinite, bits);
    }
    sc_shifted_loss_clear(&loss);
}

const sc_loss_kind sc_loss_kind_shifted = {.name = "shifted-laplace",
                                           .infinite = shifted_infinite,
                                           .lattice = shifted_lattice,
                                           .above = shifted_above};

void sc_loss_pair_set_shifted(sc_loss_pair *pair, const sc_ratio *epsilon, uint64_t q,
                              unsigned copies)
{
    set(pair, &sc_loss_kind_shifted, epsilon, 0);
    pair->bound = q;
    pair->copies = copies;
}

/* Continuous Laplace noise, P about 0 and Q about 1: above e are the outcomes below
 * c = (1 - e scale)/2, which have 1 - exp(-c/scale)/2 of P and exp((c - 1)/scale)/2 of Q. */

static void continuous_laplace_edges(const sc_loss_pair *pair, sc_ratio *low,
                                     sc_ratio *high)
{
    sc_ratio_set_int64(low, 1);
    sc_ratio_div(high, low, &pair->shape);
    sc_ratio_sub(low, low, low);
    sc_ratio_sub(low, low, high);
}

static void continuous_laplace_tails(const sc_loss_pair *pair, const sc_ball *e,
                                     long bits, sc_ball *p, sc_ball *q)
{
    SC_OWN(sc_ball, scale, half);
    sc_ball_set_ratio(&scale, &pair->shape, bits);
    sc_ball_set_int64(&half, 1);
    sc_ball_div(&scale, &half, &scale, bits);
    sc_ball_mul_power2(&half, &half, -1);
    /* c/scale = (1/scale - e)/2 and (c - 1)/scale = -(1/scale + e)/2 */
    sc_ball_sub(p, e, &scale, bits);
    sc_ball_mul_power2(p, p, -1);
    sc_ball_exp(p, p, bits);
    sc_ball_mul(p, p, &half, bits);
    sc_ball_neg(p, p);
    sc_ball_add_int64(p, p, 1, bits);
    sc_ball_add(q, e, &scale, bits);
    sc_ball_mul_power2(q, q, -1);
    sc_ball_neg(q, q);
    sc_ball_exp(q, q, bits);
    sc_ball_mul(q, q, &half, bits);
}

static const sc_loss_kind continuous_laplace = {.name = "continuous-laplace",
                                                .tails = continuous_laplace_tails,
                                                .edges = continuous_laplace_edges};

void sc_loss_pair_set_continuous_laplace(sc_loss_pair *pair, const sc_ratio *scale)
{
    set(pair, &continuous_laplace, scale, 0);
}

/* The loss is normal: mean 1/(2 sigma^2) under P, minus that under Q, deviation 1/sigma. With
 * u = e sigma the tails are erfc((u -+ 1/(2 sigma)) / sqrt 2) / 2. */
static void continuous_gaussian_tails(const sc_loss_pair *pair, const sc_ball *e,
                                      long bits, sc_ball *p, sc_ball *q)
{
    SC_OWN(sc_ball, root, half, u);
    sc_ball_set_ratio(&u, &pair->shape, bits);
    sc_ball_sqrt(&u, &u, bits);
    sc_ball_set_int64(&half, 1);
    sc_ball_div(&half, &half, &u, bits);
    sc_ball_mul_power2(&half, &half, -1);
    sc_ball_mul(&u, &u, e, bits);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_sub(p, &u, &half, bits);
    sc_ball_add(q, &u, &half, bits);
    sc_ball *const tails[] = {p, q};
    for (int i = 0; i < 2; i++) {
        sc_ball_div(tails[i], tails[i], &root, bits);
        sc_ball_erfc(tails[i], tails[i], bits);
        sc_ball_mul_power2(tails[i], tails[i], -1);
    }
}

const sc_loss_kind sc_loss_kind_continuous_gaussian = {
    .name = "continuous-gaussian", .tails = continuous_gaussian_tails};

void sc_loss_pair_set_continuous_gaussian(sc_loss_pair *pair, const sc_ratio *sigma)
{
    SC_OWN(sc_ratio, variance);
    sc_ratio_mul(&variance, sigma, sigma);
    set(pair, &sc_loss_kind_continuous_gaussian, &variance, 0);
}

/* A rate of 1 keeps everything. */
void sc_loss_pair_sample(sc_loss_pair *pair, const sc_ratio *rate, sc_direction direction)
{
    pair->is_sampled = sc_ratio_compare_int64(rate, 1) < 0;
    sc_ratio_set(&pair->rate, rate);
    pair->direction = direction;
}

bool sc_loss_pair_lattice(const sc_loss_pair *pair, sc_ratio *offset, sc_ratio *step)
{
    if (pair->is_sampled || pair->kind->lattice == NULL)
        return false;
    pair->kind->lattice(pair, offset, step);
    return true;
}

/* An outcome of P alone has the finite loss -ln(1 - rate) when Q has the unit. */
void sc_loss_pair_infinite(const sc_loss_pair *pair, long bits, sc_ball *out)
{
    if (pair->kind->infinite == NULL ||
        (pair->is_sampled && pair->direction == SC_DIRECTION_ADD)) {
        sc_ball_set_int64(out, 0);
        return;
    }
    pair->kind->infinite(pair, bits, out);
    if (pair->is_sampled) {
        SC_OWN(sc_ball, rate);
        sc_ball_set_ratio(&rate, &pair->rate, bits);
        sc_ball_mul(out, out, &rate, bits);
    }
}

/* Less than this outside of the list is next to nothing. */
#define REST 0x1p-10

/* P and Q of the losses above j. */
static void above(const sc_loss_pair *pair, sc_int128 j, double *p, double *q)
{
    SC_OWN(sc_ball, first, second);
    pair->kind->above(pair, j, 64, &first, &second);
    *p = sc_ball_upper(&first);
    *q = sc_ball_upper(&second);
}

/* The middle of the list: loss 0 is at j = -offset/step. */
static sc_int128 first_index(const sc_loss_pair *pair)
{
    sc_int128 j = 0;
    SC_OWN(sc_ratio, offset, step);
    SC_OWN(sc_integer, whole);
    pair->kind->lattice(pair, &offset, &step);
    sc_ratio_div(&offset, &offset, &step);
    sc_ratio_floor(&offset, &whole);
    if (!sc_integer_get_int128(&whole, &j))
        j = 0;
    return -j - SC_LOSS_ATOMS / 2;
}

/* The loss z after sampling, and its mass from those of P and Q before. */
static void bend(const sc_loss_pair *pair, double z, double p, double q, double *at,
                 double *mass)
{
    const double rate = sc_ratio_upper(&pair->rate);
    if (!pair->is_sampled) {
        *at = z;
        *mass = p;
    } else if (pair->direction == SC_DIRECTION_REMOVE) {
        *at = log1p(rate * expm1(z));
        *mass = (1 - rate) * q + rate * p;
    } else {
        *at = -log1p(rate * expm1(-z));
        *mass = p;
    }
}

/* The mass of the losses from the first index of the list to its last, before times. */
static double listed_mass(const sc_loss_pair *pair, sc_int128 first)
{
    double p = 0, q = 0, end_p = 0, end_q = 0, at = 0, mass = 0;
    above(pair, first - 1, &p, &q);
    above(pair, first + SC_LOSS_ATOMS - 1, &end_p, &end_q);
    bend(pair, 0, p - end_p, q - end_q, &at, &mass);
    return mass;
}

/* The list from the first index on, before times: false when much lies outside of it. */
static bool list(const sc_loss_pair *pair, sc_int128 first, sc_loss_atoms *out)
{
    SC_OWN(sc_ratio, offset, step);
    pair->kind->lattice(pair, &offset, &step);
    const double zero = sc_ratio_upper(&offset), width = sc_ratio_upper(&step);
    double p = 0, q = 0, next_p = 0, next_q = 0, total = 0;
    above(pair, first - 1, &p, &q);
    for (int i = 0; i < SC_LOSS_ATOMS; i++) {
        above(pair, first + i, &next_p, &next_q);
        if (p > next_p) {
            bend(pair, zero + width * (double)(first + i), p - next_p, q - next_q,
                 &out->at[out->count], &out->mass[out->count]);
            total += out->mass[out->count++];
        }
        p = next_p;
        q = next_q;
    }
    return total > 1 - REST;
}

/* Two tails of a law of Gaussian noise are summed, those of others are known in closed form. */
#define GAUSSIAN_ABOVE_STEPS 150
#define CLOSED_ABOVE_STEPS 2

bool sc_loss_atoms_add(const sc_loss_pair *pair, double times, sc_loss_work *work,
                       sc_loss_atoms *out)
{
    const size_t before = out->count;
    const uint64_t price =
        pair->kind == &sc_loss_kind_gaussian ? GAUSSIAN_ABOVE_STEPS : CLOSED_ABOVE_STEPS;
    if (pair->kind->lattice == NULL ||
        before + SC_LOSS_ATOMS > sizeof out->at / sizeof out->at[0])
        return true;
    if (!sc_loss_work_spend_each(work, 2, price))
        return false;
    const sc_int128 first = first_index(pair);
    /* Wide noise is found out at its ends, with room for what the two sums round. */
    if (listed_mass(pair, first) < 1 - 2 * REST)
        return true;
    if (!sc_loss_work_spend_each(work, SC_LOSS_ATOMS + 1, price))
        return false;
    if (!list(pair, first, out))
        out->count = before;
    for (size_t i = before; i < out->count; i++)
        out->mass[i] *= times;
    return true;
}

double sc_loss_atoms_reach(const sc_loss_atoms *atoms)
{
    double reach = 0;
    for (size_t i = 0; i < atoms->count; i++)
        reach = fabs(atoms->at[i]) > reach ? fabs(atoms->at[i]) : reach;
    return reach;
}

double sc_loss_atoms_distance(const sc_loss_atoms *atoms, double step)
{
    double sum = 0;
    for (size_t i = 0; i < atoms->count; i++) {
        const double place = atoms->at[i] / step;
        sum += atoms->mass[i] * fabs(place - round(place));
    }
    return sum * step;
}
