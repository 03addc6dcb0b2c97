#include "query/estimate/quantile_estimate.h"

#include "base/memory.h"
#include "query/estimate/estimate.h"
#include "query/estimate/estimator.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/real_digits.h"
#include "query/rows/quantile_rings.h"

#include <math.h>

/* Sums that are kept, and how fine a scale is. */
#define SUMS 64
#define FINE 128.0
/* Tails are cut this many deviations of the largest sum, and scales of one noise, away: negligible. */
#define DEVIATIONS 7
#define SCALES 30
/* Bounds of the rounding error of doubles, in a probability and in its argument. */
#define LOST 1e-12
#define MARGIN 1e-9
/* The theorem about sums of discrete Gaussians needs at least this variance. */
#define VARIANCE_KNOWN 0.5
#define CERTAIN 1e-6

struct sc_rank_noise {
    sc_noise ring;
    /* Laplace noise: sums of stride, 2 stride, ... noises. A noise is rounded to a multiple of
     * `unit` steps, and is within `within` of it. */
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

/* The stored sum of at least `count` noises; there is one. */
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

/* How much rounding may be off, of a row for each row. */
#define ROUNDING 0x1p-50

/* The rows below an end, drawn: so much above p of all, or below it. Never more than it is. */
static double away_from_p(double p, sc_int128 left, sc_int128 all, bool is_below)
{
    const double lower = (double)left, upper = (double)(all - left);
    const double above = (1 - p) * lower - p * upper;
    return (is_below ? -above : above) - ROUNDING * (fabs(lower) + fabs(upper));
}

/* Is the excess too large to be noise alone? */
static bool is_contradicted(const sc_rank_setting *s, size_t left, size_t right,
                            double above)
{
    return above > 0 &&
           sc_rank_noise_tail_upper(s->noise, s->p, left, right, above) <= s->beta / 2;
}

/* Moves inwards from each end of the range while values are contradicted. */

static size_t last_ring(const sc_rank_setting *s, const sc_int128 *counts, size_t rings,
                        sc_int128 all)
{
    sc_int128 left = all;
    size_t ring = rings - 1;
    for (; ring > 0; ring--) {
        left -= counts[ring];
        if (!is_contradicted(s, ring, rings - ring, away_from_p(s->p, left, all, false)))
            break;
    }
    return ring;
}

static size_t first_ring(const sc_rank_setting *s, const sc_int128 *counts, size_t rings,
                         sc_int128 all)
{
    sc_int128 left = 0;
    size_t ring = 0;
    for (; ring + 1 < rings; ring++) {
        left += counts[ring];
        if (!is_contradicted(s, ring + 1, rings - ring - 1,
                             away_from_p(s->p, left, all, true)))
            break;
    }
    return ring;
}

void sc_rank_interval(const sc_rank_setting *s, const int64_t *ends,
                      const sc_int128 *counts, size_t rings, sc_int128 quantile,
                      int64_t *low, int64_t *high)
{
    sc_int128 all = 0;
    for (size_t i = 0; i < rings; i++)
        all += counts[i];
    *low = ends[first_ring(s, counts, rings, all)];
    *high = ends[last_ring(s, counts, rings, all) + 1] - 1;
    const int64_t most = ends[rings] - 1;
    const int64_t value = quantile < ends[0] ? ends[0]
                          : quantile > most  ? most
                                             : (int64_t)quantile;
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

/* Each ring that the interval may reach to, times how likely it is to: that the end before it is not
 * contradicted. */
double sc_rank_predict(const sc_noise *noise, double p, double beta, const int64_t *ends,
                       const double *rows, size_t rings)
{
    const double radius = sc_normal_quantile(1 - beta / 2);
    double all = 0, left = 0, width = 0;
    for (size_t i = 0; i < rings; i++)
        all += rows[i];
    for (size_t i = 1; i < rings; i++) {
        left += rows[i - 1];
        const double deviation = sc_rank_noise_deviation(noise, p, i, rings - i);
        const double away = (left - p * all) / deviation;
        const double up = erfc((away - radius) / sqrt(2)) / 2,
                     down = erfc((-away - radius) / sqrt(2)) / 2;
        width += ((double)ends[i + 1] - (double)ends[i]) * up +
                 ((double)ends[i] - (double)ends[i - 1]) * down;
    }
    /* From the first step of the last ring down to the last one of the first, where nothing is
     * contradicted; a ring of one step has no width. */
    const double most = (double)ends[1] - 1 - (double)ends[rings - 1];
    return fmax(0, (most + width) / 2);
}

/* The part of the predicted half-width of a quantile, in steps, below which two values are one. Rounded up to
 * three digits it is a hundredth. */
#define LEAST_HALF (0.01 * (1 - 1e-9))

/* The noise of sums of rings, once it is needed, and how many quantiles it is for. */
typedef struct shared_noise {
    sc_rank_noise *noise;
    size_t users;
} shared_noise;

struct sc_rank_room {
    const sc_ratio *ps;
    size_t count, rings; /* the number of ps, and the most rings that they can have */
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
    SC_TRY(shared->noise == NULL
               ? sc_rank_noise_new(&e->around, r->rings, &shared->noise, error)
               : SCRIM_OK);
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
    const double step = sc_ratio_upper(&e->step);
    if (share <= 0 || share >= 1)
        return share <= 0 ? low : high;
    if (guess == NULL || !guess->has_deviation)
        return low + share * (high - low);
    const double value =
        sc_ratio_upper(&guess->mean) / step +
        sc_normal_quantile(share) * sc_ratio_upper(&guess->deviation) / step;
    return fmin(fmax(value, low), high);
}

/* The share of the rows that are below a value, in steps. */
static double share_below(const sc_estimator *e, double value,
                          const sc_column_guess *guess)
{
    const double low = (double)e->extent.low, high = (double)e->extent.high + 1;
    const double step = sc_ratio_upper(&e->step);
    if (value <= low || value >= high)
        return value <= low ? 0 : 1;
    if (guess == NULL || !guess->has_deviation)
        return (value - low) / (high - low);
    /* Values are rounded to steps. */
    const double away = (value - 0.5) * step - sc_ratio_upper(&guess->mean);
    return erfc(-away / sc_ratio_upper(&guess->deviation) / sqrt(2)) / 2;
}

/* With the quantiles where they are without noise, and the rings about them. */
static double quantile_half(const sc_estimator *e, double rows,
                            const sc_column_guess *guess)
{
    sc_rank_room *r = e->ranks;
    sc_int128 quantiles[SC_RINGS_QUANTILES];
    double within[SC_RINGS_MOST];
    for (size_t i = 0; i < r->count; i++)
        quantiles[i] = (sc_int128)round(value_at(e, sc_ratio_upper(&r->ps[i]), guess));
    const size_t rings =
        sc_rings_of(e->extent.low, e->extent.high, quantiles, r->count, r->ends);
    for (size_t i = 0; i < rings; i++)
        within[i] = rows * (share_below(e, (double)r->ends[i + 1], guess) -
                            share_below(e, (double)r->ends[i], guess));
    const double half =
        sc_rank_predict(&e->around, r->p, e->beta, r->ends, within, rings);
    return fmax(LEAST_HALF, half) * sc_ratio_upper(&e->step);
}

static unsigned quantile_digits(const sc_estimator *e)
{
    return sc_estimator_digits_for(e, sc_ratio_upper(&e->step));
}

const sc_estimate_rule sc_quantile_rule = {
    SC_ESTIMATE_APART, set_ranks, estimate_quantile, quantile_half, quantile_digits};
