/* Selection of keys: the table of a small epsilon, and the draw of a key beside one look at its count. */
#include "bench.h"
#include "mechanism/threshold/keep_table.h"

#include <stdlib.h>

#define TABLE_MS 100.0
#define KEYS ((size_t)1 << 24)
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

typedef struct keys {
    sc_keep_table table;
    uint32_t *counts;
} keys;

static void select_keys(void *context, uint64_t operations)
{
    const keys *k = context;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < operations; i++) {
        bool is_kept = false;
        if (sc_keep_table_draw(bench_bits(), &k->table, k->counts[i % KEYS], &is_kept,
                               NULL) != SCRIM_OK)
            abort();
        kept += is_kept;
    }
    bench_keep(&kept);
}

static void look_at_counts(void *context, uint64_t operations)
{
    const keys *k = context;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < operations; i++)
        sum += k->counts[i % KEYS];
    bench_keep(&sum);
}

BENCH(keep_table)
{
    keys k = {.counts = malloc(KEYS * sizeof *k.counts)};
    sc_ratio epsilon, delta;
    bench_measure(&(bench_case){.name = "keep table epsilon=0.01 delta=1e-19",
                                .unit = BENCH_MILLISECONDS,
                                .body = build,
                                .target = TABLE_MS});
    set_ratio("1", &epsilon);
    set_ratio("1e-6", &delta);
    if (k.counts == NULL ||
        sc_keep_table_init(&k.table, &epsilon, &delta, 1, NULL) != SCRIM_OK)
        abort();
    for (size_t i = 0; i < KEYS; i++)
        k.counts[i] = (uint32_t)(i * 2654435761u >> 27);
    const bench_case rival = {.name = "one look at a count",
                              .unit = BENCH_NANOSECONDS,
                              .body = look_at_counts,
                              .context = &k};
    bench_measure(&(bench_case){.name = "keep table draw of a key",
                                .unit = BENCH_NANOSECONDS,
                                .body = select_keys,
                                .context = &k,
                                .rival = &rival,
                                .ratio_target = RATIO_TARGET});
    sc_keep_table_clear(&k.table);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
    free(k.counts);
}
