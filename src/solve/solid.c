#include "solve/solid.h"

#include "base/memory.h"
#include "base/number/ball_double.h"

#include <math.h>
#include <string.h>

/* Offsets and sides of a body beyond this, as a part of one another, are beyond doubles. */
#define FAR 1e9

static scrim_status unbounded(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "directions",
                       "the directions do not bound a body; add the opposite ones");
}

void sc_solid_free(sc_solid *s)
{
    if (s == NULL)
        return;
    sc_free(s->rows);
    sc_free(s->offsets);
    sc_free(s->low);
    sc_linear_program_free(s->program);
    sc_nearest_point_free(s->nearest);
    sc_free(s);
}

static sc_solid *allocate(size_t d, size_t rows)
{
    sc_solid *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->dimension = d;
    s->rows = sc_allocate(rows * d, sizeof *s->rows);
    s->offsets = sc_allocate(rows, sizeof *s->offsets);
    s->low = sc_allocate(4 * d, sizeof *s->low);
    s->program = sc_linear_program_new(d, rows);
    s->nearest = sc_nearest_point_new(d, rows);
    if (s->rows == NULL || s->offsets == NULL || s->low == NULL || s->program == NULL ||
        s->nearest == NULL) {
        sc_solid_free(s);
        return NULL;
    }
    s->scale = s->low + d;
    s->middle = s->low + 2 * d;
    s->centre = s->low + 3 * d;
    s->spaces = (sc_half_spaces){d, rows, s->rows, s->offsets};
    return s;
}

/* Bounds. The sum of all rows falls along every ray that the half-spaces let through, so that one linear programme
 * tells: with offsets 1 it is unbounded, or its body has a line. */
static scrim_status check_bounded(size_t d, size_t count, const double *rows,
                                  sc_linear_program *program, scrim_error *error)
{
    sc_linear_end end = SC_LINEAR_UNBOUNDED;
    double *work = sc_allocate(2 * d + count, sizeof *work);
    if (work == NULL)
        return sc_no_memory(error, "a body");
    double *ones = work + 2 * d;
    const sc_half_spaces spaces = {d, count, rows, ones};
    for (size_t i = 0; i < count; i++) {
        ones[i] = 1;
        sc_add_times(work + d, -1, rows + i * d, d);
    }
    if (sc_norm(work + d, d) < 1e-7 * (double)count)
        memset(work + d, 0, d * sizeof *work);
    sc_linear_program_start(program, &spaces, work);
    scrim_status status = sc_linear_program_solve(program, work + d, &end, error);
    if (status == SCRIM_OK && end == SC_LINEAR_UNBOUNDED)
        status = unbounded(error);
    sc_free(work);
    return status;
}

/* The largest ball: rows [a_i, 1], and its radius is the last variable. */
static scrim_status find_ball(sc_solid *s, double *radius, double *centre,
                              scrim_error *error)
{
    const size_t d = s->dimension, count = s->spaces.count;
    double *work = sc_allocate((count + 2) * (d + 1), sizeof *work);
    sc_linear_program *program = sc_linear_program_new(d + 1, count);
    sc_linear_end end = SC_LINEAR_UNBOUNDED;
    scrim_status status =
        work == NULL || program == NULL ? sc_no_memory(error, "a body") : SCRIM_OK;
    if (status == SCRIM_OK) {
        double *start = work + count * (d + 1), *c = start + d + 1;
        const sc_half_spaces spaces = {d + 1, count, work, s->offsets};
        start[d] = s->offsets[0];
        for (size_t i = 0; i < count; i++) {
            memcpy(work + i * (d + 1), s->rows + i * d, d * sizeof *work);
            work[i * (d + 1) + d] = 1;
            start[d] = fmin(start[d], s->offsets[i]);
        }
        start[d] -= s->side;
        c[d] = 1;
        sc_linear_program_start(program, &spaces, start);
        status = sc_linear_program_solve(program, c, &end, error);
        if (status == SCRIM_OK && end == SC_LINEAR_UNBOUNDED)
            status = unbounded(error);
        if (status == SCRIM_OK) {
            memcpy(centre, sc_linear_program_point(program), d * sizeof *centre);
            *radius = sc_linear_program_point(program)[d];
        }
    }
    sc_linear_program_free(program);
    sc_free(work);
    return status;
}

