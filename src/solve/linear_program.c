#include "solve/linear_program.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TOLERANCE 1e-11
#define PATIENT_STEPS 20 /* of length 0, before rows are taken by their numbers */
#define REFACTOR 50

struct sc_linear_program {
    const sc_half_spaces *spaces;
    size_t dimension, active_count;
    bool is_vertex;
    double scale; /* of offsets and places */
    double *x, *c;
    double *slack, *growth; /* of each row */
    double *basis;   /* orthonormal, of the active rows, before there is a vertex */
    double *inverse; /* of the matrix of active rows, at a vertex; by columns */
    double *work;    /* twice a matrix */
    double *p, *multipliers;
    size_t *active;
    unsigned char *is_active;
};

void sc_linear_program_free(sc_linear_program *s)
{
    if (s == NULL)
        return;
    sc_free(s->x);
    sc_free(s->slack);
    sc_free(s->basis);
    sc_free(s->active);
    sc_free(s->is_active);
    sc_free(s);
}

sc_linear_program *sc_linear_program_new(size_t d, size_t rows_max)
{
    sc_linear_program *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->dimension = d;
    s->x = sc_allocate(4 * d, sizeof *s->x);
    s->slack = sc_allocate(2 * rows_max, sizeof *s->slack);
    s->basis = sc_allocate(4 * d * d, sizeof *s->basis);
    s->active = sc_allocate(d, sizeof *s->active);
    s->is_active = sc_allocate(rows_max, 1);
    if (s->x == NULL || s->slack == NULL || s->basis == NULL || s->active == NULL ||
        s->is_active == NULL) {
        sc_linear_program_free(s);
        return NULL;
    }
    s->c = s->x + d;
    s->p = s->x + 2 * d;
    s->multipliers = s->x + 3 * d;
    s->growth = s->slack + rows_max;
    s->inverse = s->basis + d * d;
    s->work = s->basis + 2 * d * d;
    return s;
}

static const double *row(const sc_linear_program *s, size_t i)
{
    return s->spaces->a + i * s->dimension;
}

static double largest(const double *x, size_t count, double from)
{
    for (size_t i = 0; i < count; i++)
        from = fmax(from, fabs(x[i]));
    return from;
}

void sc_linear_program_start(sc_linear_program *s, const sc_half_spaces *spaces,
                             const double *x)
{
    s->spaces = spaces;
    s->active_count = 0;
    s->is_vertex = false;
    memcpy(s->x, x, s->dimension * sizeof *x);
    memset(s->is_active, 0, spaces->count);
    s->scale = largest(x, s->dimension, largest(spaces->b, spaces->count, 1e-300));
    sc_half_spaces_slack(spaces, s->x, s->slack);
}

/* Steps. */

typedef struct step {
    size_t row; /* that stops it; SIZE_MAX: none */
    double length;
} step;

/* How far along p, which has length 1, until a row stops it: of several, the one that stops it most squarely, or the
 * first. */
static step find_step(sc_linear_program *s, const double *p, bool by_number)
{
    const size_t count = s->spaces->count;
    step found = {SIZE_MAX, (double)INFINITY};
    sc_half_spaces_times(s->spaces, p, s->growth);
    for (size_t i = 0; i < count; i++)
        if (!s->is_active[i] && s->growth[i] > 10 * TOLERANCE)
            found.length = fmin(found.length, fmax(s->slack[i], 0) / s->growth[i]);
    const double reach = found.length + TOLERANCE * s->scale;
    for (size_t i = 0; i < count && found.length < (double)INFINITY; i++) {
        if (s->is_active[i] || s->growth[i] <= 10 * TOLERANCE ||
            fmax(s->slack[i], 0) > reach * s->growth[i])
            continue;
        if (found.row == SIZE_MAX || s->growth[i] > s->growth[found.row])
            found.row = i;
        if (by_number)
            break;
    }
    if (found.row != SIZE_MAX)
        found.length = fmax(s->slack[found.row], 0) / s->growth[found.row];
    return found;
}

