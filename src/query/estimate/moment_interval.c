#include "query/estimate/moment_interval.h"

#include <math.h>

/* Bound of the rounding error of doubles, relative to an end. */
#define MEAN_ROUNDING 0x1p-50
#define ENOUGH 2e-4
#define LITTLE 1e-6

/* May the number of rows be 0, or is its sign unknown? */
static bool rows_are_open(const sc_noise *noise, double rows, double beta)
{
    const sc_noise_sum alone = {.terms = {noise}, .weights = {1}, .count = 1};
    return rows <= 0 || sc_noise_sum_tail_upper(&alone, rows) > beta;
}

double sc_farthest(bool (*is_possible)(const void *context, double distance),
                   const void *context, double first, double most)
{
    double near = 0, far = first;
    if (most <= 0)
        return 0;
    while (far < most && is_possible(context, far)) {
        near = far;
        far *= 2;
    }
    if (far >= most) {
        if (is_possible(context, most))
            return most;
        far = most;
    }
    /* The bound by first: if nothing is possible, far would shrink to 0 in a thousand steps. */
    while (far - near > far * ENOUGH && far > first * LITTLE) {
        const double middle = near + (far - near) / 2;
        if (is_possible(context, middle))
            near = middle;
        else
            far = middle;
    }
    return far;
}

/* Candidate means on one side of S^/N^. */
typedef struct mean_side {
    const sc_mean_setting *setting;
    double mean, rows, beta;
    double sign;
} mean_side;

/* |S^ - mu N^| is distance N^, without the cancellation. */
static bool mean_is_possible(const void *context, double distance)
{
    const mean_side *s = context;
    const sc_noise_sum noise = {.terms = {s->setting->sum, s->setting->rows},
                                .weights = {1, fabs(s->mean + s->sign * distance)},
                                .count = 2};
    return sc_noise_sum_tail_upper(&noise, distance * s->rows) > s->beta;
}

sc_real_interval sc_mean_interval(const sc_mean_setting *setting, double sum, double rows,
                                  double beta)
{
    sc_real_interval out = {.low = setting->low, .high = setting->high, .is_open = true};
    if (rows_are_open(setting->rows, rows, beta))
        return out;
    mean_side s = {.setting = setting, .mean = sum / rows, .rows = rows, .beta = beta};
    const double first =
        fmax((setting->sum->scale + fabs(s.mean) * setting->rows->scale) / rows, 1e-300);
    s.sign = 1;
    double high =
        s.mean + sc_farthest(mean_is_possible, &s, first, setting->high - s.mean);
    s.sign = -1;
    double low = s.mean - sc_farthest(mean_is_possible, &s, first, s.mean - setting->low);
    high += fabs(high) * MEAN_ROUNDING;
    low -= fabs(low) * MEAN_ROUNDING;
    /* For a quotient outside of the range, the interval is the nearer end of the range. */
    out.high = fmax(fmin(high, setting->high), setting->low);
    out.low = fmin(fmax(low, setting->low), setting->high);
    out.is_open = false;
    return out;
}

/* Bound of the rounding error of doubles, relative to a distance. */
#define QUOTIENT_ROUNDING 0x1p-40
#define FARTHEST 0x1p600

typedef struct quotient_side {
    const sc_quotient_sums *sums;
    double beta, sign;
} quotient_side;

static bool quotient_is_possible(const void *context, double distance)
{
    const quotient_side *s = context;
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
static bool divisor_may_be_zero(const sc_quotient_sums *sums, double beta)
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
    if (divisor_may_be_zero(sums, beta))
        return false;
    for (size_t i = 0; i < sums->count; i++)
        first += fabs(sums->off[i]) * sums->noises[i]->scale;
    first /= sums->divisor;
    *below = *above = 0;
    /* All noise is proportional to the divisor: the quotient is a constant. */
    if (first == 0)
        return true;
    quotient_side s = {.sums = sums, .beta = beta, .sign = -1};
    if (!isfinite(first))
        return false;
    *below = sc_farthest(quotient_is_possible, &s, first, first * FARTHEST) *
             (1 + QUOTIENT_ROUNDING);
    s.sign = 1;
    *above = sc_farthest(quotient_is_possible, &s, first, first * FARTHEST) *
             (1 + QUOTIENT_ROUNDING);
    return isfinite(*below) && isfinite(*above) && *below < first * FARTHEST &&
           *above < first * FARTHEST;
}

#define VARIANCE_ROUNDING                                                                \
    0x1p-46 /* V is a difference of numbers as large as the square of the range */
#define MEAN_SHARE 0.1
#define ROWS_SHARE 0.025
#define CELLS 32

static double population_most(const sc_variance_setting *setting)
{
    const double range = setting->mean.high - setting->mean.low;
    return range * range / 4;
}

