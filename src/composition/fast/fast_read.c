/* Reading delta from a tilted law:
 *
 *     delta = exp(log_scale - theta epsilon) sum w_s T_s + infinite,
 *     w_s = exp(-theta t) - exp(-(theta + 1) t),  t = s step - epsilon > 0,  else 0.
 *
 * The sum over the slice is computed from y in doubles; what it may be off is added (upper side) or
 * taken away (lower side). 0 <= w <= 1. */
#include "base/number/ball_double.h"
#include "composition/fast/fast_law.h"

#include <math.h>

#define BITS SC_FAST_BITS
/* Points with a weight below exp(-DEEP) are paid for, not read. */
#define DEEP 70

/* The sums of the loop: s of w y, d of exp(-theta t) |y|, q of w^2. */
typedef struct sums {
    double s, d, q;
} sums;

/* In four sums each, that do not wait for one another: no more roundings than in one. */
#define LANES 4

static void add_run(const double *restrict y, const double *restrict slow,
                    const double *restrict fast, size_t run, double a, double b,
                    sums *out)
{
    double s[LANES] = {0}, d[LANES] = {0}, q[LANES] = {0};
    size_t r = 0;
    for (; r + LANES <= run; r += LANES)
        for (size_t i = 0; i < LANES; i++) {
            const double u = a * slow[r + i], w = u - b * fast[r + i];
            s[i] += w * y[r + i];
            d[i] += u * fabs(y[r + i]);
            q[i] += w * w;
        }
    for (; r < run; r++) {
        const double u = a * slow[r], w = u - b * fast[r];
        s[0] += w * y[r];
        d[0] += u * fabs(y[r]);
        q[0] += w * w;
    }
    for (size_t i = 0; i < LANES; i++) {
        out->s += s[i];
        out->d += d[i];
        out->q += q[i];
    }
}

/* From slice point i on, count points; alpha and beta are the weights' parts at the first. Blocks
 * of the tables, cut where the slice turns. Returns the number of runs. */
static size_t add_points(const sc_fast_law *law, size_t i, size_t count, double alpha,
                         double beta, sums *out)
{
    const sc_exponentials *slow = &law->slow, *fast = &law->fast;
    size_t runs = 0;
    for (size_t j = 0; j < count; runs++) {
        /* Both tables in blocks of the shorter. */
        const unsigned log = slow->log < fast->log ? slow->log : fast->log;
        const size_t size = (size_t)1 << log, at = (law->turn + i + j) % law->points;
        size_t run = size - (j & (size - 1));
        run = run < count - j ? run : count - j;
        run = run < law->points - at ? run : law->points - at;
        const double sign = law->turn + i + j < law->points ? law->sign : -law->sign;
        sums part = {0, 0, 0};
        add_run(&law->y[at], &slow->fine[j & (((size_t)1 << slow->log) - 1)],
                &fast->fine[j & (((size_t)1 << fast->log) - 1)], run,
                alpha * slow->coarse[j >> slow->log], beta * fast->coarse[j >> fast->log],
                &part);
        out->s += sign * part.s;
        out->d += part.d;
        out->q += part.q;
        j += run;
    }
    return runs;
}

/* exp(-rate t) as a double, within 2u. */
static double decay(const sc_ball *t, double rate, bool is_one_more)
{
    SC_OWN(sc_ball, x);
    sc_ball_set_double(&x, rate);
    if (is_one_more)
        sc_ball_add_int64(&x, &x, 1, BITS);
    sc_ball_mul(&x, &x, t, BITS);
    sc_ball_neg(&x, &x);
    sc_ball_exp(&x, &x, BITS);
    return sc_ball_lower(&x);
}

/* A bound that is exp(-rate (point step - epsilon)) of x, or x where that is not less. */
static void fade(const sc_fast_law *law, const sc_ball *x, const sc_ball *rate,
                 sc_int128 point, const sc_ball *epsilon, sc_ball *out)
{
    SC_OWN(sc_ball, at, zero);
    sc_ball_set_ratio(&at, &law->step, BITS);
    sc_ball_set_int128(out, point);
    sc_ball_mul(&at, &at, out, BITS);
    sc_ball_sub(&at, epsilon, &at, BITS);
    sc_ball_mul(&at, &at, rate, BITS);
    if (!sc_ball_is_less(&at, &zero))
        sc_ball_set_int64(&at, 0);
    sc_ball_exp(&at, &at, BITS);
    sc_ball_mul(out, &at, x, BITS);
}

/* Mass that wrapped to the points from `from` on, and, for the upper side, mass above epsilon and
 * outside. Beyond the end this is the mass a slice beyond from; the rest is read with the weight of
 * the end at most. */
static void add_above(const sc_fast_law *law, const sc_ball *epsilon, sc_int128 from,
                      sc_ball *out)
{
    const sc_int128 end = law->first + (sc_int128)law->points;
    SC_OWN(sc_ball, rate, x, origin);
    sc_ball_set_double(&rate, law->above_tilt);
    sc_ball_set_double(&x, law->theta);
    sc_ball_sub(&rate, &rate, &x, BITS);
    fade(law, &law->above, &rate, from - law->first, &origin, &x);
    sc_ball_add(out, out, &x, BITS);
    if (law->side == SC_LOSS_UPPER) {
        sc_ball_set_double(&rate, law->theta);
        fade(law, &law->above, &rate, end, epsilon, &x);
        sc_ball_add(out, out, &x, BITS);
    }
}

