/* Reports of a gateway or a simulation: many values at once, random words from the library's source. An
 * operation is one report. */
#include "bench.h"
#include "scrim_local.h"

#include <stdlib.h>

#define MANY 4096

typedef struct fleet {
    scrim_local_config config;
    uint32_t values[MANY];
    uint8_t *reports;
} fleet;

static int fill(void *context, void *out, size_t bytes)
{
    scrim_error error;
    return (int)sc_bits_fill(context, out, bytes / sizeof(uint64_t), &error);
}

static void encode(void *context, uint64_t operations)
{
    fleet *f = context;
    const scrim_local_source source = {fill, bench_bits()};
    while (operations > 0) {
        const uint64_t count = operations < MANY ? operations : MANY;
        if (scrim_local_encode_many(&f->config, f->values, count, &source, f->reports) !=
            SCRIM_LOCAL_OK)
            bench_die("scrim_local_encode_many");
        bench_keep(f->reports);
        operations -= count;
    }
}

static void measure(const char *name, const char *words, uint32_t values, double target)
{
    fleet f;
    if (scrim_local_config_parse(words, &f.config) != SCRIM_LOCAL_OK)
        bench_die(words);
    f.reports = malloc(MANY * scrim_local_report_bytes(&f.config));
    if (f.reports == NULL)
        bench_die("no memory");
    for (uint32_t i = 0; i < MANY; i++)
        f.values[i] = i * UINT32_C(2654435761) % values;
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_DRAWS,
                                .body = encode,
                                .context = &f,
                                .counted = MANY,
                                .target = target});
    free(f.reports);
}

#define SETS " a=7747986 b=1048576" /* epsilon 2 */
#define START "scrim-local/1 question=q protocol="

BENCH(local_report)
{
    measure("device randomised-response, two values",
            START "randomised-response values=2" SETS "\n", 2, 100);
    measure("device randomised-response, 1,024 values",
            START "randomised-response values=1024" SETS "\n", 1024, 100);
    measure("device projective-geometry, 1,024 values, epsilon 2",
            START "projective-geometry values=1024" SETS " field=7 digits=5\n", 1024, 20);
    measure("device projective-geometry, 22,000 values, epsilon 5",
            START "projective-geometry values=22000 a=155621243 b=1048576 field=149 "
                  "digits=3\n",
            22000, 20);
    measure("device optimised-unary, 1,024 values",
            START "optimised-unary values=1024 a=3782994644 b=511972652\n", 1024, 1);
    measure("device optimised-unary, 1,024 values, probabilities of 16 binary digits",
            START "optimised-unary values=1024 a=57723 b=7813\n", 1024, 1);
    measure("device symmetric-unary, 1,024 values",
            START "symmetric-unary values=1024 a=3139872686 b=1155094610\n", 1024, 1);
    measure("device local-hashing, 1,024 values",
            START "local-hashing values=1024" SETS " field=7 digits=4\n", 1024, 0);
    measure("device hadamard, 1,024 values",
            START "hadamard values=1024" SETS " blocks=1 order=2048\n", 1024, 0);
    measure("device subset-selection, 1,024 values",
            START "subset-selection values=1024" SETS " chosen=122\n", 1024, 0);
    measure("device square-wave, 1,024 values",
            START "square-wave values=1024" SETS " width=132\n", 1024, 0);
}
