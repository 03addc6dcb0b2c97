#include "solve/convex_program.h"

#include "base/memory.h"
#include "solve/linear_program.h"
#include "solve/nearest_point.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static scrim_status not_convex(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "objective",
                       "the function is not convex");
}

static scrim_status look(const sc_convex_function *f, size_t d, const double *x,
                         double *gradient, double *value, scrim_error *error)
{
    *value = f->value(f->context, x, gradient);
    bool is_finite = isfinite(*value) != 0;
    for (size_t j = 0; j < d; j++)
        is_finite = is_finite && isfinite(gradient[j]);
    return is_finite ? SCRIM_OK
                     : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "objective",
                                   "the function is not finite in the whole body");
}

/* The least value of <c, z> over the body, from start. */
static scrim_status least_linear(const sc_half_spaces *spaces, const double *start,
                                 const double *c, double *z, double *least,
                                 scrim_error *error)
{
    const size_t d = spaces->dimension;
    sc_linear_end end = SC_LINEAR_UNBOUNDED;
    sc_linear_program *program = sc_linear_program_new(d, spaces->count);
    double *downhill = sc_allocate(d, sizeof *downhill);
    scrim_status status = program == NULL || downhill == NULL
                              ? sc_no_memory(error, "a convex programme")
                              : SCRIM_OK;
    if (status == SCRIM_OK) {
        sc_add_times(downhill, -1, c, d);
        sc_linear_program_start(program, spaces, start);
        status = sc_linear_program_solve(program, downhill, &end, error);
    }
    if (status == SCRIM_OK && end == SC_LINEAR_UNBOUNDED)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                             "the half-spaces do not bound the body");
    if (status == SCRIM_OK) {
        memcpy(z, sc_linear_program_point(program), d * sizeof *z);
        *least = sc_dot(c, z, d);
    }
    sc_linear_program_free(program);
    sc_free(downhill);
    return status;
}

/* Quadratic functions. */

typedef struct quadratic {
    const sc_half_spaces *spaces;
    size_t d;
    double *hessian, *factor; /* lower triangle, L L^T = hessian + slope */
    double *rows;             /* a_i L^-T */
    double *x, *next, *gradient, *z;
    double slope;
    sc_nearest_point *nearest;
} quadratic;

static bool quadratic_new(quadratic *q, const sc_half_spaces *spaces)
{
    const size_t d = spaces->dimension;
    *q = (quadratic){.spaces = spaces, .d = d};
    q->hessian = sc_allocate(2 * d * d + 4 * d, sizeof *q->hessian);
    q->rows = sc_allocate(spaces->count * (d + 1), sizeof *q->rows);
    q->nearest = sc_nearest_point_new(d, spaces->count);
    if (q->hessian == NULL || q->rows == NULL || q->nearest == NULL)
        return false;
    q->factor = q->hessian + d * d;
    q->x = q->factor + d * d;
    q->next = q->x + d;
    q->gradient = q->x + 2 * d;
    q->z = q->x + 3 * d;
    return true;
}

static void quadratic_free(quadratic *q)
{
    sc_free(q->hessian);
    sc_free(q->rows);
    sc_nearest_point_free(q->nearest);
}

/* Differences of gradients are exact for a quadratic function. */
static scrim_status find_hessian(quadratic *q, const sc_convex_function *f,
                                 scrim_error *error)
{
    const size_t d = q->d;
    double value;
    scrim_status status = SCRIM_OK;
    memset(q->x, 0, d * sizeof *q->x);
    for (size_t j = 0; status == SCRIM_OK && j < d; j++) {
        q->x[j] = 1;
        status = look(f, d, q->x, q->hessian + j * d, &value, error);
        q->x[j] = -1;
        if (status == SCRIM_OK)
            status = look(f, d, q->x, q->gradient, &value, error);
        q->x[j] = 0;
        for (size_t k = 0; k < d; k++)
            q->hessian[j * d + k] = (q->hessian[j * d + k] - q->gradient[k]) / 2;
    }
    return status;
}

