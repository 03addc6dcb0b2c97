#include "query/estimate/noise_series.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846
/* What is left out of the series, and of the circle. */
#define NEGLIGIBLE 1e-10
#define ROUNDING 1e-11
#define LEAST_SCALE 0.1
#define TERMS_MAX 100000

static double largest(const double *scales, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, scales[i]);
    return most;
}

static double at_least(double scale, double most)
{
    return fmax(scale, LEAST_SCALE * most);
}

/* The logarithm of 2 E exp(t X), t b < 1 for every scale. */
static double moment(const double *scales, size_t count, double most, double t)
{
    double sum = log(2);
    for (size_t i = 0; i < count; i++) {
        const double tb = t * at_least(scales[i], most);
        sum -= log1p(-tb * tb);
    }
    return sum;
}

/* Markov's inequality at a few t: the best of them. */
static double far_tail(const double *scales, size_t count, double most, double s)
{
    double least = 0;
    for (int i = 1; i < 40; i++) {
        const double t = (1 - pow(0.8, i)) / most;
        least = fmin(least, moment(scales, count, most, t) - t * s);
    }
    return fmax(exp(least), DBL_MIN);
}

static double coefficient(const double *scales, size_t count, double most, double u)
{
    double product = 1;
    for (size_t i = 0; i < count; i++) {
        const double ub = u * at_least(scales[i], most);
        product /= 1 + ub * ub;
    }
    return product;
}

double sc_noise_series_tail_upper(const double *scales, size_t count, double s)
{
    const double most = largest(scales, count), t = 0.5 / most;
    const double beyond = far_tail(scales, count, most, s);
    /* P(|sum| >= around) is negligible. */
    const double around = (moment(scales, count, most, t) - log(NEGLIGIBLE)) / t;
    if (s >= around)
        return beyond;
    const double u = 2 * PI / (s + around), turn = u * s;
    double inside = turn / PI, f = 1;
    const double step_sine = sin(turn), step_cosine = cos(turn);
    double sine = step_sine, cosine = step_cosine;
    for (int j = 1; j < TERMS_MAX && (f > NEGLIGIBLE || u * j * most < 10); j++) {
        f = coefficient(scales, count, most, u * j);
        inside += 2 / PI * f * sine / j;
        const double next = sine * step_cosine + cosine * step_sine;
        cosine = cosine * step_cosine - sine * step_sine;
        sine = next;
    }
    return fmin(beyond, fmin(1, 1 - inside + f + NEGLIGIBLE + ROUNDING));
}
