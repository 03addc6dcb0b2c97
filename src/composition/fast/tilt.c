#include "composition/fast/tilt.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "base/work_limit.h"

#include <math.h>

#define SUM_BITS 256
#define LOSS_BITS_MAX 1600

scrim_status sc_fast_parts_check(const sc_fast_part *parts, size_t count,
                                 scrim_error *error)
{
    if (count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "part",
                           "nothing to compose");
    for (size_t i = 0; i < count; i++) {
        const sc_loss *loss = parts[i].loss, *first = parts[0].loss;
        if (loss->side != first->side || loss->bits != first->bits ||
            sc_ratio_compare(&loss->step, &first->step) != 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "part",
                               "composed losses must have the same side, step and unit");
        if (parts[i].count == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                               "a part is composed 0 times");
        if (loss->bits > LOSS_BITS_MAX || loss->count > SC_LOSS_POINTS)
            return sc_fail(error, SCRIM_E_LIMIT, "a loss has too many bits or points");
    }
    return SCRIM_OK;
}

bool sc_fast_parts_are_empty(const sc_fast_part *parts, size_t count)
{
    bool is = false;
    SC_OWN(sc_ball, sum);
    for (size_t i = 0; i < count && !is; i++) {
        sc_ball_sum(parts[i].loss->mass, parts[i].loss->count, parts[i].loss->bits, &sum);
        is = !sc_ball_is_positive(&sum);
    }
    return is;
}

void sc_fast_parts_infinite(const sc_fast_part *parts, size_t count, sc_ball *out)
{
    bool is_any = false;
    SC_OWN(sc_ball, finite, all, one, more);
    sc_ball_set_int64(&finite, 1);
    sc_ball_set_int64(&all, 1);
    for (size_t i = 0; i < count; i++) {
        const sc_loss *loss = parts[i].loss;
        const long bits = 2 * loss->bits + 128;
        sc_ball_sum(loss->mass, loss->count, loss->bits, &one);
        sc_ball_sum(&loss->infinite, 1, loss->bits, &more);
        is_any |= sc_ball_is_positive(&more);
        sc_ball_add(&more, &more, &one, bits);
        sc_ball_power(&one, &one, parts[i].count, bits);
        sc_ball_power(&more, &more, parts[i].count, bits);
        sc_ball_mul(&finite, &finite, &one, bits);
        sc_ball_mul(&all, &all, &more, bits);
    }
    sc_ball_sub(out, &all, &finite, SUM_BITS);
    if (!is_any)
        sc_ball_set_int64(out, 0);
}

#define EXPONENT_BITS 128
/* The exponent of fine stays within this, so that a result above 2^-900 has a normal coarse. */
#define FINE_RANGE 60

void sc_exponentials_init(sc_exponentials *e)
{
    *e = (sc_exponentials){0};
}

void sc_exponentials_clear(sc_exponentials *e)
{
    sc_free(e->coarse);
    sc_exponentials_init(e);
}

static unsigned block_log(const sc_ball *slope, size_t count)
{
    const double size = fmax(fabs(sc_ball_lower(slope)), fabs(sc_ball_upper(slope)));
    unsigned log = 0;
    while (log < SC_EXPONENTIALS_LOG && (size_t)1 << (2 * log) < count &&
           size * ldexp(1, (int)log + 1) <= FINE_RANGE)
        log++;
    return log;
}

/* out[j] = exp(offset + j slope), rounded down: an error below 2u. False when the work limit is reached. */
static bool fill(double *out, size_t count, const sc_ball *offset, const sc_ball *slope)
{
    SC_OWN(sc_ball, x);
    bool is_over = sc_work_limit_is_over();
    for (size_t j = 0; j < count && !is_over; j++) {
        sc_ball_mul_int64(&x, slope, (int64_t)j, EXPONENT_BITS);
        if (offset != NULL)
            sc_ball_add(&x, &x, offset, EXPONENT_BITS);
        sc_ball_exp(&x, &x, EXPONENT_BITS);
        out[j] = sc_ball_lower(&x);
        is_over = sc_work_limit_is_over();
    }
    return !is_over;
}

