#include "synth/release/noise_l1.h"

#include "base/memory.h"
#include "composition/fast/fft.h"

#include <math.h>
#include <string.h>

/* Noise is cut where less than 2^-100 of it is left. */
#define GAUSSIAN_REACH 13 /* deviations */
#define LAPLACE_REACH 75  /* scales */
#define FINE 512          /* steps a deviation; finer noise is rounded up to a grid */
#define LOG_MAX 22        /* of the length of a transform */
#define UNIT 0x1p-53

/* The distribution of |Z|, rounded up to a multiple of step. */
typedef struct absolute {
    double step;
    size_t count;
    double *masses; /* [count] that of i steps */
} absolute;

double sc_cell_noise_deviation(const sc_cell_noise *noise)
{
    return noise->is_laplace ? noise->parameter * sqrt(2) : sqrt(noise->parameter);
}

/* The weight of k, relative to that of 0. */
static double weight_of(const sc_cell_noise *noise, double k)
{
    return noise->is_laplace ? exp(-k / noise->parameter)
                             : exp(-k * k / (2 * noise->parameter));
}

static double reach_of(const sc_cell_noise *noise)
{
    return noise->is_laplace ? LAPLACE_REACH * noise->parameter
                             : GAUSSIAN_REACH * sqrt(noise->parameter);
}

/* The weight of the integers above (i - 1) step and up to i step. Where these are too many, the first stands for all:
 * relative to the true weights this grows with i, so that every tail of the normalised distribution grows. */
static double weight_of_step(const sc_cell_noise *noise, double i, double step)
{
    double sum = 0;
    if (step > FINE)
        return step * weight_of(noise, (i - 1) * step + 1);
    for (double k = (i - 1) * step + 1; k <= i * step; k++)
        sum += weight_of(noise, k);
    return sum;
}

static scrim_status absolute_init(const sc_cell_noise *noise, absolute *out,
                                  scrim_error *error)
{
    out->step = floor(sc_cell_noise_deviation(noise) / FINE);
    if (out->step < 1)
        out->step = 1;
    out->count = (size_t)(reach_of(noise) / out->step) + 3;
    out->masses = sc_allocate(out->count, sizeof *out->masses);
    if (out->masses == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
    double sum = out->masses[0] = 1;
    for (size_t i = 1; i < out->count; i++) {
        out->masses[i] = 2 * weight_of_step(noise, (double)i, out->step);
        sum += out->masses[i];
    }
    for (size_t i = 0; i < out->count; i++)
        out->masses[i] /= sum;
    return SCRIM_OK;
}

static double mean_of(const absolute *z)
{
    double sum = 0;
    for (size_t i = z->count; i-- > 0;)
        sum += (double)i * z->masses[i];
    return sum;
}

/* ln E exp(t |Z|), t in steps. */
static double log_moment(const absolute *z, double t)
{
    double sum = 0;
    for (size_t i = z->count; i-- > 0;)
        sum += z->masses[i] * exp(t * (double)i);
    return log(sum);
}

/* The smallest b over many t with n ln E exp(t |Z|) - t b <= ln beta, in steps. */
static double chernoff(const absolute *z, double n, double beta)
{
    double best = (double)INFINITY;
    const double spread = mean_of(z) + 1;
    for (double t = 4 / spread; t > 1e-12 / spread; t /= 1.2) {
        const double b = (n * log_moment(z, t) - log(beta)) / t;
        /* It falls, then grows. */
        if (b > best)
            break;
        best = b;
    }
    return best * (1 + 1e-9);
}

/* A bound of the error of a tail: each value of the transform is off by (5 levels + 8) units before and n times that
 * after the power, coefficients in the 2-norm by no more, their sum by the root of their number times that. */
static double tail_error(double n, unsigned log)
{
    const double value = (5.0 * log + 8) * UNIT;
    return sqrt((double)((size_t)1 << log)) * (n * (value + 3 * UNIT) + value) * 1.001 +
           1e-13;
}

/* The masses of the sum of n, in 2^log places; what is beyond the last has a mass below 1e-15. */
static scrim_status convolve(const absolute *z, uint64_t n, unsigned log, double **out,
                             scrim_error *error)
{
    sc_fft fft;
    double *x = sc_allocate((size_t)1 << log, sizeof *x);
    if (x == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
    SC_BALL_SCOPE(scope);
    sc_fft_init(&fft);
    const scrim_status status = sc_fft_prepare(&fft, log, error);
    if (status == SCRIM_OK) {
        memcpy(x, z->masses, z->count * sizeof *x);
        sc_fft_forward(&fft, x);
        sc_fft_power(&fft, x, n);
        sc_fft_inverse(&fft, x);
    }
    sc_fft_clear(&fft);
    if (status == SCRIM_OK)
        *out = x;
    else
        sc_free(x);
    return status;
}

static unsigned log_of(double places)
{
    unsigned log = SC_FFT_LOG_MIN;
    while (log <= LOG_MAX && (double)((size_t)1 << log) < places)
        log++;
    return log;
}

/* In steps. */
static scrim_status find_quantile(const absolute *z, uint64_t n, double beta, double *out,
                                  scrim_error *error)
{
    double places = chernoff(z, (double)n, 1e-15) + 2;
    if (places < (double)z->count)
        places = (double)z->count;
    const unsigned log = log_of(places);
    const double off = tail_error((double)n, log);
    if (log > LOG_MAX || off > beta / 16) {
        *out = chernoff(z, (double)n, beta);
        return SCRIM_OK;
    }
    double *masses = NULL;
    const scrim_status status = convolve(z, n, log, &masses, error);
    if (status != SCRIM_OK)
        return status;
    size_t at = (size_t)1 << log;
    for (double tail = off; at > 0 && tail + masses[at - 1] <= beta; at--)
        tail += masses[at - 1] > 0 ? masses[at - 1] : 0;
    sc_free(masses);
    *out = at > 0 ? (double)(at - 1) : 0;
    return SCRIM_OK;
}

scrim_status sc_noise_l1_upper(const sc_cell_noise *noise, uint64_t cells, double beta,
                               double *out, scrim_error *error)
{
    absolute z;
    double steps = 0;
    scrim_status status = absolute_init(noise, &z, error);
    if (status != SCRIM_OK)
        return status;
    status = find_quantile(&z, cells, beta, &steps, error);
    if (status == SCRIM_OK)
        *out = steps * z.step;
    sc_free(z.masses);
    return status;
}

double sc_noise_l1_sums_upper(const sc_cell_noise *noise, double members, uint64_t cells,
                              double beta)
{
    const double n = (double)cells;
    if (noise->is_laplace)
        return (double)INFINITY;
    return sqrt(2 * members * noise->parameter * n * (n * log(2) - log(beta)));
}
