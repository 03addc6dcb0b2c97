#include "experiment/body_routes.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "experiment/experiment_data.h"
#include "mechanism/body/body_budget.h"
#include "mechanism/selection/quantile_parts.h"
#include "random/bits_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define DIRECTIONS SC_ROUTE_DIRECTIONS
#define QUANTILES 16 /* every second direction */
/* q of the body; the budget, half of epsilon for the test and half for the noise; bounds of the columns. */
#define Q_TEXT "9/10"
#define EPSILON 1.0
#define DELTA 1e-6
#define BOUND 20.0
#define CELLS 1048576
/* The density of a Gaussian at its 0.9 quantile. */
#define DENSITY 0.175498331932
#define RUNS_MAX 1000

static const uint64_t unit_counts[SCRIM_BODY_ROUTES_ROWS] = {2000, 20000, 100000};

static double direction(size_t i, size_t axis)
{
    const double angle = 2 * PI * (double)i / DIRECTIONS;
    return axis == 0 ? cos(angle) : sin(angle);
}

/* Rows along directions. */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

scrim_status sc_route_rows_init(sc_route_rows *r, const double *values, size_t count,
                                scrim_error *error)
{
    *r = (sc_route_rows){.count = count};
    for (size_t i = 0; i < DIRECTIONS; i++) {
        r->places[i] = sc_allocate(count > 0 ? count : 1, sizeof *r->places[i]);
        if (r->places[i] == NULL) {
            sc_route_rows_clear(r);
            return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
        }
        for (size_t k = 0; k < count; k++)
            r->places[i][k] =
                values[2 * k] * direction(i, 0) + values[2 * k + 1] * direction(i, 1);
        qsort(r->places[i], count, sizeof *r->places[i], by_size);
    }
    return SCRIM_OK;
}

void sc_route_rows_clear(sc_route_rows *r)
{
    for (size_t i = 0; i < DIRECTIONS; i++)
        sc_free(r->places[i]);
    *r = (sc_route_rows){.count = 0};
}

/* k = ceil(q n), q = 9/10. */
static size_t rank_of(size_t count)
{
    return (9 * count + 9) / 10;
}

/* Polygons. */

typedef struct polygon {
    double corners[DIRECTIONS * DIRECTIONS][2];
    size_t count; /* 0: empty */
} polygon;

static bool is_inside(const double *offsets, const double corner[2])
{
    for (size_t i = 0; i < DIRECTIONS; i++)
        if (corner[0] * direction(i, 0) + corner[1] * direction(i, 1) >
            offsets[i] + 1e-9 * (1 + fabs(offsets[i])))
            return false;
    return true;
}

/* The points where two lines meet that no other half-plane cuts off. */
static void cut_polygon(const double *offsets, polygon *out)
{
    out->count = 0;
    for (size_t i = 0; i < DIRECTIONS; i++)
        for (size_t j = 0; j < i; j++) {
            const double a = direction(i, 0), b = direction(i, 1), c = direction(j, 0),
                         d = direction(j, 1), area = a * d - b * c;
            if (fabs(area) < 1e-9)
                continue;
            const double corner[2] = {(offsets[i] * d - b * offsets[j]) / area,
                                      (a * offsets[j] - offsets[i] * c) / area};
            if (is_inside(offsets, corner)) {
                out->corners[out->count][0] = corner[0];
                out->corners[out->count++][1] = corner[1];
            }
        }
}

static double support(const polygon *p, size_t i)
{
    double most = -HUGE_VAL;
    for (size_t k = 0; k < p->count; k++)
        most = fmax(most, p->corners[k][0] * direction(i, 0) +
                              p->corners[k][1] * direction(i, 1));
    return most;
}

/* (d/|U|) sum of u h(u). */
static void steiner_of(const double *offsets, polygon *p, double out[2])
{
    out[0] = out[1] = 0;
    cut_polygon(offsets, p);
    for (size_t i = 0; p->count > 0 && i < DIRECTIONS; i++)
        for (size_t j = 0; j < 2; j++)
            out[j] += 2.0 / DIRECTIONS * direction(i, j) * support(p, i);
}

