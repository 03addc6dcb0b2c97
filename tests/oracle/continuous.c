#include "continuous.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

double continuous_density(const continuous_noise *noise, double x)
{
    double s = noise->scale;
    return noise->is_gaussian ? exp(-x * x / (2 * s * s)) / (s * sqrt(2 * pi))
                              : exp(-fabs(x) / s) / (2 * s);
}

double continuous_at_least(const continuous_noise *noise, double x)
{
    double s = noise->scale;
    if (noise->is_gaussian)
        return erfc(x / (s * sqrt(2))) / 2;
    return x >= 0 ? exp(-x / s) / 2 : 1 - exp(x / s) / 2;
}

/* Gauss and Legendre: nodes are the roots of P_20, found by Newton's method. */
#define POINTS 20

static void legendre(double node[POINTS], double weight[POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        double x = cos(pi * (i + 0.75) / (POINTS + 0.5)), slope = 1;
        for (int turn = 0; turn < 60; turn++) {
            double before = 1, value = x;
            for (int n = 2; n <= POINTS; n++) {
                double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
                before = value;
                value = next;
            }
            slope = POINTS * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        node[i] = x;
        weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
}

double continuous_integral(continuous_function *f, const void *context,
                           const double *breaks, size_t count, double panel)
{
    double node[POINTS], weight[POINTS], sum = 0;
    legendre(node, weight);
    for (size_t i = 0; i + 1 < count; i++) {
        double low = breaks[i], high = breaks[i + 1];
        int panels = (int)ceil((high - low) / panel);
        double half = panels > 0 ? (high - low) / panels / 2 : 0;
        for (int j = 0; j < panels; j++)
            for (int k = 0; k < POINTS; k++)
                sum += half * weight[k] * f(context, low + half * (2 * j + 1 + node[k]));
    }
    return sum;
}

typedef struct question {
    const continuous_run *run;
    const double *queries;
    const char *pattern;
} question;

static double term(const void *context, double z)
{
    const question *q = context;
    double product = continuous_density(&q->run->threshold, z);
    for (size_t i = 0; q->pattern[i] != '\0'; i++) {
        double k = q->run->level + z - q->queries[i];
        /* being below is the upper tail of -X: no digits are lost */
        product *= continuous_at_least(&q->run->query, q->pattern[i] == '1' ? k : -k);
    }
    return product;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double continuous_pattern(const continuous_run *run, const double *queries,
                          const char *pattern)
{
    const question q = {run, queries, pattern};
    const double far = (run->threshold.is_gaussian ? 14 : 60) * run->threshold.scale;
    double breaks[16] = {-far, 0, far};
    size_t count = 3;
    for (size_t i = 0; pattern[i] != '\0' && count < 16; i++) {
        double kink = queries[i] - run->level;
        bool is_new = fabs(kink) < far;
        for (size_t j = 0; j < count; j++)
            is_new = is_new && breaks[j] != kink;
        if (is_new)
            breaks[count++] = kink;
    }
    qsort(breaks, count, sizeof *breaks, compare);
    /* many factors make it steep */
    const double fine = fmin((double)strlen(pattern), 40);
    return continuous_integral(term, &q, breaks, count,
                               run->threshold.scale / (2 + fine / 5));
}

/* Sums p^order q^(1-order) over all patterns that begin like this one. */
static double renyi_sum(const continuous_run *run, const double *x, const double *y,
                        size_t count, size_t above, double order, char *pattern)
{
    size_t length = strlen(pattern);
    if (above == 0 || length == count)
        return pow(continuous_pattern(run, x, pattern), order) *
               pow(continuous_pattern(run, y, pattern), 1 - order);
    pattern[length + 1] = '\0';
    pattern[length] = '0';
    double sum = renyi_sum(run, x, y, count, above, order, pattern);
    pattern[length] = '1';
    sum += renyi_sum(run, x, y, count, above - 1, order, pattern);
    pattern[length] = '\0';
    return sum;
}

double continuous_renyi(const continuous_run *run, const double *x, const double *y,
                        size_t count, size_t above, double order)
{
    char pattern[64] = "";
    return log(renyi_sum(run, x, y, count, above, order, pattern)) / (order - 1);
}
