#include "bench.h"
#include "scrim/experiment.h"

#include <time.h>

static double now_ms(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* All six experiments with 100 data sets of 100 runs, on all processors: 2.5 million runs. By the
 * clock on the wall, which a busy machine makes slower. */
BENCH(flexible_accuracy)
{
    const char *name = "experiment flexible-accuracy: 100 data sets, 100 runs";
    double walls[3];
    if (!bench_is_wanted(name))
        return;
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        scrim_experiment *found = NULL;
        scrim_error error;
        const double begin = now_ms();
        bench_must(scrim_experiment_flexible_accuracy(NULL, &found, &error), &error);
        walls[i] = now_ms() - begin;
        scrim_experiment_free(found);
    }
    bench_record(name, BENCH_MILLISECONDS, walls, sizeof walls / sizeof *walls, 300000);
}
