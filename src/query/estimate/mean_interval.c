#include "query/estimate/mean_interval.h"

#include <math.h>

/* What doubles may have lost in an end. */
#define ROUNDING 0x1p-50
#define ENOUGH 2e-4
#define LITTLE 1e-6

/* Is the number of rows possibly 0, or of no known sign? */
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
    /* Where nothing is possible, far would come down to 0 in a thousand steps. */
    while (far - near > far * ENOUGH && far > first * LITTLE) {
        const double middle = near + (far - near) / 2;
        if (is_possible(context, middle))
            near = middle;
        else
            far = middle;
    }
    return far;
}

/* A mean to one side of S^/N^. */
typedef struct side {
    const sc_mean_setting *setting;
    double mean, rows, beta;
    double sign;
} side;

/* |S^ - mu N^| is distance N^, without the cancellation. */
static bool is_possible(const void *context, double distance)
{
    const side *s = context;
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
    side s = {.setting = setting, .mean = sum / rows, .rows = rows, .beta = beta};
    const double first =
        fmax((setting->sum->scale + fabs(s.mean) * setting->rows->scale) / rows, 1e-300);
    s.sign = 1;
    double high = s.mean + sc_farthest(is_possible, &s, first, setting->high - s.mean);
    s.sign = -1;
    double low = s.mean - sc_farthest(is_possible, &s, first, s.mean - setting->low);
    high += fabs(high) * ROUNDING;
    low -= fabs(low) * ROUNDING;
    /* A quotient outside of the range has the nearer end of it for an interval. */
    out.high = fmax(fmin(high, setting->high), setting->low);
    out.low = fmin(fmax(low, setting->low), setting->high);
    out.is_open = false;
    return out;
}
