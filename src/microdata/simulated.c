#include "microdata/simulated.h"

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

double sc_simulated_noise(const sc_level_noise *noise, const sc_hash_half *run,
                          uint64_t number)
{
    const double first = coin(run, 2 * number), second = coin(run, 2 * number + 1);
    if (noise->kind == SC_TREE_LAPLACE)
        return floor(-log(first) / noise->amount) - floor(-log(second) / noise->amount);
    return nearbyint(sqrt(-2 * noise->amount * log(first)) * cos(2 * M_PI * second));
}

/* Intervals. */

static int32_t shift_of(int64_t value, int64_t from)
{
    const sc_int128 shift = (sc_int128)value - from;
    return shift > INT32_MAX    ? INT32_MAX
           : shift < -INT32_MAX ? -INT32_MAX
                                : (int32_t)shift;
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The basic interval: what the simulation adds to the truth is taken off the released count. */
static void set_interval(const sc_simulated_runs *s, int64_t count, int32_t *shifts,
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

bool sc_simulated_fits(size_t numbers, size_t runs)
{
    return runs == 0 || numbers <= SC_SIMULATED_NUMBERS / runs;
}

/* shifts are by count, then by run. */
static scrim_status run_all(const sc_simulated_runs *s, const int64_t *counts,
                            int64_t *now, int32_t *shifts, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t run = 0; status == SCRIM_OK && run < s->runs; run++) {
        status = s->run(s->context, run, now, error);
        for (size_t i = 0; status == SCRIM_OK && i < s->numbers; i++)
            shifts[i * s->runs + run] = shift_of(now[i], counts[i]);
        if (s->progress != NULL)
            s->progress(s->progress_context, run + 1, s->runs);
    }
    return status;
}

scrim_status sc_simulate_runs(const sc_simulated_runs *s, const int64_t *counts,
                              int64_t *low, int64_t *high, scrim_error *error)
{
    if (s->runs == 0 || !sc_simulated_fits(s->numbers, s->runs))
        return sc_fail(error, SCRIM_E_LIMIT, "the tree is too large to be simulated");
    int64_t *now = sc_allocate(s->numbers, sizeof *now);
    int32_t *shifts = sc_allocate(s->numbers * s->runs, sizeof *shifts);
    scrim_status status =
        now == NULL || shifts == NULL
            ? sc_fail(error, SCRIM_E_MEMORY, "out of memory for the simulation")
            : run_all(s, counts, now, shifts, error);
    for (size_t i = 0; status == SCRIM_OK && i < s->numbers; i++)
        set_interval(s, counts[i], shifts + i * s->runs, &low[i], &high[i]);
    sc_free(now);
    sc_free(shifts);
    return status;
}

/* Trees. */

typedef struct tree_runs {
    const sc_simulation *simulation;
    const int64_t *truth;
    double *values;
} tree_runs;

static bool is_noisy(const sc_squares *s, size_t node, size_t level)
{
    const double variance = s->measured[s->is_even ? level : node];
    return variance > 0 && !isinf(variance);
}

static scrim_status run_tree(void *context, size_t run, int64_t *counts,
                             scrim_error *error)
{
    const tree_runs *r = context;
    const sc_simulation *s = r->simulation;
    const sc_hash_half half = sc_hash_first(&s->key, run);
    for (size_t level = 0; level < s->levels; level++)
        for (size_t v = s->starts[level]; v < s->starts[level + 1]; v++)
            r->values[v] = (double)r->truth[v] +
                           (is_noisy(s->squares, v, level)
                                ? sc_simulated_noise(&s->noise[level], &half, v)
                                : 0);
    sc_squares_estimate(s->squares, r->values);
    for (size_t v = 0; v < s->starts[s->levels]; v++)
        counts[v] = sc_nearest_count(r->values[v]);
    if (s->known != NULL)
        return sc_known_counts_solve(s->known, &s->key, counts, error);
    sc_top_down(&s->squares->shape, &s->key, counts);
    return SCRIM_OK;
}

scrim_status sc_simulate(const sc_simulation *s, const int64_t *counts, int64_t *low,
                         int64_t *high, scrim_error *error)
{
    const size_t nodes = s->starts[s->levels];
    tree_runs r = {s, counts, sc_allocate(nodes, sizeof *r.values)};
    const sc_simulated_runs runs = {.numbers = nodes,
                                    .runs = s->runs,
                                    .confidence = s->confidence,
                                    .run = run_tree,
                                    .context = &r,
                                    .progress = s->progress,
                                    .progress_context = s->progress_context};
    const scrim_status status =
        r.values == NULL
            ? sc_fail(error, SCRIM_E_MEMORY, "out of memory for the simulation")
            : sc_simulate_runs(&runs, counts, low, high, error);
    sc_free(r.values);
    return status;
}
