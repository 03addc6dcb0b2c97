#include "bench.h"
#include "sampling/coin/permutation.h"

#define THINGS 1000
#define CHOSEN 32

static uint64_t order[THINGS];

/* An operation is a whole permutation, or a whole subset. */
static void permute(void *context, uint64_t operations)
{
    scrim_error error;
    (void)context;
    for (; operations > 0; operations--)
        bench_must(sc_permutation_draw(bench_bits(), THINGS, order, &error), &error);
}

static void choose(void *context, uint64_t operations)
{
    scrim_error error;
    (void)context;
    for (; operations > 0; operations--)
        bench_must(sc_subset_draw(bench_bits(), UINT64_C(1) << 40, CHOSEN, order, &error),
                   &error);
}

BENCH(permutation)
{
    bench_measure(&(bench_case){.name = "permutation of 1000",
                                .unit = BENCH_NANOSECONDS,
                                .body = permute,
                                .counted = 64});
    bench_measure(&(bench_case){.name = "subset, 32 of 2^40",
                                .unit = BENCH_NANOSECONDS,
                                .body = choose,
                                .counted = 1024});
}
