#include "query/noise_sum.h"

#include "mechanism/threshold/noisy_threshold.h"

#include <math.h>

/* What doubles may have lost, in a tail and in its place. */
#define MARGIN 1e-9
/* Scales of Laplace noises differ by this much at least, or are made to. */
#define APART 1e-3
#define NEGLIGIBLE 1e-6

/* Noise. */

const sc_law *sc_noise_law(const scrim_measurement *m)
{
    if (m->mechanism->noise != NULL)
        return m->mechanism->noise(m);
    if (m->mechanism->law == sc_noisy_threshold_law)
        return &sc_noisy_threshold_of(m)->noise;
    return NULL;
}

static double upper(const sc_ratio *x)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, 64);
    const double result = sc_ball_upper(&ball);
    sc_ball_clear(&ball);
    return result;
}

/* 1 - scale ln(2/(1+p)); below a scale of 1/100, where that is inexact, a whole step. */
static double laplace_within(double scale)
{
    const double e = -scale * log1p(expm1(-1 / scale) / 2);
    return scale < 0.01 ? 1 : 1 - e;
}

void sc_noise_init(sc_noise *out, const sc_law *law)
{
    *out = (sc_noise){.scale = 0};
    if (law == NULL)
        return;
    const double shape = upper(&law->shape);
    out->is_gaussian = law->functions == &sc_discrete_gaussian_law;
    out->scale = out->is_gaussian ? sqrt(shape) : shape;
    out->within =
        out->is_gaussian ? fmin(1, 0.5 + 0.4 / out->scale) : laplace_within(out->scale);
    if (law->functions == &sc_truncated_laplace_law)
        out->excess = 2 * exp(-((double)law->bound + 1) / out->scale);
}

/* Laplace. */

/* sum of exp(slope k) for k = 1 .. count, times exp(at): no term overflows where the last one
 * does not. */
static double geometric_run(double slope, double count, double at)
{
    if (count < 1)
        return 0;
    if (slope == 0)
        return count * exp(at);
    if (slope > 0)
        return exp(slope * count + at) * (expm1(-slope * count) / expm1(-slope));
    return exp(slope + at) * (expm1(slope * count) / expm1(slope));
}

/* P(|Z + m J| >= s) by H of noise-sum's proof, s > 0: a and b are the scales of Z and J. */
static double laplace_pair(double a, double b, double m, double s)
{
    const double one_less_q = -expm1(-1 / b), one_more_q = 2 - one_less_q;
    const double one_more_p = 2 + expm1(-1 / a);
    const double both = -expm1(-1 / b - m / a); /* 1 - q p^m */
    const double last = floor(s / m);           /* s - m k >= 0 up to k = last */
    const double next = last + 1;
    const double outside =
        exp(-s / a) / both + geometric_run(m / a - 1 / b, last, -s / a);
    const double beyond = exp(-next / b) / one_less_q -
                          exp(-(next * m - s + 1) / a - next / b) / one_more_p / both;
    return 2 * one_less_q / one_more_q * (outside / one_more_p + beyond);
}

static double laplace_one(double scale, double s)
{
    return 2 * exp(-s / scale) / (2 + expm1(-1 / scale));
}

/* Largest first, each larger than the next by APART at least. */
static void separate(double *scales, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && scales[j] > scales[j - 1]; j--) {
            const double larger = scales[j];
            scales[j] = scales[j - 1];
            scales[j - 1] = larger;
        }
    for (size_t i = count; i-- > 0;) {
        scales[i] = fmax(scales[i], NEGLIGIBLE * scales[0]);
        if (i + 1 < count)
            scales[i] = fmax(scales[i], scales[i + 1] * (1 + APART));
    }
}

/* The tail of the sum of continuous Laplace variables. */
static double laplace_continuous(double *scales, size_t count, double s)
{
    double sum = 0, size = 0;
    separate(scales, count);
    for (size_t i = 0; i < count; i++) {
        double term = exp(-s / scales[i]);
        for (size_t j = 0; j < count; j++)
            if (j != i) {
                const double ratio = scales[j] / scales[i];
                term /= (1 - ratio) * (1 + ratio);
            }
        sum += term;
        size += fabs(term);
    }
    return sum + size * 1e-13;
}

/* Sums of one kind of noise; weights are above 0. */

typedef struct term {
    double weight, scale, within;
} term;

static double laplace_tail(const term *terms, size_t count, double s)
{
    double scales[SC_NOISE_SUM_MAX], within = 0;
    if (count == 1)
        return laplace_one(terms[0].scale, s / terms[0].weight);
    if (count == 2) {
        /* The smaller step is the one that is made continuous. */
        const term *small = terms[0].weight <= terms[1].weight ? &terms[0] : &terms[1];
        const term *large = small == terms ? &terms[1] : &terms[0];
        return laplace_pair(small->scale, large->scale, large->weight / small->weight,
                            s / small->weight);
    }
    for (size_t i = 0; i < count; i++) {
        scales[i] = terms[i].weight * terms[i].scale;
        within += terms[i].weight * terms[i].within;
    }
    return s > within ? laplace_continuous(scales, count, s - within) : 1;
}

static double gaussian_tail(const term *terms, size_t count, double s)
{
    double variance = 0, within = 0;
    for (size_t i = 0; i < count; i++) {
        const double sigma = terms[i].weight * terms[i].scale;
        variance += sigma * sigma;
        within += terms[i].weight * terms[i].within;
    }
    return s > within ? erfc((s - within) / sqrt(2 * variance)) + 1e-17 : 1;
}

/* The standard deviation, as far as sharing out is concerned. */
static double spread(const term *terms, size_t count, double factor)
{
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        const double sigma = terms[i].weight * terms[i].scale * factor;
        variance += sigma * sigma;
    }
    return sqrt(variance);
}

double sc_noise_sum_tail_upper(const sc_noise_sum *sum, double s)
{
    term laplace[SC_NOISE_SUM_MAX], gaussian[SC_NOISE_SUM_MAX];
    size_t laplaces = 0, gaussians = 0;
    double excess = 0, tail = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const sc_noise *noise = sum->terms[i];
        const term t = {sum->weights[i], noise->scale, noise->within};
        if (t.weight <= 0 || t.scale <= 0)
            continue;
        excess += noise->excess;
        if (noise->is_gaussian)
            gaussian[gaussians++] = t;
        else
            laplace[laplaces++] = t;
    }
    if (s <= 0)
        return 1;
    s *= 1 - MARGIN;
    const double by_gaussian = spread(gaussian, gaussians, 1);
    const double by_laplace = spread(laplace, laplaces, sqrt(2));
    const double share = s / (by_gaussian + by_laplace);
    if (gaussians > 0)
        tail += gaussian_tail(gaussian, gaussians, share * by_gaussian);
    if (laplaces > 0)
        tail += laplace_tail(laplace, laplaces, share * by_laplace);
    return fmin(1, tail * (1 + MARGIN) + excess);
}

double sc_noise_sum_radius_upper(const sc_noise_sum *sum, double beta)
{
    double far = 1e-30, near = 0;
    for (size_t i = 0; i < sum->count; i++)
        far += sum->weights[i] * sum->terms[i]->scale;
    while (sc_noise_sum_tail_upper(sum, far) > beta) {
        near = far;
        far *= 2;
        if (isinf(far))
            return far;
    }
    while (far - near > far * 1e-6) {
        const double middle = near + (far - near) / 2;
        if (sc_noise_sum_tail_upper(sum, middle) > beta)
            near = middle;
        else
            far = middle;
    }
    return far;
}
