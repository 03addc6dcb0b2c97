#include "composition/fast/fast_law.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "base/work_limit.h"
#include "composition/fast/tilt.h"

#include <math.h>

#define BITS SC_FAST_BITS

void sc_fast_law_init(sc_fast_law *law)
{
    *law = (sc_fast_law){.y = NULL};
    sc_ratio_init(&law->step);
    sc_ball_init(&law->log_scale);
    sc_ball_init(&law->total);
    sc_ball_init(&law->noise);
    sc_ball_init(&law->above);
    sc_ball_init(&law->below);
    sc_ball_init(&law->log_folded);
    sc_ball_init(&law->infinite);
    sc_exponentials_init(&law->slow);
    sc_exponentials_init(&law->fast);
}

void sc_fast_law_clear(sc_fast_law *law)
{
    sc_exponentials_clear(&law->fast);
    sc_exponentials_clear(&law->slow);
    sc_ball_clear(&law->infinite);
    sc_ball_clear(&law->log_folded);
    sc_ball_clear(&law->below);
    sc_ball_clear(&law->above);
    sc_ball_clear(&law->noise);
    sc_ball_clear(&law->total);
    sc_ball_clear(&law->log_scale);
    sc_ratio_clear(&law->step);
    sc_free(law->y);
}

/* The composition under way. */
typedef struct task {
    sc_fast_law *law;
    const sc_fast_part *parts;
    size_t count;
    const sc_saddle *saddle;
    sc_tilt *tilts;         /* of the parts */
    sc_int128 base, lowest; /* all parts' first points together, with mass and without */
    uint64_t times;         /* counts of all parts together */
    sc_fft *fft;
    double *other; /* a second part's values */
    double depth;
    bool may_open;
    sc_loss_work *work;
    double above, below; /* tilts that show how little is outside */
    unsigned log;
} task;

/* The slice. */

#define SPARE 12 /* in the exponent of what is outside */

static bool add_multiple(sc_int128 *sum, sc_int128 value, uint64_t times)
{
    sc_int128 product;
    return sc_int128_mul(value, (sc_int128)times, &product) &&
           sc_int128_add(*sum, product, sum);
}

/* Where the masses of all parts together begin and end, with room to spare for what is computed
 * from it. */
static scrim_status set_ends(task *w, scrim_error *error)
{
    const sc_int128 limit = (sc_int128)1 << 120;
    w->base = w->lowest = w->law->last = 0;
    w->times = 0;
    for (size_t i = 0; i < w->count; i++) {
        const sc_loss *loss = w->parts[i].loss;
        const double *mass = w->tilts[i].mass;
        const uint64_t count = w->parts[i].count;
        size_t low = 0, high = loss->count - 1;
        while (low < high && !(mass[low] > 0))
            low++;
        while (high > low && !(mass[high] > 0))
            high--;
        if (!add_multiple(&w->base, loss->low, count) ||
            !add_multiple(&w->lowest, (sc_int128)loss->low + (sc_int128)low, count) ||
            !add_multiple(&w->law->last, (sc_int128)loss->low + (sc_int128)high, count) ||
            !sc_uint64_add(w->times, count, &w->times) || w->base < -limit ||
            w->law->last > limit)
            return sc_fail(error, SCRIM_E_LIMIT,
                           "the losses of so many releases are unbounded; compose fewer");
    }
    return SCRIM_OK;
}

/* ln of the Chernoff bound for what lies beyond the point, at a tilt; here: at theta. */
static double beyond(const task *w, const sc_cumulants *here, double point, double tilt)
{
    sc_cumulants there;
    sc_saddle_cumulants(w->saddle, tilt, &there);
    return there.k - here->k - (tilt - w->law->theta) * point;
}

/* Is there a tilt that shows how little lies beyond the point? The mildest that does, and somewhat
 * better than asked if it can: near an end of the losses the best one is of any size, where the
 * cumulants know nothing. The first to be tried would do for a normal law. */