/* Route C. */

void sc_route_steiner(const sc_route_rows *r, double out[2])
{
    double offsets[DIRECTIONS];
    polygon p;
    for (size_t i = 0; i < DIRECTIONS; i++)
        offsets[i] = r->places[i][rank_of(r->count) - 1];
    steiner_of(offsets, &p, out);
}

double sc_route_sensitivity(const sc_route_rows *r, size_t m)
{
    const size_t k = rank_of(r->count), far = m + 1;
    double high[DIRECTIONS], low[DIRECTIONS], sum = 0;
    polygon outer, inner;
    if (far >= k || k + far > r->count)
        return HUGE_VAL;
    for (size_t i = 0; i < DIRECTIONS; i++) {
        high[i] = r->places[i][k - 1 + far];
        low[i] = r->places[i][k - 1 - far];
    }
    cut_polygon(high, &outer);
    cut_polygon(low, &inner);
    if (inner.count == 0)
        return HUGE_VAL;
    for (size_t i = 0; i < DIRECTIONS; i++) {
        const double width = support(&outer, i) - support(&inner, i);
        sum += width * width;
    }
    return sqrt(2 * sum / DIRECTIONS);
}

size_t sc_route_distance(const sc_route_rows *r, double sigma)
{
    size_t low = 0, high = r->count; /* at high the sensitivity is infinite */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sc_route_sensitivity(r, middle) > sigma)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static scrim_status uniform_angle(sc_bits *bits, double radius, double out[2],
                                  scrim_error *error)
{
    double u = 0;
    const scrim_status status = sc_real_uniform(bits, &u, error);
    out[0] = radius * cos(2 * PI * u);
    out[1] = radius * sin(2 * PI * u);
    return status;
}

/* A distance from f with density r exp(-slope r), cut off: the sum of two exponentials. */
static scrim_status spike_radius(sc_bits *bits, double slope, double cut, double *out,
                                 scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        double u = 1, v = 1;
        scrim_status status = sc_real_uniform(bits, &u, error);
        if (status == SCRIM_OK)
            status = sc_real_uniform(bits, &v, error);
        *out = -(log(u) + log(v)) / slope;
        if (status != SCRIM_OK || *out <= cut)
            return status;
    }
    return sc_bits_broken(error);
}

static scrim_status flat_point(sc_bits *bits, const double f[2], double cut, double reach,
                               double out[2], scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        double u = 0;
        scrim_status status = sc_real_uniform(bits, &u, error);
        if (status == SCRIM_OK)
            status = uniform_angle(bits, reach * sqrt(u), out, error);
        if (status != SCRIM_OK || hypot(out[0] - f[0], out[1] - f[1]) > cut)
            return status;
    }
    return sc_bits_broken(error);
}

scrim_status sc_route_noise(sc_bits *bits, const double f[2], double slope, double cut,
                            double reach, double out[2], scrim_error *error)
{
    const double far = slope * cut;
    const double spike = 2 * (1 - exp(-far) * (1 + far)) / (slope * slope),
                 flat = exp(-far) * (reach * reach - cut * cut);
    double u = 0, radius = 0;
    scrim_status status = sc_real_uniform(bits, &u, error);
    if (status != SCRIM_OK || u * (spike + flat) >= spike)
        return status != SCRIM_OK ? status : flat_point(bits, f, cut, reach, out, error);
    status = spike_radius(bits, slope, cut, &radius, error);
    if (status == SCRIM_OK)
        status = uniform_angle(bits, radius, out, error);
    out[0] += f[0];
    out[1] += f[1];
    return status;
}

/* The difference of two geometric numbers. */
static scrim_status test_noise(sc_bits *bits, double epsilon, double *out,
                               scrim_error *error)
{
    double u = 1, v = 1;
    scrim_status status = sc_real_uniform(bits, &u, error);
    if (status == SCRIM_OK)
        status = sc_real_uniform(bits, &v, error);
    *out = floor(-log(u) / epsilon) - floor(-log(v) / epsilon);
    return status;
}

