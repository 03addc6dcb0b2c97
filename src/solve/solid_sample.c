#include "base/memory.h"
#include "base/workers.h"
#include "random/bits_system.h"
#include "solve/body_walk.h"
#include "solve/objective.h"
#include "solve/solid_handle.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define COUNT_MOST UINT64_C(100000000)
#define WORKERS_MOST 16
#define TOLD_POINTS 256

/* Each worker walks by itself, for its own part of the points. */
typedef struct sampling {
    scrim_solid *handle;
    const sc_walk_ways *ways;
    sc_walk_options options;
    uint64_t count, part; /* of points, in all and of a worker */
    double *points;
    double correlation[WORKERS_MOST];
    atomic_uint next; /* part that nobody has taken */
    unsigned parts;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    _Atomic uint64_t done; /* points, of all workers */
} sampling;

/* Some more points are there. The caller's thread alone says so. */
static void tell(sampling *s, unsigned worker, uint64_t more)
{
    const uint64_t done = atomic_fetch_add(&s->done, more) + more;
    if (worker == 0 && s->progress != NULL)
        s->progress(s->context, done, s->count);
}

static scrim_status walk_points(sampling *s, unsigned worker, sc_bits *bits, double *at,
                                uint64_t count, scrim_error *error)
{
    sc_solid *solid = s->handle->solid;
    sc_body_walk *walk = NULL;
    scrim_status status =
        sc_body_walk_new(solid, s->ways, &s->options, bits, &walk, error);
    for (uint64_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = sc_body_walk_next(walk, at + i * solid->dimension, error);
        if ((i + 1) % TOLD_POINTS == 0)
            tell(s, worker, TOLD_POINTS);
    }
    sc_body_walk_free(walk);
    return status;
}

/* The largest correlation of a point with the next one, over all columns; 0 for few points. */
static double correlate(const double *points, uint64_t count, size_t d)
{
    double most = 0;
    for (size_t j = 0; count > 20 && j < d; j++) {
        double mean = 0, square = 0, product = 0;
        for (uint64_t i = 0; i < count; i++)
            mean += points[i * d + j] / (double)count;
        for (uint64_t i = 0; i < count; i++) {
            const double own = points[i * d + j] - mean;
            square += own * own;
            product += i > 0 ? own * (points[(i - 1) * d + j] - mean) : 0;
        }
        most = fmax(most, square > 0 ? product / square : 0);
    }
    return most;
}

static void finish(sampling *s, unsigned part, double *at, uint64_t count)
{
    const sc_solid *solid = s->handle->solid;
    s->correlation[part] = correlate(at, count, solid->dimension);
    for (uint64_t i = 0; i < count; i++)
        sc_solid_columns(solid, at + i * solid->dimension, at + i * solid->dimension);
}

static scrim_status do_part(sampling *s, unsigned worker, unsigned part,
                            scrim_error *error)
{
    const uint64_t first = part * s->part;
    const uint64_t count = s->count - first < s->part ? s->count - first : s->part;
    double *at = s->points + first * s->handle->solid->dimension;
    sc_bits *own = NULL;
    scrim_status status =
        s->handle->tape == NULL ? sc_bits_system_open(&own, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = walk_points(s, worker, s->handle->tape == NULL ? own : s->handle->tape,
                             at, count, error);
    if (status == SCRIM_OK)
        finish(s, part, at, count);
    if (own != NULL)
        sc_bits_system_close(own);
    return status;
}

static scrim_status work(void *context, unsigned worker, scrim_error *error)
{
    sampling *s = context;
    scrim_status status = SCRIM_OK;
    for (unsigned part;
         status == SCRIM_OK && (part = atomic_fetch_add(&s->next, 1)) < s->parts;)
        status = do_part(s, worker, part, error);
    return status;
}

static unsigned count_workers(const scrim_solid *handle,
                              const scrim_sample_options *options)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (handle->tape != NULL || options->count < 1000)
        return 1;
    const unsigned wanted = options->workers > 0 ? options->workers
                            : processors > 0     ? (unsigned)processors
                                                 : 1;
    return wanted < WORKERS_MOST ? wanted : WORKERS_MOST;
}

static scrim_status read_method(sampling *s, const scrim_sample_options *options,
                                scrim_error *error)
{
    if (options->size < offsetof(scrim_sample_options, progress))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "size",
                           "the options have no size");
    const char *method = options->method == NULL ? "hit-and-run" : options->method;
    const bool is_langevin = strcmp(method, "langevin") == 0;
    if (!is_langevin && strcmp(method, "hit-and-run") != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "method",
                           "unknown method; use hit-and-run or langevin");
    if (options->count < 1 || options->count > COUNT_MOST)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                           "the number of points must be from 1 to %llu",
                           (unsigned long long)COUNT_MOST);
    if (!(options->step >= 0) || !isfinite(options->step))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "step",
                           "the step must be at least 0");
    const size_t d = s->handle->solid->dimension;
    s->options.thinning = options->thinning > 0 ? options->thinning : SC_WALK_THINNING(d);
    if (is_langevin)
        s->options.langevin =
            options->step > 0 ? options->step : s->handle->solid->side / 20;
    s->count = options->count;
    if (options->size >= sizeof *options) {
        s->progress = options->progress;
        s->context = options->context;
    }
    return SCRIM_OK;
}

static scrim_status take_points(sampling *s, const scrim_sample_options *options,
                                scrim_error *error)
{
    sc_bits *own = NULL;
    sc_walk_ways *ways = NULL;
    /* Langevin's walks share the solid's projection: one after the other. */
    const unsigned workers =
        s->options.langevin > 0 ? 1 : count_workers(s->handle, options);
    scrim_status status =
        s->handle->tape == NULL ? sc_bits_system_open(&own, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = sc_walk_ways_new(s->handle->solid,
                                  s->handle->tape == NULL ? own : s->handle->tape, &ways,
                                  error);
    s->ways = ways;
    s->parts = workers;
    s->part = (s->count + workers - 1) / workers;
    if (status == SCRIM_OK)
        status = sc_workers_run(workers, work, s, error);
    if (own != NULL)
        sc_bits_system_close(own);
    sc_walk_ways_free(ways);
    return status;
}

scrim_status scrim_solid_sample(scrim_solid *handle, const scrim_sample_options *options,
                                double *points, scrim_sample_facts *out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "solid points out", handle, points, out);
    sampling s = {.handle = handle, .points = points};
    sc_objective *weight = NULL;
    sc_convex_function phi;
    scrim_status status = read_method(&s, options, error);
    if (status == SCRIM_OK && options->weight != NULL)
        status = sc_objective_parse(handle->body, options->weight, &weight, error);
    if (weight != NULL) {
        phi = sc_objective_function(weight, handle->solid);
        s.options.phi = &phi;
    }
    if (status == SCRIM_OK)
        status = take_points(&s, options, error);
    sc_objective_free(weight);
    if (status != SCRIM_OK)
        return status;
    *out = (scrim_sample_facts){.thinning = s.options.thinning};
    for (unsigned i = 0; i < s.parts; i++)
        out->correlation = fmax(out->correlation, s.correlation[i]);
    return SCRIM_OK;
}