scrim_status sc_exponentials_fill(sc_exponentials *e, const sc_ball *offset,
                                  const sc_ball *slope, size_t count, scrim_error *error)
{
    sc_exponentials_clear(e);
    e->log = block_log(slope, count);
    e->blocks = (count >> e->log) + 1;
    e->coarse = sc_allocate(e->blocks + ((size_t)1 << e->log), sizeof *e->coarse);
    if (e->coarse == NULL)
        return sc_no_memory(error, "a table of exponentials");
    e->fine = e->coarse + e->blocks;
    SC_OWN(sc_ball, stride);
    sc_ball_mul_power2(&stride, slope, (long)e->log);
    const bool is_done = fill(e->coarse, e->blocks, offset, &stride) &&
                         fill(e->fine, (size_t)1 << e->log, NULL, slope);
    return is_done
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT, "a table of exponentials takes too long");
}

#define TILT_BITS 192
#define LEAST 0x1p-900

void sc_tilt_clear(sc_tilt *tilt)
{
    sc_free(tilt->x);
    *tilt = (sc_tilt){.x = NULL};
}

/* exp(theta z_j - log_scale) 2^-(bits / 2) for all points of the loss. */
static scrim_status factors(const sc_loss *loss, double theta, double log_scale,
                            sc_exponentials *out, scrim_error *error)
{
    SC_OWN(sc_ball, slope, offset, scale);
    sc_ball_set_ratio(&slope, &loss->step, TILT_BITS);
    sc_ball_set_double(&offset, theta);
    sc_ball_mul(&slope, &slope, &offset, TILT_BITS);
    sc_ball_mul_int64(&offset, &slope, loss->low, TILT_BITS);
    sc_ball_set_double(&scale, log_scale);
    sc_ball_sub(&offset, &offset, &scale, TILT_BITS);
    sc_ball_set_int64(&scale, 2);
    sc_ball_log(&scale, &scale, TILT_BITS);
    sc_ball_mul_int64(&scale, &scale, loss->bits / 2, TILT_BITS);
    sc_ball_sub(&offset, &offset, &scale, TILT_BITS);
    return sc_exponentials_fill(out, &offset, &slope, loss->count, error);
}

/* x_j = mass_j times its factor, turned by so much; returns an upper bound of their sum. The
 * product is within 9u of the truth (mass 2u, coarse and fine 2u each, two roundings), so that
 * (1 + 12u) makes it no smaller and (1 - 12u) no larger, after one more rounding. */
static double apply(const sc_loss *loss, const double *mass, const sc_exponentials *e,
                    double turn, double *x)
{
    const size_t size = (size_t)1 << e->log;
    double sum = 0;
    for (size_t b = 0; b << e->log < loss->count; b++) {
        const size_t from = b << e->log;
        const size_t run = loss->count - from < size ? loss->count - from : size;
        double part = 0;
        for (size_t r = 0; r < run; r++) {
            double value = 0;
            if (mass[from + r] > 0)
                value = mass[from + r] * e->coarse[b] * e->fine[r] * turn;
            if (value < LEAST)
                value = 0;
            if (x != NULL)
                x[from + r] = value;
            part += value;
        }
        sum += part;
    }
    /* Sums of n terms above 0 are within n u. */
    return sum * (1 + (double)(size + e->blocks + 2) * 0x1p-52);
}

scrim_status sc_tilt_set(sc_tilt *tilt, const sc_loss *loss, double theta, double near,
                         scrim_error *error)
{
    const double turn = loss->side == SC_LOSS_UPPER ? 1 + 12 * 0x1p-53 : 1 - 12 * 0x1p-53;
    sc_exponentials e;
    scrim_status status = SCRIM_OK;
    sc_exponentials_init(&e);
    sc_tilt_clear(tilt);
    tilt->x = sc_allocate(loss->count, 2 * sizeof *tilt->x);
    if (tilt->x == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a loss of %zu points",
                       loss->count);
    tilt->mass = tilt->x + loss->count;
    tilt->theta = theta;
    tilt->log_scale = near;
    sc_ball_doubles(loss->mass, loss->count, loss->bits - loss->bits / 2, tilt->mass);
    /* Once more where the first scale was rough. */
    for (int i = 0; i < 3 && status == SCRIM_OK; i++) {
        status = factors(loss, theta, tilt->log_scale, &e, error);
        if (status == SCRIM_OK)
            tilt->sum = apply(loss, tilt->mass, &e, turn, tilt->x);
        if (fabs(tilt->sum - 1) < 1e-12)
            break;
        if (i < 2 && tilt->sum > 0 && tilt->sum < HUGE_VAL)
            tilt->log_scale += log(tilt->sum);
    }
    if (status == SCRIM_OK && !(tilt->sum < 2))
        status =
            sc_fail(error, SCRIM_E_LIMIT, "the losses are too far apart for doubles");
    sc_exponentials_clear(&e);
    return status;
}

