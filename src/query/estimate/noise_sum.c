#include "query/estimate/noise_sum.h"

#include "mechanism/threshold/noisy_threshold.h"
#include "query/estimate/real_digits.h"

#include <float.h>
#include <math.h>

/* Bounds of the rounding error of doubles, in a tail and in its argument. */
#define MARGIN 1e-9
/* Scales of continuous Laplace noises must differ by at least this ratio; closer ones are moved apart. */
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

/* Below a scale of 1/100, where the formula is inexact, a whole step. */
double sc_noise_laplace_within(double scale)
{
    const double e = -scale * log1p(expm1(-1 / scale) / 2);
    return scale < 0.01 ? 1 : 1 - e;
}

double sc_noise_gaussian_within(double sigma)
{
    return fmin(1, 0.5 + 0.4 / sigma);
}

void sc_noise_init(sc_noise *out, const sc_law *law)
{
    *out = (sc_noise){.scale = 0};
    if (law == NULL)
        return;
    const double shape = sc_ratio_upper(&law->shape);
    out->is_gaussian = law->functions == &sc_discrete_gaussian_law;
    out->scale = out->is_gaussian ? sqrt(shape) : shape;
    out->within = out->is_gaussian ? sc_noise_gaussian_within(out->scale)
                                   : sc_noise_laplace_within(out->scale);
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

/* A noise whose tails are those of H: P(>= x) is front exp(-x/scale) for x >= 0, and
 * 1 - front exp(-(back - x)/scale) below. */
typedef struct exponential {
    double scale, front, back;
} exponential;

static exponential continuous(double scale)
{
    return (exponential){scale, 0.5, 0};
}

/* H of the proof: not below a discrete Laplace noise, and the same at integers. */
static exponential discrete(double scale)
{
    return (exponential){scale, 1 / (2 + expm1(-1 / scale)), 1};
}

/* P(|Z + m J| >= s), s > 0: Z has the tails of h, J is discrete Laplace of scale b. */
static double with_lattice(exponential h, double b, double m, double s)
{
    const double one_less_q = -expm1(-1 / b), one_more_q = 2 - one_less_q;
    const double both = -expm1(-1 / b - m / h.scale); /* 1 - q p^m */
    const double last = floor(s / m);                 /* s - m k >= 0 up to k = last */
    const double next = last + 1;
    const double outside =
        exp(-s / h.scale) / both + geometric_run(m / h.scale - 1 / b, last, -s / h.scale);
    const double beyond =
        exp(-next / b) / one_less_q -
        h.front * exp(-(next * m - s + h.back) / h.scale - next / b) / both;
    return 2 * one_less_q / one_more_q * (h.front * outside + beyond);
}

/* Sums of one kind of noise; weights are above 0. */

typedef struct term {
    double weight, scale, within, times;
} term;

/* The weight of two discrete Laplaces is largest for the lattice, and so is the padding saved. */
static double laplace_pair(const term *small, const term *large, double s)
{
    return with_lattice(discrete(small->scale), large->scale,
                        large->weight / small->weight, s / small->weight);
}

/* Two that are made continuous, and the one of the largest weight as it is. The tail of the sum
 * of two continuous ones of scales x > y is x^2/(x^2 - y^2) times that of x alone, less
 * y^2/(x^2 - y^2) times that of y. */
static double laplace_triple(const term *a, const term *b, const term *large, double s)
{
    const double first = a->weight * a->scale, second = b->weight * b->scale;
    const double x = fmax(fmax(first, second), fmin(first, second) * (1 + APART));
    const double y = fmax(fmin(first, second), NEGLIGIBLE * x);
    const double ratio = y / x, apart = (1 - ratio) * (1 + ratio);
    s -= a->weight * a->within + b->weight * b->within;
    if (s <= 0)
        return 1;
    const double by_x = with_lattice(continuous(x), large->scale, large->weight, s);
    const double by_y = with_lattice(continuous(y), large->scale, large->weight, s);
    return (by_x - ratio * ratio * by_y) / apart + (by_x + by_y) / apart * 1e-13;
}

static double laplace_many(const term *terms, size_t count, double s)
{
    double scales[SC_NOISE_SUM_MAX], times[SC_NOISE_SUM_MAX];
    for (size_t i = 0; i < count; i++) {
        scales[i] = terms[i].weight * terms[i].scale;
        times[i] = terms[i].times;
        s -= terms[i].weight * terms[i].within * terms[i].times;
    }
    return s > 0 ? sc_noise_series_tail_upper(scales, times, count, s) : 1;
}

static double laplace_tail(term *terms, size_t count, double s)
{
    bool is_many = count > 3;
    for (size_t i = 0; i < count; i++)
        is_many = is_many || terms[i].times > 1;
    if (is_many)
        return laplace_many(terms, count, s);
    /* The largest step last. */
    for (size_t i = 0; i + 1 < count; i++)
        if (terms[i].weight > terms[count - 1].weight) {
            const term larger = terms[i];
            terms[i] = terms[count - 1];
            terms[count - 1] = larger;
        }
    if (count == 1)
        return 2 * discrete(terms[0].scale).front *
               exp(-s / terms[0].weight / terms[0].scale);
    if (count == 2)
        return laplace_pair(&terms[0], &terms[1], s);
    return laplace_triple(&terms[0], &terms[1], &terms[2], s);
}

static double gaussian_tail(const term *terms, size_t count, double s)
{
    double variance = 0, within = 0;
    for (size_t i = 0; i < count; i++) {
        const double sigma = terms[i].weight * terms[i].scale;
        variance += sigma * sigma * terms[i].times;
        within += terms[i].weight * terms[i].within * terms[i].times;
    }
    return s > within ? erfc((s - within) / sqrt(2 * variance)) + 1e-17 : 1;
}

/* The standard deviation, as far as sharing out is concerned. */
static double spread(const term *terms, size_t count, double factor)
{
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        const double sigma = terms[i].weight * terms[i].scale * factor;
        variance += sigma * sigma * terms[i].times;
    }
    return sqrt(variance);
}