/* The same of what is before the beginning: all of it where epsilon is, and that once more where the
 * upper side does not see it. */
static void add_below(const sc_fast_law *law, const sc_ball *epsilon, sc_int128 above,
                      sc_ball *out)
{
    SC_OWN(sc_ball, x);
    if (above < law->first) {
        sc_ball_mul_int64(&x, &law->below, law->side == SC_LOSS_UPPER ? 2 : 1, BITS);
    } else if (law->is_open) {
        sc_ball_set_double(&x, law->theta);
        sc_ball_mul(&x, &x, epsilon, BITS);
        sc_ball_sub(&x, &x, &law->log_scale, BITS);
        sc_ball_add(&x, &x, &law->log_folded, BITS);
        sc_ball_exp(&x, &x, BITS);
    } else {
        sc_ball_set(&x, &law->below);
    }
    sc_ball_add(out, out, &x, BITS);
}

/* How far the loop's s may be from the sum of w T over the slice. Each weight is off by at most 20u
 * exp(-theta t) (tables 6u, alpha and beta 2u, roundings), and a sum of blocks by the length of a
 * block and their number in u. */
static void set_error(const sc_fast_law *law, const sums *got, size_t count, size_t runs,
                      double cut, sc_ball *out)
{
    const double roundings = (double)(runs + ((size_t)1 << SC_EXPONENTIALS_LOG) + 40);
    SC_OWN(sc_ball, x);
    /* the sum itself, and weights too small for doubles */
    sc_ball_set_double(out, got->d * roundings * 0x1p-52 + 0x1p-600);
    /* |w|_2 times the noise */
    sc_ball_set_double(&x,
                       (sqrt(got->q) + sqrt((double)count) * 0x1p-48) * (1 + 0x1p-20));
    sc_ball_mul(&x, &x, &law->noise, BITS);
    sc_ball_add(out, out, &x, BITS);
    /* slice points beyond the cut */
    sc_ball_set_double(&x, cut);
    sc_ball_mul(&x, &x, &law->total, BITS);
    sc_ball_add(out, out, &x, BITS);
}

/* The sum of w T, from its side: at least 0. */
static void tilted_delta(const sc_fast_law *law, const sc_ball *epsilon, sc_int128 above,
                         sc_ball *out)
{
    sums got = {0, 0, 0};
    const sc_int128 end = law->first + (sc_int128)law->points;
    const sc_int128 from = above < law->first ? law->first : above;
    const double step = sc_ball_near(&law->step);
    size_t count = from < end ? (size_t)(end - from) : 0, runs = 0;
    double cut = 0;
    SC_OWN(sc_ball, t, zero);
    if (count > 0) {
        sc_ball_set_ratio(&t, &law->step, BITS);
        sc_ball_set_int128(out, from);
        sc_ball_mul(&t, &t, out, BITS);
        sc_ball_sub(&t, &t, epsilon, BITS);
        const double deep = DEEP / (law->theta * step);
        if (deep < (double)count) {
            count = (size_t)deep + 1;
            cut = exp(-DEEP) * 2;
        }
        runs =
            add_points(law, (size_t)(from - law->first), count,
                       decay(&t, law->theta, false), decay(&t, law->theta, true), &got);
    }
    set_error(law, &got, count, runs, cut, &t);
    add_above(law, epsilon, from, &t);
    add_below(law, epsilon, above, &t);
    sc_ball_set_upper(&t, &t, BITS);
    sc_ball_set_double(out, got.s);
    if (law->side == SC_LOSS_UPPER)
        sc_ball_add(out, out, &t, BITS);
    else
        sc_ball_sub(out, out, &t, BITS);
    if (!sc_ball_is_positive(out))
        sc_ball_set(out, law->side == SC_LOSS_UPPER ? &t : &zero);
}

void sc_fast_law_delta(const sc_fast_law *law, const sc_ratio *epsilon, sc_ball *out)
{
    sc_int128 above;
    SC_OWN(sc_ratio, quotient);
    SC_OWN(sc_integer, floor);
    SC_OWN(sc_ball, at, scale);
    sc_ratio_div(&quotient, epsilon, &law->step);
    sc_ratio_floor(&quotient, &floor);
    const bool is_near = sc_integer_get_int128(&floor, &above);
    const bool is_beyond = is_near ? above >= law->last : sc_integer_sign(&floor) > 0;
    if (is_beyond) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_ball_set_ratio(&at, epsilon, BITS);
        tilted_delta(law, &at, is_near ? above + 1 : law->first - 1, out);
        sc_ball_set_double(&scale, law->theta);
        sc_ball_mul(&scale, &scale, &at, BITS);
        sc_ball_sub(&scale, &law->log_scale, &scale, BITS);
        sc_ball_exp(&scale, &scale, BITS);
        sc_ball_mul(out, out, &scale, BITS);
    }
    sc_ball_add(out, out, &law->infinite, BITS);
}