void sc_tilt_put(const sc_loss *loss, const sc_tilt *tilt, size_t points, double *out)
{
    const size_t mask = points - 1;
    for (size_t j = 0; j < points; j++)
        out[j] = 0;
    for (size_t j = 0; points > 0 && j < loss->count; j++)
        out[j & mask] += j / points % 2 == 0 ? tilt->x[j] : -tilt->x[j];
}

/* x_j is at most 22u above what the mass gives, and a product here 9u below: (1 + 40u) covers both,
 * and one 2^-890 each what is left out. */
scrim_status sc_tilt_log_moment(const sc_loss *loss, const sc_tilt *tilt, double theta,
                                double near, sc_ball *out, scrim_error *error)
{
    sc_exponentials e;
    sc_exponentials_init(&e);
    SC_OWN(sc_ball, scale);
    const scrim_status status = factors(loss, theta, near, &e, error);
    if (status == SCRIM_OK) {
        const double sum = apply(loss, tilt->mass, &e, 1 + 40 * 0x1p-53, NULL);
        sc_ball_set_double(out, sum + (double)loss->count * 0x1p-890);
        sc_ball_log(out, out, TILT_BITS);
        sc_ball_set_double(&scale, near);
        sc_ball_add(out, out, &scale, TILT_BITS);
    }
    sc_exponentials_clear(&e);
    return status;
}

#define POINTS 2048 /* of a part, at most */

void sc_saddle_init(sc_saddle *saddle)
{
    *saddle = (sc_saddle){0};
}

void sc_saddle_clear(sc_saddle *saddle)
{
    for (size_t i = 0; i < saddle->count; i++)
        sc_free(saddle->parts[i].point);
    sc_free(saddle->parts);
    sc_saddle_init(saddle);
}

/* Joins neighbouring points so that at most POINTS are left: their mass stands at their mean. */
static bool set_part(sc_saddle_part *out, const sc_fast_part *part, double step)
{
    const sc_loss *loss = part->loss;
    const size_t by = (loss->count + POINTS - 1) / POINTS;
    double *mass = sc_allocate(loss->count, sizeof *mass);
    out->times = (double)part->count;
    out->point = sc_allocate(2 * (size_t)POINTS, sizeof *out->point);
    if (out->point == NULL || mass == NULL) {
        sc_free(mass);
        return false;
    }
    out->log_mass = out->point + POINTS;
    /* In units of 2^-half: the smallest masses are no doubles. */
    const long half = loss->bits / 2;
    sc_ball_doubles(loss->mass, loss->count, loss->bits - half, mass);
    for (size_t j = 0; j < loss->count; j += by) {
        double sum = 0, moment = 0;
        for (size_t r = 0; r < by && j + r < loss->count; r++) {
            sum += mass[j + r];
            moment += mass[j + r] * (double)r;
        }
        if (!(sum > 0))
            continue;
        out->point[out->count] = ((double)loss->low + (double)j + moment / sum) * step;
        out->log_mass[out->count++] = log(sum) - (double)half * log(2);
    }
    sc_free(mass);
    return true;
}

scrim_status sc_saddle_set(sc_saddle *saddle, const sc_fast_part *parts, size_t count,
                           scrim_error *error)
{
    sc_saddle_clear(saddle);
    saddle->parts = sc_allocate(count, sizeof *saddle->parts);
    if (saddle->parts == NULL)
        return sc_no_memory(error, "the cumulants of a loss");
    saddle->count = count;
    for (size_t i = 0; i < count; i++) {
        const double step = sc_ball_near(&parts[i].loss->step);
        if (!set_part(&saddle->parts[i], &parts[i], step))
            return sc_no_memory(error, "the cumulants of a loss");
        /* There one step is worth e^50: nothing is left but the last point. */
        saddle->cap = 50 / step;
    }
    return SCRIM_OK;
}