static double times_of(const sc_noise_sum *sum, size_t place)
{
    return sum->times[place] > 1 ? sum->times[place] : 1;
}

double sc_noise_sum_tail_upper(const sc_noise_sum *sum, double s)
{
    term laplace[SC_NOISE_SUM_MAX] = {{0}}, gaussian[SC_NOISE_SUM_MAX] = {{0}};
    size_t laplaces = 0, gaussians = 0;
    double excess = 0, tail = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const sc_noise *noise = sum->terms[i];
        const term t = {sum->weights[i], noise->scale, noise->within, times_of(sum, i)};
        if (t.weight <= 0 || t.scale <= 0)
            continue;
        excess += t.times * noise->excess;
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
        far += sum->weights[i] * sum->terms[i]->scale * times_of(sum, i);
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

/* Bound of the rounding error of doubles, relative to a level or a radius. */
#define ROUNDING_OF_RADIUS 0x1p-40

scrim_status sc_noise_terms_radius(const sc_noise_term *terms, size_t count,
                                   const sc_ratio *beta, sc_ratio *out,
                                   scrim_error *error)
{
    sc_noise noises[SC_NOISE_SUM_MAX];
    sc_noise_sum sum = {.count = count};
    SC_OWN(sc_ratio, size, zero);
    for (size_t i = 0; i < count; i++) {
        sc_noise_init(&noises[i], terms[i].law);
        sc_ratio_set(&size, terms[i].weight);
        if (sc_ratio_sign(&size) < 0)
            sc_ratio_sub(&size, &zero, &size);
        sum.terms[i] = &noises[i];
        sum.weights[i] = sc_ratio_upper(&size);
        sum.times[i] = (double)terms[i].times;
    }
    const double radius =
        sc_noise_sum_radius_upper(&sum, sc_ratio_upper(beta) * (1 - ROUNDING_OF_RADIUS)) *
        (1 + ROUNDING_OF_RADIUS);
    if (!isfinite(radius))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the noise of a sum has no bound at this confidence; ask for a "
                       "lower one");
    sc_real_to_ratio(radius, out);
    return SCRIM_OK;
}

/* The bound is at most a few steps too far, or of no use. */
#define STEPS_DOWN 4
#define GUESS_MAX 0x1p100

static bool is_radius(const sc_law *law, sc_int128 radius, const sc_ball *beta)
{
    SC_OWN(sc_ball, tail);
    sc_law_at_least(law, radius + 1, 64, &tail);
    sc_ball_mul_int64(&tail, &tail, 2, 64);
    return sc_ball_is_less_equal(&tail, beta);
}

