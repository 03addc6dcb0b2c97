/* Reading delta from a tilted law:
 *
 *     delta = exp(log_scale - theta epsilon) sum w_s T_s + infinite,
 *     w_s = exp(-theta t) - exp(-(theta + 1) t),  t = s step - epsilon > 0,  else 0.
 *
 * The sum over the window is computed from y in doubles; what it may be off is added (upper side) or
 * taken away (lower side). 0 <= w <= 1. */
#include "base/ball_double.h"
#include "composition/fast_law.h"

#include <math.h>

#define BITS SC_FAST_BITS
/* Points with a weight below exp(-DEEP) are paid for, not read. */
#define DEEP 70

/* What the loop adds up: s of w y, d of exp(-theta t) |y|, q of w^2. */
typedef struct sums {
    double s, d, q;
} sums;

static void add_run(const double *restrict y, const double *restrict slow,
                    const double *restrict fast, size_t run, double a, double b,
                    sums *out)
{
    double s = 0, d = 0, q = 0;
    for (size_t r = 0; r < run; r++) {
        const double u = a * slow[r], w = u - b * fast[r];
        s += w * y[r];
        d += u * fabs(y[r]);
        q += w * w;
    }
    out->s += s;
    out->d += d;
    out->q += q;
}

/* From window point i on, count points; alpha and beta are the weights' parts at the first. Blocks
 * of the tables, cut where the window turns. Returns the number of runs. */
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
    sc_ball x;
    sc_ball_init(&x);
    sc_ball_set_double(&x, rate);
    if (is_one_more)
        sc_ball_add_int64(&x, &x, 1, BITS);
    sc_ball_mul(&x, &x, t, BITS);
    sc_ball_neg(&x, &x);
    sc_ball_exp(&x, &x, BITS);
    const double out = sc_ball_lower(&x);
    sc_ball_clear(&x);
    return out;
}

/* How far the loop's s may be from the sum of w T over all points above epsilon. Each weight is off
 * by at most 20u exp(-theta t) (tables 6u, alpha and beta 2u, roundings), and a sum of blocks by the
 * length of a block and their number in u. */
static void set_error(const sc_fast_law *law, const sums *got, size_t count, size_t runs,
                      double cut, sc_ball *out)
{
    const double roundings = (double)(runs + ((size_t)1 << SC_EXPONENTIALS_LOG) + 40);
    sc_ball x;
    sc_ball_init(&x);
    /* the sum itself, and weights too small for doubles */
    sc_ball_set_double(out, got->d * roundings * 0x1p-52 + 0x1p-600);
    /* |w|_2 times the noise */
    sc_ball_set_double(&x,
                       (sqrt(got->q) + sqrt((double)count) * 0x1p-48) * (1 + 0x1p-20));
    sc_ball_mul(&x, &x, &law->noise, BITS);
    sc_ball_add(out, out, &x, BITS);
    /* window points beyond the cut */
    sc_ball_set_double(&x, cut);
    sc_ball_mul(&x, &x, &law->total, BITS);
    sc_ball_add(out, out, &x, BITS);
    /* what wrapped, and, for the upper side, what is outside */
    sc_ball_mul_int64(&x, &law->outside, law->side == SC_LOSS_UPPER ? 2 : 1, BITS);
    sc_ball_add(out, out, &x, BITS);
    sc_ball_set_upper(out, out, BITS);
    sc_ball_clear(&x);
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
    sc_ball t, zero;
    sc_ball_init(&t);
    sc_ball_init(&zero);
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
    sc_ball_set_double(out, got.s);
    if (law->side == SC_LOSS_UPPER)
        sc_ball_add(out, out, &t, BITS);
    else
        sc_ball_sub(out, out, &t, BITS);
    if (!sc_ball_is_positive(out))
        sc_ball_set(out, law->side == SC_LOSS_UPPER ? &t : &zero);
    sc_ball_clear(&zero);
    sc_ball_clear(&t);
}

void sc_fast_law_delta(const sc_fast_law *law, const sc_ratio *epsilon, sc_ball *out)
{
    sc_ratio quotient;
    sc_integer floor;
    sc_ball at, scale;
    sc_int128 above;
    sc_ratio_init(&quotient);
    sc_integer_init(&floor);
    sc_ball_init(&at);
    sc_ball_init(&scale);
    sc_ratio_div(&quotient, epsilon, &law->step);
    sc_ratio_floor(&quotient, &floor);
    const bool is_near = sc_integer_get_int128(&floor, &above);
    const bool is_beyond = is_near ? above >= law->last : sc_integer_sign(&floor) > 0;
    if (is_beyond) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_ball_set_ratio(&at, epsilon, BITS);
        tilted_delta(law, &at, is_near ? above + 1 : law->first, out);
        sc_ball_set_double(&scale, law->theta);
        sc_ball_mul(&scale, &scale, &at, BITS);
        sc_ball_sub(&scale, &law->log_scale, &scale, BITS);
        sc_ball_exp(&scale, &scale, BITS);
        sc_ball_mul(out, out, &scale, BITS);
    }
    sc_ball_add(out, out, &law->infinite, BITS);
    sc_ball_clear(&scale);
    sc_ball_clear(&at);
    sc_integer_clear(&floor);
    sc_ratio_clear(&quotient);
}
