#include "solve/half_spaces.h"

#include <math.h>

/* Four sums side by side: a processor adds them at once. */
double sc_dot(const double *x, const double *y, size_t count)
{
    double sum[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += x[i + k] * y[i + k];
    for (; i < count; i++)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double sc_norm(const double *x, size_t count)
{
    return sqrt(sc_dot(x, x, count));
}

void sc_add_times(double *y, double factor, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += factor * x[i];
}

void sc_half_spaces_times(const sc_half_spaces *spaces, const double *x, double *out)
{
    for (size_t i = 0; i < spaces->count; i++)
        out[i] = sc_dot(spaces->a + i * spaces->dimension, x, spaces->dimension);
}

void sc_half_spaces_slack(const sc_half_spaces *spaces, const double *x, double *out)
{
    sc_half_spaces_times(spaces, x, out);
    for (size_t i = 0; i < spaces->count; i++)
        out[i] = spaces->b[i] - out[i];
}