/* False: a pivot is not above the least one. */
static bool factorise(quadratic *q, double least)
{
    const size_t d = q->d;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum =
                q->hessian[i * d + j] - sc_dot(q->factor + i * d, q->factor + j * d, j);
            if (i == j) {
                sum += q->slope;
                if (!(sum > least))
                    return false;
                q->factor[i * d + i] = sqrt(sum);
            } else {
                q->factor[i * d + j] = sum / q->factor[j * d + j];
            }
        }
    return true;
}

/* A small pivot makes later pivots inexact, so their signs do not tell whether the Hessian is
 * negative somewhere. But the factors are those of a matrix that is off by its last digits: with
 * this slope factors exist if and only if no eigenvalue is below -1e-10 of the largest entry,
 * but for those digits. */
static bool factorise_flat(quadratic *q, double largest)
{
    q->slope = 1e-10 * largest;
    if (!factorise(q, 0))
        return false;
    q->slope = 1e-3 * largest;
    return factorise(q, 1e-4 * largest);
}

/* L v = w, in place; and L^T v = w. */
static void solve_lower(const quadratic *q, double *v)
{
    for (size_t i = 0; i < q->d; i++)
        v[i] = (v[i] - sc_dot(q->factor + i * q->d, v, i)) / q->factor[i * q->d + i];
}

static void solve_upper(const quadratic *q, double *v)
{
    const size_t d = q->d;
    for (size_t i = d; i-- > 0;) {
        v[i] /= q->factor[i * d + i];
        for (size_t k = 0; k < i; k++)
            v[k] -= q->factor[i * d + k] * v[i];
    }
}

/* Half-spaces in z = L^T x, each of length 1. */
static void map_rows(quadratic *q)
{
    const size_t d = q->d;
    double *offsets = q->rows + q->spaces->count * d;
    for (size_t i = 0; i < q->spaces->count; i++) {
        double *row = q->rows + i * d;
        memcpy(row, q->spaces->a + i * d, d * sizeof *row);
        solve_lower(q, row);
        const double length = sc_norm(row, d);
        for (size_t j = 0; j < d; j++)
            row[j] /= length;
        offsets[i] = q->spaces->b[i] / length;
    }
}

/* One step from x: the least value of the function plus slope / 2 |next - x|^2. */
static scrim_status quadratic_step(quadratic *q, scrim_error *error)
{
    const size_t d = q->d;
    const sc_half_spaces mapped = {d, q->spaces->count, q->rows,
                                   q->rows + q->spaces->count * d};
    /* z0 = L^T (x - (H + slope)^-1 gradient) = L^T x - L^-1 gradient */
    memcpy(q->next, q->gradient, d * sizeof *q->next);
    solve_lower(q, q->next);
    for (size_t i = 0; i < d; i++) {
        double sum = 0;
        for (size_t k = i; k < d; k++)
            sum += q->factor[k * d + i] * q->x[k];
        q->z[i] = sum - q->next[i];
    }
    const scrim_status status =
        sc_nearest_point_find(q->nearest, &mapped, q->z, q->next, error);
    if (status == SCRIM_OK)
        solve_upper(q, q->next);
    return status;
}

static scrim_status climb_down(quadratic *q, const sc_convex_function *f,
                               const double *start, sc_convex_minimum *out,
                               scrim_error *error)
{
    const size_t d = q->d;
    double moved = (double)INFINITY, value;
    memcpy(q->x, start, d * sizeof *q->x);
    scrim_status status = SCRIM_OK;
    for (out->steps = 0; status == SCRIM_OK && out->steps < SC_CONVEX_STEPS &&
                         moved > 1e-13 * (1 + sc_norm(q->x, d));
         out->steps++) {
        status = look(f, d, q->x, q->gradient, &value, error);
        if (status == SCRIM_OK)
            status = quadratic_step(q, error);
        moved = 0;
        for (size_t j = 0; j < d; j++)
            moved = fmax(moved, fabs(q->next[j] - q->x[j]));
        memcpy(q->x, q->next, d * sizeof *q->x);
    }
    return status;
}