static bool is_shown(const task *w, double mean, double point, bool is_above,
                     double *tilt)
{
    const double theta = w->law->theta, wanted = w->depth + SPARE;
    sc_cumulants here;
    sc_saddle_cumulants(w->saddle, theta, &here);
    double near = theta, far = theta + 2 * wanted / (point - mean);
    if (!(beyond(w, &here, point, far) <= -wanted)) {
        far = sc_saddle_tilt_to(w->saddle, point, is_above ? theta : -w->saddle->cap);
        const double best = beyond(w, &here, point, far);
        if (!(best < -w->depth))
            return false;
        for (int i = 0; i < 40 && fabs(far - near) > fabs(far - theta) / 8; i++) {
            const double middle = near + (far - near) / 2;
            const double value = beyond(w, &here, point, middle);
            *(value <= fmax(best, -wanted) ? &far : &near) = middle;
        }
    }
    *tilt = far;
    return is_above ? far > theta : far < theta; /* the others would show nothing */
}

/* An eighth of an open slice lies below the mean, since epsilon is near the mean. */
#define OPEN_BELOW 8

/* Would what is folded in from below be little? ln of it, relative to the Chernoff bound. */
static bool can_open(const task *w, double slice)
{
    sc_cumulants here, none;
    sc_saddle_cumulants(w->saddle, w->law->theta, &here);
    sc_saddle_cumulants(w->saddle, 0, &none);
    const double log_bound = here.k - w->law->theta * here.mean;
    return w->may_open && none.k - w->law->theta * slice - log_bound <= -w->depth;
}

/* Is little beyond the end? Of an open slice, what is beyond it is read with small weights, and only
 * what is a slice beyond epsilon wraps to where it counts. */
static bool is_high_shown(task *w, double mean, double top, double slice)
{
    const double theta = w->law->theta;
    if (!w->law->is_open)
        return is_shown(w, mean, top, true, &w->above);
    sc_cumulants here;
    sc_saddle_cumulants(w->saddle, theta, &here);
    return is_shown(w, mean, mean + slice, true, &w->above) &&
           beyond(w, &here, top, w->above) - theta * (top - mean) < -w->depth;
}

/* 2^log points around the mean; true when little enough lies outside. */
static bool place_slice(task *w, double mean)
{
    sc_fast_law *law = w->law;
    const double step = sc_ball_near(&law->step);
    const sc_int128 points = (sc_int128)1 << w->log, whole = law->last - w->lowest + 1;
    const double slice = (double)points * step;
    law->points = (size_t)points;
    law->is_open = can_open(w, slice);
    law->first = (sc_int128)(mean / step) - points / (law->is_open ? OPEN_BELOW : 2);
    if (law->first < w->lowest || points >= whole)
        law->first = w->lowest;
    else if (law->first + points > law->last + 1)
        law->first = law->last + 1 - points;
    const double bottom = (double)(law->first - 1) * step;
    const double top = (double)(law->first + points) * step;
    return (law->first == w->lowest || law->is_open ||
            is_shown(w, mean, bottom, false, &w->below)) &&
           (law->first + points > law->last || is_high_shown(w, mean, top, slice));
}

/* Bounds. */

/* sum += x times. */
static void add_times(sc_ball *sum, const sc_ball *x, uint64_t times)
{
    SC_OWN(sc_ball, product);
    sc_ball_set_int128(&product, (sc_int128)times);
    sc_ball_mul(&product, &product, x, BITS);
    sc_ball_add(sum, sum, &product, BITS);
}

/* The product of bound^count over the parts. */
static void set_total(const task *w, sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(out, 1);
    for (size_t i = 0; i < w->count; i++) {
        sc_ball_set_double(&one, w->tilts[i].sum);
        sc_ball_power(&one, &one, w->parts[i].count, BITS);
        sc_ball_mul(out, out, &one, BITS);
    }
}

/* The sum over the parts of count times ln of their moment at a tilt, or more. */
static scrim_status log_moments(const task *w, double tilt, sc_ball *out,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < w->count && status == SCRIM_OK; i++) {
        status =
            sc_tilt_log_moment(w->parts[i].loss, &w->tilts[i], tilt,
                               sc_saddle_log_moment(w->saddle, i, tilt), &one, error);
        add_times(out, &one, w->parts[i].count);
    }
    return status;
}

