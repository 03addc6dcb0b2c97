#include "laws.h"

#include <math.h>
#include <stdbool.h>

/* The regularised upper incomplete gamma function Q(a, x), a > 0, x >= 0: below a + 1
 * from the power series of its complement, above from the continued fraction, evaluated
 * forwards by the method of Lentz. The number of steps grows with the square root
 * of a. */
static double upper_gamma(double a, double x)
{
    const double smallest = 1e-300, relative = 1e-16;
    const int steps_max = 1000000;
    if (x <= 0)
        return 1;
    const double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int n = 1; n < steps_max && term > sum * relative; n++) {
            term *= x / (a + n);
            sum += term;
        }
        return fmax(0, 1 - front * sum);
    }
    double b = x + 1 - a, c = 1 / smallest, d = 1 / b, fraction = d, factor = 0;
    for (int n = 1; n < steps_max && fabs(factor - 1) > relative; n++) {
        const double coefficient = -n * (n - a);
        b += 2;
        d = coefficient * d + b;
        d = 1 / (fabs(d) < smallest ? smallest : d);
        c = b + coefficient / c;
        c = fabs(c) < smallest ? smallest : c;
        factor = c * d;
        fraction *= factor;
    }
    return front * fraction;
}

static double chi_square_term(double observed, double expected)
{
    return (observed - expected) * (observed - expected) / expected;
}

double laws_chi_square(const uint64_t *observed, const double *probability, size_t cells)
{
    const double expected_min = 10;
    double total = 0, mass = 0;
    for (size_t i = 0; i < cells; i++) {
        if (!(probability[i] >= 0) || (probability[i] == 0 && observed[i] != 0))
            return 0;
        total += (double)observed[i];
        mass += probability[i];
    }
    if (!(fabs(mass - 1) <= 1e-6))
        return 0;

    /* A pool is closed when its expectation suffices; what remains at the end joins the
     * last pool that was closed. */
    double statistic = 0, last_seen = 0, last_hoped = 0, seen = 0, hoped = 0;
    size_t pools = 0;
    for (size_t i = 0; i < cells; i++) {
        seen += (double)observed[i];
        hoped += total * probability[i];
        if (hoped < expected_min)
            continue;
        if (pools++ > 0)
            statistic += chi_square_term(last_seen, last_hoped);
        last_seen = seen, last_hoped = hoped;
        seen = hoped = 0;
    }
    if (pools < 2)
        return 1;
    statistic += chi_square_term(last_seen + seen, last_hoped + hoped);
    return upper_gamma((double)(pools - 1) / 2, statistic / 2);
}

double laws_normal_two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The sum of (a - mean a)(b - mean b). */
static double co_moment(const double *a, const double *b, size_t count)
{
    const double a_mean = mean(a, count), b_mean = mean(b, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (a[i] - a_mean) * (b[i] - b_mean);
    return sum;
}

double laws_welch_t(const double *a, size_t a_count, const double *b, size_t b_count)
{
    const double n = (double)a_count, m = (double)b_count;
    const double difference = mean(a, a_count) - mean(b, b_count);
    const double variance =
        co_moment(a, a, a_count) / (n - 1) / n + co_moment(b, b, b_count) / (m - 1) / m;
    return difference == 0 ? 0 : difference / sqrt(variance);
}

double laws_correlation(const double *a, const double *b, size_t count)
{
    const double scale = sqrt(co_moment(a, a, count)) * sqrt(co_moment(b, b, count));
    return scale == 0 ? 0 : co_moment(a, b, count) / scale;
}