static void move(sc_linear_program *s, const double *p, double length)
{
    sc_add_times(s->x, length, p, s->dimension);
    sc_add_times(s->slack, -length, s->growth, s->spaces->count);
}

/* On the way to a vertex. */

/* Takes the active rows out of v and scales the rest to length 1; returns its length before. */
static double beside(const sc_linear_program *s, double *v)
{
    const size_t d = s->dimension;
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < s->active_count; k++)
            sc_add_times(v, -sc_dot(s->basis + k * d, v, d), s->basis + k * d, d);
    const double length = sc_norm(v, d);
    for (size_t j = 0; length > 0 && j < d; j++)
        v[j] /= length;
    return length;
}

/* A direction that keeps the active rows: along c, or where c has nothing left of itself any. */
static bool choose_direction(sc_linear_program *s)
{
    const size_t d = s->dimension;
    double best = 0;
    memcpy(s->p, s->c, d * sizeof *s->p);
    const double own = sc_norm(s->c, d);
    if (own > 0 && beside(s, s->p) > 1e-9 * own)
        return true;
    for (size_t j = 0; j < d; j++) {
        double *v = s->work;
        memset(v, 0, d * sizeof *v);
        v[j] = 1;
        const double length = beside(s, v);
        if (length > best) {
            best = length;
            memcpy(s->p, v, d * sizeof *v);
        }
    }
    return false;
}

static void activate(sc_linear_program *s, size_t i)
{
    double *q = s->basis + s->active_count * s->dimension;
    memcpy(q, row(s, i), s->dimension * sizeof *q);
    (void)beside(s, q);
    s->is_active[i] = 1;
    s->active[s->active_count++] = i;
}

static sc_linear_end walk_to_vertex(sc_linear_program *s)
{
    while (s->active_count < s->dimension) {
        const bool is_ascent = choose_direction(s);
        step next = find_step(s, s->p, false);
        if (next.row == SIZE_MAX && !is_ascent) {
            for (size_t j = 0; j < s->dimension; j++)
                s->p[j] = -s->p[j];
            next = find_step(s, s->p, false);
        }
        if (next.row == SIZE_MAX)
            return SC_LINEAR_UNBOUNDED;
        move(s, s->p, next.length);
        activate(s, next.row);
    }
    return SC_LINEAR_OPTIMAL;
}

/* At a vertex. */

static void swap_rows(double *m, size_t d, size_t i, size_t k)
{
    for (size_t j = 0; j < 2 * d; j++) {
        const double kept = m[i * 2 * d + j];
        m[i * 2 * d + j] = m[k * 2 * d + j];
        m[k * 2 * d + j] = kept;
    }
}

/* Eliminates column k of the matrix and the unit matrix beside it; false: it is singular. */
static bool eliminate(double *m, size_t d, size_t k)
{
    size_t best = k;
    for (size_t i = k + 1; i < d; i++)
        if (fabs(m[i * 2 * d + k]) > fabs(m[best * 2 * d + k]))
            best = i;
    const double pivot = m[best * 2 * d + k];
    if (fabs(pivot) < 1e-14)
        return false;
    if (best != k)
        swap_rows(m, d, best, k);
    for (size_t j = 0; j < 2 * d; j++)
        m[k * 2 * d + j] /= pivot;
    for (size_t i = 0; i < d; i++)
        if (i != k && fabs(m[i * 2 * d + k]) > 0)
            sc_add_times(m + i * 2 * d, -m[i * 2 * d + k], m + k * 2 * d, 2 * d);
    return true;
}

/* The inverse of the active rows, and x and the slacks from it. */
static bool refactor(sc_linear_program *s)
{
    const size_t d = s->dimension;
    double *m = s->work;
    memset(m, 0, 2 * d * d * sizeof *m);
    for (size_t i = 0; i < d; i++) {
        memcpy(m + i * 2 * d, row(s, s->active[i]), d * sizeof *m);
        m[i * 2 * d + d + i] = 1;
    }
    for (size_t k = 0; k < d; k++)
        if (!eliminate(m, d, k))
            return false;
    memset(s->x, 0, d * sizeof *s->x);
    for (size_t r = 0; r < d; r++) {
        for (size_t j = 0; j < d; j++)
            s->inverse[r * d + j] = m[j * 2 * d + d + r];
        sc_add_times(s->x, s->spaces->b[s->active[r]], s->inverse + r * d, d);
    }
    sc_half_spaces_slack(s->spaces, s->x, s->slack);
    return true;
}

