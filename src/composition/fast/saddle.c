#include "composition/fast/saddle.h"

#include "base/memory.h"
#include "base/number/ball_double.h"

#include <math.h>

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

/* Neighbours by so many together: their mass, at their mean. */
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
        /* In no haste to an end that was never tried. */
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
