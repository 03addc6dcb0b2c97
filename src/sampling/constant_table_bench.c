#include "bench.h"
#include "sampling/constant_table.h"

#define BATCH 1024
#define BOUND 200

static int64_t drawn[BATCH];

static void fill(void *context, uint64_t operations)
{
    scrim_error error;
    for (size_t batch; operations > 0; operations -= batch) {
        batch = operations < BATCH ? (size_t)operations : BATCH;
        bench_must(sc_constant_table_fill(bench_bits(), context, batch, drawn, &error),
                   &error);
    }
}

static void measure(const char *name, sc_constant_table *table)
{
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_DRAWS,
                                .body = fill,
                                .context = table,
                                .counted = 4096,
                                .target = 5});
    sc_constant_table_clear(table);
}

BENCH(constant_table)
{
    scrim_error error;
    sc_constant_table table;
    sc_ratio shape;
    sc_ratio_init(&shape);
    bench_must(sc_ratio_parse(sc_text_of("1/10"), &shape, &error), &error);
    bench_must(sc_constant_table_init_shifted(&table, &shape, UINT64_C(2) * BOUND, 64,
                                              1u << 20, &error),
               &error);
    measure("constant time: shifted epsilon=1/10 q=400", &table);
    sc_ratio_clear(&shape);
}