/* The least T with p^T/(1 + p) <= delta. */
static double threshold_of(double epsilon)
{
    const double p = exp(-epsilon);
    return fmax(1, ceil(log(DELTA * (1 + p)) / log(p)));
}

/* Public: what Gaussian rows are expected to have ten ranks beyond the threshold, half as much again. */
static double usual_sigma(size_t count)
{
    return 1.5 * 2 * sqrt(2) * (threshold_of(EPSILON / 2) + 10) /
           ((double)count * DENSITY);
}

static scrim_status route_c(sc_bits *bits, const sc_route_rows *r, double *error_of,
                            bool *is_there, scrim_error *error)
{
    const double sigma = usual_sigma(r->count), slope = EPSILON / 2 / sigma,
                 cut = 30 / slope, reach = 2 * BOUND * sqrt(2) * 1.01 + cut;
    double noise = 0, f[2], out[2] = {0, 0};
    scrim_status status = test_noise(bits, EPSILON / 2, &noise, error);
    *is_there = (double)sc_route_distance(r, sigma) + noise > threshold_of(EPSILON / 2);
    if (status != SCRIM_OK || !*is_there)
        return status;
    sc_route_steiner(r, f);
    status = sc_route_noise(bits, f, slope, cut, reach, out, error);
    *error_of = hypot(out[0], out[1]);
    return status;
}

/* Route B. */

static scrim_status draw_quantiles(sc_bits *bits, const sc_route_rows *r,
                                   const sc_quantile_plan *plan, int64_t *keys,
                                   double *offsets, scrim_error *error)
{
    const double reach = BOUND * sqrt(2);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < QUANTILES; i++) {
        const double *places = r->places[i * DIRECTIONS / QUANTILES];
        sc_quantile_parts parts;
        for (size_t k = 0; k < r->count; k++)
            keys[k] = (int64_t)floor((places[k] + reach) / (2 * reach) * CELLS + 0.5);
        const sc_order_rows rows = {
            .rows = keys, .count = r->count, .low = 0, .high = CELLS};
        status = sc_quantile_parts_init(&parts, plan, &rows, error);
        if (status != SCRIM_OK)
            return status;
        status = sc_quantile_parts_draw(&parts, bits, error);
        offsets[i] = (double)parts.keys[0] / CELLS * 2 * reach - reach;
        sc_quantile_parts_clear(&parts);
    }
    return status;
}

/* Directions without a quantile bound nothing. */
static double steiner_error(const double *quantiles)
{
    double offsets[DIRECTIONS], f[2];
    polygon p;
    for (size_t i = 0; i < DIRECTIONS; i++)
        offsets[i] = i % (DIRECTIONS / QUANTILES) == 0
                         ? quantiles[i / (DIRECTIONS / QUANTILES)]
                         : 1e6;
    steiner_of(offsets, &p, f);
    return hypot(f[0], f[1]);
}

static scrim_status route_b(sc_bits *bits, const sc_route_rows *r,
                            const sc_quantile_plan *plan, double *error_of,
                            scrim_error *error)
{
    double quantiles[QUANTILES] = {0};
    int64_t *keys = sc_allocate(r->count, sizeof *keys);
    if (keys == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    const scrim_status status = draw_quantiles(bits, r, plan, keys, quantiles, error);
    *error_of = steiner_error(quantiles);
    sc_free(keys);
    return status;
}

static scrim_status make_plan(sc_quantile_plan *plan, scrim_error *error)
{
    sc_body_budget budget;
    SC_OWN(sc_ratio, q, epsilon, delta);
    sc_body_budget_init(&budget);
    scrim_status status = sc_ratio_parse(sc_text_of(Q_TEXT), &q, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of("1e-6"), &delta, error);
    sc_ratio_set_int64(&epsilon, (int64_t)EPSILON);
    if (status == SCRIM_OK)
        status = sc_body_budget_set(&budget, &epsilon, &delta, QUANTILES, error);
    const sc_quantile_question question = {.p = &q,
                                           .count = 1,
                                           .epsilon = &budget.each,
                                           .neighbours = SCRIM_REPLACE,
                                           .rows = 1,
                                           .largest = CELLS,
                                           .form = SC_QUANTILE_SPLIT};
    if (status == SCRIM_OK)
        status = sc_quantile_plan_init(plan, &question, error);
    sc_body_budget_clear(&budget);
    return status;
}

/* Runs. */

/* Gaussian rows about 0, within the bounds. */
static scrim_status make_rows(sc_bits *bits, double *values, size_t count,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t k = 0; status == SCRIM_OK && k < count; k++) {
        double u = 1;
        status = sc_real_uniform(bits, &u, error);
        if (status == SCRIM_OK)
            status = uniform_angle(bits, sqrt(-2 * log(u)), values + 2 * k, error);
    }
    return status;
}

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return count == 0 ? (double)NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