double sc_variance_most(const sc_variance_setting *setting)
{
    return population_most(setting) * (setting->is_sample ? 2 : 1);
}

/* Candidate variances on one side of v. */
typedef struct variance_side {
    const sc_variance_setting *setting;
    sc_real_interval mean; /* of m */
    double at;             /* m^ */
    double variance;       /* v */
    double from; /* the V that the m nearest to m^ makes likeliest: v, if m^ may be m */
    double rows, beta;
    double sign;
} variance_side;

/* m between a and b. */
typedef struct cell {
    double a, b;
} cell;

static double farther(double x, double y)
{
    return fmax(fabs(x), fabs(y));
}

/* The least of |v + (m - m^)^2 - V| over a cell. */
static double least_gap(const variance_side *s, cell c, double v)
{
    const double far = farther(c.a - s->at, c.b - s->at);
    const double near = fmax(0, fmax(c.a - s->at, s->at - c.b));
    return fmax(0, fmax(v - s->variance - far * far, s->variance + near * near - v));
}

/* The largest of (high - m)(m - low) over a cell. */
static double most_within(const variance_side *s, cell c)
{
    const double low = s->setting->mean.low, high = s->setting->mean.high;
    const double m = fmin(fmax((low + high) / 2, c.a), c.b);
    return (high - m) * (m - low);
}

static bool variance_in_cell(const variance_side *s, cell c, double v)
{
    const double far = farther(c.a, c.b);
    const double near = c.a <= 0 && c.b >= 0 ? 0 : fmin(fabs(c.a), fabs(c.b));
    const double rest = s->setting->offset - v;
    const sc_noise_sum noise = {
        .terms = {s->setting->squares, s->setting->mean.sum, s->setting->mean.rows},
        .weights = {1, 2 * far, farther(far * far + rest, near * near + rest)},
        .count = 3};
    return v <= most_within(s, c) * (1 + VARIANCE_ROUNDING) &&
           sc_noise_sum_tail_upper(&noise, s->rows * least_gap(s, c, v)) > s->beta;
}

static bool variance_is_possible(const void *context, double distance)
{
    const variance_side *s = context;
    const double v = s->from + s->sign * distance;
    const double step = (s->mean.high - s->mean.low) / CELLS;
    /* Early exit: if the whole interval as one cell is impossible, so is every cell. */
    if (!variance_in_cell(s, (cell){s->mean.low, s->mean.high}, v))
        return false;
    for (int i = 0; i < CELLS; i++) {
        const cell c = {s->mean.low + i * step,
                        i + 1 < CELLS ? s->mean.low + (i + 1) * step : s->mean.high};
        if (variance_in_cell(s, c, v))
            return true;
    }
    return false;
}

/* Bounds V N/(N - 1) over every possible N. */
static void make_sample(const sc_noise *noise, double rows, double beta,
                        sc_real_interval *out)
{
    const sc_noise_sum alone = {.terms = {noise}, .weights = {1}, .count = 1};
    const double radius = sc_noise_sum_radius_upper(&alone, beta);
    const double most = rows + radius, least = fmax(2, rows - radius);
    out->low *= most / (most - 1);
    out->high *= least / (least - 1);
}

sc_real_interval sc_variance_interval(const sc_variance_setting *setting, double sum,
                                      double squares, double rows, double beta)
{
    const double most = population_most(setting);
    const double rows_beta = setting->is_sample ? beta * ROWS_SHARE : 0;
    sc_real_interval out = {.low = 0, .high = sc_variance_most(setting), .is_open = true};
    variance_side s = {.setting = setting,
                       .mean =
                           sc_mean_interval(&setting->mean, sum, rows, beta * MEAN_SHARE),
                       .rows = rows,
                       .beta = beta * (1 - MEAN_SHARE) - rows_beta};
    if (s.mean.is_open)
        return out;
    s.at = sum / rows;
    s.variance = setting->offset + squares / rows - s.at * s.at;
    const double near = fmax(0, fmax(s.mean.low - s.at, s.at - s.mean.high));
    s.from = s.variance + near * near;
    const double slack = (setting->offset + s.at * s.at) * VARIANCE_ROUNDING;
    const double first = fmax(setting->squares->scale / rows, most * 1e-15);
    s.sign = 1;
    double high =
        s.from + slack + sc_farthest(variance_is_possible, &s, first, most - s.from);
    s.sign = -1;
    double low = s.from - slack - sc_farthest(variance_is_possible, &s, first, s.from);
    out.high = fmax(fmin(high, most), 0);
    out.low = fmin(fmax(low, 0), most);
    out.is_open = false;
    if (setting->is_sample)
        make_sample(setting->mean.rows, rows, rows_beta, &out);
    return out;
}
