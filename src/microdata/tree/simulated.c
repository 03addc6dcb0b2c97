#include "microdata/tree/simulated.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

int64_t sc_nearest_count(double estimate)
{
    const double most = (double)SC_PROJECTION_VALUE;
    const double nearest = nearbyint(estimate);
    return nearest >= most    ? SC_PROJECTION_VALUE
           : nearest <= -most ? -SC_PROJECTION_VALUE
                              : (int64_t)nearest;
}

/* Public coins: above 0 and at most 1. */
static double coin(const sc_hash_half *half, uint64_t number)
{
    return (double)((sc_hash_second(half, number) >> 11) + 1) * 0x1p-53;
}

static double draw(const sc_level_noise *noise, const sc_hash_half *half, uint64_t node)
{
    const double first = coin(half, 2 * node), second = coin(half, 2 * node + 1);
    if (noise->kind == SC_TREE_LAPLACE)
        return floor(-log(first) / noise->amount) - floor(-log(second) / noise->amount);
    return nearbyint(sqrt(-2 * noise->amount * log(first)) * cos(2 * M_PI * second));
}

typedef struct room {
    double *values;
    int64_t *counts;
    int32_t *shifts; /* by node, then by run */
} room;

static bool is_noisy(const sc_squares *s, size_t node, size_t level)
{
    const double variance = s->measured[s->is_even ? level : node];
    return variance > 0 && !isinf(variance);
}

static int32_t shift_of(int64_t value, int64_t from)
{
    const sc_int128 shift = (sc_int128)value - from;
    return shift > INT32_MAX    ? INT32_MAX
           : shift < -INT32_MAX ? -INT32_MAX
                                : (int32_t)shift;
}

static scrim_status run_once(const sc_simulation *s, const int64_t *truth, size_t run,
                             room *r, scrim_error *error)
{
    const size_t nodes = s->starts[s->levels];
    const sc_hash_half half = sc_hash_first(&s->key, run);
    for (size_t level = 0; level < s->levels; level++)
        for (size_t v = s->starts[level]; v < s->starts[level + 1]; v++)
            r->values[v] =
                (double)truth[v] +
                (is_noisy(s->squares, v, level) ? draw(&s->noise[level], &half, v) : 0);
    sc_squares_estimate(s->squares, r->values);
    for (size_t v = 0; v < nodes; v++)
        r->counts[v] = sc_nearest_count(r->values[v]);
    scrim_status status = SCRIM_OK;
    if (s->known == NULL)
        sc_top_down(&s->squares->shape, &s->key, r->counts);
    else
        status = sc_known_counts_solve(s->known, &s->key, r->counts, error);
    for (size_t v = 0; v < nodes; v++)
        r->shifts[v * s->runs + run] = shift_of(r->counts[v], truth[v]);
    return status;
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The basic interval: what the simulation adds to the truth is taken off the released count. */
static void set_interval(const sc_simulation *s, int64_t count, int32_t *shifts,
                         int64_t *low, int64_t *high)
{
    const double cut = (1 - s->confidence) / 2 * (double)(s->runs - 1);
    const size_t first = (size_t)cut;
    qsort(shifts, s->runs, sizeof *shifts, compare);
    *low = count - shifts[s->runs - 1 - first];
    *high = count - shifts[first];
    *low = *low < 0 ? 0 : *low;
    *high = *high < 0 ? 0 : *high;
}

scrim_status sc_simulate(const sc_simulation *s, const int64_t *counts, int64_t *low,
                         int64_t *high, scrim_error *error)
{
    const size_t nodes = s->starts[s->levels];
    if (s->runs == 0 || nodes > SC_SIMULATED_NUMBERS / s->runs)
        return sc_fail(error, SCRIM_E_LIMIT, "the tree is too large to be simulated");
    room r = {.values = sc_allocate(nodes, sizeof *r.values),
              .counts = sc_allocate(nodes, sizeof *r.counts),
              .shifts = sc_allocate(nodes * s->runs, sizeof *r.shifts)};
    scrim_status status = SCRIM_OK;
    if (r.values == NULL || r.counts == NULL || r.shifts == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "out of memory for the simulation");
    for (size_t run = 0; status == SCRIM_OK && run < s->runs; run++)
        status = run_once(s, counts, run, &r, error);
    for (size_t v = 0; status == SCRIM_OK && v < nodes; v++)
        set_interval(s, counts[v], r.shifts + v * s->runs, &low[v], &high[v]);
    sc_free(r.values);
    sc_free(r.counts);
    sc_free(r.shifts);
    return status;
}
