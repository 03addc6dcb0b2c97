/* A quantile of 10^7 rows, however they lie; an operation is one release, memory and wiping
 * included. Google's quantile tree takes in 14 million rows a second: 714 ms for as many. */
#include "base/memory.h"
#include "bench.h"
#include "model/measurement.h"

#include <stdio.h>

#define ROWS ((size_t)10000000)
#define TARGET_MILLISECONDS 50 /* 200 million rows a second */

typedef struct table {
    scrim_measurement *measurement;
    int64_t *rows;
} table;

static void release(void *context, uint64_t operations)
{
    const table *t = context;
    const sc_mechanism *mechanism = t->measurement->mechanism;
    sc_int128 values[64];
    sc_mark marks[64];
    scrim_error error;
    for (; operations > 0; operations--) {
        sc_draw out = {.values = values, .marks = marks, .capacity = 64};
        bench_must(mechanism->draw(t->measurement, bench_bits(),
                                   &(sc_private_input){.values = t->rows, .count = ROWS},
                                   &out, &error),
                   &error);
    }
    bench_keep(values);
}

typedef int64_t shape(uint64_t random);

static int64_t uniform(uint64_t random)
{
    return (int64_t)(random >> 24); /* of 2^40 */
}
static int64_t bell(uint64_t random)
{
    int64_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (int64_t)(random >> 8 * i & 255) << 29;
    return sum + (int64_t)(random % ((uint64_t)1 << 29));
}
static int64_t equal(uint64_t random)
{
    (void)random;
    return 123456789;
}
static int64_t two(uint64_t random)
{
    return (random >> 63) != 0 ? 5 : (int64_t)1 << 39;
}
static int64_t ages(uint64_t random)
{
    return (int64_t)(random >> 32) % 100;
}
/* Far beyond either end of the range, all of them. */
static int64_t outside(uint64_t random)
{
    return (int64_t)random;
}

static void measure(table *t, const char *name, const char *line, shape *of,
                    double target)
{
    scrim_error error;
    uint64_t state = 88172645463325252u;
    if (!bench_is_wanted(name))
        return;
    for (size_t i = 0; i < ROWS; i++) {
        state ^= state << 13; /* Marsaglia's xorshift: any spread will do */
        state ^= state >> 7;
        state ^= state << 17;
        t->rows[i] = of(state);
    }
    bench_must(scrim_measurement_parse(line, &t->measurement, &error), &error);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = release,
                                .context = t,
                                .target = target});
    scrim_measurement_free(t->measurement);
}

BENCH(quantile)
{
    static const char median[] =
        "quantile p=1/2 epsilon=1/10 lower=0 upper=2^40 neighbours=add-remove";
    static table t;
    t.rows = sc_allocate(ROWS, sizeof *t.rows);
    if (t.rows == NULL)
        bench_die("no memory");
    measure(&t, "quantile, 10^7 rows, uniform", median, uniform, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, bell", median, bell, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, all equal", median, equal, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, two values", median, two, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, ages", median, ages, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, outside", median, outside, TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, uniform, p=0.999, replace",
            "quantile p=0.999 epsilon=1 lower=0 upper=2^40 neighbours=replace", uniform,
            TARGET_MILLISECONDS);
    measure(&t, "quantile, 10^7 rows, uniform, three recursively",
            "quantile p=1/4,1/2,3/4 epsilon=1 lower=0 upper=2^40 form=recursive "
            "neighbours=add-remove",
            uniform, 0);
    measure(&t, "quantile, 10^7 rows, uniform, nine deciles",
            "quantile p=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9 epsilon=1 lower=0 "
            "upper=2^40 neighbours=add-remove",
            uniform, 0);
    sc_free(t.rows);
}