/* A bound of the tilted mass at or beyond the point s: with another tilt t on the same side as s,
 * exp((t - theta)(z - s step)) >= 1 there. */
static scrim_status bound_outside(task *w, sc_int128 s, double tilt, sc_ball *out,
                                  scrim_error *error)
{
    sc_fast_law *law = w->law;
    SC_OWN(sc_ball, sum, one, step);
    sc_ball_set_ratio(&step, &law->step, BITS);
    sc_ball_set_double(&sum, law->theta);
    sc_ball_set_double(&one, tilt);
    sc_ball_sub(&sum, &sum, &one, BITS);
    sc_ball_mul(&sum, &sum, &step, BITS);
    sc_ball_set_int128(&one, s);
    sc_ball_mul(&sum, &sum, &one, BITS);
    sc_ball_sub(&sum, &sum, &law->log_scale, BITS);
    const scrim_status status = log_moments(w, tilt, &one, error);
    sc_ball_add(&sum, &sum, &one, BITS);
    sc_ball_exp(&sum, &sum, BITS);
    sc_ball_set_upper(out, &sum, BITS);
    return status;
}

/* The mass that folds into an open slice from below. */
static scrim_status set_folded(task *w, scrim_error *error)
{
    sc_fast_law *law = w->law;
    SC_OWN(sc_ball, slice, slope);
    sc_ball_set_ratio(&slice, &law->step, BITS);
    sc_ball_mul_int64(&slice, &slice, (int64_t)law->points, BITS);
    sc_ball_set_double(&slope, law->theta);
    sc_ball_mul(&slice, &slice, &slope, BITS);
    const scrim_status status = log_moments(w, 0, &law->log_folded, error);
    sc_ball_sub(&law->log_folded, &law->log_folded, &slice, BITS);
    sc_ball_set(&law->below, &law->total);
    return status;
}

/* Bounds of what is outside the slice, on both sides. */
static scrim_status set_outside(task *w, scrim_error *error)
{
    sc_fast_law *law = w->law;
    const sc_int128 end = law->first + (sc_int128)law->points;
    scrim_status status = SCRIM_OK;
    sc_ball_set_int64(&law->above, 0);
    sc_ball_set_int64(&law->below, 0);
    law->above_tilt = law->theta;
    law->is_open = law->is_open && law->first > w->lowest;
    if (law->is_open)
        status = set_folded(w, error);
    else if (law->first > w->lowest)
        status = bound_outside(w, law->first - 1, w->below, &law->below, error);
    if (status == SCRIM_OK && end <= law->last) {
        law->above_tilt = w->above;
        status = bound_outside(w, end, w->above, &law->above, error);
    }
    return status;
}

/* Is what the bounds say about a delta at the mean as little as the cumulants said? */
static bool is_little(const task *w, double mean)
{
    const sc_fast_law *law = w->law;
    const double step = sc_ball_near(&law->step), theta = law->theta;
    const double from = mean - (double)law->first * step;
    const double above = sc_ball_upper(&law->above);
    const double most = exp(8 - w->depth);
    if (!law->is_open)
        return above + sc_ball_upper(&law->below) <= most;
    const double to = (double)law->points * step - from;
    const double folded = theta * mean + sc_ball_upper(&law->log_folded);
    return above * exp(-(law->above_tilt - theta) * from) + above * exp(-theta * to) <=
               most &&
           folded - sc_ball_lower(&law->log_scale) <= 8 - w->depth;
}

/* How many points would do for a normal law. */
static double points_for(const task *w, const sc_cumulants *c)
{
    const double theta = w->law->theta, step = sc_ball_near(&w->law->step);
    const double whole = (double)(w->law->last - w->lowest) + 1;
    const double half = sqrt(2 * w->depth * c->variance);
    double wanted = 2 * half;
    if (w->may_open && theta > 0)
        wanted = fmin(wanted, fmax(half, (w->depth - c->k) / theta + c->mean));
    return fmin(whole, wanted / step + 2);
}