static scrim_status minimise_quadratic(const sc_half_spaces *spaces, const double *start,
                                       const sc_convex_function *f, double *x,
                                       sc_convex_minimum *out, scrim_error *error)
{
    quadratic q;
    const size_t d = spaces->dimension;
    double largest = 1e-300;
    scrim_status status = quadratic_new(&q, spaces)
                              ? find_hessian(&q, f, error)
                              : sc_no_memory(error, "a convex programme");
    for (size_t i = 0; status == SCRIM_OK && i < d * d; i++)
        largest = fmax(largest, fabs(q.hessian[i]));
    if (status == SCRIM_OK && !factorise(&q, 1e-10 * largest) &&
        !factorise_flat(&q, largest))
        status = not_convex(error);
    if (status == SCRIM_OK) {
        map_rows(&q);
        status = climb_down(&q, f, start, out, error);
    }
    if (status == SCRIM_OK)
        memcpy(x, q.x, d * sizeof *x);
    quadratic_free(&q);
    return status;
}

/* The tangent at x is below the function, and its least value over the body below all values. */
static scrim_status find_gap(const sc_half_spaces *spaces, const double *start,
                             const sc_convex_function *f, const double *x,
                             sc_convex_minimum *out, scrim_error *error)
{
    const size_t d = spaces->dimension;
    double least = 0, *work = sc_allocate(2 * d, sizeof *work);
    if (work == NULL)
        return sc_no_memory(error, "a convex programme");
    scrim_status status = look(f, d, x, work, &out->value, error);
    if (status == SCRIM_OK)
        status = least_linear(spaces, start, work, work + d, &least, error);
    if (status == SCRIM_OK)
        out->gap = fmax(sc_dot(work, x, d) - least, 0);
    sc_free(work);
    return status;
}

static scrim_status minimise_linear(const sc_half_spaces *spaces, const double *start,
                                    const sc_convex_function *f, double *x,
                                    sc_convex_minimum *out, scrim_error *error)
{
    double least, *gradient = sc_allocate(spaces->dimension, sizeof *gradient);
    if (gradient == NULL)
        return sc_no_memory(error, "a convex programme");
    scrim_status status = look(f, spaces->dimension, start, gradient, &least, error);
    if (status == SCRIM_OK)
        status = least_linear(spaces, start, gradient, x, &least, error);
    out->steps = 1;
    sc_free(gradient);
    return status;
}

/* Cutting planes, in (x, t): a cut is <g, x> - t <= <g, x_k> - f(x_k), over the size of the first g. */

typedef struct cuts {
    const sc_half_spaces *body;
    size_t d, count; /* rows, of the body and of cuts */
    double *a, *b;
    double *point, *downhill, *gradient;
    double unit; /* of t */
    double best, highest, lower;
    sc_linear_program *program;
} cuts;

static bool cuts_new(cuts *c, const sc_half_spaces *body)
{
    const size_t d = body->dimension, rows = body->count + SC_CONVEX_STEPS + 1;
    *c = (cuts){.body = body, .d = d, .count = body->count};
    c->a = sc_allocate(rows * (d + 1), sizeof *c->a);
    c->b = sc_allocate(rows, sizeof *c->b);
    c->point = sc_allocate(3 * (d + 1), sizeof *c->point);
    c->program = sc_linear_program_new(d + 1, rows);
    if (c->a == NULL || c->b == NULL || c->point == NULL || c->program == NULL)
        return false;
    c->downhill = c->point + d + 1;
    c->gradient = c->point + 2 * (d + 1);
    c->downhill[d] = -1;
    for (size_t i = 0; i < body->count; i++) {
        memcpy(c->a + i * (d + 1), body->a + i * d, d * sizeof *c->a);
        c->b[i] = body->b[i];
    }
    c->best = (double)INFINITY;
    c->highest = c->lower = -(double)INFINITY;
    return true;
}