static scrim_status check_size(const sc_solid *s, scrim_error *error)
{
    bool good = s->side > 0 && isfinite(s->side);
    for (size_t i = 0; i < s->spaces.count; i++)
        good = good && fabs(s->offsets[i]) <= FAR * s->side;
    for (size_t j = 0; j < s->dimension; j++)
        good = good && isfinite(s->low[j]) && isfinite(s->scale[j]) && s->scale[j] > 0 &&
               isfinite(s->middle[j]) && fabs(s->middle[j]) * FAR >= s->side;
    return good ? SCRIM_OK
                : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "body",
                              "numbers of the body are too far apart");
}

static scrim_status settle(sc_solid *s, scrim_error *error)
{
    scrim_status status =
        check_bounded(s->dimension, s->spaces.count, s->rows, s->program, error);
    if (status == SCRIM_OK)
        status = find_ball(s, &s->radius, s->centre, error);
    if (status != SCRIM_OK)
        return status;
    s->inflation = fmax(SC_SOLID_THIN * s->side - s->radius, 0);
    for (size_t i = 0; i < s->spaces.count; i++)
        s->offsets[i] += s->inflation;
    sc_linear_program_start(s->program, &s->spaces, s->centre);
    return SCRIM_OK;
}

static void take_columns(const sc_body *body, sc_solid *s)
{
    SC_OWN(sc_ratio, width);
    for (size_t j = 0; j < s->dimension; j++) {
        const sc_body_column *column = &body->columns[j];
        sc_ratio_sub(&width, &column->high, &column->low);
        sc_ratio_div(&width, &width, &column->scale);
        s->low[j] = sc_ball_near(&column->low);
        s->scale[j] = sc_ball_near(&column->scale);
        s->middle[j] = sc_ball_near(&width) / 2;
        s->side = fmax(s->side, 2 * s->middle[j]);
    }
}

static void take_rows(const sc_body *body, sc_solid *s)
{
    const size_t d = s->dimension;
    SC_OWN(sc_ratio, bound);
    for (size_t i = 0; i < s->spaces.count; i++) {
        double *row = s->rows + i * d;
        for (size_t j = 0; j < d; j++)
            row[j] = (double)body->directions[i * d + j] / SC_BODY_ONE;
        sc_body_bound(body, i, &bound);
        s->offsets[i] = sc_ball_near(&bound) - sc_dot(row, s->middle, d);
        const double length = sc_norm(row, d);
        s->offsets[i] /= length;
        for (size_t j = 0; j < d; j++)
            row[j] /= length;
    }
}

scrim_status sc_solid_new(const sc_body *body, sc_solid **out, scrim_error *error)
{
    sc_solid *s = allocate(body->dimension, body->row_count);
    if (s == NULL)
        return sc_no_memory(error, "a body");
    take_columns(body, s);
    take_rows(body, s);
    scrim_status status = check_size(s, error);
    if (status == SCRIM_OK)
        status = settle(s, error);
    if (status == SCRIM_OK)
        *out = s;
    else
        sc_solid_free(s);
    return status;
}

scrim_status sc_solid_of(const sc_half_spaces *spaces, double side, sc_solid **out,
                         scrim_error *error)
{
    const size_t d = spaces->dimension;
    sc_solid *s = allocate(d, spaces->count);
    if (s == NULL)
        return sc_no_memory(error, "a body");
    memcpy(s->rows, spaces->a, spaces->count * d * sizeof *s->rows);
    memcpy(s->offsets, spaces->b, spaces->count * sizeof *s->offsets);
    for (size_t j = 0; j < d; j++)
        s->scale[j] = 1;
    s->side = side;
    const scrim_status status = settle(s, error);
    if (status == SCRIM_OK)
        *out = s;
    else
        sc_solid_free(s);
    return status;
}