/* The smallest slice with little outside: first by the cumulants, which are near, and twice as wide
 * as long as the bound says that they were not. */
static scrim_status set_slice(task *w, scrim_error *error)
{
    sc_cumulants c;
    sc_saddle_cumulants(w->saddle, w->law->theta, &c);
    const double wanted = points_for(w, &c);
    w->log = SC_FFT_LOG_MIN;
    while (w->log <= SC_FFT_LOG_MAX && ldexp(1, (int)w->log) < wanted)
        w->log++;
    for (; w->log <= SC_FFT_LOG_MAX; w->log++) {
        if (!place_slice(w, c.mean))
            continue;
        const scrim_status status = set_outside(w, error);
        if (status != SCRIM_OK || is_little(w, c.mean))
            return status;
    }
    return sc_fail(error, SCRIM_E_LIMIT,
                   "a loss on this grid needs more than %d points; take a wider step",
                   1 << SC_FFT_LOG_MAX);
}

/* Roundings: rho = (1 + 5u)^levels (1 + folds u) (1 + 3u) - 1 for each of times factors, the
 * powers that were cut, the inverse, and what was too small for doubles. */
static void set_noise(task *w)
{
    sc_fast_law *law = w->law;
    SC_OWN(sc_ball, inverse, rho, x);
    sc_fft_error(w->fft, &inverse);
    uint64_t folds = 3;
    for (size_t i = 0; i < w->count; i++)
        folds += w->parts[i].loss->count / law->points;
    sc_ball_set_int64(&x, (int64_t)folds);
    sc_ball_mul_power2(&x, &x, -52);
    sc_ball_add_int64(&x, &x, 1, BITS);
    sc_ball_add_int64(&rho, &inverse, 1, BITS);
    sc_ball_mul(&rho, &rho, &x, BITS);
    sc_ball_power(&rho, &rho, w->times, BITS);
    sc_ball_add_int64(&rho, &rho, -1, BITS);
    sc_ball_set_int64(&x, (int64_t)w->count);
    sc_ball_mul_power2(&x, &x, 1 - SC_FFT_CUT);
    sc_ball_add(&rho, &rho, &x, BITS);
    sc_ball_set_int128(&x, (sc_int128)w->times);
    sc_ball_mul_power2(&x, &x, -700);
    sc_ball_add(&rho, &rho, &x, BITS);
    sc_ball_add_int64(&x, &rho, 1, BITS);
    sc_ball_mul(&x, &x, &inverse, BITS);
    sc_ball_add(&rho, &rho, &x, BITS);
    sc_ball_set_int64(&x, 1);
    sc_ball_set_union(&x, &x, &law->total, BITS);
    sc_ball_mul(&law->noise, &rho, &x, BITS);
    sc_ball_set_upper(&law->noise, &law->noise, BITS);
}

/* The transforms. */

/* The values of one part's tilted masses to their power. */
static void transform_part(task *w, size_t i, double *x)
{
    sc_tilt_put(w->parts[i].loss, &w->tilts[i], w->law->points, x);
    sc_fft_forward(w->fft, x);
    sc_fft_power(w->fft, x, w->parts[i].count);
}

/* Four thousand butterflies or products a step; as many tilted masses. */
static bool can_transform(const task *w)
{
    const size_t points = w->law->points / 4000 + 1;
    uint64_t each = w->log + 4;
    for (size_t i = 0; i < w->count; i++)
        each += w->log + 2 * sc_bit_length64(w->parts[i].count) +
                40 * (w->parts[i].loss->count / w->law->points + 1);
    return sc_loss_work_spend_each(w->work, points, each);
}

