#include "draws.h"

#include "bench.h"
#include "sampling/distribution.h"

#include <stdio.h>

/* Drawn into one buffer that stays in the first level of cache. */
#define BATCH 1024
#define COUNTED 32768

static union {
    int64_t narrow[BATCH];
    sc_int128 wide[BATCH];
} drawn;

static scrim_distribution *parse(const char *line)
{
    scrim_error error;
    scrim_distribution *noise = NULL;
    bench_must(scrim_distribution_parse(line, &noise, &error), &error);
    return noise;
}

static size_t batch_of(uint64_t left)
{
    return left < BATCH ? (size_t)left : BATCH;
}

static void fast(void *context, uint64_t operations)
{
    scrim_error error;
    for (size_t batch; operations > 0; operations -= batch) {
        batch = batch_of(operations);
        bench_must(
            sc_distribution_fill(context, bench_bits(), batch, drawn.narrow, &error),
            &error);
    }
}

static void reference(void *context, uint64_t operations)
{
    scrim_error error;
    for (size_t batch; operations > 0; operations -= batch) {
        batch = batch_of(operations);
        bench_must(
            sc_distribution_reference(context, bench_bits(), batch, drawn.wide, &error),
            &error);
    }
}

static void single(void *context, uint64_t operations)
{
    scrim_error error;
    for (; operations > 0; operations--)
        bench_must(scrim_distribution_draw(context, 1, drawn.narrow, &error), &error);
}

static void set_up(void *context, uint64_t operations)
{
    for (; operations > 0; operations--)
        scrim_distribution_free(parse(context));
}

static void measure(const char *line, const char *suffix, const bench_case *c)
{
    char name[BENCH_NAME_BYTES];
    bench_case named = *c;
    scrim_distribution *noise = parse(line);
    (void)snprintf(name, sizeof name, "%s%s", line, suffix);
    named.name = name;
    named.context = noise;
    bench_measure(&named);
    scrim_distribution_free(noise);
}

void draws_fast(const char *line, double millions_target, double bits_target)
{
    measure(line, "",
            &(bench_case){.unit = BENCH_DRAWS,
                          .body = fast,
                          .counted = COUNTED,
                          .target = millions_target,
                          .bits_target = bits_target});
}

void draws_reference(const char *line, double millions_target)
{
    measure(line, ", reference",
            &(bench_case){.unit = BENCH_DRAWS,
                          .body = reference,
                          .counted = COUNTED,
                          .target = millions_target});
}

void draws_single(const char *line)
{
    measure(line, ", one a call",
            &(bench_case){.unit = BENCH_NANOSECONDS, .body = single, .counted = 16});
}

void draws_set_up(const char *line)
{
    char name[BENCH_NAME_BYTES], text[BENCH_NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s, set-up", line);
    (void)snprintf(text, sizeof text, "%s", line);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = set_up,
                                .context = text,
                                .counted = 4});
}
