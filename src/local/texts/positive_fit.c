#include "local/texts/positive_fit.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

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

/* Solves by the factor, in place. */
static void cholesky_solve(const double *factor, size_t count, double *vector)
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
        cholesky_solve(factor, count, row);
    }
}

/* A gradient below so much of the right side is rounding. */
#define SLACK 1e-11

typedef struct positive_fit {
    const double *gram, *right;
    size_t count;
    double *values;
    size_t *free;   /* the unknowns that may be positive, rising */
    size_t freed;   /* how many */
    bool *is_out;   /* it depends on others: 0 for good */
    double *factor; /* freed x freed */
    double *trial;
} positive_fit;

/* Factors the equations of the free unknowns; those that depend on others leave. */
static void factor_free(positive_fit *fit)
{
    for (;;) {
        const size_t n = fit->freed;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                fit->factor[i * n + j] =
                    fit->gram[fit->free[i] * fit->count + fit->free[j]];
        const size_t bad = sc_cholesky(fit->factor, n);
        if (bad == n)
            return;
        fit->is_out[fit->free[bad]] = true;
        fit->values[fit->free[bad]] = 0;
        memmove(fit->free + bad, fit->free + bad + 1, (n - bad - 1) * sizeof *fit->free);
        fit->freed--;
    }
}

/* Goes from the values towards the trial until the first unknown is 0; those leave. True: the way was
 * free to its end. */
static bool step_towards(positive_fit *fit)
{
    double way = 1;
    for (size_t i = 0; i < fit->freed; i++) {
        const double from = fit->values[fit->free[i]], to = fit->trial[i];
        if (to <= 0 && from / (from - to) < way)
            way = from / (from - to);
    }
    size_t kept = 0;
    for (size_t i = 0; i < fit->freed; i++) {
        double *value = &fit->values[fit->free[i]];
        const double from = *value, to = fit->trial[i];
        const bool leaves = to <= 0 && from / (from - to) <= way;
        *value = leaves ? 0 : from + way * (to - from);
        if (!leaves)
            fit->free[kept++] = fit->free[i];
    }
    const bool is_whole = kept == fit->freed;
    fit->freed = kept;
    return is_whole;
}

static void solve_free(positive_fit *fit)
{
    do {
        factor_free(fit);
        for (size_t i = 0; i < fit->freed; i++)
            fit->trial[i] = fit->right[fit->free[i]];
        cholesky_solve(fit->factor, fit->freed, fit->trial);
    } while (!step_towards(fit));
}

static double gradient_of(const positive_fit *fit, size_t at)
{
    double sum = fit->right[at];
    for (size_t i = 0; i < fit->freed; i++)
        sum -= fit->gram[at * fit->count + fit->free[i]] * fit->values[fit->free[i]];
    return sum;
}

/* Frees the unknown at 0 that would gain most; false: none would. */
static bool free_best(positive_fit *fit)
{
    size_t best = fit->count;
    double most = 0;
    for (size_t s = 0; s < fit->count; s++) {
        if (fit->values[s] > 0 || fit->is_out[s] || !(fit->gram[s * fit->count + s] > 0))
            continue;
        const double gradient = gradient_of(fit, s);
        const double gain = gradient / sqrt(fit->gram[s * fit->count + s]);
        if (gradient > SLACK * fabs(fit->right[s]) && gain > most) {
            best = s;
            most = gain;
        }
    }
    if (best == fit->count)
        return false;
    size_t at = fit->freed++;
    for (; at > 0 && fit->free[at - 1] > best; at--)
        fit->free[at] = fit->free[at - 1];
    fit->free[at] = best;
    return true;
}

/* Each round lowers the objective, so that no set of free unknowns comes twice; the limit is for
 * rounding. */
static void iterate(positive_fit *fit)
{
    for (size_t s = 0; s < fit->count; s++)
        if (fit->values[s] > 0)
            fit->free[fit->freed++] = s;
    solve_free(fit);
    for (size_t round = 0; round < 3 * fit->count && free_best(fit); round++)
        solve_free(fit);
}

static void spread_inverse(positive_fit *fit, double *inverse, double *small)
{
    const size_t n = fit->freed;
    memset(inverse, 0, fit->count * fit->count * sizeof *inverse);
    factor_free(fit);
    sc_cholesky_inverse(fit->factor, n, small);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[fit->free[i] * fit->count + fit->free[j]] = small[i * n + j];
}

scrim_status sc_positive_fit(const double *gram, const double *right, size_t count,
                             double *values, double *inverse, scrim_error *error)
{
    positive_fit fit = {.gram = gram, .right = right, .count = count, .values = values};
    double *small = inverse == NULL ? NULL : sc_allocate(count * count, sizeof *small);
    fit.free = sc_allocate(count, sizeof *fit.free);
    fit.is_out = sc_allocate(count, sizeof *fit.is_out);
    fit.factor = sc_allocate(count * count, sizeof *fit.factor);
    fit.trial = sc_allocate(count, sizeof *fit.trial);
    scrim_status status = SCRIM_OK;
    if (fit.free == NULL || fit.is_out == NULL || fit.factor == NULL ||
        fit.trial == NULL || (inverse != NULL && small == NULL))
        status = sc_no_memory(error, "a fit");
    if (status == SCRIM_OK)
        iterate(&fit);
    if (status == SCRIM_OK && inverse != NULL)
        spread_inverse(&fit, inverse, small);
    sc_free(small);
    sc_free(fit.free);
    sc_free(fit.is_out);
    sc_free(fit.factor);
    sc_free(fit.trial);
    return status;
}
