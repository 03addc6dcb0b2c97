#include "local/collect/discovery.h"

#include "audit/bounds.h"
#include "base/memory.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdlib.h>

/* Tails err by about 1e-9 of themselves. */
#define SAFE (1 + 1e-6)

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A tail above level is of no use: most of them are spared by the normal law, with a margin. One that was
 * spared is taken for 1, which lists no value too many. */
#define MARGIN 0.8

static double tail_of(const sc_decoding *decoding, size_t v, double q, double level,
                      double z)
{
    const double trials = (double)sc_decoding_trials(decoding, v);
    const double above = (double)decoding->hits[v] - trials * q;
    if (above <= 0 || above < MARGIN * z * sqrt(trials * q * (1 - q)))
        return 1;
    const double p = sc_binomial_at_least((uint64_t)decoding->hits[v],
                                          sc_decoding_trials(decoding, v), q) *
                     SAFE;
    return p <= level ? p : 1;
}

/* The largest p_(i) <= level i / (k (1 + 1/2 + … + 1/k)), of p in order. */
static double step_up(const double *sorted, size_t count, double level)
{
    double harmonic = 0, listed = -1;
    for (size_t i = 1; i <= count; i++)
        harmonic += 1 / (double)i;
    for (size_t i = 0; i < count && sorted[i] < 1; i++)
        if (sorted[i] <= level * (double)(i + 1) / ((double)count * harmonic))
            listed = sorted[i];
    return listed;
}

scrim_status sc_discovery(const sc_decoding *decoding, double level, double *p,
                          double *listed, scrim_error *error)
{
    const size_t count = decoding->values;
    if (decoding->hits == NULL || decoding->variances != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "significant",
                           "this protocol has no test whether a value is held");
    double *sorted = sc_allocate(count, sizeof *sorted);
    if (sorted == NULL)
        return sc_no_memory(error, "decoding");
    const double q = decoding->q_near, z = -sc_normal_quantile(level);
    for (size_t v = 0; v < count; v++)
        sorted[v] = p[v] = tail_of(decoding, v, q, level, z);
    qsort(sorted, count, sizeof *sorted, by_size);
    *listed = step_up(sorted, count, level);
    sc_free(sorted);
    return SCRIM_OK;
}
