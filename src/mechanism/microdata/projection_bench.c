/* The nearest table of 10^8 cells, whole numbers and ties included, beside a copy of as many values. */
#include "base/memory.h"
#include "bench.h"
#include "mechanism/microdata/projection.h"

#include <string.h>

#define CELLS ((size_t)100000000)
#define FIND "projection: m and P of 10^8 cells"
#define PROJECT "projection: 10^8 cells"
#define TARGET_MILLISECONDS 20000

typedef struct table {
    int64_t *noisy, *shown;
    int64_t total;
} table;

static void copy(void *context, uint64_t operations)
{
    table *t = context;
    for (; operations > 0; operations--) {
        memcpy(t->shown, t->noisy, CELLS * sizeof *t->shown);
        bench_keep(t->shown);
    }
}

static void project(void *context, uint64_t operations)
{
    static const sc_tie_order order = {{1, 2}, 0};
    table *t = context;
    for (; operations > 0; operations--) {
        memcpy(t->shown, t->noisy, CELLS * sizeof *t->shown);
        sc_project_integer(t->shown, CELLS, t->total, &order);
        bench_keep(t->shown);
    }
}

static void find(void *context, uint64_t operations)
{
    table *t = context;
    sc_projection p;
    for (; operations > 0; operations--) {
        sc_project(t->noisy, CELLS, t->total, &p);
        bench_keep(&p);
    }
}

/* Counts of which nine in ten are 0, with noise of some width. */
BENCH(projection)
{
    static table t;
    uint64_t state = 1;
    if (!bench_is_wanted(FIND) && !bench_is_wanted(PROJECT))
        return;
    t.noisy = sc_allocate_raw(CELLS * sizeof *t.noisy);
    t.shown = sc_allocate_raw(CELLS * sizeof *t.shown);
    if (t.noisy == NULL || t.shown == NULL)
        bench_die("no memory");
    for (size_t i = 0; i < CELLS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int64_t count = i % 10 == 0 ? (int64_t)(state >> 54) : 0;
        t.noisy[i] = count + (int64_t)(state >> 33 & 63) - 31;
        t.total += count;
    }
    bench_measure(&(bench_case){
        .name = FIND, .unit = BENCH_MILLISECONDS, .body = find, .context = &t});
    bench_measure(
        &(bench_case){.name = PROJECT,
                      .unit = BENCH_MILLISECONDS,
                      .body = project,
                      .context = &t,
                      .target = TARGET_MILLISECONDS,
                      .rival = &(bench_case){.name = "projection: a copy of 10^8 cells",
                                             .unit = BENCH_MILLISECONDS,
                                             .body = copy,
                                             .context = &t}});
    sc_free(t.shown);
    sc_free(t.noisy);
}
