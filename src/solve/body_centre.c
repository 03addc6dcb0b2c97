#include "solve/body_centre.h"

#include "base/memory.h"
#include "solve/public_frame.h"
#include "solve/shadow.h"

#include <math.h>
#include <string.h>

#define FRAMES_LEAST 8
#define FRAMES_MOST 200

/* Least squares by the normal equations: the matrix is that of a frame, near a multiple of 1. */

static void solve(double *m, double *v, size_t d)
{
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            const double sum = m[i * d + j] - sc_dot(m + i * d, m + j * d, j);
            m[i * d + j] = i == j ? sqrt(sum) : sum / m[j * d + j];
        }
    for (size_t i = 0; i < d; i++)
        v[i] = (v[i] - sc_dot(m + i * d, v, i)) / m[i * d + i];
    for (size_t i = d; i-- > 0;) {
        v[i] /= m[i * d + i];
        for (size_t k = 0; k < i; k++)
            v[k] -= m[i * d + k] * v[i];
    }
}

scrim_status sc_centre_frame(const sc_solid *s, double *v, scrim_error *error)
{
    const size_t d = s->dimension;
    double *m = sc_allocate(d * d, sizeof *m);
    if (m == NULL)
        return sc_no_memory(error, "a centre");
    memset(v, 0, d * sizeof *v);
    for (size_t i = 0; i < s->spaces.count; i++) {
        const double *row = s->rows + i * d;
        for (size_t j = 0; j < d; j++)
            sc_add_times(m + j * d, row[j], row, d);
        sc_add_times(v, s->offsets[i] - s->inflation, row, d);
    }
    solve(m, v, d);
    sc_free(m);
    return SCRIM_OK;
}

/* Half the sum of u h(u) over a frame with both signs. */
static scrim_status frame_point(sc_solid *s, uint64_t index, double *frame, double *out,
                                scrim_error *error)
{
    const size_t d = s->dimension;
    scrim_status status = SCRIM_OK;
    sc_public_frame(d, index, frame);
    memset(out, 0, d * sizeof *out);
    for (size_t k = 0; status == SCRIM_OK && k < d; k++) {
        double *u = frame + k * d, front = 0, back = 0;
        status = sc_solid_support(s, u, &front, NULL, error);
        for (size_t j = 0; j < d; j++)
            u[j] = -u[j];
        if (status == SCRIM_OK)
            status = sc_solid_support(s, u, &back, NULL, error);
        sc_add_times(out, (back - front) / 2, u, d);
    }
    return status;
}

static scrim_status average_frames(sc_solid *s, double tolerance, double *work,
                                   sc_body_centre *out, scrim_error *error)
{
    const size_t d = s->dimension;
    double *frame = work, *point = work + d * d, *squares = point + d;
    memset(out->v, 0, d * sizeof *out->v);
    out->frames = 0;
    while (out->frames < FRAMES_MOST &&
           (out->frames < FRAMES_LEAST || out->standard_error > tolerance * s->side)) {
        const scrim_status status = frame_point(s, out->frames, frame, point, error);
        if (status != SCRIM_OK)
            return status;
        const double n = (double)++out->frames;
        double sum = 0;
        for (size_t j = 0; j < d;
             j++) { /* mean and sum of squares, one after the other */
            const double step = point[j] - out->v[j];
            out->v[j] += step / n;
            squares[j] += step * (point[j] - out->v[j]);
            sum += squares[j];
        }
        out->standard_error = n > 1 ? sqrt(sum / (n * (n - 1))) : (double)INFINITY;
    }
    /* A mean of frames may lie outside; the nearest point inside is nearer to the truth. */
    size_t row;
    return sc_solid_excess(s, out->v, &row) > s->inflation
               ? sc_solid_nearest(s, out->v, out->v, error)
               : SCRIM_OK;
}

scrim_status sc_centre_steiner(sc_solid *s, double tolerance, sc_body_centre *out,
                               scrim_error *error)
{
    const size_t d = s->dimension;
    out->standard_error = 0;
    out->frames = 0;
    if (d <= 2) {
        sc_shadow shadow;
        double point[2];
        const scrim_status status = sc_shadow_find(s, 0, 1, &shadow, error);
        if (status != SCRIM_OK)
            return status;
        sc_polygon_steiner(shadow.corners, shadow.count, point);
        memcpy(out->v, point, d * sizeof *point);
        sc_shadow_clear(&shadow);
        return SCRIM_OK;
    }
    double *work = sc_allocate(d * d + 2 * d, sizeof *work);
    if (work == NULL)
        return sc_no_memory(error, "a centre");
    const scrim_status status = average_frames(s, tolerance, work, out, error);
    sc_free(work);
    return status;
}

double sc_steiner_lipschitz(size_t dimension)
{
    const double d = (double)dimension;
    int sign;
    return d * exp(lgamma_r(d / 2, &sign) - lgamma_r((d + 1) / 2, &sign)) /
           sqrt(acos(-1));
}
