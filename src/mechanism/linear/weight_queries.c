#include "mechanism/linear/weight_queries.h"

#include "model/domain.h"

#include <string.h>

#define LOG_BITS 32
#define WEIGHT_BITS 40
#define WORK_BITS 60 /* of a number from 0 to 1 while its power is computed */
#define HALVINGS 7   /* the exponent is below 2^6 and becomes at most 1/2 */
#define TERMS 16

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)(((sc_int128)a * b) >> WORK_BITS);
}

/* exp(-x), x >= 0 in 2^-32, as a weight: the series at x/2^7, squared 7 times. */
static int64_t decay(int64_t x)
{
    const int64_t one = (int64_t)1 << WORK_BITS;
    if (x >= (int64_t)64 << LOG_BITS)
        return 0;
    const int64_t small = x << (WORK_BITS - LOG_BITS - HALVINGS);
    int64_t sum = one, term = one;
    for (int k = 1; k <= TERMS; k++) {
        term = times(term, small) / k;
        sum += k % 2 == 1 ? -term : term;
    }
    for (int i = 0; i < HALVINGS; i++)
        sum = times(sum, sum);
    return sum >> (WORK_BITS - WEIGHT_BITS);
}

static void weigh(sc_fixed_weights *w)
{
    int64_t best = w->logs[0];
    for (size_t i = 1; i < w->bins; i++)
        best = w->logs[i] > best ? w->logs[i] : best;
    w->sum = 0;
    for (size_t i = 0; i < w->bins; i++) {
        w->logs[i] -= best;
        w->weights[i] = decay(-w->logs[i]);
        w->sum += w->weights[i];
    }
}

void sc_fixed_weights_start(sc_fixed_weights *out, size_t bins, int64_t total,
                            int64_t steps)
{
    *out = (sc_fixed_weights){.bins = bins, .total = total, .steps = steps};
    weigh(out);
}

/* q(A) times the sum of weights: 2^31 of 2^10 times 2^48. */
static sc_int128 scaled_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                               size_t query)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < w->bins; i++)
        sum += (sc_int128)sc_linear_matrix_at(matrix, query, i) * w->weights[i];
    return sum * w->total;
}

static int64_t rounded(const sc_fixed_weights *w, sc_int128 scaled)
{
    return (int64_t)((2 * scaled + w->sum) / (2 * (sc_int128)w->sum));
}

int64_t sc_fixed_weights_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                                size_t query)
{
    return rounded(w, scaled_answer(w, matrix, query));
}

int64_t sc_fixed_weights_count(const sc_fixed_weights *w, size_t bin)
{
    return rounded(w, (sc_int128)w->weights[bin] * w->total);
}

void sc_fixed_weights_step(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                           size_t query, int64_t by)
{
    for (size_t i = 0; i < w->bins; i++)
        w->logs[i] +=
            (int64_t)((sc_int128)sc_linear_matrix_at(matrix, query, i) * by / w->steps);
    weigh(w);
}

void sc_fixed_weights_learn(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                            size_t query, int64_t y)
{
    const sc_int128 apart = (sc_int128)y * w->sum - scaled_answer(w, matrix, query);
    const sc_int128 whole = (sc_int128)w->total * w->steps * w->sum;
    sc_fixed_weights_step(w, matrix, query,
                          (int64_t)(apart * ((int64_t)1 << (LOG_BITS - 1)) / whole));
}

#define STEPS_MAX 1024

static int64_t unit_rows(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-rows", 1);
}

static int64_t largest(const sc_linear_matrix *matrix)
{
    int64_t most = 1;
    for (size_t q = 0; q < matrix->queries; q++)
        for (size_t i = 0; i < matrix->bins; i++) {
            const int64_t here = sc_linear_matrix_at(matrix, q, i);
            most = here > most ? here : most;
        }
    return most;
}

