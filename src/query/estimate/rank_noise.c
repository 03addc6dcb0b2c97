#include "query/estimate/rank_noise.h"

#include "base/memory.h"

#include <math.h>

/* Sums that are kept, and how fine a scale is. */
#define SUMS 64
#define FINE 128.0
/* What is beyond so many deviations of the largest sum, and scales of one noise, is next to nothing. */
#define DEVIATIONS 7
#define SCALES 30
/* What doubles may have lost, of a probability and in a place. */
#define LOST 1e-12
#define MARGIN 1e-9
/* Of variances of at least this the sum is known. */
#define VARIANCE_KNOWN 0.5
#define CERTAIN 1e-6

struct sc_rank_noise {
    sc_noise ring;
    /* Of Laplace noise: sums of stride, 2 stride, ... noises, in units of so many steps; each noise is so
     * near to one of those units. */
    size_t stride, sums;
    double unit, within;
    int64_t reach;
    double *tails;  /* by sum and by place from 0 to reach: P(at least so much) */
    int64_t *far;   /* by sum: beyond there is less than LOST to either side */
    double *excess; /* by sum: what may be beyond */
};

/* Laplace. */

static const double *tail_of(const sc_rank_noise *noise, size_t sum)
{
    return noise->tails + sum * ((size_t)noise->reach + 1);
}

/* P(the sum is at least x), without its excess. */
static double at_least(const sc_rank_noise *noise, size_t sum, double x)
{
    const double *tail = tail_of(noise, sum);
    const double whole = ceil(x - MARGIN * (1 + fabs(x)));
    if (whole > (double)noise->reach)
        return 0;
    if (whole > 0)
        return tail[(size_t)whole];
    return 1 - whole > (double)noise->reach ? 1 : 1 - tail[(size_t)(1 - whole)];
}

/* One noise more: masses has 2 reach + 1 places. */
static void add_noise(double *masses, int64_t reach, double ratio)
{
    const size_t count = 2 * (size_t)reach + 1;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        masses[i] = sum = ratio * sum + (1 - ratio) * masses[i];
    sum = 0;
    for (size_t i = count; i-- > 0;)
        masses[i] = sum = ratio * sum + (1 - ratio) * masses[i];
}

static void keep_tails(sc_rank_noise *noise, size_t sum, const double *masses)
{
    double *tail = noise->tails + sum * ((size_t)noise->reach + 1);
    double far = 0;
    for (int64_t x = noise->reach; x >= 0; x--)
        tail[x] = far += masses[noise->reach + x];
    /* Both sides, and the middle once. */
    const double all = 2 * far - masses[noise->reach];
    noise->excess[sum] = (all < 1 ? 1 - all : 0) + 3 * LOST;
    noise->far[sum] = noise->reach;
    while (noise->far[sum] > 0 && tail[noise->far[sum]] < LOST)
        noise->far[sum]--;
}

static scrim_status make_sums(sc_rank_noise *noise, size_t most, scrim_error *error)
{
    const double scale = noise->ring.scale;
    noise->stride = (most + SUMS - 1) / SUMS;
    noise->sums = (most + noise->stride - 1) / noise->stride;
    noise->unit = scale > FINE ? ceil(scale / FINE) : 1;
    const double fine = scale / noise->unit;
    if (noise->unit > 1)
        noise->within = noise->ring.within + noise->unit * sc_noise_laplace_within(fine);
    noise->reach = (int64_t)ceil(
        fine * (DEVIATIONS * sqrt(2.0 * (double)(most + noise->stride)) + SCALES));
    const size_t places = (size_t)noise->reach + 1;
    double *masses = sc_allocate(2 * places - 1, sizeof *masses);
    noise->tails = sc_allocate(noise->sums * places, sizeof *noise->tails);
    noise->excess = sc_allocate(noise->sums, sizeof *noise->excess);
    noise->far = sc_allocate(noise->sums, sizeof *noise->far);
    const bool is_there = masses != NULL && noise->tails != NULL &&
                          noise->excess != NULL && noise->far != NULL;
    if (is_there)
        masses[noise->reach] = 1;
    for (size_t i = 0; is_there && i < noise->sums; i++) {
        for (size_t k = 0; k < noise->stride; k++)
            add_noise(masses, noise->reach, exp(-1 / fine));
        keep_tails(noise, i, masses);
    }
    sc_free(masses);
    return is_there ? SCRIM_OK : sc_no_memory(error, "an interval");
}

/* The kept sum of at least so many noises, of which there is one. */
static size_t sum_of(const sc_rank_noise *noise, size_t count)
{
    return (count + noise->stride - 1) / noise->stride - 1;
}

