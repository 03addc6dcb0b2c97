/* Bars a second, beside the sampler alone, which a dense release may take three times the time of;
 * and the descriptor's draw of 10^7 bars that are not empty. 10^8 bars are ten turns of
 * these. */
#include "base/memory.h"
#include "bench.h"
#include "mechanism/histogram/stlap.h"

#define BARS ((size_t)10000000)
#define BATCH ((size_t)2048)
#define TARGET_MILLISECONDS 2000

typedef struct histogram {
    scrim_measurement *measurement;
    int64_t *bars;
    sc_int128 *values;
    sc_mark *marks;
    size_t at; /* where the next batch begins */
} histogram;

/* The next batch, round and round. */
static const int64_t *next(histogram *h)
{
    h->at = h->at + BATCH > BARS - BATCH ? 0 : h->at + BATCH;
    return h->bars + h->at;
}

static void draw_noise(void *context, uint64_t operations)
{
    histogram *h = context;
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(h->measurement)->sampler;
    static int64_t drawn[BATCH];
    scrim_error error;
    for (size_t batch; operations > 0; operations -= batch) {
        batch = operations < BATCH ? (size_t)operations : BATCH;
        bench_must(sc_stlap_sampler_fill(bench_bits(), sampler, batch, drawn, &error),
                   &error);
        bench_keep(drawn);
    }
}

static void draw_bars(void *context, uint64_t operations)
{
    histogram *h = context;
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(h->measurement)->sampler;
    static int64_t shown[BATCH];
    scrim_error error;
    for (size_t batch; operations > 0; operations -= batch) {
        batch = operations < BATCH ? (size_t)operations : BATCH;
        bench_must(sc_stlap_dense(bench_bits(), sampler, next(h), batch, shown, &error),
                   &error);
        bench_keep(shown);
    }
}

static void release(void *context, uint64_t operations)
{
    histogram *h = context;
    scrim_error error;
    for (; operations > 0; operations--) {
        sc_draw out = {.values = h->values, .marks = h->marks, .capacity = BARS};
        bench_must(h->measurement->mechanism->draw(
                       h->measurement, bench_bits(),
                       &(sc_private_input){.values = h->bars, .count = BARS}, &out,
                       &error),
                   &error);
        bench_keep(h->values);
    }
}

static void measure(histogram *h, const char *line, const char *noise, const char *bars,
                    const char *whole)
{
    scrim_error error;
    bench_must(scrim_measurement_parse(line, &h->measurement, &error), &error);
    bench_measure(&(bench_case){.name = noise,
                                .unit = BENCH_DRAWS,
                                .body = draw_noise,
                                .context = h,
                                .counted = 4096});
    bench_measure(&(bench_case){.name = bars,
                                .unit = BENCH_DRAWS,
                                .body = draw_bars,
                                .context = h,
                                .counted = 4096});
    bench_measure(&(bench_case){.name = whole,
                                .unit = BENCH_MILLISECONDS,
                                .body = release,
                                .context = h,
                                .target = TARGET_MILLISECONDS});
    scrim_measurement_free(h->measurement);
}

BENCH(stlap)
{
    static histogram h;
    h.bars = sc_allocate(BARS, sizeof *h.bars);
    h.values = sc_allocate(BARS, sizeof *h.values);
    h.marks = sc_allocate(BARS, sizeof *h.marks);
    if (h.bars == NULL || h.values == NULL || h.marks == NULL)
        bench_die("no memory");
    for (size_t i = 0; i < BARS; i++)
        h.bars[i] = (int64_t)(i * 2654435761u % 1000) + 1;
    measure(&h, "stlap epsilon=1 q=27 neighbours=add-remove", "stlap q=27: noise alone",
            "stlap q=27: dense bars", "stlap q=27: 10^7 bars, none empty");
    measure(&h, "stlap epsilon=1/10 q=218 neighbours=add-remove",
            "stlap q=218: noise alone", "stlap q=218: dense bars",
            "stlap q=218: 10^7 bars, none empty");
    measure(&h, "stlap epsilon=1 q=27 mode=sparse neighbours=add-remove",
            "stlap sparse: noise alone", "stlap sparse: dense bars",
            "stlap sparse: 10^7 bars, none empty");
    sc_free(h.marks);
    sc_free(h.values);
    sc_free(h.bars);
}
