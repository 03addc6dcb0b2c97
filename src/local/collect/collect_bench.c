#include "bench.h"
#include "local/collect/decoding.h"
#include "local/collect/report_sums.h"
#include "local/collect/support_counts.h"
#include "scrim_local.h"

#include <stdlib.h>

/* Reports of one configuration, encoded once. */
typedef struct fleet {
    sc_sums sums;
    uint8_t *reports;
    size_t count;
} fleet;

static void open_fleet(fleet *f, const char *config, size_t count)
{
    scrim_error error;
    bench_must(sc_sums_init(&f->sums, config, &error), &error);
    uint32_t *values = calloc(count, sizeof *values);
    f->count = count;
    f->reports = calloc(count, f->sums.report_bytes);
    if (values == NULL || f->reports == NULL)
        bench_die("no memory");
    for (size_t i = 0; i < count; i++)
        values[i] = (uint32_t)(i * i % f->sums.config.values);
    if (scrim_local_encode_many(&f->sums.config, values, count, &scrim_local_system,
                                f->reports) != SCRIM_LOCAL_OK)
        bench_die("no reports");
    free(values);
}

static void close_fleet(fleet *f)
{
    free(f->reports);
    sc_sums_clear(&f->sums);
}

static void collect(void *context, uint64_t operations)
{
    fleet *f = context;
    scrim_error error;
    for (; operations > 0; operations--)
        bench_must(sc_sums_add(&f->sums, f->reports, f->count, f->sums.report_bytes,
                               f->count * f->sums.report_bytes, &error),
                   &error);
    bench_keep(sc_sums_counts(&f->sums));
}

static void decode(void *context, uint64_t operations)
{
    fleet *f = context;
    scrim_error error;
    for (; operations > 0; operations--) {
        sc_decoding decoding;
        double sum = 0;
        bench_must(sc_decoding_init(&decoding, &f->sums, &error), &error);
        for (size_t v = 0; v < decoding.values; v++)
            sum += sc_decoding_estimate(&decoding, v);
        bench_keep(&sum);
        sc_decoding_clear(&decoding);
    }
}

/* From reports to estimates. */
static void both(void *context, uint64_t operations)
{
    for (; operations > 0; operations--) {
        collect(context, 1);
        decode(context, 1);
    }
}

typedef struct measured {
    const char *name, *config;
    size_t reports;
    bool is_both; /* else reports are collected */
    double target;
} measured;

static const measured list[] = {
    {"collect bitmaps of 1,024 bits",
     "scrim-local/1 question=q protocol=optimised-unary values=1024 a=3782991582 "
     "b=511975714\n",
     20000, false, 1},
    {"collect subsets of 1,000 values",
     "scrim-local/1 question=q protocol=subset-selection values=1000 a=7747984 b=1048576 "
     "chosen=119\n",
     5000, false, 1},
    {"collect integers of 2 bytes",
     "scrim-local/1 question=q protocol=projective-geometry values=22000 a=155 b=1 "
     "field=149 digits=3\n",
     1000000, false, 1},
    {"collect integers of 1 byte",
     "scrim-local/1 question=q protocol=randomised-response values=2 a=3 b=1\n", 1000000,
     false, 1},
    {"collect local hashing, 1,024 values",
     "scrim-local/1 question=q protocol=local-hashing values=1024 a=7747984 b=1048576 "
     "field=7 digits=4\n",
     1000000, false, 1},
    {"decode 1e7 reports, projective geometry, 22,000 values",
     "scrim-local/1 question=q protocol=projective-geometry values=22000 a=155 b=1 "
     "field=149 digits=3\n",
     10000000, true, 500},
    {"decode 1e6 reports, local hashing, 1,024 values",
     "scrim-local/1 question=q protocol=local-hashing values=1024 a=7747984 b=1048576 "
     "field=7 digits=4\n",
     1000000, true, 333},
    {"decode 20,000 reports, optimised unary, 1,024 values",
     "scrim-local/1 question=q protocol=optimised-unary values=1024 a=3782991582 "
     "b=511975714\n",
     20000, true, 0},
    {"decode 1e6 reports, randomised response, two values",
     "scrim-local/1 question=q protocol=randomised-response values=2 a=7747984 "
     "b=1048576\n",
     1000000, true, 0},
};

BENCH(local_collect)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!bench_is_wanted(list[i].name))
            continue;
        fleet f;
        open_fleet(&f, list[i].config, list[i].reports);
        bench_measure(
            &(bench_case){.name = list[i].name,
                          .unit = list[i].is_both ? BENCH_MILLISECONDS : BENCH_GIGABYTES,
                          .body = list[i].is_both ? both : collect,
                          .context = &f,
                          .bytes = list[i].reports * f.sums.report_bytes,
                          .target = list[i].target});
        close_fleet(&f);
    }
}
