/* A choice among 10^6 integer scores, by either mechanism and at any spread: the work does not
 * depend on the scores. diffprivlib takes 1.0 s for its exponential mechanism. Beside them noisy
 * max, and the answers of randomised response. */
#include "base/memory.h"
#include "bench.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/noisy_max.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/randomised_response.h"

#include <stdio.h>

#define CANDIDATES 1000000
#define TARGET_MILLISECONDS 20

typedef struct field {
    sc_gap_weights weights;
    sc_scores state; /* with the weights prepared */
    int64_t *scores;
} field;

static void by_permute_and_flip(void *context, uint64_t operations)
{
    const field *f = context;
    scrim_error error;
    size_t index = 0;
    for (; operations > 0; operations--)
        bench_must(sc_permute_and_flip_choose(&f->state, bench_bits(), f->scores,
                                              CANDIDATES, &index, &error),
                   &error);
    bench_keep(&index);
}

static void by_exponential(void *context, uint64_t operations)
{
    const field *f = context;
    scrim_error error;
    size_t index = 0;
    for (; operations > 0; operations--)
        bench_must(sc_exponential_choose(&f->state, bench_bits(), f->scores, CANDIDATES,
                                         &index, &error),
                   &error);
    bench_keep(&index);
}

/* Scores of 0..spread-1 in no order, h = 1/scale. */
static void measure(const char *spread_name, int64_t spread, int64_t scale)
{
    static field f;
    sc_ratio rate, divisor;
    scrim_error error;
    char name[BENCH_NAME_BYTES];
    f.scores = sc_allocate(CANDIDATES, sizeof *f.scores);
    if (f.scores == NULL)
        bench_die("no memory");
    for (int64_t i = 0; i < CANDIDATES; i++)
        f.scores[i] = (int64_t)((uint64_t)i * 0x9e3779b97f4a7c15u >> 20) % spread;
    sc_ratio_init(&rate);
    sc_ratio_init(&divisor);
    sc_ratio_set_int64(&rate, 1);
    sc_ratio_set_int64(&divisor, scale);
    sc_ratio_div(&rate, &rate, &divisor);
    bench_must(sc_gap_weights_init(&f.weights, &rate, &error), &error);
    f.state = (sc_scores){.prepared = &f.weights};
    snprintf(name, sizeof name, "permute-and-flip, 10^6 scores, %s", spread_name);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = by_permute_and_flip,
                                .context = &f,
                                .counted = 1,
                                .target = TARGET_MILLISECONDS});
    snprintf(name, sizeof name, "exponential, 10^6 scores, %s", spread_name);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = by_exponential,
                                .context = &f,
                                .counted = 1,
                                .target = TARGET_MILLISECONDS});
    sc_gap_weights_clear(&f.weights);
    sc_ratio_clear(&divisor);
    sc_ratio_clear(&rate);
    sc_free(f.scores);
}

typedef struct noisy {
    sc_blocks noise;
    int64_t *scores;
} noisy;

static void by_noisy_max(void *context, uint64_t operations)
{
    const noisy *n = context;
    scrim_error error;
    size_t index = 0;
    for (; operations > 0; operations--)
        bench_must(sc_noisy_max_choose(bench_bits(), &n->noise, n->scores, CANDIDATES,
                                       &index, &error),
                   &error);
    bench_keep(&index);
}

static void measure_noisy_max(const char *name, sc_sides sides)
{
    static noisy n;
    const sc_blocks_law law = {.sides = sides};
    sc_ratio rate;
    scrim_error error;
    n.scores = sc_allocate(CANDIDATES, sizeof *n.scores);
    if (n.scores == NULL)
        bench_die("no memory");
    sc_ratio_init(&rate);
    sc_ratio_set_int64(&rate, 1);
    bench_must(sc_blocks_init(&n.noise, &law, &rate, &error), &error);
    bench_measure(&(bench_case){
        .name = name, .unit = BENCH_MILLISECONDS, .body = by_noisy_max, .context = &n});
    sc_blocks_clear(&n.noise);
    sc_ratio_clear(&rate);
    sc_free(n.scores);
}

/* An operation is one answer. */
static void respond(void *context, uint64_t operations)
{
    const sc_response *response = context;
    scrim_error error;
    uint64_t answer = 0;
    for (; operations > 0; operations--)
        bench_must(sc_response_draw(bench_bits(), response, answer, &answer, &error),
                   &error);
    bench_keep(&answer);
}

BENCH(selection)
{
    static sc_response bit = {(uint64_t)3 << 60, (uint64_t)1 << 62, 2}, ten = {1, 2, 10};
    measure("all equal", 1, 2);
    measure("close", 100, 20);
    measure("far apart", 1000000, 2);
    measure("all distinct", 1000000000, 10000000);
    measure_noisy_max("noisy-max, 10^6 scores, Laplace", SC_SIDES_BOTH);
    measure_noisy_max("noisy-max, 10^6 scores, geometric", SC_SIDES_ONE);
    bench_measure(&(bench_case){.name = "randomised-response, one bit",
                                .unit = BENCH_DRAWS,
                                .body = respond,
                                .context = &bit,
                                .counted = 1 << 16});
    bench_measure(&(bench_case){.name = "randomised-response, ten values, keep 1/2",
                                .unit = BENCH_DRAWS,
                                .body = respond,
                                .context = &ten,
                                .counted = 1 << 16});
}