scrim_status sc_body_check_bounded(const sc_body *body, scrim_error *error)
{
    const size_t d = body->dimension, count = body->row_count;
    double *rows = sc_allocate(count * d, sizeof *rows);
    sc_linear_program *program = sc_linear_program_new(d, count);
    scrim_status status =
        rows == NULL || program == NULL ? sc_no_memory(error, "a body") : SCRIM_OK;
    if (status == SCRIM_OK) {
        for (size_t i = 0; i < count * d; i++)
            rows[i] = (double)body->directions[i] / SC_BODY_ONE;
        status = check_bounded(d, count, rows, program, error);
    }
    sc_linear_program_free(program);
    sc_free(rows);
    return status;
}

void sc_solid_place(const sc_solid *s, const double *x, double *v)
{
    for (size_t j = 0; j < s->dimension; j++)
        v[j] = (x[j] - s->low[j]) / s->scale[j] - s->middle[j];
}

void sc_solid_columns(const sc_solid *s, const double *v, double *x)
{
    for (size_t j = 0; j < s->dimension; j++)
        x[j] = s->low[j] + s->scale[j] * (v[j] + s->middle[j]);
}

scrim_status sc_solid_support(sc_solid *s, const double *direction, double *value,
                              double *vertex, scrim_error *error)
{
    sc_linear_end end;
    const scrim_status status =
        sc_linear_program_solve(s->program, direction, &end, error);
    if (status != SCRIM_OK)
        return status;
    if (end == SC_LINEAR_UNBOUNDED)
        return unbounded(error);
    const double *at = sc_linear_program_point(s->program);
    *value = sc_dot(direction, at, s->dimension);
    if (vertex != NULL)
        memcpy(vertex, at, s->dimension * sizeof *vertex);
    return SCRIM_OK;
}

scrim_status sc_solid_nearest(sc_solid *s, const double *v, double *y, scrim_error *error)
{
    return sc_nearest_point_find(s->nearest, &s->spaces, v, y, error);
}

double sc_solid_excess(const sc_solid *s, const double *v, size_t *row)
{
    double most = -(double)INFINITY;
    for (size_t i = 0; i < s->spaces.count; i++) {
        const double excess = sc_dot(s->rows + i * s->dimension, v, s->dimension) -
                              s->offsets[i] + s->inflation;
        if (excess > most) {
            most = excess;
            *row = i;
        }
    }
    return most;
}

/* Is row i redundant beside the others, as far as offsets has these? */
static scrim_status judge_row(sc_solid *s, size_t i, double own, unsigned char *out,
                              scrim_error *error)
{
    double value = 0;
    s->offsets[i] = own + s->side;
    sc_linear_program_start(s->program, &s->spaces, s->centre);
    const scrim_status status =
        sc_solid_support(s, s->rows + i * s->dimension, &value, NULL, error);
    *out = value <= own + 1e-9 * s->side;
    /* If two rows are equal only one of them is redundant, so the others are judged without it. */
    s->offsets[i] = *out ? own + FAR * s->side : own;
    return status;
}

scrim_status sc_solid_redundant(sc_solid *s, unsigned char *is_redundant,
                                scrim_error *error)
{
    const size_t count = s->spaces.count;
    double *kept = sc_allocate(count, sizeof *kept);
    if (kept == NULL)
        return sc_no_memory(error, "a body");
    memcpy(kept, s->offsets, count * sizeof *kept);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = judge_row(s, i, kept[i], &is_redundant[i], error);
    memcpy(s->offsets, kept, count * sizeof *kept);
    sc_linear_program_start(s->program, &s->spaces, s->centre);
    sc_free(kept);
    return status;
}