/* Moments of one part, relative to its largest term. */
static void moments_of(const sc_saddle_part *part, double tilt, sc_cumulants *out)
{
    double largest = -HUGE_VAL, sum = 0, first = 0, second = 0, centre = 0;
    for (size_t j = 0; j < part->count; j++) {
        const double size = part->log_mass[j] + tilt * part->point[j];
        if (size > largest) {
            largest = size;
            centre = part->point[j];
        }
    }
    *out = (sc_cumulants){part->count == 0 ? -HUGE_VAL : 0, 0, 0};
    if (part->count == 0)
        return;
    for (size_t j = 0; j < part->count; j++) {
        const double size = part->log_mass[j] + tilt * part->point[j] - largest;
        const double off = part->point[j] - centre, weight = size < -80 ? 0 : exp(size);
        sum += weight;
        first += weight * off;
        second += weight * off * off;
    }
    out->k = largest + log(sum);
    out->mean = centre + first / sum;
    out->variance = fmax(0, second / sum - first / sum * (first / sum));
}

void sc_saddle_cumulants(const sc_saddle *saddle, double tilt, sc_cumulants *out)
{
    *out = (sc_cumulants){0, 0, 0};
    for (size_t i = 0; i < saddle->count; i++) {
        sc_cumulants one;
        moments_of(&saddle->parts[i], tilt, &one);
        out->k += saddle->parts[i].times * one.k;
        out->mean += saddle->parts[i].times * one.mean;
        out->variance += saddle->parts[i].times * one.variance;
    }
}

double sc_saddle_log_moment(const sc_saddle *saddle, size_t part, double tilt)
{
    sc_cumulants one;
    moments_of(&saddle->parts[part], tilt, &one);
    return one.k;
}

/* Newton's steps on the mean, which grows with the tilt, between ends that close in. */
double sc_saddle_tilt_to(const sc_saddle *saddle, double mean, double least)
{
    double low = least, high = saddle->cap, at = fmax(least, 0);
    for (int i = 0; i < 100 && high - low > 1e-7 * (1e-3 + fabs(at)); i++) {
        sc_cumulants c;
        sc_saddle_cumulants(saddle, at, &c);
        *(c.mean < mean ? &low : &high) = at;
        if (fabs(c.mean - mean) <= 1e-3 * sqrt(c.variance))
            break;
        double next = at + (mean - c.mean) / c.variance;
        if (!(next > low && next < high) || i % 8 == 7)
            next = (low + high) / 2;
        /* Limit each step, so that the search does not jump to an end that was never tried. */
        next = fmin(fmax(next, -4 * fabs(at) - 1), 4 * fabs(at) + 1);
        at = fmin(fmax(next, low), high);
    }
    return at;
}

/* exp(x^2 / 2) P(normal > x), x >= 0. */
static double mills(double x)
{
    if (x < 8)
        return exp(x * x / 2) * erfc(x * sqrt(0.5)) / 2;
    return (1 - 1 / (x * x) + 3 / (x * x * x * x)) / (x * 2.5066282746310002);
}

/* ln delta at the mean of the tilted law, as if that were normal. */
static double log_normal_delta(const sc_cumulants *c, double tilt)
{
    const double sigma = sqrt(c->variance);
    const double share = mills(tilt * sigma) - mills((tilt + 1) * sigma);
    return c->k - tilt * c->mean + log(fmax(share, 1e-9));
}

static double log_delta_at(const sc_saddle *saddle, double tilt)
{
    sc_cumulants c;
    sc_saddle_cumulants(saddle, tilt, &c);
    return log_normal_delta(&c, tilt);
}

double sc_saddle_tilt_for(const sc_saddle *saddle, double log_delta)
{
    double low = 0, high = 1;
    while (high < saddle->cap && log_delta_at(saddle, high) > log_delta) {
        low = high;
        high *= 4;
    }
    high = fmin(high, saddle->cap);
    for (int i = 0; i < 20 && high - low > 1e-3 * high; i++) {
        const double middle = (low + high) / 2;
        *(log_delta_at(saddle, middle) > log_delta ? &low : &high) = middle;
    }
    return low;
}

double sc_saddle_normal_tilt(double mean, double log_delta)
{
    double low = 0, high = 1e9;
    for (int i = 0; i < 200 && high - low > 1e-3 * high; i++) {
        const double at = low > 0 ? sqrt(low * high) : high / 16;
        const sc_cumulants c = {mean * at * (1 + at), mean * (1 + 2 * at), 2 * mean};
        *(log_normal_delta(&c, at) > log_delta ? &low : &high) = at;
        if (high < 1e-9)
            break;
    }
    return low;
}
