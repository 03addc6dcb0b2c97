#include "mechanism/linear/weight_queries.h"

#include "model/domain.h"

#include <string.h>

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

scrim_status sc_weight_queries_read(const scrim_measurement *m, sc_weight_queries *out,
                                    scrim_error *error)
{
    scrim_status status = sc_linear_matrix_read(m, &out->matrix, error);
    if (status == SCRIM_OK)
        status = sc_linear_matrix_steps(m, STEPS_MAX, &out->steps, error);
    if (status != SCRIM_OK)
        return status;
    out->total = sc_measurement_integer(m, "total", 1);
    out->move = unit_rows(m) * largest(&out->matrix);
    return SCRIM_OK;
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

void sc_weight_queries_answer(const sc_weight_queries *w, const sc_private_input *input,
                              int64_t *out)
{
    for (size_t q = 0; q < w->matrix.queries; q++) {
        out[q] = 0; /* 256 counts of 2^31 times 2^10 */
        for (size_t i = 0; i < input->count; i++)
            out[q] += sc_linear_matrix_at(&w->matrix, q, i) * input->values[i];
    }
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
