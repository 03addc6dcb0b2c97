#include "solve/body_volume.h"

#include "base/memory.h"
#include "solve/body_walk.h"
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

#define REPEATS 8
#define POINTS 400

static double log_ball(size_t dimension, double radius)
{
    const double d = (double)dimension;
    int sign;
    return d / 2 * log(acos(-1)) - lgamma_r(d / 2 + 1, &sign) + d * log(radius);
}

static double distance(const sc_solid *s, const double *v)
{
    double sum = 0;
    for (size_t j = 0; j < s->dimension; j++)
        sum += (v[j] - s->centre[j]) * (v[j] - s->centre[j]);
    return sqrt(sum);
}

/* A ball around the centre that holds the body: from its extent along each axis. */
static scrim_status outer_radius(sc_solid *s, double *out, scrim_error *error)
{
    const size_t d = s->dimension;
    double sum = 0, *axis = sc_allocate(d, sizeof *axis);
    scrim_status status = SCRIM_OK;
    if (axis == NULL)
        return sc_no_memory(error, "a volume");
    for (size_t j = 0; status == SCRIM_OK && j < d; j++) {
        double front = 0, back = 0;
        axis[j] = 1;
        status = sc_solid_support(s, axis, &front, NULL, error);
        axis[j] = -1;
        if (status == SCRIM_OK)
            status = sc_solid_support(s, axis, &back, NULL, error);
        axis[j] = 0;
        const double reach = fmax(front - s->centre[j], back + s->centre[j]);
        sum += reach * reach;
    }
    *out = sqrt(sum);
    sc_free(axis);
    return status;
}

/* One estimate of the logarithm: the share of each ball in the next, from the first to the last. */
static scrim_status estimate(sc_solid *s, const sc_walk_ways *ways, sc_bits *bits,
                             uint64_t points, double outer, double *out,
                             scrim_error *error)
{
    const double first = fmax(s->radius, SC_SOLID_THIN * s->side) * (1 - 1e-9),
                 growth = exp2(1 / (double)s->dimension);
    const sc_walk_options options = {.thinning = s->dimension, .within = first};
    sc_body_walk *walk = NULL;
    double *v = sc_allocate(s->dimension, sizeof *v);
    scrim_status status = v == NULL
                              ? sc_no_memory(error, "a volume")
                              : sc_body_walk_new(s, ways, &options, bits, &walk, error);
    *out = log_ball(s->dimension, first);
    for (double ball = first; status == SCRIM_OK && ball < outer; ball *= growth) {
        uint64_t inside = 0;
        sc_body_walk_within(walk, ball * growth);
        /* Points of the last ball are no points of this one yet. */
        for (uint64_t i = 0; status == SCRIM_OK && i < points / 8; i++)
            status = sc_body_walk_next(walk, v, error);
        for (uint64_t i = 0; status == SCRIM_OK && i < points; i++) {
            status = sc_body_walk_next(walk, v, error);
            inside += distance(s, v) <= ball;
        }
        *out -= log(((double)inside + 0.5) / ((double)points + 0.5));
    }
    sc_body_walk_free(walk);
    sc_free(v);
    return status;
}

/* The body in w, v = spread w: rows a spread, of length 1. */
static scrim_status round_body(const sc_solid *s, const double *spread, sc_solid **out,
                               scrim_error *error)
{
    const size_t d = s->dimension, count = s->spaces.count;
    double *rows = sc_allocate(count * (d + 1), sizeof *rows);
    if (rows == NULL)
        return sc_no_memory(error, "a volume");
    double *offsets = rows + count * d;
    for (size_t i = 0; i < count; i++) {
        double *row = rows + i * d;
        for (size_t k = 0; k < d; k++) /* column j of the triangle begins at row j */
            for (size_t j = 0; j <= k; j++)
                row[j] += s->rows[i * d + k] * spread[k * d + j];
        const double length = sc_norm(row, d);
        offsets[i] = s->offsets[i] / length;
        for (size_t j = 0; j < d; j++)
            row[j] /= length;
    }
    /* No repair: the body has a ball, and it is round by now. */
    const scrim_status status =
        sc_solid_of(&(sc_half_spaces){d, count, rows, offsets}, 1e-6, out, error);
    sc_free(rows);
    return status;
}

static scrim_status repeat(sc_solid *s, sc_bits *bits, uint64_t points, double *mean,
                           double *standard_error, scrim_error *error)
{
    sc_walk_ways *ways = NULL;
    double outer = 0, squares = 0;
    *mean = 0;
    scrim_status status = outer_radius(s, &outer, error);
    if (status == SCRIM_OK)
        status = sc_walk_ways_new(s, bits, &ways, error);
    for (unsigned i = 1; status == SCRIM_OK && i <= REPEATS; i++) {
        double one;
        status = estimate(s, ways, bits, points, outer, &one, error);
        const double step = one - *mean;
        *mean += step / i;
        squares += step * (one - *mean);
    }
    *standard_error = sqrt(squares / (REPEATS * (REPEATS - 1)));
    sc_walk_ways_free(ways);
    return status;
}

static scrim_status by_walks(sc_solid *s, sc_bits *bits, uint64_t points,
                             double *log_volume, double *standard_error,
                             scrim_error *error)
{
    sc_walk_ways *ways = NULL;
    sc_solid *round = NULL;
    double log_factor = 0;
    scrim_status status = sc_walk_ways_new(s, bits, &ways, error);
    if (status == SCRIM_OK) {
        const double *spread = sc_walk_ways_spread(ways);
        for (size_t j = 0; j < s->dimension; j++)
            log_factor += log(spread[j * s->dimension + j]);
        status = round_body(s, spread, &round, error);
    }
    if (status == SCRIM_OK)
        status = repeat(round, bits, points, log_volume, standard_error, error);
    *log_volume += log_factor;
    sc_solid_free(round);
    sc_walk_ways_free(ways);
    return status;
}

static scrim_status by_corners(sc_solid *s, double *log_volume, scrim_error *error)
{
    sc_shadow shadow;
    const scrim_status status = sc_shadow_find(s, 0, 1, &shadow, error);
    if (status != SCRIM_OK)
        return status;
    const double size = s->dimension == 2 ? sc_polygon_area(shadow.corners, shadow.count)
                                          : fabs(shadow.corners[0] - shadow.corners[2]);
    *log_volume = log(size);
    sc_shadow_clear(&shadow);
    return SCRIM_OK;
}

scrim_status sc_body_volume_find(sc_solid *s, sc_bits *bits, uint64_t points,
                                 sc_body_volume *out, scrim_error *error)
{
    double log_volume = 0, log_bounds = 0, standard_error = 0;
    const scrim_status status = s->dimension <= 2
                                    ? by_corners(s, &log_volume, error)
                                    : by_walks(s, bits, points == 0 ? POINTS : points,
                                               &log_volume, &standard_error, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t j = 0; j < s->dimension; j++)
        log_bounds += log(2 * s->middle[j]);
    *out =
        (sc_body_volume){exp(log_volume - log_bounds), exp(log_volume), standard_error};
    return SCRIM_OK;
}
