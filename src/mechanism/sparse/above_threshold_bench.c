/* Queries a second through a whole run: noise, comparison, answer. A loop on diffprivlib's Laplace
 * does 0.1 million. All queries are far below, so that no run halts before its last. */
#include "base/memory.h"
#include "bench.h"
#include "mechanism/sparse/sparse_measurement.h"

#include <stdio.h>

#define QUERIES 65536
#define TARGET_MILLIONS 25

static struct {
    int64_t queries[QUERIES];
    sc_int128 values[QUERIES];
    sc_mark marks[QUERIES];
    sc_sparse_run run;
} field;

static void at_once(void *context, uint64_t operations)
{
    scrim_error error;
    for (uint64_t batch; operations > 0; operations -= batch) {
        batch = operations < QUERIES ? operations : QUERIES;
        sc_draw out = {.values = field.values, .marks = field.marks, .capacity = QUERIES};
        const sc_private_input input = {.values = field.queries, .count = (size_t)batch};
        bench_must(sc_sparse_draw(context, bench_bits(), &input, &out, &error), &error);
    }
    bench_keep(&field);
}

static void one_by_one(void *context, uint64_t operations)
{
    scrim_error error;
    sc_run_piece piece;
    bench_must(sc_sparse_open(context, bench_bits(), &field.run, &error), &error);
    for (; operations > 0; operations--)
        bench_must(sc_sparse_ask(context, bench_bits(), &field.run, field.queries[0],
                                 &piece, &error),
                   &error);
    bench_keep(&field);
}

static void measure(const char *line, double target)
{
    char name[BENCH_NAME_BYTES];
    scrim_measurement *m = NULL;
    scrim_error error;
    bench_must(scrim_measurement_parse_model(line, &m, &error), &error);
    sc_sparse_state *s = m->state;
    for (size_t i = 0; i < QUERIES; i++)
        field.queries[i] = -((int64_t)1 << 60);
    bench_measure(&(bench_case){.name = line,
                                .unit = BENCH_DRAWS,
                                .body = at_once,
                                .context = &s->plan,
                                .counted = QUERIES,
                                .target = target});
    (void)snprintf(name, sizeof name, "%s, one by one", line);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_DRAWS,
                                .body = one_by_one,
                                .context = &s->plan,
                                .counted = QUERIES});
    scrim_measurement_free(m);
}

BENCH(above_threshold)
{
    measure("above-threshold epsilon=1", TARGET_MILLIONS);
    measure("above-threshold epsilon=1/100", TARGET_MILLIONS);
    measure("sparse-vector epsilon=1 count=10", TARGET_MILLIONS);
    measure("generalised-sparse-vector threshold-variance=100 query-scale=40", 0);
}
