#include "lab/experiment/body_routes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define DIRECTIONS LAB_ROUTE_DIRECTIONS
#define QUANTILES 16 /* every second direction */
/* The budget of each route; route C spends half of epsilon on its test and half on its noise. */
#define EPSILON 1.0
#define DELTA 1e-6
#define BOUND 20.0 /* of each column */
/* Places along a direction that a quantile can take. */
#define CELLS 1048576
#define LINE_BYTES 120
/* Density of a standard Gaussian at its 0.9 quantile. */
#define DENSITY 0.175498331932
#define RUNS_MAX 1000

static const uint64_t unit_counts[LAB_BODY_ROUTES_ROWS] = {2000, 20000, 100000};

static double direction(size_t i, size_t axis)
{
    const double angle = 2 * PI * (double)i / DIRECTIONS;
    return axis == 0 ? cos(angle) : sin(angle);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool lab_route_rows_init(lab_route_rows *r, const double *values, size_t count)
{
    *r = (lab_route_rows){.count = count};
    for (size_t i = 0; i < DIRECTIONS; i++) {
        r->places[i] = lab_allocate(count, sizeof *r->places[i]);
        if (r->places[i] == NULL) {
            lab_route_rows_clear(r);
            return false;
        }
        for (size_t k = 0; k < count; k++)
            r->places[i][k] =
                values[2 * k] * direction(i, 0) + values[2 * k + 1] * direction(i, 1);
        qsort(r->places[i], count, sizeof *r->places[i], by_size);
    }
    return true;
}

void lab_route_rows_clear(lab_route_rows *r)
{
    for (size_t i = 0; i < DIRECTIONS; i++)
        free(r->places[i]);
    *r = (lab_route_rows){.count = 0};
}

/* The rank of the 9/10 quantile: ceil(9 n / 10). */
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

/* The intersections of two lines that lie in all half-planes. */
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

/* The Steiner point, (d/|U|) times the sum of u h(u); 0 if the polygon is empty. */
static void steiner_of(const double *offsets, polygon *p, double out[2])
{
    out[0] = out[1] = 0;
    cut_polygon(offsets, p);
    for (size_t i = 0; p->count > 0 && i < DIRECTIONS; i++)
        for (size_t j = 0; j < 2; j++)
            out[j] += 2.0 / DIRECTIONS * direction(i, j) * support(p, i);
}

/* Route C. */

void lab_route_steiner(const lab_route_rows *r, double out[2])
{
    double offsets[DIRECTIONS];
    polygon p;
    for (size_t i = 0; i < DIRECTIONS; i++)
        offsets[i] = r->places[i][rank_of(r->count) - 1];
    steiner_of(offsets, &p, out);
}

double lab_route_sensitivity(const lab_route_rows *r, size_t m)
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

size_t lab_route_distance(const lab_route_rows *r, double sigma)
{
    /* The sensitivity grows with m and is infinite at r->count. */
    size_t low = 0, high = r->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lab_route_sensitivity(r, middle) > sigma)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A point at this distance from 0, in a uniform direction. */
static void draw_direction(lab_random *random, double radius, double out[2])
{
    const double angle = 2 * PI * lab_random_real(random);
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

static double draw_exponential(lab_random *random)
{
    return -log(lab_random_real(random));
}

/* A distance with density r exp(-slope r) up to cut: the sum of two exponentials. */
static double draw_spike(lab_random *random, double slope, double cut)
{
    double radius;
    do
        radius = (draw_exponential(random) + draw_exponential(random)) / slope;
    while (radius > cut && lab_random_check(random, NULL) == SCRIM_OK);
    return radius;
}

/* A uniform point of the disc of radius reach, at least cut away from f. */
static void draw_flat(lab_random *random, const double f[2], double cut, double reach,
                      double out[2])
{
    do
        draw_direction(random, reach * sqrt(lab_random_real(random)), out);
    while (hypot(out[0] - f[0], out[1] - f[1]) <= cut &&
           lab_random_check(random, NULL) == SCRIM_OK);
}

void lab_route_noise(lab_random *random, const double f[2], const lab_route_spike *noise,
                     double out[2])
{
    const double slope = noise->slope, cut = noise->cut, reach = noise->reach;
    const double far = slope * cut;
    const double spike = 2 * (1 - exp(-far) * (1 + far)) / (slope * slope),
                 flat = exp(-far) * (reach * reach - cut * cut);
    if (lab_random_real(random) * (spike + flat) >= spike) {
        draw_flat(random, f, cut, reach, out);
        return;
    }
    draw_direction(random, draw_spike(random, slope, cut), out);
    out[0] += f[0];
    out[1] += f[1];
}

/* Discrete Laplace noise of the test: the difference of two geometric numbers. */
static double draw_test_noise(lab_random *random, double epsilon)
{
    const double plus = floor(draw_exponential(random) / epsilon);
    return plus - floor(draw_exponential(random) / epsilon);
}

/* The smallest T with p^T/(1 + p) <= delta. */
static double threshold_of(double epsilon)
{
    const double p = exp(-epsilon);
    return fmax(1, ceil(log(DELTA * (1 + p)) / log(p)));
}

/* Public: one and a half times the sensitivity that Gaussian rows are expected to have ten ranks beyond
 * the threshold. */
static double usual_sigma(size_t count)
{
    return 1.5 * 2 * sqrt(2) * (threshold_of(EPSILON / 2) + 10) /
           ((double)count * DENSITY);
}

/* False if the test refuses. */
static bool run_route_c(lab_random *random, const lab_route_rows *r, double *error_of)
{
    const double sigma = usual_sigma(r->count), slope = EPSILON / 2 / sigma,
                 cut = 30 / slope, reach = 2 * BOUND * sqrt(2) * 1.01 + cut;
    const lab_route_spike noise = {slope, cut, reach};
    const double test = draw_test_noise(random, EPSILON / 2);
    double f[2], out[2] = {0, 0};
    if ((double)lab_route_distance(r, sigma) + test <= threshold_of(EPSILON / 2))
        return false;
    lab_route_steiner(r, f);
    lab_route_noise(random, f, &noise, out);
    *error_of = hypot(out[0], out[1]);
    return true;
}

/* Route B. */

/* One quantile along a direction, released through the gate. */
static scrim_status release_quantile(scrim_ledger *ledger,
                                     const scrim_measurement *quantile,
                                     const double *places, int64_t *keys, size_t count,
                                     double *offset, scrim_error *error)
{
    const double reach = BOUND * sqrt(2);
    const scrim_input input = {.integers = keys, .count = count};
    scrim_answer *answer = NULL;
    int64_t key = 0;
    for (size_t k = 0; k < count; k++)
        keys[k] = (int64_t)floor((places[k] + reach) / (2 * reach) * CELLS + 0.5);
    scrim_status status = scrim_release(ledger, quantile, &input, &answer, error);
    if (status == SCRIM_OK && !scrim_answer_integer(answer, 0, &key))
        status = lab_fail(error, SCRIM_E_INTERNAL, "a quantile is wider than 64 bits");
    scrim_answer_free(answer);
    *offset = (double)key / CELLS * 2 * reach - reach;
    return status;
}

/* Directions without a quantile have no bound: 1e6 is far outside. */
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

static scrim_status run_route_b(const lab_route_rows *r,
                                const scrim_measurement *quantile, double *error_of,
                                scrim_error *error)
{
    double quantiles[QUANTILES] = {0};
    scrim_ledger *ledger = NULL;
    int64_t *keys = lab_allocate(r->count, sizeof *keys);
    if (keys == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    scrim_status status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_REPLACE, .epsilon = "2"),
        &ledger, error);
    for (size_t i = 0; status == SCRIM_OK && i < QUANTILES; i++)
        status = release_quantile(ledger, quantile, r->places[i * DIRECTIONS / QUANTILES],
                                  keys, r->count, &quantiles[i], error);
    if (status == SCRIM_OK)
        *error_of = steiner_error(quantiles);
    scrim_ledger_free(ledger);
    free(keys);
    return status;
}

/* Runs. */

/* Gaussian rows about 0. */
static void make_rows(lab_random *random, double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        draw_direction(random, sqrt(2 * draw_exponential(random)), values + 2 * k);
}

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return count == 0 ? (double)NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

typedef struct series {
    lab_random *random;
    const scrim_measurement *quantile;
    size_t units;
    double *values;                    /* two for each unit */
    double *plain, *quantiles, *noise; /* errors of the runs */
    size_t answers;                    /* of route C */
} series;

static scrim_status run_once(series *s, size_t run, scrim_error *error)
{
    lab_route_rows rows;
    double f[2];
    make_rows(s->random, s->values, s->units);
    if (!lab_route_rows_init(&rows, s->values, s->units))
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    lab_route_steiner(&rows, f);
    s->plain[run] = hypot(f[0], f[1]);
    s->answers += run_route_c(s->random, &rows, &s->noise[s->answers]);
    scrim_status status = run_route_b(&rows, s->quantile, &s->quantiles[run], error);
    lab_route_rows_clear(&rows);
    if (status == SCRIM_OK)
        status = lab_random_check(s->random, error);
    return status;
}

static scrim_status run_units(series *s, uint64_t units, uint64_t runs,
                              lab_body_routes_row *out, scrim_error *error)
{
    s->units = (size_t)units;
    s->answers = 0;
    s->values = lab_allocate(s->units, 2 * sizeof(double));
    s->plain = lab_allocate((size_t)runs, 3 * sizeof(double));
    if (s->values == NULL || s->plain == NULL) {
        free(s->values);
        free(s->plain);
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for an experiment");
    }
    s->quantiles = s->plain + runs;
    s->noise = s->quantiles + runs;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < runs; i++)
        status = run_once(s, i, error);
    if (status == SCRIM_OK)
        *out = (lab_body_routes_row){.units = units,
                                     .sigma = usual_sigma(s->units),
                                     .plain = median_of(s->plain, (size_t)runs),
                                     .quantiles = median_of(s->quantiles, (size_t)runs),
                                     .noise = median_of(s->noise, s->answers),
                                     .answered = (double)s->answers / (double)runs};
    free(s->values);
    free(s->plain);
    return status;
}

scrim_status lab_body_routes_run(uint64_t runs, lab_body_routes *out, scrim_error *error)
{
    lab_body_routes found = {.runs = runs, .epsilon = EPSILON, .delta = DELTA};
    scrim_measurement *quantile = NULL;
    series s = {.random = NULL};
    char line[LINE_BYTES];
    if (runs < 1 || runs > RUNS_MAX)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "runs",
                            "runs must be from 1 to %d", RUNS_MAX);
    (void)snprintf(line, sizeof line,
                   "quantile p=9/10 epsilon=%s lower=0 upper=%d neighbours=replace",
                   LAB_ROUTE_EACH, CELLS);
    scrim_status status = scrim_measurement_parse(line, &quantile, error);
    s.quantile = quantile;
    if (status == SCRIM_OK)
        status = lab_random_open(&s.random, error);
    for (size_t i = 0; status == SCRIM_OK && i < LAB_BODY_ROUTES_ROWS; i++)
        status = run_units(&s, unit_counts[i], runs, &found.row[i], error);
    lab_random_close(s.random);
    scrim_measurement_free(quantile);
    if (status == SCRIM_OK)
        *out = found;
    return status;
}
