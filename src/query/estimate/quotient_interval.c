#include "query/estimate/quotient_interval.h"

#include "query/estimate/mean_interval.h"

#include <math.h>

/* What doubles may have lost in a distance. */
#define ROUNDING 0x1p-40
#define FARTHEST 0x1p600

typedef struct side {
    const sc_quotient_sums *sums;
    double beta, sign;
} side;

static bool is_possible(const void *context, double distance)
{
    const side *s = context;
    sc_noise_sum noise;
    noise.count = s->sums->count;
    for (size_t i = 0; i < noise.count; i++) {
        const double b = distance * s->sums->bottom[i];
        noise.terms[i] = s->sums->noises[i];
        noise.weights[i] = fmax(fabs(s->sums->off[i] - s->sign * b), fabs(b));
    }
    return sc_noise_sum_tail_upper(&noise, distance * s->sums->divisor) > s->beta;
}

/* May the divisor be 0? */
static bool is_open(const sc_quotient_sums *sums, double beta)
{
    sc_noise_sum noise;
    noise.count = sums->count;
    for (size_t i = 0; i < noise.count; i++) {
        noise.terms[i] = sums->noises[i];
        noise.weights[i] = fabs(sums->bottom[i]);
    }
    return !(sums->divisor > 0) || sc_noise_sum_tail_upper(&noise, sums->divisor) > beta;
}

bool sc_quotient_reach(const sc_quotient_sums *sums, double beta, double *below,
                       double *above)
{
    double first = 0;
    if (is_open(sums, beta))
        return false;
    for (size_t i = 0; i < sums->count; i++)
        first += fabs(sums->off[i]) * sums->noises[i]->scale;
    first /= sums->divisor;
    *below = *above = 0;
    /* Without noise off the divisor's own direction it is a constant. */
    if (first == 0)
        return true;
    side s = {.sums = sums, .beta = beta, .sign = -1};
    if (!isfinite(first))
        return false;
    *below = sc_farthest(is_possible, &s, first, first * FARTHEST) * (1 + ROUNDING);
    s.sign = 1;
    *above = sc_farthest(is_possible, &s, first, first * FARTHEST) * (1 + ROUNDING);
    return isfinite(*below) && isfinite(*above) && *below < first * FARTHEST &&
           *above < first * FARTHEST;
}
