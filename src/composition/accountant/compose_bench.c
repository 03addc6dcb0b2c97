/* Joint bounds of a few releases, by the accountant that counts in integers: parsing, discretising, composing. */
#include "bench.h"
#include "scrim.h"

static void compose(void *context, uint64_t operations)
{
    const char *text = context;
    scrim_error error;
    for (; operations > 0; operations--) {
        scrim_composition *parts = NULL;
        scrim_bounds bounds;
        bench_must(scrim_composition_parse(text, &parts, &error), &error);
        bench_must(scrim_composition_epsilon(
                       parts, "1e-6",
                       SCRIM_OPTIONS(scrim_composition_options, .accountant = "loss"),
                       &bounds, &error),
                   &error);
        bench_keep(&bounds);
        scrim_bounds_clear(&bounds);
        scrim_composition_free(parts);
    }
}

BENCH(compose)
{
    static char parts[] = "laplace scale=10 x8; laplace scale=20 x4";
    bench_measure(&(bench_case){.name = "compose 12 releases, in integers",
                                .unit = BENCH_MILLISECONDS,
                                .body = compose,
                                .context = parts,
                                .counted = 1});
}