static double laplace_tail(const sc_rank_noise *noise, double p, size_t left,
                           size_t right, double s)
{
    /* A sum of two that are on different lattices, one of which was made larger, falls off evenly but
     * for a unit. */
    const double uneven = noise->stride > 1 && left > 0 && right > 0 ? noise->unit : 0;
    const double near =
        noise->within * ((1 - p) * (double)left + p * (double)right) + uneven;
    const double far = (s * (1 - MARGIN) - near) / noise->unit;
    if (far <= 0)
        return 1;
    if (left == 0 || right == 0) {
        const size_t sum = sum_of(noise, left + right);
        return at_least(noise, sum, far / (left == 0 ? p : 1 - p)) + noise->excess[sum];
    }
    const size_t a = sum_of(noise, left), b = sum_of(noise, right);
    double tail = noise->excess[a] + noise->excess[b];
    /* One of the two has half of the way to go: soon said, and enough where that is next to nothing. */
    const double either =
        at_least(noise, a, far / 2 / (1 - p)) + at_least(noise, b, far / 2 / p);
    if (either < CERTAIN)
        return tail + either;
    double before = at_least(noise, a, (double)-noise->far[a]);
    for (int64_t x = -noise->far[a]; x <= noise->far[a]; x++) {
        const double next = at_least(noise, a, (double)x + 1);
        tail += (before - next) * at_least(noise, b, (far - (1 - p) * (double)x) / p);
        before = next;
    }
    return tail;
}

/* Gaussian. */

static sc_noise gaussian_of(const sc_noise *ring, size_t count, double within)
{
    return (sc_noise){.is_gaussian = true,
                      .scale = ring->scale * sqrt((double)count),
                      .within = within};
}

static double two_tail(const sc_noise *a, const sc_noise *b, double p, double s)
{
    const sc_noise_sum sum = {.terms = {a, b}, .weights = {1 - p, p}, .count = 2};
    return sc_noise_sum_tail_upper(&sum, s) / 2;
}

static double gaussian_tail(const sc_noise *ring, double p, size_t left, size_t right,
                            double s)
{
    const sc_noise a = gaussian_of(ring, left, ring->within * (double)left),
                   b = gaussian_of(ring, right, ring->within * (double)right);
    const double apart = left + right == 0 ? 0 : two_tail(&a, &b, p, s);
    const double variance = ring->scale * ring->scale;
    if (variance < VARIANCE_KNOWN)
        return apart;
    const double pi = acos(-1);
    const double unlike = 5 * ((double)left + (double)right) * exp(-pi * pi * variance);
    const sc_noise c =
        gaussian_of(ring, left, left == 0 ? 0 : sc_noise_gaussian_within(a.scale));
    const sc_noise d =
        gaussian_of(ring, right, right == 0 ? 0 : sc_noise_gaussian_within(b.scale));
    return fmin(apart, exp(unlike) * two_tail(&c, &d, p, s));
}

/* The whole. */

scrim_status sc_rank_noise_new(const sc_noise *ring, size_t most, sc_rank_noise **out,
                               scrim_error *error)
{
    sc_rank_noise *noise = sc_allocate(1, sizeof *noise);
    if (noise == NULL)
        return sc_no_memory(error, "an interval");
    noise->ring = *ring;
    const scrim_status status =
        ring->is_gaussian ? SCRIM_OK : make_sums(noise, most, error);
    if (status == SCRIM_OK)
        *out = noise;
    else
        sc_rank_noise_free(noise);
    return status;
}

void sc_rank_noise_free(sc_rank_noise *noise)
{
    if (noise == NULL)
        return;
    sc_free(noise->tails);
    sc_free(noise->excess);
    sc_free(noise->far);
    sc_free(noise);
}

double sc_rank_noise_tail_upper(const sc_rank_noise *noise, double p, size_t left,
                                size_t right, double s)
{
    const double tail = noise->ring.is_gaussian
                            ? gaussian_tail(&noise->ring, p, left, right, s)
                            : laplace_tail(noise, p, left, right, s);
    return fmin(1, tail * (1 + MARGIN));
}

double sc_rank_noise_deviation(const sc_noise *ring, double p, size_t left, size_t right)
{
    double variance = ring->scale * ring->scale;
    if (!ring->is_gaussian) {
        const double ratio = exp(-1 / ring->scale);
        variance = 2 * ratio / ((1 - ratio) * (1 - ratio));
    }
    return sqrt(variance * ((1 - p) * (1 - p) * (double)left + p * p * (double)right));
}
