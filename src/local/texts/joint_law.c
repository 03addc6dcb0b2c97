#include "local/texts/joint_law.h"

#include "base/memory.h"
#include "local/texts/cholesky.h"

#include <math.h>
#include <string.h>

#define PASSES 3000
/* Done where a pass moves no cell by so many standard deviations of a count of all devices. */
#define STILL 1e-4
/* A cell below so many devices counts as empty. */
#define EMPTY 1e-3

typedef struct joint_fit {
    const sc_joint_pairs *pairs;
    size_t cells;
} joint_fit;

/* The probability of a pair, up to its factor. */
static double mix(const joint_fit *fit, size_t pair, const double *law)
{
    const sc_joint_pairs *pairs = fit->pairs;
    const double *u = pairs->first + pair * pairs->rows;
    const double *v = pairs->second + pair * pairs->columns;
    double all = 0;
    for (size_t a = 0; a < pairs->rows; a++, law += pairs->columns) {
        double sum = 0;
        for (size_t b = 0; b < pairs->columns; b++)
            sum += law[b] * v[b];
        all += u[a] * sum;
    }
    return all;
}

/* One step of EM; the logarithm of the likelihood before it. to may not be from. */
static double step(const joint_fit *fit, const double *from, double *to)
{
    const sc_joint_pairs *pairs = fit->pairs;
    double likelihood = 0;
    memset(to, 0, fit->cells * sizeof *to);
    for (size_t i = 0; i < pairs->count; i++) {
        const double *u = pairs->first + i * pairs->rows;
        const double *v = pairs->second + i * pairs->columns;
        const double all = mix(fit, i, from), weight = (double)pairs->weights[i];
        likelihood += weight * log(all);
        for (size_t a = 0; a < pairs->rows; a++) {
            const double part = weight / all * u[a];
            double *row = to + a * pairs->columns;
            for (size_t b = 0; b < pairs->columns; b++)
                row[b] += part * v[b];
        }
    }
    for (size_t c = 0; c < fit->cells; c++)
        to[c] *= from[c] / pairs->devices;
    return likelihood;
}

/* From three laws that follow each other, where they lead to: into the first. Negative cells become a part of
 * what they were. */
static void extrapolate(size_t cells, double *first, const double *second,
                        const double *third)
{
    double moved = 0, bent = 0, all = 0;
    for (size_t c = 0; c < cells; c++) {
        const double r = second[c] - first[c], v = third[c] - second[c] - r;
        moved += r * r;
        bent += v * v;
    }
    const double length = bent > 0 ? fmax(1, sqrt(moved / bent)) : 1;
    for (size_t c = 0; c < cells; c++) {
        const double r = second[c] - first[c], v = third[c] - second[c] - r;
        const double aim = first[c] + 2 * length * r + length * length * v;
        first[c] = fmax(aim, third[c] / 16);
        all += first[c];
    }
    for (size_t c = 0; c < cells; c++)
        first[c] /= all;
}

static double largest_move(const joint_fit *fit, const double *a, const double *b)
{
    double largest = 0;
    for (size_t c = 0; c < fit->cells; c++)
        largest = fmax(largest, fabs(a[c] - b[c]));
    return largest * sqrt(fit->pairs->devices);
}

/* Two steps, then a leap; if the leap has lost likelihood, the third law is taken instead. */
static unsigned climb(const joint_fit *fit, double *law, double *second, double *third)
{
    unsigned passes = 0;
    double *spare = third + fit->cells;
    (void)step(fit, law, second);
    while (passes < PASSES && largest_move(fit, law, second) > STILL) {
        const double before = step(fit, second, third);
        memcpy(spare, third, fit->cells * sizeof *spare);
        extrapolate(fit->cells, law, second, third);
        const double after = step(fit, law, second);
        passes += 2;
        if (!(after >= before)) {
            memcpy(law, spare, fit->cells * sizeof *law);
            (void)step(fit, law, second);
            passes++;
        }
    }
    memcpy(law, second, fit->cells * sizeof *law);
    return passes + 1;
}

scrim_status sc_joint_law_fit(const sc_joint_pairs *pairs, double *law, unsigned *passes,
                              scrim_error *error)
{
    const joint_fit fit = {.pairs = pairs, .cells = pairs->rows * pairs->columns};
    double *room = sc_allocate(3 * fit.cells, sizeof *room);
    if (room == NULL)
        return sc_no_memory(error, "a joint table");
    for (size_t c = 0; c < fit.cells; c++)
        law[c] = 1 / (double)fit.cells;
    *passes = pairs->count == 0 ? 0 : climb(&fit, law, room, room + fit.cells);
    sc_free(room);
    return SCRIM_OK;
}

/* The positive cells, and how many. */
static size_t list_positive(const sc_joint_pairs *pairs, const double *law, size_t *cells)
{
    size_t count = 0;
    for (size_t c = 0; c < pairs->rows * pairs->columns; c++)
        if (law[c] * pairs->devices > EMPTY)
            cells[count++] = c;
    return count;
}

/* The lower half of the sum over devices of the products of gradients. */
static void fill_information(const joint_fit *fit, const double *law, const size_t *cells,
                             size_t count, double *gradient, double *matrix)
{
    const sc_joint_pairs *pairs = fit->pairs;
    for (size_t i = 0; i < pairs->count && pairs->columns > 0; i++) {
        const double *u = pairs->first + i * pairs->rows;
        const double *v = pairs->second + i * pairs->columns;
        const double all = mix(fit, i, law), weight = (double)pairs->weights[i];
        for (size_t c = 0; c < count; c++)
            gradient[c] =
                u[cells[c] / pairs->columns] * v[cells[c] % pairs->columns] / all;
        for (size_t c = 0; c < count; c++)
            for (size_t d = 0; d <= c; d++)
                matrix[c * count + d] += weight * gradient[c] * gradient[d];
    }
}

/* The inverse is the covariance of devices that are drawn from a law; of these devices the part of that draw,
 * n law, is no error. */
static void fill_errors(double n, const double *law, const size_t *cells, size_t count,
                        const double *inverse, double *errors)
{
    for (size_t i = 0; i < count; i++) {
        const double variance = n * n * inverse[i * count + i] - n * law[cells[i]];
        errors[cells[i]] = sqrt(fmax(0, variance));
    }
}

scrim_status sc_joint_law_errors(const sc_joint_pairs *pairs, const double *law,
                                 double *errors, scrim_error *error)
{
    const joint_fit fit = {.pairs = pairs, .cells = pairs->rows * pairs->columns};
    size_t *cells = sc_allocate(fit.cells, sizeof *cells);
    double *gradient = sc_allocate(fit.cells, sizeof *gradient);
    double *matrix = sc_allocate(fit.cells * fit.cells, sizeof *matrix);
    double *inverse = sc_allocate(fit.cells * fit.cells, sizeof *inverse);
    scrim_status status = SCRIM_OK;
    for (size_t c = 0; c < fit.cells; c++)
        errors[c] = (double)NAN;
    if (cells == NULL || gradient == NULL || matrix == NULL || inverse == NULL)
        status = sc_no_memory(error, "a joint table");
    if (status == SCRIM_OK) {
        const size_t count = list_positive(pairs, law, cells);
        fill_information(&fit, law, cells, count, gradient, matrix);
        if (sc_cholesky(matrix, count) == count) {
            sc_cholesky_inverse(matrix, count, inverse);
            fill_errors(pairs->devices, law, cells, count, inverse, errors);
        }
    }
    sc_free(cells);
    sc_free(gradient);
    sc_free(matrix);
    sc_free(inverse);
    return status;
}
