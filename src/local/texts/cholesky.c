#include "local/texts/cholesky.h"

#include <math.h>

/* A pivot below so much of its diagonal is rounding, and the row depends on others. */
#define DEPENDENT 1e-10

static double dot(const double *a, const double *b, size_t count)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sum[lane] += a[i + lane] * b[i + lane];
    for (; i < count; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

size_t sc_cholesky(double *matrix, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double *row = matrix + i * count;
        for (size_t j = 0; j < i; j++) {
            const double *above = matrix + j * count;
            row[j] = (row[j] - dot(row, above, j)) / above[j];
        }
        const double pivot = row[i] - dot(row, row, i);
        if (!(pivot > DEPENDENT * row[i]))
            return i;
        row[i] = sqrt(pivot);
    }
    return count;
}

void sc_cholesky_solve(const double *factor, size_t count, double *vector)
{
    for (size_t i = 0; i < count; i++) {
        const double *row = factor + i * count;
        vector[i] = (vector[i] - dot(row, vector, i)) / row[i];
    }
    for (size_t i = count; i-- > 0;) {
        const double *row = factor + i * count;
        vector[i] /= row[i];
        for (size_t j = 0; j < i; j++)
            vector[j] -= row[j] * vector[i];
    }
}

void sc_cholesky_inverse(const double *factor, size_t count, double *inverse)
{
    for (size_t j = 0; j < count; j++) {
        double *row = inverse + j * count;
        for (size_t i = 0; i < count; i++)
            row[i] = i == j;
        sc_cholesky_solve(factor, count, row);
    }
}