scrim_status sc_noise_law_radius(const sc_law *law, const sc_ratio *beta, sc_int128 *out,
                                 scrim_error *error)
{
    sc_noise noise;
    sc_ball level;
    sc_noise_init(&noise, law);
    const sc_noise_sum alone = {.terms = {&noise}, .weights = {1}, .count = 1};
    const double guess = ceil(sc_noise_sum_radius_upper(&alone, sc_ratio_upper(beta)));
    if (guess > GUESS_MAX)
        return sc_law_radius(law, beta, out, error);
    sc_int128 radius = (sc_int128)guess;
    sc_ball_init(&level);
    sc_ball_set_ratio(&level, beta, 128);
    bool is_known = is_radius(law, radius, &level), is_smaller = is_known;
    for (int i = 0; is_smaller && radius > 0 && i < STEPS_DOWN; i++) {
        is_smaller = is_radius(law, radius - 1, &level);
        radius -= is_smaller;
    }
    is_known = is_known && (!is_smaller || radius == 0);
    sc_ball_clear(&level);
    if (!is_known)
        return sc_law_radius(law, beta, out, error);
    *out = radius;
    return SCRIM_OK;
}

#define PI 3.14159265358979323846
/* Bound of the terms left out of the series, and of the mass beyond the circle. */
#define SERIES_NEGLIGIBLE 1e-10
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

static double how_many(const double *times, size_t place)
{
    return times == NULL ? 1 : times[place];
}

static double at_least(double scale, double times, double most)
{
    const double least = LEAST_SCALE * most / sqrt(times);
    return scale > least ? scale : least;
}

/* The logarithm of 2 E exp(t X), t b < 1 for every scale. */
static double moment(const double *scales, const double *times, size_t count, double most,
                     double t)
{
    double sum = log(2);
    for (size_t i = 0; i < count; i++) {
        const double n = how_many(times, i), tb = t * at_least(scales[i], n, most);
        sum -= n * log1p(-tb * tb);
    }
    return sum;
}

/* The logarithm of Markov's bound at the i-th of a few t. */
static double markov(const double *scales, const double *times, size_t count, double s,
                     int i)
{
    const double most = largest(scales, count), t = (1 - pow(0.8, i)) / most;
    return moment(scales, times, count, most, t) - t * s;
}

/* Markov's inequality at a few t: the best of them, which a search by halves finds, as the logarithm is convex in t. */
static double far_tail(const double *scales, const double *times, size_t count, double s)
{
    int first = 1, last = 39;
    while (first < last) {
        const int middle = (first + last) / 2;
        if (markov(scales, times, count, s, middle) <=
            markov(scales, times, count, s, middle + 1))
            last = middle;
        else
            first = middle + 1;
    }
    return fmax(exp(fmin(0, markov(scales, times, count, s, first))), DBL_MIN);
}

static double coefficient(const double *scales, const double *times, size_t count,
                          double most, double u)
{
    double product = 1;
    for (size_t i = 0; i < count; i++) {
        const double n = how_many(times, i), ub = u * at_least(scales[i], n, most);
        product *= n > 1 ? pow(1 + ub * ub, n) : 1 + ub * ub;
    }
    return 1 / product;
}

double sc_noise_series_tail_upper(const double *scales, const double *times, size_t count,
                                  double s)
{
    const double most = largest(scales, count), t = 0.5 / most;
    const double beyond = far_tail(scales, times, count, s);
    /* P(|sum| >= around) is negligible. */
    const double around =
        (moment(scales, times, count, most, t) - log(SERIES_NEGLIGIBLE)) / t;
    if (s >= around)
        return beyond;
    const double u = 2 * PI / (s + around), turn = u * s;
    double inside = turn / PI, f = 1;
    const double step_sine = sin(turn), step_cosine = cos(turn);
    double sine = step_sine, cosine = step_cosine;
    for (int j = 1; j < TERMS_MAX && (f > SERIES_NEGLIGIBLE || u * j * most < 10); j++) {
        f = coefficient(scales, times, count, most, u * j);
        inside += 2 / PI * f * sine / j;
        const double next = sine * step_cosine + cosine * step_sine;
        cosine = cosine * step_cosine - sine * step_sine;
        sine = next;
    }
    return fmin(beyond, fmin(1, 1 - inside + f + SERIES_NEGLIGIBLE + ROUNDING));
}

/* Beyond this the tail underflows to 0 in doubles. */
#define FARTHEST 39.0
#define HALVINGS 42

double sc_normal_quantile(double share)
{
    double low = -FARTHEST, high = FARTHEST;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < share)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
