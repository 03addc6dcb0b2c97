/* Selection of keys: the table of a small epsilon, and which of many keys are kept, beside one
 * look at each count. */
#include "bench.h"
#include "mechanism/threshold/keep_table.h"

#include <stdlib.h>

#define TABLE_MS 100.0
/* At most four times as long as one pass over the counts. */
#define RATIO_TARGET 0.25

static void set_ratio(const char *text, sc_ratio *out)
{
    sc_ratio_init(out);
    if (sc_ratio_parse(sc_text_of(text), out, NULL) != SCRIM_OK)
        abort();
}

static void build(void *context, uint64_t operations)
{
    sc_ratio epsilon, delta;
    (void)context;
    set_ratio("0.01", &epsilon);
    set_ratio("1e-19", &delta);
    for (uint64_t i = 0; i < operations; i++) {
        sc_keep_table table;
        if (sc_keep_table_init(&table, &epsilon, &delta, 1, NULL) != SCRIM_OK)
            abort();
        bench_keep(&table);
        sc_keep_table_clear(&table);
    }
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

/* Counts that do not fit a cache, gone through in a circle; 8 bytes each, as a mechanism has
 * them. */
typedef struct keys {
    sc_keep_table table;
    int64_t *counts;
    uint64_t *kept;
    size_t count, at, looked;
} keys;

static void select_keys(void *context, uint64_t operations)
{
    keys *k = context;
    scrim_error error;
    while (operations > 0) {
        const size_t rest = k->count - k->at;
        const size_t run = operations < rest ? (size_t)operations : rest;
        bench_must(sc_keep_many(bench_bits(), &k->table, k->counts + k->at, run, k->kept,
                                &error),
                   &error);
        bench_keep(k->kept);
        k->at = run == rest ? 0 : k->at + run;
        operations -= run;
    }
}

static void select_one(void *context, uint64_t operations)
{
    const keys *k = context;
    scrim_error error;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < operations; i++) {
        bool is_kept = false;
        bench_must(sc_keep_table_draw(bench_bits(), &k->table,
                                      (uint64_t)k->counts[i % 1024], &is_kept, &error),
                   &error);
        kept += is_kept;
    }
    bench_keep(&kept);
}

static void look_at_counts(void *context, uint64_t operations)
{
    keys *k = context;
    int64_t sum = 0;
    while (operations > 0) {
        const size_t rest = k->count - k->looked;
        const size_t run = operations < rest ? (size_t)operations : rest;
        const int64_t *counts = k->counts + k->looked;
        for (size_t i = 0; i < run; i++)
            sum ^= counts[i];
        k->looked = run == rest ? 0 : k->looked + run;
        operations -= run;
    }
    bench_keep(&sum);
}

static void measure_keys(const char *name, const char *rival_name, size_t count)
{
    keys k = {.count = count};
    sc_ratio epsilon, delta;
    set_ratio("1", &epsilon);
    set_ratio("1e-6", &delta);
    k.counts = malloc(count * sizeof *k.counts);
    k.kept = malloc((count / SC_KEEP_LANES + 1) * sizeof *k.kept);
    if (k.counts == NULL || k.kept == NULL ||
        sc_keep_table_init(&k.table, &epsilon, &delta, 1, NULL) != SCRIM_OK)
        abort();
    /* From 0 to 31 units, of which 0, 1 to 29 and more are all there. */
    for (size_t i = 0; i < count; i++)
        k.counts[i] = (int64_t)((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> 59);
    const bench_case rival = {.name = rival_name,
                              .unit = BENCH_NANOSECONDS,
                              .body = look_at_counts,
                              .context = &k};
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_NANOSECONDS,
                                .body = select_keys,
                                .context = &k,
                                .rival = &rival,
                                .ratio_target = RATIO_TARGET});
    bench_measure(&(bench_case){.name = "keep table draw of one key",
                                .unit = BENCH_NANOSECONDS,
                                .body = select_one,
                                .context = &k});
    sc_keep_table_clear(&k.table);
    free(k.kept);
    free(k.counts);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

BENCH(keep_table)
{
    bench_measure(&(bench_case){.name = "keep table epsilon=0.01 delta=1e-19",
                                .unit = BENCH_MILLISECONDS,
                                .body = build,
                                .target = TABLE_MS});
    if (bench_is_large())
        measure_keys("selection of a key, of 10^8", "one look at a count, of 10^8",
                     100000000);
    else
        measure_keys("selection of a key, of 10^7", "one look at a count, of 10^7",
                     10000000);
}