/* Queries that are asked later have coefficients up to 1. */
static scrim_status read_size(const scrim_measurement *m, sc_weight_queries *out,
                              scrim_error *error)
{
    SC_TRY(sc_linear_matrix_steps(m, STEPS_MAX, &out->steps, error));
    out->total = sc_measurement_integer(m, "total", 1);
    out->move =
        unit_rows(m) * (out->matrix.queries == 0 ? out->steps : largest(&out->matrix));
    return SCRIM_OK;
}

scrim_status sc_weight_queries_read(const scrim_measurement *m, sc_weight_queries *out,
                                    scrim_error *error)
{
    SC_TRY(sc_linear_matrix_read(m, &out->matrix, error));
    return read_size(m, out, error);
}

scrim_status sc_weight_queries_read_any(const scrim_measurement *m,
                                        sc_weight_queries *out, scrim_error *error)
{
    SC_TRY(sc_linear_matrix_read_any(m, &out->matrix, error));
    return read_size(m, out, error);
}

scrim_status sc_weight_queries_set_noise(sc_weight_queries *w, const sc_ratio *epsilon,
                                         scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, w->move);
    sc_ratio_div(&scale, &scale, epsilon);
    const scrim_status status =
        sc_sparse_noise_init(&w->noise, SC_SPARSE_LAPLACE, &scale, error);
    w->has_noise = status == SCRIM_OK;
    return status;
}

void sc_weight_queries_clear(sc_weight_queries *w)
{
    if (w->has_noise)
        sc_sparse_noise_clear(&w->noise);
    w->has_noise = false;
}

static int64_t highest(const sc_weight_queries *w)
{
    return w->total * w->steps;
}

int64_t sc_weight_queries_values(const sc_weight_queries *w)
{
    return highest(w) + 1;
}

int64_t sc_weight_queries_truth(const sc_linear_matrix *matrix, size_t query,
                                const int64_t *counts)
{
    int64_t sum = 0; /* 256 counts of 2^31 times 2^10 */
    for (size_t i = 0; i < matrix->bins; i++)
        sum += sc_linear_matrix_at(matrix, query, i) * counts[i];
    return sum;
}

void sc_weight_queries_answer(const sc_weight_queries *w, const sc_private_input *input,
                              int64_t *out)
{
    for (size_t q = 0; q < w->matrix.queries; q++)
        out[q] = sc_weight_queries_truth(&w->matrix, q, input->values);
}

int64_t sc_weight_queries_value(const sc_weight_queries *w, int64_t truth,
                                sc_int128 noise)
{
    const sc_int128 value = noise + truth;
    return value < 0 ? 0 : value > highest(w) ? highest(w) : (int64_t)value;
}

void sc_weight_queries_mass(const sc_weight_queries *w, int64_t truth, int64_t value,
                            long bits, sc_ball *out)
{
    const sc_int128 noise = (sc_int128)value - truth;
    if (value == 0)
        sc_law_at_most(&w->noise.law, noise, bits, out);
    else if (value == highest(w))
        sc_law_at_least(&w->noise.law, noise, bits, out);
    else
        sc_law_pmf(&w->noise.law, noise, bits, out);
}

enum { BASES = 9 };

size_t sc_weight_queries_pairs(const sc_weight_queries *w)
{
    return w->matrix.bins <= SC_PAIR_VALUES ? BASES * w->matrix.bins : 0;
}

void sc_weight_queries_pair(const scrim_measurement *m, const sc_weight_queries *w,
                            size_t index, sc_pair *out)
{
    const size_t bins = w->matrix.bins, base = index / bins;
    out->x_count = out->y_count = bins;
    for (size_t i = 0; i < bins; i++)
        out->x[i] = 0;
    out->x[0] += (int64_t)(base % 3);
    out->x[bins - 1] += (int64_t)(base / 3);
    memcpy(out->y, out->x, bins * sizeof *out->y);
    out->y[index % bins] += unit_rows(m);
    if (sc_measurement_neighbours(m) == SCRIM_REPLACE)
        out->x[0] += unit_rows(m);
}
