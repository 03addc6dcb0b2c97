#include "audit/bounds.h"

#include <math.h>

/* The continued fraction of the incomplete beta function by Lentz's method; it converges fast
 * for x < (a + 1)/(a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int i = 1; i < 100000; i++) {
        const double m = i;
        double numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + numerator * d;
        c = 1 + numerator / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + numerator * d;
        c = 1 + numerator / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return value;
}

/* ln Gamma without the global sign that lgamma writes: the arguments are positive. */
static double log_gamma(double x)
{
    int sign = 0;
    return lgamma_r(x, &sign);
}

/* I_x(a, b), with y = 1 - x: whichever of the two is small is known better than by the
 * difference. */
static double beta_regularised(double x, double y, double a, double b)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    const double log_front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
                             a * (x < 0.5 ? log(x) : log1p(-y)) +
                             b * (y < 0.5 ? log(y) : log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return exp(log_front) * beta_fraction(x, a, b) / a;
    return 1 - exp(log_front) * beta_fraction(y, b, a) / b;
}

double sc_binomial_at_least(uint64_t k, uint64_t n, double p)
{
    return k == 0 ? 1 : beta_regularised(p, 1 - p, (double)k, (double)(n - k) + 1);
}

double sc_binomial_at_most(uint64_t k, uint64_t n, double p)
{
    return k == n ? 1 : beta_regularised(1 - p, p, (double)(n - k), (double)k + 1);
}

/* By bisection. The logarithm of a tail errs by the error of ln Gamma, about 1e-16 of n ln n; a
 * millionth of p covers that many times over. */
double sc_binomial_lower(uint64_t k, uint64_t n, double failure)
{
    double low = 0, high = (double)k / (double)n;
    for (int step = 0; step < 200 && high - low > 1e-12 * high; step++) {
        const double middle = low + (high - low) / 2;
        if (sc_binomial_at_least(k, n, middle) > failure)
            high = middle;
        else
            low = middle;
    }
    return low * (1 - 1e-6);
}

double sc_binomial_upper(uint64_t k, uint64_t n, double failure)
{
    double low = (double)k / (double)n, high = 1;
    for (int step = 0; step < 200 && high - low > 1e-12 * high; step++) {
        const double middle = low + (high - low) / 2;
        if (sc_binomial_at_most(k, n, middle) > failure)
            low = middle;
        else
            high = middle;
    }
    return fmin(1, high * (1 + 1e-6));
}

void sc_bounds_init(sc_enclosure *bounds)
{
    sc_ball_init(&bounds->lower);
    sc_ball_init(&bounds->upper);
    bounds->is_infinite = false;
    bounds->is_bounded = true;
}

void sc_bounds_clear(sc_enclosure *bounds)
{
    sc_ball_clear(&bounds->lower);
    sc_ball_clear(&bounds->upper);
}

void sc_bounds_set_zero(sc_enclosure *out)
{
    sc_ball_set_int64(&out->lower, 0);
    sc_ball_set_int64(&out->upper, 0);
    out->is_infinite = false;
    out->is_bounded = true;
}

void sc_bounds_set(sc_enclosure *out, const sc_enclosure *bounds)
{
    sc_ball_set(&out->lower, &bounds->lower);
    sc_ball_set(&out->upper, &bounds->upper);
    out->is_infinite = bounds->is_infinite;
    out->is_bounded = bounds->is_bounded;
}

/* Also what is not a number: nothing is known of it from below. */
void sc_bounds_cut_below(sc_enclosure *out)
{
    if (!sc_ball_is_positive(&out->lower))
        sc_ball_set_int64(&out->lower, 0);
}

double sc_bounds_lower(const sc_enclosure *bounds)
{
    return bounds->is_infinite ? HUGE_VAL : sc_ball_lower(&bounds->lower);
}

double sc_bounds_upper(const sc_enclosure *bounds)
{
    return bounds->is_infinite || !bounds->is_bounded ? HUGE_VAL
                                                      : sc_ball_upper(&bounds->upper);
}

bool sc_bounds_is_above(const sc_enclosure *bounds, const sc_ball *limit)
{
    return sc_ball_is_finite(limit) &&
           (bounds->is_infinite || sc_ball_is_less(limit, &bounds->lower));
}

/* Nothing is claimed by a limit that is not finite, so everything keeps it. */
bool sc_bounds_is_at_most(const sc_enclosure *bounds, const sc_ball *limit)
{
    if (!sc_ball_is_finite(limit))
        return true;
    return !bounds->is_infinite && bounds->is_bounded &&
           sc_ball_is_less_equal(&bounds->upper, limit);
}
