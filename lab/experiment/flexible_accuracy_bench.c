#include "bench.h"
#include "lab/experiment/flexible_accuracy.h"

#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* All six experiments with 100 datasets of 100 runs: 2.5 million runs. */
BENCH(flexible_accuracy)
{
    const char *name = "experiment flexible-accuracy: 100 data sets, 100 runs";
    const lab_experiment_options options = {.only = 0};
    double walls[3];
    if (!bench_is_wanted(name))
        return;
    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        lab_experiment *found = NULL;
        scrim_error error;
        const double begin = now_ms();
        bench_must(lab_flexible_accuracy(&options, &found, &error), &error);
        walls[i] = now_ms() - begin;
        free(found);
    }
    bench_record(name, BENCH_MILLISECONDS, walls, sizeof walls / sizeof *walls, 300000);
}
