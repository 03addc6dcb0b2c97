#include "bench.h"
#include "random/bits_system.h"
#include "solve/body_walk.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 20
#define ROWS 500
#define POINTS 100 /* of one operation; a thousand of them are 10^5 points */

typedef struct walking {
    sc_solid *solid;
    sc_bits *bits;
    sc_walk_ways *ways;
    sc_body_walk *walk;
    sc_walk_options options;
    double v[COLUMNS];
} walking;

/* A ball of radius 1, cut by the axes and by directions of cosines: no draw, so that it is the same everywhere. */
static sc_solid *make_solid(void)
{
    double *a = calloc((size_t)(COLUMNS + 1) * ROWS, sizeof *a), *b = NULL;
    sc_solid *solid = NULL;
    scrim_error error;
    if (a == NULL)
        bench_die("no memory");
    b = a + (size_t)COLUMNS * ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        double *row = a + i * COLUMNS;
        for (size_t j = 0; j < COLUMNS; j++)
            row[j] = i < (size_t)2 * COLUMNS
                         ? (j == i / 2 ? (i % 2 == 0 ? 1 : -1) : 0)
                         : cos((double)((i + 1) * (j + 1) * (i + j + 3)) * 0.7391);
        const double length = sc_norm(row, COLUMNS);
        for (size_t j = 0; j < COLUMNS; j++)
            row[j] /= length;
        b[i] = 1;
    }
    bench_must(sc_solid_of(&(sc_half_spaces){COLUMNS, ROWS, a, b}, 2, &solid, &error),
               &error);
    free(a);
    return solid;
}

static void walk(void *context, uint64_t operations)
{
    walking *w = context;
    scrim_error error;
    for (uint64_t i = 0; i < operations * POINTS; i++)
        bench_must(sc_body_walk_next(w->walk, w->v, &error), &error);
}

BENCH(body_walk)
{
    static walking w;
    scrim_error error;
    w.solid = make_solid();
    bench_must(sc_bits_system_open(&w.bits, &error), &error);
    bench_must(sc_walk_ways_new(w.solid, w.bits, &w.ways, &error), &error);
    bench_must(sc_body_walk_new(w.solid, w.ways, &w.options, w.bits, &w.walk, &error),
               &error);
    /* 10 s for 10^5 points on two processors: 20 ms for a hundred on one. */
    bench_measure(&(bench_case){.name = "body: 100 points, 20 columns, 500 half-spaces",
                                .unit = BENCH_MILLISECONDS,
                                .body = walk,
                                .context = &w,
                                .counted = 1,
                                .target = 20});
    sc_body_walk_free(w.walk);
    sc_walk_ways_free(w.ways);
    sc_bits_system_close(w.bits);
    sc_solid_free(w.solid);
}
