#include "query/estimate/variance_interval.h"

#include <math.h>

#define ROUNDING                                                                         \
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

/* A variance to one side of v. */
typedef struct side {
    const sc_variance_setting *setting;
    sc_real_interval mean; /* of m */
    double at;             /* m^ */
    double variance;       /* v */
    double from; /* the V that the m nearest to m^ makes likeliest: v, if m^ may be m */
    double rows, beta;
    double sign;
} side;

/* m between a and b. */
typedef struct cell {
    double a, b;
} cell;

static double farther(double x, double y)
{
    return fmax(fabs(x), fabs(y));
}

/* The least of |v + (m - m^)^2 - V| over a cell. */
static double least_gap(const side *s, cell c, double v)
{
    const double far = farther(c.a - s->at, c.b - s->at);
    const double near = fmax(0, fmax(c.a - s->at, s->at - c.b));
    return fmax(0, fmax(v - s->variance - far * far, s->variance + near * near - v));
}

/* The largest of (high - m)(m - low) over a cell. */
static double most_within(const side *s, cell c)
{
    const double low = s->setting->mean.low, high = s->setting->mean.high;
    const double m = fmin(fmax((low + high) / 2, c.a), c.b);
    return (high - m) * (m - low);
}

static bool is_possible_in(const side *s, cell c, double v)
{
    const double far = farther(c.a, c.b);
    const double near = c.a <= 0 && c.b >= 0 ? 0 : fmin(fabs(c.a), fabs(c.b));
    const double rest = s->setting->offset - v;
    const sc_noise_sum noise = {
        .terms = {s->setting->squares, s->setting->mean.sum, s->setting->mean.rows},
        .weights = {1, 2 * far, farther(far * far + rest, near * near + rest)},
        .count = 3};
    return v <= most_within(s, c) * (1 + ROUNDING) &&
           sc_noise_sum_tail_upper(&noise, s->rows * least_gap(s, c, v)) > s->beta;
}

static bool is_possible(const void *context, double distance)
{
    const side *s = context;
    const double v = s->from + s->sign * distance;
    const double step = (s->mean.high - s->mean.low) / CELLS;
    /* What all of it as one cell rules out, no cell allows. */
    if (!is_possible_in(s, (cell){s->mean.low, s->mean.high}, v))
        return false;
    for (int i = 0; i < CELLS; i++) {
        const cell c = {s->mean.low + i * step,
                        i + 1 < CELLS ? s->mean.low + (i + 1) * step : s->mean.high};
        if (is_possible_in(s, c, v))
            return true;
    }
    return false;
}

/* V N/(N - 1) for every N that is possible. */
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
    side s = {.setting = setting,
              .mean = sc_mean_interval(&setting->mean, sum, rows, beta * MEAN_SHARE),
              .rows = rows,
              .beta = beta * (1 - MEAN_SHARE) - rows_beta};
    if (s.mean.is_open)
        return out;
    s.at = sum / rows;
    s.variance = setting->offset + squares / rows - s.at * s.at;
    const double near = fmax(0, fmax(s.mean.low - s.at, s.at - s.mean.high));
    s.from = s.variance + near * near;
    const double slack = (setting->offset + s.at * s.at) * ROUNDING;
    const double first = fmax(setting->squares->scale / rows, most * 1e-15);
    s.sign = 1;
    double high = s.from + slack + sc_farthest(is_possible, &s, first, most - s.from);
    s.sign = -1;
    double low = s.from - slack - sc_farthest(is_possible, &s, first, s.from);
    out.high = fmax(fmin(high, most), 0);
    out.low = fmin(fmax(low, 0), most);
    out.is_open = false;
    if (setting->is_sample)
        make_sample(setting->mean.rows, rows, rows_beta, &out);
    return out;
}