typedef struct series {
    double *values; /* of the rows */
    double *plain, *quantiles, *noise;
    size_t answers;
} series;

static scrim_status run_once(sc_bits *bits, const sc_quantile_plan *plan, size_t units,
                             size_t run, series *s, scrim_error *error)
{
    sc_route_rows rows = {.count = 0};
    bool is_there = false;
    double f[2];
    scrim_status status = make_rows(bits, s->values, units, error);
    if (status == SCRIM_OK)
        status = sc_route_rows_init(&rows, s->values, units, error);
    if (status == SCRIM_OK) {
        sc_route_steiner(&rows, f);
        s->plain[run] = hypot(f[0], f[1]);
        status = route_b(bits, &rows, plan, &s->quantiles[run], error);
    }
    if (status == SCRIM_OK)
        status = route_c(bits, &rows, &s->noise[s->answers], &is_there, error);
    s->answers += is_there;
    sc_route_rows_clear(&rows);
    return status;
}

static scrim_status run_units(sc_bits *bits, const sc_quantile_plan *plan, uint64_t units,
                              uint64_t runs, scrim_body_routes_row *out,
                              scrim_error *error)
{
    series s = {.values = sc_allocate((size_t)units, 2 * sizeof(double)),
                .plain = sc_allocate((size_t)runs, sizeof(double)),
                .quantiles = sc_allocate((size_t)runs, sizeof(double)),
                .noise = sc_allocate((size_t)runs, sizeof(double))};
    scrim_status status =
        s.values != NULL && s.plain != NULL && s.quantiles != NULL && s.noise != NULL
            ? SCRIM_OK
            : sc_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    for (size_t i = 0; status == SCRIM_OK && i < runs; i++)
        status = run_once(bits, plan, (size_t)units, i, &s, error);
    if (status == SCRIM_OK)
        *out = (scrim_body_routes_row){.units = units,
                                       .sigma = usual_sigma((size_t)units),
                                       .plain = median_of(s.plain, (size_t)runs),
                                       .quantiles = median_of(s.quantiles, (size_t)runs),
                                       .noise = median_of(s.noise, s.answers),
                                       .answered = (double)s.answers / (double)runs};
    sc_free(s.values);
    sc_free(s.plain);
    sc_free(s.quantiles);
    sc_free(s.noise);
    return status;
}

scrim_status sc_body_routes_run(sc_bits *bits, uint64_t runs, scrim_body_routes *out,
                                scrim_error *error)
{
    scrim_body_routes found = {.runs = runs, .epsilon = EPSILON, .delta = DELTA};
    sc_quantile_plan plan;
    if (runs < 1 || runs > RUNS_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "runs",
                           "runs must be from 1 to %d", RUNS_MAX);
    scrim_status status = make_plan(&plan, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; status == SCRIM_OK && i < SCRIM_BODY_ROUTES_ROWS; i++)
        status = run_units(bits, &plan, unit_counts[i], runs, &found.row[i], error);
    sc_quantile_plan_clear(&plan);
    if (status == SCRIM_OK)
        *out = found;
    return status;
}

scrim_status scrim_body_routes_of(uint64_t runs, scrim_body_routes *out,
                                  scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status = sc_body_routes_run(bits, runs, out, error);
    sc_bits_system_close(bits);
    return status;
}
