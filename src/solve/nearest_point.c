#include "solve/nearest_point.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct sc_nearest_point {
    const sc_half_spaces *spaces;
    size_t dimension, count;
    double scale;
    double *y, *z;
    double *q;     /* orthonormal, of the active rows, one after the other */
    double *r;     /* active row k is the sum of r[k d + i] q_i over i <= k */
    double *share; /* of the active rows in the row to be added */
    double *multipliers;
    double *slack;
    size_t *active;
};

void sc_nearest_point_free(sc_nearest_point *s)
{
    if (s == NULL)
        return;
    sc_free(s->y);
    sc_free(s->q);
    sc_free(s->slack);
    sc_free(s->active);
    sc_free(s);
}

sc_nearest_point *sc_nearest_point_new(size_t d, size_t rows_max)
{
    sc_nearest_point *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->dimension = d;
    s->y = sc_allocate(4 * d + 1, sizeof *s->y);
    s->q = sc_allocate(2 * d * d, sizeof *s->q);
    s->slack = sc_allocate(rows_max, sizeof *s->slack);
    s->active = sc_allocate(d, sizeof *s->active);
    if (s->y == NULL || s->q == NULL || s->slack == NULL || s->active == NULL) {
        sc_nearest_point_free(s);
        return NULL;
    }
    s->z = s->y + d;
    s->share = s->y + 2 * d;
    s->multipliers = s->y + 3 * d;
    s->r = s->q + d * d;
    return s;
}

static const double *row(const sc_nearest_point *s, size_t i)
{
    return s->spaces->a + i * s->dimension;
}

/* z is what is left of v beside the first active rows; own its parts along their q. Twice, for the last digits. */
static double split(const sc_nearest_point *s, const double *v, size_t count, double *own,
                    double *z)
{
    const size_t d = s->dimension;
    memcpy(z, v, d * sizeof *z);
    memset(own, 0, count * sizeof *own);
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < count; k++) {
            const double part = sc_dot(s->q + k * d, z, d);
            own[k] += part;
            sc_add_times(z, -part, s->q + k * d, d);
        }
    return sc_norm(z, d);
}

/* Active row k anew, from those before it. */
static void orthonormalise(sc_nearest_point *s, size_t k)
{
    const size_t d = s->dimension;
    double *q = s->q + k * d, *r = s->r + k * d;
    const double length = split(s, row(s, s->active[k]), k, r, q);
    r[k] = length;
    for (size_t j = 0; j < d; j++)
        q[j] /= length;
}

static void drop(sc_nearest_point *s, size_t k)
{
    s->count--;
    for (size_t i = k; i < s->count; i++) {
        s->active[i] = s->active[i + 1];
        s->multipliers[i] = s->multipliers[i + 1];
    }
    for (size_t i = k; i < s->count; i++)
        orthonormalise(s, i);
}

/* The shares of the active rows in row p, with z what is left of it; its length. */
static double share_rows(sc_nearest_point *s, size_t p)
{
    const size_t d = s->dimension, n = s->count;
    const double length = split(s, row(s, p), n, s->share, s->z);
    for (size_t k = n; k-- > 0;) {
        s->share[k] /= s->r[k * d + k];
        for (size_t i = 0; i < k; i++)
            s->share[i] -= s->share[k] * s->r[k * d + i];
    }
    return length;
}

static size_t find_violated(sc_nearest_point *s)
{
    size_t worst = 0;
    sc_half_spaces_slack(s->spaces, s->y, s->slack);
    for (size_t k = 0; k < s->count; k++)
        s->slack[s->active[k]] = 0;
    for (size_t i = 1; i < s->spaces->count; i++)
        if (s->slack[i] < s->slack[worst])
            worst = i;
    return s->slack[worst] < -1e-13 * s->scale ? worst : SIZE_MAX;
}

/* Until row p is active; false: there is no such point. */
static bool add_row(sc_nearest_point *s, size_t p, size_t *steps)
{
    const size_t d = s->dimension;
    double own = 0;
    for (; *steps > 0; --*steps) {
        const double length = share_rows(s, p);
        const bool is_beside = length > 1e-11;
        double least = (double)INFINITY;
        size_t first = SIZE_MAX;
        for (size_t k = 0; k < s->count; k++)
            if (s->share[k] > 1e-14 && s->multipliers[k] / s->share[k] < least) {
                least = s->multipliers[k] / s->share[k];
                first = k;
            }
        const double excess = sc_dot(row(s, p), s->y, d) - s->spaces->b[p];
        const double whole =
            is_beside ? fmax(excess, 0) / (length * length) : (double)INFINITY;
        const double t = fmin(least, whole);
        if (!(t < (double)INFINITY))
            return false;
        if (is_beside)
            sc_add_times(s->y, -t, s->z, d);
        sc_add_times(s->multipliers, -t, s->share, s->count);
        own += t;
        if (whole <= least) {
            s->multipliers[s->count] = own;
            s->active[s->count] = p;
            orthonormalise(s, s->count++);
            return true;
        }
        drop(s, first);
    }
    return true;
}

scrim_status sc_nearest_point_find(sc_nearest_point *s, const sc_half_spaces *spaces,
                                   const double *x, double *y, scrim_error *error)
{
    size_t steps = 1000 + 50 * (spaces->count + s->dimension), violated;
    s->spaces = spaces;
    s->count = 0;
    s->scale = 1e-300;
    for (size_t i = 0; i < spaces->count; i++)
        s->scale = fmax(s->scale, fabs(spaces->b[i]));
    for (size_t j = 0; j < s->dimension; j++)
        s->scale = fmax(s->scale, fabs(x[j]));
    memcpy(s->y, x, s->dimension * sizeof *x);
    while (steps > 0 && (violated = find_violated(s)) != SIZE_MAX)
        if (!add_row(s, violated, &steps))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                               "no point is in all half-spaces of the body");
    if (steps == 0)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "internal failure: a projection did not end");
    memcpy(y, s->y, s->dimension * sizeof *y);
    return SCRIM_OK;
}

size_t sc_nearest_point_active_count(const sc_nearest_point *s)
{
    return s->count;
}

const size_t *sc_nearest_point_active(const sc_nearest_point *s)
{
    return s->active;
}

const double *sc_nearest_point_multipliers(const sc_nearest_point *s)
{
    return s->multipliers;
}