static void cuts_free(cuts *c)
{
    sc_free(c->a);
    sc_free(c->b);
    sc_free(c->point);
    sc_linear_program_free(c->program);
}

/* The tangent at the point, and t on the highest of all tangents there. */
static scrim_status cut(cuts *c, const sc_convex_function *f, double *x,
                        scrim_error *error)
{
    const size_t d = c->d;
    double value, *row = c->a + c->count * (d + 1);
    const scrim_status status = look(f, d, c->point, c->gradient, &value, error);
    if (status != SCRIM_OK)
        return status;
    if (!(c->unit > 0))
        c->unit = fmax(sc_norm(c->gradient, d), 1e-6 * fabs(value) + 1e-12);
    if (value < c->best) {
        c->best = value;
        memcpy(x, c->point, d * sizeof *x);
    }
    c->highest = fmax(c->highest, value);
    const double length = hypot(sc_norm(c->gradient, d) / c->unit, 1);
    for (size_t j = 0; j < d; j++)
        row[j] = c->gradient[j] / c->unit / length;
    row[d] = -1 / length;
    c->b[c->count++] = (sc_dot(c->gradient, c->point, d) - value) / c->unit / length;
    c->point[d] = -(double)INFINITY;
    for (size_t i = c->body->count; i < c->count; i++) {
        const double *other = c->a + i * (d + 1);
        c->point[d] =
            fmax(c->point[d], (sc_dot(other, c->point, d) - c->b[i]) / -other[d]);
    }
    return SCRIM_OK;
}

static scrim_status lift(cuts *c, scrim_error *error)
{
    const sc_half_spaces spaces = {c->d + 1, c->count, c->a, c->b};
    sc_linear_end end;
    sc_linear_program_start(c->program, &spaces, c->point);
    const scrim_status status =
        sc_linear_program_solve(c->program, c->downhill, &end, error);
    if (status != SCRIM_OK)
        return status;
    if (end == SC_LINEAR_UNBOUNDED)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "the half-spaces do not bound the body");
    memcpy(c->point, sc_linear_program_point(c->program), (c->d + 1) * sizeof *c->point);
    c->lower = fmax(c->lower, c->point[c->d] * c->unit);
    return SCRIM_OK;
}

static scrim_status minimise_by_cuts(const sc_half_spaces *spaces, const double *start,
                                     const sc_convex_function *f, double tolerance,
                                     double *x, sc_convex_minimum *out,
                                     scrim_error *error)
{
    cuts c;
    scrim_status status =
        cuts_new(&c, spaces) ? SCRIM_OK : sc_no_memory(error, "a convex programme");
    if (status == SCRIM_OK)
        memcpy(c.point, start, c.d * sizeof *start);
    for (out->steps = 0;
         status == SCRIM_OK && out->steps < SC_CONVEX_STEPS &&
         !(c.best - c.lower <= tolerance * (c.highest - c.best) + 1e-12 * fabs(c.best));
         out->steps++) {
        status = cut(&c, f, x, error);
        if (status == SCRIM_OK)
            status = lift(&c, error);
        if (status == SCRIM_OK &&
            c.lower - c.best > 1e-7 * (c.highest - c.lower) + 1e-9 * fabs(c.best))
            status = not_convex(error);
    }
    out->value = c.best;
    out->gap = fmax(c.best - c.lower, 0);
    cuts_free(&c);
    return status;
}

scrim_status sc_convex_minimise(const sc_half_spaces *spaces, const double *start,
                                const sc_convex_function *function, double tolerance,
                                double *x, sc_convex_minimum *out, scrim_error *error)
{
    if (function->degree == 0)
        return minimise_by_cuts(spaces, start, function, tolerance, x, out, error);
    const scrim_status status =
        function->degree == 1
            ? minimise_linear(spaces, start, function, x, out, error)
            : minimise_quadratic(spaces, start, function, x, out, error);
    return status == SCRIM_OK ? find_gap(spaces, start, function, x, out, error) : status;
}