/* Row r of the active ones becomes row i. */
static void exchange(sc_linear_program *s, size_t r, size_t i)
{
    const size_t d = s->dimension;
    const double *fresh = row(s, i);
    double *own = s->inverse + r * d;
    const double pivot = sc_dot(fresh, own, d);
    for (size_t j = 0; j < d; j++)
        own[j] /= pivot;
    for (size_t k = 0; k < d; k++)
        if (k != r)
            sc_add_times(s->inverse + k * d, -sc_dot(fresh, s->inverse + k * d, d), own,
                         d);
    s->is_active[s->active[r]] = 0;
    s->is_active[i] = 1;
    s->active[r] = i;
}

/* The active row to drop: its multiplier is the most negative, or the row is the first of those; SIZE_MAX: none. */
static size_t find_row_to_drop(sc_linear_program *s, bool by_number)
{
    const size_t d = s->dimension;
    size_t found = SIZE_MAX;
    for (size_t r = 0; r < d; r++)
        s->multipliers[r] = sc_dot(s->inverse + r * d, s->c, d);
    const double least =
        -TOLERANCE * largest(s->multipliers, d, sc_norm(s->c, d) + 1e-300);
    for (size_t r = 0; r < d; r++) {
        if (s->multipliers[r] >= least)
            continue;
        if (found == SIZE_MAX || (by_number ? s->active[r] < s->active[found]
                                            : s->multipliers[r] < s->multipliers[found]))
            found = r;
    }
    return found;
}

static scrim_status climb(sc_linear_program *s, sc_linear_end *end, scrim_error *error)
{
    const size_t d = s->dimension, most = 1000 + 50 * (s->spaces->count + d);
    size_t still = 0, since = 0;
    for (size_t turn = 0; turn < most; turn++) {
        const bool by_number = still > PATIENT_STEPS;
        const size_t r = find_row_to_drop(s, by_number);
        if (r == SIZE_MAX) {
            if (since == 0) {
                *end = SC_LINEAR_OPTIMAL;
                return SCRIM_OK;
            }
            since = 0; /* look again with fresh numbers */
            if (!refactor(s))
                break;
            continue;
        }
        const double length = sc_norm(s->inverse + r * d, d);
        for (size_t j = 0; j < d; j++)
            s->p[j] = -s->inverse[r * d + j] / length;
        const step next = find_step(s, s->p, by_number);
        if (next.row == SIZE_MAX) {
            *end = SC_LINEAR_UNBOUNDED;
            return SCRIM_OK;
        }
        still = next.length > TOLERANCE * s->scale ? 0 : still + 1;
        move(s, s->p, next.length);
        exchange(s, r, next.row);
        if (++since == REFACTOR) {
            since = 0;
            if (!refactor(s))
                break;
        }
    }
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "internal failure: a linear programme did not end");
}

scrim_status sc_linear_program_solve(sc_linear_program *s, const double *c,
                                     sc_linear_end *end, scrim_error *error)
{
    memcpy(s->c, c, s->dimension * sizeof *c);
    if (!s->is_vertex) {
        *end = walk_to_vertex(s);
        if (*end == SC_LINEAR_UNBOUNDED)
            return SCRIM_OK;
        if (!refactor(s))
            return sc_fail(error, SCRIM_E_INTERNAL,
                           "internal failure: the rows of a vertex are dependent");
        s->is_vertex = true;
    }
    return climb(s, end, error);
}

const double *sc_linear_program_point(const sc_linear_program *s)
{
    return s->x;
}

const size_t *sc_linear_program_active(const sc_linear_program *s)
{
    return s->active;
}

const double *sc_linear_program_multipliers(const sc_linear_program *s)
{
    return s->multipliers;
}