static scrim_status transform(task *w, scrim_error *error)
{
    sc_fast_law *law = w->law;
    if (!can_transform(w))
        return sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    const scrim_status status = sc_fft_prepare(w->fft, w->log, error);
    if (status != SCRIM_OK)
        return status;
    law->y = sc_allocate(law->points, sizeof *law->y);
    if (w->count > 1)
        w->other = sc_allocate(law->points, sizeof *w->other);
    if (law->y == NULL || (w->count > 1 && w->other == NULL))
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a loss of %zu points",
                       law->points);
    transform_part(w, 0, law->y);
    bool is_over = sc_work_limit_is_over();
    for (size_t i = 1; i < w->count && !is_over; i++) {
        transform_part(w, i, w->other);
        sc_fft_multiply(w->fft, law->y, w->other);
        is_over = sc_work_limit_is_over();
    }
    if (is_over)
        return sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    sc_fft_inverse(w->fft, law->y);
    /* Point base is at 0; each turn changes the sign. */
    const sc_int128 from = law->first - w->base, points = (sc_int128)law->points;
    law->turn = (size_t)(from % points);
    law->sign = from / points % 2 == 0 ? 1 : -1;
    return SCRIM_OK;
}

static scrim_status tilt_parts(task *w, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, one);
    for (size_t i = 0; i < w->count && status == SCRIM_OK; i++) {
        status = sc_tilt_set(&w->tilts[i], w->parts[i].loss, w->law->theta,
                             sc_saddle_log_moment(w->saddle, i, w->law->theta), error);
        sc_ball_set_double(&one, w->tilts[i].log_scale);
        add_times(&w->law->log_scale, &one, w->parts[i].count);
    }
    return status;
}

/* The tables that every reading needs. */
static scrim_status set_exponentials(sc_fast_law *law, scrim_error *error)
{
    SC_OWN(sc_ball, slope, step, none);
    sc_ball_set_ratio(&step, &law->step, BITS);
    sc_ball_set_double(&slope, -law->theta);
    sc_ball_mul(&slope, &slope, &step, BITS);
    scrim_status status =
        sc_exponentials_fill(&law->slow, &none, &slope, law->points, error);
    sc_ball_sub(&slope, &slope, &step, BITS);
    if (status == SCRIM_OK)
        status = sc_exponentials_fill(&law->fast, &none, &slope, law->points, error);
    return status;
}

static scrim_status compose(task *w, scrim_error *error)
{
    sc_fast_law *law = w->law;
    scrim_status status;
    if ((status = tilt_parts(w, error)) != SCRIM_OK ||
        (status = set_ends(w, error)) != SCRIM_OK)
        return status;
    set_total(w, &law->total);
    if ((status = set_slice(w, error)) != SCRIM_OK ||
        (status = transform(w, error)) != SCRIM_OK ||
        (status = set_exponentials(law, error)) != SCRIM_OK)
        return status;
    set_noise(w);
    sc_fast_parts_infinite(w->parts, w->count, &law->infinite);
    return SCRIM_OK;
}

scrim_status sc_fast_law_set(sc_fast_law *law, const sc_fast_part *parts, size_t count,
                             const sc_saddle *saddle, double theta, double depth,
                             bool may_open, sc_fft *fft, sc_loss_work *work,
                             scrim_error *error)
{
    task w = {.law = law,
              .parts = parts,
              .count = count,
              .saddle = saddle,
              .depth = depth,
              .may_open = may_open,
              .fft = fft,
              .work = work};
    law->side = parts[0].loss->side;
    law->theta = theta;
    sc_ratio_set(&law->step, &parts[0].loss->step);
    w.tilts = sc_allocate(count, sizeof *w.tilts);
    const scrim_status status =
        w.tilts != NULL ? compose(&w, error) : sc_no_memory(error, "a loss");
    for (size_t i = 0; w.tilts != NULL && i < count; i++)
        sc_tilt_clear(&w.tilts[i]);
    sc_free(w.tilts);
    sc_free(w.other);
    return status;
}

double sc_fast_law_at(const sc_fast_law *law, size_t i)
{
    const size_t at = law->turn + i;
    return at < law->points ? law->sign * law->y[at]
                            : -law->sign * law->y[at - law->points];
}
