#include "base/memory.h"
#include "query/estimate/estimate.h"
#include "query/estimate/estimator.h"
#include "query/estimate/normal_quantile.h"
#include "query/estimate/rank_interval.h"
#include "query/estimate/real_digits.h"
#include "query/rows/quantile_rings.h"

#include <math.h>

/* Of the predicted half-width of a quantile, in steps: what is smaller is one value. Rounded up to
 * three digits it is a hundredth. */
#define LEAST_HALF (0.01 * (1 - 1e-9))

/* The noise of sums of rings, once it is needed, and how many quantiles it is for. */
typedef struct shared_noise {
    sc_rank_noise *noise;
    size_t users;
} shared_noise;

struct sc_rank_room {
    const sc_ratio *ps;
    size_t count, rings; /* there may be so many */
    double p;
    shared_noise *shared;
    int64_t ends[SC_RINGS_MOST + 1];
};

static scrim_status set_ranks(sc_estimator *e, const sc_estimate_sources *sources,
                              const sc_ratio *beta, scrim_error *error)
{
    const sc_value_step p = e->aggregate->p;
    (void)beta;
    const scrim_status status = sc_estimator_noise(sources->around, &e->around, error);
    if (status != SCRIM_OK || sources->quantiles == NULL)
        return status == SCRIM_OK ? sc_estimator_refuse(error) : status;
    sc_rank_room *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "an estimate");
    e->ranks = r;
    r->shared = sc_allocate(1, sizeof *r->shared);
    if (r->shared == NULL)
        return sc_no_memory(error, "an estimate");
    r->shared->users = 1;
    r->ps = sc_parameters_items(&sources->quantiles->parameters, "p", &r->count);
    r->rings = sc_rings_most(e->extent.low, e->extent.high, r->count);
    r->p = (double)p.numerator / (double)p.denominator;
    return r->count > SC_RINGS_QUANTILES ? sc_estimator_refuse(error) : SCRIM_OK;
}

static void leave_shared(shared_noise *shared)
{
    if (shared == NULL || --shared->users > 0)
        return;
    sc_rank_noise_free(shared->noise);
    sc_free(shared);
}

void sc_estimator_share(sc_estimator *estimator, sc_estimator *with)
{
    if (estimator->ranks == NULL || with->ranks == NULL)
        return;
    with->ranks->shared->users++;
    leave_shared(estimator->ranks->shared);
    estimator->ranks->shared = with->ranks->shared;
}

void sc_rank_room_free(sc_rank_room *room)
{
    if (room != NULL)
        leave_shared(room->shared);
    sc_free(room);
}

static scrim_status estimate_quantile(const sc_estimator *e,
                                      const sc_estimate_numbers *numbers,
                                      sc_estimate *out, scrim_error *error)
{
    sc_rank_room *r = e->ranks;
    shared_noise *shared = r->shared;
    const scrim_status status =
        shared->noise == NULL
            ? sc_rank_noise_new(&e->around, r->rings, &shared->noise, error)
            : SCRIM_OK;
    if (status != SCRIM_OK)
        return status;
    const sc_rank_setting setting = {shared->noise, r->p, e->beta};
    const size_t rings =
        sc_rings_of(e->extent.low, e->extent.high, numbers->quantiles, r->count, r->ends);
    int64_t low, high;
    sc_rank_interval(&setting, r->ends, numbers->around, rings,
                     numbers->quantiles[numbers->p], &low, &high);
    sc_ratio_set_int128(&out->value, numbers->quantiles[numbers->p]);
    sc_ratio_set_int128(&out->low, low);
    sc_ratio_set_int128(&out->high, high);
    sc_estimator_finish(e, &e->step, out);
    out->is_open = low == e->extent.low && high == e->extent.high && low < high;
    return SCRIM_OK;
}

/* Predictions: the interval of a group whose numbers have no noise. */

/* The value that a share of the rows is below, in steps: of rows that are spread evenly, or as
 * the normal law is. */
static double value_at(const sc_estimator *e, double share, const sc_column_guess *guess)
{
    const double low = (double)e->extent.low, high = (double)e->extent.high;
    const double step = sc_real_upper(&e->step);
    if (share <= 0 || share >= 1)
        return share <= 0 ? low : high;
    if (guess == NULL || !guess->has_deviation)
        return low + share * (high - low);
    const double value =
        sc_real_upper(&guess->mean) / step +
        sc_normal_quantile(share) * sc_real_upper(&guess->deviation) / step;
    return fmin(fmax(value, low), high);
}

/* The share of the rows that are below a value, in steps. */
static double share_below(const sc_estimator *e, double value,
                          const sc_column_guess *guess)
{
    const double low = (double)e->extent.low, high = (double)e->extent.high + 1;
    const double step = sc_real_upper(&e->step);
    if (value <= low || value >= high)
        return value <= low ? 0 : 1;
    if (guess == NULL || !guess->has_deviation)
        return (value - low) / (high - low);
    /* Values are rounded to steps. */
    const double away = (value - 0.5) * step - sc_real_upper(&guess->mean);
    return erfc(-away / sc_real_upper(&guess->deviation) / sqrt(2)) / 2;
}

/* With the quantiles where they are without noise, and the rings about them. */
static double quantile_half(const sc_estimator *e, double rows,
                            const sc_column_guess *guess)
{
    sc_rank_room *r = e->ranks;
    sc_int128 quantiles[SC_RINGS_QUANTILES];
    double within[SC_RINGS_MOST];
    for (size_t i = 0; i < r->count; i++)
        quantiles[i] = (sc_int128)round(value_at(e, sc_real_upper(&r->ps[i]), guess));
    const size_t rings =
        sc_rings_of(e->extent.low, e->extent.high, quantiles, r->count, r->ends);
    for (size_t i = 0; i < rings; i++)
        within[i] = rows * (share_below(e, (double)r->ends[i + 1], guess) -
                            share_below(e, (double)r->ends[i], guess));
    const double half =
        sc_rank_predict(&e->around, r->p, e->beta, r->ends, within, rings);
    return fmax(LEAST_HALF, half) * sc_real_upper(&e->step);
}

static unsigned quantile_digits(const sc_estimator *e)
{
    return sc_estimator_digits_for(e, sc_real_upper(&e->step));
}

const sc_estimate_rule sc_quantile_rule = {
    SC_ESTIMATE_APART, set_ranks, estimate_quantile, quantile_half, quantile_digits};
